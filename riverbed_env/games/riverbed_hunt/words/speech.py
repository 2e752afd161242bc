"""RH-9.9, free text in Riverbed Hunt: who may say it, and which claim a text makes."""

from __future__ import annotations

import numpy as np

from ..rules.actions import A
from ..rules.talk import claim_refusal, is_of_itself, is_of_spaces, seats_to_name, spaces_to_name
from ..rules.vocab import Question, Refusal, Talk
from .claims import Claim, parse


def takes_texts(params: np.void) -> bool:
    """RH-9.9: whether seats may say texts."""
    return int(params["talk"]) == Talk.TEXT


def has_floor(table: np.void) -> bool:
    """RH-9.3, RH-9.9: whether the seat that is asked is asked for a claim or silence, and so may say a text."""
    return int(table["question"]) == Question.FLOOR


def actions_of(table: np.void, action: int, text: str) -> list[int]:
    """RH-9.9, ruling: a text said instead of a claim is the claim that it makes, if that is legal; else the action."""
    claim = parse(text) if action == A.SILENT and has_floor(table) else None
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
