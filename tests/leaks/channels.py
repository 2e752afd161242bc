"""What reaches a seat of Riverbed Hunt through an environment, and what it is rightly told."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import Any

import numpy as np
from worlds import PARTS, Games, twin

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import IllegalActionError
from riverbed_env.games.riverbed_hunt.rules.actions import ACTIONS, A
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.games.riverbed_hunt.rules.vocab import PUBLIC, Ending, Event, Question
from riverbed_env.games.riverbed_hunt.words.text import EVENTS, Happened
from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_env.testing.leaks import Channels, Disclosure, Follow, Leak, Step, aec_channels, names_of

WORDS = ("state in words", "picture", "events in words", "observation in words", "actions in words", "refusals",
         "complaint")  # fmt: skip
VIEWS = ("", " (now)")
OWN = [f"observation{view} {piece.name}" for piece in OBSERVATION.pieces if piece.visibility == "own" for view in VIEWS]
OWN_MASK = [f"mask{view} in {place}" for place in ("observation", "info") for view in VIEWS]

COMMON = (Question.PLACE, Question.TURN, Question.SEAT, Question.VIEW, Question.MOVE)
RARE = (Question.DISCARD, Question.HUNT_ON, Question.PENALTY, Question.FLIP_DOWN)
BOLD = (A.UNCOVER, A.HUNT, A.CON, A.SLIP_AWAY)


# --- laying worlds before an environment ------------------------------------------------------------------------


def record_of(env: TurnEnv) -> Games:
    """The game of an environment."""
    return copy_records(env._games)


def lay(env: TurnEnv, games: Games) -> TurnEnv:
    """Put an environment into any sound state of a game, by the way its own saved states take."""
    if not env.agents:
        env.reset(seed=0)
    env._games = copy_records(games)
    env.set_state(env.get_state())
    return env


def with_record(env: TurnEnv, games: Games) -> TurnEnv:
    """Another environment like this one, with a game of the same table and so the same rewards so far."""
    other = lay(env.clone(), games)
    other.rewards = dict(env.rewards)
    other._cumulative_rewards = dict(env._cumulative_rewards)
    return other


def copy_of(env: TurnEnv) -> TurnEnv:
    """The same game in an environment that has come to it as a twin does."""
    return with_record(env, env._games)


def make_twin(parts: Collection[str] | None = None) -> Callable[..., TurnEnv]:
    """A twin for the leak kit: these parts of what the seat may not know are drawn anew, or random ones."""

    def twin_of(env: TurnEnv, agent: str, rng: np.random.Generator) -> TurnEnv:
        draw = Random(int(rng.integers(2**62)))
        chosen = parts or draw.sample(PARTS, draw.randint(1, len(PARTS)))
        seat = env.possible_agents.index(agent)
        return with_record(env, twin(env._games, env._params, seat, draw, chosen))

    return twin_of


# --- what reaches a seat ----------------------------------------------------------------------------------------


def pieces(value: Any) -> dict[str, Any]:
    """An observation vector by its pieces."""
    return OBSERVATION.named(value)


class NowView:
    """The same game seen by view "now", through an environment of the same make."""

    def __init__(self) -> None:
        self.env: TurnEnv | None = None
        self.laid = b""
        self.channels = aec_channels()

    def of(self, env: TurnEnv) -> TurnEnv:
        """An environment of view "now" with this one's game before it."""
        if self.env is None or type(self.env) is not type(env) or self.env._params.tobytes() != env._params.tobytes():
            self.env = type(env)(env.game, view="now", num_players=env.num_players)
            self.env._params, self.env.pack = env._params, env.pack
            self.laid = b""
        game = env._games.tobytes()
        if self.laid != game or self.env._games.tobytes() != game:
            lay(self.env, env._games)
            self.laid = game
        return self.env

    def channel(self, name: str) -> Callable[[TurnEnv, str], Any]:
        """One of the kit's channels by that view."""
        return lambda env, agent: self.channels.functions[name](self.of(env), agent)


def numbers() -> Channels:
    """What reaches a seat as numbers, and the public table."""
    return aec_channels(words={"table": table, "public knowledge": public_knowledge}, pieces=pieces)


def everything() -> Channels:
    """All that reaches a seat: numbers by both views, words, pictures, refusals of what it tries."""
    now = NowView()
    words = {
        **{f"{name} (now)": now.channel(name) for name in ("observation", "mask", "info", "last")},
        "state in words": lambda env, agent: env.describe_state(agent),
        "picture": lambda env, agent: env.render(agent),
        "events in words": lambda env, agent: env.describe_events(),
        "observation in words": lambda env, agent: env.describe_observation(env.observe(agent)),
        "actions in words": actions_in_words,
        "refusals": refusals,
        "complaint": complaint,
    }
    return numbers().adding(words).decoding({"observation (now)": pieces})


