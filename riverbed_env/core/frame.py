"""What one viewer sees of a game at one moment, as data: scene, events, what is asked, every choice with its rule.

A frame is made from the viewer's view and, for a seat, its action mask; nothing else of the game reaches it. So equal
views give equal frames. A game's package `drawing` draws its table; a game without one shows its state in words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from riverbed_env.kernels.compile import Records

from .game import Game
from .scene import NORMAL, WIDTH, Panel, all_shapes, panel, text, wrapped
from .text import addressing
from .transcript import Transcript, merged, most_characters

FORM = 1  # of the data; a change that readers must know of raises it
PUBLIC, TRUTH = "public", "truth"  # viewers beside the seats: what everybody knows, and all there is

Frame = dict[str, Any]
Viewer = int | str


@dataclass(frozen=True)
class Table:
    """What a drawing is made from.

    games: (1,) a record with what the viewer may know and blanks for the rest; in the truth, the whole game. viewer:
    the seat that looks on, None for the public and the truth. asked: the seat whose choices are shown, None if it isn't
    known or nobody is asked. actions: the legal actions of that seat that the viewer may take, or, in the truth, watch.
    """

    pack: Any
    games: Records
    params: np.void
    viewer: int | None
    truth: bool
    asked: int | None
    actions: tuple[int, ...]

    @property
    def game(self) -> np.void:
        """The record."""
        record: np.void = self.games[0]
        return record

    @cached_property
    def public(self) -> np.void:
        """The part of the record that everybody sees."""
        table: np.void = self.game["table"]
        return table

    def __getitem__(self, field: str) -> Any:
        """A field of the public part."""
        return self.public[field]

    @property
    def num_players(self) -> int:
        """How many play."""
        return int(self.params["num_players"])

    @property
    def told(self) -> tuple[Any, Records, Records, int | None]:
        """What a game's words take: pack, games, params and viewer."""
        return self.pack, self.games, self.params.reshape(1), self.viewer

    @property
    def chooser(self) -> int | None:
        """The seat whose own cards are laid out: the viewer, or, in the truth, the seat that is asked."""
        return self.asked if self.truth else self.viewer

    def legal(self, *actions: int) -> list[int]:
        """Those of the actions that can be taken now."""
        return [int(action) for action in actions if action in self.actions]


class Drawing(Protocol):
    """What a game's package `drawing` has, for its frames.

    It reads a record with what the viewer may know and blanks for the rest.
    """

    # Sentences of the rules page by the rule's id; of several for one rule, the id and a word: "RR-2.3/hearts".
    RULES: Mapping[str, str]

    def draw(self, table: Table) -> list[Panel]:
        """The table, panel by panel."""

    def lay_open(self, blank: Records, view: np.void) -> None:
        """Put what lies open beside the fields that views and games share into a record, (1,)."""

    def clock(self, table: Table) -> str:
        """How far the game is: "Turn 12"."""

    def headline(self, table: Table) -> str:
        """Who has to choose what, or how the game ended."""

    def rule_of(self, table: Table, action: int) -> str:
        """The key in RULES of the rule behind a choice."""

    def help_of(self, table: Table, action: int) -> str:
        """What the card, text or power of a choice does; "" if its words say it all."""


def frame(
    game: Game, pack: Any, games: Records, params: Records, viewer: Viewer, since: int = 0, transcript: Transcript = ()
) -> Frame:
    """What `viewer` sees, as plain data for JSON; `docs/guides/rendering.md` describes it.

    viewer: a seat, PUBLIC or TRUTH. games, params: one game and its params, shape (1,). since: how many public events
    the viewer has seen already. transcript: what was said in words, which stands among the events. Raises ValueError
    for another viewer.
    """
    return _seen(game, _table(game, pack, games, params, viewer), viewer, since, games, transcript)


def happened(
    game: Game, pack: Any, games: Records, params: Records, viewer: Viewer, since: int = 0, transcript: Transcript = ()
) -> tuple[list[dict[str, str]], int]:
    """The events of `frame` alone, and how many there are in all; the arguments are those of `frame`.

    A game keeps its last events only, so that fewer may come than there were since.
    """
    return _happened(game, _table(game, pack, games, params, viewer), since, transcript)


