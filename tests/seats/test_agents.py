"""Seats as agents: what is asked again, repaired, forfeited and counted, whoever sits there."""

import threading
from typing import Any

import numpy as np
import pytest
from seats_kit import QUICK, Table, by_function, deal, first

from riverbed_env.errors import OptionError
from riverbed_env.players import find_agent
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent
from riverbed_env.seats.agent import MOST_RETRIES, Channel, Usage


def test_a_function_plays_whole_games_and_nothing_is_counted_against_it() -> None:
    table = Table(by_function(first), deal()).play()
    assert set(table.counts()) == {"decisions"}
    taken = sum(int((actions != 0).sum()) for actions in table.actions)
    assert table.count("decisions") >= taken > 20


def test_each_game_has_a_table_of_its_own_and_events_are_told_once() -> None:
    seen: dict[tuple[int, int], list[str]] = {}
    tables = set()

    def player(asked: dict[str, Any]) -> dict[str, Any]:
        key = asked["game"]["table"], asked["you"]["seat"]
        tables.add(key)
        told = seen.setdefault(key, [])
        assert len(told) + len(asked["new"]) == asked["event_count"] or asked["event_count"] > 32
        told += [event["text"] for event in asked["new"]]
        return first(asked)

    batch = deal(games=2)
    Table(by_function(player), batch).play(40)
    assert len({table for table, _ in tables}) == len(tables) == 2 * batch.num_players


def wrong_first(asked: dict[str, Any]) -> dict[str, Any]:
    """Illegal at the first try, the first choice at the second."""
    return {"choice": 9999} if asked["problem"] is None else first(asked)


def test_a_wrong_answer_is_asked_for_again_with_the_reason() -> None:
    problems = []

    def player(asked: dict[str, Any]) -> dict[str, Any]:
        problems.append(asked["problem"])
        return wrong_first(asked)

    table = Table(by_function(player), deal()).play(12)
    honest = Table(by_function(first), deal()).play(12)
    assert np.array_equal(table.actions, honest.actions)
    assert table.counts() == {"decisions": len(problems) // 2, "illegal": len(problems) // 2}
    assert problems[0] is None
    assert problems[1]["kind"] == "illegal"
    assert problems[1]["words"].startswith("9999 isn't among")


def test_what_stays_wrong_is_repaired_by_the_mask_and_counted() -> None:
    table = Table(by_function(lambda asked: "no idea", retries=2), deal()).play(12)
    decisions = table.count("decisions")
    assert table.counts() == {"decisions": decisions, "repaired": decisions, "unparsable": 3 * decisions}
    again = Table(by_function(lambda asked: "", retries=0), deal()).play(12)
    assert np.array_equal(table.actions, again.actions)  # the same draws from the game's own streams
    assert again.counts() == {"decisions": decisions, "repaired": decisions, "empty": decisions}


def test_a_seat_that_forfeits_is_never_asked_again_in_that_game() -> None:
    asked_seats = []

    def player(asked: dict[str, Any]) -> dict[str, Any]:
        asked_seats.append(asked["you"]["seat"])
        if asked["you"]["seat"] == 1:
            raise ValueError("it crashed")
        return first(asked)

    table = Table(by_function(player, retries=0, on_failure="forfeit"), deal()).play()
    assert asked_seats.count(1) == 1
    assert table.count("forfeited") == table.count("transport") == 1
    assert not table.batch.acting.any()


class Counting(Channel):
    """A channel on several threads; answers come in whatever order, the error when it is wanted."""

    lanes = 4
    pieces = False

    def __init__(self, broken: int = -1) -> None:
        self.asked = 0
        self.broken = broken
        self._lock = threading.Lock()

    def ask(self, message: dict[str, Any], decision: str = "", usage: Usage | None = None) -> str:
        with self._lock:
            self.asked += 1
            if self.asked == self.broken:
                raise OptionError("the money is spent")
        return f'{{"choice": {message["choices"][0]["id"]}}}'


def test_many_games_at_once_play_as_one_after_another() -> None:
    many = Table(SeatAgent("many", find_game(QUICK), Counting()), deal(games=9)).play(8)
    one = Table(by_function(first), deal(games=9)).play(8)
    assert np.array_equal(many.actions, one.actions)


def test_an_error_that_isnt_the_seats_ends_the_run() -> None:
    channel = Counting(broken=4)
    with pytest.raises(OptionError, match="the money is spent"):
        Table(SeatAgent("many", find_game(QUICK), channel), deal(games=60)).step()
    assert channel.asked < 60


# --- specs ------------------------------------------------------------------------------------------------------------


def test_a_functions_spec_is_an_agent_of_every_game(tmp_path: Any) -> None:
    (tmp_path / "mine.py").write_text("def last(asked):\n    return {'choice': asked['choices'][-1]['id']}\n")
    spec = f"call:target={tmp_path}/mine.py:last,retries=3"
    agent = find_agent(spec, QUICK)
    assert (agent.name, agent.retries) == (spec, 3)  # type: ignore[attr-defined]
    table = Table(agent, deal()).play(3)
    assert set(table.counts()) == {"decisions"}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("stdio:cmd=", "name the program"),
        ("stdio:cmd=x,time_limit=0", "seconds above 0"),
        ("stdio:cmd=x,retries=99", f"from 0 to {MOST_RETRIES}"),
        ("stdio:cmd=x,on_failure=cry", "'repair' or 'forfeit'"),
        ("stdio:cmd=x,timelimit=3", "no parameter 'timelimit'"),
        ("stdio", "name the program"),
        ("http:url=ftp://x", "http or https"),
        ("http:url=http://127.0.0.1:1/x,concurrency=0", "concurrency"),
        ("call:target=nothing", "package.module:function"),
        ("call:target=no_such_module:f", "can't be loaded"),
        ("call:target=no_such_module:f,time_limit=5", "no parameter 'time_limit'"),
        ("stdio:cmd=x,time_limit=nan", "seconds above 0"),
    ],
)
def test_a_wrong_spec_is_refused_in_words(spec: str, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        find_agent(spec, QUICK)


def test_commas_may_stand_in_a_command() -> None:
    agent: Any = find_agent("stdio:cmd=python seat.py a,b,time_limit=5", QUICK)
    (program,) = agent.channel._programs
    assert program.command == ["python", "seat.py", "a,b"]
    assert program.time_limit == 5


async def promises(asked: dict[str, Any]) -> dict[str, Any]:
    return first(asked)


def raises(asked: dict[str, Any]) -> dict[str, Any]:
    raise KeyError("no such tile")


@pytest.mark.parametrize(
    ("function", "kind", "said"),
    [
        (promises, "transport", "the function is async"),
        (raises, "transport", "raised KeyError: 'no such tile'"),
        (lambda asked: None, "empty", "returned None"),
    ],
)
def test_a_function_that_never_answers_says_why_once(
    function: Any, kind: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(by_function(function, retries=1), deal()).play(3)
    assert table.counts() == {"decisions": 3, "repaired": 3, kind: 6}
    (told,) = [record.getMessage() for record in caplog.records]
    assert said in told
