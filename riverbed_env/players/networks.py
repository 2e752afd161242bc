"""Networks of saved policies: their arrays, checked, and the logits of inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from riverbed_env.core.files import Arrays
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Numbers, Vector, Whole
from riverbed_env.kernels.networks import REST, PackedNetwork, write_all_logits

from .action_entities import Columns, Objects, Relation

Layer = tuple[Numbers, Numbers]

MOST_LAYERS = 16


def halved(arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """The arrays as float16, which takes half the space in a file."""
    return {name: array.astype(np.float16) for name, array in arrays.items()}


def in_single(arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """The arrays, those of float16 as float32, in which networks compute."""
    return {name: array.astype(np.float32) if array.dtype == np.float16 else array for name, array in arrays.items()}


class Network(Protocol):
    """Turns inputs (n, inputs) into logits (n, actions)."""

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of inputs and of actions."""

    def logits(self, inputs: Numbers, masks: Vector | None = None) -> Numbers:
        """The logits; those of illegal actions may be anything."""


@dataclass(frozen=True)
class Layers:
    """A multilayer perceptron: weight (inputs, outputs) and bias (outputs,) of each layer, an activation between."""

    layers: tuple[Layer, ...]
    activation: str = "tanh"

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of inputs and of actions."""
        return len(self.layers[0][0]), self.layers[-1][0].shape[1]

    def logits(self, inputs: Numbers, masks: Vector | None = None) -> Numbers:
        """The logits, unmasked."""
        values = inputs
        for number, (weight, bias) in enumerate(self.layers):
            values = values @ weight + bias
            if number < len(self.layers) - 1:
                values = np.tanh(values) if self.activation == "tanh" else np.maximum(values, 0)
        return values

    def spread(self, columns: Columns | None, inputs: int) -> Layers:
        """The same network for longer vectors, of which it takes these columns; itself if they aren't as many."""
        (weight, bias), *others = self.layers
        if columns is None or len(columns) != len(weight):
            return self
        spread = np.zeros((inputs, weight.shape[1]), np.float32)
        spread[columns] = weight
        return replace(self, layers=((spread, bias), *others))

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[Any]], activation: str) -> Layers:
        """Layers from weight_0, bias_0, … Raises OptionError unless they are finite and fit each other."""
        count = sum(key.startswith("weight_") for key in arrays)
        wanted = {f"{what}_{number}" for what in ("weight", "bias") for number in range(count)}
        if not 1 <= count <= MOST_LAYERS or set(arrays) != wanted:
            raise OptionError(f"it must hold config and 1 to {MOST_LAYERS} layers: weight_0, bias_0, weight_1, …")
        layers = tuple((arrays[f"weight_{number}"], arrays[f"bias_{number}"]) for number in range(count))
        inputs = None
        for weight, bias in layers:
            single = weight.dtype == bias.dtype == np.float32
            fits = single and weight.ndim == bias.ndim + 1 and bias.shape == (weight.shape[-1],)
            finite = fits and np.isfinite(weight).all() and np.isfinite(bias).all()
            if not finite or inputs not in (None, len(weight)):
                raise OptionError("the layers must be finite float32 matrices that fit each other")
            inputs = weight.shape[1]
        return cls(layers, activation)

    @staticmethod
    def arrays(layers: Sequence[Layer]) -> Arrays:
        """Layers as arrays by name, for a file."""
        kept = {}
        for number, (weight, bias) in enumerate(layers):
            kept[f"weight_{number}"] = np.asarray(weight, np.float32)
            kept[f"bias_{number}"] = np.asarray(bias, np.float32)
        return kept


