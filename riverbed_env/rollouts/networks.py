"""Agents whose networks play inside the batch, and the kernels by which they do: features, logits, choice."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.core.features import FeatureSet, table_of
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.kernels.common import keep, only_legal
from riverbed_env.kernels.compile import KernelFamily, Numbers, Record, Vector, identifier, placeholder
from riverbed_env.kernels.networks import PackedNetwork, likeliest, write_logits
from riverbed_env.kernels.random import STREAM
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.networks import ObjectNetwork
from riverbed_env.players.policies import SavedPolicy

from .kernels import FOLDER, kernel

PLAYED_AT = 0.02  # points: a saved student's logits are action values over this, so it draws nearly the best action

WriteFeatures = Callable[[Record, Record, Vector, Vector, Record, Vector], None]  # view, params, observation, …, out
write_features_of: WriteFeatures = placeholder  # all that the network is given beside the observation
write_one: WriteFeatures = placeholder  # one feature set
write_others: WriteFeatures = placeholder  # the feature sets after it
choose_by_network: Callable[[PackedNetwork, Record, Record, Vector, Vector, Record], int] = placeholder

SEEN, INPUTS = 0, 0  # of the template `write_network_logits`, replaced for each game, view and features


def write_network_logits(
    net: PackedNetwork, view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Numbers
) -> None:
    """Write a network's logits of the legal actions, (actions,). stream: not moved; features draw from a copy."""
    copies = np.zeros(1, STREAM)
    copies[0] = stream
    inputs = np.zeros(INPUTS, np.int8)
    inputs[:SEEN] = observation[:SEEN]
    write_features_of(view, params, observation, mask, copies[0], inputs[SEEN:])
    write_logits(net, inputs, mask, out)
    keep(copies)


NUM_ACTIONS = 0  # of the template `choose_likeliest`, replaced


def choose_likeliest(
    net: PackedNetwork, view: Record, params: Record, observation: Vector, mask: Vector, stream: Record
) -> int:
    """The network's likeliest legal action; see `write_network_logits`."""
    action = only_legal(mask)
    if action < 0:
        logits = np.zeros(NUM_ACTIONS, np.float32)
        write_network_logits(net, view, params, observation, mask, stream, logits)
        action = likeliest(logits, mask)
    return action


@kernel
def no_features(view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """The end of the chain of feature sets."""


SIZE = 0  # of the template `write_and_pass_on`


def write_and_pass_on(
    view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector
) -> None:
    """A link in the chain of feature sets, of which this one has SIZE numbers."""
    write_one(view, params, observation, mask, stream, out[:SIZE])
    write_others(view, params, observation, mask, stream, out[SIZE:])


class NetworkKernels(NamedTuple):
    """Kernels of networks with the same inputs; observations are of view "history", whatever the network's own view.

    Args:
        write: `write(network, view, params, observation, mask, stream, out)` writes the logits of the legal actions.
        choose: `choose(network, view, params, observation, mask, stream) -> action` gives the likeliest legal action.
    """

    write: Callable[..., None]
    choose: Callable[..., int]


def link_network(game: Game, view: str, features: Sequence[FeatureSet]) -> NetworkKernels:
    """The kernels of networks that take these features beside a view.

    Args:
        game: the game.
        view: the view of the networks' observations.
        features: the networks' feature sets, in their order.

    Returns:
        The kernels `write` and `choose`; see `NetworkKernels`.
    """
    folders = dict.fromkeys([*game.family.folders, *(each for feature in features for each in feature.folders), FOLDER])
    family = KernelFamily(f"{game.name}_networks", *folders)
    tag, add = "end", no_features
    for feature in reversed(features):
        tag = identifier(f"{identifier(feature.name)}_{tag}")
        links: dict[str, Any] = {"write_one": feature.feature_set, "write_others": add, "SIZE": feature.pieces.size}
        add = family.link(write_and_pass_on, f"write_{tag}", links, inline=True)
    seen, tag = game.views[view], f"{game.name}_{view}_{tag}"
    sizes = {"SEEN": seen, "INPUTS": seen + table_of(features).size, "NUM_ACTIONS": game.actions.size}
    write = family.link(write_network_logits, f"write_network_logits_{tag}", {"write_features_of": add, **sizes})
    choose = family.link(choose_likeliest, f"choose_likeliest_{tag}", {"write_network_logits": write, **sizes})
    return NetworkKernels(write, choose)


def choose_by_weights(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """The likeliest action of the network NETWORK, which is linked with the kernel `choose_by_network`."""
    return choose_by_network(NETWORK, view, params, observation, mask, stream)


NETWORK: Any = None  # of the template `choose_by_weights`, replaced


def compiled_policy(policy: SavedPolicy, game: Game) -> CompiledAgent:
    """A saved policy as an agent that plays inside the batch and takes its likeliest action.

    Args:
        policy: the policy, whose network must be one of objects.
        game: the game it plays.

    Returns:
        The agent, which plays by views. It takes the likeliest action whether or not the policy is `greedy`.

    Raises:
        OptionError: the policy's network isn't one of objects.
    """
    kernels, network = link_network(game, policy.config.view, policy.features), packed(policy)
    links = {"NETWORK": network, "choose_by_network": kernels.choose}
    folders = (*game.family.folders, *(each for feature in policy.features for each in feature.folders), FOLDER)
    family = KernelFamily(f"{game.name}_networks", *dict.fromkeys(folders))
    choose = family.link(choose_by_weights, f"choose_{digest(policy)}", links)
    return CompiledAgent(policy.name, choose, folders=folders, about=policy.about, by_view=True)


def packed(policy: SavedPolicy) -> PackedNetwork:
    """The network of a saved policy for kernels.

    Args:
        policy: the policy.

    Returns:
        The network's arrays.

    Raises:
        OptionError: the network isn't one of objects.
    """
    if not isinstance(policy.network, ObjectNetwork):
        raise OptionError(f"policy {policy.name} has no network of objects, so it doesn't compile")
    return policy.network.packed


def digest(policy: SavedPolicy) -> str:
    """A short name for a policy's weights and inputs, by which compiled code of it is found again."""
    config = policy.config
    total = hashlib.sha256(repr((config.environment, config.view, config.features, config.pieces)).encode())
    for array in packed(policy):
        total.update(array.tobytes())
    return total.hexdigest()[:16]
