"""The door to OpenEnv: an environment for its server, whose tasks are deals, and a client."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server import Action, Environment, Observation, State, create_app

from ..llm.prompt import Chat
from .env import SeatEnv
from .splits import SPLITS, game_number

NAME = "riverbed"
TASKS = {"train": 900_000, "test": 100_000}  # that are listed; deals of later indexes can be played too
LISTED = 1000  # tasks that list_tasks shows


class SeatAction(Action):
    """What the player says."""

    answer: str


class SeatObservation(Observation):
    """The messages that ask the seat; `metadata` holds what isn't for the player."""

    messages: Chat


class SeatState(State):
    """Which deal is played, by its split and index."""

    split: str | None = None
    index: int | None = None


class SeatEnvironment(Environment[SeatAction, SeatObservation, SeatState]):
    """A session of the server: a `SeatEnv` of each split that is asked for.

    Args:
        settings: those of `SeatEnv` but for `split`.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._settings = settings
        self._envs: dict[str, SeatEnv] = {}
        self._state = SeatState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        split: str = "train",
        index: int | None = None,
        role: str | None = None,
    ) -> SeatObservation:
        """Deal a game; see `SeatEnv.reset`. seed: the index, for trainers that send no index."""
        if split not in self._envs:
            self._envs[split] = SeatEnv(**self._settings, split=split)
        env = self._envs[split]
        messages = env.reset(seed if index is None else index, role)
        self._state = SeatState(episode_id=episode_id, split=split, index=env.index)
        return SeatObservation(messages=messages)

    def step(self, action: SeatAction, timeout_s: float | None = None, **kwargs: Any) -> SeatObservation:
        """Take an answer; see `SeatEnv.step`."""
        split = self._state.split
        if split is None:
            raise RuntimeError("no game was dealt: call reset() first")
        messages, reward, done, info = self._envs[split].step(action.answer)
        self._state.step_count += 1
        return SeatObservation(messages=messages, reward=reward, done=done, metadata=info)

    @property
    def state(self) -> SeatState:
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
        """The first deals of a split."""
        return self.get_task_range(split, 0, LISTED)

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[Mapping[str, Any]]:
        """Deals of a split."""
        chosen = range(self.num_tasks(split))[start:stop]
        return [self.get_task(split, index) for index in chosen]


class SeatClient(EnvClient[SeatAction, SeatObservation, SeatState]):
    """A session at a server: `reset(split=…, index=…)`, `step(SeatAction(answer=…))`."""

    def _step_payload(self, action: SeatAction) -> dict[str, Any]:
        return {"answer": action.answer}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[SeatObservation]:
        done, reward = bool(payload.get("done")), payload.get("reward")
        seen = SeatObservation(**payload["observation"], done=done, reward=reward)
        return StepResult(observation=seen, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> SeatState:
        return SeatState(**payload)


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
    return create_app(environment, SeatAction, SeatObservation, NAME, max_concurrent_envs=sessions, state_cls=SeatState)
