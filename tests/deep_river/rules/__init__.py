"""The rule tests of Deep River, one module a chapter."""
