"""What stands beside the river of Deep River: the two sides, and the tokens with what their faces do."""

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import WIDTH, Panel, Shape, group, panel, paragraph, rect, text
from riverbed_env.core.symbols import arrow
from riverbed_env.core.text import counted, heading

from ..rules.vocab import EEL_NEST, NUM_SEATS, NUM_TOKENS, SALMON_NEST
from ..words.text import at_the_table
from .pawns import pawn
from .river import choices_of_token, token_shapes, token_words, what_moves


def sides(table: Table) -> Panel:
    """Who plays which fish, whose turn it is, and how far the bear is from each nest."""
    shapes = [_side(table, seat) for seat in range(NUM_SEATS)]
    label = "You win when the bear is in the other side's nest, or nearer to it when the current has run out."
    shapes += paragraph("muted", 8, 104, label, 11, WIDTH - 16)
    return panel("sides", "The two sides", label, 128, shapes)


def _side(table: Table, seat: int) -> Shape:
    asked, own = table["asked"] == seat, seat == table.viewer
    far = abs(int(table["bear"]) - (EEL_NEST if seat else SALMON_NEST))
    who = f"{heading(seat, table.viewer)}{', to choose' if asked else ''}"
    name, said = at_the_table(seat).capitalize(), f"The bear is {counted(far, 'step')} from their nest"
    shapes = [
        rect("turn" if asked else "mine" if own else "row", 3, 2, WIDTH - 6, 40, 6),
        *([arrow("arrow", 14, 22)] if asked else []),
        *pawn(-1 if seat else 1, 34, 22),
        text("text bold", 58, 19, f"{name}: {who}", 12, w=290),
        text("text", 58, 34, said, 11),
    ]
    return group(f"side-{seat}", "", 0, 2 + 44 * seat, shapes, label=f"{name}, {who}. {said}")


def tokens(table: Table) -> Panel:
    """The three current tokens with what the face that is up does."""
    shapes = [_token(table, number) for number in range(NUM_TOKENS)]
    label = (
        "The mover takes one token. Its large face is carried out; then it drifts one tile down and turns over. Two at "
        "tile 1 end the game."
    )
    shapes += paragraph("muted", 8, 158, label, 11, WIDTH - 16)
    return panel("tokens", "The current tokens", label, 182, shapes)


def _token(table: Table, number: int) -> Shape:
    said = f"at tile {EEL_NEST - 1 - int(table['progress'][number])}; {what_moves(table, number)}"
    words, choices = token_words(table, number), choices_of_token(table, number)
    look = "turn" if table["token"] == number else "row"
    shapes = [
        rect(look + (" choice" if choices else ""), 3, 0, WIDTH - 6, 44, 6),
        group(f"token-face-{number}", "", 28, 22, token_shapes(table, number)),
        text("text bold", 56, 18, words, 12, w=296),
        text("text", 56, 34, said[0].upper() + said[1:], 11, w=296),
    ]
    return group(f"token-{number}", "", 0, 4 + 48 * number, shapes, label=f"{words}; {said}", choices=choices)
