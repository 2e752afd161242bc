"""What was claimed at a table of Riverbed Hunt that talks, and still stands."""

from __future__ import annotations

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import SMALL, WIDTH, Panel, Shape, group, panel, paragraph, text
from riverbed_env.core.symbols import seat_disc
from riverbed_env.core.text import counted, heading

from ..words.claims import speak, standing

_LEADING = 1.3


def claims(table: Table) -> Panel:
    """RH-9.7: the claims that stand, by speaker."""
    shapes: list[Shape] = []
    total, y = 0, 4
    for seat in range(table.num_players):
        made = standing(table.game["table"], seat)
        if made:
            said, who = "; ".join(map(speak, made)), heading(seat, table.viewer)
            lines = paragraph("text", 38, 26, said, SMALL, WIDTH - 48, leading=_LEADING)
            row = [*seat_disc(seat, 20, 14), text("text bold", 38, 11, who, 12), *lines]
            shapes.append(group(f"claims-{seat}", "", 0, y, row, label=f"{who} claims: {said}"))
            total, y = total + len(made), y + 24 + round(len(lines) * SMALL * _LEADING)
    if not shapes:
        shapes, y = [text("muted", 6, 18, "Nobody has claimed anything.", SMALL)], 26
    label = f"{counted(total, 'claim')} stand. Claims bind nobody and may be lies."
    return panel("claims", "Claims that stand", label, y + 2, shapes)
