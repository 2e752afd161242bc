"""Opening a table: what a request asks for, checked as all other options of the library are."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_known
from riverbed_env.core.packs import game_of_pack, pack_hash, pack_names
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError, RiverbedError, did_you_mean
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.players.factories import parameters_of, read_parameters
from riverbed_env.players.installed import agent_parameters, list_agents, load_installed, usual_agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game, game_ids

from .names import checked_name
from .record import SeatKind
from .store import Seat, TableRow

LONGEST_NAME = 24  # characters of a person's name
MOST_TIMES = 4  # the usual value of an agent's parameter, over the network
SLOWEST = 10.0  # s between agents' moves
USUAL_PACE = 0.7
OWN_FIELDS = ("num_players", "pack")  # options that a request names apart
ROLES = "roles"  # an option; at a table the role of the first person, or "random"

Value = str | int | float | bool | None
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Spec = Annotated[str, Field(max_length=200)]


@dataclass(frozen=True)
class SeatWish:
    """Who is to sit in a seat. agent: its spec, for agents; name: what the others read, for persons."""

    __pydantic_config__: ClassVar = NOTHING_ELSE

    kind: SeatKind
    agent: Spec | None = None
    name: Name | None = None


@dataclass(frozen=True)
class Opening:
    """What a request for a table says; None is the usual."""

    __pydantic_config__: ClassVar = NOTHING_ELSE

    game: str
    players: int | None = None
    options: dict[str, Value] | None = None
    pack: str | None = None
    seed: int | str | None = None
    seats: tuple[SeatWish, ...] | None = None
    pace: Annotated[float, Field(ge=0, le=SLOWEST)] = USUAL_PACE
    listed: bool = True


@dataclass(frozen=True)
class Menu:
    """What may be asked for beside what is installed. agents: specs; packs: paths. Who starts the server names them.

    A spec can name a file with code, and a pack a path: only who starts the server may do that.
    """

    agents: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise RiverbedError if an agent or pack fits no game."""
        games = [find_game(game) for game in game_ids()]
        for spec in self.agents:
            if not any(_fits(spec, game) for game in games):
                find_agent(spec, games[0].id)  # raises an error that says why
        for path in self.packs:
            game_of_pack(Path(path))

    def agents_of(self, game: Game) -> list[str]:
        """The agents that can sit at a game's tables, by name; parameters may follow those that are installed."""
        return [*list_agents(game.name), *(spec for spec in self.agents if _fits(spec, game))]

    def packs_of(self, game: Game) -> dict[str, str]:
        """The packs of a game by the names that requests give them, and what they hold."""
        if game.load_pack is None:
            return {}
        loaded = {name: game.load_pack(name) for name in pack_names(game.name)}
        packs = {name: pack.contents for name, pack in loaded.items() if not getattr(pack, "small", False)}
        for path in self.packs:
            try:
                packs[path] = game.load_pack(path).contents
            except RiverbedError:  # of another game
                continue
        return packs


def _fits(spec: str, game: Game) -> bool:
    try:
        find_agent(spec, game.id)
    except OptionError:
        return False
    return True


def read_opening(content: Any) -> Opening:
    """The request's content. Raises OptionError if it isn't one."""
    return of_kind(Opening, content, "the table")


def read_seat(content: Any) -> SeatWish:
    """The content of a request about one seat. Raises OptionError if it isn't one."""
    return of_kind(SeatWish, content, "the seat")


def plan(opening: Opening, menu: Menu) -> TableRow:
    """A table to open, still without id and tokens. Raises RiverbedError with the first thing that can't be."""
    if opening.game not in game_ids():
        raise OptionError(f"there is no game {opening.game!r}{did_you_mean(opening.game, game_ids())}")
    game = find_game(opening.game)
    options = _options(game, opening, menu)
    params, pack = game.make_params(**options)
    players = int(params["num_players"][0])
    return TableRow(
        id="",
        game=game.id,
        options=options,
        players=players,
        pack=pack_hash(pack) or None,
        seed=fresh_seed() if opening.seed is None else _seed(opening.seed),
        seed_chosen=opening.seed is not None,
        pace=float(opening.pace),
        listed=opening.listed,
        owner=b"",
        seats=_seats(game, players, opening.seats, menu),
    )


