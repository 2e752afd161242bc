"""The simple agent: put in one camp's seats among random ones it raises that camp's win rate, everywhere.

All-random play is the baseline; its rate differs by tens of points between player counts and camps, so each cell is
compared with its own. 12,000 games a cell: the narrowest gap (the profiteer at 9 players, about 3 points) is then
three times the sum of the half-widths' standard errors.
"""

from pathlib import Path

import numpy as np
import pytest
from pack_changes import default_text

from riverbed_agents.riverbed_hunt.uses import Use, use_of
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import Played, lineup, play
from riverbed_lab.statistics import Rate, rate

GAME = find_game("riverbed_hunt")
SIMPLE = find_agent("simple", GAME.name)


def win_rate(played: Played, camp: str) -> Rate:
    number = GAME.camps.index(camp)
    among = GAME.camps_present(played.games)[:, number]
    return rate(int(((GAME.columns(played.games)["winner"] == number) & among).sum()), int(among.sum()))


def play_lineup(count: int, games: int, threads: int = 1, **by_camp: Agent) -> Played:
    who = lineup(GAME, "tested", UNIFORM, **by_camp)
    return play(GAME, who, np.arange(games), seed=11, pool=(UNIFORM, SIMPLE), num_players=count, threads=threads)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("count", range(GAME.min_players, GAME.max_players + 1))
def test_in_one_camp_among_random_ones_it_raises_that_camps_win_rate(count: int) -> None:
    base = play_lineup(count, 12_000)
    for camp in GAME.camps:
        better = win_rate(play_lineup(count, 12_000, **{camp: SIMPLE}), camp)
        assert better.low > win_rate(base, camp).high, f"{camp}, {count} players: {better} is not above {base}"


def test_an_unknown_camp_is_refused() -> None:
    with pytest.raises(OptionError, match="no camp 'otters'"):
        lineup(GAME, "x", UNIFORM, otters=SIMPLE)


def test_agents_know_cards_and_texts_of_the_pack_they_play_with(tmp_path: Path) -> None:
    text = default_text("riverbed_hunt")
    head, *cards = text.split("\n[[card]]\n")
    *others, last = cards
    last, *tail = last.split("\n[[", 1)
    other = tmp_path / "other.toml"
    other.write_text("\n[[card]]\n".join([head, last, *reversed(others)]) + "".join(f"\n[[{part}" for part in tail))
    found = []
    for pack in ("default", str(other)):
        params, content = make_params(pack=pack)
        found.append({card.name: use_of(params[0], kind) for kind, card in enumerate(content.cards)})
    assert list(found[0]) != list(found[1])
    assert found[0] == found[1]
    assert {name: found[0][name] for name in ("Spyglass", "Slip Away", "Sticky Fins", "Undercurrent")} == {
        "Spyglass": Use.VIEW_ANY, "Slip Away": Use.SLIP, "Sticky Fins": Use.STEAL, "Undercurrent": Use.SWAP,
    }  # fmt: skip
    assert sorted(found[0].values()) == sorted(set(Use) - {Use.NOTHING})
