"""Play a learner's games to their end, choice by choice."""

from collections.abc import Iterator

import numpy as np

from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.kernels.compile import Whole


def choices(learners: LearnerBatch) -> Iterator[tuple[Whole, Whole]]:
    """Play on until all games are over; made with autoreset="off".

    Yields the games in which the learner has several legal actions, and the actions of all games; the caller fills in
    those of the former.
    """
    while not learners.over.all():
        several = np.flatnonzero(~learners.over & (learners.action_mask.sum(axis=1) > 1))
        actions = learners.action_mask.argmax(axis=1)
        if len(several):
            yield several, actions
        learners.step(actions)
