"""RH-9.9: free text in an environment: who may say it, what becomes of it, and that it changes nothing else."""

from __future__ import annotations

import pickle
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from riverbed_env import riverbed_hunt_v1
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, StateError
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.games.riverbed_hunt.words.transcript import MOST_CHARACTERS, Said, read_transcript, sanitised

SILENT = riverbed_hunt_v1.RIVERBED_HUNT.actions.id("SILENT")


def on_the_floor(talk: str = "text", seed: int = 1) -> riverbed_hunt_v1.raw_env:
    """An environment whose first floor has opened."""
    env = riverbed_hunt_v1.env(num_players=5, talk=talk)
    env.reset(seed=seed)
    while question(env) == Question.PLACE:
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    return env


def question(env: riverbed_hunt_v1.raw_env) -> int:
    pieces = env.game.observation.named(env.observe(env.agent_selection)["observation"])
    return int(pieces["question"].argmax())


def seen(env: riverbed_hunt_v1.raw_env) -> bytes:
    """All that agents see."""
    return b"".join(env.observe(a)[k].tobytes() for a in env.possible_agents for k in ("observation", "action_mask"))


def test_a_seat_that_has_the_floor_says_a_text_once() -> None:
    env = on_the_floor()
    before, state = seen(env), env.state().tobytes()
    speaker = int(env.agent_selection[-1])
    assert env.say("I saw a log.\x1b[2J\n  ") == Said(1, speaker, 0, "I saw a log. [2J")
    assert (seen(env), env.state().tobytes()) == (before, state)
    with pytest.raises(IllegalActionError, match="has said a text"):
        env.say("and another")
    env.step(SILENT)
    env.say('she "lies"')
    assert [said.text for said in env.transcript] == ["I saw a log. [2J", 'she "lies"']
    assert env.describe_transcript()[1].endswith('says in words: "she \\"lies\\""')


def test_nobody_else_says_anything() -> None:
    env = riverbed_hunt_v1.env(num_players=5, talk="text")
    with pytest.raises(EpisodeOverError):
        env.say("hello")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="asked for a claim"):
        env.say("hello")
    with pytest.raises(OptionError, match="talk='text'"):
        on_the_floor("claims").say("hello")
    assert env.transcript == ()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (b"bytes", "must be a string, not bytes"),
        (None, "must be a string"),
        ("x" * 281, "at most 280 characters, not 281"),
        ("\ud800", "lone surrogate"),
        ("", "that can be seen"),
        (" \x00\u200b\n", "that can be seen"),
    ],
)
def test_other_texts_are_refused_and_nothing_changes(text: object, wrong: str) -> None:
    env = on_the_floor()
    before = env.get_state()
    with pytest.raises(OptionError, match=wrong):
        env.say(text)  # type: ignore[arg-type]  # on purpose
    assert (env.transcript, env.get_state()) == ((), before)


@settings(max_examples=repetitions(200, uncompiled=50), deadline=None, database=None, derandomize=True)
@given(st.text(max_size=MOST_CHARACTERS))
def test_what_is_kept_holds_no_control_characters(text: str) -> None:
    try:
        clean = sanitised(text)
    except OptionError:
        return
    assert not {unicodedata.category(sign) for sign in clean} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert sanitised(clean) == clean
    assert len(clean) <= MOST_CHARACTERS


def test_the_transcript_goes_with_copies_and_saved_states_and_ends_with_the_game() -> None:
    env = on_the_floor()
    env.say("first")
    twin, kept = env.clone(), env.get_state()
    env.step(SILENT)
    env.say("second")
    assert [said.text for said in twin.transcript] == ["first"]
    other = riverbed_hunt_v1.env(num_players=5, talk="text")
    other.set_state(kept)
    assert other.transcript == twin.transcript == pickle.loads(pickle.dumps(twin)).transcript
    env.reset()
    assert env.transcript == ()


@pytest.mark.parametrize(
    "rows", ["x", [1], [[1, 2, 0]], [[1, 9, 0, "a"]], [[0, 1, 0, "a"]], [[1, 1, 0, "a\n"]], [[1, 1, 0, ""]]]
)
def test_a_forged_transcript_is_refused(rows: object) -> None:
    with pytest.raises(StateError, match="transcript"):
        read_transcript(rows, 5)
