"""RH-9.4, claims in words, and RH-9.9, free text: `speak` says a claim, `parse` understands one, by the same words."""

import re
from typing import NamedTuple

import numpy as np

from riverbed_env.core.transcript import Transcript
from riverbed_env.errors import IllegalActionError
from riverbed_env.kernels.common import byte_of

from ..rules import vocab as v
from ..rules.actions import A
from ..rules.talk import claim_refusal, is_of_itself, is_of_spaces, seats_to_name, spaces_to_name

SILENCE = A.SILENT  # the action of a seat that says a text and nothing else
PHRASES = {verb: verb.words for verb in v.Verb if verb}
_OBJECTS = {"seat": "player_", "space": "space "}


class Claim(NamedTuple):
    """RH-9.4: a verb and what it is about: a seat from 0, a space from 0, or -1 for what is about the speaker alone."""

    verb: v.Verb
    about: int = -1


def is_claim(claim: Claim) -> bool:
    """Whether a claim has the object that its verb needs."""
    verb = int(claim.verb)  # a kernel takes long to find the type of an enum's member
    if not 0 < verb < v.NUM_VERBS:
        return False
    if is_of_itself(verb):
        return claim.about == -1
    return 0 <= claim.about < (v.NUM_SPACES if is_of_spaces(verb) else v.MAX_SEATS)


def claim_of(word: int) -> tuple[int, Claim]:
    """RH-9.7: the seat that made a claim of the ring and the claim, from its word (`claim_at`)."""
    return byte_of(word, 0) - 1, Claim(v.Verb(byte_of(word, 1)), byte_of(word, 2) - 1)


def speak(claim: Claim) -> str:
    """RH-9.4: a claim in a sentence; seats and spaces as people call them. Raises ValueError for what is no claim."""
    if not is_claim(claim):
        raise ValueError(
            f"{tuple(claim)} is no claim: verbs are 1 to {v.NUM_VERBS - 1}, and each has its kind of object"
        )
    return PHRASES[v.Verb(claim.verb)].format(seat=f"player_{claim.about}", space=f"space {claim.about + 1}")


def standing(table: np.void, speaker: int) -> list[Claim]:
    """RH-9.7: what a seat says now: of itself, of players, of tiles, in this order; without what a role says anyway."""
    promise, role = divmod(int(table["own_words"][speaker]), v.PROMISE_UNIT)
    claims = [Claim(v.Verb(v.Verb.MERCHANT + role - 1 - v.Role.MERCHANT))] if role else []
    claims += [Claim(v.Verb(v.Verb.PROMISE_KELP + promise - 1))] if promise else []
    for seat in range(int(table["num_players"])):
        word = int(table["seat_words"][speaker, seat])
        camp, urged, judged = word % v.ASK_UNIT, word % v.JUDGE_UNIT // v.ASK_UNIT, word // v.JUDGE_UNIT
        claims += [Claim(v.Verb(camp), seat)] if camp and not (role and seat == speaker) else []
        claims += [Claim(v.Verb(v.Verb.ASK + urged - 1), seat)] if urged else []
        claims += [Claim(v.Verb(v.Verb.BELIEVE + judged - 1), seat)] if judged else []
    for space in range(v.NUM_SPACES):
        word = int(table["tile_words"][speaker, space])
        bears, urged = word % v.URGE_UNIT, word // v.URGE_UNIT
        claims += [Claim(v.Verb(v.Verb.BEARS_KELP + bears - 1), space)] if 0 < bears <= v.NUM_TILE_CLAIMS else []
        claims += [Claim(v.Verb(v.Verb.TURN_UP + urged - 1), space)] if urged else []
    return claims


def _pattern(phrase: str) -> re.Pattern[str]:
    """What matches a phrase: letters of any case, any blanks between words, a full stop or none."""
    words = re.escape(phrase).replace(r"\ ", r"\s+")
    for name, called in _OBJECTS.items():
        number = called.replace(" ", r"\s+") + rf"(?P<{name}>\d{{1,2}})"
        words = words.replace(re.escape(f"{{{name}}}"), number)
    return re.compile(rf"\s*{words}\s*\.?\s*", re.IGNORECASE | re.ASCII)


_PATTERNS = {verb: _pattern(phrase) for verb, phrase in PHRASES.items()}


def parse(text: str) -> Claim | None:
    """The claim that a text makes and nothing else, or None. `parse(speak(claim)) == claim` for every claim."""
    for verb, pattern in _PATTERNS.items():
        match = pattern.fullmatch(text)
        if match is not None:
            named = match.groupdict()
            about = int(named["seat"]) if "seat" in named else int(named.get("space", 0)) - 1
            claim = Claim(verb, about)
            return claim if is_claim(claim) else None
    return None


def takes_texts(params: np.void) -> bool:
    """RH-9.9: whether seats may say texts."""
    return int(params["talk"]) == v.Talk.TEXT


def has_floor(table: np.void, transcript: Transcript = ()) -> bool:
    """RH-9.3, RH-9.9: whether the seat that is asked is asked for a claim or silence, and so may still say a text."""
    return int(table["question"]) == v.Question.FLOOR and not _spoke(table, transcript)


def is_talk(table: np.void) -> bool:
    """RH-9.3: whether the seat that is asked is asked what it says, not what it does."""
    return int(table["question"]) >= v.Question.FLOOR


def check_may_say(table: np.void, transcript: Transcript) -> None:
    """RH-9.9: raise IllegalActionError unless the seat that is asked may say a text, once while it has the floor."""
    if not has_floor(table):
        raise IllegalActionError("text is for a seat that is asked for a claim or silence (RH-9.9)")
    if _spoke(table, transcript):
        raise IllegalActionError(f"player_{int(table['asked'])} has said a text with this turn on the floor (RH-9.9)")


def _spoke(table: np.void, transcript: Transcript) -> bool:
    """Whether the seat that is asked has said its text of this turn on the floor."""
    return bool(transcript) and transcript[-1][:2] == (int(table["turn"]), int(table["asked"]))


def actions_of(table: np.void, action: int, text: str) -> list[int]:
    """RH-9.9, ruling: a text said instead of a claim is the claim that it makes, if that is legal; else the action."""
    claim = parse(text) if action == SILENCE and has_floor(table) else None
    return claim_actions(table, claim) or [action] if claim is not None else [action]


def claim_actions(table: np.void, claim: Claim) -> list[int]:
    """RH-9.3: the actions by which the seat that has the floor makes a claim; [] if it isn't legal (RH-9.6)."""
    verb, about = int(claim.verb), claim.about
    seat, num_players = int(table["asked"]), int(table["num_players"])
    if claim_refusal(table, seat, verb) != v.Refusal.OK:
        return []
    if is_of_itself(verb):
        return [A.SILENT + verb]
    if is_of_spaces(verb):
        return [A.SILENT + verb, A.SPACE + about] if spaces_to_name(table, seat, verb) >> about & 1 else []
    relative = (about - seat) % num_players
    named = about < num_players and seats_to_name(table, seat, verb) >> about & 1
    return [A.SILENT + verb, A.SEAT + relative] if named else []
