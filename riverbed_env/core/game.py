"""What a game is to the rest of the library: its records, kernels, tables and packs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from riverbed_env.entries import load_game
from riverbed_env.kernels import common, loops
from riverbed_env.kernels.actions import ActionTable
from riverbed_env.kernels.compile import KernelFamily, Records
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.kernels.records import Fields, Law
from riverbed_env.kernels.vocab import OUT_OF_RANGE

P = ParamSpec("P")
R = TypeVar("R")

REWARDS = ("win", "zero_sum")
WITH_KERNELS = ("engine", "observe", "invariants", "resample", "exchange")  # modules of a game's rules


def copy_records(records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """A copy of structured records, byte for byte (NumPy's own leaves padding behind).

    Args:
        records: structured records of any dtype.

    Returns:
        (n,), of the same dtype.
    """
    whole = records.tobytes() if records.flags.c_contiguous else b"".join(record.tobytes() for record in records)
    return np.frombuffer(whole, np.uint8).copy().view(records.dtype)


def take_records(records: npt.NDArray[np.void], places: npt.NDArray[np.int64]) -> npt.NDArray[np.void]:
    """Copies of the records at these places, byte for byte (NumPy's own go field by field)."""
    return records.view(np.uint8).reshape(len(records), -1)[places].reshape(-1).view(records.dtype)


def put_records(records: npt.NDArray[np.void], given: npt.NDArray[np.void], places: npt.NDArray[np.int64]) -> None:
    """Overwrite the records at these places with the given ones there, byte for byte. given: (n,) like records."""
    own, others = (each.view(np.uint8).reshape(len(each), -1) for each in (records, given))
    own[places] = others[places]


def rows_of(columns: Mapping[str, npt.NDArray[np.generic]]) -> list[dict[str, Any]]:
    """A table's columns, each (n,), as one dictionary of plain values for each row."""
    plain = {name: column.tolist() for name, column in columns.items()}
    return [dict(zip(plain, row)) for row in zip(*plain.values())]


def later(module: str) -> Callable[[], ModuleType]:
    """A module that is imported when first needed.

    Args:
        module: its full name.

    Returns:
        A function that imports and returns it.
    """
    return lambda: import_module(module)


class Linked(Generic[P, R]):
    """A loop that is linked when it is first asked for. helpers: the loops that it calls, each on one thread."""

    def __init__(self, template: Callable[P, R], *helpers: Linked[..., Any]) -> None:
        self._template, self._helpers, self._name = template, helpers, template.__name__

    def __get__(self, owner: Loops, _: type[Loops] | None = None) -> Callable[P, R]:
        if self._name not in owner.__dict__:
            helpers = {helper._name: helper.__get__(owner.alone) for helper in self._helpers}
            owner.__dict__[self._name] = owner.link(self._template, helpers)
        linked: Callable[P, R] = owner.__dict__[self._name]
        return linked


class Loops:
    """A game's loops by name. kernels: the game's own, by the templates' names; alone: parallel ones' on one thread."""

    def __init__(self, game: str, family: KernelFamily, kernels: Mapping[str, Any], alone: Loops | None = None) -> None:
        self._game, self._family, self._kernels = game, family, kernels
        self._parallel, self.alone = alone is not None, alone or self

    write_row = Linked(loops.write_row)
    show_game = Linked(loops.show_game)
    serve = Linked(loops.serve, write_row)
    row_of = Linked(loops.row_of, write_row)
    full_states = Linked(loops.full_states)
    step_copies = Linked(loops.step_copies)
    returns_of_one = Linked(loops.returns_of_one)
    returns_of_all = Linked(loops.returns_of_all)
    deal_games = Linked(loops.deal_games)
    ask_all = Linked(loops.ask_all)
    step_pending = Linked(loops.step_pending)
    violations = Linked(loops.violations)
    count_illegal = Linked(loops.count_illegal)
    step_games = Linked(loops.step_games, count_illegal, show_game)
    observe_games = Linked(loops.observe_games, write_row)
    look_at_games = Linked(loops.look_at_games)
    resample_views = Linked(loops.resample_views)
    choose_randomly = Linked(loops.choose_randomly)
    stream_copies = Linked(loops.stream_copies)
    put_streams = Linked(loops.put_streams)
    replay_games = Linked(loops.replay_games, write_row)

    @cached_property
    def parallel(self) -> Loops:
        """The same loops on several threads."""
        return Loops(self._game, self._family, self._kernels, self)

    def link(self, template: Callable[..., Any], helpers: Mapping[str, Any]) -> Any:
        """A loop's template linked to the game's kernels and to `helpers`."""
        name = f"{self._game}_{template.__name__}{'_parallel' if self._parallel else ''}"
        return self._family.link(template, name, {**self._kernels, **helpers}, parallel=self._parallel)


@dataclass(frozen=True)
class Kernels:
    """The single-game kernels a game supplies; batch loops and environments are made of these alone.

    Args:
        reset: `reset(game, params, seed, number)` deals.
        step: `step(game, params, action)` -> refusal code, 0 legal.
        refusal: `refusal(game, params, seat, action)` -> code.
        current_seat: `current_seat(game)` -> seat or -1.
        ending: `ending(game)` -> 0 playing, 1 won, 2 truncated.
        write_mask: `write_mask(game, params, seat, out)`.
        observe: `observe(game, params, seat, view, out)`.
        write_state: `write_state(game, params, view, scratch, out)`.
        write_returns: `write_returns(game, zero_sum, out)`.
        agent_stream: `agent_stream(game)` -> STREAM.
        violation: `violation(game, params)` -> code, 0 sound.
        show: `show(game, params, seat, view, out)` writes what `observe` writes for one of the seats but needs no view
            filled, where that is quicker.
        chance_stream: `chance_stream(game)` -> STREAM is what chance in play draws from, if it does.
        exchange: `exchange(game, params, stream)` -> whether it changed anything, for games whose deal hides something.
            It exchanges hidden things of a deal before the first decision. The new deal must be as likely as the old
            one, and the way back as likely as the way there.
        pending: `pending(game, params)` -> bits of the seats that must still answer in this step, which are asked in
            ascending order; for games with simultaneous choices.
        write_pending_mask: `write_pending_mask(game, params, seat, out)`, the mask of a pending seat, asked already or
            not; for games with simultaneous choices.
        resample: `resample(view, params, stream, game)` fills a zeroed `game` with a random state that looks the same
            to the view's seat, for games whose hidden parts can be drawn. A seat that has a question is asked in it.
    """

    reset: Callable[..., Any]
    step: Callable[..., Any]
    refusal: Callable[..., Any]
    current_seat: Callable[..., Any]
    ending: Callable[..., Any]
    write_mask: Callable[..., Any]
    observe: Callable[..., Any]
    write_state: Callable[..., Any]
    write_returns: Callable[..., Any]
    agent_stream: Callable[..., Any]
    violation: Callable[..., Any]
    show: Callable[..., Any] | None = None
    chance_stream: Callable[..., Any] | None = None
    exchange: Callable[..., Any] | None = None
    pending: Callable[..., Any] | None = None
    write_pending_mask: Callable[..., Any] | None = None
    resample: Callable[..., Any] | None = None

    @classmethod
    def from_modules(cls, *modules: ModuleType) -> Kernels:
        """The kernels of these names in the modules.

        Args:
            modules: where to look, the first module first; `kernels.common` has the others.

        Returns:
            The kernels.

        Raises:
            TypeError: no module has a kernel that every game needs.
        """
        kernels = {
            name: getattr(module, name)
            for name in (field.name for field in fields(cls))
            for module in reversed((*modules, common))
            if hasattr(module, name)
        }
        return cls(**kernels)

    def names(self) -> dict[str, Callable[..., Any]]:
        """The names by which the loop templates call them.

        Returns:
            The kernels by name; optional ones that the game lacks are left out or stand for others.
        """
        stand_ins = {"show": self.observe, "chance_stream": self.agent_stream}
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return stand_ins | {name: kernel for name, kernel in given.items() if kernel is not None}


@dataclass(frozen=True)
class SummarySpec:
    """What tables show of finished games beside the winner, by names of columns (see `Game.columns`).

    Args:
        happened: heading -> column; the share of games in which it is above 0, among those whose column in `among` is
            true.
        among: heading -> column; a heading without one counts all games.
        means: heading -> column; its mean.
        score: the stem of the columns "<stem>_<seat>" with each seat's score; "" for none.
    """

    happened: Mapping[str, str] = field(default_factory=dict)
    among: Mapping[str, str] = field(default_factory=dict)
    means: Mapping[str, str] = field(default_factory=dict)
    score: str = ""


NO_ROLE = -1  # in place of the role of an empty seat


def seated_roles(games: npt.NDArray[np.void], roles: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The roles of as many seats as the largest of these games has, NO_ROLE in empty ones. roles: (n, most seats)."""
    counts = games["table"]["num_players"]
    seats = np.arange(counts.max())
    return np.where(seats < counts[:, None], roles[:, seats], np.int8(NO_ROLE))


def one_role(games: npt.NDArray[np.void]) -> npt.NDArray[np.int8]:
    """The role of each seat in a game with one role, (n, seats) int8: 0, NO_ROLE in empty seats."""
    return seated_roles(games, np.zeros((len(games), int(games["table"]["num_players"].max())), np.int8))


def camps_among(seated: npt.NDArray[np.integer], num_camps: int) -> npt.NDArray[np.bool_]:
    """Which camps are in play, (n, camps) bool. seated: the camp of each seat, (n, seats)."""
    return np.stack([(seated == camp).any(axis=1) for camp in range(num_camps)], axis=1)


@dataclass(frozen=True, eq=False)  # a process has one of each
class Game:
    """A game as environments, batches, agents and commands use it.

    Args:
        name: The plain name, like "riverbed_hunt".
        title: The name that people read.
        version: The number in `id`.
        registry_id: The name in PettingZoo's and Gymnasium's registries.
        family: The family of the game's kernels.
        dtype: Of a game record.
        view_dtype: Of a view record, what a seat may know.
        kernels: The single-game kernels.
        actions: The table of actions.
        observation: The pieces of an observation.
        views: The length of the observation of each view, by name.
        state: The pieces of the full state.
        min_players: The fewest that can play.
        max_players: The most that can play.
        default_players: How many play by default.
        roles: The names of the roles; a role's number is its place.
        camps: The names of the camps; a camp's number is its place.
        camp_of_role: The camp's name of each role's name.
        columns: Gives one row for each finished game: "game", "winner" (index in `camps`, -1 if none), "nobody_won",
            "truncated", "decisions" and the game's own.
        make_params: `make_params(num_players=…, **options)` gives the (1,) params array and the content pack.
        load_words: Gives the module of words.
        load_card: Gives the module of the game's card.
        summary: Which columns tables show.
        roles_of: Gives the role number of each seat of each game (default 0), NO_ROLE for seats that aren't there.
        sequences: The options of `make_params` whose one value is a sequence.
        variants: Sets of options that change what is played, for tests and tables.
        rewards: The kinds of rewards that make sense.
        load_pack: Reads a content pack, for games that have any.
        fields: The record's fields with their ranges, which `violations` checks before it calls the kernel; without
            them the kernel must check ranges itself.
        laws: What holds for sound states beyond their ranges: the code of a violation, and which of (n,) games with
            params (1,) keep the law, (n,) bool. The kernel reads only games that keep them all.
        load_drawing: Gives the package that draws the table, for games that have one.
        load_deduction: Gives the module `deduction.service` of `from_package`.
        load_texts: Gives the module `words.speech` of `from_package`.
        every_deal: `every_deal(params)` gives a record of every deal and the deals' probabilities, for games that can
            be small; it raises OptionError if there are too many.
    """

    name: str
    title: str
    version: int
    registry_id: str
    family: KernelFamily
    dtype: np.dtype[np.void]
    view_dtype: np.dtype[np.void]
    kernels: Kernels
    actions: ActionTable
    observation: PieceTable
    views: Mapping[str, int]
    state: PieceTable
    min_players: int
    max_players: int
    default_players: int
    roles: tuple[str, ...]
    camps: tuple[str, ...]
    camp_of_role: Mapping[str, str]
    columns: Callable[[npt.NDArray[np.void]], dict[str, npt.NDArray[np.generic]]]
    make_params: Callable[..., tuple[npt.NDArray[np.void], Any]]
    load_words: Callable[[], Any]
    load_card: Callable[[], Any]
    summary: SummarySpec
    roles_of: Callable[[npt.NDArray[np.void]], npt.NDArray[np.int8]] = one_role
    sequences: tuple[str, ...] = ()
    variants: tuple[Mapping[str, Any], ...] = ({},)
    rewards: tuple[str, ...] = REWARDS
    load_pack: Callable[[str | Path], Any] | None = None
    fields: Fields | None = None
    laws: tuple[Law, ...] = ()
    load_drawing: Callable[[], Any] | None = None
    load_deduction: Callable[[], Any] | None = None
    load_texts: Callable[[], Any] | None = None
    every_deal: Callable[[npt.NDArray[np.void]], tuple[npt.NDArray[np.void], npt.NDArray[np.float64]]] | None = None

    @classmethod
    def from_package(cls, package: str, **declared: Any) -> Game:
        """A game whose package has the same modules and names as the library's own games.

        `rules` itself has the family `kernel`, and the modules `actions` (ACTIONS), `pieces` (OBSERVATION, STATE,
        VIEWS), `state` (GAME_FIELDS, VIEW) and those with the single-game kernels: `engine`, `observe`, `invariants`
        (with LAWS, if any) and, if they fill files of their own, `resample` and `exchange`. `content` has `pack`
        (make_params, load_pack if there are packs) and `summary` (ROLE_NAMES, CAMP_NAMES, CAMP_OF_ROLE, SUMMARY_SPEC,
        columns, roles_of if there are roles); `words` has `text` and `card`; `drawing` is what `core.frame.Drawing`
        says. Where seats say texts, `words` has `speech`: takes_texts, has_floor, is_talk, check_may_say,
        actions_of and SILENCE. Where roles are hidden, `deduction` may have `service`: beliefs, draw_games,
        public_views and claim_rewards.

        Args:
            package: The package's name, like "riverbed_env.games.riverbed_hunt"; its last part is the game's name.
            declared: The other arguments of `Game`, like title, version and registry_id.

        Returns:
            The game.
        """
        names = ("actions", "engine", "invariants", "observe", "pieces", "state")
        hidden = [name for name in ("resample", "exchange") if find_spec(f"{package}.rules.{name}")]
        rules = {name: import_module(f"{package}.rules.{name}") for name in (*names, *hidden)}
        pack, summary = import_module(f"{package}.content.pack"), import_module(f"{package}.content.summary")
        pieces, state = rules["pieces"], rules["state"]
        if hasattr(summary, "roles_of"):
            declared["roles_of"] = summary.roles_of
        return cls(
            name=package.rpartition(".")[2],
            family=import_module(f"{package}.rules").kernel,
            dtype=state.GAME_FIELDS.dtype,
            fields=state.GAME_FIELDS,
            laws=getattr(rules["invariants"], "LAWS", ()),
            view_dtype=state.VIEW,
            kernels=Kernels.from_modules(*(rules[name] for name in WITH_KERNELS if name in rules)),
            actions=rules["actions"].ACTIONS,
            observation=pieces.OBSERVATION,
            views=pieces.VIEWS,
            state=pieces.STATE,
            roles=summary.ROLE_NAMES,
            camps=summary.CAMP_NAMES,
            camp_of_role=summary.CAMP_OF_ROLE,
            columns=summary.columns,
            summary=summary.SUMMARY_SPEC,
            make_params=pack.make_params,
            load_pack=getattr(pack, "load_pack", None),
            load_words=later(f"{package}.words.text"),
            load_card=later(f"{package}.words.card"),
            load_drawing=later(f"{package}.drawing"),
            load_texts=later(f"{package}.words.speech") if find_spec(f"{package}.words.speech") else None,
            load_deduction=later(f"{package}.deduction.service") if find_spec(f"{package}.deduction") else None,
            **declared,
        )

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        """A game is pickled and copied by its name: a process has one of each."""
        return load_game, (self.id,)

    @property
    def id(self) -> str:
        """The environment's versioned name, like "riverbed_hunt_v1"."""
        return f"{self.name}_v{self.version}"

    @property
    def folders(self) -> tuple[Path, ...]:
        """The source folders that a game's results depend on: kernels, rules and content."""
        content = Path(inspect.getfile(self.columns)).parent
        return tuple(dict.fromkeys((*self.family.folders, content)))

    @property
    def player_counts(self) -> str:
        """The player counts as text: "4 to 9", or "2"."""
        few, many = self.min_players, self.max_players
        return str(few) if few == many else f"{few} to {many}"

    @property
    def simultaneous(self) -> bool:
        """Whether seats choose at the same time in some phases."""
        return self.kernels.pending is not None

    def camps_present(self, games: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
        """Which camps are in play.

        Args:
            games: (n,) game records.

        Returns:
            (n, camps) bool, in the order of `camps`.
        """
        return camps_among(self.camps_of(self.roles_of(games)), len(self.camps))

    def camps_of(self, roles: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """The camp of each role by its number.

        Args:
            roles: numbers of roles of any shape, -1 in empty seats.

        Returns:
            Numbers in `camps`, -1 in empty seats, in the same shape.
        """
        return np.array([*(self.camps.index(self.camp_of_role[role]) for role in self.roles), NO_ROLE])[roles]

    def ended_columns(self, games: npt.NDArray[np.void]) -> dict[str, npt.NDArray[np.generic]]:
        """`columns` of games that ended, with each seat's role where there are several roles.

        Args:
            games: (n,) game records; n may be 0.

        Returns:
            Arrays (n,) by name. Where there are several roles also "role_0", …: each seat's number in `roles`, -1 for
            seats that weren't there.
        """
        count = len(games)
        records = games if count else np.zeros(1, self.dtype)  # games don't tell of none
        columns = dict(self.columns(records))
        if len(self.roles) > 1:
            roles = np.full((self.max_players, len(records)), NO_ROLE, np.int8)
            held = self.roles_of(records).T
            roles[: len(held)] = held
            columns |= {f"role_{seat}": role for seat, role in enumerate(roles)}
        return {name: column[:count] for name, column in columns.items()}

    def returns(self, games: npt.NDArray[np.void], num_players: int) -> npt.NDArray[np.float32]:
        """Every seat's return under `rewards="win"` in finished games.

        Args:
            games: (n,) game records.
            num_players: How many seats to give.

        Returns:
            (n, num_players) float32.
        """
        returns = np.zeros((len(games), num_players), np.float32)
        self.loops.returns_of_all(games, 0, returns)
        return returns

    def violations(self, games: npt.NDArray[np.void], params: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
        """The game's code of the invariant that each record breaks.

        Args:
            games: (n,) game records.
            params: (1,), those of the games.

        Returns:
            (n,) int64; 0 for a state that the rules can reach.
        """
        codes, left = np.zeros(len(games), np.int64), np.arange(len(games))
        ranges = () if self.fields is None else ((OUT_OF_RANGE, self.fields.within),)
        for code, holds in (*ranges, *self.laws):
            if not len(games):
                break
            kept = holds(games, params)
            if not kept.all():
                codes[left[~kept]] = code
                games, left = take_records(games, np.flatnonzero(kept)), left[kept]
        found = np.zeros(len(games), np.int64)
        self.loops.violations(games, params, found)
        codes[left] = found
        return codes

    def look_at(
        self, games: Records, params: Records, which: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]
    ) -> Records:
        """The view of a seat of each of n games, (n,). which: (n,), the row of each game's params; seats: (n,)."""
        views, scratch = np.zeros(len(games), self.view_dtype), np.zeros(min(self.views.values()), np.int8)
        self.loops.look_at_games(games, params, which, seats, views, scratch)
        return views

    @property
    def splits(self) -> Mapping[str, Sequence[str]]:
        """The names of the packs of each split, by the split's name; empty for games that draw no packs."""
        splits: Mapping[str, Sequence[str]] = getattr(self.load_pack, "splits", {})
        return splits

    #: The game's module of words, imported when first asked for, like those below.
    words = cached_property(lambda game: game.load_words())
    #: The game's package that draws its table (see `core.frame.Drawing`), or None if it has none.
    drawing = cached_property(lambda game: game.load_drawing and game.load_drawing())
    #: The game's module of free text (see `core.transcript`), or None if none is said.
    texts = cached_property(lambda game: game.load_texts and game.load_texts())
    #: The game's module of what a seat can conclude (see `riverbed_env.worlds`), or None if it has none.
    deduction = cached_property(lambda game: game.load_deduction and game.load_deduction())

    @cached_property
    def loops(self) -> Loops:
        """The loops of `kernels.loops` over this game's kernels, like `game.loops.serve`."""
        return Loops(self.name, self.family, {"NUM_ACTIONS": self.actions.size, **self.kernels.names()})
