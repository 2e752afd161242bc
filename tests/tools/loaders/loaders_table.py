"""Every file that the library reads: how to make a sound one, how to load it, and what was loaded as plain values.

Not here: agents in Python files, which are code (`tests/experiments/test_agent_specs.py`), and states passed as arrays
(`tests/learner/test_learner_states.py`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from distil.small_distillations import small as small_distillation
from league.small_leagues import small_league
from training.small_runs import ROLLOUT, small

from riverbed_env.core.batch import Batch
from riverbed_env.core.packs import find_pack
from riverbed_env.corpus import Corpus, Manifest
from riverbed_env.corpus.manifest import MANIFEST
from riverbed_env.kernels.random import STREAM, open_stream
from riverbed_env.players.policies import PolicyConfig, SavedPolicy, load_policy, save_policy
from riverbed_env.registry import entry_points, find_game
from riverbed_lab.distil.blocks import Origin, block_file, read_block
from riverbed_lab.distil.config import load_config as load_distillation
from riverbed_lab.distil.run import Distillation
from riverbed_lab.evaluation.folder import PLAN, Folder, Identity, load
from riverbed_lab.evaluation.inference import Bin, Compared, Inference, Readability, Scores
from riverbed_lab.evaluation.inference_file import InferenceFiles, to_plain
from riverbed_lab.evaluation.outcomes import Outcomes
from riverbed_lab.evaluation.replay import Replay
from riverbed_lab.evaluation.results import InferenceRow
from riverbed_lab.evaluation.run import Evaluation
from riverbed_lab.league.best_response import ROWS, BestResponses, Exploitation
from riverbed_lab.league.config import load_league_config
from riverbed_lab.league.league import STATE, League
from riverbed_lab.playing.plan import Plan
from riverbed_lab.recording.record import record_corpus
from riverbed_lab.report.learning_curves import learning_rows
from riverbed_lab.statistics import Mean, Rate
from riverbed_lab.training.checkpoint import load_checkpoint
from riverbed_lab.training.config import load_config
from riverbed_lab.training.curve import CURVE
from riverbed_lab.training.folder_run import CHECKPOINT, CONFIG, POLICY
from riverbed_lab.training.run import Training

FORD, HUNT = find_game("ford_v0"), find_game("riverbed_hunt_v1")
PACKED = ("riverbed_hunt", "deep_river", "riverside")
PLANNED = Plan(
    HUNT.id, ("simple",), "random", (4,), 6, ("chief",),
    tables=("mirror", "deviation"), seed=3, chunk=4, inference_games=2,
)  # fmt: skip

Load = Callable[[], Any]


def no_rows(loaded: Any) -> bool:
    return not loaded


@dataclass(frozen=True)
class Loader:
    """A file and how it is loaded.

    form: "json", "toml", "npz", "parquet" or "bytes". make: fills a folder with a sound file and returns what loads it.
    plain: the loaded content as plain values, to be compared with the file's; None: not compared. nothing: whether the
    result means a missing file, for readers that skip unreadable files. many: share of the usual number of examples.
    """

    name: str
    file: str
    form: str
    make: Callable[[Workshop, Path], Load]
    plain: Callable[[Any], Any] | None = None
    nothing: Callable[[Any], bool] = lambda loaded: False
    many: float = 1.0

    def __str__(self) -> str:
        return self.name


class Workshop:
    """Sound runs, leagues and evaluations, each made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def training(self) -> Path:
        folder = self.folder / "training"
        training = Training(folder, small(steps=2 * ROLLOUT, evaluate_every=ROLLOUT, evaluation_games=8))
        training.run()
        return folder

    @cached_property
    def distillation(self) -> Path:
        Distillation(self.folder / "distillation", small_distillation(rounds=1, blocks=1, evaluation_games=8)).run()
        return self.folder / "distillation"

    @cached_property
    def league(self) -> Path:
        config = small_league(rounds=2, rate_every=1, evaluation_games=4, steps_per_round=ROLLOUT)
        League(self.folder / "league", config).run()
        return self.folder / "league"

    @cached_property
    def responses(self) -> BestResponses:
        return BestResponses(small(steps=ROLLOUT, evaluation_games=0), ("wader",), 1, 10)

    @cached_property
    def exploitation(self) -> Path:
        Exploitation(self.folder / "exploitation", self.responses).run()
        return self.folder / "exploitation"

    @cached_property
    def evaluation(self) -> Path:
        Evaluation.begin(PLANNED, self.folder / "evaluation").play()
        return self.folder / "evaluation"

    @cached_property
    def corpus(self) -> Path:
        manifest = Manifest(FORD.id, 6, (FORD.default_players,), ("random",), part=3)
        return record_corpus(manifest, self.folder / "corpus").folder


