"""River Rats as a scene: both hands and what is at stake, the rats, the market, the players and their cards.

A seat's scene is drawn from its view alone.
"""

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel

from ..rules.actions import ACTIONS
from ..rules.vocab import NO_CARD, JokerUse, Question
from ..words.text import SUIT_WORDS, WORDS
from .cards import suit_of
from .panels import hand, hands, market, players, rats

RULES = WORDS["rules"]


def draw(table: Table) -> list[Panel]:
    """The two hands in the middle; beside them the rats, the market, the players, and the viewer's cards."""
    own = [hand(table)] if table.chooser is not None else []
    return [hands(table), *own, market(table), rats(table), players(table)]


def clock(table: Table) -> str:
    """The round and the turn."""
    return f"Round {int(table['round'])}, turn {int(table['turn'])}"


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: of the joker, of the suit that acts, or of the question."""
    name, _ = ACTIONS.split(action)
    question = Question(int(table["question"]))
    if name == "JOKER" and question != Question.USE_JOKER:
        return "RR-5.1/joker" if table.params["joker"] == JokerUse.REMOVE else "RR-2.1/joker"
    rule = WORDS["rule_of_question"].get(question.name)
    if rule is not None and name not in ("ACT", "POWER"):
        return rule
    played = int(table["played"])  # the rule of its suit: the action, or the power
    suit = "" if played == NO_CARD else SUIT_WORDS[suit_of(played)]
    return f"{'RR-2.4' if name == 'POWER' or (name != 'ACT' and table['power']) else 'RR-2.3'}/{suit}"


def help_of(table: Table, action: int) -> str:
    """No more than the words of the action, which say what its suit does."""
    return ""
