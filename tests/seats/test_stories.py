"""The story of a game in a prompt: whole, in turn order with what was said, and it only grows."""

import json
from itertools import pairwise
from typing import Any

from chat_server import Body, Reply, chat_server, numbers_of
from seats_kit import HUNT, Table, deal, message

from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent, Talk
from riverbed_lab.llm.client import ChatClient, Endpoint, Run
from riverbed_lab.llm.prompt import chat_of
from riverbed_lab.llm.seat import ModelChannel
from riverbed_lab.llm.story import Story

TITLE = "\nWhat happened so far:\n"


def told(prompt: str) -> str:
    """The part of a prompt that tells the story, with what stands before it."""
    return prompt.partition("\n\nWhat you know:")[0]


def test_a_models_prompts_tell_the_whole_game_and_each_begins_as_the_one_before() -> None:
    prompts: dict[str, list[str]] = {}

    def model(body: Body, number: int) -> Reply:
        asked = body["messages"][1]["content"]
        prompts.setdefault(asked.partition(".")[0], []).append(told(asked))
        return Reply(json.dumps({"choice": numbers_of(body)[number % len(numbers_of(body))], "text": f"I am {number}"}))

    batch = deal(HUNT, seed=5, num_players=4, talk="text", max_decisions=200)
    with chat_server(model) as server:
        channel = ModelChannel(ChatClient(Endpoint("tiny", server.base_url), Run()))
        Table(SeatAgent("model", find_game(HUNT), channel), batch).play()
    texts = [said.text for said in batch.notes()]
    assert len(texts) > 40
    for asked in prompts.values():
        assert all(later.startswith(before) for before, later in pairwise(asked))
        assert TITLE in asked[-1]
        places = [asked[-1].find(f"in words: {json.dumps(text)}\n") for text in texts[:-8]]
        assert places[0] > -1  # the newest 32 texts don't have it any more
        assert places == sorted(places)
        assert asked[-1].count(f"{json.dumps(texts[0])}\n") == 1


def event(words: str, kind: str = "") -> dict[str, str]:
    return {"kind": kind, "text": words}


def asked_after(*events: dict[str, str], count: int | None = None, said: Any = ()) -> dict[str, Any]:
    """A question to player_0 after events, whose number is `count`."""
    talk = vars(Talk(said)) if said else None
    count = len(events) if count is None else count
    you, rules = {"seat": 0, "name": "player_0"}, "- Clear Water: view a tile"
    return {"earlier": [], "new": [*events], "event_count": count, "talk": talk, "you": you, "rules": rules}


def test_texts_stand_before_the_event_that_they_came_before() -> None:
    story = Story()
    events = [
        event("player_1 dives"),
        event("player_1 plays Clear Water: view a tile"),
        event("player_2 says: no", "say"),
    ]
    said = [(2, "first", 0), (0, "<third>", 3)]
    assert story.go_on(asked_after(*events[:2], said=said[:1])) == [
        'player_2 says in words: "first"', "player_1 dives; plays Clear Water"
    ]  # fmt: skip
    assert story.go_on(asked_after(*events, said=said)) == [
        "player_2 says: no", 'you say in words: "\\u003cthird\\u003e"'
    ]  # fmt: skip
    assert story.go_on(asked_after(*events, said=said)) == []  # asked again
    assert len(story.lines) == 4


def test_events_that_a_table_no_longer_has_are_counted_and_another_game_begins_anew() -> None:
    story, events = Story(), [event(f"player_{number} dives") for number in range(3)]
    story.go_on(asked_after(*events[:1]))
    assert story.go_on(asked_after(*events[1:], count=9)) == [
        "(6 events are left out)",
        "player_1 dives",
        "player_2 dives",
    ]
    assert story.go_on(asked_after(*events[:1])) == ["player_0 dives"]
    assert story.lines == ["player_0 dives"]


def test_a_prompt_without_a_story_has_what_its_message_has() -> None:
    asked = message(deal(HUNT, seed=2))
    assert chat_of(asked) == chat_of(asked, story=Story())
