"""Deep River on both sides.

The referee counts places from the nest of the acting side and tiles from the salmon nest. The engine's table counts
both from the salmon nest, and an eel's actions are mirrored. Facts are lists of numbers in the engine's codes; a pawn
is 1 for a salmon on its single face, 2 on its double face, -1 and -2 for an eel, 0 for none.
"""

from functools import cache
from typing import Any, ClassVar

import numpy as np

from referee.deep_river.deal import Deal, small_tiles_of
from referee.deep_river.pack import read_pack
from referee.deep_river.referee import Action, Referee
from referee.deep_river.river import EEL, SALMON, SIDES, TILES, Pawn, rival_of
from referee.lockstep import Adapter, Facts, bits
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.core.packs import find_pack
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules.actions import ACTIONS, A

EFFECTS = ("bear", "drift", "swap", "tilt", "double")  # in the engine's order, from 1
QUESTIONS = ("over", "token", "fish", "stand", "pile", "tilt", "double", "pawn", "use")
WORDS: dict[int, Action] = {A.TURN: ("turn",), A.ADVANCE: ("advance",), A.USE: ("use",), A.LEAVE: ("leave",)}
DEEDS = ("fish moved", "fish brought home", "bear steps", "pawns turned", "piles swapped", "tokens tilted")
SLOTS = range(2, 10)  # the places along the river
NEST_PLACES = 2
NONE = -1


def seen_from(side: int, place: int) -> int:
    """Convert a place between the table's numbering and a side's, in both directions: the eel counts downwards."""
    along = {2: 9, 3: 8, 4: 7, 7: 4, 8: 3, 9: 2}
    return along.get(place, place) if side == EEL else place


pack_of = cache(read_pack)


