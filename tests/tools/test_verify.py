"""`make verify`: lock-step in blocks."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest
import verify

from riverbed_env.registry import find_game

HUNT = find_game("riverbed_hunt")


def test_blocks_go_through_all_kinds_and_then_on() -> None:
    planned = verify.blocks(HUNT, 20_000, (4,), 0)
    assert len(planned) == 20_000 // verify.GAMES_IN_BLOCK
    assert {block.kind for block in planned} == verify.kinds(HUNT).keys()
    assert len(set(planned)) == len(planned)
    assert max(block.first for block in planned) > 0


@pytest.mark.compiled
def test_the_command_plays_and_compares() -> None:
    command = [sys.executable, verify.__file__, "--first", "250", "--games", "80", "--players", "4", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "default, 4 players, variant 0, from game 250: " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("80 games, ")
    assert done.stdout.strip().endswith(" 0 disagreements")


def test_a_disagreement_is_printed_and_ends_in_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    disagreement = SimpleNamespace(
        game=HUNT.id, options={"num_players": "4"}, seed=0, number=17, decision=3, actions=("0: dive", "0: space 4"),
        fact="table.tracks", engine="[0, 0, 0]", referee="[1, 0, 0]",
    )  # fmt: skip
    outcome = SimpleNamespace(games=10, decisions=70, endings={"kelp": 10}, disagreements=[disagreement])
    pool = MagicMock()
    pool.return_value.__enter__.return_value.map.return_value = [outcome]
    monkeypatch.setattr(verify, "ProcessPoolExecutor", pool)
    monkeypatch.setattr(sys, "argv", ["verify", "--games", "10", "--workers", "1"])
    with pytest.raises(SystemExit) as ended:
        verify.main()
    assert ended.value.code == 1
    said = capsys.readouterr()
    assert "70 decisions in lock-step, 1 disagreements" in said.out
    assert "game 17, after 3 decisions (… 0: dive, 0: space 4): table.tracks: " in said.err
