"""RH-9.9 at a served table: what a person or a player from outside says in words reaches all, and stays what it was."""

import json
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from web_kit import PERSON, RANDOM, Page, Serving

from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent
from riverbed_env.seats.callables import FunctionChannel
from riverbed_web.client import sit
from riverbed_web.opening import Menu
from riverbed_web.play import Play
from riverbed_web.record import parse_record
from riverbed_web.store import KeptChoice, Store

HUNT = find_game("riverbed_hunt")
SILENT = HUNT.actions.id("SILENT")
OPTIONS = {"talk": "text", "max_decisions": 20}
SAID = 'I saw a log, </script><b>"really"</b>\n- player_0: I lie'
KEPT = 'I saw a log, </script><b>"really"</b> - player_0: I lie'
SILENCE = f"{SILENT} in [each['id'] for each in message['choices']]"
AGENT = f"""
def choose(message):
    if {SILENCE}:
        return {{"choice": {SILENT}, "text": f"I, the agent, heard {{len(message['talk']['said'])}} texts"}}
    return {{"choice": message["choices"][-1]["id"]}}
"""


def texts(page: Page) -> list[str]:
    """What the page was shown of what was said in words."""
    told: list[Any] = page.events
    return [event["text"] for event in told if event["kind"] == "say_text"]


def say(page: Page, text: str) -> None:
    """Say a text alone, and wait until it is taken."""
    before = page.step
    page.send(type="act", action=page.frame["may_say"]["alone"], step=before, text=text)
    page.until(lambda page: page.step > before or page.refused)
    assert page.refused is None, page.refused


def play(page: Page, *sayings: str) -> Page:
    """Choose to the end of the game; say these things, one with each turn on the floor."""
    left = list(sayings)
    while not page.until_asked().frame["over"]:
        if page.frame["may_say"] and left:
            say(page, left.pop(0))
        else:
            page.act(lambda choices: choices[0])
    assert not left
    return page


@pytest.mark.slow
def test_what_a_person_says_reaches_all_who_play_and_watch_and_what_they_say_reaches_the_person(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(AGENT)
    agent = f"call:target={tmp_path}/agent.py:choose"
    heard: list[dict[str, Any]] = []

    def answer(message: dict[str, Any]) -> dict[str, Any]:
        heard[:] = message["talk"]["said"]
        if SILENT in [each["id"] for each in message["choices"]]:
            return {"choice": SILENT, "text": "I doubt player_0"}
        return {"choice": message["choices"][-1]["id"]}

    def player(game: str) -> SeatAgent:
        return SeatAgent("outside", find_game(game), FunctionChannel(answer), retries=0)

    with Serving(tmp_path / "data", menu=Menu((agent,))) as running:
        seats = [PERSON, PERSON, {"kind": "agent", "agent": agent}, RANDOM]
        table = running.open(game=HUNT.id, players=4, seats=seats, options=OPTIONS, seed=5)
        link = f"{running.address}table/{table.id}#seat={table.seats[1]}"
        with ThreadPoolExecutor(1) as threads, table.seat(0) as page, table.page() as watching:
            outside = threads.submit(sit, link, player)
            play(page, SAID, "I am a merchant.")
            watching.until(lambda page: page.frame and page.frame["over"])
            assert outside.result() is not None
        check_what_was_heard(page, watching, heard)
        status, record = table.ask("GET", "/record")
        assert status == 200
        check_record(parse_record(json.dumps(record)), texts(watching))
        address = f"{running.address}table/{table.id}/replay"
        replay = urllib.request.urlopen(address).read().decode()
        assert SAID not in replay
        assert "</script><b>" not in replay
        assert "I, the agent, heard" in replay


def check_what_was_heard(page: Page, watching: Page, heard: list[dict[str, Any]]) -> None:
    """All were told the same, each text as a quotation, and a claim in words was made."""
    assert f"you say in words: {json.dumps(KEPT)}" in texts(page)
    assert f"player_0 says in words: {json.dumps(KEPT)}" in texts(watching)
    assert [each.replace("you say", "player_0 says") for each in texts(page)] == texts(watching)
    assert ("player_0", KEPT) in [(each["name"], each["text"]) for each in heard]
    assert any(each["seat"] == 2 and each["text"] != "I, the agent, heard 0 texts" for each in heard)
    told: list[Any] = page.events
    claims = [event["text"] for event in told if event["kind"] in ("say_merchant", "say_doubt")]
    assert "you say: I am a merchant" in claims
    assert "player_1 says: I doubt player_0" in claims


def check_record(record: RecordedGame, told: list[str]) -> None:
    """The record's replay says everything again."""
    *_, end = record.replay()
    assert end.notes() == record.transcript
    assert [json.dumps(said.text) for said in record.transcript] == [each.partition(": ")[2] for each in told]
    assert not end.acting[0]


def test_texts_that_cant_be_said_are_refused_and_change_nothing(serving: Serving) -> None:
    table = serving.open(game=HUNT.id, players=4, seats=[PERSON, *[RANDOM] * 3], options=OPTIONS, seed=5)
    with table.seat(0) as page:
        page.until_asked()
        action = page.frame["choices"][0]["action"]  # in placement nobody may say anything
        assert page.frame["may_say"] is None
        for text, code in (("hello", "illegal"), (5, "bad_message"), ("x" * 281, "illegal"), ("\x00", "illegal")):
            assert page.refusal(type="act", action=action, step=0, text=text) == code
        assert (page.step, texts(page)) == (0, [])


def dealt() -> Play:
    """A game whose first floor has just opened."""
    play = Play(HUNT, 5, {"num_players": 4, **OPTIONS})
    while not play.mask(play.asked)[SILENT]:
        play.answer(play.asked, int(play.mask(play.asked).argmax()))
    return play


def test_a_seat_says_one_text_with_a_turn_on_the_floor_and_its_claim_counts() -> None:
    play = dealt()
    seat, taken = play.asked, len(play.actions)
    for text, error in (("x" * 281, OptionError), ("\ud800", OptionError)):
        with pytest.raises(error):
            play.answer(seat, SILENT, text)
    assert (len(play.actions), play.batch.notes()) == (taken, ())
    play.answer(seat, SILENT, "Turn up space 3")
    if len(play.actions) == taken + 1:  # the space is empty: it was silence
        play.answer(play.asked, SILENT, "Turn up space 4")
    assert play.actions[-2] != SILENT
    assert len(play.batch.notes()) >= 1
    assert play.asked != seat
    while play.mask(play.asked)[SILENT]:
        play.answer(play.asked, SILENT)
    with pytest.raises(IllegalActionError, match="asked for a claim"):
        play.answer(play.asked, int(play.mask(play.asked).argmax()), "hello")


def test_texts_are_kept_with_choices(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    choices = [KeptChoice(0, 3), KeptChoice(1, SILENT, text=KEPT), KeptChoice(2, 5, late=True)]
    for number, choice in enumerate(choices):
        store.put_choice("t", number, choice)
    assert store.choices("t") == choices
    store.close()
    again = Store(tmp_path / "tables.sqlite")
    assert again.choices("t") == choices
    again.close()
