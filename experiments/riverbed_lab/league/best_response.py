"""Best responses: learners with a fixed budget against a frozen lineup, one role at a time, and what they gain.

The robustness table shows how much more a learner wins in a role's seat than the lineup's own agent does there, on
common deals. A gain is a lower bound of what the lineup can lose; no gain only means that this learner found none
within this budget.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.options import check_whole
from riverbed_env.core.schema import NOTHING_ELSE
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import MAX_SEED
from riverbed_env.players.lineups import EVERYBODY, named_for
from riverbed_env.players.policies import load_policy
from riverbed_env.registry import find_game

from ..config_files import RunConfig, build, check_names, field_names, read_as
from ..locks import locked
from ..ppo import Training
from ..statistics import FEWEST_SEEDS, gain_of, in_points, seeds_difference
from ..training.build import build_training, default_opponent
from ..training.config import MOST_GAMES, TrainingConfig, line_ups_in_words
from ..training.evaluation import SeatGains
from ..training.folder_run import NO_LIMIT, POLICY, Progress, TimeBudget, Watcher
from .config import ALL, check_roles, roles_dealt, roles_named
from .state import hashes_of_policies

ROWS = "robustness.json"
SAMPLED, GREEDY = MODES = ("sampled", "greedy")
PURPOSE_OF_SEEDS = 9
MOST_SEEDS = 10_000
LARGEST_SEED = 2**32 - 1  # PyTorch takes no larger ones


@dataclass(frozen=True)
class BestResponses(RunConfig):
    """The learners to train and measure.

    training: the config of every learner, with the lineup (opponents) and the budget (steps); its seed is the first
    of `seeds`. roles: of the learners, in order; games: deals of each role, player count and seed at the end; policies:
    hashes of the policy files in the lineup. Raises OptionError for a setting that isn't allowed, when it is made.
    """

    __pydantic_config__ = NOTHING_ELSE
    what: ClassVar[str] = "set of best responses"

    training: TrainingConfig
    roles: tuple[str, ...]
    seeds: int = 5
    games: int = 4000
    policies: dict[str, str] = field(default_factory=dict)

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

    def with_hashes(self) -> Self:
        """These settings, with the hashes of the policy files in the lineup as they are now."""
        named = [name for each in self.training.opponents for pool in each.values() for name in pool]
        return replace(self, policies=hashes_of_policies(named))

    def with_changes(self, given: Self) -> Self:
        """The number of threads may change."""
        return replace(self, training=self.training.with_changes(given.training))


def build_responses(values: Mapping[str, Any], source: str) -> BestResponses:
    """The learners from values by field name; the config of each is the table `training`, its opponents the lineup.

    Default: learners of all roles. source: where the values were given. Raises OptionError for unknown names and values
    that aren't allowed.
    """
    check_names(values, field_names(BestResponses), source)
    own = dict(values.get("training", {}))
    reference = default_opponent(find_game(own.get("game", TrainingConfig.game)))  # advises the learners
    training = build_training(own, source, reference=reference, reserved=("role", "seats"))
    roles = roles_named(values.get("roles", ALL), training)
    return build(BestResponses, {**values, "training": training.plain(), "roles": roles}, source)


def lineup_text(config: TrainingConfig) -> str:
    """The lineups of a run as `--opponents` takes them."""
    return " | ".join(line_ups_in_words(config.opponents))


class Exploitation:
    """The learners in a folder, each with a run of its own in ROLE/seed_N; unfinished ones are resumed.

    Raises OptionError for a folder with other settings, or with a lineup that has changed since.
    """

    def __init__(self, folder: Path, config: BestResponses) -> None:
        self.folder, self.config = folder, BestResponses.in_folder(folder, config.with_hashes())
        self.rows: list[dict[str, Any]] = []
        if (folder / ROWS).exists():
            with read_as(folder / ROWS, "rows of best responses"):
                self.rows = read_json(folder / ROWS, "rows")["rows"]
                self.summary()
        self._gains = SeatGains(config.training, config.games)

    @property
    def left(self) -> list[tuple[str, int]]:
        """Role and seed of the learners that aren't measured yet."""
        done = {(row["role"], row["seed"]) for row in self.rows}
        return [
            (role, seed) for role in self.config.roles for seed in self.config.all_seeds() if (role, seed) not in done
        ]

    @property
    def is_finished(self) -> bool:
        """Whether all learners are trained and measured."""
        return not self.left

    @property
    def where(self) -> str:
        """Its progress, as text."""
        return f"with {len(self.left)} learners left"

    def run(self, watch: Watcher = lambda progress: None, budget: TimeBudget = NO_LIMIT) -> None:
        """Train and measure the unfinished learners, until `budget` is spent."""
        with locked(self.folder):
            self.config.save(self.folder)
            for role, seed in self.left:
                if budget.is_spent() or not self._train(role, seed, watch, budget):
                    break
                self.rows += self._measured(role, seed)
                write_json(self.folder / ROWS, self.content())

    def place_of(self, role: str, seed: int) -> Path:
        """The folder of a learner's run."""
        return self.folder / role / f"seed_{seed}"

    def _train(self, role: str, seed: int, watch: Watcher, budget: TimeBudget) -> bool:
        """Train a learner; whether it is finished."""
        training = Training(self.place_of(role, seed), self.config.learner(role, seed))
        learners = len(self.config.roles) * self.config.seeds
        before = learners - len(self.left)

        def note(progress: Progress) -> None:
            done, total = (each + number * progress.total for each, number in ((progress.done, before), (0, learners)))
            watch(Progress(f"{role}, seed {seed}: {progress.what}", done, total))

        training.run(note, budget)
        return training.is_finished

    def _measured(self, role: str, seed: int) -> Iterator[dict[str, Any]]:
        """A row for each player count and mode of a trained learner."""
        config, path = self.config.learner(role, seed), self.place_of(role, seed) / POLICY
        for count in config.counts():
            for mode in MODES:
                learner = load_policy(path, config.known_game(), name="learner", greedy=mode == GREEDY)
                row = self._gains.row("", config.opponents, role, count, learner)
                yield {"role": role, "seed": seed, "players": count, "mode": mode, **row}

    def summary(self) -> list[dict[str, Any]]:
        """A row for each role, player count and mode, over all finished seeds."""
        groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for row in self.rows:
            groups.setdefault((row["role"], row["players"], row["mode"]), []).append(row)
        return [summed_up(rows, self.config.training.steps) for rows in groups.values()]

    def content(self) -> dict[str, Any]:
        """All results so far, as the JSON file holds them."""
        return {"lineup": lineup_text(self.config.training), "rows": self.rows, "robustness": self.summary()}


def summed_up(rows: Sequence[Mapping[str, Any]], budget: int) -> dict[str, Any]:
    """One row from the rows of all seeds of a role, player count and mode; its interval is over seeds."""
    by_seed = {row["seed"]: gain_of(row) for row in rows}
    over = seeds_difference(by_seed, PURPOSE_OF_SEEDS)
    enough = len(by_seed) >= FEWEST_SEEDS
    return {
        **{name: rows[0][name] for name in ("role", "players", "mode", "games", "reference")},
        "budget": budget,
        "won": sum(row["won"] for row in rows) / len(rows),
        "gain": over.value,
        "gain_low": over.low if enough else None,
        "gain_high": over.high if enough else None,
        "by_seed": {str(seed): [each.value, each.low, each.high] for seed, each in by_seed.items()},
    }


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
