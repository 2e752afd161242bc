"""Object networks in compiled code: for play-outs, and for agents that play inside the batch.

The weights are arguments of the kernels, not constants, so a network can change without compiling again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import KernelFamily, Record, compile_apart
from riverbed_env.kernels.random import STREAM
from riverbed_env.players.agents import CompiledAgent, identifier
from riverbed_env.players.features import FeatureSet, total_size
from riverbed_env.players.networks import Numbers, ObjectNetwork
from riverbed_env.players.policies import SavedPolicy

from .kernels import FOLDER, kernel

Vector = npt.NDArray[np.int8]
Whole = npt.NDArray[np.int64]

FIRST, COUNT, FEATURES = 0, 1, 2  # columns of `kinds`
PLAYED_AT = 0.02  # points: a saved student's logits are worths over this, so that it draws nearly the best action


class PackedNetwork(NamedTuple):
    """An `ObjectNetwork` as arrays for kernels; weights are (inputs, outputs), kinds are padded to the largest.

    others: columns of the inputs that describe no object; kinds: (kinds, 3), the first action, the objects and the
    numbers of each; columns: (kinds, objects, numbers); advice: columns of the advice, none without it; heads: columns
    that choose among `named`, (kinds, heads, width), none if there is one.
    """

    others: Whole
    kinds: Whole
    columns: Whole
    advice: Whole
    heads: Whole
    rest: Numbers
    rest_bias: Numbers
    rest_again: Numbers
    rest_again_bias: Numbers
    each: Numbers
    each_bias: Numbers
    each_again: Numbers
    context: Numbers
    context_bias: Numbers
    named: Numbers
    plain: Numbers
    plain_bias: Numbers
    trust: Numbers


def pack(network: ObjectNetwork) -> PackedNetwork:
    """The arrays of a network for kernels."""
    arrays, kinds = network.arrays, network.objects.kinds
    first, width = len(arrays["actor.rest.bias"]), len(arrays["actor.each.0.bias"]) if kinds else 1
    count = max((len(kind.columns) for kind in kinds), default=0)
    numbers = max((kind.columns.shape[1] for kind in kinds), default=0)
    columns = np.zeros((len(kinds), count, numbers), np.int64)
    each = np.zeros((len(kinds), numbers, width), np.float32)
    for number, kind in enumerate(kinds):
        columns[number, : len(kind.columns), : kind.columns.shape[1]] = kind.columns
        each[number, : kind.columns.shape[1]] = arrays[f"actor.each.{number}.weight"].T

    def stacked(name: str, shape: tuple[int, ...]) -> Numbers:
        rows = [arrays[name.format(number)].T for number in range(len(kinds))]
        return np.ascontiguousarray(np.array(rows, np.float32).reshape(len(kinds), *shape))

    def turned(name: str) -> Numbers:
        return np.ascontiguousarray(arrays[name].T)

    sizes = [(kind.first, *kind.columns.shape) for kind in kinds]
    return PackedNetwork(
        np.ascontiguousarray(network.objects.others),
        np.array(sizes, np.int64).reshape(len(kinds), 3),
        columns,
        np.ascontiguousarray(network.objects.advice),
        np.ascontiguousarray(network.heads),
        turned("actor.rest.weight"),
        arrays["actor.rest.bias"].copy(),
        turned("actor.rest_again.weight"),
        arrays["actor.rest_again.bias"].copy(),
        each,
        stacked("actor.each.{}.bias", (width,)),
        stacked("actor.each_again.{}.weight", (width, width)),
        stacked("actor.context.{}.weight", (first, width)),
        stacked("actor.context.{}.bias", (width,)),
        np.array([arrays[f"scores.named.{number}.weight"] for number in range(len(kinds))], np.float32).reshape(
            len(kinds), max(1, len(network.heads)), width
        ),
        turned("scores.plain.weight"),
        arrays["scores.plain.bias"].copy(),
        arrays["scores.trust"].copy() if len(network.objects.advice) else np.zeros(0, np.float32),
    )


def empty_network() -> PackedNetwork:
    """A network of no use, for kernels that must be given one."""
    whole: Any = [np.zeros((0,) * size, np.int64) for size in (1, 2, 3, 1, 1)]
    sizes = (2, 1, 2, 1, 3, 2, 3, 3, 2, 3, 2, 1, 1)
    return PackedNetwork(*whole, *(np.zeros((0,) * size, np.float32) for size in sizes))


@kernel
def add_product(inputs: Numbers, weight: Numbers, out: Numbers) -> None:
    """Add `inputs @ weight` to `out`; inputs that are 0 cost nothing."""
    for place in range(len(inputs)):
        number = inputs[place]
        if number != 0:
            for unit in range(len(out)):
                out[unit] += number * weight[place, unit]


@kernel
def add_chosen(inputs: Vector, columns: Whole, weight: Numbers, out: Numbers) -> None:
    """Add `inputs[columns] @ weight` to `out`; most inputs are 0."""
    for place in range(len(columns)):
        if inputs[columns[place]] != 0:
            number = np.float32(inputs[columns[place]])
            for unit in range(len(out)):
                out[unit] += number * weight[place, unit]


@kernel
def rectify(numbers: Numbers) -> None:
    """ReLU, in place."""
    for place in range(len(numbers)):
        numbers[place] = max(numbers[place], np.float32(0.0))


@kernel
def write_logits(net: PackedNetwork, inputs: Vector, out: Numbers) -> None:
    """Write the unmasked logits of one vector of inputs, (actions,); see `ObjectNetwork.logits`."""
    kinds, width = len(net.kinds), net.each_bias.shape[1]
    size = len(net.rest_bias)
    pooled = np.zeros(size + kinds * width, np.float32)
    rest = pooled[:size]
    rest[:] = net.rest_bias
    add_chosen(inputs, net.others, net.rest, rest)
    rectify(rest)
    out[:] = net.plain_bias
    head = 0
    for place in range(len(net.heads)):
        if inputs[net.heads[place]] != 0:
            head = place
    context = np.zeros(width, np.float32)
    first = np.zeros(width, np.float32)
    again = np.zeros(width, np.float32)
    for kind in range(kinds):
        count, numbers = net.kinds[kind, COUNT], net.kinds[kind, FEATURES]
        mean = pooled[size + kind * width : size + (kind + 1) * width]
        context[:] = net.context_bias[kind]
        add_product(rest, net.context[kind], context)
        for place in range(count):
            first[:] = net.each_bias[kind]
            add_chosen(inputs, net.columns[kind, place, :numbers], net.each[kind], first)
            rectify(first)
            again[:] = context
            add_product(first, net.each_again[kind], again)
            rectify(again)
            action = net.kinds[kind, FIRST] + place
            for unit in range(width):
                mean[unit] += first[unit] / np.float32(count)
                out[action] += again[unit] * net.named[kind, head, unit]
    second = net.rest_again_bias.copy()
    add_product(pooled, net.rest_again, second)
    rectify(second)
    add_product(second, net.plain, out)
    for action in range(len(net.advice)):
        out[action] += net.trust[action] * np.float32(inputs[net.advice[action]])


@kernel
def likeliest(logits: Numbers, mask: Vector) -> int:
    """The legal action with the highest logit, the first of equals."""
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best


def write_features_of(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Write the features that the network is given beside the observation; replaced for each network."""
    raise NotImplementedError


