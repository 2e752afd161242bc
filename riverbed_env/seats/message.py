"""The message that asks a seat: who it is, what it knows, what happened, and what it can choose; as data for JSON.

It is made from the seat's view and its legal actions, and nothing else of the game reaches it. So equal views give
equal messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.card import CardSections, unwrapped
from riverbed_env.core.frame import frame_of_view
from riverbed_env.core.game import Game
from riverbed_env.core.packs import pack_hash
from riverbed_env.core.text import at_the_table
from riverbed_env.core.transcript import Transcript, most_characters, takes_texts

PROTOCOL = "riverbed-seat/1"  # a change that programs must know of raises the number
SCHEMA = Path(__file__).with_name("seat.schema.json")

NEWEST = 32  # texts in a message, as many as events

Message = dict[str, Any]

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_RECONSTRUCTED = "## What is reconstructed"  # about our sources, not about the game


def seat_message(
    game: Game,
    pack: Any,
    view: np.void,
    params: npt.NDArray[np.void],
    actions: Sequence[int],
    *,
    since: int = 0,
    table: int = 0,
    observation: npt.NDArray[np.int8] | None = None,
    talk: Talk | None = None,
) -> Message:
    """The message that asks a seat for a choice; `seat.schema.json` describes it.

    Args:
        game: the game.
        pack: its content pack.
        view: the record that `look` wrote for the seat.
        params: (1,), the game's.
        actions: the numbers of the legal actions, which become the ids of the choices.
        since: how many public events the seat has been told of.
        table: a number that tells this game from others the program plays.
        observation: (D,) int8, the seat's own, for its pieces as numbers; None leaves them out.
        talk: free text, where the game's options allow it.

    Returns:
        The message as data for JSON, of type "choose".
    """
    seen, shown = frame_of_view(game, pack, view, params, [int(action) for action in actions])
    seat = int(view["seat"])
    told = max(0, len(seen["events"]) - max(0, int(seen["event_count"]) - since))
    words = game.words.describe_state(pack, shown, params, seat)
    return {
        "protocol": PROTOCOL,
        "type": "choose",
        "game": {"id": game.id, "title": game.title, "players": seen["players"], "table": table},
        "you": {"seat": seat, "name": at_the_table(seat), "goal": seen["goal"]},
        "rules": rules_digest(game, pack, params),
        "knows": {"words": words, "help": seen["help"], "pieces": _pieces(game, observation)},
        "earlier": seen["events"][:told],
        "new": seen["events"][told:],
        "event_count": seen["event_count"],
        "talk": None if talk is None else vars(talk),
        "asked": seen["headline"],
        "choices": [
            {"id": each["action"], "words": each["text"], **{name: each[name] for name in ("rule", "sentence", "help")}}
            for each in seen["choices"]
        ],
        "problem": None,
    }


class Talk:
    """Free text at the table: what was said and by whom, and how much the seat may say with its choice.

    Args:
        said: seats, what they said, and after how many public events, oldest first.
        most_characters: how long a text the seat may say; 0: none.
    """

    def __init__(self, said: Iterable[tuple[int, str, int]] = (), most_characters: int = 0) -> None:
        self.said = [
            {"seat": seat, "name": at_the_table(seat), "text": text, "after": after} for seat, text, after in said
        ]
        self.most_characters = most_characters

    @classmethod
    def at(cls, game: Game, record: np.void, params: np.void, transcript: Transcript) -> Talk | None:
        """The newest texts of a game, and whether the acting seat may say one.

        Args:
            game: the game.
            record: the game's record or a seat's view.
            params: the game's params, one record.
            transcript: all that was said, oldest first; the newest 32 are taken.

        Returns:
            The talk; None where no texts are said.
        """
        if not takes_texts(game, params):
            return None
        newest = [(said.seat, said.text, said.events) for said in transcript[-NEWEST:]]
        return cls(newest, most_characters(game, record, params, transcript))


def with_problem(message: Message, kind: str, words: str) -> Message:
    """The same message, asked again: what was wrong with the answer before."""
    return {**message, "problem": {"kind": kind, "words": words}}


def as_line(message: Mapping[str, Any]) -> str:
    """A message as JSON on one line, without its line break; equal messages give equal lines.

    Args:
        message: data for JSON.

    Returns:
        The line, in which characters beyond ASCII stand as they are.
    """
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of the protocol.

    Returns:
        The schema, whose `$defs` has the request and the answer. The same dictionary is returned each time.
    """
    read: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return read


# --- parts ------------------------------------------------------------------------------------------------------------


def _pieces(game: Game, observation: npt.NDArray[np.int8] | None) -> Message:
    """The pieces of the observation's shortest view by name, as the game's card explains them."""
    if observation is None:
        return {}
    short = observation[: min(game.views.values())]
    return {name: values.tolist() for name, values in game.observation.named(short).items()}


_digests: dict[tuple[str, str, bytes], str] = {}


def rules_digest(game: Game, pack: Any, params: npt.NDArray[np.void] | None = None) -> str:
    """The rules in short, as Markdown, for a reader at a table.

    They are the game's own digest for tables with these params. A game without one has what its card says of it, and
    the sentences of its rules page by id.

    Args:
        game: the game.
        pack: its content pack.
        params: (1,), the table's; None for those of the smallest table.

    Returns:
        The text, without links; it is made once for each pack and params.
    """
    if params is None:
        params = game.make_params(pack=pack, num_players=game.min_players)[0]
    key = game.id, pack_hash(pack), params.tobytes()
    if key not in _digests:
        card = game.load_card()
        own: Callable[..., str] | None = getattr(card, "digest", None)
        parts = (
            _chapters(game, card.card_sections(game, pack)) if own is None else [f"# {game.title}", own(pack, params)]
        )
        _digests[key] = _LINK.sub(r"\1", unwrapped("\n\n".join(parts)))
    return _digests[key]


def _chapters(game: Game, sections: CardSections) -> Iterable[str]:
    yield f"# {game.title}"
    yield sections.summary.partition("Every rule is stated")[0].strip()
    yield sections.players
    yield f"## The end\n\n{sections.end}"
    if sections.nobody_wins:
        yield f"Nobody wins if {sections.nobody_wins}."
    rules: Mapping[str, str] = getattr(game.drawing, "RULES", {})
    if rules:
        yield "## Rules behind the choices"
        yield "\n".join(f"- {name.partition('/')[0]}: {sentence}" for name, sentence in rules.items())
    yield sections.content.partition(_RECONSTRUCTED)[0].strip()
