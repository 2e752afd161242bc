"""A game's card: a page written from the tables of the library, so that it always agrees with them.

`make card` (`python -m riverbed_lab.card`) writes the cards of all games to `docs/games`.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.card import (
    CardSections,
    OptionWords,
    Section,
    anchor,
    code,
    codes,
    literal,
    sections,
    span,
    table,
    unwrapped,
)
from riverbed_env.core.game import Game
from riverbed_env.core.packs import pack_names
from riverbed_env.envs.aec import ON_ILLEGAL, RENDER_MODES
from riverbed_env.errors import RiverbedError
from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.kernels.random import MAX_SEED
from riverbed_env.kernels.vocab import FORCED_NAMES
from riverbed_env.registry import entry_points, find_game, game_ids

DOCS = Path(__file__).parents[2] / "docs"
RULES = DOCS / "rules"

_SEEDS = f"0 to `2**{MAX_SEED.bit_length()} - 1`"

VISIBILITY = {
    "all": "what everybody sees",
    "own": "what the observer alone may know",
    "nobody": "what no seat may know",
}

_RULE = re.compile(r"\*\*([A-Z]+-\d+\.\d+)\*\*")
_RULING = "*Ruling:*"
_LABEL = re.compile(r"\*(Ruling|Reconstructed):\*")


def game_card(game: Game) -> str:
    """The card of a game as Markdown, for its default content pack."""
    _, pack = game.make_params()
    own: CardSections = game.load_card().card_sections(game, pack)
    if own.versions[-1].version != game.version:
        raise RiverbedError(f"{game.id}: its version history ends with version {own.versions[-1].version}")
    parts = [
        Section("Facts", _facts(game, pack)),
        Section("Options", _options(game, own)),
        *own.players,
        Section("Actions", f"{_actions(game)}\n\n{own.actions}"),
        Section("Observation", f"{_observation(game)}\n\n{own.observation}"),
        Section("State", _state(game)),
        Section("Rewards", _rewards(game, own)),
        Section("End of the game", f"{own.end}\n\n{_cap(game)}"),
        Section("Forced decisions", f"{_FORCED}\n\n{own.forced}"),
        Section("Illegal actions", _ILLEGAL),
        Section("Randomness and seeds", _seeds()),
        *own.content,
        Section("Rulings", _rulings(game)),
        Section("Versions", table(["version", "what changed"], ((note.version, note.change) for note in own.versions))),
    ]
    return unwrapped(f"{_head(game, own)}\n\n{_contents(parts)}\n\n{sections(parts)}\n")


def summary_of(game: Game) -> str:
    """The card's first paragraph as plain text in one line, without its reference to the rules."""
    own: CardSections = game.load_card().card_sections(game, game.make_params()[1])
    return " ".join(own.summary.partition("Every rule is stated")[0].split())


# --- head, facts, options ---------------------------------------------------------------------------------------------


def _head(game: Game, own: CardSections) -> str:
    note = "*Written by `make card` from the library's tables; change those, not this page.*"
    return f"# {game.title}\n\n{code(game.id)}\n\n{own.summary}\n\n{note}"


def _contents(parts: Iterable[Section]) -> str:
    return " · ".join(f"[{part.title}]({anchor(part.title)})" for part in parts)


_TURNS = {
    False: "one agent acts at a time (PettingZoo's AEC); all end together",
    True: "those who choose at the same time are asked one by one in `env` (PettingZoo's AEC), none seeing "
    "what another chose, and all at once in `parallel_env` (PettingZoo's parallel API); all end together",
}


