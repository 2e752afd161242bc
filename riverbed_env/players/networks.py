"""Networks in NumPy: how a saved policy's arrays turn inputs into logits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from riverbed_env.core.files import Arrays
from riverbed_env.errors import OptionError

from .action_entities import Columns, Objects

Numbers = npt.NDArray[np.float32]
Layer = tuple[Numbers, Numbers]

MOST_LAYERS = 16
ACTIVATIONS = ("relu", "tanh")


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

    def logits(self, inputs: Numbers) -> Numbers:
        """The logits, unmasked."""


@dataclass(frozen=True)
class Layers:
    """A multilayer perceptron: weight (inputs, outputs) and bias (outputs,) of each layer, an activation between."""

    layers: tuple[Layer, ...]
    activation: str = "tanh"

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of inputs and of actions."""
        return len(self.layers[0][0]), self.layers[-1][0].shape[1]

    def logits(self, inputs: Numbers) -> Numbers:
        """The logits, unmasked."""
        values = inputs
        for number, (weight, bias) in enumerate(self.layers):
            values = values @ weight + bias
            if number < len(self.layers) - 1:
                values = np.tanh(values) if self.activation == "tanh" else np.maximum(values, 0)
        return values

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

    def logits(self, inputs: Numbers) -> Numbers:
        """The logits, unmasked."""
        arrays = self.arrays
        rest = np.maximum(self._linear("actor.rest", inputs[:, self.objects.others]), 0)
        first = [
            np.maximum(self._linear(f"actor.each.{number}", inputs[:, kind.columns]), 0)
            for number, kind in enumerate(self.objects.kinds)
        ]
        pooled, around = np.concatenate([rest, *(each.mean(axis=1) for each in first)], axis=1), rest
        if self.objects.relations:
            both = np.concatenate([pooled, *(each.max(axis=1) for each in first)], axis=1)
            pooled = around = np.maximum(self._linear("actor.around", both), 0)
        logits = self._linear("scores.plain", np.maximum(self._linear("actor.rest_again", pooled), 0))
        head = inputs[:, self.heads].argmax(axis=1) if len(self.heads) else np.zeros(len(inputs), np.int64)
        second = self._second(inputs, around, first)
        for number, (kind, each) in enumerate(zip(self.objects.kinds, second)):
            scores = (each * arrays[f"scores.named.{number}.weight"][head][:, None]).sum(axis=2)
            logits[:, kind.first : kind.first + scores.shape[1]] += scores
        if len(self.objects.advice):
            logits += arrays["scores.trust"] * inputs[:, self.objects.advice]
        return logits

    def _second(self, inputs: Numbers, around: Numbers, first: list[Numbers]) -> list[Numbers]:
        """The second layer of the objects, (n, objects, width) of each kind."""
        arrays = self.arrays
        second = [
            each @ arrays[f"actor.each_again.{number}.weight"].T
            + self._linear(f"actor.context.{number}", around)[:, None]
            for number, each in enumerate(first)
        ]
        for number, relation in enumerate(self.objects.relations):
            (one, other), holds = relation.kinds, inputs[:, relation.columns]
            second[one] = second[one] + holds @ first[other] @ arrays[f"actor.related.{2 * number}.weight"].T
            back = arrays[f"actor.related.{2 * number + 1}.weight"].T
            second[other] = second[other] + holds.transpose(0, 2, 1) @ first[one] @ back
        return [np.maximum(each, 0) for each in second]

    def _linear(self, name: str, inputs: Numbers) -> Numbers:
        outputs: Numbers = inputs @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]
        return outputs

    @classmethod
    def of(
        cls,
        arrays: Mapping[str, npt.NDArray[Any]],
        objects: Objects,
        inputs: int,
        num_actions: int,
        heads: Columns,
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
