"""Frames: what every viewer sees as data, in whole random games of every game."""

import re
from typing import Any

import numpy as np
import pytest
from frames_kit import DRAWN, as_json, check, check_scene, labels, random_game, seen, sentences, viewers

from riverbed_env.core.frame import PUBLIC, TRUTH
from riverbed_env.core.palette import CLASSES, stylesheet
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.options import option_id

GAMES = [find_game(game_id) for game_id in DRAWN]
VARIANTS = [
    pytest.param(game.id, count, options, id=f"{game.name}-{count}-{option_id(options)}")
    for game in GAMES
    for count in range(game.min_players, game.max_players + 1)
    for options in game.variants
]
FEW = [(game.id, game.default_players) for game in GAMES]
TALKING = {"talk": "claims", "talk_budget": 2}


def begun(game_id: str, num_players: int, **options: Any) -> TurnEnv:
    env = TurnEnv(find_game(game_id), num_players=num_players, **options)
    env.reset(seed=1)
    return env


@pytest.mark.parametrize(("game_id", "num_players"), FEW)
def test_everybody_sees_a_sound_frame_at_moments_of_a_random_game(game_id: str, num_players: int) -> None:
    env = begun(game_id, num_players)
    for number in random_game(env, seed=3):
        if number % 9 == 0 or not env.agents:
            check(env, viewers(env)[number // 9 % len(viewers(env))])
            check(env, TRUTH)
    for viewer in viewers(env):
        assert check(env, viewer)["over"]


def test_a_table_that_speaks_shows_what_is_said() -> None:
    """Each verb and each object is a choice in words under its rule; what is said is an event and stands by name."""
    env = begun("riverbed_hunt", 5, **TALKING)
    said: list[str] = []
    rules = set()
    count = 0
    for number in random_game(env, seed=4):
        shown = seen(env, PUBLIC, count)
        count = shown["event_count"]
        said += [event["text"] for event in shown["events"] if event["kind"].startswith("say_")]
        asked = check(env, TRUTH) if number % 20 == 0 or number < 20 else seen(env, TRUTH)
        rules |= {choice["rule"] for choice in asked["choices"]}
    assert {"RH-9.3", "RH-9.4"} <= rules
    assert len(said) == env._games[0]["table"]["said_count"] > 50
    assert any(re.fullmatch(r"player_\d says: space \d+ bears kelp", words) for words in said)
    stand = labels(seen(env, 1))
    assert any(words.startswith("player_1 (you) claims: ") for words in stand.values())


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "num_players", "options"), VARIANTS)
def test_whole_games_of_all_variants_are_drawn(game_id: str, num_players: int, options: dict[str, Any]) -> None:
    env = begun(game_id, num_players, **options)
    for seed in range(3):
        for number in random_game(env, seed):
            everybody = viewers(env)
            for viewer in (everybody[number % len(everybody)], TRUTH, max(env._asked_first(), 0)):
                check(env, viewer)
        for viewer in viewers(env):
            check(env, viewer)


@pytest.mark.parametrize("game_id", DRAWN)
def test_sentences_of_rules_stand_on_the_rules_page(game_id: str) -> None:
    game = find_game(game_id)
    pages = sentences(game.name)
    for key, sentence in game.drawing.RULES.items():
        assert sentence in pages[key.partition("/")[0]], key
        assert re.fullmatch(
            r"[A-Z][^.]*(\([A-Z]{2}-\d\.\d\)[^.]*)*\.", sentence.replace("-2.", "-2").replace("-3.", "-3")
        )


@pytest.mark.parametrize("game_id", DRAWN)
def test_ids_stay_while_things_move(game_id: str) -> None:
    """Most named shapes of a frame are in the next one too, so that a page can move them."""
    env = begun(game_id, find_game(game_id).default_players)
    before = labels(seen(env, TRUTH))
    for number in random_game(env, seed=1):
        now = labels(seen(env, TRUTH))
        if number <= env.num_players:  # the cards are dealt
            before = now
            continue
        assert len(before.keys() & now.keys()) > 0.6 * len(now)
        before = now
        if number > 20:
            break


@pytest.mark.parametrize("game_id", DRAWN)
def test_events_since_a_frame_are_those_after_it(game_id: str) -> None:
    env = begun(game_id, find_game(game_id).default_players)
    heard: list[dict[str, str]] = []
    count = 0
    for number in random_game(env, seed=2):
        shown = seen(env, PUBLIC, count)
        heard += shown["events"]
        count = shown["event_count"]
        assert len(heard) == count
        if number > 15:
            break
    assert heard[-len(seen(env, PUBLIC)["events"]) :] == seen(env, PUBLIC)["events"]


def test_a_hunt_seat_sees_what_it_knows_and_no_more() -> None:
    env = begun("riverbed_hunt", 7)
    for _ in random_game(env, seed=16):
        if env._games[0]["table"]["turn"] > 14:
            break
    own, others = labels(seen(env, 2)), labels(seen(env, PUBLIC))
    truth = labels(seen(env, TRUTH))
    unknown = [name for name in own if "unknown" in own[name]]
    assert any("role unknown" in own[name] for name in unknown)
    assert "role unknown" not in own["players.player-2"]
    assert "role unknown" in others["players.player-2"]
    assert not any("unknown" in words for words in truth.values())
    one_of = {number for name in unknown for number in re.findall(r"#(\d+)", own[name])}
    panels = {panel["id"]: panel["label"] for panel in seen(env, 2)["scene"]["panels"]}
    assert one_of == set(re.findall(r"#(\d+)", panels["unknown"]))
    face_up = [words for words in own.values() if "face-up" in words]
    assert any("Text" in words for words in face_up)
    assert all(f". Text {name}: " in words for words in face_up for name in re.findall(r"text (\w)", words))
    assert any("turned face-down, its signs move their tracks back" in words for words in seen(env, 2)["help"])


def test_in_riverside_nobody_is_told_who_still_chooses() -> None:
    env = begun("riverside", 3)
    assert seen(env, PUBLIC)["asked"] is None
    assert [seen(env, seat)["asked"] for seat in range(3)] == [0, 1, 2]
    env.step(int(np.flatnonzero(env.observe("player_0")["action_mask"])[0]))
    assert [seen(env, seat)["asked"] for seat in range(3)] == [None, 1, 2]
    assert "player_1" not in seen(env, 0)["headline"]


def test_a_game_without_a_drawing_shows_its_state_in_words() -> None:
    env = begun("ford", 3)
    shown = seen(env, 0)
    check_scene(shown)
    words = [shape["text"] for shape in shown["scene"]["panels"][0]["shapes"]]
    assert " ".join(words).split() == env.describe_state(0).split()
    assert shown["choices"]
    assert all(choice["text"] for choice in shown["choices"])
    assert as_json(seen(env, PUBLIC))


def test_a_viewer_that_isnt_there_is_refused() -> None:
    env = begun("deep_river", 2)
    with pytest.raises(ValueError, match="a viewer is a seat from 0 to 1, 'public' or 'truth', not 2"):
        seen(env, 2)
    with pytest.raises(OptionError, match="agents are"):
        env.frame("player_9")
    assert env.frame("player_1") == seen(env, 1)
    assert env.frame() == seen(env, TRUTH)
    assert env.frame("public") == seen(env, PUBLIC)


def test_the_stylesheet_has_every_class_on_either_ground() -> None:
    rules = stylesheet()
    for name in CLASSES:
        assert len(re.findall(rf"\.rb-scene \.{name} {{", rules)) == 3, name
