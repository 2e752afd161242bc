"""The rules of Deep River, one file a chapter; each function's docstring begins with its rule's id."""
