"""The door to OpenEnv: an environment for its server, whose tasks are deals. OpenEnv's generic client plays there.

RIVERBED_SEAT='{"players": 7}' uvicorn --factory riverbed_lab.seat_env.openenv:server --port 8000
"""

import os
from collections.abc import Mapping
from functools import partial
from secrets import randbelow
from typing import Any

from openenv.core.env_server import Action, Environment, Observation, State, create_app

from riverbed_env.core.files import parse_json
from riverbed_env.errors import IllegalActionError

from ..llm.prompt import Chat
from .env import SeatEnv
from .splits import BLOCK, SPLITS, TEST, TRAIN, game_number

NAME = "riverbed"
MOST = 1_000_000  # deals
TASKS = {TRAIN: MOST - MOST // BLOCK, TEST: MOST // BLOCK}  # that are listed; deals of later indexes can be played too


class SeatAction(Action):
    """What the player says."""

    answer: str


class SeatObservation(Observation):
    """The messages that ask the seat; at the end `metadata` says how the game went, since trainers may show it."""

    messages: Chat


class SeatEnvironment(Environment[SeatAction, SeatObservation, State]):
    """A session of the server.

    Args:
        settings: those of `SeatEnv` but for `split`.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._settings = settings
        self._env: SeatEnv | None = None
        self._state = State()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        split: str = "train",
        index: int | None = None,
        role: str | None = None,
    ) -> SeatObservation:
        """Deal a game; see `SeatEnv.reset`. seed: the index, for trainers that send none; a drawn one without both."""
        env = self._env = SeatEnv(**self._settings, split=split)
        asked = seed if index is None else index
        messages = env.reset(randbelow(TASKS.get(split, MOST)) if asked is None else asked, role)
        self._state = State(episode_id=episode_id, split=split, index=env.index)
        return SeatObservation(messages=messages)

    def step(self, action: SeatAction, timeout_s: float | None = None, **kwargs: Any) -> SeatObservation:
        """Take an answer; see `SeatEnv.step`."""
        if self._env is None:
            raise IllegalActionError("no game was dealt: call reset() first")
        messages, reward, done, info = self._env.step(action.answer)
        self._state.step_count += 1
        return SeatObservation(messages=messages, reward=reward, done=done, metadata=info if done else {})

    @property
    def state(self) -> State:
        """Which deal is played."""
        return self._state

    def list_splits(self) -> list[str]:
        """The splits of deals."""
        return list(SPLITS)

    def num_tasks(self, split: str) -> int:
        """How many deals of a split are listed."""
        return TASKS.get(split, 0)

    def get_task(self, split: str, index: int) -> Mapping[str, Any]:
        """A deal. Raises IndexError for one that isn't listed."""
        if not 0 <= index < self.num_tasks(split):
            raise IndexError(f"{split} has tasks 0 to {self.num_tasks(split) - 1}, not {index}")
        return {"id": f"{split}-{index}", "split": split, "index": index, "deal": game_number(index, split)}

    def list_tasks(self, split: str) -> list[Mapping[str, Any]]:
        """The first thousand deals of a split."""
        return self.get_task_range(split, 0, 1000)

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[Mapping[str, Any]]:
        """Deals of a split."""
        chosen = range(self.num_tasks(split))[start:stop]
        return [self.get_task(split, index) for index in chosen]


def seat_app(sessions: int = 64, **settings: Any) -> Any:
    """The server's application; all that games need is compiled when it returns.

    Args:
        sessions: how many games may be played at once.
        settings: those of `SeatEnv` but for `split`.

    Returns:
        An ASGI application.
    """
    SeatEnv(**settings)  # a client waits a minute for its first game, and compiling may take longer
    environment = partial(SeatEnvironment, **settings)
    return create_app(environment, SeatAction, SeatObservation, NAME, max_concurrent_envs=sessions)


def server() -> Any:
    """The application for `uvicorn --factory`, with the settings in the environment variable RIVERBED_SEAT, as JSON."""
    return seat_app(**parse_json(os.environ.get("RIVERBED_SEAT", "{}"), "RIVERBED_SEAT"))
