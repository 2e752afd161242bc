"""Saved policies: a network's weights and its config, in one file without code.

A file is NumPy's .npz: `config`, a JSON text, and arrays of float32 (or float16, which take half the space and are read
as float32). The network maps the observation and its features, divided by `scale`, to a logit for each action; illegal
actions are masked out. There are three kinds of networks: "layers", which any library can train, has `weight_0`,
`bias_0`, … with `activation` between them; "objects" is what `riverbed train` makes and "related" what `riverbed
distil` makes, see `players.networks`.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import Field

from riverbed_env.core.features import FeatureSet, table_of, write_features
from riverbed_env.core.files import Arrays, check_plain, parse_json, read_arrays, write_arrays
from riverbed_env.core.game import Game
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Numbers, Whole
from riverbed_env.kernels.random import WORDS_A_DECISION, draw_uniforms
from riverbed_env.registry import find_game

from .action_entities import Columns, head_columns, objects_of, pieces_in
from .agents import Memory, Streams, Vectors, Views, needed_views
from .features import find_feature_sets
from .networks import Layer, Layers, Network, ObjectNetwork, in_single

FORMAT = 1
SUFFIX = ".npz"
LARGEST_FILE = 256 * 2**20  # bytes
RELATED: Final = "related"
SMALLEST_SCALE = 1e-6
LARGEST_LOGIT = 1e8  # larger ones could make a legal action look illegal
VERY_UNLIKELY = np.float32(-1e9)  # the logit of an illegal action
OWN_WORDS = WORDS_A_DECISION // 2  # an adviser draws from the words before these


@dataclass(frozen=True)
class PolicyConfig:
    """The config of a policy: its game, its inputs, and how it chooses.

    Args:
        environment: the game's versioned name.
        view: the view of its observations.
        scale: the divisor of its inputs, 1e-6 to 1e6.
        activation: between layers, "relu" or "tanh".
        about: a description for lists.
        features: names of its feature sets, see `players.features`.
        network: "layers", "objects", or "related", which is "objects" with relations.
        pieces: names of the pieces that networks of objects use, all if none.
        heads: a one-hot piece, each number of which has scores of its own there; "" for none.
        sees: the names of the observation's pieces and how many numbers each has, which `save_policy` notes. A policy
            binds to pieces by name, so that new ones don't retire it.
        more: anything else to store with it, as JSON can.
    """

    __pydantic_config__ = NOTHING_ELSE

    environment: str
    view: str = "history"
    scale: Annotated[float, Field(ge=SMALLEST_SCALE, le=1 / SMALLEST_SCALE)] = 1.0
    activation: Literal["relu", "tanh"] = "tanh"
    about: str = ""
    features: tuple[str, ...] = ()
    network: Literal["layers", "objects", "related"] = "layers"
    pieces: tuple[str, ...] = ()
    heads: str = ""
    sees: dict[str, int] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)  # compared by identity, since arrays can't be
class SavedPolicy:
    """A network as an agent: it draws from its masked softmax, or takes the likeliest action if `greedy`.

    With features it also needs what they are computed from: views (n,) and params (1,), see `CompiledAgent.act`.

    Args:
        name: its name in lineups and tables.
        config: what the network is for.
        network: the network.
        features: the feature sets it takes beside the observation.
        size: how many numbers of the observation it takes, 0 for all of them.
        greedy: whether it takes the likeliest action.
        memory_size: 0; it remembers nothing.
    """

    name: str
    config: PolicyConfig
    network: Network
    features: tuple[FeatureSet, ...] = ()
    size: int = 0  # of the observation it takes, 0 for all of it
    greedy: bool = False
    memory_size: int = 0

    @property
    def about(self) -> str:
        """A description for lists."""
        return self.config.about

    @property
    def by_view(self) -> bool:
        """Whether it needs views."""
        return bool(self.features)

    def logits(
        self,
        observations: Vectors,
        masks: Vectors,
        rng: Streams,
        views: Views | None = None,
        params: Views | None = None,
    ) -> Numbers:
        """The masked logits. The network's inputs are the observation and the features, divided by `scale`.

        Args:
            observations: (n, D) int8 or longer; numbers past its view are ignored.
            masks: (n, A) int8, 1 for legal actions; features may read them.
            rng: (n,) random streams; features draw from copies.
            views: (n,) view records; needed with features.
            params: (1,); needed with features.

        Returns:
            (n, A) float32; -1e9 for illegal actions, from -1e8 to 1e8 for legal ones.

        Raises:
            OptionError: it has features, and views or params are missing or params are those of several sets of
                options.
        """
        seen = observations[:, : self.size or None]
        if self.features:
            views, params = needed_views(self.name, views, params)
            derived = write_features(self.features, views, params, observations, masks, rng.copy())
            seen = np.concatenate([seen, derived], axis=1)
        inputs = seen.astype(np.float32) / np.float32(self.config.scale)
        with np.errstate(over="ignore", invalid="ignore"):  # weights may have diverged in training
            raw = self.network.logits(inputs, masks)
        bounded = np.nan_to_num(raw, nan=0.0, posinf=LARGEST_LOGIT, neginf=-LARGEST_LOGIT)
        return np.where(masks == 1, bounded.clip(-LARGEST_LOGIT, LARGEST_LOGIT), VERY_UNLIKELY)

    def probabilities(self, observations: Vectors, masks: Vectors, rng: Streams, **sight: Any) -> Floats:
        """How likely it takes each action; 1 for the likeliest one if it is `greedy`.

        Args:
            observations: see `logits`.
            masks: (n, A) int8, 1 for legal actions.
            rng: see `logits`: the probabilities depend on the streams if a feature draws.
            sight: views and params, see `logits`.

        Returns:
            (n, A) float64.

        Raises:
            OptionError: see `logits`.
        """
        logits = self.logits(observations, masks, rng, **sight)
        if self.greedy:
            return np.asarray(np.arange(masks.shape[1]) == logits.argmax(axis=1)[:, None], np.float64)
        weights = _weights(logits, masks)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def act(
        self,
        observations: Vectors,
        masks: Vectors,
        memory: Memory,
        rng: Streams,
        views: Views | None = None,
        params: Views | None = None,
    ) -> Whole:
        """One legal action for each of n games; see `CompiledAgent.act`.

        Args:
            observations: see `logits`.
            masks: (n, A) int8, 1 for legal actions.
            memory: (n, 0) int32, which isn't read.
            rng: (n,) random streams, which are drawn from unless `greedy`.
            views: see `logits`.
            params: see `logits`.

        Returns:
            The actions' numbers, (n,) int64.

        Raises:
            OptionError: see `logits`.
        """
        logits = self.logits(observations, masks, rng, views, params)
        if self.greedy:
            return np.asarray(logits.argmax(axis=1), np.int64)
        totals = _weights(logits, masks).cumsum(axis=1)
        drawn = np.zeros(len(rng))
        rng["drawn"] += OWN_WORDS
        draw_uniforms(rng, drawn)
        return np.asarray((totals > (drawn * totals[:, -1])[:, None]).argmax(axis=1), np.int64)


def _weights(logits: Numbers, masks: Vectors) -> Floats:
    """What the probabilities are proportional to, (n, A)."""
    return np.asarray(np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float64)) * (masks == 1))


def save_policy(path: Path, config: PolicyConfig, network: Sequence[Layer] | Arrays) -> None:
    """Write a policy file, whole or not at all.

    Args:
        path: the file; specs know policies by the suffix .npz.
        config: what the network is for. Without `sees`, the pieces of its view are noted there.
        network: for "layers" the weight (inputs, outputs) and bias (outputs,) of each layer, otherwise its arrays by
            name.

    Raises:
        OptionError: `config` has no `sees`, and there is no game of its `environment`.
        WriteError: the file can't be written.
    """
    named = network if isinstance(network, dict) else Layers.arrays(network)
    noted = replace(config, sees=config.sees or pieces_in(find_game(config.environment), config.view))
    words = np.array(json.dumps({"format": FORMAT, **asdict(noted)}))
    write_arrays(path, {"config": words, **named}, compressed=True)


def load_policy(path: Path, game: Game, *, name: str = "", greedy: bool = False) -> SavedPolicy:
    """Load a policy.

    Args:
        path: the policy file.
        game: the game it is to play.
        name: the agent's name; by default the path.
        greedy: whether it takes its likeliest action instead of drawing.

    Returns:
        The agent.

    Raises:
        OptionError: the file is no policy, or the policy is of another game, or of other pieces.
    """
    check_plain(path, f"policy {path}", LARGEST_FILE)
    arrays = read_arrays(path, "policy")
    text = arrays.pop("config", None)
    if text is None or text.dtype.kind != "U" or text.ndim:
        raise OptionError(f"policy {path} has no valid config: it must be a text")
    about = f"config of policy {path}"
    config = of_kind(PolicyConfig, parse_json(str(text), about, FORMAT), about)
    _check_game(path, config, game)
    weights = in_single(arrays)
    try:
        features = find_feature_sets(config.features, game)
        network = _network(config, weights, features, game)
    except OptionError as error:
        raise OptionError(f"policy {path}: {error}") from error
    _check_sizes(path, config, network, table_of(features).size, game)
    return SavedPolicy(name or str(path), config, network, features, game.views[config.view], greedy)


def _check_game(path: Path, config: PolicyConfig, game: Game) -> None:
    """Raise OptionError for a policy of another game or view, or of another version if it doesn't name its pieces."""
    name, by_name = config.environment.rpartition("_v")[0], config.sees or config.pieces
    if config.environment != game.id and not (name == game.name and by_name):
        raise OptionError(f"policy {path} is for {config.environment}, not for {game.id}")
    if config.view not in game.views:
        raise OptionError(f"policy {path} is for view {config.view!r}; views are {', '.join(game.views)}")


