"""Riverbed Hunt as a scene: the river, the race, the players, and the viewer's actions and cards.

A seat's scene is drawn from its view alone.
"""

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel
from riverbed_env.core.text import counted
from riverbed_env.kernels.compile import Records

from ..rules.actions import ACTIONS, A
from ..rules.vocab import NUM_SPACES, PUBLIC, Question, Role, Source, Talk
from ..words.text import WORDS
from .players import actions, claims, hand, known_role, piles, players, race, tracks, unknown_tiles
from .river import river

RULES = WORDS["rules"]


def lay_open(blank: Records, view: np.void) -> None:
    """RH-8: what everybody knows."""
    blank["private"][0, PUBLIC] = view["public"]


def draw(table: Table) -> list[Panel]:
    """The board in the middle; beside it what all can see, and what the viewer can do."""
    own = [actions(table), hand(table)] if table.chooser is not None else []
    spoken = [claims(table)] if table.params["talk"] != Talk.NONE else []
    unknown = [] if table.truth else unknown_tiles(table)
    return [river(table), tracks(table), *own, players(table), *spoken, *unknown, piles(table)]


def clock(table: Table) -> str:
    """The turn, and how far the race is."""
    turn = int(table["turn"])
    return f"{f'Turn {turn}' if turn else 'Before the first turn'} · {race(table)}"


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its verb, of the question, or of the effect under way."""
    name, _ = ACTIONS.split(action)
    question, source = Question(int(table["question"])), _source(table)
    if question == Question.ABOUT:
        name, _ = ACTIONS.split(A.SILENT + int(table["verb"]))
    if name == "READY" and question == Question.REFRESH:
        return WORDS["rule_of_source"][source.name]
    rule = WORDS["rule_of_verb"].get(name) or WORDS["rule_of_question"].get(question.name)
    return rule or WORDS["rule_of_source"][source.name]


def help_of(table: Table, action: int) -> str:
    """What the card does that is played, or the card or text that is being carried out; who the player is."""
    name, argument = ACTIONS.split(action)
    question, source = Question(int(table["question"])), _source(table)
    if name in WORDS["follows"]:
        return WORDS["follows"][name]
    if name == "SEAT" and question == Question.SEAT and table.asked is not None:
        return player_in_words(table, (table.asked + argument) % table.num_players)
    if name == "CARD" and question == Question.TURN:
        return _card(table, argument)
    if name == "SLIP_AWAY":
        return _card(table, int(table.params["redirect_card"]))
    if name == "WAIT" or question in (Question.PLACE, Question.TURN, Question.ANSWER) or source == Source.NONE:
        return ""
    thing = int(table["frames"][int(table["depth"]) - 1]["thing"])
    if source == Source.CARD:
        return _card(table, thing)
    texts = [layer.text for layer in table.pack.layers(thing) if layer.text] if source == Source.TILE else []
    return "; ".join(f"Text {text.name}: {text.words}." for text in texts)


def player_in_words(table: Table, seat: int) -> str:
    """What the viewer knows of a player, and the face-down tiles within their reach (RH-2.4)."""
    role, _ = known_role(table, seat)
    place = int(table["position"][seat])
    near = int(table.params["reach"][int(table["layout"]), place]) & int(table["face_down"]) if place >= 0 else 0
    spaces = [str(space + 1) for space in range(NUM_SPACES) if near >> space & 1]
    who = "Role unknown" if role == Role.UNKNOWN else role.words.capitalize()
    reach = f"face-down within reach: space {', '.join(spaces)}" if spaces else "no face-down tile within reach"
    return f"{who}; {counted(int(table['hand_size'][seat]), 'card')}; {reach}."


def _card(table: Table, card: int) -> str:
    described = table.pack.cards[card]
    return f"{described.name}: {described.words}."


def _source(table: Table) -> Source:
    """The origin of the effect under way."""
    depth = int(table["depth"])
    return Source(int(table["frames"][depth - 1]["source"])) if depth else Source.NONE
