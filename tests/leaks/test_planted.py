"""The leak tests over all games can fail: leaks planted in every channel and in every game are found, and by name.

The first half plants a number made of all that twins differ in, in one game of each kind. The second half plants
mistakes that could be made in each game. Kernels are planted as plain Python round the compiled ones, so that nothing
is compiled again.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hidden import HIDDEN, PACES
from together import search_paces, search_parallel, search_steps

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game, copy_records
from riverbed_env.envs.aec import Observation, TurnEnv
from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules import actions as rats_actions
from riverbed_env.games.river_rats.rules import vocab as rats
from riverbed_env.games.river_rats.rules.observe import write_observation as write_rats
from riverbed_env.games.river_rats.rules.state import look as look_at_rats
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules import actions as hunt_actions
from riverbed_env.games.riverbed_hunt.rules import vocab as hunt
from riverbed_env.games.riverbed_hunt.rules.knowledge import learn
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.stack import record_event as record_hunt_event
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules import vocab as side
from riverbed_env.games.riverside.rules.observe import write_observation as write_side
from riverbed_env.games.riverside.rules.state import look as look_at_side
from riverbed_env.games.riverside.rules.state import record_event
from riverbed_env.kernels.compile import KernelFamily, Vector
from riverbed_env.kernels.random import draw
from riverbed_env.registry import find_game
from riverbed_env.testing.hidden import HiddenWorlds, Leak, everything, searched
from riverbed_env.testing.hidden.worlds import contents

Games = npt.NDArray[np.void]


class Plain(KernelFamily):
    """Kernels that stay plain Python."""

    def _decorate(self, function: Any, *, parallel: bool, inline: bool = False) -> Any:
        return function


PLAIN = Plain("planted", Path(__file__).parent)


def planted(game: Game, **kernels: Callable[..., Any]) -> Game:
    """The game with some of its kernels replaced."""
    return replace(game, family=PLAIN, kernels=replace(game.kernels, **kernels))


def hidden_in(game: Game) -> HiddenWorlds:
    """What a game with planted kernels hides."""
    return replace(HIDDEN[game.id], game=game)


def found_in(
    game: Game, parts: Sequence[str] | None = None, games: int = 2, num_players: int | None = None, **options: Any
) -> set[str]:
    """The names of the first leak that is found; empty if there is none. parts: of twins, all by default."""
    worlds = hidden_in(game)
    count = num_players or game.default_players
    try:
        searched(worlds, count, games, parts=parts, channels=everything(worlds), steps=12, **options)
        if game.simultaneous:
            for search in (search_steps, search_parallel, search_paces):
                search(worlds, {}, game.default_players)
    except Leak as leak:
        return set(leak.names)
    return set()


ONE_OF_EACH_KIND = pytest.mark.parametrize("game_id", ["river_rats_v0", "riverside_v0"])


# --- the same leaks in a game of each kind ----------------------------------------------------------------------------


def hidden_number(game: Game, record: np.void, seat: int) -> int:
    """A number made of all that a twin may differ in, the seat's own part left out."""
    touched = HIDDEN[game.id].touches
    content = [held for name, place, held in contents(record) if name in touched and place != seat]
    return zlib.crc32(b"".join(content))


def secret_of(env: TurnEnv, agent: str | int | None) -> int:
    """The number, from an environment."""
    return hidden_number(env.game, env._games[0], 0 if agent is None else env._seat(agent))


def in_observation(env: TurnEnv, agent: str, seen: Observation) -> Observation:
    vector = seen["observation"].copy()
    vector[-1] = secret_of(env, agent) % 128
    return {**seen, "observation": vector}


def in_mask(env: TurnEnv, agent: str, seen: Observation) -> Observation:
    mask = seen["action_mask"].copy()
    legal = np.flatnonzero(mask)
    mask[legal[secret_of(env, agent) % len(legal)]] = len(legal) == 1
    return {**seen, "action_mask": mask}


