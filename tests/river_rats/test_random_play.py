"""Random games of River Rats by players who build hands on purpose never break an invariant.

Games of random play see few jokers, no second rat and no last round.
"""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt
from random_games import Choose, batch_of, check_all, play_out
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.games.river_rats.content.pack import MODE_NAMES
from riverbed_env.games.river_rats.rules.actions import A
from riverbed_env.games.river_rats.rules.hands import hand_value
from riverbed_env.games.river_rats.rules.vocab import Event, Question


def builders_choice(batch: Batch, index: int, draw: Random) -> int:
    """A card that makes the collective hand good, jokers as soon as they can be used, else any legal action."""
    table = batch.games["table"][index]
    held = int(table["collective"])
    legal: list[int] = np.flatnonzero(batch.action_mask[index]).tolist()
    if A.JOKER in legal:
        return A.JOKER
    if table["question"] in (Question.PLAY, Question.SWAP_IN, Question.DRAW):
        plays = [action for action in legal if A.CARD <= action < A.DRAW]
        if plays and draw.random() < 0.9:
            return max(plays, key=lambda action: hand_value(held | 1 << (action - A.CARD), 0))
    if A.NO in legal and A.POWER not in legal and draw.random() < 0.5:
        return A.NO
    return draw.choice(legal)


def builders(seed: int) -> Choose:
    """Players who build hands on purpose."""
    draw = Random(seed)

    def choose(batch: Batch) -> npt.NDArray[np.int64]:
        actions = np.zeros(batch.num_envs, np.int64)
        for index in np.flatnonzero(batch.acting):
            actions[index] = builders_choice(batch, int(index), draw)
        return actions

    return choose


def test_builders_meet_all_that_can_happen() -> None:
    tally = np.zeros(len(Event), np.int64)
    for mode in MODE_NAMES:
        options = {"num_players": 2, "mode": mode, "prediction": "at_least_form"}
        batch = batch_of("river_rats", repetitions(8, uncompiled=6), **options)
        for step in play_out(batch, 5, builders(5)):
            if step == 0:  # both jokers are earned already, so that their rules come up
                batch.games["table"]["joker_up"] = 2
                batch.games["table"]["joker_down"] = 0
            check_all(batch)
        tally += batch.games["table"]["tally"].sum(axis=0)
    rare = {Event.NONE, Event.SKIP, Event.TRUNCATE, Event.WIN, Event.RELIEF, Event.PREDICTION}
    assert {Event(int(kind)) for kind in np.flatnonzero(tally == 0)} <= rare
