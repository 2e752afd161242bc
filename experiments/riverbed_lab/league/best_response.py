"""Best responses: learners with a fixed budget against a frozen lineup, one role at a time, and what they gain.

The robustness table shows how much more a learner wins in a role's seat than the lineup's own agent does there, on
common deals. A gain is a lower bound of what the lineup can lose; no gain only means that this learner found none
within this budget.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.options import check_whole
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, Share, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import MAX_SEED
from riverbed_env.players.lineups import EVERYBODY, lineups, named_for
from riverbed_env.players.policies import load_policy
from riverbed_env.registry import find_game

from ..config_files import build, check_names, field_names, read_as
from ..files import writable_folder
from ..locks import locked
from ..ppo import Progress, Training
from ..statistics import FEWEST_SEEDS, gain_of, in_points, planning_warning, seeds_difference
from ..training.budget import NO_LIMIT, TimeBudget
from ..training.build import build_training, default_opponent
from ..training.config import MOST_GAMES, TrainingConfig, line_ups_in_words
from ..training.evaluation import Evaluation, compare, evaluations_for
from ..training.folder_run import POLICY
from .config import ALL, check_roles, roles_dealt, roles_named
from .state import hashes_of_policies

FORMAT = 1
SETTINGS = "settings of best responses"
CONFIG, ROWS = "config.json", "robustness.json"
SAMPLED, GREEDY = MODES = ("sampled", "greedy")
PURPOSE_OF_SEEDS = 9
MOST_SEEDS = 10_000
LARGEST_SEED = 2**32 - 1  # PyTorch takes no larger ones

Watcher = Callable[[str, int, Progress], None]  # called with role, seed and progress


@dataclass(frozen=True)
class BestResponses:
    """The learners to train and measure.

    training: the config of every learner, with the lineup (opponents) and the budget (steps); its seed is the first
    of `seeds`. roles: of the learners, in order; games: deals of each role, player count and seed at the end.
    Raises OptionError for a setting that isn't allowed, when the config is made.
    """

    training: TrainingConfig
    roles: tuple[str, ...]
    seeds: int = 5
    games: int = 4000

    def __post_init__(self) -> None:
        check_whole("seeds", self.seeds, 1, MOST_SEEDS)
        check_whole("games", self.games, 1, MOST_GAMES)
        if self.training.seed + self.seeds - 1 > min(LARGEST_SEED, MAX_SEED):
            raise OptionError(f"seeds must be at most {LARGEST_SEED}, not {self.training.seed + self.seeds - 1}")
        if not self.roles or len(set(self.roles)) < len(self.roles):
            raise OptionError(f"roles must be one or more, each once, not {', '.join(self.roles) or 'none'}")
        check_roles("roles", self.roles, self.training)

    def all_seeds(self) -> range:
        """The learners' seeds."""
        return range(self.training.seed, self.training.seed + self.seeds)

    def learner(self, role: str, seed: int) -> TrainingConfig:
        """The config of one learner: player counts that have its role; reference: the lineup's own agent there."""
        training = self.training
        players = tuple(count for count in training.counts() if role in roles_dealt(training, count))
        game = training.known_game()
        seated = training.opponents[0]
        own = seated[named_for(game, role, seated) or EVERYBODY]
        return replace(training, role=role, seed=seed, players=players, reference=own[0])

    def plain(self) -> dict[str, Any]:
        """The settings as JSON values, with the hashes of the policy files in the lineup."""
        names = [name for each in self.training.opponents for pool in each.values() for name in pool]
        settings = {"roles": list(self.roles), "seeds": self.seeds, "games": self.games}
        return {**settings, "training": self.training.plain(), "policies": hashes_of_policies(names)}


