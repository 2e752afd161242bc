"""A node of a Ray cluster is killed in the middle of an evaluation: what that costs, and whether rows are the same.

    python experiments/studies node_kill

plays an evaluation's parts on this machine, then on a Ray cluster of two nodes of one core each on this machine, as
`riverbed evaluate --ray` does. After some parts it kills all processes of one node with signal 9, as a power cut would.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from unittest.mock import patch

import typer

from riverbed_env.errors import OptionError
from riverbed_lab.evaluation.folder import Folder
from riverbed_lab.ray_calls import own_signals

from .cluster_size import evaluated
from .kit import Players, Seed, say

if TYPE_CHECKING:
    from riverbed_lab.evaluation.run import Evaluation, Task

SMALL = {"object_store_memory": 80 * 2**20}  # Ray takes no smaller store
WATCHFUL = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 3}


@contextlib.contextmanager
def nodes(*cores: int) -> Iterator[list[Any]]:
    """A cluster of nodes with so many cores each, behind a head that runs nothing; this process is connected to it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # which are read when Ray is imported
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


def play_and_kill(evaluation: Evaluation, tasks: Sequence[Task], after: int, log: Path) -> None:
    """Play the tasks on two nodes, and kill the first when so many parts are written; says what happens.

    log: a file that gets a line with part and node for each time that a part is begun.
    """
    import ray

    from riverbed_lab.cluster import Parcel, Plans, play_block
    from riverbed_lab.ray_calls import on_cluster

    def logged(plans: Plans, task: Task, number: int) -> Any:  # inside, as nodes can't import this file
        node = ray.get_runtime_context().get_node_id()
        with log.open("a") as file:
            file.write(f"{number} {node}\n")
        return play_block(plans, task), node

    plans = Plans(evaluation.folder.identity, Parcel.of(evaluation.plan.seated), evaluation.threads)
    with nodes(1, 1) as (first, second):
        names = {first.node_id: "first", second.node_id: "second"}
        shared = ray.put(plans)
        work = [(number, (shared, task, number)) for number, task in enumerate(tasks)]
        for done, (number, (rows, node)) in enumerate(on_cluster(logged, work, 1), 1):
            evaluation.folder.write(tasks[number].number, tasks[number].chunk, rows)
            say(f"part {number} came from the {names[node]} node and is written: {done} of {len(tasks)}")
            if done == after:
                say(f"kill -9 of the first node: {kill(first)} processes")
    begun = [line.split() for line in log.read_text().splitlines()]
    again = sorted({int(part) for place, (part, _) in enumerate(begun) if part in [each for each, _ in begun[:place]]})
    lost = f"part {', '.join(map(str, again))}, which it had in flight" if again else "nothing"
    say(f"parts begun: {len(begun)}; the kill cost {lost}")


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "riverbed_hunt_v1",
    agent: Annotated[str, typer.Option(help="The agent in every seat.")] = "rule_based",
    players: Players = 7,
    chunk: Annotated[int, typer.Option(min=1, help="Deals of each part.")] = 4000,
    parts: Annotated[int, typer.Option(min=4, help="Parts in all.")] = 16,
    after: Annotated[int, typer.Option(min=1, help="Written parts after which the node is killed.")] = 5,
    seed: Seed = 0,
) -> None:
    """Play on one machine and on a cluster that loses a node, and compare the rows."""
    from riverbed_lab.evaluation.run import one_after_another

    if after >= parts:
        raise OptionError(f"after must be less than the {parts} parts, not {after}")
    with (
        tempfile.TemporaryDirectory() as name,
        evaluated(game, agent, players, chunk, parts, seed) as (here, tasks),
        evaluated(game, agent, players, chunk, parts, seed) as (there, same),
    ):
        for task, rows in one_after_another(here, tasks, lambda cell, deals, games: None):
            here.folder.write(task.number, task.chunk, rows)
        play_and_kill(there, same, after, Path(name) / "begun")
        alike = rows_of(there.folder) == rows_of(here.folder)
    say(f"the rows are {'those' if alike else 'NOT those'} of one machine without Ray")
    if not alike:
        raise typer.Exit(1)
