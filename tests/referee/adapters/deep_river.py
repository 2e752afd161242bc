"""Deep River on both sides.

The referee counts places as each side does from its own nest and tiles from the salmon's; the engine's table counts
both from the salmon's, and an eel's actions are mirrored. Facts are lists of numbers in the engine's codes; a pawn is 1
a salmon on its single face, 2 on its double face, -1 and -2 an eel, 0 nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from referee.deep_river.deal import Deal, small_tiles_of
from referee.deep_river.pack import Pack, read_pack
from referee.deep_river.referee import Action, Referee
from referee.deep_river.river import EEL, SALMON, SIDES, TILES, Pawn, rival_of
from referee.lockstep import Adapter, Facts

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
LEGAL = "the legal actions"


def seen_from(side: int, place: int) -> int:
    """A place of the table as a side counts it, and the other way round: the eel's tiles run down."""
    along = {2: 9, 3: 8, 4: 7, 7: 4, 8: 3, 9: 2}
    return along.get(place, place) if side == EEL else place


@cache
def pack_of(path: Path) -> Pack:
    """The pack as the referee reads it, from the file itself."""
    return read_pack(path)


class DeepRiver(Adapter):
    """See `Adapter`."""

    game: ClassVar[Game] = DEEP_RIVER
    moods: ClassVar[int] = 5
    facts: ClassVar[tuple[str, ...]] = (
        "the seat asked",
        "the question",
        LEGAL,
        "decisions, turns, the side to move",
        "the tiles",
        "the pawns that are seen, by slot",
        "the pawns under them, by slot",
        "the nests (single and double, side after side)",
        "the tokens' places",
        "the tokens' faces",
        "the token in use",
        "the tokens tilted (against the side to move, against its rival)",
        "the bear",
        "the ending",
        "the winner",
        "the returns",
    )
    slow_facts: ClassVar[tuple[str, ...]] = ()

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self.pack = pack_of(find_pack("deep_river", batch.options.get("pack", "default")))
        self.words = [[self._word(side, action) for action in range(ACTIONS.size)] for side in SIDES]
        self.codes = [{word: code for code, word in enumerate(words) if word} for words in self.words]
        self.answers: list[Counter[str]] = [Counter() for _ in range(batch.num_envs)]
        self.no_slow_facts: list[Facts] = [()] * batch.num_envs

    def _word(self, side: int, action: int) -> Action | None:
        """The referee's word for an action of a side; None for waiting, which the referee doesn't know."""
        if A.TOKEN <= action < A.PLACE:
            return ("token", action - A.TOKEN)
        elif A.PLACE <= action < A.TILT:
            return ("place", seen_from(side, action - A.PLACE))
        elif A.TILT <= action < A.TURN:
            return ("tilt", action - A.TILT)
        return WORDS.get(action)

    def weights(self, mood: int) -> Sequence[float]:
        """Uniform; crowding the river; running for the rival nest; doubling pawns first; one token again and again."""
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
        return [float(weight) for weight in weights]

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
        if self.batch.options.get("tiles") is not None:  # tiles as given, whatever the pack's set
            pack = pack.with_small_tiles(small_tiles_of(deal))
        return Referee(pack, deal, cap=int(self.batch.params["max_turns"][0]))

    def referee_in(self, index: int) -> Referee:
        """A referee at the table that the record draws, where a turn begins."""
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

    def only_action(self, referee: Referee, index: int) -> int:
        """The one legal action; fails where there are several."""
        (word,) = referee.legal()
        return self.codes[referee.asked or SALMON][word]

    def note_chance(self) -> None:
        """DR-1: there is no chance in play."""

    def play(self, referee: Referee, index: int, action: int) -> None:
        """Let the referee take the decision."""
        word = self._spoken(referee, action)
        self.answers[index].update({referee.question, word[0]})
        referee.play(word)

    def _spoken(self, referee: Referee, action: int) -> Action:
        """An action in the referee's words; one of nobody's is no action."""
        return (self.words[referee.asked or SALMON][action]) or ("wait",)

    def describe(self, referee: Referee, action: int) -> str:
        """An action in the referee's words."""
        return f"{referee.asked}: " + " ".join(map(str, self._spoken(referee, action)))

    def tell(self, fact: str, value: Any, referee: Referee) -> str:
        """A fact in words."""
        if fact == LEGAL and referee.asked is not None:
            words = self.words[referee.asked]
            legal = [words[action] or ("wait",) for action, one in enumerate(value) if one]
            return ", ".join(" ".join(map(str, word)) for word in legal)
        return super().tell(fact, value, referee)

    def events(self, index: int) -> dict[str, int]:
        """What both sides did, as the engine counts it, and the questions and answers by their words."""
        deeds = self.batch.games[index]["table"]["deeds"].sum(axis=0).tolist()
        done = {deed: count for deed, count in zip(DEEDS, deeds, strict=True) if count}
        return {**done, **self.answers[index]}

    def ending(self, referee: Referee) -> str:
        """How the game ended."""
        if referee.truncated:
            return "truncated"
        return "draw" if referee.winner is None else ("salmon", "eel")[referee.winner]

    # --- the facts, as both sides have them -----------------------------------------------------------------------

    def engine_facts(self) -> list[Facts]:
        """The facts of every environment, in the order of `facts`."""
        table = self.batch.games["table"]
        over = ~self.batch.acting
        top, nest = self._put_down()
        course = np.stack([table["decisions"], table["turn"], table["active"]], axis=1)
        tilts = np.stack([table["barred"], table["tilted"]], axis=1)
        tilts[over] = 0
        columns = [
            self.batch.seat,
            table["question"],
            np.where(over[:, None], 0, self.batch.action_mask),
            course,
            table["tile"][:, 1:-1],
            top,
            table["under"],
            nest.reshape(self.batch.num_envs, -1),
            table["progress"],
            table["face"],
            np.where(over, NONE, table["token"]),
            tilts,
            table["bear"],
            table["ending"],
            table["winner"],
            np.where(over[:, None], self.batch.returns, 0),
        ]
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def _put_down(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Slots and nests with the pawn in the hand put back: the referee lifts it when it knows where it stands."""
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
        """The same facts as the referee has them."""
        asked = NONE if referee.asked is None else referee.asked
        slots = [referee.river.slots.get(place, []) for place in SLOTS]
        return (
            asked,
            QUESTIONS.index(referee.question),
            self._mask(referee, asked),
            [referee.decisions, referee.turns, self._active(referee)],
            [1 + EFFECTS.index(referee.river.effect_of[tile]) for tile in TILES],
            [number(slot[-1]) if slot else 0 for slot in slots],
            [number(slot[0]) if len(slot) > 1 else 0 for slot in slots],
            [sum(pawn.double == face for pawn in nest) for nest in referee.river.nests for face in (False, True)],
            [TILES[-1] - token.tile for token in referee.tokens],
            [token.up for token in referee.tokens],
            NONE if asked == NONE or referee.token_in_use is None else referee.token_in_use,
            self._tilts(referee),
            referee.bear,
            2 if referee.truncated else int(referee.ended),
            NONE if referee.winner is None else referee.winner,
            self._returns(referee),
        )

    def _mask(self, referee: Referee, asked: int) -> list[int]:
        """The legal actions as the engine's mask has them."""
        mask = [0] * ACTIONS.size
        for action in referee.legal():
            mask[self.codes[asked][action]] = 1
        return mask

    @staticmethod
    def _active(referee: Referee) -> int:
        """The side whose turn it is, or was: a referee cut off by the cap has passed the turn on already."""
        return rival_of(referee.side) if referee.truncated else referee.side

    @staticmethod
    def _tilts(referee: Referee) -> list[int]:
        """The tokens tilted against the side to move and against its rival; none when the game is over."""
        if referee.ended:
            return [0, 0]
        return [bits(referee.tilted_against[side]) for side in (referee.side, rival_of(referee.side))]

    @staticmethod
    def _returns(referee: Referee) -> list[float]:
        """+1 to the winner and -1 to the loser; 0 to both in a draw, in a game that goes on and in one cut off."""
        if referee.winner is None:
            return [0.0, 0.0]
        return [1.0 if side == referee.winner else -1.0 for side in SIDES]

    def engine_slow_facts(self) -> list[Facts]:
        """There are none: both sides see everything."""
        return self.no_slow_facts

    def referee_slow_facts(self, referee: Referee) -> Facts:
        """There are none."""
        return ()


def number(pawn: Pawn) -> int:
    """A pawn in the engine's code."""
    return pawn.fish if pawn.side == SALMON else -pawn.fish


def pawn_of(code: int) -> Pawn:
    """The pawn of a code of the engine's."""
    return Pawn(SALMON if code > 0 else EEL, double=abs(code) == 2)


def bits(tokens: Iterable[int]) -> int:
    """Tokens as the engine's bits."""
    return sum(1 << token for token in tokens)


ADAPTER = DeepRiver
