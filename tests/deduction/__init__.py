"""Tests of deduction, imported as `deduction.…`: `from deduction.positions import positions`."""
