"""A choice that has told nobody anything can be taken back, and nothing of it is left but that it was."""

import json
from pathlib import Path

import numpy as np
import pytest
from leaks.hidden import HIDDEN
from web_kit import PERSON, RANDOM, Page, Serving

from riverbed_web.messages import PUBLIC, see
from riverbed_web.play import Play
from riverbed_web.record import parse_record

GAMES = ("riverbed_hunt_v1", "river_rats_v0", "deep_river_v0", "riverside_v0")
TALK = [pytest.param("riverbed_hunt_v1", {"talk": "claims"}, id="riverbed_hunt_v1-claims")]


@pytest.mark.parametrize(("game_id", "options"), [*((game_id, {}) for game_id in GAMES), *TALK])
def test_what_can_be_taken_back_told_its_seat_nothing(game_id: str, options: dict[str, str]) -> None:
    """In a world that the seat can't tell apart before such a choice, it can't either afterwards, nor can others."""
    worlds, rng, taken_back = HIDDEN[game_id], np.random.default_rng(5), 0
    players = min(4, worlds.game.max_players)
    for seed in range(2):
        play = Play(worlds.game, seed, {"num_players": players, **options})
        other = Play(worlds.game, seed, {"num_players": players, **options})
        while not play.over:
            seat, before = play.asked, play.batch.games.tobytes()
            action = int(rng.choice(np.flatnonzero(play.mask(seat))))
            twin = worlds.twin(play.batch.games, play.batch.params, seat, rng, worlds.parts)
            play.answer(seat, action)
            if not play.may_take_back(seat):
                continue
            other.batch.set_state(twin)
            other.answer(seat, action)
            assert other.may_take_back(seat)
            for viewer in (seat, PUBLIC):
                assert see(play.position, viewer) == see(other.position, viewer)
            play.take_back(seat)
            assert play.batch.games.tobytes() == before
            play.answer(seat, action)
            taken_back += 1
    assert taken_back


def take_back(page: Page) -> None:
    """Take the last choice back, and wait until it is."""
    step = page.step
    page.send(type="undo", step=step)
    page.until(lambda page: page.step < step or page.refused)
    assert page.refused is None, page.refused


def ask_another(page: Page) -> int:
    """Begin a choice of two parts."""
    return page.act(lambda choices: next(each for each in choices if each["text"].startswith("co-op")))


@pytest.mark.compiled
def test_half_a_choice_is_taken_back_for_all_to_see_and_the_record_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("riverbed_web.table.MOST_UNDONE", 1)
    wish = {"game": "riverbed_hunt_v1", "players": 4, "seed": 1, "options": {"max_decisions": 60}}
    with Serving(tmp_path) as first:
        table = first.open(**wish, seats=[PERSON, *[RANDOM] * 3])
        with table.seat(0) as page, table.page() as watcher:
            while not any(choice["text"].startswith("co-op") for choice in page.until_asked().frame["choices"]):
                page.act()
            watcher.until(lambda watcher: watcher.frame.get("event_count") == page.frame["event_count"])
            assert page.refusal(type="undo", step=page.step) == "not_allowed"  # a meeple was placed
            before, seen, step = page.frame["choices"], watcher.frame["headline"], page.step
            action = ask_another(page)
            assert page.frame["choices"] != before
            assert page.refusal(type="undo", step=step) == "stale"
            assert watcher.refusal(type="undo", step=step + 1) == "not_allowed"
            take_back(page)
            assert (page.frame["choices"], page.step) == (before, step)
            watcher.until(lambda watcher: watcher.facts["undone"] and watcher.frame["headline"] == seen)
            (undone,) = watcher.facts["undone"]
            assert (undone["seat"], undone["action"]) == (0, action)
            ask_another(page)
            assert page.refusal(type="undo", step=page.step) == "not_allowed"  # as often as that it would be a flood
            page.act()
    with Serving(tmp_path, port=0) as second:  # what is kept is the game without it
        again = type(table)(second, table.id, table.owner, table.seats)
        with again.seat(0) as page:
            while not page.until_asked().frame["over"]:
                page.act()
            page.until(lambda page: page.facts["stage"] == "over")
            returns = page.frame["returns"]
        _, record = again.ask("GET", "/record")
    assert record["undone"] == [undone]
    *_, end = parse_record(json.dumps(record)).replay()
    assert end.returns[0].tolist() == returns


@pytest.mark.compiled
def test_an_early_answer_is_taken_back_unseen(serving: Serving) -> None:
    """Others of Riverside don't even see that it was given."""
    table = serving.open(game="riverside_v0", players=3, seats=[PERSON] * 3)
    with table.seat(0) as first, table.seat(1) as second, table.seat(2) as third:
        for page in (first, second, third):
            page.until_asked().until(lambda page: page.facts["stage"] == "playing")
        asked = [each["action"] for each in second.frame["choices"]]
        second.act(lambda choices: choices[0])
        third.act(lambda choices: choices[0])
        before = len(first.texts)
        take_back(second)
        assert second.answered is None
        assert [each["action"] for each in second.frame["choices"]] == asked
        second.act(lambda choices: choices[-1])
        first.act()  # what first gets follows from its own choice alone
        assert [json.loads(text)["type"] for text in first.texts[before:]].count("frame") == 1
        assert first.facts["undone"] == []
