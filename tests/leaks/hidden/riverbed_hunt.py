"""RH-8.2, RH-8.4: what a seat of Riverbed Hunt may not know, redrawn.

Hidden are the others' hidden roles and the spare one, their hands, the draw pile, the tiles that the seat isn't sure
of, what the others know, and the chance to come.
"""

from collections.abc import Collection
from random import Random
from typing import Any

import numpy as np

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.knowledge import deduce, learn
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.games.riverbed_hunt.words.text import EVENTS
from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_env.testing.hidden import Disclosure, Games, Leak, Step, other_seats, redraw_future, streams

PARTS = ("roles", "cards", "tiles", "chance")
NEEDED = {"tile_at", "deck", "private.role", "private.hand", "private.possible", "chance.key", "agents.key"}
TOUCHES = streams("chance", "agents") | {
    "tile_at",
    "deck",
    "spare_role",
    *(f"private.{field}" for field in ("role", "hand", "looked", "known", "possible")),
}
PRIVATE = (
    *(
        f"observation{view} {piece.name}"
        for view in ("", " (now)")
        for piece in OBSERVATION.pieces
        if piece.visibility == "own"
    ),
    *(f"mask{view} in {place}" for view in ("", " (now)") for place in ("observation", "info")),
)
COMMON = (*(v.Question.PLACE, v.Question.TURN, v.Question.SEAT, v.Question.VIEW, v.Question.MOVE),)
TALK = (v.Question.FLOOR, v.Question.ABOUT)  # most of the questions of a table that speaks
RARE = (v.Question.DISCARD, v.Question.HUNT_ON, v.Question.PENALTY, v.Question.FLIP_DOWN)
BOLD = (A.UNCOVER, A.HUNT, A.CON, A.SLIP_AWAY)


def twin(games: Games, params: Games, seat: int, rng: np.random.Generator, parts: Collection[str] = PARTS) -> Games:
    """The game with these parts of what the seat may not know redrawn, consistent with all that it does know."""
    world, draw = copy_records(games), Random(int(rng.integers(2**62)))
    if "roles" in parts:
        exchange_roles(world[0], params[0], seat, draw)
    if "cards" in parts:
        exchange_cards(world[0], seat, draw)
    if "tiles" in parts:
        exchange_tiles(world[0], seat, draw)
    if "chance" in parts:
        redraw_future(world[0], rng, "chance", "agents")
    return world


# --- the games that are searched --------------------------------------------------------------------------------------


def stop(env: TurnEnv, rng: np.random.Generator) -> bool:
    """Whether to stop here: at rare questions more often."""
    asked = question(env)
    return bool(rng.random() < (0.015 if asked in TALK else 0.06 if asked in COMMON else 0.9 if asked in RARE else 0.3))


def bold_or_saving(env: TurnEnv, legal: list[int] | None, rng: np.random.Generator) -> int:
    """A random legal action; what is allowed once a game is chosen more often; in some games cards are saved."""
    assert legal is not None
    bold = [action for action in legal if action in BOLD]
    saved = [action for action in legal if action < A.CARD]
    if bold and rng.random() < 0.4:
        legal = bold
    elif saved and env._games["seed"][0] % 2 == 0:
        legal = saved
    return int(rng.choice(legal))


def question(env: TurnEnv) -> v.Question:
    """What is asked."""
    return v.Question(int(env._games[0]["table"]["question"]))


def public_knowledge(env: TurnEnv, agent: str) -> Any:
    """What everybody knows of the tiles."""
    return env._games[0]["private"][v.PUBLIC].copy()


# --- roles ------------------------------------------------------------------------------------------------------------


def declaring(world: np.void) -> set[int]:
    """Seats whose declaration of Hunt or Con is under way: all have heard their role, the card isn't turned yet."""
    frames = world["table"]["frames"][: int(world["table"]["depth"])]
    return {int(frame["carrier"]) for frame in frames if frame["source"] in (v.Source.HUNT, v.Source.CON)}


def hidden_from(world: np.void, seat: int) -> list[int]:
    """The others whose role the seat may not know."""
    own = world["private"][seat]
    return [
        other
        for other in other_seats(world, seat)
        if world["table"]["role"][other] == v.Role.UNKNOWN
        and own["looked"][other] == v.Role.UNKNOWN
        and other not in declaring(world)
    ]


def exchange_roles(world: np.void, params: np.void, seat: int, draw: Random) -> None:
    """Redeal the roles the seat doesn't know, the spare one of four players among them (RH-1.2)."""
    hidden = hidden_from(world, seat)
    roles = [int(world["private"][other]["role"]) for other in hidden]
    spare = int(world["spare_role"])
    drawn = [role for role in roles if role in params["role_choice"]] if spare != v.Role.UNKNOWN else []
    if drawn and draw.random() < 0.5:
        roles[roles.index(drawn[0])] = spare
        world["spare_role"] = drawn[0]
    draw.shuffle(roles)
    for other, role in zip(hidden, roles, strict=True):
        world["private"][other]["role"] = role
    tell_looked(world)


def tell_looked(world: np.void) -> None:
    """Who has looked at a role has seen the one that is there."""
    for viewer in range(int(world["table"]["num_players"])):
        looked = world["private"][viewer]["looked"]
        for other in other_seats(world, viewer):
            if looked[other] != v.Role.UNKNOWN:
                looked[other] = world["private"][other]["role"]


# --- cards ----------------------------------------------------------------------------------------------------------


