"""What other seats say is data: whatever it is, nothing around it changes, nothing breaks, nothing is given away."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from injections import ATTEMPTS
from seats_kit import QUICK, Table, by_function, deal, message

from riverbed_env.registry import find_game
from riverbed_env.seats import SeatFailureError, Talk, as_line, read_answer
from riverbed_lab.llm.prompt import chat_of, quoted
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
    return {**asked, "talk": Talk([(3, text), (1, PLAIN)], most_characters=280).told()}


@numbered
def test_a_text_changes_one_quoted_line_of_the_prompt_and_nothing_else(asked: dict[str, Any], text: str) -> None:
    chat, plain = chat_of(hearing(asked, text)), chat_of(hearing(asked, PLAIN))
    assert chat[0] == plain[0]
    lines, usual = (each[1]["content"].splitlines() for each in (chat, plain))
    assert len(lines) == len(usual)
    (place,) = [place for place, line in enumerate(usual) if line == f'- player_3: "{PLAIN}"']
    assert lines[:place] + lines[place + 1 :] == usual[:place] + usual[place + 1 :]
    quotation = lines[place].removeprefix("- player_3: ")
    assert json.loads(quotation) == text
    assert quotation == quoted(text)
    assert all(sign.isprintable() for sign in quotation)
    assert not {"<", ">"} & set(quotation)


@numbered
def test_a_text_stays_within_its_place_in_a_message(asked: dict[str, Any], text: str) -> None:
    line = as_line(hearing(asked, text)).encode("utf-8", "replace")
    assert b"\n" not in line
    assert b"\r" not in line
    read = json.loads(as_line(hearing(asked, text)))
    assert read["talk"]["said"][0]["text"] == text
    assert {**read, "talk": None} == asked


@numbered
def test_a_model_that_repeats_an_attempt_takes_a_legal_choice_or_none(asked: dict[str, Any], text: str) -> None:
    with contextlib.suppress(SeatFailureError):
        assert read_answer(text, asked).choice in {each["id"] for each in asked["choices"]}


def test_a_table_of_parrots_is_played_to_its_end() -> None:
    attempts = iter(ATTEMPTS * 50)
    table = Table(by_function(lambda asked: next(attempts), retries=0), deal()).play()
    assert not table.batch.acting.any()
    assert table.count("repaired") > 0


def test_seats_that_say_all_attempts_to_each_other_go_on_playing() -> None:
    game = HostedGame(find_game(QUICK), [None] * 3, 1, talk=True)
    said = []
    for text in ATTEMPTS:
        if game.asked is None:
            break
        seat = game.asked
        if text.strip():
            game.say(seat, text)
            said.append(text)
        chat_of(game.message(seat))
        json.dumps(game.look(seat))
        game.act(seat, game.legal(seat)[0]["id"])
    assert [each["text"] for each in game.look(0)["said"]] == said
    assert len(said) >= 20
