"""The leak tests over all games can fail: leaks planted in every channel and in every game are found, and by name.

The first half plants a number made of all that twins differ in, in one game of each kind. The second half plants
mistakes that could be made in each game. Kernels are planted as plain Python round the compiled ones, so that nothing
is compiled again.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hidden import HIDDEN, KNOWN

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game, copy_records
from riverbed_env.envs.aec import Observation, TurnEnv
from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules import actions as rats_actions
from riverbed_env.games.river_rats.rules.observe import write_observation as write_rats
from riverbed_env.games.river_rats.rules.state import look as look_at_rats
from riverbed_env.games.river_rats.rules.vocab import NO_CARD, Event, Question
from riverbed_env.games.river_rats.rules.vocab import Refusal as RatsRefusal
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules import actions as hunt_actions
from riverbed_env.games.riverbed_hunt.rules.knowledge import learn
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.stack import record_event as record_hunt_event
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    NO_SPACE,
    NO_TILE,
    NOBODY,
    NUM_ROLES,
    NUM_SPACES,
    NUM_TILES,
    Role,
)
from riverbed_env.games.riverbed_hunt.rules.vocab import Event as HuntEvent
from riverbed_env.games.riverbed_hunt.rules.vocab import Question as HuntQuestion
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules import actions as side_actions
from riverbed_env.games.riverside.rules.observe import write_observation as write_side
from riverbed_env.games.riverside.rules.state import look as look_at_side
from riverbed_env.games.riverside.rules.state import record_event
from riverbed_env.games.riverside.rules.vocab import NO_DIE, NUM_DICE, PIPS
from riverbed_env.games.riverside.rules.vocab import Event as SideEvent
from riverbed_env.games.riverside.rules.vocab import Refusal as SideRefusal
from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.compile import KernelFamily
from riverbed_env.kernels.random import below, draw
from riverbed_env.registry import find_game
from riverbed_env.testing.hidden import HiddenWorlds, Leak, everything, follow, leaves, searched, twin_in_part
from riverbed_env.testing.hidden.together import search_paces, search_parallel, search_steps

Vector = npt.NDArray[np.int8]
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
    game: Game, parts: Sequence[str] = (), games: int = 2, num_players: int | None = None, **options: Any
) -> set[str]:
    """The names of the first leak that is found; empty if there is none. parts: of twins, all by default."""
    worlds = hidden_in(game)
    twin = partial(twin_in_part, parts=parts or worlds.parts)
    count = num_players or game.default_players
    try:
        searched(worlds, count, games, twin=twin, channels=everything(worlds), follow=follow(worlds, 12), **options)
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
    content = [held for name, place, held in leaves(record) if name in touched and place != seat]
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


@pytest.mark.parametrize("game_id", [game_id for game_id in KNOWN if find_game(game_id).simultaneous])
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


def with_a_role(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    out[AT.roles_shown + NUM_ROLES + int(neighbour(record, seat)["role"])] = 1


def with_the_tile_below(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    space = int(record["table"]["position"][seat])
    if space >= 0:
        out[AT.known_tiles + 8 * space] = record["tile_at"][space]


def with_the_top_card(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    if record["table"]["draw_pile"] > 0:
        out[AT.draw_pile] = record["deck"][int(record["table"]["draw_pile"]) - 1]


def with_a_number_of_a_hand(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    hand = neighbour(record, seat)["hand"]
    out[AT.draw_pile] = int(np.arange(len(hand)) @ hand) % 120


def with_the_spare_role(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    out[AT.draw_pile] = record["spare_role"]


def no_co_op_with_the_profiteer(record: np.void, seat: int, out: Vector) -> None:
    count = int(record["table"]["num_players"])
    if record["table"]["question"] == HuntQuestion.SEAT:
        for clockwise in range(count):
            if record["private"][(seat + clockwise) % count]["role"] == Role.PROFITEER:
                out[hunt_actions.A.SEAT + clockwise] = 0


def co_op_on_some_tiles(record: np.void, seat: int, out: Vector) -> None:
    if out[hunt_actions.A.CO_OP] == 1 and out[hunt_actions.A.DIVE] == 1:
        out[hunt_actions.A.CO_OP] = int(record["tile_at"][int(record["table"]["position"][seat])]) % 2


def a_merchant_isnt_asked(before: np.void, record: np.void, params: np.void, action: int) -> None:
    """A merchant's only answer to a co-op is given without a question."""
    table = record["table"]
    if table["question"] == HuntQuestion.ANSWER and record["private"][int(table["asked"])]["role"] == Role.MERCHANT:
        RIVERBED_HUNT.kernels.step(record, params, hunt_actions.A.REVEAL)


