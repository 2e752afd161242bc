"""Ray for tests: small, on the loopback alone, without dashboard and statistics."""

from __future__ import annotations

import os

from studies.node_kill import kill, nodes, rows_of

__all__ = ["kill", "nodes", "rows_of"]

# Ray's agents aren't needed, and its statistics aren't wanted; both are read when Ray is imported.
os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_AUTH_MODE="disabled", RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0")