def _facts(game: Game, pack: Any) -> str:
    views = ", ".join(f"{size} in view {code(name)}" for name, size in game.views.items())
    packs = pack_names(game.name)
    players = f"{game.player_counts}, {game.default_players} unless asked otherwise"
    agents = f"`player_0` … `player_{game.max_players - 1}`, as many as play, clockwise round the table"
    if game.min_players == game.max_players:
        players, agents = game.player_counts, ", ".join(f"`player_{seat}`" for seat in range(game.min_players))
    rows = [
        ["players", players],
        ["agents", agents],
        ["turns", _TURNS[game.simultaneous]],
        ["actions", f"{game.actions.size}, `Discrete`, the same for every seat and player count"],
        ["observation", f"`int8` vector: {views}; the same sizes for every player count"],
        ["action mask", f"`int8` vector of {game.actions.size}: 1 where the action is legal; never all 0"],
        ["full state", f"`int8` vector of {game.state.size}, from `state()` alone"],
        ["rewards", f"{' or '.join(code(name) for name in game.rewards)}, at the end only"],
        ["roles", codes(game.roles)],
        *([["content packs", codes(packs)]] if packs else []),
        [f"{'pack' if packs else 'rules'} of this page", f"{code(pack.name)}, hash {code(pack.hash)}"],
        ["one game in memory", f"{game.dtype.itemsize} bytes"],
        ["environment", code(game.id)],
        ["PettingZoo's registry", code(game.registry_id)],
    ]
    return f"{table(['fact', 'value'], rows)}\n\n{_imports(game)}"


def _imports(game: Game) -> str:
    count = game.default_players
    return f"""\
```python
from riverbed_env import {game.id}, make_batch

env = {game.id}.env(num_players={count})  # one game, PettingZoo's AEC interface
batch = make_batch("{game.id}", num_envs=64, num_players={count}, seed=0)  # many games in one array

import pettingzoo

env = pettingzoo.make("aec", "{game.registry_id}", num_players={count})  # the same env, once riverbed_env is imported
```"""


def _raw_env(game: Game) -> Callable[..., Any]:
    raw_env: Callable[..., Any] = entry_points(game).raw_env
    return raw_env


