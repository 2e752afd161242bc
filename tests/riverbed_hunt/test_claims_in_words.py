"""RH-9.4 in words: each claim has one sentence, and each sentence one claim; the grammar says the same."""

from __future__ import annotations

import re

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_SPACES, Question, Verb
from riverbed_env.games.riverbed_hunt.words import claims
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


def test_the_schema_takes_every_claim_and_nothing_else() -> None:
    schema = claims.claim_schema()
    for claim in EVERY:
        jsonschema.validate(claims.claim_to_json(claim), schema)
    for wrong in (
        {"verb": "ask"},
        {"verb": "ask", "seat": 9},
        {"verb": "leader", "seat": 1},
        {"verb": "leave", "space": 0},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def sentences_of_the_grammar() -> set[str]:
    """Every sentence that the EBNF gives."""
    rules = dict(re.findall(r"^([\w ]+) = (.*) ;$", claims.grammar_ebnf(), re.MULTILINE))
    said: set[str] = set()
    for name in rules["claim"].split(" | "):
        sentences = {""}
        for term in re.split(r", (?=[\"a-z])", rules[name]):
            if term.startswith('"'):
                sentences = {words + term.strip('"') for words in sentences}
            else:
                called, numbers = re.match(r'"([^"]*)", \( (.*) \)', rules[term]).groups()  # type: ignore[union-attr]
                sentences = {
                    f"{words}{called}{number}" for words in sentences for number in re.findall(r"\d+", numbers)
                }
        said |= sentences
    return said


def test_the_grammar_gives_just_what_is_spoken() -> None:
    assert sentences_of_the_grammar() == {claims.speak(claim) for claim in EVERY}


def test_actions_and_events_say_the_same_words() -> None:
    scene = Dealt(5, seed=3, talk="claims")
    scene.dismiss_referee()
    words = scene.kind.words
    spoken = 0
    while not scene.over:
        seat, before = scene.asked, int(scene.table["said_count"])
        about = scene.question in (Question.ABOUT, Question.FLOOR)
        told = {
            int(a): words.describe_action(scene.pack, scene.game, int(a), seat) for a in np.flatnonzero(mask(scene))
        }
        taken = scene.games.copy()
        play_randomly(scene, 3)
        if int(scene.table["said_count"]) > before:
            assert about
            line = words.describe_events(scene.pack, scene.game)[-1]
            assert line.startswith(f"player_{seat} says: ")
            assert f"say: {line.partition(': ')[2]}" in told.values(), taken["table"]["verb"]
            spoken += 1
    assert spoken > 20


def mask(scene: Dealt) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """The asked seat's mask."""
    out = np.zeros(scene.kind.actions.size, np.int8)
    scene.kind.kernels.write_mask(scene.game, scene.params, scene.asked, out)
    return out


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


def test_what_stands_is_the_newest_of_each_kind_and_reads_as_it_was_said() -> None:
    """Against a record kept by what the events say, until tiles change places."""
    compared = 0
    scene = Dealt(5, seed=11, talk="claims", talk_budget=3)
    scene.dismiss_referee()
    words, heard = scene.kind.words, 0
    kept: dict[tuple[int, str], str] = {}  # by speaker and what the claim is about
    while not scene.over:
        told = words.tell_events(scene.pack, scene.game, heard)
        heard = words.count_events(scene.game)
        if {kind for kind, _ in told} & {"swap", "shuffle"}:
            break
        for line in (line for kind, line in told if kind.startswith("say_")):
            keep(kept, int(line[len("player_")]), line.partition(": ")[2])
        kept = {thing: said for thing, said in kept.items() if stays(scene, said)}
        for speaker in range(5):
            stands = [claims.speak(claim) for claim in claims.standing(scene.table, speaker)]
            assert sorted(stands) == sorted(said for (who, _), said in kept.items() if who == speaker)
            line = words.describe_standing(scene.table, speaker, None)
            assert line == (f"player_{speaker} claims: {'; '.join(stands)}." if stands else "")
            compared += len(stands)
        play_randomly(scene, 11)
    assert compared > 2500


THINGS = {
    **dict.fromkeys((Verb.OF_MERCHANTS, Verb.OF_SEPARATISTS, Verb.OF_PROFITEER), "camp"),
    **dict.fromkeys((Verb.MERCHANT, Verb.LEADER, Verb.SEPARATIST, Verb.PROFITEER), "role"),
    **dict.fromkeys((Verb.BEARS_KELP, Verb.BEARS_LOG, Verb.BEARS_COIN, Verb.BEARS_NONE), "bears"),
    **dict.fromkeys((Verb.PROMISE_KELP, Verb.PROMISE_LOG, Verb.PROMISE_COIN), "promise"),
    **dict.fromkeys((Verb.TURN_UP, Verb.LEAVE), "tile"),
    **dict.fromkeys((Verb.ASK, Verb.DONT_ASK), "ask"),
    **dict.fromkeys((Verb.BELIEVE, Verb.DOUBT), "judge"),
}


def keep(kept: dict[tuple[int, str], str], speaker: int, said: str) -> None:
    """Note a claim; a role says its camp too, and another camp of oneself ends the role."""
    claim = claims.parse(said)
    assert claim is not None
    thing = f"{THINGS[claim.verb]} {claim.about}"
    own = {"role -1": f"camp {speaker}", f"camp {speaker}": "role -1"}
    kept.pop((speaker, own.get(thing, "")), None)
    kept[speaker, thing] = said


def stays(scene: Dealt, said: str) -> bool:
    """Whether a claim can still stand: a tile's ends when it is turned up."""
    claim = claims.parse(said)
    assert claim is not None
    return "{space}" not in claims.PHRASES[claim.verb] or bool(int(scene.table["face_down"]) >> claim.about & 1)
