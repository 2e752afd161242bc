"""The report of an evaluation: tables, figures, one HTML page."""
