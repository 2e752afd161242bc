"""The rules of River Rats, one file a chapter; each function's docstring begins with its rule's id."""
