"""How fast agents move is a player's choice, and a hint knows what its seat knows."""

from typing import Any

import numpy as np
import pytest
from web_kit import PERSON, RANDOM, Serving

from riverbed_env.players.installed import load_installed
from riverbed_env.registry import find_game
from riverbed_web.play import Play
from riverbed_web.thinking import Facts, question

pytestmark = pytest.mark.compiled

DEEP: dict[str, Any] = {"game": "deep_river_v0", "players": 2, "seed": 4}


def test_a_paused_table_makes_the_moves_that_are_asked_for_and_no_other(serving: Serving) -> None:
    table = serving.open(**DEEP, seats=[RANDOM, RANDOM], pace=10)
    with table.page(table.owner) as page:
        page.until(lambda page: page.frame and page.facts["stage"] == "playing")
        page.send(type="tempo", paused=True, pace=0)
        page.until(lambda page: page.facts["paused"])
        play = serving.server.site.hall._awake[table.id].play
        assert play is not None
        for moves in (1, 2, 3):
            page.frame = {}
            page.send(type="tempo", step=True)
            page.until(lambda page: page.frame)
            assert len(play.actions) == moves
        page.send(type="tempo", paused=False)
        page.until(lambda page: page.frame["over"])
        assert (page.facts["paused"], page.facts["pace"]) == (False, 0)


def test_agents_move_at_once_up_to_the_next_persons_choice(serving: Serving) -> None:
    table = serving.open(**DEEP, seats=[PERSON, RANDOM], pace=10)
    with table.seat(0) as page:
        for _ in range(3):
            page.until(lambda page: page.facts and page.facts["stage"] == "playing")
            page.send(type="tempo", skip=True)
            page.until_asked()
            page.act()
        assert page.facts["pace"] == 10


def test_who_chooses_at_the_same_time_as_agents_waits_for_no_move_of_theirs(serving: Serving) -> None:
    table = serving.open(game="riverside_v0", players=3, seed=1, seats=[PERSON, RANDOM, RANDOM])
    with table.seat(0) as page:
        page.until_asked()
        serving.server.site.hall._awake[table.id].pace = 1e6
        page.send(type="tempo", paused=True)
        page.until(lambda page: page.facts["paused"])
        while page.frame["choices"]:
            page.act(lambda choices: choices[0])
        assert page.step > 2  # a die, and its seats one by one
        page.send(type="tempo", paused=False)
        page.until_asked()


def test_who_watches_sets_no_tempo_and_gets_no_hint(serving: Serving) -> None:
    table = serving.open(**DEEP, seats=[PERSON, PERSON])
    with table.page() as page:
        page.until(lambda page: page.frame)
        assert page.refusal(type="tempo", paused=True) == "not_allowed"
        assert page.refusal(type="hint") == "not_allowed"
        assert not page.facts["paused"]
    with table.seat(0) as page:
        page.until(lambda page: page.frame)
        for wrong in ({"pace": -1}, {"pace": 1e9}, {"pace": "fast"}, {"pace": True}, {"paused": 1}, {"step": "yes"}):
            assert page.refusal(type="tempo", **wrong) == "bad_message"


def test_a_hint_is_what_the_games_usual_agent_would_choose(serving: Serving) -> None:
    table = serving.open(**DEEP, seats=[PERSON, PERSON])
    with table.seat(0) as first, table.seat(1) as second:
        asked, other = (first, second) if first.until(lambda page: page.frame).frame["choices"] else (second, first)
        asked.send(type="hint")
        hint: dict[str, Any] = {}
        while hint.get("type") != "hint":
            hint = asked.take()
        assert (hint["agent"], hint["step"]) == ("greedy", 0)
        assert hint["action"] in [choice["action"] for choice in asked.frame["choices"]]
        assert other.until(lambda page: page.frame).refusal(type="hint") == "not_asked"
        assert not any('"hint"' in text for text in other.texts)


def test_a_hint_is_asked_by_what_its_seat_knows() -> None:
    """Deals that differ only in what a seat can't see put the same question."""
    game = find_game("riverbed_hunt")
    facts = Facts(load_installed("simple", game).memory_size, by_view=True)

    def asked() -> list[bytes]:
        put = question(play, "simple", facts, np.zeros((1, facts.memory_size), np.int32), play.asked)
        assert put.view is not None
        return [each.tobytes() for each in (put.observation, put.mask, put.streams, put.view)]

    play = Play(game, 3, {"num_players": 5})
    before, whole = asked(), play.batch.games.tobytes()
    hands = play.batch.games[0]["private"]["hand"]
    other = (play.asked + 1) % play.players
    hands[other] = np.roll(hands[other], 1)  # other cards, as many
    assert play.batch.games.tobytes() != whole
    assert asked() == before