def _parameters(call: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    kept = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = inspect.signature(call).parameters
    return {name: parameter for name, parameter in found.items() if parameter.kind in kept}


def _options(game: Game, own: CardSections) -> str:
    words = {**_option_words(game), **own.options}
    batch = {**_parameters(game.make_params), **_parameters(Batch)}
    rows = [
        [code(name), _default(game, name, parameter), said.allowed, said.meaning, "yes" if name in batch else "–"]
        for name, parameter in _parameters(_raw_env(game)).items()
        for said in [_words_of(name, words)]
    ]
    batch_rows = [
        [code(name), _default(game, name, parameter), said.allowed, said.meaning]
        for name, parameter in _parameters(Batch).items()
        if name not in _parameters(_raw_env(game)) and name != "game"
        for said in [_words_of(name, _BATCH_WORDS)]
    ]
    return (
        f"{table(['option of `env`', 'default', 'values', 'meaning', '`make_batch` too'], rows)}\n\n"
        f"{table(['option of `make_batch` alone', 'default', 'values', 'meaning'], batch_rows)}\n\n"
        f"{_option_errors(game)}"
    )


def _option_errors(game: Game) -> str:
    if "pack" in _parameters(game.make_params):
        return "A value that isn't allowed raises `OptionError`, a pack that can't be used `PackError`; both say why."
    return "A value that isn't allowed raises `OptionError`, which says why."


def _default(game: Game, name: str, parameter: inspect.Parameter) -> str:
    """An option's default; None that stands for a default of the game says which."""
    if parameter.default is inspect.Parameter.empty:
        return "needed"
    meant = _parameters(game.make_params).get(name, parameter).default
    shown = literal(parameter.default)
    return shown if meant == parameter.default else f"{shown}, which is {literal(meant)}"


def _choices(values: Iterable[str]) -> str:
    return ", ".join(literal(value) for value in values)


def _words_of(name: str, words: dict[str, OptionWords]) -> OptionWords:
    if name not in words:
        raise RiverbedError(f"the card has no words for option {name!r}")
    return words[name]


def _option_words(game: Game) -> dict[str, OptionWords]:
    cap, counted = _cap_of(game)
    return {
        "num_players": OptionWords(game.player_counts, "how many play"),
        "pack": OptionWords(f"{_choices(pack_names(game.name))}, or the path of a `.toml` file", "the content pack"),
        "view": OptionWords(_choices(game.views), "how much of an [observation](#observation) is given"),
        "rewards": OptionWords(_choices(game.rewards), "how the end is paid: see [rewards](#rewards)"),
        "on_illegal": OptionWords(_choices(ON_ILLEGAL), "what an [illegal action](#illegal-actions) does"),
        "auto_forced": OptionWords(
            _choices(FORCED_NAMES), "which [forced decisions](#forced-decisions) are taken for the player"
        ),
        cap: OptionWords("from 1 on", f"the cap on {counted}, forced ones too, that truncates a game"),
        "max_cycles": OptionWords("from 1 on", f"another name for `{cap}`, which PettingZoo's registry uses"),
        "render_mode": OptionWords(f"{_choices(RENDER_MODES)}, `None`", "`render` returns text, or prints it"),
    }


_BATCH_WORDS = {
    "num_envs": OptionWords("from 1 on", "how many games are stepped together"),
    "seed": OptionWords(f"{_SEEDS}, `None`", "seed of the numbered games; `None` draws one"),
    "threads": OptionWords("1 to the number of cores", "how many threads share the games"),
    "first_game": OptionWords("from 0 on", "number of the game that the first environment plays"),
    "auto_reset": OptionWords("`True`, `False`", "whether the game n numbers further on replaces one that ends"),
}


# --- actions, observation, state --------------------------------------------------------------------------------------


def _actions(game: Game) -> str:
    starts = game.actions.starts
    rows = (
        [span(starts[block.name], block.size), block.name, _argument(block.size), block.doc]
        for block in game.actions.blocks
    )
    return (
        "An action's id is the first id of its block plus the argument.\n\n"
        f"{table(['ids', 'block', 'argument', 'meaning'], rows)}"
    )


def _argument(size: int) -> str:
    return "–" if size == 1 else span(0, size)


def _shape(piece: Piece) -> str:
    return " × ".join(map(str, piece.shape))


def _axis(axis: str) -> str:
    """An axis without the explanation in brackets, which the legend gives."""
    return axis.split(" (", maxsplit=1)[0]


def _legend(pieces: Iterable[Piece]) -> str:
    """What the axes count, where they say so in brackets."""
    known = {_axis(axis): axis.split(" (")[1].rstrip(")") for piece in pieces for axis in piece.axes if " (" in axis}
    return "; ".join(f"**{name}**: {meaning}" for name, meaning in known.items())


def _piece_row(pieces: PieceTable, piece: Piece) -> list[object]:
    axes = " × ".join(_axis(axis) for axis in piece.axes) or "–"
    index = span(pieces.start(piece.name), piece.size)
    return [index, code(piece.name), _shape(piece), axes, f"{piece.low} to {piece.high}", piece.visibility, piece.doc]


_PIECE_HEADER = ("index", "piece", "shape", "axes", "values", "visibility", "meaning")


def _observation(game: Game) -> str:
    pieces = game.observation
    views = sorted(game.views.items(), key=lambda view: view[1])
    tables = []
    for (_, before), (name, size) in pairwise([("", 0), *views]):
        added = [piece for piece in pieces.pieces if before <= pieces.start(piece.name) < size]
        title = f"View `{name}`" if before == 0 else f"What view `{name}` adds"
        tables.append(Section(title, table(_PIECE_HEADER, (_piece_row(pieces, piece) for piece in added))))
    return (
        "`observe(agent)` gives `{'observation': vector, 'action_mask': mask}` for any agent at any time. The vector "
        "is made of named pieces, one behind the other; a smaller view is the beginning of a larger one.\n\n"
        f"{_flat(pieces)} Visibility says whose knowledge a piece holds: {_visibility(pieces)}.\n\n"
        f"In code, `find_game({game.id!r}).observation.named(vector)` of `riverbed_env.registry` gives the pieces by "
        "name and in shape, `env.describe_observation(vector)` says them in words.\n\n"
        f"Axes: {_legend(pieces.pieces)}.\n\n{sections(tables, level=3)}"
    )


def _flat(pieces: PieceTable) -> str:
    """How entries of a piece with two axes are counted, on the first piece that isn't square."""
    piece = next(piece for piece in pieces.pieces if len(piece.shape) == 2)
    rows, columns = piece.shape
    start = pieces.start(piece.name)
    index = start + (rows - 1) * columns + 1
    return (
        "Entry (i, j) of a piece of shape m × n is at its first index + i × n + j; i and j count from 0. So entry "
        f"({rows - 1}, 1) of `{piece.name}` is at index {start} + {rows - 1} × {columns} + 1 = {index}."
    )


def _visibility(pieces: PieceTable) -> str:
    used = dict.fromkeys(piece.visibility for piece in pieces.pieces)
    return ", ".join(f"*{visibility}* {VISIBILITY[visibility]}" for visibility in sorted(used))


def _state(game: Game) -> str:
    state = game.state
    shown = [piece for piece in state.pieces if piece.visibility != "nobody"]
    hidden = [piece for piece in state.pieces if piece.visibility == "nobody"]
    behind = (
        f"Then comes {VISIBILITY['nobody']}; here too seats count from `player_0`.\n\n"
        f"{table(_PIECE_HEADER, (_piece_row(state, piece) for piece in hidden))}"
        if hidden
        else "Nothing is hidden from everybody, so that is all of it."
    )
    places = ([span(state.start(piece.name), piece.size), code(piece.name), _shape(piece)] for piece in shown)
    return (
        "`env.state()` gives the whole position as a vector in `state_space`, for critics that may see all; nothing "
        "else does. First comes what everybody sees, written as in an observation of `player_0`, so that seats count "
        "from `player_0`. What single seats know (visibility *own*) isn't part of it.\n\n"
        f"{table(['index', 'piece, as in an observation', 'shape'], places)}\n\n"
        f"{behind}"
    )


# --- rewards, end, randomness -----------------------------------------------------------------------------------------


_PAID = {
    "win": ("+1 to each winner, -1 to each loser", "-1 to all"),
    "zero_sum": ("+1/winners to each winner, -1/losers to each loser", "0 to all"),
}


def _rewards(game: Game, own: CardSections) -> str:
    names = game.rewards
    nobody = [["nobody wins", *(_PAID[name][1] for name in names)]] if own.nobody_wins else []
    rows = [
        ["somebody wins", *(_PAID[name][0] for name in names)],
        *nobody,
        *([ending, *([paid] * len(names))] for ending, paid in own.more_rewards),
        ["truncated by the cap", *("0 to all" for _ in names)],
        ['illegal action, `on_illegal="terminate"`', *("-1 to the offender, 0 to the others" for _ in names)],
    ]
    headers = ["end", *(code(f'rewards="{name}"') for name in names)]
    when = f"Nobody wins if {own.nobody_wins}. " if own.nobody_wins else ""
    return (
        f"{table(headers, rows)}\n\n"
        f"{when}Rewards come with the last action of a game, to all agents at once; before "
        "that every reward is 0. `terminations` of all agents are set then, or, at the cap, `truncations`."
    )


_CAPS = {"max_decisions": "decisions", "max_turns": "turns", "max_steps": "steps"}  # what a game's cap counts


def _cap_of(game: Game) -> tuple[str, str]:
    """The option that caps a game's length, and what it counts."""
    parameters = _parameters(game.make_params)
    return next((name, counted) for name, counted in _CAPS.items() if name in parameters)


def _cap(game: Game) -> str:
    name, counted = _cap_of(game)
    default = _parameters(game.make_params)[name].default
    return (
        f"A game that isn't over after `{name}` {counted} ({default:,} unless asked otherwise) is "
        "truncated. Forced decisions count, so the cap falls on the same moment whatever `auto_forced` says."
    )


_FORCED = """\
A decision with one legal answer can be taken for the player. `auto_forced` says when:

- `"public"`: where what everybody knows leaves one answer, so that being asked or not tells nobody anything;
- `"all"`: also where only the player asked knows that one answer is left. It is faster, but a player who isn't asked
  has shown something;
- `"none"`: never.

The same answers lead to the same game in all three; only how often agents are asked differs."""

_ILLEGAL = """\
`on_illegal="raise"`: `step` raises `IllegalActionError`, which names the seat, the action, the reason and what is
legal, and nothing changes. `on_illegal="terminate"`: the game ends at once with PettingZoo's values for an illegal
move, -1 to the offender and 0 to the others, and both `terminations` and `truncations` of all agents are set. A
batch always raises."""


def _seeds() -> str:
    return f"""\
Games are numbered. A seed ({_SEEDS}) and a number fix three random streams of a game: the deal, chance in play and
what players draw. So game k of a seed has the same deal whatever the players do, however many games are played
beside it, in whatever thread or process, in `env` and in `make_batch`.

- `env.reset(seed=s)` deals game 0 of seed s; `env.reset()` goes on to the next number, of a seed drawn from the
  operating system if none was given; `env.reset(options={{"game_number": k}})` deals game k.
- Lane i of a batch begins with game `first_game` + i and goes on in steps of n.

The streams are counter-based (Philox2x32-10) and part of a game's state: copies go on alike, and no global generator
is used."""


# --- rulings ----------------------------------------------------------------------------------------------------------


def _rulings(game: Game) -> str:
    page = RULES / f"{game.name}.md"
    if not page.is_file():
        return f"They are marked *Ruling:* in `docs/rules/{page.name}` of the library's sources."
    to = f"../rules/{page.name}"
    found = rulings(page.read_text(encoding="utf-8"))
    lines = "\n".join(
        f"- [{ruling.rule}]({to}{ruling.chapter}): {ruling.text.replace('](#', f']({to}#')}" for ruling in found
    )
    return f"Where the rulebook is silent, [the rules]({to}) decide:\n\n{lines}"


@dataclass(frozen=True)
class Ruling:
    """What a page of rules decides where its source is silent: under which rule, and the link to that chapter."""

    rule: str
    chapter: str
    text: str


def rulings(rules: str) -> list[Ruling]:
    """The rulings of a page of rules, in its order."""
    found: list[Ruling] = []
    rule = chapter = ""
    for block in _blocks(rules):
        if block.startswith("#"):
            chapter = anchor(block.lstrip("# "))
        if block.startswith(("#", "|", "`")):
            continue
        named = _RULE.match(block)
        rule = named.group(1) if named else rule
        found += [Ruling(rule, chapter, text) for text in _rulings_in(block)]
    return found


def _rulings_in(block: str) -> list[str]:
    """The rulings of a paragraph, each up to the next label."""
    ends = [label.start() for label in _LABEL.finditer(block)] + [len(block)]
    texts = [block[start:end] for start, end in pairwise(ends) if block.startswith(_RULING, start)]
    plain = [text.removeprefix(_RULING).strip() for text in texts]
    return [text[0].upper() + text[1:] for text in plain]


def _blocks(text: str) -> list[str]:
    """Titles, tables and paragraphs; a list is set under the paragraph before it where that ends with a colon."""
    blocks: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        if blocks and blocks[-1].endswith(":") and block.startswith("- "):
            blocks[-1] += "\n" + textwrap.indent(block, "  ")
        else:
            blocks.append(block.strip())
    return blocks


def main() -> None:
    """Write the cards of all games to the documentation."""
    for game in map(find_game, game_ids()):
        (DOCS / "games" / f"{game.name}.md").write_text(game_card(game), encoding="utf-8")


if __name__ == "__main__":
    main()
