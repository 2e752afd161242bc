"""Environments for other libraries; each is an extra of its own and is imported only when used."""
