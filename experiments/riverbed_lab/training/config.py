"""The settings of a training run: one flat dataclass, saved with the run, enough to repeat it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Self

from riverbed_env.core.batch import options_by_deal
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice, check_known, check_view, check_whole
from riverbed_env.core.schema import NOTHING_ELSE
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.players.action_entities import objects_of
from riverbed_env.players.features import ADVICE, find_feature_sets
from riverbed_env.players.lineups import EVERYBODY, lineups
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.small import find_small

from ..config_files import RunConfig, Setting, check_settings

QUESTION = "question"  # the piece that says what is asked, in games that ask several questions
ONE, CAMP, ALL_SEATS = "one", "camp", "all"  # seats that learn
FLOAT32, BFLOAT16 = "float32", "bfloat16"
SAMPLED, ALL_ACTIONS = "sampled", "all"  # actions that have an advantage
OUTLOOK, SEAT = "outlook", "SEAT"  # Riverbed Hunt's features, which hold the posteriors; its action of a seat
MOST_STEPS = 10**12
MOST_HEAT = 100  # of a temperature; it falls by factors, so none is 0
MOST_ENVS, MOST_ROLLED, MOST_GAMES, MOST_THREADS = 2**17, 2**24, 10**7, 4096  # memory runs out earlier
LAYERS, WIDEST = 2, 8192

Words = tuple[str, ...]


@dataclass(frozen=True)
class LearnerConfig(RunConfig):
    """The settings that all trainers share: its seat, its opponents, its network, its evaluation.

    opponents: lineups that each map a role, a camp or "everybody" to names of agents; players and pieces: all or the
    usual if empty. Raises OptionError for a setting that isn't allowed, when the config is made.
    """

    __pydantic_config__ = NOTHING_ELSE
    learnt_from: ClassVar[str] = "decisions"  # what a run's steps are

    game: Annotated[str, Setting("the game's id")] = "riverbed_hunt_v1"
    role: Annotated[str | None, Setting("the learner's role", default="any seat")] = None
    players: Annotated[tuple[int, ...], Setting("player counts", default="the game's usual")] = ()
    opponents: Annotated[
        tuple[dict[str, list[str]], ...],
        Setting("lineups, as text or as tables", default="the strongest rule-based agent"),
    ] = ({EVERYBODY: ["random"]},)
    options: Annotated[dict[str, Any], Setting("options of the game", default="none")] = field(default_factory=dict)
    seed: Annotated[int, Setting("seed of the games, the networks and the updates")] = 0
    view: Annotated[str, Setting("the observation: `now` or `history`")] = "now"
    features: Annotated[
        Words, Setting("[what the network is given](training.md#what-the-network-is-given)", default="all, and advice")
    ] = ()
    pieces: Annotated[
        Words, Setting("pieces of the observation the network is given; an empty list: all", default="all")
    ] = ()
    widths: Annotated[tuple[int, ...], Setting("sizes of the network's two layers")] = (128, 64)
    object_width: Annotated[int, Setting("size of the layers shared by seats, spaces and cards", 1, WIDEST)] = 32
    reference: Annotated[str, Setting("whom the learner is compared with", default="the first opponent")] = "random"
    evaluation_games: Annotated[int, Setting("common deals of an evaluation", 0, MOST_GAMES)] = 2000
    threads: Annotated[int, Setting("may change when a run is resumed", 1, MOST_THREADS, default="one a core")] = 1
    device: Annotated[str, Setting("where the network learns: `cpu` or `cuda`", choices=("cpu", "cuda"))] = "cpu"

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_settings(self)
        self._check_network()
        self._check_game()

    def known_game(self) -> Game:
        """The game that is played."""
        return find_game(self.game)

    def counts(self) -> tuple[int, ...]:
        """The player counts; the game's usual one where none is given."""
        return self.players or (self.known_game().default_players,)

    def _check_network(self) -> None:
        if len(self.widths) != LAYERS:
            raise OptionError(f"widths must be {LAYERS} numbers, not {self.widths!r}")
        for width in self.widths:
            check_whole("widths", width, 1, WIDEST)

    def _check_game(self) -> None:
        game = self.known_game()
        if self.role is not None:
            check_choice("role", self.role, game.roles)
        check_view(game, self.view)
        objects_of(game, self.view, find_feature_sets(self.features, game), secrets=False, pieces=self.pieces)
        lineups(game, self.opponents)
        find_agent(self.reference, game.name)
        check_known(game, self.options)
        if "num_players" in self.options:
            raise OptionError("options: the number of players is given by players")
        for count in self.counts():
            check_whole("players", count, game.min_players, game.max_players)
            game.make_params(**options_by_deal(game, {**self.options, "num_players": count})[0])

    def with_changes(self, given: Self) -> Self:
        """The number of threads may change."""
        return replace(self, threads=given.threads)