def table(env: TurnEnv, agent: str) -> Any:
    """What lies open before everybody: who is asked what, how many decisions were taken."""
    return env._games[0]["table"].copy()


def public_knowledge(env: TurnEnv, agent: str) -> Any:
    """What everybody knows of the tiles."""
    return env._games[0]["private"][PUBLIC].copy()


def actions_in_words(env: TurnEnv, agent: str) -> list[str]:
    """What the seat may do, in words."""
    return [env.describe_action(int(action), agent) for action in np.flatnonzero(env.observe(agent)["action_mask"])]


def refusals(env: TurnEnv, agent: str) -> list[int]:
    """Why each action is refused the seat."""
    seat = env.possible_agents.index(agent)
    refusal, game, params = env.game.kernels.refusal, env._games[0], env._params[0]
    return [int(refusal(game, params, seat, action)) for action in range(ACTIONS.size)]


def complaint(env: TurnEnv, agent: str) -> str:
    """What the seat that is asked hears when it tries something illegal."""
    if env.agent_selection != agent or over(env):
        return ""
    try:
        env.step(0)
    except IllegalActionError as error:
        return str(error)
    raise AssertionError("a seat that is asked could wait")


def apart(channels: Channels, one: TurnEnv, two: TurnEnv, seat: int) -> list[str]:
    """By what a seat can tell two environments apart."""
    agent = f"player_{seat}"
    return names_of(channels.apart(channels.take(one, agent), channels.take(two, agent)))


# --- moments of random games ---------------------------------------------------------------------------------------


def some_moments(env: TurnEnv, rng: np.random.Generator) -> bool:
    """Whether to stop here: at rare questions more often."""
    asked = question(env)
    return bool(rng.random() < (0.06 if asked in COMMON else 0.9 if asked in RARE else 0.3))


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


def question(env: TurnEnv) -> Question:
    """What is asked."""
    return Question(int(env._games[0]["table"]["question"]))


def over(env: TurnEnv) -> bool:
    """Whether the game has ended."""
    return bool(env._games[0]["table"]["ending"] != Ending.PLAYING)


# --- going on in both worlds --------------------------------------------------------------------------------------


def follow(steps: int) -> Follow:
    """Play on as long as nothing is shown that differs; what a seat alone has learnt it must see, and may."""
    return Follow(
        told=told,
        note=lambda env, agent: record_of(env)[0],
        steps=steps,
        channels=numbers(),
        at_the_end=everything(),
        private=(*OWN, *OWN_MASK),
        must_notice=True,
    )


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
    return list(game["private"]["role"].tolist()) if game["table"]["ending"] == Ending.WON else []


def new_events(before: np.void, after: np.void) -> list[Happened]:
    """The public events between two states."""
    count = int(after["table"]["event_count"]) - int(before["table"]["event_count"])
    assert count <= MAX_EVENTS, "more happened than can be told"
    return list(EVENTS.happened(after["table"], int(before["table"]["event_count"])))


def check_parting(env: TurnEnv, agent: str, one: list[Happened], two: list[Happened]) -> None:
    """Public events may come apart only where a tile is turned up or a card discarded, and only in which one."""
    for here, there in zip(one, two, strict=False):
        if here != there:
            if here[0] not in (Event.REVEAL, Event.DISCARD) or without_thing(here) != without_thing(there):
                words = EVENTS.say(env.pack, here)
                raise Leak(f"{agent} can tell by an event: {words}", [f"event {words}"])
            return
    raise Leak(f"{agent} can tell by what happens in one world alone", ["event in one world alone"])


def without_thing(event: Happened) -> tuple[int, ...]:
    """An event without the tile or card it shows."""
    return event[:5] + event[6:]


def learnt_alone(before: np.void, after: np.void, seat: int, happened: list[Happened]) -> list[tuple[Any, ...]]:
    """What the seat alone may know of what has just happened: tiles looked at, cards drawn, roles looked at."""
    learnt: list[tuple[Any, ...]] = [("hand", after["private"][seat]["hand"].tolist())]
    for kind, actor, other, space, *_ in happened:
        if kind in (Event.DIVE, Event.VIEW, Event.SHOW) and seat in (actor, other if kind == Event.SHOW else actor):
            learnt.append(("tile", int(before["tile_at"][space - 1])))
        if kind == Event.LOOK_AT_ROLE and seat == actor:
            learnt.append(("role", int(after["private"][other]["role"])))
    return learnt
