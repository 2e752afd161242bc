"""Ray for tests: small, on the loopback alone, without dashboard and statistics, and with nodes that can be killed."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import Any
from unittest.mock import patch

from riverbed_lab.cluster import own_signals
from riverbed_lab.evaluation.folder import Folder

# Ray's agents aren't needed, and its statistics aren't wanted; both are read when Ray is imported.
os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_AUTH_MODE="disabled", RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0")

SMALL = {"object_store_memory": 80 * 2**20}  # Ray takes no smaller store
WATCHFUL = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 3}


@contextlib.contextmanager
def nodes(*cores: int) -> Iterator[list[Any]]:
    """A cluster of nodes with so many cores each, behind a head that runs nothing; this process is connected to it."""
    import ray.util
    from ray._private import services

    def loopback(*given: Any, **more: Any) -> str:
        return "127.0.0.1"

    with (
        own_signals(),
        patch.object(services, "get_node_ip_address", loopback),
        patch.object(ray.util, "get_node_ip_address", loopback),
    ):
        yield from _nodes(cores)


def _nodes(cores: Sequence[int]) -> Iterator[list[Any]]:
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "include_dashboard": False, "_system_config": WATCHFUL, **SMALL},
    )
    try:
        started = [cluster.add_node(num_cpus=count, **SMALL) for count in cores]
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield started
    finally:
        ray.shutdown()
        cluster.shutdown()


def kill(node: Any) -> int:
    """Kill a node's Ray with all its processes, as a power cut would; returns how many there were."""
    import psutil

    (raylet,) = node.all_processes["raylet"]
    running = psutil.Process(raylet.process.pid)
    killed = [running, *running.children(recursive=True)]
    for process in killed:
        process.kill()
    return len(killed)


def rows_of(folder: Folder) -> dict[str, bytes]:
    """The rows of each part as bytes, without the seconds they took."""
    import pyarrow as pa
    from pyarrow import parquet

    found = {}
    for path in folder.parts.glob("*.parquet"):
        sink = pa.BufferOutputStream()
        parquet.write_table(parquet.read_table(path).drop_columns(["seconds"]), sink)
        found[path.name] = sink.getvalue().to_pybytes()
    return found
