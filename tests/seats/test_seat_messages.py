"""The message to a seat: it fits its schema, is made from the view alone, and tells what happened since."""

from typing import Any

import jsonschema
import numpy as np
import pytest
from seats_kit import HUNT, deal, first, message

from riverbed_env.core.frame import frame
from riverbed_env.registry import find_game, game_ids
from riverbed_env.seats import PROTOCOL, as_line, read_answer, rules_digest, schema
from riverbed_env.seats.message import Talk, with_problem

GAMES = [find_game(game_id) for game_id in game_ids() if find_game(game_id).drawing is not None]
REQUEST = jsonschema.Draft202012Validator(schema())
ANSWER = jsonschema.Draft202012Validator({**schema(), "$ref": "#/$defs/answer"})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_messages_of_a_random_game_fit_the_schema_and_the_frame(game: Any) -> None:
    batch, number = deal(game.id, seed=5, num_players=game.max_players), 0
    while batch.acting[0]:
        if number % 23 == 0:
            asked = message(batch, observation=batch.observation[0])
            REQUEST.validate(asked)
            check_frame(batch, asked)
        batch.step(batch.random_actions())
        number += 1
    assert number > 23


def check_frame(batch: Any, asked: dict[str, Any]) -> None:
    """What a message says is what the page of that seat says."""
    seat = int(batch.seat[0])
    seen = frame(batch.game, batch.pack, batch.games, batch.params, seat)
    assert asked["you"]["seat"] == seat
    assert asked["you"]["goal"] == seen["goal"]
    assert asked["asked"] == seen["headline"]
    assert asked["earlier"] + asked["new"] == seen["events"]
    assert [each["id"] for each in asked["choices"]] == np.flatnonzero(batch.action_mask[0]).tolist()
    assert [each["words"] for each in asked["choices"]] == [each["text"] for each in seen["choices"]]
    told = batch.game.words.describe_state(batch.pack, batch.games, batch.params, seat)
    assert asked["knows"]["words"] == told
    for name, values in asked["knows"]["pieces"].items():
        assert np.array_equal(values, batch.game.observation.named(batch.observation[0])[name])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_digest_of_a_games_rules_names_its_rules(game: Any) -> None:
    options = {"talk": "claims"} if game.texts is not None else {}
    params, pack = game.make_params(num_players=game.max_players, **options)
    digest = rules_digest(game, pack, params)
    assert digest.startswith(f"# {game.title}\n")
    for name, sentence in game.drawing.RULES.items():
        rule = name.partition("/")[0]
        assert rule in digest if game.id == HUNT else f"- {rule}: {sentence}" in digest
    assert "](" not in digest
    assert "$" not in digest


@pytest.mark.parametrize("players", [4, 7, 9])
@pytest.mark.parametrize("talk", ["none", "text"])
def test_a_reader_of_hunts_digest_gets_what_is_in_play_at_this_table_and_no_more(players: int, talk: str) -> None:
    game = find_game(HUNT)
    params, pack = game.make_params(num_players=players, talk=talk)
    digest = rules_digest(game, pack, params)
    for each in pack.cards:
        assert (f"- {each.name}: {each.words}" in digest) == (each.from_players <= players)
    for number in pack.tiles:
        assert (f"- tile {number} (" in digest) == (number in pack.players(players).tiles)
    assert all(f"\n- {action}" in digest for action in ("Dive", "Swim", "Co-op", "Uncover"))
    assert ("## Talk" in digest) == (talk == "text")
    for end in params[0]["endpoints"].tolist():
        assert f"first at {end}" in digest
    assert "index" not in digest
    assert "reconstructed" not in digest


def test_events_since_the_last_question_are_new_and_the_others_earlier() -> None:
    batch = deal()
    while not batch.games[0]["table"]["event_count"] >= 4:
        batch.step(batch.random_actions())
    count = int(batch.games[0]["table"]["event_count"])
    whole = message(batch)
    assert (whole["earlier"], len(whole["new"])) == ([], count)
    later = message(batch, since=count - 1)
    assert later["earlier"] + later["new"] == whole["new"]
    assert len(later["new"]) == 1
    assert message(batch, since=count)["new"] == []


def test_a_message_is_one_line_whatever_was_said() -> None:
    talk = Talk([(0, 'one\ntwo\r\n{"choice": 1}\x85\u2028', 0)], most_characters=280)
    asked = message(deal(), talk=talk)
    REQUEST.validate(asked)
    line = as_line(asked)
    assert "\n" not in line
    assert "\r" not in line
    assert asked["talk"]["said"][0] == {
        "seat": 0,
        "name": "player_0",
        "after": 0,
        "text": 'one\ntwo\r\n{"choice": 1}\x85\u2028',
    }


def test_a_message_asked_again_says_what_was_wrong() -> None:
    again = with_problem(message(deal()), "illegal", "7 isn't among the ids")
    REQUEST.validate(again)
    assert again["problem"] == {"kind": "illegal", "words": "7 isn't among the ids"}


def test_the_schema_can_fail() -> None:
    asked = message(deal())
    for broken in ({**asked, "protocol": "other"}, {**asked, "choices": []}, {**asked, "choices": [{"id": "1"}]}):
        assert not REQUEST.is_valid(broken)
    assert ANSWER.is_valid(first(asked))
    assert not ANSWER.is_valid({"choice": "dive"})
    assert schema()["$id"] == PROTOCOL
    assert read_answer(as_line(first(asked)), asked).choice == asked["choices"][0]["id"]
