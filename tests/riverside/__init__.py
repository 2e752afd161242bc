"""Tests of Riverside, imported as `riverside.…` from the tests folder: `from riverside.scene import Scene`."""
