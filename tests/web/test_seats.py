"""Players from outside at a served table: by a person's link, and as an agent that the server was started with."""

import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from web_kit import PERSON, RANDOM, Serving

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent
from riverbed_env.seats.callables import FunctionChannel
from riverbed_web.client import LinkError, sit
from riverbed_web.opening import Menu

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "seat.py"
GAME = "river_rats_v0"
PERSONS = [PERSON, RANDOM]


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


class Forgetful:
    """A player whose connection is cut while it thinks about its third and its sixth question."""

    def __init__(self, cut: Any) -> None:
        self.asked: list[dict[str, Any]] = []
        self.said: list[str] = []
        self.pauses: list[float] = []
        self._cut = cut

    def __call__(self, message: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(message)
        if len(self.asked) in (3, 6):
            self._cut()
        return {"choice": message["choices"][-1]["id"]}

    def sit(self, link: str, tries: int) -> Any:
        return sit(link, player(self), self.said.append, tries=tries, sleep=self.pauses.append)

    def events(self) -> list[str]:
        return [event["text"] for message in self.asked for event in message["new"]]


WISH = {"game": GAME, "players": 2, "seats": PERSONS, "seed": 5}


def unbroken(serving: Serving) -> tuple[Any, list[str]]:
    """What a player gets whose connection holds, and what it is told."""
    one = Forgetful(lambda: None)
    return one.sit(link(serving, serving.open(**WISH)), 0), one.events()


def abort(serving: Serving) -> None:
    """Break all connections as a network does, without a word."""
    serving.call(lambda: [each.transport.abort() for each in serving.server.server_state.connections])


def test_a_player_comes_back_after_its_connection_broke_and_is_asked_nothing_twice(serving: Serving) -> None:
    one = Forgetful(lambda: abort(serving))
    returns = one.sit(link(serving, serving.open(**WISH)), 1)
    assert (returns, one.events()) == unbroken(serving)
    assert one.pauses == [0.5, 0.5]
    assert one.said == ["the table ended the connection: the connection broke: trying again in 0.5 s (1 of 1)"] * 2


@pytest.mark.slow
def test_a_player_comes_back_after_the_server_was_started_again(tmp_path: Path, serving: Serving) -> None:
    servers = [Serving(tmp_path)]
    port = urlsplit(servers[0].address).port

    def restart() -> None:
        servers[-1].stop()
        servers.append(Serving(tmp_path, port=port))

    one = Forgetful(restart)
    try:
        assert (one.sit(link(servers[0], servers[0].open(**WISH)), 1), one.events()) == unbroken(serving)
    finally:
        servers[-1].stop()
    assert len(servers) == 3
    assert len(one.said) == 2


def test_a_player_whose_table_stays_away_gives_up_in_words(tmp_path: Path) -> None:
    serving = Serving(tmp_path)
    one = Forgetful(serving.stop)
    with pytest.raises(LinkError, match="gave up after 3 tries to come back"):
        one.sit(link(serving, serving.open(**WISH)), 3)
    assert one.pauses == [0.5, 1.0, 2.0]
    nowhere = Forgetful(None)
    with pytest.raises(LinkError, match="can't be reached"):
        nowhere.sit(f"{serving.address}table/x#seat=a", 3)
    assert nowhere.pauses == []  # a table that never was there isn't waited for


def test_a_program_sits_at_a_table_if_the_server_was_started_with_it(tmp_path: Path) -> None:
    spec = f"stdio:cmd={sys.executable} {EXAMPLE}"
    with Serving(tmp_path, menu=Menu((spec,))) as serving:
        status, refused = serving.ask("POST", "/api/tables", {"game": GAME, "players": 2, "seats": [
            {"kind": "agent", "agent": "stdio:cmd=sh"}, {"kind": "agent", "agent": spec}]})  # fmt: skip
        assert status >= 400, refused
        seats = [{"kind": "agent", "agent": spec}, RANDOM]
        opened = serving.open(game=GAME, players=2, seats=seats)
        with opened.page() as page:
            page.until(lambda page: page.facts.get("stage") == "over")
        assert page.facts["seats"][0]["late"] == 0
        assert json.dumps(page.facts)
