"""All that reaches a seat through an environment, and pairs of environments that have to look the same to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
from worlds import Games, table_differences

from riverbed_env.core.errors import IllegalActionError
from riverbed_env.core.game import Game, copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.actions import ACTIONS, CARD, CON, HUNT, SLIP_AWAY, UNCOVER
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.pieces import OBSERVATION
from riverbed_env.games.riverbed_hunt.text import describe_event, recent_events
from riverbed_env.games.riverbed_hunt.vocab import Event, Question

Sights = dict[str, Any]  # by name: bytes, numbers or words
Happening = tuple[int, ...]  # a public event

NUMBERS = re.compile(r"observation( \(now\))?")
OWN = [piece.name for piece in OBSERVATION.pieces if piece.sight == "own"]

COMMON = (Question.PLACE, Question.TURN, Question.SEAT, Question.VIEW, Question.MOVE)
RARE = (Question.DISCARD, Question.HUNT_ON, Question.PENALTY, Question.FLIP_DOWN)
BOLD = (UNCOVER, HUNT, CON, SLIP_AWAY)


class Leak(AssertionError):
    """A seat can tell two worlds apart that it may not."""

    def __init__(self, seat: int, names: list[str], where: str) -> None:
        super().__init__(f"seat {seat} can tell by {', '.join(names)} ({where})")
        self.names = names


# --- laying worlds before an environment ------------------------------------------------------------------------


def record_of(env: TurnEnv) -> Games:
    """The game of an environment."""
    return copy_records(env._games)


def lay(env: TurnEnv, games: Games) -> None:
    """Put an environment into any sound state of a game that is going on, by the way its own saved states take."""
    env.reset()
    env._games = copy_records(games)
    env.set_state(env.get_state())


# --- what reaches a seat ----------------------------------------------------------------------------------------


def glance(env: TurnEnv, seat: int) -> Sights:
    """What reaches the seat as numbers."""
    agent = f"player_{seat}"
    seen = env.observe(agent)
    return {
        "observation": seen["observation"].tobytes(),
        "mask": seen["action_mask"].tobytes(),
        "info": {name: np.asarray(value).tobytes() for name, value in env.infos[agent].items()},
        "who is asked": env.agent_selection,
        "rewards": (env.rewards, env.terminations, env.truncations, env.last()[1:4]),
    }


def stare(env: TurnEnv, settings: Games, seat: int) -> Sights:
    """What reaches the seat as words and pictures, refusals of what it tries among them."""
    agent = f"player_{seat}"
    seen = env.observe(agent)
    game, setting = record_of(env)[0], settings[0]
    refusals = [int(env.game.kernels.refusal(game, setting, seat, action)) for action in range(ACTIONS.size)]
    return {
        "state in words": env.describe_state(agent),
        "picture": env.render(agent),
        "events in words": env.describe_events(),
        "observation in words": env.describe_observation(seen),
        "actions in words": [env.describe_action(int(a), agent) for a in np.flatnonzero(seen["action_mask"])],
        "refusals": refusals,
        "complaint": complaint(env) if env.agent_selection == agent else "",
    }


def complaint(env: TurnEnv) -> str:
    """What the seat that is asked hears when it tries something illegal."""
    try:
        env.step(0)
    except IllegalActionError as error:
        return str(error)
    raise AssertionError("a seat that is asked could wait")


class Watch:
    """Environments in which a game is played, and in which worlds are compared."""

    def __init__(
        self, num_players: int, *, game: Game = RIVERBED_HUNT, make: Callable[..., TurnEnv] = TurnEnv, **options: Any
    ) -> None:
        options = {"num_players": num_players, "auto_forced": "public", **options}
        self.num_players = num_players
        self.settings, self.pack = game.make_setting(**options)
        self.one = make(game, render_mode="ansi", **options)
        self.two = make(game, render_mode="ansi", **options)
        self.now = make(game, view="now", **options)
        for env in (self.one, self.two, self.now):
            env.reset(seed=0)

    def sights(self, world: Games, seat: int) -> Sights:
        """All that reaches the seat in this world, by both views."""
        lay(self.one, world)
        lay(self.now, world)
        return {
            **glance(self.one, seat),
            **stare(self.one, self.settings, seat),
            **{f"{name} (now)": value for name, value in glance(self.now, seat).items()},
        }

    def compare(self, one: Games, two: Games, seat: int, where: str) -> None:
        """Leak if the seat can tell the two worlds apart."""
        self.check(seat, differing(self.sights(one, seat), self.sights(two, seat)), where)

    def check(self, seat: int, names: list[str], where: str) -> None:
        """Leak if anything is named."""
        if names:
            raise Leak(seat, names, f"{self.num_players} players, {where}")

    def both(self, one: Games, two: Games) -> None:
        """Lay two worlds side by side."""
        lay(self.one, one)
        lay(self.two, two)


def differing(one: Sights, two: Sights) -> list[str]:
    """The names of what differs; of an observation, of its pieces."""
    assert one.keys() == two.keys()
    names = []
    for name in one:
        if one[name] != two[name]:
            names += pieces_apart(name, one[name], two[name]) if NUMBERS.fullmatch(name) else [name]
    return names


def pieces_apart(name: str, one: bytes, two: bytes) -> list[str]:
    """The pieces in which two observations differ."""
    parts = [OBSERVATION.named(np.frombuffer(vector, np.int8)) for vector in (one, two)]
    return [f"{name} {piece}" for piece in parts[0] if not np.array_equal(parts[0][piece], parts[1][piece])]


# --- moments of random games ---------------------------------------------------------------------------------------


def moments(env: TurnEnv, draw: Random, games: int) -> Iterator[Games]:
    """Random moments of random games, those with a rare question more often."""
    for number in range(games):
        env.reset(seed=draw.getrandbits(40))
        while not over(env):
            world = record_of(env)
            if draw.random() < (0.06 if question(world) in COMMON else 0.9 if question(world) in RARE else 0.3):
                yield world
            env.step(some_action(env, draw, saving=number % 2 == 0))


def some_action(env: TurnEnv, draw: Random, *, saving: bool) -> int:
    """A random legal action; what is allowed once a game is chosen more often, cards on a turn are played or saved."""
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
    bold = [action for action in legal if action in BOLD]
    saved = [action for action in legal if action < CARD]
    if bold and draw.random() < 0.4:
        legal = bold
    elif saving and saved:
        legal = saved
    return int(draw.choice(legal))


def question(world: Games) -> Question:
    """What is asked."""
    return Question(int(world[0]["table"]["question"]))


# --- going on in both worlds --------------------------------------------------------------------------------------


class Parting(Exception):
    """The two worlds have come apart in public, as they may: a hidden tile or card was shown."""


def follow(watch: Watch, one: Games, two: Games, seat: int, draw: Random, steps: int) -> tuple[int, str]:
    """Play the same in two worlds that the seat can't tell apart, as long as the same is legal and public in both.

    At every moment the whole public table, who is asked what and how many decisions were taken must be the same; so
    must all that reaches the seat until it has rightly learnt something that differs, and then it must notice.
    Returns how many decisions were played and why it ended: "steps", "over", "shown" or "stuck".
    """
    watch.both(one, two)
    partial = False  # the seat has learnt something that differs
    for step in range(steps):
        where = f"{step} decisions later"
        watch.check(seat, table_differences(record_of(watch.one)[0], record_of(watch.two)[0]), where)
        check_sights(watch, seat, partial, where)
        action = common_action(watch, draw)
        if action is None:
            return step, "stuck"
        try:
            learnt_more = play_both(watch, seat, action, where)
        except Parting:
            assert differing(glance(watch.one, seat), glance(watch.two, seat)), "the seat doesn't see what is shown"
            return step + 1, "shown"
        if learnt_more and not over(watch.one):
            assert differing(glance(watch.one, seat), glance(watch.two, seat)), "the seat doesn't see what it may"
            partial = True
        if over(watch.one):
            return step + 1, "over"
    check_words(watch, seat, partial)
    return steps, "steps"


def over(env: TurnEnv) -> bool:
    """Whether the game has ended."""
    return env.terminations["player_0"] or env.truncations["player_0"]


def check_sights(watch: Watch, seat: int, partial: bool, where: str) -> None:
    """The seat's numbers are the same; what is its own alone may differ once it has rightly learnt more."""
    names = differing(glance(watch.one, seat), glance(watch.two, seat))
    if partial:
        private = {f"observation {name}" for name in OWN}
        names = [name for name in names if name not in private | {"mask", "info"}]
    watch.check(seat, names, where)


