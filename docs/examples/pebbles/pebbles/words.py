"""Pebbles in plain English, and on its card."""

from riverbed_env.kit import CardSections, Refusal

from . import rules

VIOLATION_WORDS = (
    "nothing is wrong",
    "a field is out of range",
    "the wrong seat is asked",
    "the pile can't be so large",
)


def describe_refusal(code):
    """Why an action is refused."""
    return "there aren't as many pebbles left" if code == rules.TOO_MANY else Refusal(code).words


def describe_violation(code):
    """Which invariant a state breaks."""
    return VIOLATION_WORDS[code]


def describe_action(pack, game, action, seat):
    """An action, as the seat would mean it now."""
    name, argument = rules.ACTIONS.split(action)
    return "wait" if name == "WAIT" else f"take {1 + argument}"


def describe_events(pack, game, since=0, viewer=None):
    """The latest public events, oldest first, without the first `since` of the game: here the last move alone."""
    table, taken = game["table"], int(game["table"]["taken"])
    if table["decisions"] <= since:
        return []
    mover = rules.last_mover(table)
    return [f"you take {taken}" if mover == viewer else f"player_{mover} takes {taken}"]


def describe_state(pack, games, params, viewer):
    """All that the viewer knows."""
    table = games[0]["table"]
    asked = f"player_{int(table['asked'])} is asked" if table["asked"] >= 0 else "the game is over"
    return f"{int(table['left'])} pebbles are left; {asked}."


def card_sections(game, pack):
    """What the game adds to its card."""
    return CardSections(
        summary="Two players take pebbles from a pile; the player who takes the last one wins.",
        end="The game ends with the last pebble.",
        forced="The last pebble alone is taken for the player.",
    )
