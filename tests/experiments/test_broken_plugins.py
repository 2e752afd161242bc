"""Another package's agent that can't be loaded is reported, and the others still work."""

from pathlib import Path

import pytest
from in_process import riverbed

from riverbed_env.errors import OptionError
from riverbed_env.players.features import find_feature_set
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.speed.warm import loadable

ENTRY_POINTS = """
[riverbed.agents]
deep_river.broken = broken_plugin:AGENT
deep_river.gone = no_such_plugin:AGENT
[riverbed.features]
deep_river.blind = broken_plugin:SENSE
"""


@pytest.fixture(autouse=True)
def broken_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package whose module raises when it is imported."""
    about = tmp_path / "broken_plugin-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-plugin\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "broken_plugin.py").write_text("raise RuntimeError('needs a licence')\n")
    monkeypatch.syspath_prepend(tmp_path)


def test_an_agent_that_cannot_be_loaded_is_told_with_its_package() -> None:
    with pytest.raises(OptionError, match=r"deep_river\.broken of package broken-plugin .*needs a licence"):
        find_agent("broken", "deep_river")
    with pytest.raises(OptionError, match=r"deep_river\.blind of package broken-plugin .*needs a licence"):
        find_feature_set("blind", find_game("deep_river"))


def test_the_list_of_agents_shows_why_and_lists_the_others() -> None:
    done = riverbed("games", "deep_river")
    assert done.returncode == 0
    said = " ".join(done.stdout.split())
    assert "gone deep_river.gone of package broken-plugin can't be loaded" in said
    assert "greedy" in said


def test_what_is_compiled_ahead_leaves_it_out() -> None:
    assert {agent.name for agent in loadable(find_game("deep_river"))} == {"greedy", "search", "deep_search"}
