"""RH-9.4 in words: each claim has one sentence, and each sentence one claim."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee.adapters.riverbed_hunt import VERBS
from referee.riverbed_hunt.floor import OF_ONESELF, OF_TILES

from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_SPACES, Question, Verb
from riverbed_env.games.riverbed_hunt.words import speech as claims
from riverbed_hunt.dealt import Dealt, play_randomly

EVERY = [
    claim
    for verb in claims.PHRASES
    for about in range(-1, NUM_SPACES)
    if claims.is_claim(claim := claims.Claim(verb, about))
]
CLAIMS = st.sampled_from(EVERY)
FEW = {"max_examples": 50, "deadline": None, "database": None, "derandomize": True}


def test_there_are_as_many_claims_as_the_rule_says() -> None:
    assert len(EVERY) == len(set(EVERY)) == 7 * MAX_SEATS + 6 * NUM_SPACES + 4 + 3
    assert len({claims.speak(claim) for claim in EVERY}) == len(EVERY)


@pytest.mark.parametrize(("case", "ending"), [(str.upper, ""), (str.lower, "."), (str.title, " ."), (str, "\t")])
def test_what_is_spoken_is_understood(case: type[str], ending: str) -> None:
    for claim in EVERY:
        assert claims.parse(claims.speak(claim)) == claim
        assert claims.parse(f"  {case(claims.speak(claim)).replace(' ', '   ')}{ending}") == claim


@settings(**FEW)
@given(st.text(max_size=60))
def test_any_text_is_a_claim_or_none(text: str) -> None:
    understood = claims.parse(text)
    assert understood is None or claims.is_claim(understood)


@settings(**FEW)
@given(CLAIMS, st.text("abcxyz019!? ", min_size=1, max_size=4).filter(lambda more: more.strip()))
def test_more_words_than_a_claim_are_none(claim: claims.Claim, more: str) -> None:
    understood = claims.parse(f"{claims.speak(claim)} {more}")
    assert understood is None


@pytest.mark.parametrize("text", ["", "turn up space 17", "turn up space 0", "ask player_9", "ask player_-1", "I am"])
def test_what_is_out_of_range_is_none(text: str) -> None:
    assert claims.parse(text) is None


@pytest.mark.parametrize(
    "claim",
    [claims.Claim(Verb.SILENT), claims.Claim(Verb.ASK), claims.Claim(Verb.MERCHANT, 2), claims.Claim(Verb.LEAVE, 16)],
)
def test_what_is_no_claim_is_not_spoken(claim: claims.Claim) -> None:
    with pytest.raises(ValueError, match="is no claim"):
        claims.speak(claim)


def test_actions_and_events_say_the_same_words() -> None:
    scene = Dealt(5, seed=3, talk="claims")
    scene.dismiss_referee()
    words = scene.kind.words
    spoken = 0
    while not scene.over:
        seat, before = scene.asked, int(scene.table["said_count"])
        about = scene.question in (Question.ABOUT, Question.FLOOR)
        legal = [scene.action(name, seat) for name in scene.legal()]
        told = {words.describe_action(scene.pack, scene.game, action, seat) for action in legal}
        play_randomly(scene, 3)
        if int(scene.table["said_count"]) > before:
            assert about
            line = words.describe_events(scene.pack, scene.game)[-1]
            assert line.startswith(f"player_{seat} says: ")
            assert f"say: {line.partition(': ')[2]}" in told
            spoken += 1
    assert spoken > 20


def test_claims_and_events_stand_in_the_order_in_which_they_happened() -> None:
    scene = Dealt(5, seed=4, talk="claims", talk_budget=2)
    scene.dismiss_referee()
    words, heard = scene.kind.words, 0
    while not scene.over:
        lines = words.describe_events(scene.pack, scene.game, heard)
        total = int(scene.table["event_count"]) + int(scene.table["said_count"])
        assert len(lines) == total - heard
        assert words.describe_events(scene.pack, scene.game, total) == []
        heard = total
        play_randomly(scene, 4)


def stand(scene: Dealt, speaker: int) -> list[str]:
    """What stands of a speaker's claims in the referee's record; a role says its camp too."""
    assert scene.beside is not None
    found = scene.beside.referee.record.standing
    return [
        claims.speak(claims.Claim(Verb(VERBS.index(verb)), -1 if topic in OF_ONESELF else about - (topic in OF_TILES)))
        for (who, topic, about), verb in found.items()
        if who == speaker and not (topic == "camp" and about == who and (who, "role", who) in found)
    ]


def test_what_stands_reads_as_it_was_said() -> None:
    scene, compared = Dealt(5, seed=11, talk="claims", talk_budget=3), 0
    while not scene.over and compared < 2500:
        for speaker in range(5):
            stands = [claims.speak(claim) for claim in claims.standing(scene.table, speaker)]
            assert sorted(stands) == sorted(stand(scene, speaker))
            line = scene.kind.words.describe_standing(scene.table, speaker, None)
            assert line == (f"player_{speaker} claims: {'; '.join(stands)}." if stands else "")
            compared += len(stands)
        play_randomly(scene, 11)
    assert compared >= 2500
