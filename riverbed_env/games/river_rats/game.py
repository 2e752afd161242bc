"""River Rats as the rest of the library knows it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game, Kernels, later
from riverbed_env.kernels import common
from riverbed_env.kernels.compile import Record

from .content import summary
from .content.pack import MODE_NAMES, make_params
from .rules import engine, invariants, legality, observe, returns
from .rules.actions import ACTIONS
from .rules.kernels import kernel
from .rules.pieces import OBSERVATION, STATE, VIEWS
from .rules.state import GAME_FIELDS, VIEW
from .rules.vocab import MAX_SEATS, MIN_PLAYERS


@kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal; 0 when it can."""
    return legality.refusal(game["table"], game["private"][seat], params, seat, action)


@kernel
def write_mask(game: Record, params: Record, seat: int, out: npt.NDArray[np.int8]) -> None:
    """The action mask of a seat. out: (NUM_ACTIONS,) int8."""
    legality.write_mask(game["table"], game["private"][seat], params, seat, out)


RIVER_RATS = Game(
    name="river_rats",
    title="River Rats",
    version=0,
    registry_id="riverbed/RiverRats-v0",
    family=kernel,
    dtype=GAME_FIELDS.dtype,
    fields=GAME_FIELDS,
    view_dtype=VIEW,
    kernels=Kernels(
        reset=engine.reset,
        step=engine.step,
        refusal=refusal,
        current_seat=common.current_seat,
        ending=common.ending,
        write_mask=write_mask,
        observe=observe.observe,
        write_state=observe.write_state,
        write_returns=returns.write_returns,
        agent_stream=common.agent_stream,
        violation=invariants.violation,
    ),
    actions=ACTIONS,
    observation=OBSERVATION,
    views=VIEWS,
    state=STATE,
    min_players=MIN_PLAYERS,
    max_players=MAX_SEATS,
    default_players=3,
    roles=summary.ROLE_NAMES,
    camps=summary.CAMP_NAMES,
    camp_of_role=summary.CAMP_OF_ROLE,
    columns=summary.columns,
    make_params=make_params,
    load_words=later(f"{__package__}.words.text"),
    load_card=later(f"{__package__}.words.card"),
    summary=summary.SUMMARY_SPEC,
    variants=tuple({"mode": mode} for mode in MODE_NAMES),
    rewards=("win",),
)