def _options(game: Game, opening: Opening, menu: Menu) -> dict[str, Any]:
    options: dict[str, Any] = dict(opening.options or {})
    check_known(game, options)
    for name in OWN_FIELDS:
        if name in options:
            raise OptionError(f"{name} isn't given among the options: the table has players and pack of its own")
    if opening.pack is not None:
        packs, generated = menu.packs_of(game), getattr(game.load_pack, "generated", None)
        if opening.pack not in packs and not (generated and opening.pack in generated):
            known = ", ".join(packs) or "none"
            raise OptionError(f"{game.id} has no pack {opening.pack!r} here; there are: {known}")
        options["pack"] = opening.pack
    if options.get(ROLES) in game.roles:
        options[ROLES] = {f"player_{_first_person(opening)}": options[ROLES]}
    return {"num_players": game.default_players if opening.players is None else opening.players, **options}


def _first_person(opening: Opening) -> int:
    """The first person's seat; who opens a table without saying who sits there sits in seat 0."""
    kinds = [wish.kind for wish in opening.seats or ()]
    return kinds.index("person") if "person" in kinds else 0


def _seed(given: int | str) -> int:
    """A seed as a number. Pages write it as text: their numbers are too small for it."""
    return check_seed(int(given) if isinstance(given, str) and given.isascii() and given.isdigit() else given)


def _seats(game: Game, players: int, wishes: tuple[SeatWish, ...] | None, menu: Menu) -> tuple[Seat, ...]:
    if wishes is None:
        wishes = (SeatWish("person"), *[SeatWish("agent", usual_agent(game.name))] * (players - 1))
    if len(wishes) != players:
        raise OptionError(f"there are {players} seats, and the table says who sits in {len(wishes)}")
    seats: list[Seat] = []
    for number, wish in enumerate(wishes):
        seats.append(seat_of(game, wish, menu, number, [seat.name for seat in seats if seat.kind == "person"]))
    return tuple(seats)


def seat_of(game: Game, wish: SeatWish, menu: Menu, number: int, others: Iterable[str]) -> Seat:
    """Who is to sit in seat `number`, where persons called `others` sit. Raises OptionError if they may not."""
    if wish.kind == "person":
        if wish.agent is not None:
            raise OptionError(f"seat {number} is a person's, so it has no agent")
        return Seat("person", checked_name(wish.name or "", game, others) or f"player_{number}")
    spec = wish.agent or usual_agent(game.name)
    known = menu.agents_of(game)
    if spec not in known:
        installed = spec.partition(":")[0]
        if installed not in list_agents(game.name) or not agent_parameters(installed, game.name):
            hint = did_you_mean(spec, known)
            raise OptionError(f"{game.id} has no agent {spec!r} here{hint}; there are: {', '.join(known)}")
        _check_parameters(spec, game)
    return Seat("agent", checked_name(wish.name or "", game, others) or spec, spec)


def _check_parameters(spec: str, game: Game) -> None:
    """Raise OptionError for parameters that only who starts the server may set: files, and what costs too much."""
    name, _, words = spec.partition(":")
    known = parameters_of(load_installed(name, game.name))
    for parameter, value in read_parameters(spec, known, words).items():
        usual = known[parameter].default
        if isinstance(value, str):
            raise OptionError(f"agent {name!r}: only who starts the server sets {parameter} ('serve --agent')")
        most = MOST_TIMES * usual
        if not isinstance(value, bool) and not -most <= value <= most:
            more = "only who starts the server sets more ('serve --agent')"
            raise OptionError(f"agent {name!r}: {parameter} is at most {most} at a table, not {value}; {more}")
    find_agent(spec, game.id)  # checks the values
