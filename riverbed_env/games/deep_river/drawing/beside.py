"""What stands beside the river of Deep River: the two sides, and the tokens with what their faces do."""

from __future__ import annotations

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import WIDTH, Panel, Shape, group, panel, paragraph, rect, text
from riverbed_env.core.symbols import arrow
from riverbed_env.core.text import counted, heading

from ..rules.vocab import EEL_NEST, NUM_SEATS, NUM_TOKENS, SALMON_NEST, Face
from ..words.text import at_the_table
from .pawns import pawn
from .river import choices_of_token, token_shapes, token_words

_KINDS = {
    Face.BEAR: "one tile, then the bear goes one tile",
    Face.TWICE: "one tile, and then once more",
}


def sides(table: Table) -> Panel:
    """Who plays which fish, whose turn it is, and how far the bear is from each nest."""
    shapes = [_side(table, seat) for seat in range(NUM_SEATS)]
    label = "You win when the bear is in the other side's nest, or nearer to it when the current has run out."
    shapes += paragraph("muted", 8, 104, label, 11, WIDTH - 16)
    return panel("sides", "The two sides", label, 128, shapes)


def _side(table: Table, seat: int) -> Shape:
    game = table.game["table"]
    asked = int(game["asked"]) == seat
    far = abs(int(game["bear"]) - (EEL_NEST if seat else SALMON_NEST))
    on_turn = ", to choose" if asked else ""
    said = f"The bear is {counted(far, 'step')} from their nest"
    look = "turn" if asked else "mine" if seat == table.viewer else "row"
    shapes = [
        rect(look, 3, 2, WIDTH - 6, 40, 6),
        *([arrow("arrow", 14, 22)] if asked else []),
        *pawn(-1 if seat else 1, 34, 22),
        text(
            "text bold", 58, 19, f"{at_the_table(seat).capitalize()}: {heading(seat, table.viewer)}{on_turn}", 12, w=290
        ),
        text("text", 58, 34, said, 11),
    ]
    label = f"{at_the_table(seat).capitalize()}, {heading(seat, table.viewer)}{on_turn}. {said}"
    return group(f"side-{seat}", "", 0, 2 + 44 * seat, shapes, label=label)


def tokens(table: Table) -> Panel:
    """The three current tokens with what the face that is up does."""
    shapes = [_token(table, number) for number in range(NUM_TOKENS)]
    label = "The mover takes one token. It works, drifts one tile down and turns over; two at tile 1 end the game."
    shapes += paragraph("muted", 8, 158, label, 11, WIDTH - 16)
    return panel("tokens", "The current tokens", label, 182, shapes)


def _token(table: Table, number: int) -> Shape:
    game = table.game["table"]
    face = int(game["face"][number])
    kind, steps = Face(int(table.params["kind"][number, face])), int(table.params["steps"][number, face])
    does = f"moves a pawn {_KINDS.get(kind) or counted(steps, 'tile')}"
    choices = choices_of_token(table, number)
    station = EEL_NEST - 1 - int(game["progress"][number])
    words = token_words(table, number)
    shapes = [
        rect("row" + (" choice" if choices else ""), 3, 0, WIDTH - 6, 44, 6),
        group(f"token-face-{number}", "", 28, 22, token_shapes(table, number, [])),
        text("text bold", 56, 18, words, 12, w=296),
        text("text", 56, 34, f"At tile {station}; {does}", 11, w=296),
    ]
    label = f"{words}; at tile {station}; {does}"
    return group(f"token-{number}", "", 0, 4 + 48 * number, shapes, label=label, choices=choices)