def in_info(env: TurnEnv, agent: str, seen: Observation) -> Observation:
    env.infos[agent] = {**env.infos[agent], "seed": secret_of(env, agent)}
    return seen


def in_order_of_keys(env: TurnEnv, agent: str, seen: Observation) -> Observation:
    keys = ["first", "second", "third", "fourth", "fifth", "sixth"]
    order = np.random.default_rng(secret_of(env, agent)).permutation(keys).tolist()
    env.infos[agent] = {"action_mask": seen["action_mask"], **dict.fromkeys(order, 0)}
    return seen


def in_reward(env: TurnEnv, agent: str, seen: Observation) -> Observation:
    env.rewards = {**env.rewards, agent: float(secret_of(env, agent) % 1000)}
    return seen


def in_the_smaller_view(env: TurnEnv, agent: str, seen: Observation) -> Observation:
    return in_observation(env, agent, seen) if env.view == "now" else seen


def chance_among_events(env: TurnEnv, viewer: str, told: list[str]) -> list[str]:
    return [*told, f"chance {env.game.kernels.agent_stream(env._games[0])['key']}"]


# What shows it: the method, what `change(env, agent, value)` makes of its value, and how the channel's name begins.
CHANNELS: dict[str, tuple[str, Callable[[TurnEnv, str, Any], Any], str]] = {
    "observation": ("observe", in_observation, "observation"),
    "view now": ("observe", in_the_smaller_view, "observation (now)"),
    "mask": ("observe", in_mask, "mask"),
    "info": ("observe", in_info, "info seed"),
    "order": ("observe", in_order_of_keys, "info"),
    "reward": ("observe", in_reward, "reward"),
    "state": ("describe_state", lambda env, seat, told: f"{told} {secret_of(env, seat)}", "state in words"),
    "picture": ("render", lambda env, seat, drawn: f"{drawn}{' ' * (secret_of(env, seat) % 50)}", "picture"),
    "events": ("describe_events", chance_among_events, "events in words"),
    "actions": ("describe_action", lambda env, seat, told: f"{told} {secret_of(env, seat) % 1000}", "actions in words"),
}


def telling(method: str, change: Callable[[TurnEnv, str, Any], Any]) -> type[TurnEnv]:
    """An environment with `change(env, agent, value)` done to what a method returns; the agent is its last argument."""

    def told(self: TurnEnv, *arguments: Any, **named: Any) -> Any:
        agent = named.get("viewer", arguments[-1] if arguments else None)
        return change(self, agent, getattr(TurnEnv, method)(self, *arguments, **named))

    return type("Telling", (TurnEnv,), {method: told})


@pytest.mark.parametrize("channel", CHANNELS)
@ONE_OF_EACH_KIND
def test_a_secret_in_any_channel_is_found(game_id: str, channel: str) -> None:
    method, change, name = CHANNELS[channel]
    kind = telling(method, change)

    def make(game: Game, num_players: int, **options: Any) -> TurnEnv:
        return kind(game, num_players=num_players, render_mode="ansi", **options)

    told = found_in(find_game(game_id), make=make)
    assert any(each.startswith(name) for each in told), told