def _network(config: PolicyConfig, arrays: Arrays, features: Sequence[FeatureSet], game: Game) -> Network:
    """The file's network. Raises OptionError if its arrays aren't one."""
    columns = _columns(config, game, table_of(features).size)
    if config.network == "layers":
        return Layers.of(arrays, config.activation).spread(columns, game.views[config.view] + table_of(features).size)
    if config.scale != 1:
        raise OptionError(f"a network of objects has its scales in its weights: scale must be 1, not {config.scale:g}")
    related = config.network == RELATED
    pieces = config.pieces or tuple(config.sees)
    objects = objects_of(game, config.view, features, secrets=False, pieces=pieces, related=related)
    inputs, heads = game.views[config.view] + table_of(features).size, head_columns(game, config.view, config.heads)
    return ObjectNetwork.of(arrays, objects, inputs, game.actions.size, heads)


def _columns(config: PolicyConfig, game: Game, features: int) -> Columns | None:
    """Where each of the network's inputs lies in the game's vector; None in a file that doesn't name its pieces.

    Raises OptionError for a piece that the game doesn't show so.
    """
    shown, size = pieces_in(game, config.view), game.views[config.view]
    for name, width in config.sees.items():
        if shown.get(name) != width:
            raise OptionError(f"it sees {width} numbers of piece {name!r}; {game.id} shows {shown.get(name, 'none')}")
    spans = [np.arange(game.observation.size)[game.observation.slices[name]] for name in config.sees]
    return np.concatenate([*spans, np.arange(size, size + features)]) if spans else None


def _check_sizes(path: Path, config: PolicyConfig, network: Network, features: int, game: Game) -> None:
    """Raise OptionError if a network doesn't fit this version of the game."""
    inputs, actions = game.views[config.view] + features, game.actions.size
    if network.sizes != (inputs, actions):
        raise OptionError(
            f"policy {path} takes {network.sizes[0]} numbers and gives {network.sizes[1]}; {game.id} shows "
            f"{inputs} and has {actions} actions: it is of another version"
        )
