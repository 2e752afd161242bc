"""Players from outside at a served table: by a person's link, and as an agent that the server was started with."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from web_kit import Serving

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent
from riverbed_env.seats.callables import FunctionChannel
from riverbed_web.client import LinkError, sit
from riverbed_web.opening import Menu

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "seat.py"
GAME = "river_rats_v0"
PERSONS = [{"kind": "person"}, {"kind": "agent", "agent": "random"}]


def link(serving: Serving, opened: Any, seat: int = 0) -> str:
    return f"{serving.address}table/{opened.id}#seat={opened.seats[seat]}"


def player(function: Any) -> Any:
    return lambda game: SeatAgent("function", find_game(game), FunctionChannel(function), retries=0)


def test_a_function_takes_a_persons_link_and_plays_to_the_end(serving: Serving) -> None:
    opened = serving.open(game=GAME, players=2, seats=PERSONS)
    asked: list[dict[str, Any]] = []

    def choose(message: dict[str, Any]) -> dict[str, Any]:
        asked.append(message)
        return {"choice": message["choices"][-1]["id"]}

    returns = sit(link(serving, opened), player(choose))
    assert returns is not None
    assert len(returns) == 2
    assert {message["you"]["seat"] for message in asked} == {0}
    told = [event for message in asked for event in message["new"]]
    assert asked[-1]["event_count"] == len(told)
    assert asked[0]["knows"]["pieces"]


def test_a_player_that_gives_no_answer_has_choices_drawn_for_it(serving: Serving) -> None:
    opened = serving.open(game=GAME, players=2, seats=PERSONS)
    said: list[str] = []
    assert sit(link(serving, opened), player(lambda message: "no idea"), said.append) is not None
    assert said


def test_a_watcher_is_asked_nothing_and_who_isnt_asked_is_refused(serving: Serving) -> None:
    opened = serving.open(game=GAME, players=2, seats=[PERSONS[0]] * 2)
    with opened.page() as watching:
        assert watching.refusal(type="ask") == "not_allowed"
    with opened.seat(0) as one, opened.seat(1) as two:
        pages = [page.until(lambda page: page.frame) for page in (one, two)]
        waiting = next(page for page in pages if not page.frame["choices"])
        assert waiting.refusal(type="ask") == "not_asked"
        assert waiting.refusal(type="ask", since="all") == "bad_message"


def test_a_link_that_leads_nowhere_is_refused_in_words(serving: Serving) -> None:
    opened = serving.open(game=GAME, players=2, seats=PERSONS)
    with pytest.raises(LinkError, match="not, or no longer, a link"):
        sit(link(serving, opened)[:-3] + "abc", player(None))
    for wrong in (f"{serving.address}table/{opened.id}", "ftp://x/table/1#seat=a", "http://127.0.0.1/x#seat=a"):
        with pytest.raises(OptionError, match="a link to a seat is like"):
            sit(wrong, player(None))


def test_a_program_sits_at_a_table_if_the_server_was_started_with_it(tmp_path: Path) -> None:
    spec = f"stdio:cmd={sys.executable} {EXAMPLE}"
    serving = Serving(tmp_path, menu=Menu((spec,)))
    try:
        status, refused = serving.ask("POST", "/api/tables", {"game": GAME, "players": 2, "seats": [
            {"kind": "agent", "agent": "stdio:cmd=sh"}, {"kind": "agent", "agent": spec}]})  # fmt: skip
        assert status >= 400, refused
        seats = [{"kind": "agent", "agent": spec}, {"kind": "agent", "agent": "random"}]
        opened = serving.open(game=GAME, players=2, seats=seats)
        with opened.page() as page:
            page.until(lambda page: page.facts.get("stage") == "over")
        assert page.facts["seats"][0]["late"] == 0
        assert json.dumps(page.facts)
    finally:
        serving.stop()
