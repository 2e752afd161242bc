"""Golden hashes: games are what they were when the environment's version was frozen, however they are played."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hashes import FOLDER, GAMES, Cell, cells, file_of, hashes, read

from riverbed_env.kernels.compile import compiled
from riverbed_env.registry import find_game, game_ids

CELLS = [cell for game_id in game_ids() for cell in cells(game_id)]
SOME = [cell for cell in CELLS if cell.auto_forced == "public"]


def name(cell: Cell) -> str:
    return f"{cell.game}, {cell.name}"


@pytest.mark.parametrize("cell", CELLS, ids=name)
def test_games_are_those_of_the_frozen_version(cell: Cell) -> None:
    numbers = range(GAMES if compiled() else 1)  # plain Python is some hundred times slower
    frozen = read(cell.game)[cell.name][: len(numbers)]
    assert hashes(cell, numbers) == frozen, (
        f"{cell.game} plays differently from what is frozen in {file_of(cell.game).name}: mend it, or make it a new "
        "version (`versions` in words/card.py says what changed) and run python tests/golden/hashes.py"
    )


@pytest.mark.compiled
@pytest.mark.parametrize("cell", SOME, ids=name)
def test_a_game_is_the_same_in_any_batch(cell: Cell) -> None:
    frozen = read(cell.game)[cell.name]
    assert [hashes(cell, range(number, number + 1))[0] for number in range(GAMES)] == frozen
    assert hashes(cell, range(1, GAMES + 9))[: GAMES - 1] == frozen[1:]


# One cell a game: environments are shared out among threads whatever is played in them, and starting threads takes
# long.
@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("cell", {cell.game: cell for cell in SOME}.values(), ids=name)
def test_a_game_is_the_same_on_any_thread(cell: Cell) -> None:
    assert hashes(cell, threads=2) == read(cell.game)[cell.name]


@pytest.mark.slow
def test_games_are_the_same_in_another_process(tmp_path: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(FOLDER.parent)!r}); from pathlib import Path; import hashes\n"
        f"for game in hashes.game_ids(): hashes.write(game, Path({str(tmp_path)!r}))"
    )
    subprocess.run(
        [sys.executable, "-W", "error", "-c", program], check=True, env={**os.environ, "PYTHONHASHSEED": "7"}
    )
    written = [path.stem for path in tmp_path.iterdir()]
    assert len(written) == 4  # the games of the library: another process knows no others
    for game_id in written:
        assert read(game_id, tmp_path) == read(game_id)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_version_so_far_has_its_file_and_the_last_is_the_one_played(game_id: str) -> None:
    game = find_game(game_id)
    assert {path.stem for path in FOLDER.glob(f"{game.name}_v*.json")} == {
        f"{game.name}_v{version}" for version in range(game.version + 1)
    }


def test_another_action_or_observation_gives_another_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = SOME[0]
    frozen = read(cell.game)[cell.name][0]
    from riverbed_env.core.batch import Batch

    step = Batch.step

    def step_and_smudge(batch: Batch, actions: object) -> None:
        step(batch, actions)  # type: ignore[arg-type]
        batch.observation[0, 100] ^= 1

    monkeypatch.setattr(Batch, "step", step_and_smudge)
    assert hashes(cell, range(1))[0] != frozen
    monkeypatch.undo()
    assert hashes(cell, range(1))[0] == frozen
