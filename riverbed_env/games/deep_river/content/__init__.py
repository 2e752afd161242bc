"""Content packs of Deep River, and the columns that summarise its finished games."""
