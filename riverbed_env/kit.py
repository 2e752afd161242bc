"""What games and compiled agents of other packages are built on: tables, records, streams, kernels, environments."""

from .core.card import CardSections
from .core.game import Kernels, SummarySpec, copy_records, later
from .core.options import check_forced, check_whole
from .core.packs import find_pack
from .envs.aec import TurnEnv
from .envs.parallel import SimultaneousEnv
from .envs.single import GameEnv
from .kernels.actions import ActionBlock, ActionTable
from .kernels.common import UNDECIDED, agent_stream, common_refusal
from .kernels.compile import KernelFamily
from .kernels.pieces import Piece, PieceTable
from .kernels.random import AGENTS, DEAL, MASK, STREAM, below, draw, open_stream, random_legal_action, shuffle, uniform
from .kernels.records import Fields
from .kernels.vocab import Forced, Refusal

__all__ = [
    "AGENTS",
    "DEAL",
    "MASK",
    "STREAM",
    "UNDECIDED",
    "ActionBlock",
    "ActionTable",
    "CardSections",
    "Fields",
    "Forced",
    "GameEnv",
    "KernelFamily",
    "Kernels",
    "Piece",
    "PieceTable",
    "Refusal",
    "SimultaneousEnv",
    "SummarySpec",
    "TurnEnv",
    "agent_stream",
    "below",
    "check_forced",
    "check_whole",
    "common_refusal",
    "copy_records",
    "draw",
    "find_pack",
    "later",
    "open_stream",
    "random_legal_action",
    "shuffle",
    "uniform",
]