def build_responses(values: Mapping[str, Any], source: str) -> BestResponses:
    """The learners from values by field name; the config of each is the table `training`, its opponents the lineup.

    Default: learners of all roles. source: where the values were given. Raises OptionError for unknown names and values
    that aren't allowed.
    """
    check_names(values, field_names(BestResponses), source)
    own = dict(values.get("training", {}))
    reference = default_opponent(find_game(own.get("game", TrainingConfig.game)))  # advises the learners
    training = build_training(own, source, reference=reference, reserved=("role",))
    roles = roles_named(values.get("roles", ALL), training)
    return build(BestResponses, {**values, "training": training.plain(), "roles": roles}, source)


def lineup_text(config: TrainingConfig) -> str:
    """The lineups of a run as `--opponents` takes them."""
    return " | ".join(line_ups_in_words(config.opponents))


@dataclass(frozen=True)
class Row:
    """The win rates of a trained learner and of the lineup's own agent in its seat, and their difference."""

    __pydantic_config__ = NOTHING_ELSE

    role: str
    seed: Count
    players: Count
    mode: str
    games: Count
    won: Share
    low: Share
    high: Share
    reference: Share
    gain: Finite
    gain_low: Finite
    gain_high: Finite


class Measurer:
    """Measures trained learners, those of one role on the same deals."""

    def __init__(self, config: BestResponses) -> None:
        self.config = config
        self._evaluations: dict[tuple[str, int], Evaluation] = {}

    def rows(self, path: Path, role: str, seed: int) -> Iterator[Row]:
        """A row for each player count and mode of the learner with this policy file."""
        config = self.config.learner(role, seed)
        for count in config.counts():
            evaluation = self._evaluation(role, count)
            for mode in MODES:
                learner = load_policy(path, config.known_game(), name="learner", greedy=mode == GREEDY)
                result = compare([(evaluation.won(learner), evaluation.won_by_reference)])
                yield Row(role, seed, count, mode, **result.row())

    def _evaluation(self, role: str, count: int) -> Evaluation:
        """The deals of a role and player count; the lineup's own agent plays them once."""
        if (role, count) not in self._evaluations:
            config = replace(self.config.training, role=role, players=(count,))
            seated = lineups(config.known_game(), config.opponents)
            (self._evaluations[role, count],) = evaluations_for(config, seated, None, self.config.games)
        return self._evaluations[role, count]


