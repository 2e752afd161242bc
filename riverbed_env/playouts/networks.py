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
from riverbed_env.kernels.compile import KernelFamily, Record, Vector, Whole
from riverbed_env.kernels.random import STREAM
from riverbed_env.players.action_entities import Objects, Relation
from riverbed_env.players.agents import CompiledAgent, identifier
from riverbed_env.players.features import FeatureSet, total_size
from riverbed_env.players.networks import Numbers, ObjectNetwork
from riverbed_env.players.policies import SavedPolicy

from .kernels import FOLDER, kernel

FIRST, COUNT, BEGIN = 0, 1, 2  # columns of `kinds`
REST = -1  # in place of an object: the inputs that describe none
PLAYED_AT = 0.02  # points: a saved student's logits are worths over this, so that it draws nearly the best action


class PackedNetwork(NamedTuple):
    """An `ObjectNetwork` as arrays for kernels, arranged so that inputs that are 0 cost next to nothing.

    The objects of all kinds are numbered one after the other. used: (used,), the columns of the inputs that count;
    uses: (uses, 2), an object or REST, and the row of `each` or `rest` that is added to it; begins: (used + 1,),
    where the uses of each column begin. kinds: (kinds, 3), the first action, the number of objects and the first of
    them. relations: (relations, 2), the kinds that each relates; related_by: (relations, objects, objects), the
    columns that say whether it holds. around: over the rest, the means and the maxima, if there are relations.
    advice: columns of the advice, none without it; heads: columns that choose among `named`, (kinds, heads, width),
    none if there is one. Weights are (inputs, outputs), but `plain` is (actions, inputs).
    """

    used: Whole
    begins: Whole
    uses: Whole
    kinds: Whole
    relations: Whole
    related_by: Whole
    advice: Whole
    heads: Whole
    rest: Numbers
    rest_bias: Numbers
    around: Numbers
    around_bias: Numbers
    rest_again: Numbers
    rest_again_bias: Numbers
    each: Numbers
    each_bias: Numbers
    each_again: Numbers
    context: Numbers
    context_bias: Numbers
    related: Numbers
    named: Numbers
    plain: Numbers
    plain_bias: Numbers
    trust: Numbers


def pack(network: ObjectNetwork) -> PackedNetwork:
    """The arrays of a network for kernels."""
    arrays, kinds = network.arrays, network.objects.kinds
    relations, numbers = network.objects.relations, range(len(kinds))

    def turned(name: str) -> Numbers:
        return np.ascontiguousarray(arrays[name].T)

    def stacked(name: str, count: int, *shape: int) -> Numbers:
        rows = [turned(name.format(number)) for number in range(count)]
        return np.array(rows, np.float32).reshape(count, *shape)

    first, width = len(arrays["actor.rest.bias"]), len(arrays["actor.each.0.bias"]) if kinds else 1
    rest, each = turned("actor.rest.weight"), [turned(f"actor.each.{number}.weight") for number in numbers]
    counts = [len(kind.columns) for kind in kinds]
    sizes = [(kind.first, count, sum(counts[:number])) for number, (kind, count) in enumerate(zip(kinds, counts))]
    around = [turned("actor.around.weight"), arrays["actor.around.bias"].copy()] if relations else _nothing(2, 1)
    return PackedNetwork(
        *_uses(network.objects, rest, each),
        np.array(sizes, np.int64).reshape(len(kinds), 3),
        *_relations(relations, max(counts, default=0)),
        np.ascontiguousarray(network.objects.advice),
        np.ascontiguousarray(network.heads),
        rest,
        arrays["actor.rest.bias"].copy(),
        around[0],
        around[1],
        turned("actor.rest_again.weight"),
        arrays["actor.rest_again.bias"].copy(),
        np.concatenate(each) if each else np.zeros((0, width), np.float32),
        stacked("actor.each.{}.bias", len(kinds), width),
        stacked("actor.each_again.{}.weight", len(kinds), width, width),
        stacked("actor.context.{}.weight", len(kinds), first, width),
        stacked("actor.context.{}.bias", len(kinds), width),
        stacked("actor.related.{}.weight", 2 * len(relations), width, width),
        np.array([arrays[f"scores.named.{number}.weight"] for number in numbers], np.float32).reshape(
            len(kinds), max(1, len(network.heads)), width
        ),
        np.ascontiguousarray(arrays["scores.plain.weight"]),
        arrays["scores.plain.bias"].copy(),
        arrays["scores.trust"].copy() if len(network.objects.advice) else np.zeros(0, np.float32),
    )


