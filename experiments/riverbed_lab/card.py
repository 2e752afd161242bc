"""A game's card: a page written from the library's tables, so that it always agrees with them.

`card.md` is the template; this module and the game fill in each `$name`. `make card` (`python -m riverbed_lab.card`)
writes the cards of all games to `docs/games`.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.card import CardSections, anchor, code, codes, literal, literals, span, table, unwrapped
from riverbed_env.core.game import Game
from riverbed_env.core.packs import pack_names
from riverbed_env.errors import RiverbedError
from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.registry import entry_points, find_game, game_ids

PAGE = Path(__file__).with_suffix(".md")
DOCS = Path(__file__).parents[2] / "docs"

COMMON_OPTIONS = {  # that docs/games/common.md explains for all games
    *("on_illegal", "auto_forced", "render_mode", "render_size", "render_panels", "mask_in", "dtype"),
}
_VISIBILITY = {
    "all": "what everybody sees",
    "own": "what the observer alone may know",
    "nobody": "what no seat may know",
}


def game_card(game: Game) -> str:
    """The card of a game as Markdown, for its default content pack.

    Raises RiverbedError if the game doesn't say what its newest version changed.
    """
    _, pack = game.make_params()
    sections: CardSections = game.load_card().card_sections(game, pack)
    if len(sections.versions) != game.version + 1:
        raise RiverbedError(f"{game.id}: its version history ends with version {len(sections.versions) - 1}")
    template = Template(PAGE.read_text(encoding="utf-8"))
    values = {**_values(game, pack), **_own_values(game, sections)}
    page = re.sub(r"\n{3,}", "\n\n", template.safe_substitute(values))  # parts that a game leaves out
    titles = re.findall(r"^## (.*)$", page, re.MULTILINE)
    contents = " · ".join(f"[{title}]({anchor(title)})" for title in titles)
    return unwrapped(page.replace("$contents", contents))


def summary_of(game: Game) -> str:
    """The card's first paragraph as plain text in one line, without its reference to the rules."""
    sections: CardSections = game.load_card().card_sections(game, game.make_params()[1])
    return " ".join(sections.summary.partition("Every rule is stated")[0].split())


def _values(game: Game, pack: Any) -> dict[str, str]:
    """What the library's tables say about a game, by the names in the page."""
    cap, counted = _cap_of(game)
    axes = [axis for piece in game.observation.pieces for axis in piece.axes]
    visibilities = sorted({piece.visibility for piece in game.observation.pieces})
    return {
        "title": game.title,
        "id": game.id,
        "registry_id": game.registry_id,
        "players": str(game.default_players),
        "facts": _facts(game, pack),
        "pack_errors": "a pack that can't be used `PackError`; both say why."
        if "pack" in _parameters(game.make_params)
        else "which says why.",
        "actions": _actions(game),
        "visibilities": ", ".join(f"*{visibility}* {_VISIBILITY[visibility]}" for visibility in visibilities),
        "axes": _legend(axes),
        "views": _views(game),
        "seats_note": _SEATS_NOTE if any(axis.startswith("seat (observer") for axis in axes) else "",
        "hidden_state": _hidden_state(game.state),
        "cap": cap,
        "counted": counted,
        "cap_default": f"{_parameters(game.make_params)[cap].default:,}",
    }


def _own_values(game: Game, sections: CardSections) -> dict[str, str]:
    """The texts that the game supplies, by the names in the page."""
    return {
        "summary": sections.summary,
        "options": _options(game, sections.options),
        "own_players": sections.players,
        "own_actions": sections.actions,
        "reading": sections.reading,
        "codes": sections.codes,
        "rewards": _rewards(game, sections),
        "nobody_wins": f"Nobody wins if {sections.nobody_wins}." if sections.nobody_wins else "",
        "end": sections.end,
        "forced": sections.forced,
        "content": sections.content,
        "versions": table(["version", "what changed"], enumerate(sections.versions)),
    }


_SEATS_NOTE = """\
- **Seats** are counted from the observer: entry 0 is the observer, entry 1 the next player clockwise, and so on.
  Entries past the number of players are 0."""

# --- facts and options ------------------------------------------------------------------------------------------------


_TURNS = {
    False: "one agent acts at a time (PettingZoo's AEC); all end together",
    True: "those who choose at the same time are asked one by one in `env` (PettingZoo's AEC), none seeing "
    "what another chose, and all at once in `parallel_env` (PettingZoo's parallel API); all end together",
}


def _facts(game: Game, pack: Any) -> str:
    views = ", ".join(f"{size} in view {code(name)}" for name, size in game.views.items())
    packs = pack_names(game.name)
    players = f"{game.player_counts}, {game.default_players} by default"
    agents = f"`player_0` … `player_{game.max_players - 1}`, as many as play, clockwise round the table"
    if game.min_players == game.max_players:
        players, agents = game.player_counts, codes(f"player_{seat}" for seat in range(game.min_players))
    facts = {
        "players": players,
        "agents": agents,
        "turns": _TURNS[game.simultaneous],
        "actions": f"{game.actions.size}, `Discrete`, the same for every seat and player count",
        "observation": f"`int8` vector: {views}; the same sizes for every player count",
        "full state": f"`int8` vector of {game.state.size}, from `state()` alone",
        "rewards": f"{' or '.join(map(code, game.rewards))}, at the end only",
        "roles": codes(game.roles),
        **({"content packs": codes(packs)} if packs else {}),
        f"{'pack' if packs else 'rules'} of this page": f"{code(pack.name)}, hash {code(pack.hash)}",
        "one game in memory": f"{game.dtype.itemsize} bytes",
        "name in Gymnasium's and PettingZoo's registries": code(game.registry_id),
    }
    return table(["fact", "value"], facts.items())


