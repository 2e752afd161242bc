"""RH-9.9: free text in an environment: who may say it, what becomes of it, and that it changes nothing else."""

import pickle
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from riverbed_env import make_batch, riverbed_hunt_v1
from riverbed_env.core.transcript import MOST_CHARACTERS, Said, read_transcript, sanitised, say
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, StateError
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES, Question, Verb
from riverbed_env.games.riverbed_hunt.words.speech import Claim, speak
from riverbed_hunt.test_claims_in_words import EVERY

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
    assert env.say("I saw a log.\x1b[2J\n  ") == Said(1, speaker, 5, "I saw a log. [2J")
    assert (seen(env), env.state().tobytes()) == (before, state)
    with pytest.raises(IllegalActionError, match="has said a text"):
        env.say("and another")
    env.step(SILENT)
    env.say('she "lies"')
    assert [said.text for said in env.transcript] == ["I saw a log. [2J", 'she "lies"']


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


@pytest.mark.parametrize("seed", range(3))
def test_a_text_said_alone_that_makes_a_legal_claim_is_that_claim_and_others_are_none(seed: int) -> None:
    env = on_the_floor(seed=seed)
    speaker = int(env.agent_selection[-1])
    for claim in EVERY:
        twin = env.clone()
        actions = twin.actions_of(SILENT, speak(claim))
        if actions == [SILENT]:
            assert not can_claim(env, claim)
            continue
        for action in actions:
            assert twin.legal_actions(twin.agent_selection).tolist().count(action) == 1
            twin.step(action)
        assert twin.describe_events()[-1] == f"player_{speaker} says: {speak(claim)}"
    claimed = env.actions_of(SILENT, "I am a merchant")
    assert env.actions_of(SILENT, "I am a merchant, am I not?") == env.actions_of(SILENT, "hello") == [SILENT]
    assert env.actions_of(claimed[0], "I am the profiteer") == claimed


def can_claim(env: riverbed_hunt_v1.raw_env, claim: Claim) -> bool:
    """Whether the seat with the floor has the actions of a claim."""
    speaker, twin = env.agent_selection, env.clone()
    if SILENT + claim.verb not in twin.legal_actions(speaker):
        return False
    if claim.about < 0:
        return True
    twin.step(SILENT + claim.verb)
    of_tile = claim.verb in (Verb.TURN_UP, Verb.LEAVE) or Verb.BEARS_KELP <= claim.verb <= Verb.BEARS_NONE
    name = ("SPACE", claim.about) if of_tile else ("SEAT", (claim.about - int(speaker[-1])) % 5)
    return claim.about < (NUM_SPACES if of_tile else 5) and env.game.actions.id(*name) in twin.legal_actions(speaker)


def test_frames_have_texts_among_the_events_and_say_who_may_say_one() -> None:
    env = on_the_floor()
    speaker = int(env.agent_selection[-1])
    before = env.frame("public")
    assert env.frame(speaker)["may_say"] == {"most_characters": MOST_CHARACTERS, "alone": SILENT}
    assert env.frame((speaker + 1) % 5)["may_say"] is None
    env.say("I saw <b>nothing</b>")
    env.step(SILENT + Verb.MERCHANT)
    for viewer, called in [("public", f"player_{speaker} says"), (speaker, "you say")]:
        seen = env.frame(viewer, since=before["event_count"])
        assert [event["kind"] for event in seen["events"]] == ["say_text", "say_merchant"]
        assert seen["events"][0]["text"] == f'{called} in words: "I saw <b>nothing</b>"'
        assert seen["event_count"] == before["event_count"] + 2
    env.step(SILENT)
    assert env.frame(env.agent_selection)["may_say"] is not None
    assert env.resample("player_0", 1).transcript == env.transcript


def test_events_and_the_table_in_text_have_the_words_too() -> None:
    env = on_the_floor()
    env.render_mode = "ansi"
    env.say('she "lies"\x1b[31m')
    speaker = env.agent_selection
    since, line = len(env.describe_events()), f'{speaker} says in words: "she \\"lies\\" [31m"'
    assert env.describe_events()[-1] == line
    env.step(SILENT + Verb.PROMISE_KELP)
    claim = f"{speaker} says: {speak(Claim(Verb.PROMISE_KELP))}"
    assert env.describe_events()[-2:] == [line, claim]
    assert env.describe_events(since - 1) == [line, claim]
    assert env.describe_events(since) == []
    assert env.describe_events(viewer=speaker)[-2] == line.replace(f"{speaker} says", "you say")
    shown = str(env.render(viewer=speaker)).splitlines()
    assert shown[-2:] == ["Last words:", "  " + line.replace(f"{speaker} says", "you say")]


def test_a_batch_keeps_the_texts_of_each_game_until_the_next_is_dealt() -> None:
    batch = make_batch("riverbed_hunt", num_envs=2, num_players=5, seed=1, talk="text")
    while (batch.action_mask[:, SILENT] == 0).any():
        batch.step(np.where(batch.action_mask[:, SILENT], SILENT, batch.action_mask.argmax(axis=1)))
    with pytest.raises(OptionError, match="index"):
        say(batch, "hello", 2)
    said = say(batch, "hello", 1)
    twin = batch.clone()
    say(twin, "hello too", 0)
    assert (batch.notes(0), batch.notes(1)) == ((), (said,))
    assert len(twin.notes(0)) == len(twin.notes(1)) == 1
    twin.deal([7], [1])
    assert (len(twin.notes(0)), twin.notes(1)) == (1, ())
    while not batch.done[1]:
        batch.step(batch.random_actions())
    assert batch.notes(1) == ()
    twin.reset(seed=3)
    assert twin.notes(0) == ()


@pytest.mark.parametrize(
    "rows", ["x", [1], [[1, 2, 0]], [[1, 9, 0, "a"]], [[0, 1, 0, "a"]], [[1, 1, 0, "a\n"]], [[1, 1, 0, ""]]]
)
def test_a_forged_transcript_is_refused(rows: object) -> None:
    with pytest.raises(StateError, match="transcript"):
        read_transcript(rows, 5)