def _uses(objects: Objects, rest: Numbers, each: Sequence[Numbers]) -> tuple[Whole, Whole, Whole]:
    """`used`, `begins` and `uses` of a packed network; inputs whose weights are all 0 aren't used."""
    places = [np.stack([np.full(len(rest), REST), np.arange(len(rest))], axis=1)]
    columns, counts, number, row = [objects.others], [rest.any(axis=1)], 0, 0
    for kind, weight in zip(objects.kinds, each, strict=True):
        count, size = kind.columns.shape
        places.append(np.argwhere(np.ones((count, size))) + np.array((number, row)))
        columns.append(kind.columns.ravel())
        counts.append(np.tile(weight.any(axis=1), count))
        number, row = number + count, row + size
    counting = np.concatenate(counts)
    of_uses = np.concatenate(columns)[counting].astype(np.int64)
    order = np.argsort(of_uses, kind="stable")
    used, begins = np.unique(of_uses[order], return_index=True)
    return used, np.append(begins, len(order)).astype(np.int64), np.concatenate(places)[counting][order]


def _relations(relations: Sequence[Relation], most: int) -> tuple[Whole, Whole]:
    """`relations` and `related_by` of a packed network, padded to the `most` objects of a kind."""
    kinds = np.array([relation.kinds for relation in relations], np.int64).reshape(len(relations), 2)
    columns = np.zeros((len(relations), most, most), np.int64)
    for number, relation in enumerate(relations):
        one, other = relation.columns.shape
        columns[number, :one, :other] = relation.columns
    return kinds, columns


def empty_network() -> PackedNetwork:
    """A network of no use, for kernels that must be given one."""
    whole: Any = [np.zeros((0,) * size, np.int64) for size in (1, 1, 2, 2, 2, 3, 1, 1)]
    return PackedNetwork(*whole, *_nothing(2, 1, 2, 1, 2, 1, 2, 2, 3, 3, 2, 3, 3, 2, 1, 1))


def _nothing(*dimensions: int) -> list[Numbers]:
    """Arrays of nothing with so many dimensions each."""
    return [np.zeros((0,) * each, np.float32) for each in dimensions]


@kernel
def add_product(inputs: Numbers, weight: Numbers, out: Numbers) -> None:
    """Add `inputs @ weight` to `out`; inputs that are 0 cost nothing."""
    for place in range(len(inputs)):
        number = inputs[place]
        if number != 0:
            for unit in range(len(out)):
                out[unit] += number * weight[place, unit]


@kernel
def add_inputs(net: PackedNetwork, inputs: Vector, rest: Numbers, objects: Numbers) -> None:
    """Add the inputs' products with the first layers to `rest` and to each row of `objects`."""
    for place in range(len(net.used)):
        given = inputs[net.used[place]]
        if given != 0:
            number = np.float32(given)
            for use in range(net.begins[place], net.begins[place + 1]):
                row = net.uses[use, 1]
                if net.uses[use, 0] == REST:
                    for unit in range(len(rest)):
                        rest[unit] += number * net.rest[row, unit]
                else:
                    seen = objects[net.uses[use, 0]]
                    for unit in range(len(seen)):
                        seen[unit] += number * net.each[row, unit]


@kernel
def rectify(numbers: Numbers) -> None:
    """ReLU, in place."""
    for place in range(len(numbers)):
        numbers[place] = max(numbers[place], np.float32(0.0))


@kernel
def pool(net: PackedNetwork, objects: Numbers, out: Numbers) -> None:
    """Write the mean of each kind's objects and, if there are relations, then their maxima; `out` is 0 before."""
    width, kinds = objects.shape[1], len(net.kinds)
    for kind in range(kinds):
        count, begin = net.kinds[kind, COUNT], net.kinds[kind, BEGIN]
        means = out[kind * width : (kind + 1) * width]
        for number in range(begin, begin + count):
            for unit in range(width):
                means[unit] += objects[number, unit] / np.float32(count)
        if len(net.relations):
            most = out[(kinds + kind) * width : (kinds + kind + 1) * width]  # objects are 0 or more
            for number in range(begin, begin + count):
                for unit in range(width):
                    most[unit] = max(most[unit], objects[number, unit])


@kernel
def write_logits(net: PackedNetwork, inputs: Vector, mask: Vector, out: Numbers) -> None:
    """Write the logits of one vector of inputs, (actions,), 0 for illegal actions; see `ObjectNetwork.logits`."""
    size, width = len(net.rest_bias), net.each_bias.shape[1]
    pooled = np.zeros(len(net.around if len(net.relations) else net.rest_again), np.float32)
    rest = pooled[:size]
    rest[:] = net.rest_bias
    objects = np.empty((net.kinds[:, COUNT].sum(), width), np.float32)
    for kind in range(len(net.kinds)):
        for number in range(net.kinds[kind, COUNT]):
            objects[net.kinds[kind, BEGIN] + number] = net.each_bias[kind]
    add_inputs(net, inputs, rest, objects)
    rectify(rest)
    rectify(objects.ravel())
    pool(net, objects, pooled[size:])
    around = net.around_bias.copy()
    if len(net.relations):
        add_product(pooled, net.around, around)
        rectify(around)
        pooled = rest = around
    out[:] = 0.0
    write_named(net, inputs, mask, rest, objects, out)
    again = net.rest_again_bias.copy()
    add_product(pooled, net.rest_again, again)
    rectify(again)
    for action in range(len(out)):
        if mask[action]:
            total = net.plain_bias[action]
            for unit in range(len(again)):
                total += again[unit] * net.plain[action, unit]
            out[action] += total
    for action in range(len(net.advice)):
        if mask[action]:
            out[action] += net.trust[action] * np.float32(inputs[net.advice[action]])