def check_words(watch: Watch, seat: int, partial: bool) -> None:
    """At the end of the way the words and pictures too."""
    if not partial:
        watch.check(
            seat,
            differing(*(stare(env, watch.settings, seat) for env in (watch.one, watch.two))),
            "in words, at the end",
        )


def common_action(watch: Watch, draw: Random) -> int | None:
    """A random action of the asked seat that is legal in both worlds."""
    masks = [env.observe(env.agent_selection)["action_mask"] for env in (watch.one, watch.two)]
    legal = np.flatnonzero(masks[0] & masks[1])
    return int(draw.choice(legal.tolist())) if len(legal) else None


def play_both(watch: Watch, seat: int, action: int, where: str) -> bool:
    """One action in both worlds; whether the seat rightly learnt different things. Parting where the public did."""
    before = [record_of(env)[0] for env in (watch.one, watch.two)]
    for env in (watch.one, watch.two):
        env.step(action)
    after = [record_of(env)[0] for env in (watch.one, watch.two)]
    happened = [new_events(old, new) for old, new in zip(before, after, strict=True)]
    if happened[0] != happened[1]:
        check_parting(watch, seat, happened[0], happened[1], where)
        raise Parting
    told = [learnt(old, new, seat, happened[0]) for old, new in zip(before, after, strict=True)]
    return told[0] != told[1]


