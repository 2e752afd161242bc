"""Tests of Riverside, imported as `riverside.…`: `from riverside.scene import Scene`."""