@dataclass(frozen=True)
class ObjectNetwork:
    """A network with shared weights for all objects of a kind (seats, spaces, cards); see `action_entities`.

    arrays (outputs before inputs, as in PyTorch): actor.rest, actor.rest_again; for each kind actor.each,
    actor.each_again, actor.context and scores.named; scores.plain; and scores.trust if there is advice. If the
    objects have relations, there is actor.related for both directions of each; and actor.around, over the rest, the
    means and the maxima of the objects, whose outputs the later layers are given. heads: columns of a one-hot piece
    that chooses which row of scores.named counts; none: there is one.
    """

    objects: Objects
    arrays: Mapping[str, Numbers]
    inputs: int
    heads: Columns = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of inputs and of actions."""
        return self.inputs, len(self.arrays["scores.plain.bias"])

    def logits(self, inputs: npt.NDArray[Any], masks: Vector | None = None) -> Numbers:
        """The logits, 0 where a mask is 0. inputs: (n, inputs), whole numbers as of int8."""
        out = np.zeros((len(inputs), self.sizes[1]), np.float32)
        chosen = np.ones(out.shape, np.int8) if masks is None else np.ascontiguousarray(masks)
        write_all_logits(self.packed, np.ascontiguousarray(inputs, np.int8), chosen, out)
        return out

    @cached_property
    def packed(self) -> PackedNetwork:
        """The arrays for kernels."""
        arrays, kinds = self.arrays, self.objects.kinds
        relations, numbers = self.objects.relations, range(len(kinds))

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
            *_uses(self.objects, rest, each),
            np.array(sizes, np.int64).reshape(len(kinds), 3),
            *_relations(relations, max(counts, default=0)),
            np.ascontiguousarray(self.objects.advice),
            np.ascontiguousarray(self.heads),
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
                len(kinds), max(1, len(self.heads)), width
            ),
            np.ascontiguousarray(arrays["scores.plain.weight"]),
            arrays["scores.plain.bias"].copy(),
            arrays["scores.trust"].copy() if len(self.objects.advice) else np.zeros(0, np.float32),
        )

    @classmethod
    def of(
        cls, arrays: Mapping[str, npt.NDArray[Any]], objects: Objects, inputs: int, num_actions: int, heads: Columns
    ) -> ObjectNetwork:
        """The network of these arrays. Raises OptionError unless they are finite and fit the game's objects."""
        wanted = _shapes(arrays, objects, num_actions, max(1, len(heads)))
        for name, shape in wanted.items():
            array = arrays.get(name)
            if array is None or array.shape != shape or array.dtype != np.float32 or not np.isfinite(array).all():
                raise OptionError(f"{name} must be a finite float32 array of shape {shape}")
        if set(arrays) != set(wanted):
            raise OptionError(f"it holds {', '.join(sorted(set(arrays) - set(wanted)))}, which is unknown")
        return cls(objects, dict(arrays), inputs, heads)


def _shapes(
    arrays: Mapping[str, npt.NDArray[Any]], objects: Objects, num_actions: int, heads: int
) -> dict[str, tuple[int, ...]]:
    """The shapes the arrays must have, given the widths that the biases show."""
    first, second = _length(arrays, "actor.rest.bias"), _length(arrays, "actor.rest_again.bias")
    width = _length(arrays, "actor.each.0.bias") if objects.kinds else 0
    pooled = first + width * len(objects.kinds)
    shapes: dict[str, tuple[int, ...]] = {
        "actor.rest.weight": (first, len(objects.others)),
        "actor.rest.bias": (first,),
        "actor.rest_again.weight": (second, first if objects.relations else pooled),
        "actor.rest_again.bias": (second,),
        "scores.plain.weight": (num_actions, second),
        "scores.plain.bias": (num_actions,),
    }
    for number, kind in enumerate(objects.kinds):
        shapes |= {
            f"actor.each.{number}.weight": (width, kind.columns.shape[1]),
            f"actor.each.{number}.bias": (width,),
            f"actor.each_again.{number}.weight": (width, width),
            f"actor.context.{number}.weight": (width, first),
            f"actor.context.{number}.bias": (width,),
            f"scores.named.{number}.weight": (heads, width),
        }
    shapes |= {f"actor.related.{number}.weight": (width, width) for number in range(2 * len(objects.relations))}
    if objects.relations:
        shapes["actor.around.weight"] = (first, pooled + width * len(objects.kinds))
        shapes["actor.around.bias"] = (first,)
    if len(objects.advice):
        shapes["scores.trust"] = (num_actions,)
    return shapes


def _length(arrays: Mapping[str, npt.NDArray[Any]], name: str) -> int:
    array = arrays.get(name)
    if array is None or array.ndim != 1 or not len(array):
        raise OptionError(f"it holds no {name}")
    return len(array)


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
