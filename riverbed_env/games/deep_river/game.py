"""Deep River as the rest of the library knows it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game, Kernels, later
from riverbed_env.kernels import common
from riverbed_env.kernels.compile import Record

from .content import summary
from .content.pack import load_pack, make_params
from .rules import engine, invariants, legality, observe, returns
from .rules.actions import ACTIONS
from .rules.kernels import kernel
from .rules.pieces import OBSERVATION, STATE, VIEWS
from .rules.state import GAME_FIELDS, VIEW
from .rules.vocab import NUM_SEATS


@kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal; 0 when it can."""
    return legality.refusal(game["table"], seat, action)


@kernel
def write_mask(game: Record, params: Record, seat: int, out: npt.NDArray[np.int8]) -> None:
    """The action mask of a seat. out: (NUM_ACTIONS,) int8."""
    legality.write_mask(game["table"], seat, out)


DEEP_RIVER = Game(
    name="deep_river",
    title="Deep River",
    version=0,
    registry_id="riverbed/DeepRiver-v0",
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
    min_players=NUM_SEATS,
    max_players=NUM_SEATS,
    default_players=NUM_SEATS,
    roles=summary.ROLE_NAMES,
    camps=summary.CAMP_NAMES,
    camp_of_role=summary.CAMP_OF_ROLE,
    roles_of=summary.roles_of,
    columns=summary.columns,
    make_params=make_params,
    load_words=later(f"{__package__}.words.text"),
    load_card=later(f"{__package__}.words.card"),
    summary=summary.SUMMARY_SPEC,
    load_pack=load_pack,
)