@kernel
def write_named(
    net: PackedNetwork, inputs: Vector, mask: Vector, around: Numbers, objects: Numbers, out: Numbers
) -> None:
    """Add the scores of legal actions that name an object to `out`, (actions,)."""
    width, head = objects.shape[1], 0
    for place in range(len(net.heads)):
        if inputs[net.heads[place]] != 0:
            head = place
    context, again = np.empty(width, np.float32), np.empty(width, np.float32)
    for kind in range(len(net.kinds)):
        first, begin = net.kinds[kind, FIRST], net.kinds[kind, BEGIN]
        is_known = False  # whether `context` is this kind's
        for place in range(net.kinds[kind, COUNT]):
            if mask[first + place]:
                if not is_known:
                    context[:] = net.context_bias[kind]
                    add_product(around, net.context[kind], context)
                    is_known = True
                again[:] = context
                add_product(objects[begin + place], net.each_again[kind], again)
                add_related(net, inputs, kind, place, objects, again)
                rectify(again)
                for unit in range(width):
                    out[first + place] += again[unit] * net.named[kind, head, unit]


@kernel
def add_related(net: PackedNetwork, inputs: Vector, kind: int, place: int, objects: Numbers, out: Numbers) -> None:
    """Add the products of the objects that an object is related to, (width,)."""
    total = np.empty(len(out), np.float32)
    for relation in range(len(net.relations)):
        for side in range(2):
            if net.relations[relation, side] == kind:
                other = net.relations[relation, 1 - side]
                total[:] = 0.0
                for number in range(net.kinds[other, COUNT]):
                    row, column = (place, number) if side == 0 else (number, place)
                    holds = inputs[net.related_by[relation, row, column]]
                    if holds:
                        for unit in range(len(total)):
                            total[unit] += np.float32(holds) * objects[net.kinds[other, BEGIN] + number, unit]
                add_product(total, net.related[2 * relation + side], out)


@kernel
def likeliest(logits: Numbers, mask: Vector) -> int:
    """The legal action with the highest logit, the first of equals."""
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best


def write_features_of(
    view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector
) -> None:
    """Write the features that the network is given beside the observation; replaced for each network."""
    raise NotImplementedError


SEEN, INPUTS = 0, 0  # of the template `write_worths`, replaced for each game, view and features


def write_worths(
    net: PackedNetwork, view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Numbers
) -> None:
    """Write a network's logits of the legal actions, (actions,). stream: not moved; features draw from a copy."""
    copies = np.zeros(1, STREAM)
    copies[0] = stream
    inputs = np.zeros(INPUTS, np.int8)
    inputs[:SEEN] = observation[:SEEN]
    write_features_of(view, params, observation, mask, copies[0], inputs[SEEN:])
    write_logits(net, inputs, mask, out)
    copies[0]["drawn"] = 0  # Numba frees an array after its last use, even if records of it are in use


NUM_ACTIONS = 0  # of the template `choose_likeliest`, replaced


def choose_likeliest(
    net: PackedNetwork, view: Record, params: Record, observation: Vector, mask: Vector, stream: Record
) -> int:
    """The network's likeliest legal action; see `write_worths`."""
    action = only_legal(mask)
    if action < 0:
        logits = np.zeros(NUM_ACTIONS, np.float32)
        write_worths(net, view, params, observation, mask, stream, logits)
        action = likeliest(logits, mask)
    return action


@kernel
def no_features(view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """The end of the chain of feature sets."""


SIZE = 0  # of the template `write_and_pass_on`


def write_one(view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Write one feature set; replaced."""
    raise NotImplementedError


def write_others(view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Write the feature sets after it; replaced."""
    raise NotImplementedError


def write_and_pass_on(
    view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector
) -> None:
    """A link in the chain of feature sets, of which this one has SIZE numbers."""
    write_one(view, params, observation, mask, stream, out[:SIZE])
    write_others(view, params, observation, mask, stream, out[SIZE:])


class NetworkKernels(NamedTuple):
    """Kernels of networks with the same inputs; observations are of view "history", whatever the network's own view.

    write(network, view, params, observation, mask, stream, out): the logits; choose(network, view, params, observation,
    mask, stream) -> action.
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
    choose = family.link(choose_likeliest, f"choose_likeliest_{tag}", {"write_worths": write, **sizes})
    return NetworkKernels(write, choose)


def choose_by_weights(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """The likeliest action of the network NETWORK, which is linked with the kernel `choose_by_network`."""
    return choose_by_network(NETWORK, view, params, observation, mask, stream)


NETWORK: Any = None  # of the template `choose_by_weights`, replaced


def choose_by_network(
    net: PackedNetwork, view: Record, params: Record, observation: Vector, mask: Vector, stream: Record
) -> int:
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
    return CompiledAgent(policy.name, choose, folders=folders, about=policy.about, by_view=True)


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