@ONE_OF_EACH_KIND
def test_a_secret_in_the_rows_of_a_batch_is_found(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    observe = Batch.observe

    def tell(self: Batch, seats: npt.ArrayLike) -> tuple[Vector, Vector]:
        observations, masks = observe(self, seats)
        observations[0, 0] = hidden_number(self.game, self.games[0], int(np.max(seats))) % 128
        return observations, masks

    monkeypatch.setattr(Batch, "observe", tell)
    assert any(name.startswith("batch") for name in found_in(find_game(game_id)))


@pytest.mark.parametrize("game_id", PACES)
@pytest.mark.parametrize("search", [search_parallel, search_paces])
def test_a_secret_in_a_parallel_environment_alone_is_found(
    game_id: str, search: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    row_of = SimultaneousEnv._row_of

    def tell(self: SimultaneousEnv, seat: int) -> npt.NDArray[np.int8]:
        row = row_of(self, seat)
        row[0] = hidden_number(self.game, self._games[0], seat) % 128
        return row

    monkeypatch.setattr(SimultaneousEnv, "_row_of", tell)
    worlds = HIDDEN[game_id]
    with pytest.raises(Leak):
        search(worlds, {}, worlds.game.default_players)


# --- mistakes that could be made --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mistake:
    """A game with a mistake, how the names of the channels that show it begin, and what finds it (see `found_in`)."""

    game: Game
    told_by: tuple[str, ...]
    search: Mapping[str, Any] = field(default_factory=dict)


def seeing(game: Game, change: Callable[[np.void, np.void, int, Vector], None]) -> Game:
    """The game with `change(record, params, seat, out)` done to its observations."""

    def observe(record: np.void, params: np.void, seat: int, view: np.void, out: Vector) -> None:
        game.kernels.observe(record, params, seat, view, out)
        change(record, params, seat, out)

    return planted(game, observe=observe)


def masking(game: Game, change: Callable[[np.void, int, Vector], None]) -> Game:
    """The game with `change(record, seat, mask)` done to the masks of asked seats, which never become empty."""

    def write_mask(record: np.void, params: np.void, seat: int, out: Vector) -> None:
        game.kernels.write_mask(record, params, seat, out)
        kept = out.copy()
        if game.kernels.current_seat(record) == seat:
            change(record, seat, out)
        if not out.any():
            out[:] = kept

    return planted(game, write_mask=write_mask)


def stepping(game: Game, change: Callable[[np.void, np.void, np.void, int], None]) -> Game:
    """The game with `change(before, record, params, action)` done after each legal step."""

    def step(record: np.void, params: np.void, action: int) -> int:
        before = copy_records(np.array([record]))[0]
        refused = int(game.kernels.step(record, params, action))
        if refused == 0:
            change(before, record, params, action)
        return refused

    return planted(game, step=step)


def refusing(game: Game, change: Callable[[np.void, int, int, int], int]) -> Game:
    """The game with `change(record, seat, action, code)` for the reasons why actions are refused."""

    def refusal(record: np.void, params: np.void, seat: int, action: int) -> int:
        code = int(game.kernels.refusal(record, params, seat, action))
        return change(record, seat, action, code) if code else 0

    return planted(game, refusal=refusal)


# Riverbed Hunt.


def neighbour(record: np.void, seat: int) -> np.void:
    return record["private"][(seat + 1) % int(record["table"]["num_players"])]


def with_the_tile_below(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    space = int(record["table"]["position"][seat])
    if space >= 0:
        out[AT.known_tiles + 8 * space] = record["tile_at"][space]


def no_co_op_with_the_profiteer(record: np.void, seat: int, out: Vector) -> None:
    count = int(record["table"]["num_players"])
    if record["table"]["question"] == hunt.Question.SEAT:
        for clockwise in range(count):
            if record["private"][(seat + clockwise) % count]["role"] == hunt.Role.PROFITEER:
                out[hunt_actions.A.SEAT + clockwise] = 0


def what_a_seat_knows_is_shared(before: np.void, record: np.void, params: np.void, action: int) -> None:
    seat = int(before["table"]["asked"])
    for space, tile in enumerate(record["private"][seat]["known"].tolist()):
        if hunt.NO_TILE != tile <= hunt.NUM_TILES:
            learn(neighbour(record, seat), tile, space)


def views_are_told(before: np.void, record: np.void, params: np.void, action: int) -> None:
    """The event of a view names the tile, in the place of a space, as states allow."""
    seat, space = int(before["table"]["asked"]), action - hunt_actions.A.SPACE
    if before["table"]["question"] == hunt.Question.VIEW:
        tile = int(record["tile_at"][space]) % hunt.NUM_SPACES
        record_hunt_event(record["table"], hunt.Event.VIEW, seat, hunt.NOBODY, space, tile, 0)


# River Rats.


def next_seat(record: np.void, seat: int) -> int:
    return (seat + 1) % int(record["table"]["num_players"])


def with_the_wrong_hand(record: np.void, params: np.void, seat: int, view: np.void, out: Vector) -> None:
    """The next seat's hand counts as seen to be taken."""
    look_at_rats(record, seat, view)
    other = next_seat(record, seat)
    view["table"]["taken"][other] = record["private"][other]["hand"]
    write_rats(view, params, out)


def debts_stay_open(before: np.void, record: np.void, params: np.void, action: int) -> None:
    debts = [card for card in record["debt"].tolist() if card != rats.NO_CARD]
    record["table"]["debt_seen"] = sum(1 << card for card in debts)


def refused_by_the_hand(record: np.void, seat: int, action: int, code: int) -> int:
    """A seat that isn't asked hears whether the asked one holds the card."""
    asked, card = int(record["table"]["asked"]), action - rats_actions.A.CARD
    held = asked >= 0 and 0 <= card < 52 and int(record["private"][asked]["hand"]) >> card & 1
    return rats.Refusal.NOT_IN_HAND if held and code == rats.Refusal.NOT_ASKED else code


def has_debts_at_stake(env: TurnEnv, rng: np.random.Generator) -> bool:
    return bool(env._games[0]["table"]["pile_size"] > 1 and rng.random() < 0.3)


# Debts are redrawn, and cards with which they can change places that don't come to light at once.
BEFORE_DEBTS_ARE_PAID = {"parts": ("debts", "hands"), "stop": has_debts_at_stake, "games": 6}


# Riverside.


def with_true_sheets(record: np.void, params: np.void, seat: int, view: np.void, out: Vector) -> None:
    """Everybody's sheet as it is, not as it was when the phase began."""
    look_at_side(record, seat, view)
    view["sheets"] = record["private"]["sheet"]
    write_side(view, params, out)


def dice_are_told_at_once(before: np.void, record: np.void, params: np.void, action: int) -> None:
    seat = int(before["timing"]["asked"])
    die = int(record["private"][seat]["die"])
    if before["private"][seat]["die"] == side.NO_DIE and die != side.NO_DIE:
        record_event(record["table"], side.Event.CHOOSE, seat, die, -1, 1, 0)


# Deep River.


def next_word(record: np.void) -> int:
    """What the players' stream gives next."""
    return draw(record["agents"].copy())


def tokens_by_chance(record: np.void, seat: int, out: Vector) -> None:
    """Only one of the legal actions is offered: the one that chance would choose."""
    legal = np.flatnonzero(out)
    out[:] = 0
    out[legal[next_word(record) % len(legal)]] = 1


MISTAKES = {
    "a tile": Mistake(seeing(RIVERBED_HUNT, with_the_tile_below), ("observation known_tiles",)),
    "a role in a mask": Mistake(masking(RIVERBED_HUNT, no_co_op_with_the_profiteer), ("mask",)),
    "knowledge is shared": Mistake(stepping(RIVERBED_HUNT, what_a_seat_knows_is_shared), ("observation possible",)),
    "views are told": Mistake(stepping(RIVERBED_HUNT, views_are_told), ("event player_",)),
    "a hand": Mistake(planted(RIVER_RATS, observe=with_the_wrong_hand), ("observation taken",)),
    "debts stay open": Mistake(stepping(RIVER_RATS, debts_stay_open), ("table debt_seen",), BEFORE_DEBTS_ARE_PAID),
    "a refusal": Mistake(refusing(RIVER_RATS, refused_by_the_hand), ("refusals",)),
    "true sheets": Mistake(planted(RIVERSIDE, observe=with_true_sheets), ("observation sheets",)),
    "dice are told at once": Mistake(stepping(RIVERSIDE, dice_are_told_at_once), ("observation events", "table")),
    "what comes next": Mistake(masking(DEEP_RIVER, tokens_by_chance), ("mask",)),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", MISTAKES)
def test_a_leaking_mistake_is_found(what: str) -> None:
    mistake = MISTAKES[what]
    told = found_in(mistake.game, **mistake.search)
    assert any(name.startswith(mistake.told_by) for name in told), told
