"""The compiled part of the judge; the folder is the key of its cache."""