class DeepRiver(Adapter):
    """See `Adapter`."""

    game: ClassVar[Game] = DEEP_RIVER
    moods: ClassVar[int] = 5

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self.pack = pack_of(find_pack("deep_river", batch.options.get("pack", "default")))

    def vocabulary(self) -> list[list[Action]]:
        """The words of each side, which counts places from its own nest."""
        return [[self._word(side, action) for action in range(ACTIONS.size)] for side in SIDES]

    @staticmethod
    def _word(side: int, action: int) -> Action:
        if A.TOKEN <= action < A.PLACE:
            return ("token", action - A.TOKEN)
        elif A.PLACE <= action < A.TILT:
            return ("place", seen_from(side, action - A.PLACE))
        elif A.TILT <= action < A.TURN:
            return ("tilt", action - A.TILT)
        return WORDS.get(action, ("wait",))

    def weights(self, mood: int) -> np.ndarray[Any, Any]:
        """Moods: uniform; crowd the river; run for the rival nest; double pawns first; prefer one token."""
        weights = np.ones(ACTIONS.size)
        if mood == 1:
            weights[A.PLACE : A.PLACE + NEST_PLACES] = 6
        elif mood == 2:
            weights[A.PLACE : A.PLACE + NEST_PLACES] = 0.3
            weights[[A.ADVANCE, A.USE]] = 5
        elif mood == 3:
            weights[[A.TURN, A.PLACE, A.PLACE + 1]] = (20, 0.5, 4)
        elif mood == 4:
            weights[A.TOKEN : A.TOKEN + 2] = (8, 0.3)
        return weights

    # --- carrying games over --------------------------------------------------------------------------------------

    def referee(self, index: int) -> Referee:
        """DR-1: a referee dealt what the engine dealt."""
        table = self.batch.games[index]["table"]
        deal = Deal(
            tiles=tuple(EFFECTS[tile - 1] for tile in table["tile"][1:-1].tolist()),
            faces=tuple(table["face"].tolist()),
            begins=int(table["first"]),
        )
        pack = self.pack
        if self.batch.options.get("tiles") is not None:  # the option replaces the pack's set of tiles
            pack = pack.with_small_tiles(small_tiles_of(deal))
        return Referee(pack, deal, cap=int(self.batch.params["max_turns"][0]))

    def referee_in(self, index: int) -> Referee:
        """A referee in the position of the record, at the beginning of a turn."""
        table, referee = self.batch.games[index]["table"], self.referee(index)
        for place in referee.river.slots:
            pawns = (int(table[layer][place - NEST_PLACES]) for layer in ("under", "top"))
            referee.river.slots[place] = [pawn_of(code) for code in pawns if code]
        for side in SIDES:
            single, double = table["nest"][side].tolist()
            referee.river.nests[side] = [Pawn(side, count >= single) for count in range(single + double)]
        for token, moved in zip(referee.tokens, table["progress"].tolist(), strict=True):
            token.tile = TILES[-1] - moved
        referee.side = int(table["active"])
        referee.tilted_against[referee.side] = {token for token in range(3) if int(table["barred"]) >> token & 1}
        referee.bear, referee.turns = int(table["bear"]), int(table["turn"]) - 1
        referee.begin()
        return referee

    def play(self, referee: Referee, index: int, action: int) -> None:
        """Let the referee take the decision, and count its question and answer."""
        self.answers[index].update({referee.question, self.words[referee.asked or SALMON][action][0]})
        super().play(referee, index, action)

    def events(self, index: int) -> dict[str, int]:
        """The engine's counts of what both sides did, and the questions and answers by their words."""
        deeds = self.batch.games[index]["table"]["deeds"].sum(axis=0).tolist()
        done = {deed: count for deed, count in zip(DEEDS, deeds, strict=True) if count}
        return {**done, **self.answers[index]}

    def ending(self, referee: Referee) -> str:
        """How the game ended."""
        return "draw" if referee.winner is None else ("salmon", "eel")[referee.winner]

    # --- the facts, as both sides have them -----------------------------------------------------------------------

    def engine_facts(self) -> Facts:
        """See `Adapter`."""
        table, over = self.batch.games["table"], ~self.batch.acting
        top, nest = self._put_down()
        tilts = np.stack([table["barred"], table["tilted"]], axis=1)
        tilts[over] = 0
        return {
            "the tiles": table["tile"][:, 1:-1],
            "the pawns that are seen, by slot": top,
            "the nests (single and double, side after side)": nest.reshape(self.batch.num_envs, -1),
            "the token in use": np.where(over, NONE, table["token"]),
            "the tokens tilted (against the side to move, against its rival)": tilts,
        }

    def _put_down(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Slots and nests with the lifted pawn put back: the referee lifts a pawn only once its target is known."""
        table = self.batch.games["table"]
        top, nest = table["top"].copy(), table["nest"].copy()
        for index in np.flatnonzero(table["moving"]):
            pawn, place = int(table["moving"][index]), int(table["lifted"][index])
            if place < NEST_PLACES:
                nest[index, int(pawn < 0), place] += 1
            else:
                top[index, place - NEST_PLACES] = pawn
        return top, nest

    def referee_facts(self, index: int, referee: Referee) -> Facts:
        """See `Adapter`."""
        slots = [referee.river.slots.get(place, []) for place in SLOTS]
        nests = [sum(pawn.double == face for pawn in nest) for nest in referee.river.nests for face in (False, True)]
        in_use = self.asked(referee, index) != NONE and referee.token_in_use is not None
        return {
            "table.question": QUESTIONS.index(referee.question),
            "table.decisions": referee.decisions,
            "table.turn": referee.turns,
            "table.active": self._active(referee),
            "the tiles": [1 + EFFECTS.index(referee.river.effect_of[tile]) for tile in TILES],
            "the pawns that are seen, by slot": [number(slot[-1]) if slot else 0 for slot in slots],
            "table.under": [number(slot[0]) if len(slot) > 1 else 0 for slot in slots],
            "the nests (single and double, side after side)": nests,
            "table.progress": [TILES[-1] - token.tile for token in referee.tokens],
            "table.face": [token.up for token in referee.tokens],
            "the token in use": referee.token_in_use if in_use else NONE,
            "the tokens tilted (against the side to move, against its rival)": self._tilts(referee),
            "table.bear": referee.bear,
            "table.winner": NONE if referee.winner is None else referee.winner,
        }

    @staticmethod
    def _active(referee: Referee) -> int:
        """The side whose turn it is, or was: a truncated referee has already passed the turn on."""
        return rival_of(referee.side) if referee.truncated else referee.side

    @staticmethod
    def _tilts(referee: Referee) -> list[int]:
        """The tokens tilted against the side to move and against its rival; none when the game is over."""
        if referee.ended:
            return [0, 0]
        return [bits(referee.tilted_against[side]) for side in (referee.side, rival_of(referee.side))]

    def returns(self, referee: Referee) -> list[float]:
        """+1 to the winner and -1 to the loser; 0 to both without a winner."""
        return [0.0, 0.0] if referee.winner is None else super().returns(referee)


def number(pawn: Pawn) -> int:
    """A pawn in the engine's code."""
    return pawn.fish if pawn.side == SALMON else -pawn.fish


def pawn_of(code: int) -> Pawn:
    """The pawn of an engine code."""
    return Pawn(SALMON if code > 0 else EEL, double=abs(code) == 2)