def what_a_seat_knows_is_shared(before: np.void, record: np.void, params: np.void, action: int) -> None:
    seat = int(before["table"]["asked"])
    for space, tile in enumerate(record["private"][seat]["known"].tolist()):
        if NO_TILE != tile <= NUM_TILES:
            learn(neighbour(record, seat), tile, space)


def views_are_told(before: np.void, record: np.void, params: np.void, action: int) -> None:
    """The event of a view names the tile, in the place of a space, as states allow."""
    seat, space = int(before["table"]["asked"]), action - hunt_actions.A.SPACE
    if before["table"]["question"] == HuntQuestion.VIEW:
        tile = int(record["tile_at"][space]) % NUM_SPACES
        record_hunt_event(record["table"], HuntEvent.VIEW, seat, NOBODY, space, tile, 0)


def draws_of_the_hunt_are_told(before: np.void, record: np.void, params: np.void, action: int) -> None:
    seat = int(before["table"]["asked"])
    if record["table"]["hand_size"][seat] > before["table"]["hand_size"][seat]:
        for card in np.flatnonzero(record["private"][seat]["hand"]).tolist():
            record_hunt_event(record["table"], HuntEvent.DRAW, seat, seat, card % NUM_SPACES, NO_SPACE, 0)


def only_separatists_count(before: np.void, record: np.void, params: np.void, action: int) -> None:
    if record["private"][int(before["table"]["asked"])]["role"] != Role.SEPARATIST:
        record["table"]["decisions"] -= 1


HUNT = {
    "role": Mistake(seeing(RIVERBED_HUNT, with_a_role), ("observation roles_shown",)),
    "tile": Mistake(seeing(RIVERBED_HUNT, with_the_tile_below), ("observation known_tiles",)),
    "top card": Mistake(seeing(RIVERBED_HUNT, with_the_top_card), ("observation draw_pile",)),
    "hand": Mistake(seeing(RIVERBED_HUNT, with_a_number_of_a_hand), ("observation draw_pile",)),
    "spare role": Mistake(seeing(RIVERBED_HUNT, with_the_spare_role), ("observation draw_pile",), {"num_players": 4}),
    "role in mask": Mistake(masking(RIVERBED_HUNT, no_co_op_with_the_profiteer), ("mask",)),
    "tile in mask": Mistake(masking(RIVERBED_HUNT, co_op_on_some_tiles), ("mask",)),
    "not asked": Mistake(stepping(RIVERBED_HUNT, a_merchant_isnt_asked), ("table question", "event in one")),
    "shared": Mistake(stepping(RIVERBED_HUNT, what_a_seat_knows_is_shared), ("observation possible",)),
    "views told": Mistake(stepping(RIVERBED_HUNT, views_are_told), ("event player_",)),
    "draws told": Mistake(stepping(RIVERBED_HUNT, draws_of_the_hunt_are_told), ("event player_",)),
    "decisions": Mistake(stepping(RIVERBED_HUNT, only_separatists_count), ("table decisions",)),
}


# River Rats.


def next_seat(record: np.void, seat: int) -> int:
    return (seat + 1) % int(record["table"]["num_players"])


def with_the_wrong_hand(record: np.void, params: np.void, seat: int, view: np.void, out: Vector) -> None:
    """The next seat's hand counts as seen to be taken."""
    look_at_rats(record, seat, view)
    other = next_seat(record, seat)
    view["table"]["taken"][other] = record["private"][other]["hand"]
    write_rats(view, params, out)