def _table(game: Game, pack: Any, games: Records, params: Records, viewer: Viewer) -> Table:
    """What is drawn for a viewer of a game; see `frame`."""
    seat = _seat_of(viewer, int(params[0]["num_players"]))
    asked, actions = _choices(game, games, params, seat, viewer == TRUTH)
    shown = games
    if viewer != TRUTH and game.drawing is not None:  # words keep to what the viewer may know
        views = game.look_at(games, params, np.zeros(1, np.int64), np.array([seat or 0]))
        shown = _laid_out(game, views[0], public=seat is None)
    return Table(pack, shown, params[0], seat, viewer == TRUTH, asked, actions)


def frame_of_view(
    game: Game, pack: Any, view: np.void, params: Records, actions: Sequence[int], since: int = 0
) -> tuple[Frame, Records]:
    """The frame of a seat that has to choose, made from its view alone; and the (1,) record that it was made from.

    view: the record that `look` wrote for the seat; params: (1,); actions: the legal ones; since: see `frame`.
    """
    shown, seat = _laid_out(game, view), int(view["seat"])
    table = Table(pack, shown, params[0], seat, False, seat, tuple(actions))
    return _seen(game, table, seat, since, shown), shown


def _laid_out(game: Game, view: np.void, *, public: bool = False) -> Records:
    """A (1,) record of the game as a view has it, the rest blank; in public without the seat's own part.

    The view's fields go to those of the same names; what the game has a row of by seat goes to the seat's row.
    """
    blank = np.zeros(1, game.dtype)
    if game.drawing is not None:
        game.drawing.lay_open(blank, view)
    for name in set(view.dtype.names or ()) & set(blank.dtype.names or ()):
        by_seat = blank.dtype[name].shape != view.dtype[name].shape
        if not (by_seat and public):
            blank[name][(0, int(view["seat"])) if by_seat else 0] = view[name]
    return blank


def _seen(game: Game, table: Table, viewer: Viewer, since: int, games: Records, transcript: Transcript = ()) -> Frame:
    """What the viewer sees of a table. games: tells whether the game is over, and what it then paid."""
    drawing: Any = game.drawing or _Undrawn(game)
    seat = table.viewer
    over = int(game.kernels.ending(games[0])) != 0
    panels = drawing.draw(table)
    events, event_count = _happened(game, table, since, transcript)
    headline = drawing.headline(table)
    return {
        "form": FORM,
        "game": game.id,
        "title": game.title,
        "view": viewer if isinstance(viewer, str) else "seat",
        "seat": seat,
        "players": table.num_players,
        "clock": drawing.clock(table),
        "headline": headline,
        "asked": table.asked,
        "goal": "" if seat is None else _said(game, "goal", "", *table.told),
        "help": [] if seat is None else _said(game, "explain", [], *table.told),
        "events": events,
        "event_count": event_count,
        "choices": _described(game, drawing, table, panels),
        "may_say": _may_say(game, table, transcript),
        "over": over,
        "result": headline if over else "",
        "returns": game.returns(games, table.num_players)[0].tolist() if over else None,
        "scene": {"panels": panels},
    }


def _seat_of(viewer: Viewer, num_players: int) -> int | None:
    if viewer in (PUBLIC, TRUTH):
        return None
    if isinstance(viewer, int) and 0 <= viewer < num_players:
        return viewer
    raise ValueError(f"a viewer is a seat from 0 to {num_players - 1}, {PUBLIC!r} or {TRUTH!r}, not {viewer!r}")


# --- choices ----------------------------------------------------------------------------------------------------------


def _choices(
    game: Game, games: Records, params: Records, seat: int | None, truth: bool
) -> tuple[int | None, tuple[int, ...]]:
    """The seat that is asked, as far as the viewer may know, and its legal actions, as far as they are shown.

    Where seats choose at the same time, a seat that must still answer has its choices whoever is asked first, and
    nobody is told who else has to choose.
    """
    kernels = game.kernels
    asked: int | None = int(kernels.current_seat(games[0]))
    write_mask = kernels.write_mask
    if kernels.pending is not None and kernels.write_pending_mask is not None and not truth:
        pending = int(kernels.pending(games[0], params[0]))
        asked, write_mask = (seat if seat is not None and pending >> seat & 1 else None), kernels.write_pending_mask
    if asked is None or asked < 0:
        return None, ()
    if asked != seat and not truth:
        return asked, ()
    mask = np.zeros(game.actions.size, np.int8)
    write_mask(games[0], params[0], asked, mask)
    return asked, tuple(np.flatnonzero(mask).tolist())