def new_events(before: np.void, after: np.void) -> list[Happening]:
    """The public events between two states."""
    count = int(after["table"]["event_count"]) - int(before["table"]["event_count"])
    events = recent_events(after["table"])
    assert count <= len(events), "more happened than can be told"
    return events[len(events) - count :]


def check_parting(watch: Watch, seat: int, one: list[Happening], two: list[Happening], where: str) -> None:
    """Public events may come apart only where a tile is turned up or a card discarded, and only in which one."""
    for here, there in zip(one, two, strict=False):
        if here != there:
            shown = here[0] in (Event.REVEAL, Event.DISCARD) and without_thing(here) == without_thing(there)
            watch.check(seat, [] if shown else [in_words(watch, here)], f"an event, {where}")
            return
    watch.check(seat, ["something that happens in one world alone"], where)


def without_thing(event: Happening) -> Happening:
    """An event without the tile or card it shows."""
    return event[:5] + event[6:]


def in_words(watch: Watch, event: Happening) -> str:
    """A public event in plain English."""
    return describe_event(watch.pack, *event[:6])


def learnt(before: np.void, after: np.void, seat: int, happened: list[Happening]) -> list[tuple[Any, ...]]:
    """What the seat alone may know of what has just happened: tiles looked at, cards drawn, roles looked at."""
    told: list[tuple[Any, ...]] = [("hand", after["private"][seat]["hand"].tolist())]
    for kind, actor, other, space, *_ in happened:
        if kind in (Event.DIVE, Event.VIEW, Event.SHOW) and seat in (actor, other if kind == Event.SHOW else actor):
            told.append(("tile", int(before["tile_at"][space - 1])))
        if kind == Event.LOOK_AT_ROLE and seat == actor:
            told.append(("role", int(after["private"][other]["role"])))
    return told
