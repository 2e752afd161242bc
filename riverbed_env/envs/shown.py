"""How observations are shown: as int8 or float32, with the action mask in them or in the info alone."""

from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Vectors
from riverbed_env.core.options import check_choice

MASK_IN = ("info", "observation")
DTYPES = ("int8", "float32")


class Shown:
    """The space and form of an observation.

    low, high: (D,) int8, the bounds of its vector. mask_in: "info" (observations are vectors) or "observation"
    ({"observation": vector, "action_mask": (num_actions,) int8}); the info has the mask in both. dtype: "int8" or
    "float32", of the vectors. Raises OptionError for other values.
    """

    def __init__(self, low: Vectors, high: Vectors, num_actions: int, mask_in: str, dtype: str) -> None:
        check_choice("mask_in", mask_in, MASK_IN)
        check_choice("dtype", dtype, DTYPES)
        self.in_observation = mask_in == "observation"
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.num_actions = num_actions
        self._low, self._high = low, high

    def space(self) -> gymnasium.spaces.Space[Any]:
        """A new space of one observation."""
        low, high = (bound.astype(self.dtype) for bound in (self._low, self._high))
        vector = gymnasium.spaces.Box(low, high, dtype=self.dtype.type)
        if not self.in_observation:
            return vector
        mask = gymnasium.spaces.Box(0, 1, (self.num_actions,), np.int8)
        return gymnasium.spaces.Dict({"observation": vector, "action_mask": mask})

    def show(self, vectors: Vectors, masks: Vectors, *, copy: bool = True) -> Any:
        """Observations (…, D) with their masks (…, A) in this form. copy: False gives views where nothing changes."""
        shown: npt.NDArray[Any] = vectors.astype(self.dtype, copy=copy)
        return {"observation": shown, "action_mask": masks.copy() if copy else masks} if self.in_observation else shown
