"""What runs of every method share: a folder with config, checkpoint, policy and curve, evaluated on common deals."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import torch
from torch import nn

from riverbed_env.core.files import Arrays, write_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.lineups import lineups
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import find_agent

from ..config_files import read_as
from ..files import code_version
from ..locks import locked
from .checkpoint import OF_NETWORK, load_checkpoint, network_arrays, put_network, save_checkpoint
from .config import LearnerConfig
from .curve import CURVE, LEARNER, Evaluated, Reached
from .evaluation import Evaluation, SeatGain, compare, evaluations_for
from .process import prepare_process

CHECKPOINT, POLICY = "checkpoint.npz", "policy.npz"
CHANGEABLE = ("threads",)  # settings that may change when a run is resumed: results don't depend on them

MOST_MINUTES = 10**6

AnyConfig = TypeVar("AnyConfig", bound=LearnerConfig)


@dataclass(frozen=True)
class Progress:
    """What a run does, as text, and how much of it is done, of how much."""

    what: str
    done: int
    total: int


Watcher = Callable[[Progress], None]


class RunLearner(Protocol):
    """What a run needs of its learner; see `riverbed_lab.ppo.Learner`."""

    steps: int
    updates: int
    shuffler: np.random.Generator
    generator: torch.Generator

    @property
    def recent(self) -> Sequence[bool]:
        """Whether the learner won each of the games that ended lately; empty if several seats learn."""
        ...

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """What steps the network."""
        ...

    @property
    def network(self) -> nn.Module:
        """What is learned, for a checkpoint."""
        ...

    @property
    def packs(self) -> list[str]:
        """The hashes of the content packs in play."""
        ...

    def learn(self, steps: int, learning_rate: float) -> dict[str, float]:
        """Collect a rollout and learn from it."""
        ...

    def games(self) -> Arrays:
        """The games in play."""
        ...

    def put_games(self, games: Arrays) -> None:
        """Go on with these games."""
        ...

    def save_policy(self, path: Path) -> None:
        """Write the policy file."""
        ...


class TimeBudget:
    """Minutes of wall-clock time from now on; None: no limit. clock: seconds, for tests.

    Raises OptionError unless minutes is above 0 and at most a million.
    """

    def __init__(self, minutes: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        if minutes is not None and not 0 < minutes <= MOST_MINUTES:
            raise OptionError(f"minutes must be above 0 and at most {MOST_MINUTES:,}, not {minutes}")
        self._clock = clock
        self._end = None if minutes is None else clock() + 60 * minutes

    def is_spent(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and self._clock() >= self._end


NO_LIMIT = TimeBudget(None)


@dataclass(frozen=True)
class Header:
    """What the header of every run's checkpoint holds."""

    __pydantic_config__ = NOTHING_ELSE

    environment: str
    packs: tuple[str, ...]
    code: str
    config: dict[str, Any]
    steps: Count
    seconds: Finite
    curve: tuple[Evaluated | Reached, ...]


AnyHeader = TypeVar("AnyHeader", bound=Header)


class FolderRun(Generic[AnyConfig]):
    """A run in a folder: its game, its opponents, the seconds it took, and its curve.

    config: of a new run, or of the one there, which is resumed; None: resume the one there. Raises OptionError, and
    changes nothing, for a folder that holds another run, and for a checkpoint that can't be read or is of another game,
    version, pack or config.
    """

    def __init__(self, folder: Path, config: AnyConfig | None, kind: type[AnyConfig]) -> None:
        self.folder = folder
        self.config = kind.in_folder(folder, config)
        self.game = self.config.known_game()
        prepare_process(self.config.threads)
        self.opponents = lineups(self.game, self.config.opponents)
        self.seconds = 0.0  # spent learning, evaluations not counted
        self.curve: list[dict[str, Any]] = []
        self._evaluations: list[Evaluation] = []

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """The folder, locked, with the settings in it."""
        with locked(self.folder):
            self.config.save(self.folder)
            yield

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Add the seconds that the block takes."""
        begun = time.perf_counter()
        yield
        self.seconds += time.perf_counter() - begun

    def _save(
        self,
        packs: Sequence[str],
        steps: int,
        network: torch.nn.Module,
        optimizers: Sequence[torch.optim.Optimizer],
        more: Arrays,
        **position: Any,
    ) -> None:
        """Write the checkpoint and the curve. more: arrays beside the network's; position: fields of its own header."""
        origin = {"environment": self.game.id, "packs": list(packs), "config": self.config.plain()}
        spent = {"seconds": self.seconds, "curve": self.curve}
        header = {**origin, "code": code_version(), "steps": steps, **spent, **position}
        save_checkpoint(self.folder / CHECKPOINT, header, {**network_arrays(network, *optimizers), **more})
        write_json(self.folder / CURVE, {"curve": self.curve})

    def _restore(
        self,
        kind: type[AnyHeader],
        packs: Sequence[str],
        network: torch.nn.Module,
        optimizers: Sequence[torch.optim.Optimizer],
        more: Collection[str] = (),
    ) -> tuple[AnyHeader, Arrays]:
        """Resume from the checkpoint: its header, and the arrays called `more`.

        Raises OptionError, and changes nothing, for one that can't be read or is of another run.
        """
        path = self.folder / CHECKPOINT
        header, arrays = load_checkpoint(path)
        with read_as(path, "checkpoint of this run"):
            for name, value in (("environment", self.game.id), ("packs", list(packs))):
                if header.get(name) != value:
                    raise OptionError(f"checkpoint {path} is of {name} {header.get(name)}, this run of {value}")
            known = of_kind(kind, header, f"header of {path}")
            now = self.config.plain()
            differ = {name for name in now.keys() | known.config.keys() if known.config.get(name) != now.get(name)}
            if differ - set(CHANGEABLE):
                raise OptionError(f"checkpoint {path} is of a run with other settings: {', '.join(sorted(differ))}")
            unexpected = {name for name in arrays if not name.startswith(OF_NETWORK)} ^ set(more)
            if unexpected:
                raise OptionError(f"{', '.join(sorted(unexpected))}: missing, or more than it needs")
            put_network(path, arrays, network, *optimizers)
        self.seconds, self.curve = known.seconds, header["curve"]
        return known, arrays

    def _measure(self, steps: int) -> SeatGain | None:
        """Play the common deals with the folder's policy and add a row to the curve; None where no deals are played."""
        config, row = self.config, {"steps": steps, "seconds": round(self.seconds, 1)}
        if not config.evaluation_games:
            self.curve.append(row)
            return None
        if not self._evaluations:
            reference = find_agent(config.reference, self.game.name)
            self._evaluations = evaluations_for(config, self.opponents, reference, config.evaluation_games)
        learner = load_policy(self.folder / POLICY, self.game, name=LEARNER)
        result = compare([(each.won(learner), each.won_by_reference) for each in self._evaluations])
        self.curve.append({**row, **result.row()})
        return result