@dataclass(frozen=True)
class TrainingConfig(LearnerConfig):
    """Settings of a run of PPO, which are named as in Stable-Baselines3's MaskablePPO; see `LearnerConfig`.

    Args:
        settings: the fields by name, all of which have defaults.

    Raises:
        OptionError: a setting isn't allowed, when the config is made.
    """

    steps: Annotated[int, Setting("decisions to learn from, rounded up to whole rollouts", 1, MOST_STEPS)] = 1_000_000
    num_envs: Annotated[int, Setting("games played at once", 1, MOST_ENVS)] = 512
    rollout_steps: Annotated[int, Setting("decisions of each environment in a rollout", 1, MOST_ROLLED)] = 32
    batch_size: Annotated[int, Setting("decisions in a minibatch", 1, MOST_ROLLED)] = 2048
    n_epochs: Annotated[int, Setting("passes over a rollout", 1, MOST_STEPS)] = 2
    learning_rate: Annotated[float, Setting("falls linearly to a tenth", 0, 1)] = 2e-3
    gamma: Annotated[float, Setting("as in MaskablePPO", 0, 1)] = 1.0
    gae_lambda: Annotated[float, Setting("as in MaskablePPO", 0, 1)] = 0.95
    clip_range: Annotated[float, Setting("as in MaskablePPO", 0, 10)] = 0.2
    ent_coef: Annotated[float, Setting("as in MaskablePPO", 0, 10)] = 0.001
    vf_coef: Annotated[float, Setting("as in MaskablePPO", 0, 10)] = 0.5
    max_grad_norm: Annotated[float, Setting("as in MaskablePPO", 0, 1e6)] = 0.5
    critic: Annotated[str, Setting("`own`, or `secrets`: it sees the full state", choices=("secrets", "own"))] = "own"
    speaking: Annotated[float, Setting("[reward for what claims do to beliefs](talk.md#train-with-it)", 0, 100)] = 0.0
    listening: Annotated[
        float, Setting("[weight of predicting the others' roles](talk.md#train-with-it) in the loss", 0, 100)
    ] = 0.0
    precision: Annotated[
        str,
        Setting(
            "of matrix products: `bfloat16` learns half as fast again on processors that multiply it, slower on others",
            choices=(FLOAT32, BFLOAT16),
        ),
    ] = FLOAT32
    trust: Annotated[float, Setting("the logit that advice adds at first", 0, 50)] = 2.0
    seats: Annotated[
        str,
        Setting(
            "`one` seat learns, the role's `camp`, or `all`: [self-play](selfplay.md)", choices=(ONE, CAMP, ALL_SEATS)
        ),
    ] = ONE
    small: Annotated[
        str,
        Setting(
            "a [small game](exact.md#learn-on-small-games), whose tree has exact gaps; all seats learn unless `seats` "
            "says otherwise",
            default="none",
        ),
    ] = ""
    advantages: Annotated[
        str,
        Setting(
            "`sampled`: of the action taken; `all`: [of all](selfplay.md#one-seat-or-a-camp)",
            default="`all` in self-play",
            choices=(SAMPLED, ALL_ACTIONS),
        ),
    ] = SAMPLED
    step_size: Annotated[float, Setting("in self-play: how far an update moves the policy", 0, 100)] = 0.3
    temperature: Annotated[
        tuple[float, float], Setting("in self-play: how random the policy stays, at the beginning and at the end")
    ] = (0.2, 0.02)
    warm_up: Annotated[
        int, Setting("in self-play: decisions from which the critic learns alone, at most a tenth", 0, MOST_STEPS)
    ] = 10**5
    start: Annotated[
        str, Setting("folder of a run of the same network, whose weights this one begins with", default="none")
    ] = ""
    evaluate_every: Annotated[int, Setting("steps between evaluations", 1, MOST_STEPS)] = 500_000
    checkpoint_every: Annotated[int, Setting("steps between checkpoints", 1, MOST_STEPS)] = 250_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.values_states:
            self._check_selfplay()
        if self.small:
            self._check_small()
        if self.speaking and self.options.get("talk", "none") == "none":
            raise OptionError("a reward for speaking needs riverbed_hunt_v1 with the option talk='claims' or 'text'")
        if self.listening:
            self._check_listening()
        check_whole("num_envs times rollout_steps", self.rollout, 1, MOST_ROLLED)
        if self.batch_size > self.rollout:
            raise OptionError(
                f"batch_size {self.batch_size} is more than a rollout holds: "
                f"{self.num_envs} num_envs of {self.rollout_steps} steps are {self.rollout}"
            )
        if self.num_envs < len(self.counts()):
            raise OptionError(f"{self.num_envs} num_envs can't be shared out among {len(self.counts())} player counts")

    @property
    def values_states(self) -> bool:
        """Whether `selfplay.py` learns, whose critic values full states, and not `ppo.py`."""
        return self.seats != ONE or self.advantages == ALL_ACTIONS

    def _check_selfplay(self) -> None:
        setting = f"seats = {self.seats}" if self.seats != ONE else f"advantages = {self.advantages}"
        others = {"critic": "own", "speaking": 0.0, "listening": 0.0}
        for name, usual in others.items():
            if getattr(self, name) != usual:
                raise OptionError(f"with {setting} the critic sees the full state: leave out {name}")
        if self.seats == ALL_SEATS and self.role is not None:
            raise OptionError("with seats = all every seat learns: leave out role")
        given = [alpha for alpha in self.temperature if isinstance(alpha, int | float) and 0 < alpha <= MOST_HEAT]
        if len(given) != 2 or len(self.temperature) != 2:
            raise OptionError(f"temperature must be two numbers above 0, at most {MOST_HEAT}, not {self.temperature!r}")
        if any(name.startswith(ADVICE) for name in self.features):
            raise OptionError(f"with {setting} nobody advises: leave out features that begin with {ADVICE}")

    def _check_small(self) -> None:
        small = find_small(self.small)
        if not self.values_states or self.evaluation_games:
            raise OptionError(
                f"small = {self.small} needs seats = all, or advantages = all, and evaluation_games = 0: gaps are exact"
            )
        players = {"num_players": small.num_players}
        own, options = {**small.all_options, **players}, {**self.options, **players}
        if (self.known_game(), self.counts(), options) != (small.rules, (small.num_players,), own):
            raise OptionError(f"small = {self.small} says the game, the players and the options: leave them out")

    def _check_listening(self) -> None:
        if self.known_game().deduction is None:
            raise OptionError(f"a listening target needs a game whose roles can be deduced, not {self.known_game().id}")
        if OUTLOOK in self.features:
            raise OptionError(
                f"listening learns to predict posteriors that the features {OUTLOOK} give: leave them out, as in "
                "features = []"
            )
        seen = objects_of(self.known_game(), self.view, (), secrets=False, pieces=self.pieces)
        if SEAT not in [kind.block for kind in seen.kinds]:
            raise OptionError("listening needs pieces that describe seats")

    @property
    def rollout(self) -> int:
        """How many decisions a rollout holds."""
        return self.num_envs * self.rollout_steps

    @property
    def steps_played(self) -> int:
        """The decisions a run ends with: `steps`, rounded up to whole rollouts."""
        return -(-self.steps // self.rollout) * self.rollout


def read_lineup(text: str, game: Game) -> dict[str, list[str]]:
    """A lineup from `AGENT`, or from `AGENT;ROLE=AGENT+AGENT;CAMP=AGENT`: who names no role plays the rest."""
    known = {*game.roles, *game.camps, EVERYBODY}
    lineup: dict[str, list[str]] = {}
    for part in text.split(";"):
        name, sign, agents = part.partition("=")
        if name not in known and not (sign and name.isidentifier()):
            name, agents = EVERYBODY, part
        lineup[name] = agents.split("+")
    if len(lineup) <= text.count(";") or lineup.keys() - known:
        raise OptionError(
            f"a lineup is an agent, or AGENT;ROLE=AGENT;CAMP=AGENT+AGENT, not {text!r}; roles and camps are "
            f"{', '.join(sorted(known))}"
        )
    return lineup


def line_ups_in_words(opponents: Iterable[Mapping[str, Iterable[str]]]) -> list[str]:
    """Lineups as `read_lineup` reads them."""
    return [
        ";".join("+".join(names) if role == EVERYBODY else f"{role}={'+'.join(names)}" for role, names in each.items())
        for each in opponents
    ]


def among_in_words(seats: str, opponents: Iterable[Mapping[str, Iterable[str]]]) -> str:
    """Among whom a policy learns: lineups, or itself where all seats learn."""
    return "itself" if seats == ALL_SEATS else " or ".join(line_ups_in_words(opponents))
