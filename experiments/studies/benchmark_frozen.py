"""Fix what the benchmark compares with: how its agents play, its packs, and the best known gain of every cell.

    python experiments/studies benchmark_frozen experiments/board

The best gains come from the result files of a folder. Run it only for a new version of the benchmark: with other
hashes older results are refused.
"""

from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.schema import of_kind
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.benchmark.results import FORMAT, Result
from riverbed_lab.benchmark.run import TRAINED, packs_of
from riverbed_lab.benchmark.tracks import FROZEN, benchmark, fingerprint
from riverbed_lab.cli.console import console
from riverbed_lab.config_files import read_as


def best_known(results: list[Result]) -> dict[str, dict[str, tuple[float, str]]]:
    """The largest gain of each cell of each track, and the label of the agent that reached it."""
    best: dict[str, dict[str, tuple[float, str]]] = {}
    for result in results:
        for name, played in result.tracks.items():
            for cell in played.cells if benchmark().track(name).is_scored else ():
                known = best.setdefault(name, {})
                if cell.gain > known.get(cell.name, (0.0, ""))[0]:
                    known[cell.name] = (round(cell.gain, 4), result.agent)
    return best


def read_any(path: Path) -> Result:
    """A result file, whatever its hashes are."""
    with read_as(path, "result of the benchmark"):
        return of_kind(Result, read_json(path, "result", FORMAT), str(path))


def main(
    folder: Annotated[Path | None, typer.Argument(help="Result files that the best gains come from.")] = None,
) -> None:
    """Write frozen.json."""
    game = find_game(benchmark().game)
    results = [read_any(path) for path in sorted(folder.glob("*.json"))] if folder else []
    packs = {}
    for name, track in benchmark().tracks.items():
        for kind, options in ((name, track.options), (f"{name} {TRAINED}", track.trained)):
            if track.lineups and (options or kind == name):
                packs[kind] = packs_of(game, options)
    agents = {name: fingerprint(find_agent(name, game.name), game) for name in benchmark().seated}
    write_json(FROZEN, {"agents": agents, "packs": packs, "best": best_known(results)})
    console.print(f"wrote {FROZEN}", soft_wrap=True)