SEEN, INPUTS = 0, 0  # of the template `write_worths`, replaced for each game, view and features


def write_worths(net: PackedNetwork, observation: Vector, mask: Vector, stream: Record, out: Numbers) -> None:
    """Write a network's logits for an observation, (actions,). stream: not moved; features draw from a copy."""
    copies = np.zeros(1, STREAM)
    copies[0] = stream
    inputs = np.zeros(INPUTS, np.int8)
    inputs[:SEEN] = observation[:SEEN]
    write_features_of(observation, mask, copies[0], inputs[SEEN:])
    write_logits(net, inputs, out)
    copies[0]["drawn"] = 0  # Numba frees an array after its last use, even if records of it are in use


NUM_ACTIONS = 0  # of the template `choose_likeliest`, replaced


def choose_likeliest(net: PackedNetwork, observation: Vector, mask: Vector, stream: Record) -> int:
    """The network's likeliest legal action; see `write_worths`."""
    action = only_legal(mask)
    if action < 0:
        logits = np.zeros(NUM_ACTIONS, np.float32)
        write_worths(net, observation, mask, stream, logits)
        action = likeliest(logits, mask)
    return action


@kernel
def no_features(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """The end of the chain of feature sets."""


SIZE = 0  # of the template `write_and_pass_on`


def write_one(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Write one feature set; replaced."""
    raise NotImplementedError


def write_others(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Write the feature sets after it; replaced."""
    raise NotImplementedError


def write_and_pass_on(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """A link in the chain of feature sets, of which this one has SIZE numbers."""
    write_one(observation, mask, stream, out[:SIZE])
    write_others(observation, mask, stream, out[SIZE:])


class NetworkKernels(NamedTuple):
    """Kernels of networks with the same inputs; observations are of view "history", whatever the network's own view.

    write(network, observation, mask, stream, out): the logits; choose(network, observation, mask, stream) -> action.
    """

    write: Callable[..., None]
    choose: Callable[..., int]


def link_network(game: Game, view: str, features: Sequence[FeatureSet]) -> NetworkKernels:
    """The kernels of networks that take these features beside a view."""
    folders = dict.fromkeys([*game.family.folders, *(each for feature in features for each in feature.folders), FOLDER])
    family = KernelFamily(f"{game.name}_networks", *folders)
    tag, add = "end", no_features
    for feature in reversed(features):
        tag = identifier(f"{identifier(feature.name)}_{tag}")
        links: dict[str, Any] = {"write_one": feature.feature_set, "write_others": add, "SIZE": feature.size}
        add = family.link(write_and_pass_on, f"write_{tag}", links, inline=True)
    seen, tag = game.views[view], f"{game.name}_{view}_{tag}"
    sizes = {"SEEN": seen, "INPUTS": seen + total_size(features), "NUM_ACTIONS": game.actions.size}
    write = family.link(write_worths, f"write_worths_{tag}", {"write_features_of": add, **sizes})
    compile_apart(write)
    choose = family.link(choose_likeliest, f"choose_likeliest_{tag}", {"write_worths": write, **sizes})
    return NetworkKernels(write, choose)


def choose_by_weights(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The likeliest action of the network NETWORK, which is linked with the kernel `choose_by_network`."""
    return choose_by_network(NETWORK, observation, mask, stream)


NETWORK: Any = None  # of the template `choose_by_weights`, replaced


def choose_by_network(net: PackedNetwork, observation: Vector, mask: Vector, stream: Record) -> int:
    """The network's choice; replaced."""
    raise NotImplementedError


def compiled_policy(policy: SavedPolicy, game: Game) -> CompiledAgent:
    """A saved policy as an agent that plays inside the batch and takes its likeliest action.

    Raises OptionError for a policy whose network isn't one of objects.
    """
    kernels, network = link_network(game, policy.config.view, policy.features), packed(policy)
    links = {"NETWORK": network, "choose_by_network": kernels.choose}
    folders = (*game.family.folders, *(each for feature in policy.features for each in feature.folders), FOLDER)
    family = KernelFamily(f"{game.name}_networks", *dict.fromkeys(folders))
    choose = family.link(choose_by_weights, f"choose_{digest(policy)}", links)
    return CompiledAgent(policy.name, choose, folders=folders, about=policy.about)


def packed(policy: SavedPolicy) -> PackedNetwork:
    """The network of a saved policy for kernels. Raises OptionError if it isn't one of objects."""
    if not isinstance(policy.network, ObjectNetwork) or policy.config.scale != 1:
        raise OptionError(f"policy {policy.name} has no network of objects, so it doesn't compile")
    return pack(policy.network)


def digest(policy: SavedPolicy) -> str:
    """A short name for a policy's weights and inputs, by which compiled code of it is found again."""
    config = policy.config
    total = hashlib.sha256(repr((config.environment, config.view, config.features, config.pieces)).encode())
    for array in packed(policy):
        total.update(array.tobytes())
    return total.hexdigest()[:16]