def with_the_face_down_card(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    if record["table"]["rat_down"] > 0:
        out[RIVER_RATS.observation.start("rat_cards") + int(record["face_down"][0])] = 1


def with_the_deck_counted(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    """The unseen cards are those of the deck alone."""
    place = RIVER_RATS.observation.start("unseen")
    if len(out) > place:
        for card in range(52):
            out[place + card] &= int(card in record["deck"])


def with_the_waiting_king(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    out[RIVER_RATS.observation.start("defeated") + int(record["second_rat"])] = 1


def with_the_debts(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    for card in record["debt"].tolist():
        if card != NO_CARD:
            out[RIVER_RATS.observation.start("discard_pile") + card] = 1


def draws_are_seen(before: np.void, record: np.void, params: np.void, action: int) -> None:
    seat = int(before["table"]["asked"])
    new = int(record["private"][seat]["hand"]) & ~int(before["private"][seat]["hand"])
    if action == rats_actions.A.DRAW:
        record["table"]["taken"][seat] = int(record["table"]["taken"][seat]) | new


def draws_are_told(before: np.void, record: np.void, params: np.void, action: int) -> None:
    """The event of a draw names the card."""
    seat = int(before["table"]["asked"])
    new = int(record["private"][seat]["hand"]) & ~int(before["private"][seat]["hand"])
    place = newest_event(int(record["table"]["event_count"]))
    if action == rats_actions.A.DRAW and int(record["table"]["events"][place]) & 255 == Event.DRAW and new:
        record["table"]["events"][place] = int(record["table"]["events"][place]) | new.bit_length() << 16


def debts_stay_open(before: np.void, record: np.void, params: np.void, action: int) -> None:
    debts = [card for card in record["debt"].tolist() if card != NO_CARD]
    record["table"]["debt_seen"] = sum(1 << card for card in debts)


def a_choice_is_taken_for_the_mover(before: np.void, record: np.void, params: np.void, action: int) -> None:
    """Who holds no spade isn't asked what to play, but plays the lowest card."""
    table = record["table"]
    if table["ending"] == 0 and table["question"] == Question.PLAY:
        hand = int(record["private"][int(table["asked"])]["hand"])
        if hand and not hand >> 13 & 0x1FFF:
            lowest = (hand & -hand).bit_length() - 1
            RIVER_RATS.kernels.step(record, params, rats_actions.A.CARD + lowest)


def no_draw_of_a_red_card(record: np.void, seat: int, out: Vector) -> None:
    size = int(record["table"]["deck_size"])
    if size and int(record["deck"][size - 1]) // 13 in (0, 3):
        out[rats_actions.A.DRAW] = 0


def refused_by_the_hand(record: np.void, seat: int, action: int, code: int) -> int:
    """A seat that isn't asked hears whether the asked one holds the card."""
    asked, card = int(record["table"]["asked"]), action - rats_actions.A.CARD
    held = asked >= 0 and 0 <= card < 52 and int(record["private"][asked]["hand"]) >> card & 1
    return RatsRefusal.NOT_IN_HAND if held and code == RatsRefusal.NOT_ASKED else code


def has_debts_at_stake(env: TurnEnv, rng: np.random.Generator) -> bool:
    return bool(env._games[0]["table"]["pile_size"] > 1 and rng.random() < 0.3)


# Debts are redrawn, and cards with which they can change places that don't come to light at once.
BEFORE_DEBTS_ARE_PAID = {"parts": ("debts", "hands"), "moments": has_debts_at_stake, "games": 6}
RATS = {
    "hand": Mistake(planted(RIVER_RATS, observe=with_the_wrong_hand), ("observation taken",)),
    "face-down card": Mistake(seeing(RIVER_RATS, with_the_face_down_card), ("observation rat_cards",)),
    "deck counted": Mistake(seeing(RIVER_RATS, with_the_deck_counted), ("observation unseen",)),
    "waiting king": Mistake(seeing(RIVER_RATS, with_the_waiting_king), ("observation defeated",)),
    "debts": Mistake(seeing(RIVER_RATS, with_the_debts), ("observation discard_pile",)),
    "draws seen": Mistake(stepping(RIVER_RATS, draws_are_seen), ("table taken", "observation taken")),
    "draws told": Mistake(stepping(RIVER_RATS, draws_are_told), ("table events", "observation events")),
    "debts open": Mistake(stepping(RIVER_RATS, debts_stay_open), ("table debt_seen",), BEFORE_DEBTS_ARE_PAID),
    "not asked": Mistake(
        stepping(RIVER_RATS, a_choice_is_taken_for_the_mover), ("table", "observation", "who is asked")
    ),
    "red card": Mistake(masking(RIVER_RATS, no_draw_of_a_red_card), ("mask",)),
    "refusal": Mistake(refusing(RIVER_RATS, refused_by_the_hand), ("refusals",)),
}


# Riverside.


def with_true_sheets(record: np.void, params: np.void, seat: int, view: np.void, out: Vector) -> None:
    """Everybody's sheet as it is, not as it was when the phase began."""
    look_at_side(record, seat, view)
    view["sheets"] = record["private"]["sheet"]
    write_side(view, params, out)


def with_the_next_dice(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    stream = record["chance"].copy()
    for die in range(NUM_DICE):
        out[-1 - die] = below(stream, PIPS)


def with_the_number_still_choosing(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    """Which seats are through shows in a public number; a twin that keeps the pace doesn't find it."""
    choosing = [question != 0 for other, question in enumerate(record["private"]["question"]) if other != seat]
    out[RIVERSIDE.observation.start("round")] = sum(choosing)


def dice_are_counted_at_once(before: np.void, record: np.void, params: np.void, action: int) -> None:
    seat = int(before["timing"]["asked"])
    die = int(record["private"][seat]["die"])
    if before["private"][seat]["die"] == NO_DIE and die != NO_DIE:
        record["table"]["deeds"][seat, die] += 1


def dice_are_told_at_once(before: np.void, record: np.void, params: np.void, action: int) -> None:
    seat = int(before["timing"]["asked"])
    die = int(record["private"][seat]["die"])
    if before["private"][seat]["die"] == NO_DIE and die != NO_DIE:
        record_event(record["table"], SideEvent.CHOOSE, seat, die, -1, 1, 0)


def a_die_is_taken_once(record: np.void, seat: int, out: Vector) -> None:
    """What an earlier seat has chosen isn't offered any more."""
    for other in range(seat):
        die = int(record["private"][other]["die"])
        if die != NO_DIE:
            out[side_actions.A.DIE + 6 * die : side_actions.A.DIE + 6 * die + 6] = 0


def refused_by_the_others(record: np.void, seat: int, action: int, code: int) -> int:
    """A seat that isn't asked hears whether another has chosen the die."""
    dice = record["private"]["die"].tolist()
    taken = action < side_actions.A.SEAT and (action - 1) // 6 in dice[:seat] + dice[seat + 1 :]
    return SideRefusal.FIRE_MISSING if taken and code == SideRefusal.NOT_ASKED else code


SIDE = {
    "true sheets": Mistake(planted(RIVERSIDE, observe=with_true_sheets), ("observation sheets",)),
    "next dice": Mistake(seeing(RIVERSIDE, with_the_next_dice), ("observation",)),
    "still choosing": Mistake(seeing(RIVERSIDE, with_the_number_still_choosing), ("observation round",)),
    "counted at once": Mistake(stepping(RIVERSIDE, dice_are_counted_at_once), ("table deeds", "observation deeds")),
    "told at once": Mistake(stepping(RIVERSIDE, dice_are_told_at_once), ("observation events", "table")),
    "taken once": Mistake(masking(RIVERSIDE, a_die_is_taken_once), ("mask",)),
    "refusal": Mistake(refusing(RIVERSIDE, refused_by_the_others), ("refusals",)),
}


# Deep River.


def next_word(record: np.void) -> int:
    """What the players' stream gives next."""
    return draw(record["agents"].copy())


def with_the_next_word(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    out[DEEP_RIVER.observation.start("rules")] = next_word(record) % 2


def with_the_number(record: np.void, params: np.void, seat: int, out: Vector) -> None:
    out[DEEP_RIVER.observation.start("clock")] = int(record["number"]) % 128


def tokens_by_chance(record: np.void, seat: int, out: Vector) -> None:
    """Only one of the legal actions is offered: the one that chance would choose."""
    legal = np.flatnonzero(out)
    out[:] = 0
    out[legal[next_word(record) % len(legal)]] = 1


def deeds_by_chance(before: np.void, record: np.void, params: np.void, action: int) -> None:
    record["table"]["deeds"][0, 0] = next_word(record) % 50


RIVER = {
    "next word": Mistake(seeing(DEEP_RIVER, with_the_next_word), ("observation rules",)),
    "number": Mistake(seeing(DEEP_RIVER, with_the_number), ("observation clock",)),
    "tokens": Mistake(masking(DEEP_RIVER, tokens_by_chance), ("mask",)),
    "deeds": Mistake(stepping(DEEP_RIVER, deeds_by_chance), ("table deeds", "observation deeds")),
}
MISTAKES = [
    pytest.param(mistake, id=f"{name}-{what}".replace(" ", "_"))
    for name, held in (("riverbed_hunt", HUNT), ("river_rats", RATS), ("riverside", SIDE), ("deep_river", RIVER))
    for what, mistake in held.items()
]


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_leaking_mistake_is_found(mistake: Mistake) -> None:
    told = found_in(mistake.game, **mistake.search)
    assert any(name.startswith(mistake.told_by) for name in told), told
