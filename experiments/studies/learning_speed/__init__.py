"""How fast MaskablePPO learns through our vector environment, and through the usual single-agent wrapper."""