def _parameters(call: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    kept = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {name: option for name, option in inspect.signature(call).parameters.items() if option.kind in kept}


def _options(game: Game, own: Mapping[str, tuple[str, str]]) -> str:
    """The options of `env`. own: the values and the meaning of the game's own options."""
    words = {**_option_words(game), **own}
    common = COMMON_OPTIONS - own.keys()
    of_batch = {**_parameters(game.make_params), **_parameters(Batch)}
    rows = (
        [*_option_row(option, words), "yes" if name in of_batch else "–"]
        for name, option in _parameters(entry_points(game).raw_env).items()
        if name not in common
    )
    return table(["option of `env`", "default", "values", "meaning", "`make_batch` too"], rows)


def _option_row(option: inspect.Parameter, words: dict[str, tuple[str, str]]) -> list[str]:
    """An option, its default, its values and its meaning."""
    if option.name not in words:
        raise RiverbedError(f"the card has no words for option {option.name!r}")
    default = "needed" if option.default is inspect.Parameter.empty else literal(option.default)
    return [code(option.name), default, *words[option.name]]


_CAPS = {"max_decisions": "decisions", "max_turns": "turns", "max_steps": "steps"}  # what a game's cap counts


def _cap_of(game: Game) -> tuple[str, str]:
    """The option that caps a game's length, and what it counts."""
    parameters = _parameters(game.make_params)
    return next((name, counted) for name, counted in _CAPS.items() if name in parameters)


def _option_words(game: Game) -> dict[str, tuple[str, str]]:
    cap, counted = _cap_of(game)
    drawn = '[a generated pack](../guides/generated.md) like `"generated:17"`, ' if game.splits else ""
    return {
        "num_players": (game.player_counts, "how many play"),
        "pack": (f"{literals(pack_names(game.name))}, {drawn}or the path of a `.toml` file", "the content pack"),
        "view": (literals(game.views), "[observations](#observation): `history` adds past events to `now`"),
        "rewards": (literals(game.rewards), "how the end is paid: see [rewards](#rewards)"),
        cap: ("from 1 on", f"the cap on {counted}, forced ones too, that truncates a game"),
    }


# --- actions, observation, state --------------------------------------------------------------------------------------


def _actions(game: Game) -> str:
    rows = (
        [span(start, block.size), block.name, "–" if block.size == 1 else span(0, block.size), block.doc]
        for block, start in zip(game.actions.blocks, game.actions.starts.values(), strict=True)
    )
    return table(["ids", "block", "argument", "meaning"], rows)


def _shape(piece: Piece) -> str:
    return " × ".join(map(str, piece.shape))


def _legend(axes: Iterable[str]) -> str:
    """What the axes count, for those that explain it in brackets."""
    known = dict(axis.rstrip(")").split(" (", 1) for axis in axes if " (" in axis)
    return "; ".join(f"**{name}**: {meaning}" for name, meaning in known.items())


def _piece_table(pieces: PieceTable, shown: Iterable[Piece]) -> str:
    rows = (
        [
            span(pieces.start(piece.name), piece.size),
            code(piece.name),
            _shape(piece),
            " × ".join(axis.split(" (")[0] for axis in piece.axes) or "–",
            f"{piece.low} to {piece.high}",
            piece.visibility,
            piece.doc,
        ]
        for piece in shown
    )
    return table(["index", "piece", "shape", "axes", "values", "visibility", "meaning"], rows)


def _views(game: Game) -> str:
    """The pieces of the observation, view by view."""
    pieces = game.observation
    tables = []
    views = sorted(game.views.items(), key=lambda view: view[1])
    for (_, before), (name, size) in pairwise([("", 0), *views]):
        added = [piece for piece in pieces.pieces if before <= pieces.start(piece.name) < size]
        title = f"What view `{name}` adds" if before else f"View `{name}`"
        tables.append(f"### {title}\n\n{_piece_table(pieces, added)}")
    return "\n\n".join(tables)


def _hidden_state(state: PieceTable) -> str:
    """The pieces of the full state that no seat may know."""
    hidden = [piece for piece in state.pieces if piece.visibility == "nobody"]
    if not hidden:
        return "Nothing is hidden from everybody, so nothing follows."
    start = f"After it comes {_VISIBILITY['nobody']}; here too seats count from `player_0`."
    return f"{start}\n\n{_piece_table(state, hidden)}"


# --- rewards ----------------------------------------------------------------------------------------------------------


_PAID = {
    "win": ("+1 to each winner, -1 to each loser", "-1 to all"),
    "zero_sum": ("+1/winners to each winner, -1/losers to each loser", "0 to all"),
}


def _rewards(game: Game, sections: CardSections) -> str:
    """What each ending pays."""
    names = game.rewards
    rows = [["somebody wins", *(_PAID[name][0] for name in names)]]
    if sections.nobody_wins:
        rows.append(["nobody wins", *(_PAID[name][1] for name in names)])
    for ending, paid in (
        *sections.more_rewards,
        ("truncated by the cap", "0 to all"),
        ('illegal action, `on_illegal="terminate"`', "-1 to the offender, 0 to the others"),
    ):
        rows.append([ending, *([paid] * len(names))])
    return table(["end", *(code(f'rewards="{name}"') for name in names)], rows)


def main() -> None:
    """Write the cards of all games to the documentation."""
    for game in map(find_game, game_ids()):
        (DOCS / "games" / f"{game.name}.md").write_text(game_card(game), encoding="utf-8")


if __name__ == "__main__":
    main()