@cache
def workshop_of(folder: Path) -> Workshop:
    """The workshop of all tests of a process."""
    return Workshop(folder / "workshop")


def copied(source: Path, folder: Path) -> Path:
    """A copy of a folder, without what TensorBoard reads."""
    return Path(shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("tensorboard")))


# --- packs -----------------------------------------------------------------------------------------------------------


def pack(name: str) -> Loader:
    """A game's pack; what is accepted can be played."""
    game = find_game(name)

    def make(workshop: Workshop, folder: Path) -> Load:
        path = Path(shutil.copy(find_pack(name, "default"), folder / "pack.toml"))

        def read() -> Any:
            assert game.load_pack is not None
            loaded = game.load_pack(path)
            batch = Batch(game, 2, seed=1, pack=path)
            for _ in range(20):
                batch.step(batch.random_actions())
            batch.set_state(batch.get_state())
            return loaded

        return read

    return Loader(f"pack of {name}", "pack.toml", "toml", make, many=0.4)


# --- policies, checkpoints, settings and curves of runs --------------------------------------------------------------


def played(policy: SavedPolicy) -> SavedPolicy:
    """The policy, once it has answered with legal actions."""
    batch = Batch(FORD, 4, seed=1)
    streams = np.zeros(4, STREAM)
    for index in range(4):
        open_stream(streams[index], 1, index, 5)
    for greedy in (False, True):
        actions = replace(policy, greedy=greedy).act(
            batch.observation, batch.action_mask, np.zeros((4, 0), np.int32), streams
        )
        assert batch.action_mask[np.arange(4), actions].all()
    return policy


def layers(workshop: Workshop, folder: Path) -> Load:
    sizes = (FORD.views["history"], 8, FORD.actions.size)
    rng = np.random.default_rng(1)
    made = [(rng.normal(size=pair).astype(np.float32), np.zeros(pair[1], np.float32)) for pair in pairwise(sizes)]
    save_policy(folder / POLICY, PolicyConfig(FORD.id, about="for tests"), made)
    return lambda: played(load_policy(folder / POLICY, FORD))


def plain_policy(policy: SavedPolicy) -> dict[str, Any]:
    network: Any = policy.network
    arrays = network.arrays(network.layers) if hasattr(network, "layers") else network.arrays
    return {"config": json.loads(json.dumps(asdict(policy.config))), **arrays}


def checkpoint(workshop: Workshop, folder: Path) -> Load:
    """Taken up by a run that is there already: making one takes a hundred times as long."""
    training = Training(copied(workshop.training, folder), None)

    def read() -> Training:
        training._load(folder / CHECKPOINT)
        return training

    return read


def plain_training(training: Training) -> dict[str, Any]:
    games = {f"games/{name}": array for name, array in training.env.get_state().items()}
    weights = {f"weight/{name}": value.numpy() for name, value in training.model.policy.state_dict().items()}
    header = {"steps": training.steps, "curve": training.curve, "seconds": training.seconds}
    return {**games, **weights, "header": header}


def checkpoint_of_distillation(workshop: Workshop, folder: Path) -> Load:
    run = Distillation(copied(workshop.distillation, folder), None)

    def read() -> Distillation:
        run._load(folder / CHECKPOINT)
        return run

    return read


def plain_distillation(run: Distillation) -> dict[str, Any]:
    weights = {f"weight/{name}": value.numpy() for name, value in run.student.state_dict().items()}
    return {**weights, "header": {"steps": run.steps, "rounds": run.rounds, "curve": run.curve}}


def labels(workshop: Workshop, folder: Path) -> Load:
    config = load_distillation(copied(workshop.distillation, folder) / CONFIG)
    packs = load_checkpoint(folder / CHECKPOINT)[0]["packs"]
    return lambda: read_block(block_file(folder, (0, 0)), Origin.of(config, packs), (0, 0), None, config)


def plain_model(model: Any) -> dict[str, Any]:
    weights = {f"weight/{name}": value.numpy() for name, value in model.policy.state_dict().items()}
    return {**weights, "header": {"steps": model.num_timesteps, "updates": model._n_updates}}


def of(part: str, load_from: Callable[[Path], Any]) -> Callable[[Workshop, Path], Load]:
    """What copies a part of the workshop into a folder and loads it from there."""

    def make(workshop: Workshop, folder: Path) -> Load:
        copied(getattr(workshop, part), folder)
        return lambda: load_from(folder)

    return make


objects = of("training", lambda folder: played(load_policy(folder / POLICY, FORD)))
curve = of("training", lambda folder: learning_rows(FORD, [str(folder / POLICY)])[0])


def plain_curve(rows: Any) -> dict[str, Any]:
    return {
        "curve": [{"steps": each.steps, "games": each.won.games, "gain": each.gain.value} for each in rows[0].points]
    }


