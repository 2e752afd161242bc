"""Drawn positions for the rule tests of Deep River.

A Scene deals a real game with a pinned river and then puts pawns, tokens and the bear where they are drawn. Tiles are
numbered as people count them, 1 to 7 from the salmon nest; the two slots of the double tile are "4" and "4'".
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from drawn import DrawnTurns
from referee.adapters.deep_river import DeepRiver

from riverbed_env.core.options import check_choice
from riverbed_env.games.deep_river.content.pack import make_params
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules import invariants, vocab
from riverbed_env.games.deep_river.rules.actions import ACTIONS, MIRRORED_ACTION
from riverbed_env.games.deep_river.rules.vocab import NUM_FISH, Camp

SLOTS = ("1", "2", "3", "4", "4'", "5", "6", "7")
PLACES = ("nest", "nest double", *SLOTS)
PAWNS = {"s": 1, "S": 2, "e": -1, "E": -2}
SIDES = ("salmon", "eel")


class Scene(DrawnTurns):
    """A game of Deep River in a drawn position, with the side on turn about to choose a token.

    tiles: the river from the salmon's side, b bear, d drift, s swap, t tilt, D double.
    pawns: slot -> what stands there, the pawn on top first: s a single salmon, S a double one, e and E eels; "Se" is a
    double salmon on a single eel. The other pawns are in their nests; nest_double: how many of each side's lie there on
    their double face, (salmon, eels).
    faces: the face of each token that is up. progress: the tiles each has moved.
    bear: its station, 0 the salmon nest, 4 the middle, 8 the eel nest.
    barred: tokens tilted against the side on turn.
    """

    kind = DEEP_RIVER
    vocab = vocab
    adapter = DeepRiver
    num_players = 2
    event_bits = 5

    def __init__(
        self,
        tiles: str = "bdsDtsb",
        *,
        pawns: Mapping[str, str] | None = None,
        nest_double: tuple[int, int] = (0, 0),
        faces: str = "000",
        progress: Sequence[int] = (0, 0, 0),
        bear: int = 4,
        turn: str = "salmon",
        barred: Sequence[int] = (),
        pack: str | Path = "default",
        auto_forced: str = "none",
        max_turns: int = 200,
    ) -> None:
        check_choice("turn", turn, SIDES)
        self.options = {"pack": pack, "tiles": tiles}
        # Sides alternate: with this number of turns so far, this side began.
        turns = sum(progress) + 1
        first = SIDES[(SIDES.index(turn) + turns - 1) % 2]
        self.start(
            make_params(pack=pack, tiles=tiles, faces=faces, first=first, auto_forced="none", max_turns=max_turns)
        )
        self._put(dict(pawns or {}), nest_double)
        self.table["progress"] = list(progress)
        self.table["bear"] = bear
        self.table["turn"] = turns
        self.table["active"] = self.table["asked"] = SIDES.index(turn)
        self.table["barred"] = sum(1 << token for token in barred)
        self.table["tokens"] = 7 & ~int(self.table["barred"])
        self.check()
        self.params["auto_forced"] = {"none": 0, "public": 1, "all": 2}[auto_forced]
        self.call_referee()

    def _put(self, pawns: dict[str, str], nest_double: tuple[int, int]) -> None:
        left = [NUM_FISH, NUM_FISH]
        for where, drawn in pawns.items():
            slot = SLOTS.index(where)
            stack = [PAWNS[letter] for letter in drawn]
            assert len(stack) in (1, 2), drawn
            self.table["top"][slot] = stack[0]
            self.table["under"][slot] = stack[1] if len(stack) == 2 else 0
            for pawn in stack:
                left[int(pawn < 0)] -= 1
        for seat in range(2):
            self.table["nest"][seat] = [left[seat] - nest_double[seat], nest_double[seat]]

    def check(self) -> None:
        """Fails where the position breaks an invariant."""
        code = int(DEEP_RIVER.violations(np.atleast_1d(self.game), np.atleast_1d(self.params))[0])
        assert code == 0, invariants.Violation(code).words

    # --- names --------------------------------------------------------------------------------------------------

    def action(self, words: str, seat: int) -> int:
        """The action id of words: "token A", "tilt A", "turn", "advance", "use", "leave", "wait", or a place: "nest",
        "nest double", "1" … "7", "4'" as the table counts tiles."""
        if words in PLACES:
            action = ACTIONS.id("PLACE", PLACES.index(words))
            return action if seat == Camp.SALMON else int(MIRRORED_ACTION[action])
        verb, _, name = words.partition(" ")
        if verb in ("token", "tilt"):
            return ACTIONS.id(verb.upper(), [token.name for token in self.pack.tokens].index(name))
        return ACTIONS.id(words.upper())

    def words(self, action: int, seat: int) -> str:
        """The words of an action id."""
        name, argument = ACTIONS.split(action)
        if name == "PLACE":
            seen = action if seat == Camp.SALMON else int(MIRRORED_ACTION[action])
            return PLACES[ACTIONS.split(seen)[1]]
        if name in ("TOKEN", "TILT"):
            return f"{name.lower()} {self.pack.tokens[argument].name}"
        return name.lower()

    # --- looking ------------------------------------------------------------------------------------------------

    def pawns(self) -> dict[str, str]:
        """Slot -> what stands there, in the letters the position is drawn with."""
        letters = {number: letter for letter, number in PAWNS.items()}
        found = {}
        for slot, where in enumerate(SLOTS):
            stack = [int(self.table["top"][slot]), int(self.table["under"][slot])]
            drawn = "".join(letters[pawn] for pawn in stack if pawn)
            if drawn:
                found[where] = drawn
        return found

    def nest(self, side: str) -> tuple[int, int]:
        """How many pawns lie in a nest on their single and on their double face."""
        single, double = (int(number) for number in self.table["nest"][SIDES.index(side)])
        return single, double

    @property
    def bear(self) -> int:
        """The bear's station."""
        return int(self.table["bear"])

    def progress(self) -> tuple[int, ...]:
        """The tiles each token has moved."""
        return tuple(int(moved) for moved in self.table["progress"])

    def faces(self) -> str:
        """The face of each token that is up."""
        return "".join(str(int(face)) for face in self.table["face"])

    @property
    def side(self) -> str:
        """Whose turn it is."""
        return SIDES[int(self.table["active"])]

    @property
    def winner(self) -> Camp:
        """The side that won; NONE while playing, when drawn and when truncated."""
        return Camp(int(self.table["winner"]))
