"""The rule of Riverbed Hunt behind each choice, with a sentence of its rules page; a test compares the two."""

from __future__ import annotations

from riverbed_env.core.frame import Table
from riverbed_env.core.text import counted

from ..rules.actions import ACTIONS, A
from ..rules.vocab import NUM_SPACES, Question, Role, Source
from .players import known_role

RULES = {
    "RH-1.7": "Beginning at the chief's left and going clockwise, each player places the meeple on a space that holds "
    "a tile.",
    "RH-2.6": "With the 1 or 2 steps of a swim, a meeple can cross water once or twice, or land once.",
    "RH-3.1": "In each turn the active player takes one action, no more and no fewer.",
    "RH-3.3": "When the turn ends, a player who holds more than 3 ability cards discards down to 3 and chooses which "
    "to keep.",
    "RH-4.1": "The player exhausts Dive and views one face-down tile within reach, alone.",
    "RH-4.2": "The player exhausts Swim and moves the meeple (RH-2.6).",
    "RH-4.3": "The asked player must reveal a face-down tile of their own choice within their own reach.",
    "RH-4.4": "The active player first discards a card of their choice, then reveals a face-down tile within reach, "
    "then refreshes Dive and Swim.",
    "RH-5.1": "The leader discards a card of their choice, reveals the role, and begins to reveal tiles.",
    "RH-5.1/on": "After a tile with the hunt icon, the leader chooses between stopping and revealing one more, now "
    "from anywhere on the board.",
    "RH-5.2": "The chief chooses one tile with a log that was revealed during the Hunt and turns it face-down.",
    "RH-5.3": "The profiteer discards a card of their choice, reveals the role, reveals one tile within reach, and "
    "then must reveal a second from anywhere on the board.",
    "RH-5.5": "Once a game, on their own turn, a player may use the marker to make one exhausted Dive or Swim ready.",
    "RH-6.1": "A text takes effect when its place in that order is reached.",
    "RH-7.1": "A player plays at most one ability card a turn (RH-3.2), before or after the action.",
    "RH-7.2": 'Everything in a card\'s text is mandatory, except where it says "may".',
    "RH-7.5": "One is for the active player, the other for a player whose turn it is not.",
    "RH-9.3": "A seat that has the floor is silent or makes a claim.",
    "RH-9.4/camp": "A claim of a camp says that a player, oneself too, belongs to it.",
    "RH-9.4/role": "A claim of a role says that one has it; the chief's, which is public, is none.",
    "RH-9.4/tile": "A claim about a tile says that the first element of a face-down tile is kelp, a log or a coin, or "
    "that it bears none of them.",
    "RH-9.4/promise": "A promise says what one would turn up when asked for a co-op: kelp, a log or a coin.",
    "RH-9.4/urge": "An urge asks the table to turn up a tile or to leave it, to ask a player for co-ops or not to.",
    "RH-9.4/judgement": "A judgement says that one believes a player or doubts the player.",
}
_OF_VERB = {
    "DIVE": "RH-4.1",
    "SWIM": "RH-4.2",
    "CO_OP": "RH-4.3",
    "UNCOVER": "RH-4.4",
    "READY": "RH-5.5",
    "END_TURN": "RH-3.1",
    "REVEAL": "RH-4.3",
    "HUNT": "RH-5.1",
    "CON": "RH-5.3",
    "SLIP_AWAY": "RH-7.5",
    "SILENT": "RH-9.3",
    "CAMP": "RH-9.4/camp",
    "ROLE": "RH-9.4/role",
    "BEARS": "RH-9.4/tile",
    "PROMISE": "RH-9.4/promise",
    "TURN_UP": "RH-9.4/urge",
    "LEAVE": "RH-9.4/urge",
    "ASK": "RH-9.4/urge",
    "DONT_ASK": "RH-9.4/urge",
    "BELIEVE": "RH-9.4/judgement",
    "DOUBT": "RH-9.4/judgement",
}
_OF_QUESTION = {
    Question.PLACE: "RH-1.7",
    Question.TURN: "RH-7.1",
    Question.HUNT_ON: "RH-5.1/on",
    Question.PENALTY: "RH-5.2",
}
_OF_SOURCE = {
    Source.NONE: "RH-3.3",
    Source.DIVE: "RH-4.1",
    Source.SWIM: "RH-2.6",
    Source.CO_OP: "RH-4.3",
    Source.UNCOVER: "RH-4.4",
    Source.HUNT: "RH-5.1",
    Source.CON: "RH-5.3",
    Source.CARD: "RH-7.2",
    Source.TILE: "RH-6.1",
}


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its verb, of the question, or of the effect under way."""
    name, _ = ACTIONS.split(action)
    game = table.game["table"]
    question, source = Question(int(game["question"])), _source(table)
    if question == Question.ABOUT:
        name, _ = ACTIONS.split(A.SILENT + int(game["verb"]))
    if name == "READY" and question == Question.REFRESH:
        return _OF_SOURCE[source]
    return _OF_VERB.get(name) or _OF_QUESTION.get(question) or _OF_SOURCE[source]


_WHAT_FOLLOWS = {
    "CO_OP": "When all of it is done, the asker draws a card, and Dive and Swim are ready again.",
    "HUNT": "While the tile just revealed bears a trident, another may be revealed, from anywhere; after one without, "
    "the chief turns a log of the Hunt face-down.",
}


def help_of(table: Table, action: int) -> str:
    """What the card does that is played, or the card or text that is being carried out; who the player is."""
    name, argument = ACTIONS.split(action)
    game = table.game["table"]
    question, source = Question(int(game["question"])), _source(table)
    if name in _WHAT_FOLLOWS:
        return _WHAT_FOLLOWS[name]
    if name == "SEAT" and question == Question.SEAT and table.asked is not None:
        return player_in_words(table, (table.asked + argument) % table.num_players)
    if name == "CARD" and question == Question.TURN:
        return _card(table, argument)
    if name == "SLIP_AWAY":
        return _card(table, int(table.params["redirect_card"]))
    if name == "WAIT" or question in (Question.PLACE, Question.TURN, Question.ANSWER) or source == Source.NONE:
        return ""
    thing = int(game["frames"][int(game["depth"]) - 1]["thing"])
    if source == Source.CARD:
        return _card(table, thing)
    texts = [layer.text for layer in table.pack.layers(thing) if layer.text] if source == Source.TILE else []
    return "; ".join(f"Text {text.name}: {text.words}." for text in texts)


def player_in_words(table: Table, seat: int) -> str:
    """What the viewer knows of a player, and the face-down tiles within their reach (RH-2.4)."""
    game = table.game["table"]
    role, _ = known_role(table, seat)
    place = int(game["position"][seat])
    near = int(table.params["reach"][int(game["layout"]), place]) & int(game["face_down"]) if place >= 0 else 0
    spaces = [str(space + 1) for space in range(NUM_SPACES) if near >> space & 1]
    who = "Role unknown" if role == Role.UNKNOWN else role.words.capitalize()
    reach = f"face-down within reach: space {', '.join(spaces)}" if spaces else "no face-down tile within reach"
    return f"{who}; {counted(int(game['hand_size'][seat]), 'card')}; {reach}."


def _card(table: Table, card: int) -> str:
    described = table.pack.cards[card]
    return f"{described.name}: {described.words}."


def _source(table: Table) -> Source:
    """The origin of the effect under way."""
    game = table.game["table"]
    depth = int(game["depth"])
    return Source(int(game["frames"][depth - 1]["source"])) if depth else Source.NONE