def exchange_cards(world: np.void, seat: int, draw: Random) -> None:
    """Redeal the others' hands and the draw pile, each as large as it was.

    After a reshuffle everybody knows which cards are on the pile, so only its order is redrawn.
    """
    pile = int(world["table"]["draw_pile"])
    cards = world["deck"][:pile].tolist()
    hands = other_seats(world, seat) if world["table"]["tally"][v.Event.RESHUFFLE] == 0 else []
    for other in hands:
        hand = world["private"][other]["hand"]
        cards += [kind for kind, count in enumerate(hand) for _ in range(int(count))]
        hand[:] = 0
    draw.shuffle(cards)
    for other in hands:
        for _ in range(int(world["table"]["hand_size"][other])):
            world["private"][other]["hand"][cards.pop()] += 1
    world["deck"][:pile] = cards
    world["deck"][pile:] = v.NO_CARD


# --- tiles ----------------------------------------------------------------------------------------------------------


def exchange_tiles(world: np.void, seat: int, draw: Random) -> None:
    """Lay the tiles again as the seat's table of possible tiles allows; the others know the same places as before."""
    possible = world["private"][seat]["possible"]
    rows = {tile: spaces_of(int(possible[tile - 1])) for tile in world["tile_at"].tolist() if tile != v.NO_TILE}
    for tile, space in matching(rows, draw).items():
        world["tile_at"][space] = tile
    for other in other_seats(world, seat):
        know_truly(world, other)


def spaces_of(bits: int) -> list[int]:
    """The spaces whose bits are set."""
    return [space for space in range(v.NUM_SPACES) if bits >> space & 1]


def matching(rows: dict[int, list[int]], draw: Random) -> dict[int, int]:
    """A space for every tile out of its row, no two the same: augmenting paths in random order."""
    holder: dict[int, int] = {}

    def place(tile: int, tried: set[int]) -> bool:
        for space in draw.sample(rows[tile], len(rows[tile])):
            if space not in tried:
                tried.add(space)
                if space not in holder or place(holder[space], tried):
                    holder[space] = tile
                    return True
        return False

    for tile in draw.sample(sorted(rows), len(rows)):
        assert place(tile, set()), "what the seat thinks possible leaves no room for the truth"
    return {tile: space for space, tile in holder.items()}


def know_truly(world: np.void, seat: int) -> None:
    """Let the seat know what everybody knows, and the tiles on the spaces where it knew one before."""
    own = world["private"][seat]
    places = np.flatnonzero(own["known"]).tolist()
    own["possible"] = world["private"][v.PUBLIC]["possible"]
    deduce(own)
    for space in places:
        learn(own, int(world["tile_at"][space]), space)


# --- what a step shows ------------------------------------------------------------------------------------------------


def told(one: Step, two: Step, agent: str) -> Disclosure:
    """RH-8.1, RH-8.2: whether the step turned up another tile or card, or told the seat alone something else.

    Leak where public events come apart in anything but the tile turned up or the card discarded.
    """
    happened = [new_events(step.noted, step.env._games[0]) for step in (one, two)]
    if happened[0] != happened[1]:
        check_parting(one.env, agent, happened[0], happened[1])
        return Disclosure.OPENLY
    if shown_at_the_end(one.env) != shown_at_the_end(two.env):
        return Disclosure.OPENLY
    seat = one.env.possible_agents.index(agent)
    learnt = [learnt_alone(step.noted, step.env._games[0], seat, happened[0]) for step in (one, two)]
    return Disclosure.NOTHING if learnt[0] == learnt[1] else Disclosure.ALONE


def shown_at_the_end(env: TurnEnv) -> list[int]:
    """RH-8.5: when somebody has won all roles are shown."""
    game = env._games[0]
    return list(game["private"]["role"].tolist()) if game["table"]["ending"] == v.Ending.WON else []


def new_events(before: np.void, after: np.void) -> list[Any]:
    """The public events between two states."""
    count = int(after["table"]["event_count"]) - int(before["table"]["event_count"])
    assert count <= MAX_EVENTS, "more happened than can be told"
    return list(EVENTS.happened(after["table"], int(before["table"]["event_count"])))


def check_parting(env: TurnEnv, agent: str, one: list[Any], two: list[Any]) -> None:
    """Public events may come apart only where a tile is turned up or a card discarded, and only in which one."""
    for here, there in zip(one, two, strict=False):
        if here != there:
            if here[0] not in (v.Event.REVEAL, v.Event.DISCARD) or without_thing(here) != without_thing(there):
                words = EVENTS.say(env.pack, here)
                raise Leak(f"{agent} can tell by an event: {words}", [f"event {words}"])
            return
    raise Leak(f"{agent} can tell by what happens in one world alone", ["event in one world alone"])


def without_thing(event: Any) -> tuple[int, ...]:
    """An event without the tile or card it shows."""
    return tuple(event._replace(thing=0))


def learnt_alone(before: np.void, after: np.void, seat: int, happened: list[Any]) -> list[tuple[Any, ...]]:
    """What the seat alone may know of what has just happened: tiles looked at, cards drawn, roles looked at."""
    learnt: list[tuple[Any, ...]] = [("hand", after["private"][seat]["hand"].tolist())]
    for kind, actor, other, space, *_ in happened:
        shown = kind == v.Event.SHOW and seat == other
        if shown or (kind in (v.Event.DIVE, v.Event.VIEW, v.Event.SHOW) and seat == actor):
            learnt.append(("tile", int(before["tile_at"][space - 1])))
        if kind == v.Event.LOOK_AT_ROLE and seat == actor:
            learnt.append(("role", int(after["private"][other]["role"])))
    return learnt