def exploitation(workshop: Workshop, folder: Path) -> Load:
    copied(workshop.exploitation, folder)
    return lambda: Exploitation(folder, workshop.responses)


def plain_rows(loaded: Exploitation) -> dict[str, Any]:
    return {"rows": [asdict(row) for row in loaded.rows]}


# --- evaluations -----------------------------------------------------------------------------------------------------


def read_plan(folder: Path) -> Identity:
    evaluation = Evaluation.open(folder)
    assert evaluation.left is not None
    return evaluation.folder.identity


def read_part(folder: Path) -> Any:
    replay = Replay(folder)
    outcomes = Outcomes(HUNT, replay.plan, Folder(folder, replay.identity))
    cell = outcomes.read(outcomes.cells[0])
    row = replay.row(replay.cells[0], 1)
    replay.agents(row)
    return {"block": cell.block, "won": cell.won, "decisions": cell.columns["decisions"], "row": row}


plan = of("evaluation", read_plan)
manifest_of_corpus = of("corpus", lambda folder: Corpus(folder).manifest)
part_of_corpus = of("corpus", lambda folder: Corpus(folder).part(0))


def scores(workshop: Workshop, folder: Path) -> Load:
    copied(workshop.evaluation, folder)
    files = InferenceFiles(HUNT, Folder(folder, load(folder)))
    mean = Mean(0.5, -np.inf, np.inf, 3, 1)
    each = Compared(Scores(mean, mean, (Bin(0.5, Rate(1, 2, 0.1, 0.9)),)), None)
    row = InferenceRow(
        4, "all simple", "rules", "", "turn", Inference(each, {1: each}, {"chief": Readability(mean, None)})
    )
    (folder / "inference").mkdir()
    (folder / "inference" / "4.json").write_text(json.dumps({**files._key(), "rows": [to_plain(row)]}))
    return files.rows


# --- states and leagues -----------------------------------------------------------------------------------------------


def state(workshop: Workshop, folder: Path) -> Load:
    env = entry_points(FORD).env()
    env.reset(seed=1)
    (folder / "state").write_bytes(env.get_state())

    def read() -> Any:
        env.set_state((folder / "state").read_bytes())
        return env

    return read


league = of("league", lambda folder: League(folder, None))

LOADERS = (
    *(pack(name) for name in PACKED),
    Loader("policy of layers", POLICY, "npz", layers, plain_policy),
    Loader("policy of objects", POLICY, "npz", objects, plain_policy),
    Loader("checkpoint of a run", CHECKPOINT, "npz", checkpoint, plain_training),
    Loader("checkpoint of a league", "checkpoints/main_2.npz", "npz", league),
    Loader(
        "checkpoint of a distillation", CHECKPOINT, "npz", checkpoint_of_distillation, plain_distillation, many=0.4
    ),
    Loader(
        *("labels", "labels/round_000_block_0000.npz", "npz", labels),
        lambda block: {"inputs": block.inputs},  # worths are NaN in places, which equals nothing
    ),
    Loader(
        "settings of a distillation", CONFIG, "json",
        of("distillation", lambda folder: load_distillation(folder / CONFIG)), lambda config: config.plain(),
    ),
    Loader("policy of a league", "policies/main_1.npz", "npz", league, many=0.2),
    Loader(
        *("settings of a run", CONFIG, "json", of("training", lambda folder: load_config(folder / CONFIG))),
        lambda config: config.plain(),
    ),
    Loader("curve", CURVE, "json", curve, plain_curve, nothing=no_rows),
    Loader(
        *("settings of a league", CONFIG, "json", of("league", lambda folder: load_league_config(folder / CONFIG))),
        lambda config: config.plain(),
    ),
    Loader("state of a league", STATE, "json", league),
    Loader("settings of best responses", CONFIG, "json", exploitation, lambda loaded: loaded.config.plain()),
    Loader("rows of best responses", ROWS, "json", exploitation, plain_rows),
    Loader("plan of an evaluation", PLAN, "json", plan, lambda loaded: loaded.as_plain()),
    Loader("rows of an evaluation", "parts/0000-00000.parquet", "parquet", of("evaluation", read_part), dict),
    Loader(
        *("scores of inference", "inference/4.json", "json", scores),
        lambda rows: {"rows": [to_plain(row) for row in rows]}, nothing=no_rows,
    ),
    Loader(
        *("manifest of a corpus", MANIFEST, "json", manifest_of_corpus),
        lambda manifest: json.loads(json.dumps(asdict(manifest))),
    ),
    Loader("part of a corpus", "parts/000000.parquet", "parquet", part_of_corpus, vars),
    Loader("state of a game", "state", "bytes", state, lambda env: env.get_state()),
)  # fmt: skip
