"""RH-9.9, free text in Riverbed Hunt: who may say it, and which claim a text makes."""

from __future__ import annotations

import numpy as np

from riverbed_env.core.transcript import Transcript
from riverbed_env.errors import IllegalActionError

from ..rules.actions import A
from ..rules.talk import claim_refusal, is_of_itself, is_of_spaces, seats_to_name, spaces_to_name
from ..rules.vocab import Question, Refusal, Talk
from .claims import Claim, parse

SILENCE = A.SILENT  # the action of a seat that says a text and nothing else


def takes_texts(params: np.void) -> bool:
    """RH-9.9: whether seats may say texts."""
    return int(params["talk"]) == Talk.TEXT


def has_floor(table: np.void, transcript: Transcript = ()) -> bool:
    """RH-9.3, RH-9.9: whether the seat that is asked is asked for a claim or silence, and so may still say a text."""
    return int(table["question"]) == Question.FLOOR and not _spoke(table, transcript)


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
    if claim_refusal(table, seat, verb) != Refusal.OK:
        return []
    if is_of_itself(verb):
        return [A.SILENT + verb]
    if is_of_spaces(verb):
        return [A.SILENT + verb, A.SPACE + about] if spaces_to_name(table, seat, verb) >> about & 1 else []
    relative = (about - seat) % num_players
    named = about < num_players and seats_to_name(table, seat, verb) >> about & 1
    return [A.SILENT + verb, A.SEAT + relative] if named else []
