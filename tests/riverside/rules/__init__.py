"""The rules of Riverside, one file a chapter of the specification."""
