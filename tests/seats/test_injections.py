"""What other seats say is data: whatever it is, nothing around it changes, nothing breaks, nothing is given away."""

import contextlib
import json
from typing import Any

import numpy as np
import pytest
from injections import ATTEMPTS
from seats_kit import HUNT, Table, by_function, deal, message

from riverbed_env.core.transcript import Said, sanitised
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatFailureError, Talk, as_line, belief_message, read_answer
from riverbed_lab.llm.prompt import Chat, answer_format, chat_of
from riverbed_lab.llm.story import quoted
from riverbed_lab.seat_tools.hosted import HostedGame

PLAIN = "hello"
numbered = pytest.mark.parametrize("text", ATTEMPTS, ids=[f"attempt{number}" for number in range(len(ATTEMPTS))])


def test_the_corpus_is_large_enough() -> None:
    assert len(set(ATTEMPTS)) == len(ATTEMPTS) >= 50


@pytest.fixture(scope="module")
def asked() -> dict[str, Any]:
    """A question, before anybody said anything."""
    return message(deal("riverbed_hunt_v1", seed=4))


def hearing(asked: dict[str, Any], text: str) -> dict[str, Any]:
    """The question after player_3 said something."""
    return {**asked, "talk": vars(Talk([(3, text, 0), (1, PLAIN, 0)], most_characters=280))}


def believing(text: str) -> dict[str, Any]:
    """The question what a seat believes, after player_3 said something."""
    batch = deal(HUNT, seed=4, talk="text")
    said = Said(1, 3, 0, text), Said(1, 1, 0, PLAIN)
    return belief_message(batch.game, batch.pack, batch.look(0)[0], batch.params, said=said)


def questions(asked: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """Both questions of the protocol, after a text was said."""
    return [hearing(asked, text), believing(text)]


@numbered
def test_a_text_changes_one_quoted_line_of_each_prompt_and_nothing_else(asked: dict[str, Any], text: str) -> None:
    for heard, usual in zip(questions(asked, text), questions(asked, PLAIN)):
        assert answer_format(heard) == answer_format(usual)
        check_quoted(chat_of(heard), chat_of(usual), text)


def check_quoted(chat: Chat, plain: Chat, text: str) -> None:
    """One chat differs from the other in the line that quotes a text."""
    assert chat[0] == plain[0]
    lines, usual = (each[1]["content"].splitlines() for each in (chat, plain))
    assert len(lines) == len(usual)
    (place,) = [place for place, line in enumerate(usual) if line == f'- player_3 says in words: "{PLAIN}"']
    assert lines[:place] + lines[place + 1 :] == usual[:place] + usual[place + 1 :]
    quotation = lines[place].removeprefix("- player_3 says in words: ")
    assert json.loads(quotation) == text
    assert quotation == quoted(text)
    assert all(sign.isprintable() for sign in quotation)
    assert not {"<", ">"} & set(quotation)


@numbered
def test_a_text_stays_within_its_place_in_each_message(asked: dict[str, Any], text: str) -> None:
    for heard, usual in zip(questions(asked, text), questions(asked, PLAIN)):
        line = as_line(heard).encode("utf-8", "replace")
        assert b"\n" not in line
        assert b"\r" not in line
        read = json.loads(as_line(heard))
        assert read["talk"]["said"][0]["text"] == text
        assert {**read, "talk": None} == json.loads(as_line({**usual, "talk": None}))
    assert heard["talk"]["most_characters"] == 0  # beliefs are no time to speak


@numbered
def test_a_model_that_repeats_an_attempt_takes_a_legal_choice_or_none(asked: dict[str, Any], text: str) -> None:
    with contextlib.suppress(SeatFailureError):
        assert read_answer(text, asked).choice in {each["id"] for each in asked["choices"]}


SILENT = find_game(HUNT).actions.id("SILENT")


def sayable(text: str) -> bool:
    try:
        return bool(sanitised(text))
    except OptionError:  # half a pair, or nothing that can be seen
        return False


SAYABLE = [text for text in ATTEMPTS if sayable(text)]


def ids(game: HostedGame, seat: int) -> list[int]:
    return [each["id"] for each in game.legal(seat)]


def test_an_agents_attempts_change_nothing_in_whole_games_but_the_words() -> None:
    """All seats of several games say all attempts, half of them malformed; a silent table takes the same course."""
    attempts = iter(ATTEMPTS * 1000)

    def say(asked: dict[str, Any]) -> dict[str, Any]:
        ids = [each["id"] for each in asked["choices"]]
        if SILENT not in ids:
            return {"choice": ids[-1]}
        return {"choice": SILENT, "text": next(attempts)}

    def be_silent(asked: dict[str, Any]) -> dict[str, Any]:
        ids = [each["id"] for each in asked["choices"]]
        return {"choice": SILENT if SILENT in ids else ids[-1]}

    tables = []
    for function in (say, be_silent):
        batch = deal(HUNT, games=2, seed=3, num_players=4, talk="text", max_decisions=120)
        tables.append(Table(by_function(function, HUNT, retries=5), batch).play())
    noisy, quiet = (table.batch for table in tables)
    assert np.array_equal(noisy.games.view(np.uint8), quiet.games.view(np.uint8))
    for index in range(2):
        texts = [said.text for said in noisy.notes(index)]
        assert len(texts) > 50
        assert set(texts) <= {sanitised(text) for text in SAYABLE}
    assert tables[0].count("illegal") > 0  # half a pair is refused, and the seat asked again
    assert quiet.notes() == ()


def test_what_a_seat_says_reaches_the_others_and_a_claim_in_words_is_a_claim() -> None:
    heard: list[tuple[int, str]] = []

    def talk(asked: dict[str, Any]) -> dict[str, Any]:
        heard.extend((asked["you"]["seat"], each["text"]) for each in asked["talk"]["said"])
        ids = [each["id"] for each in asked["choices"]]
        if SILENT in ids:
            assert asked["talk"]["most_characters"] == 280
            return {"choice": SILENT, "text": f"Space {1 + asked['you']['seat']} bears kelp."}
        assert asked["talk"]["most_characters"] == 0
        assert "say what the claim is about" not in asked["asked"]
        return {"choice": ids[-1]}

    batch = deal(HUNT, seed=3, num_players=4, talk="text", max_decisions=12)
    table = Table(by_function(talk, HUNT, retries=0), batch).play()
    assert {text for seat, text in heard if seat == 2} >= {f"Space {place} bears kelp." for place in (1, 2, 4)}
    told = find_game(HUNT).words.describe_events(batch.pack, batch.games[0])
    assert sum("says: space 2 bears kelp" in line for line in told) >= 1
    assert int(batch.games[0]["table"]["said_count"]) >= 3
    assert table.count("forfeited") == table.count("repaired") == 0