class Exploitation:
    """The learners in a folder, each with a run of its own in ROLE/seed_N; unfinished ones are resumed.

    Raises OptionError for a folder with other settings, or with a lineup that has changed since.
    """

    def __init__(self, folder: Path, config: BestResponses) -> None:
        self.folder = folder
        self.config = config
        self._check_folder()
        self.rows = self._read_rows()
        self._measurer = Measurer(self.config)

    def _check_folder(self) -> None:
        """Refuse a folder with other settings; the number of threads may differ."""
        path = self.folder / CONFIG
        if not path.exists():
            return
        there = read_json(path, SETTINGS, FORMAT)
        with read_as(path, SETTINGS):
            there["training"]["threads"] = self.config.training.threads
        if json.dumps(there, sort_keys=True) != json.dumps(self.config.plain(), sort_keys=True):  # true is no 1
            raise OptionError(
                f"{self.folder} holds best responses with other settings or to a lineup that has changed since "
                f"({path}); choose another folder with --out"
            )

    def _read_rows(self) -> list[Row]:
        path = self.folder / ROWS
        if not path.exists():
            return []
        rows = list(of_kind(tuple[Row, ...], read_json(path, "rows").get("rows"), str(path)))
        if {(row.role, row.seed) for row in rows} - set(self.todo):
            raise OptionError(f"{path} holds rows of other learners; delete it to measure these again")
        return rows

    @property
    def todo(self) -> list[tuple[str, int]]:
        """Role and seed of all learners."""
        return [(role, seed) for role in self.config.roles for seed in self.config.all_seeds()]

    @property
    def is_finished(self) -> bool:
        """Whether all learners are trained and measured."""
        return {(row.role, row.seed) for row in self.rows} == set(self.todo)

    def run(self, watch: Watcher = lambda role, seed, progress: None, budget: TimeBudget = NO_LIMIT) -> None:
        """Train and measure the unfinished learners, until `budget` is spent."""
        with locked(self.folder):
            writable_folder(self.folder)
            write_json(self.folder / CONFIG, {"format": FORMAT, **self.config.plain()})
            done = {(row.role, row.seed) for row in self.rows}
            for role, seed in self.todo:
                if (role, seed) in done:
                    continue
                if budget.is_spent() or not self._train(role, seed, watch, budget):
                    break
                self.rows += self._measurer.rows(self.place_of(role, seed) / POLICY, role, seed)
                write_json(self.folder / ROWS, self.content())

    def place_of(self, role: str, seed: int) -> Path:
        """The folder of a learner's run."""
        return self.folder / role / f"seed_{seed}"

    def _train(self, role: str, seed: int, watch: Watcher, budget: TimeBudget) -> bool:
        """Train a learner; whether it is finished."""
        training = Training(self.place_of(role, seed), self.config.learner(role, seed))
        training.run(lambda progress: watch(role, seed, progress), budget)
        return training.is_finished

    def summary(self) -> list[dict[str, Any]]:
        """A row for each role, player count and mode, over all finished seeds."""
        keys = dict.fromkeys(_key(row) for row in self.rows)
        return [summed_up([row for row in self.rows if _key(row) == key], self.config.training.steps) for key in keys]

    def content(self) -> dict[str, Any]:
        """All results so far, as the JSON file holds them."""
        rows = [asdict(row) for row in self.rows]
        return {"lineup": lineup_text(self.config.training), "rows": rows, "robustness": self.summary()}


def summed_up(rows: Sequence[Row], budget: int) -> dict[str, Any]:
    """One row from the rows of all seeds of a role, player count and mode; its interval is over seeds."""
    by_seed = {row.seed: gain_of(asdict(row)) for row in rows}
    over = seeds_difference(by_seed, PURPOSE_OF_SEEDS)
    enough = len(by_seed) >= FEWEST_SEEDS
    shared = asdict(rows[0])
    return {
        **{name: shared[name] for name in ("role", "players", "mode", "games", "reference")},
        "budget": budget,
        "won": sum(row.won for row in rows) / len(rows),
        "gain": over.value,
        "gain_low": over.low if enough else None,
        "gain_high": over.high if enough else None,
        "by_seed": {str(seed): [each.value, each.low, each.high] for seed, each in by_seed.items()},
    }


def _key(row: Row) -> tuple[str, int, str]:
    return row.role, row.players, row.mode


HEADINGS = ("role", "players", "budget", "played", "learner %", "lineup's own %", "gain, points", "each seed")


def cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    """A row of the robustness table in words, under HEADINGS.

    The gain's interval is a bootstrap over seeds, from five seeds on; each seed's is the paired one over its deals.
    """
    each = "; ".join(in_points(*gain) for gain in row["by_seed"].values())
    gain, low, high = (row[name] for name in ("gain", "gain_low", "gain_high"))
    return (
        row["role"],
        str(row["players"]),
        f"{row['budget']:,}",
        row["mode"],
        f"{100 * row['won']:.1f}",
        f"{100 * row['reference']:.1f}",
        f"{100 * gain:+.1f}" if low is None else in_points(gain, low, high),
        each,
    )


def notes(exploitation: Exploitation) -> list[str]:
    """Notes below the table: what its intervals can't show."""
    config = exploitation.config
    lines = []
    if config.seeds < FEWEST_SEEDS:
        lines.append(f"An interval over training seeds needs {FEWEST_SEEDS} of them; there are {config.seeds}.")
    warning = planning_warning(min((row.games for row in exploitation.rows), default=config.games))
    return [*lines, *([] if warning is None else [f"{warning}."])]
