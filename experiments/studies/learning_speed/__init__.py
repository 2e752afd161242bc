"""How fast MaskablePPO trains through our vector environment and through a common single-agent wrapper."""