def _described(game: Game, drawing: Drawing, table: Table, panels: Sequence[Panel]) -> list[dict[str, Any]]:
    """Every legal action in words, with the rule behind it and the shapes that stand for it."""
    shapes: dict[int, list[str]] = {}
    for shape in all_shapes(shape for each in panels for shape in each["shapes"]) if table.actions else ():
        for choice in shape.get("choices", ()):
            shapes.setdefault(choice, []).append(shape["id"])
    choices = []
    for action in table.actions:
        key = drawing.rule_of(table, action)
        choices.append(
            {
                "action": action,
                "text": game.words.describe_action(table.pack, table.game, action, table.asked),
                "rule": key.partition("/")[0],
                "sentence": drawing.RULES.get(key, ""),
                "help": drawing.help_of(table, action),
                "shapes": shapes.get(action, []),
            }
        )
    return choices


# --- words ------------------------------------------------------------------------------------------------------------


def _said(game: Game, name: str, otherwise: Any, *arguments: Any) -> Any:
    """What an optional function of the game's words says."""
    say: Callable[..., Any] | None = getattr(game.words, name, None)
    return otherwise if say is None else say(*arguments)


def _happened(game: Game, table: Table, since: int, transcript: Transcript) -> tuple[list[dict[str, str]], int]:
    """The events since, with texts among them, and how many of both there are."""
    before, counted = 0 if transcript else since, table.game["table"]
    events = _events(game, table, before)
    known = "event_count" in (counted.dtype.names or ())
    count = _said(game, "count_events", int(counted["event_count"]) if known else before + len(events), table.game)
    return merged(events, count, transcript, since, addressing(table.viewer)) if transcript else (events, count)


def _may_say(game: Game, table: Table, transcript: Transcript) -> dict[str, int] | None:
    """What the viewer may say in words now: the longest text, and the action to say it alone; None for nothing."""
    if table.viewer is None or table.viewer != table.asked:
        return None
    most = most_characters(game, table.game, table.params, transcript)
    return {"most_characters": most, "alone": game.texts.SILENCE} if most else None


def _events(game: Game, table: Table, since: int) -> list[dict[str, str]]:
    """What happened since, oldest first: each event in words, and its kind."""
    tell: Callable[..., list[tuple[str, str]]] | None = getattr(game.words, "tell_events", None)
    if tell is not None:
        told = tell(table.pack, table.game, since, table.viewer)
        return [{"kind": kind, "text": words} for kind, words in told]
    said = game.words.describe_events(table.pack, table.game, since, viewer=table.viewer)
    declared = getattr(game.words, "EVENTS", None)
    if declared is None:
        return [{"kind": "", "text": words} for words in said]
    names = {int(kind): kind.name.lower() for kind in declared.sentences}
    happened = declared.happened(table.game["table"], since)
    return [{"kind": names[event.kind], "text": words} for event, words in zip(happened, said, strict=True)]


# --- games without a drawing of their own -----------------------------------------------------------------------------


class _Undrawn:
    """The state in words as a game's only panel; it shows a seat what those words tell."""

    RULES: Mapping[str, str] = {}

    def __init__(self, game: Game) -> None:
        self._game = game

    def draw(self, table: Table) -> list[Panel]:
        """The words line by line; none for the public, whom no words are made for."""
        if table.viewer is None and not table.truth:
            return []
        words = self._game.words.describe_state(*table.told)
        lines = [line for said in words.splitlines() for line in wrapped(said, WIDTH - 16, NORMAL)]
        shapes = [text("text", 8, 20 + 16 * at, line, NORMAL) for at, line in enumerate(lines)]
        return [panel("table", "Table", words, 32 + 16 * len(lines), shapes, board=True)]

    def _nothing(self, *_: object) -> str:
        """Nothing: the words of state and actions tell, and no rule is named."""
        return ""

    clock = rule_of = help_of = _nothing

    def headline(self, table: Table) -> str:
        """Whose turn it is."""
        if table.asked is None:
            return ""
        return "Your turn" if table.asked == table.viewer else f"Waiting for player_{table.asked}"
