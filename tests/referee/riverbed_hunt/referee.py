"""The game, step by step in the order of the rules.

The whole game is one generator that stops wherever a player must decide; `Referee.play` passes it the answer. Where the
rules leave something open, a comment that begins with READING states our interpretation.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from ..asking import Action, Asking, Question, Table
from .board import Board, board_with_empty
from .floor import OF_ONESELF, SILENT, TOPIC_OF, Record, Talk
from .knowledge import Knowledge
from .pack import Effect, Layout, Pack, Tile

Answer = TypeVar("Answer")

STOP: Action = ("stop",)
HAND_LIMIT = 3
WINNING_ROLES = {"kelp": {"chief", "merchant"}, "log": {"leader", "separatist"}, "coin": {"profiteer"}}


@dataclass(frozen=True)
class Deal:
    """RH-1: the chance outcome of the setup."""

    roles: tuple[str, ...]
    spare_role: str | None
    layout: str
    tiles: dict[int, int]
    hands: tuple[tuple[str, ...], ...]
    draw_pile: tuple[str, ...]


class Chance(Protocol):
    """Chance in play, given from outside."""

    def shuffle_tiles(self, tiles: list[int]) -> list[int]:
        """The tiles lying on ascending spaces; returns which lies on each of these spaces afterwards."""

    def shuffle_cards(self, cards: list[str]) -> list[str]:
        """The discard pile in pack order; returns the new draw pile, last = top."""

    def pick_card(self, hand: list[str]) -> str:
        """A random discard from a hand given in pack order."""


class GameOver(Exception):
    """RH-6.2: a track has reached its endpoint."""


@dataclass
class Run:
    """One card or one text being carried out."""

    carrier: int
    tile_space: int | None  # READING: "this tile" of a text means the space where the tile was turned up. If its
    # own text moved the tile, nobody could follow it through a shuffle (RH-8.4), so the text keeps meaning the space.
    card_in_hand: bool = False  # RH-7.2 is judged while the card to be played is still in the hand
    swapped: list[int] = field(default_factory=list)
    chosen: set[int] = field(default_factory=set)  # the spaces that the current effect has chosen
    excluded: set[int] = field(default_factory=set)  # the spaces that `another` excludes from it
    skip_rest: bool = False


class Referee(Table):
    """The table: a game from its deal to its end."""

    def __init__(
        self,
        pack: Pack,
        num_players: int,
        deal: Deal,
        chance: Chance,
        *,
        max_decisions: int = 1000,
        talk: Talk | None = None,
    ) -> None:
        super().__init__(max_decisions)
        layout = check_deal(pack, num_players, deal)
        self.pack = pack
        self._chance = chance
        self._num_players = num_players
        self._board: Board = board_with_empty(layout.empty)
        self._endpoints = pack.players[num_players].endpoints
        self._seats = range(num_players)

        self.turns = 0
        self.active: int | None = None
        self.tracks = {"kelp": 0, "log": 0, "coin": 0}
        self.tile_at = dict(deal.tiles)
        self.face_up: set[int] = set()
        self.hands = [list(hand) for hand in deal.hands]
        self.draw_pile = list(deal.draw_pile)
        self.discard_pile: list[str] = []
        self.used: list[str] = []
        self.position: list[int | None] = [None] * num_players
        self.dive_ready = [True] * num_players
        self.swim_ready = [True] * num_players
        self.uncover_left = [True] * num_players
        self.marker_left = [True] * num_players
        self.roles = list(deal.roles)
        self.revealed = [role == "chief" for role in deal.roles]
        self.looked: list[dict[int, str]] = [{} for _ in self._seats]
        self.winning_track: str | None = None
        self.winners: set[int] = set()

        in_play = sorted(deal.tiles.values())
        self._public_knowledge = Knowledge(in_play, deal.tiles)
        self._knowledge = [Knowledge(in_play, deal.tiles) for _ in self._seats]
        self._applied: dict[int, Counter[str]] = {}  # by face-up tile: what it has put on the tracks
        self.hunted: set[int] | None = None  # the tiles revealed during the Hunt under way
        self.acted = False
        self.card_played = False
        self.talk = talk or Talk()
        self.record = Record()
        self.to_speak = 0  # seats that still have to speak in this turn
        self.claims_left = 0
        self.verb: Action | None = None  # chosen, while what it is about is asked

        self.begin_story(self._game())

    # What the driver reads

    def possible(self, seat: int | None) -> dict[int, set[int]]:
        """RH-8.3: where each tile may lie as far as the seat (None: the public) knows."""
        return self._table(seat).possible()

    # RH-1.7 and RH-3: the course of the game

    def _game(self) -> Asking[None]:
        """RH-1.7, RH-3.1: meeples are placed, then turns pass clockwise."""
        chief = self.roles.index("chief")
        order = [(chief + 1 + step) % self._num_players for step in self._seats]
        for seat in order:
            self.position[seat] = yield from self._ask_space(seat, "place", self._board.tile_spaces)
        self._begin_turn(order[0])
        yield from self._turns(order[0])

    def _turns(self, seat: int, floor_over: bool = False) -> Asking[None]:
        """RH-3.1, RH-6.2, RH-9.2: turns from this seat's on, each after its floor, until a track ends the game."""
        try:
            while True:
                if not floor_over:
                    yield from self._floor(seat)
                floor_over = False
                yield from self._turn(seat)
                seat = (seat + 1) % self._num_players
                self._begin_turn(seat)
        except GameOver:
            pass

    def go_on_from_turn(self, seat: int) -> None:
        """RH-3.1: ask this seat for its turn, with the table as a test has set it."""
        self.active = seat
        self.begin_story(self._turns(seat, floor_over=True))

    def _begin_turn(self, seat: int) -> None:
        self.active = seat
        self.turns += 1
        self.acted = False
        self.card_played = False

    # RH-9: talk

    def _floor(self, active: int) -> Asking[None]:
        """RH-9.2, RH-9.3: before the turn's own question each speaker makes claims until it is silent or has spoken."""
        order = self.talk.order(active, self._num_players)
        for place, speaker in enumerate(order):
            self.to_speak = len(order) - place
            for left in range(self.talk.budget, 0, -1):
                self.claims_left = left
                verb = yield from self._ask_on_floor(speaker, "floor", {SILENT, *self._verbs(speaker)})
                if verb == SILENT:
                    break
                yield from self._claim(speaker, verb)
        self.to_speak = self.claims_left = 0

    def _claim(self, speaker: int, verb: Action) -> Asking[None]:
        """RH-9.3: one claim: its verb has been chosen, what it is about is asked."""
        about = speaker
        if TOPIC_OF[verb] not in OF_ONESELF:
            self.verb = verb
            word = "seat" if TOPIC_OF[verb] in ("camp", "urge seat", "judge") else "space"
            objects = {(word, thing) for thing in self._objects(speaker, verb)}
            answer = yield from self._ask_on_floor(speaker, "about", objects)
            about = int(answer[1])
            self.verb = None
        self.record.hear(speaker, verb, about, self.turns)

    def _truncate(self) -> None:
        """RH-9.2: there is no talk after the end, so a floor that the cap closes leaves nobody to speak."""
        super()._truncate()
        self.to_speak = self.claims_left = 0

    def _ask_on_floor(self, speaker: int, word: str, answers: Iterable[Action]) -> Asking[Action]:
        """RH-9.8: decisions on the floor don't count towards the cap."""
        return (yield Question(speaker, word, frozenset(answers), counted=False))

    def _verbs(self, speaker: int) -> Iterable[Action]:
        """RH-9.4, RH-9.6: the verbs of claims that the speaker can make."""
        return (verb for verb in TOPIC_OF if self._objects(speaker, verb))

    def _objects(self, speaker: int, verb: Action) -> list[int]:
        """RH-9.6: the seats or spaces that the claim may be about and of which it doesn't only repeat what is claimed.

        READING: a public role closes claims of camp and role; its owner can still promise, be asked, believed, doubted.
        """
        topic = TOPIC_OF[verb]
        things: Iterable[int]
        if topic in ("tile", "urge tile"):
            things = self._face_down(self._board.tile_spaces)
        elif topic == "camp":
            things = [seat for seat in self._seats if not self.revealed[seat]]
        elif topic == "urge seat":
            things = self._seats
        elif topic == "judge":
            things = [seat for seat in self._seats if seat != speaker]
        else:
            things = [] if topic == "role" and self.revealed[speaker] else [speaker]
        return [thing for thing in things if not self.record.repeats(speaker, verb, thing)]

    def _turn(self, seat: int) -> Asking[None]:
        """RH-3.1, RH-3.2: one action; before or after it at most one card, and the refresh marker."""
        while True:
            answer = yield from self._ask(seat, "turn", {action: action for action in self._turn_actions(seat)})
            if answer == ("end turn",):
                break
            yield from self._turn_step(seat, answer)
        yield from self._end_turn(seat)

    def _turn_step(self, seat: int, answer: Action) -> Asking[None]:
        kind = answer[0]
        if kind == "ready":
            self.marker_left[seat] = False
            self._make_ready(seat, str(answer[-1]))
        elif kind == "card":
            self.card_played = True
            yield from self._play_card(seat, str(answer[-1]))
        else:
            self.acted = True
            actions = {"dive": self._dive, "swim": self._swim, "co-op": self._co_op, "uncover": self._uncover}
            yield from actions[kind](seat)

    def _turn_actions(self, seat: int) -> Iterable[Action]:
        """RH-3.1, RH-3.2: what the active player may do now."""
        if self.acted:
            yield ("end turn",)
        else:
            yield from self._actions(seat)
        if self.marker_left[seat]:
            yield from (("ready", which) for which in self._exhausted(seat))
        if not self.card_played:
            yield from (("card", name) for name in set(self.hands[seat]) if self._can_play(seat, name))

    def _actions(self, seat: int) -> Iterable[Action]:
        """RH-3.5: Dive and Swim when ready; no action whose mandatory choices don't exist."""
        face_down_in_reach = bool(self._face_down(self._reach(seat)))
        if self.dive_ready[seat] and face_down_in_reach:
            yield ("dive",)
        if self.swim_ready[seat] and self._destinations("swim", seat):
            yield ("swim",)
        yield ("co-op",)
        if self.uncover_left[seat] and self.hands[seat] and face_down_in_reach:
            yield ("uncover",)

    def _end_turn(self, seat: int) -> Asking[None]:
        """RH-3.3: a hand over the limit is discarded down to it; used cards go to the discard pile."""
        while len(self.hands[seat]) > HAND_LIMIT:
            yield from self._discard_one(seat)
        self.discard_pile += self.used
        self.used = []

    # RH-4: actions

    def _dive(self, seat: int) -> Asking[None]:
        """RH-4.1: view one face-down tile within reach."""
        self.dive_ready[seat] = False
        space = yield from self._ask_space(seat, "space", self._face_down(self._reach(seat)))
        self._look_at_tile(seat, space)

    def _swim(self, seat: int) -> Asking[None]:
        """RH-4.2: the meeple moves, then the player draws one card."""
        self.swim_ready[seat] = False
        self.position[seat] = yield from self._ask_space(seat, "space", self._destinations("swim", seat))
        self._draw(seat)

    def _co_op(self, asker: int) -> Asking[None]:
        """RH-4.3: another player reveals; then the active player draws one card and refreshes Dive and Swim."""
        slipped: set[int] = set()
        while True:
            asked = yield from self._ask_seat(asker, self._co_op_partners(asker, slipped))
            if not self._face_down(self._reach(asked)):
                break
            has_slipped = yield from self._answer_co_op(asker, asked, slipped)
            if not has_slipped:
                break
            slipped.add(asked)
        self._draw(asker)
        self._refresh(asker)

    def _co_op_partners(self, asker: int, slipped: set[int]) -> list[int]:
        """RH-4.3: a player with no face-down tile within reach may be chosen only if no other player has one.

        READING: a player who has slipped away from this co-op can't be chosen for it again ("someone else", RH-7.6).
        """
        others = [seat for seat in self._seats if seat != asker and seat not in slipped]
        with_a_tile = [seat for seat in others if self._face_down(self._reach(seat))]
        return with_a_tile or others

    def _answer_co_op(self, asker: int, asked: int, slipped: set[int]) -> Asking[bool]:
        """RH-4.3, RH-5.1, RH-5.3, RH-7.5: reveal, Hunt, Con, or slip away (then it returns True)."""
        options: list[Action] = [("reveal",)]
        if self.hands[asked] and not self.revealed[asked]:
            if self.roles[asked] == "leader":
                options.append(("hunt",))
            if self.roles[asked] == "profiteer":
                options.append(("con",))
        slip_card = self._slip_card(asked)
        if slip_card is not None and self._can_slip_away(asker, asked, slipped):
            options.append(("slip away",))
        answer = yield from self._ask(asked, "answer", {option: option[0] for option in options})
        if answer == "slip away" and slip_card is not None:
            self._use_card(asked, slip_card)
            return True
        if answer == "hunt":
            yield from self._hunt(asked)
        elif answer == "con":
            yield from self._con(asked)
        else:
            yield from self._choose_and_reveal(asked, self._reach(asked))
        return False

    def _slip_card(self, seat: int) -> str | None:
        """RH-7.5: the card in this hand that slips away from a co-op."""
        for name in self.hands[seat]:
            if self.pack.cards[name].slips_away:
                return name
        return None

    def _can_slip_away(self, asker: int, asked: int, slipped: set[int]) -> bool:
        """RH-7.6, Slip Away: a third player who hasn't slipped away has a face-down tile within reach."""
        return any(
            self._face_down(self._reach(seat))
            for seat in self._seats
            if seat not in {asker, asked} and seat not in slipped
        )

    def _uncover(self, seat: int) -> Asking[None]:
        """RH-4.4: discard, reveal within reach, refresh; Uncover is then gone."""
        yield from self._discard_one(seat)
        yield from self._choose_and_reveal(seat, self._reach(seat))
        self._refresh(seat)
        self.uncover_left[seat] = False

    # RH-5: Hunt and Con

    def _hunt(self, leader: int) -> Asking[None]:
        """RH-5.1: reveal within reach; while the tile just revealed has the icon, stop or continue anywhere."""
        yield from self._declare(leader)
        self.hunted = set()
        tile = yield from self._choose_and_reveal(leader, self._reach(leader))
        while tile.hunt:
            # READING: the icon of the tile just revealed counts even if a text has turned it face-down again.
            anywhere = self._face_down(self._board.tile_spaces)
            if not anywhere:
                break
            space = yield from self._ask_space_or_stop(leader, anywhere, may=True)
            if space is None:
                break
            tile = yield from self._reveal(space, leader)
        else:
            yield from self._hunt_penalty(self.hunted)
        self.hunted = None

    def _hunt_penalty(self, hunted: set[int]) -> Asking[None]:
        """RH-5.2: the chief flips face-down one face-up tile with a log that was revealed during the Hunt."""
        candidates = [
            space
            for space in sorted(self.face_up)
            if self.tile_at[space] in hunted and self.pack.tiles[self.tile_at[space]].has("log")
        ]
        if candidates:
            space = yield from self._ask_space(self.roles.index("chief"), "space", candidates)
            self._flip_down(space)

    def _con(self, profiteer: int) -> Asking[None]:
        """RH-5.3: reveal one tile within reach, then a second from anywhere; with none left it is skipped."""
        yield from self._declare(profiteer)
        yield from self._choose_and_reveal(profiteer, self._reach(profiteer))
        anywhere = self._face_down(self._board.tile_spaces)
        if anywhere:
            yield from self._choose_and_reveal(profiteer, anywhere)

    def _declare(self, seat: int) -> Asking[None]:
        """RH-5.1, RH-5.3: discard a card, then reveal the role.

        READING: the role is face-up once the card has been discarded (the book: "first discard ... and then reveal").
        """
        yield from self._discard_one(seat)
        self.revealed[seat] = True

    def _exhausted(self, seat: int) -> list[str]:
        """RH-5.5: which of Dive and Swim are exhausted."""
        ready = {"dive": self.dive_ready[seat], "swim": self.swim_ready[seat]}
        return [which for which, is_ready in ready.items() if not is_ready]

    def _make_ready(self, seat: int, which: str) -> None:
        if which == "dive":
            self.dive_ready[seat] = True
        else:
            self.swim_ready[seat] = True

    def _refresh(self, seat: int) -> None:
        """RH-4.3, RH-4.4: Dive and Swim become ready."""
        self.dive_ready[seat] = True
        self.swim_ready[seat] = True

    # RH-6: tiles and tracks

    def _choose_and_reveal(self, revealer: int, spaces: list[int]) -> Asking[Tile]:
        space = yield from self._ask_space(revealer, "space", self._face_down(spaces))
        return (yield from self._reveal(space, revealer))

    def _reveal(self, space: int, revealer: int) -> Asking[Tile]:
        """RH-6.1: a tile turned face-up is carried out from its top layer to its bottom one."""
        tile = self.pack.tiles[self.tile_at[space]]
        self.face_up.add(space)
        self.record.turn_up(space)
        for knowledge in [self._public_knowledge, *self._knowledge]:
            knowledge.fix(tile.number, space)
        if self.hunted is not None:
            self.hunted.add(tile.number)
        applied: Counter[str] = Counter()
        self._applied[tile.number] = applied
        for layer in tile.layers:
            # RH-6.3: if a tile's own text turned it down, its remaining layers are dropped.
            # READING: also if a consequence of the text turned it down, and also if it was then turned up again, since
            # that carried it out in full again. The rest of the text itself (further effects) still runs.
            if self._applied.get(tile.number) is not applied:
                break
            if layer.text is not None:
                yield from self._carry_out(layer.text.effects, Run(revealer, space))
            elif layer.element is not None:
                applied[layer.element] += layer.amount
                self._add_to_track(layer.element, layer.amount)
        return tile

    def _add_to_track(self, element: str, amount: int) -> None:
        """RH-6.2: a track that reaches or passes its endpoint ends the game at once."""
        self.tracks[element] += amount
        if self.tracks[element] >= self._endpoints[element]:
            self.ended = True
            self.winning_track = element
            self.winners = {seat for seat in self._seats if self.roles[seat] in WINNING_ROLES[element]}
            self.revealed = [True] * self._num_players
            raise GameOver

    def _flip_down(self, space: int) -> None:
        """RH-6.3: a tile turned face-down takes its elements off the tracks.

        READING: only the elements it has put there; layers not carried out yet (or dropped) take nothing off.
        """
        self.face_up.remove(space)
        for element, amount in self._applied.pop(self.tile_at[space]).items():
            self.tracks[element] -= amount

    def lay_face_up(self, space: int) -> None:
        """RH-6: lay a tile face-up as if all its layers had been carried out; for a table that a test sets."""
        tile = self.pack.tiles[self.tile_at[space]]
        self.face_up.add(space)
        self._applied[tile.number] = Counter()
        for layer in tile.layers:
            if layer.element is not None:
                self._applied[tile.number][layer.element] += layer.amount

    # RH-7: cards

    def _can_play(self, seat: int, name: str) -> bool:
        """RH-7.2: a card that can't be carried out whole can't be played.

        Judged as the table stands, effect by effect; effects after a move count as possible.
        READING: so each effect is judged alone, as if no effect before it had chosen a space (`another` excludes
        nothing yet), and effects after an optional move count as possible too.
        """
        run = Run(seat, None, card_in_hand=True)
        for effect in self.pack.cards[name].active:
            demands = not effect.may and effect.scope != "swapped"
            if demands and not self._can_be_done(effect, run):
                return False
            if effect.effect == "move":
                break
        return True

    def _play_card(self, seat: int, name: str) -> Asking[None]:
        """RH-7.1: a card is used up when played."""
        self._use_card(seat, name)
        yield from self._carry_out(self.pack.cards[name].active, Run(seat, None))

    def _use_card(self, seat: int, name: str) -> None:
        """RH-3.4: a card used or discarded is public at once but not yet on the pile."""
        self.hands[seat].remove(name)
        self.used.append(name)

    def _draw(self, seat: int) -> None:
        """RH-3.4: an empty draw pile is refilled from the discard pile; with both empty nothing is drawn."""
        if not self.draw_pile and self.discard_pile:
            before = self.pack.in_pack_order(self.discard_pile)
            self.draw_pile = list(self._chance.shuffle_cards(list(before)))
            self.discard_pile = []
            if sorted(self.draw_pile) != sorted(before):
                raise ValueError("RH-3.4: the shuffled cards aren't those of the discard pile")
        if self.draw_pile:
            self.hands[seat].append(self.draw_pile.pop())

    def _discard_one(self, seat: int) -> Asking[None]:
        """RH-7.3: by default the discarder chooses the card."""
        name = yield from self._ask(seat, "card", {("card", name): name for name in self.hands[seat]})
        self._use_card(seat, name)

    # Effects of cards and texts

    def _carry_out(self, effects: Iterable[Effect], run: Run) -> Asking[None]:
        """RH-7.2, RH-6.1: the effects in their order; an effect that can't be done (any more) is skipped.

        READING: `another` excludes what the effect immediately before chose; if that was skipped, stopped or chose no
        space, it excludes nothing. After a swap it excludes both spaces.
        """
        for effect in effects:
            run.excluded = run.chosen if effect.another else set()
            run.chosen = set()
            # READING: an optional effect with nothing to choose asks nothing either.
            if self._can_be_done(effect, run):
                yield from self._do(effect, run)
            elif effect.effect == "swap":
                break

    def _do(self, effect: Effect, run: Run) -> Asking[None]:
        match effect.effect:
            case "view":
                yield from self._do_view(effect, run)
            case "reveal":
                yield from self._do_reveal(effect, run)
            case "flip down":
                yield from self._do_flip_down(effect, run)
            case "swap":
                yield from self._do_swap(effect, run)
            case "shuffle":
                self._do_shuffle(effect, run)
            case "move":
                yield from self._do_move(effect, run)
            case "draw":
                for _ in range(effect.amount or 1):
                    self._draw(run.carrier)
            case "discard":
                yield from self._do_discard(effect, run)
            case "refresh":
                yield from self._do_refresh(effect, run)
            case "look at role":
                yield from self._do_look_at_role(effect, run)
            case _:
                raise ValueError(f"no effect of one's own turn: {effect.effect}")

    def _do_view(self, effect: Effect, run: Run) -> Asking[None]:
        """RH-7 view: the carrier chooses the tile; the chosen player looks (or both)."""
        seat = yield from self._chosen_seat(effect, run)
        if seat is None:
            return
        candidates = self._face_down(self._places(effect, run, run.carrier))
        space = yield from self._ask_space_or_stop(run.carrier, candidates, may=effect.may)
        if space is None:
            return
        run.chosen = {space}
        self._look_at_tile(seat, space)
        if effect.who == "self and another":
            self._look_at_tile(run.carrier, space)

    def _do_reveal(self, effect: Effect, run: Run) -> Asking[None]:
        """RH-7 reveal: the chosen player chooses the tile, within their own scope, and is its revealer."""
        seat = yield from self._chosen_seat(effect, run)
        if seat is None:
            return
        candidates = self._face_down(self._places(effect, run, seat))
        space = yield from self._ask_space_or_stop(seat, candidates, may=effect.may)
        if space is None:
            return
        run.chosen = {space}
        yield from self._reveal(space, seat)

    def _do_flip_down(self, effect: Effect, run: Run) -> Asking[None]:
        """RH-7 flip down, RH-6.3."""
        candidates = self._face_up(self._places(effect, run, run.carrier))
        space = yield from self._ask_space_or_stop(run.carrier, candidates, may=effect.may)
        if space is None:
            return
        run.chosen = {space}
        self._flip_down(space)

    def _do_swap(self, effect: Effect, run: Run) -> Asking[None]:
        """RH-7 swap, RH-8.3: two face-down tiles change places; everybody sees which."""
        candidates = self._face_down(self._places(effect, run, run.carrier))
        first = yield from self._ask_space(run.carrier, "space", candidates)
        second = yield from self._ask_space(run.carrier, "space", [space for space in candidates if space != first])
        self.tile_at[first], self.tile_at[second] = self.tile_at[second], self.tile_at[first]
        for knowledge in [self._public_knowledge, *self._knowledge]:
            knowledge.swap(first, second)
        self.record.swap(first, second)
        run.swapped = [first, second]
        run.chosen = {first, second}

    def _do_shuffle(self, effect: Effect, run: Run) -> None:
        """RH-7 shuffle, RH-8.3: the face-down tiles of the scope change places at random."""
        spaces = sorted(self._face_down(self._places(effect, run, run.carrier)))
        before = [self.tile_at[space] for space in spaces]
        after = list(self._chance.shuffle_tiles(list(before)))
        if sorted(after) != sorted(before):
            raise ValueError("RH-8.3: the shuffled tiles aren't those that lay there")
        self.tile_at.update(zip(spaces, after))
        for knowledge in [self._public_knowledge, *self._knowledge]:
            knowledge.shuffle(set(spaces))
        self.record.shuffle(spaces)

    def _do_move(self, effect: Effect, run: Run) -> Asking[None]:
        """RH-7 move, RH-7.4: the carrier chooses where the chosen meeple goes."""
        seat = yield from self._chosen_seat(effect, run)
        if seat is None:
            return
        space = yield from self._ask_space_or_stop(run.carrier, self._ways(effect, run, seat), may=effect.may)
        if space is None:
            return
        run.chosen = {space}
        self.position[seat] = space

    def _do_discard(self, effect: Effect, run: Run) -> Asking[None]:
        """RH-7.3: the discarder chooses; at random the card is drawn blind from the hand."""
        seat = yield from self._chosen_seat(effect, run)
        if seat is None:
            return
        if effect.random:
            self._use_card(seat, self._chance.pick_card(self.pack.in_pack_order(self.hands[seat])))
        else:
            yield from self._discard_one(seat)

    def _do_refresh(self, effect: Effect, run: Run) -> Asking[None]:
        """RH-7 refresh: both, or one of the exhausted ones by choice."""
        if effect.amount == 1:
            options: dict[Action, str] = {("ready", which): which for which in self._exhausted(run.carrier)}
            which = yield from self._ask(run.carrier, "ready", options)
            self._make_ready(run.carrier, which)
        else:
            self._refresh(run.carrier)

    def _do_look_at_role(self, effect: Effect, run: Run) -> Asking[None]:
        """RH-7 look at role, RH-8.2."""
        seat = yield from self._chosen_seat(effect, run)
        if seat is not None:
            self.looked[run.carrier][seat] = self.roles[seat]

    def _can_be_done(self, effect: Effect, run: Run) -> bool:
        """RH-7.2: whether there is anything to choose for an effect, as the table stands."""
        if effect.who != "self":
            return bool(self._seats_for(effect, run))
        match effect.effect:
            case "view" | "reveal":
                return bool(self._face_down(self._places(effect, run, run.carrier)))
            case "flip down":
                return bool(self._face_up(self._places(effect, run, run.carrier)))
            case "swap" | "shuffle":
                return len(self._face_down(self._places(effect, run, run.carrier))) >= 2
            case "move":
                return bool(self._ways(effect, run, run.carrier))
            case "discard":
                # READING: the card being played can't be the one that its own text discards.
                return len(self.hands[run.carrier]) > (1 if run.card_in_hand else 0)
            case "refresh":
                return bool(self._exhausted(run.carrier))
            case _:
                return True  # RH-3.4: a draw demands nothing

    def _seats_for(self, effect: Effect, run: Run) -> list[int]:
        """The seats for whom an effect that concerns another can be done."""
        others = [seat for seat in self._seats if seat != run.carrier or effect.who == "anyone"]
        match effect.effect:
            case "view":
                return others if self._face_down(self._places(effect, run, run.carrier)) else []
            case "reveal":
                return [seat for seat in others if self._face_down(self._places(effect, run, seat))]
            case "move":
                return [seat for seat in others if self._ways(effect, run, seat)]
            case "discard":
                return [seat for seat in others if self.hands[seat]]
            case "look at role":
                # READING: a role looked at before may be looked at again.
                return [seat for seat in others if self._role_in_scope(effect, run, seat)]
            case _:
                raise ValueError(f"{effect.effect} concerns nobody else")

    def _role_in_scope(self, effect: Effect, run: Run, seat: int) -> bool:
        """RH-7, Whispering Shell: an unrevealed role, of a player on the same space unless the scope is any."""
        same_space = self.position[seat] == self.position[run.carrier]
        return not self.revealed[seat] and (effect.scope == "any" or same_space)

    # Where

    def _space_of(self, seat: int) -> int:
        space = self.position[seat]
        if space is None:
            raise ValueError("RH-1.7: the meeple isn't placed yet")
        return space

    def _reach(self, seat: int) -> list[int]:
        """RH-2.4."""
        return self._board.reach[self._space_of(seat)]

    def _destinations(self, way: str, seat: int) -> list[int]:
        """RH-2.6."""
        return self._board.destinations[way][self._space_of(seat)]

    def _ways(self, effect: Effect, run: Run, seat: int) -> list[int]:
        """RH-2.6: where a move may take the meeple of a seat."""
        return [space for space in self._destinations(effect.scope or "", seat) if space not in run.excluded]

    def _places(self, effect: Effect, run: Run, seat: int) -> list[int]:
        """RH-2.5: the spaces with a tile that an effect reaches when the seat chooses."""
        return [space for space in self._scope(effect.scope, run, seat) if space not in run.excluded]

    def _scope(self, scope: str | None, run: Run, seat: int) -> list[int]:
        centre = self._space_of(seat) if run.tile_space is None else run.tile_space
        match scope:
            case "own space":
                return [self._space_of(seat)]
            case "within reach":
                return self._reach(seat)
            case "orthogonal":
                return self._board.orthogonal[centre]
            case "diagonal":
                return self._board.diagonal[centre]
            case "any":
                return self._board.tile_spaces
            case "swapped":
                return run.swapped
            case _:
                raise ValueError(f"not a place: {scope}")

    def _face_down(self, spaces: Iterable[int]) -> list[int]:
        return [space for space in spaces if space not in self.face_up]

    def _face_up(self, spaces: Iterable[int]) -> list[int]:
        return [space for space in spaces if space in self.face_up]

    # RH-8: knowledge

    def know(self, seat: int | None, possible: Mapping[int, set[int]]) -> None:
        """RH-8.3: set what the seat (None: the public) knows about where tiles lie; for a table that a test sets."""
        self._table(seat).rows = {tile: set(spaces) for tile, spaces in possible.items()}

    def _table(self, seat: int | None) -> Knowledge:
        return self._public_knowledge if seat is None else self._knowledge[seat]

    def _look_at_tile(self, seat: int, space: int) -> None:
        """RH-8.2, RH-8.3: a view fixes a row of one player's table."""
        self._knowledge[seat].fix(self.tile_at[space], space)

    # Asking

    def _ask(self, seat: int, word: str, answers: Mapping[Action, Answer]) -> Asking[Answer]:
        """Ask a seat; each answer stands for a value, which is returned."""
        answer = yield Question(seat, word, frozenset(answers))
        return answers[answer]

    def _ask_space(self, seat: int, word: str, spaces: Iterable[int]) -> Asking[int]:
        return (yield from self._ask(seat, word, {("space", space): space for space in spaces}))

    def _ask_space_or_stop(self, seat: int, spaces: Iterable[int], *, may: bool) -> Asking[int | None]:
        answers: dict[Action, int | None] = {("space", space): space for space in spaces}
        if may:
            answers[STOP] = None
        return (yield from self._ask(seat, "space", answers))

    def _ask_seat(self, seat: int, seats: Iterable[int]) -> Asking[int]:
        return (yield from self._ask(seat, "seat", {("seat", other): other for other in seats}))

    def _chosen_seat(self, effect: Effect, run: Run) -> Asking[int | None]:
        """The player whom the effect concerns: the carrier, or one chosen by the carrier; None if declined."""
        if effect.who == "self":
            return run.carrier
        answers: dict[Action, int | None] = {("seat", seat): seat for seat in self._seats_for(effect, run)}
        if effect.may:
            answers[STOP] = None
        return (yield from self._ask(run.carrier, "seat", answers))


def check_deal(pack: Pack, num_players: int, deal: Deal) -> Layout:
    """RH-1.2 to RH-1.5, RH-2.3: refuse a deal that the setup can't produce; return its layout."""
    if num_players not in pack.players:
        raise ValueError(f"RH-1.1: {num_players} players can't play")
    _check_roles(pack, num_players, deal)
    layout = _check_layout(pack, num_players, deal)
    _check_tiles(pack, num_players, deal, layout)
    _check_cards(pack, num_players, deal)
    return layout


def _check_roles(pack: Pack, num_players: int, deal: Deal) -> None:
    """RH-1.2: the roles of the player count; of two alternative roles, the one not dealt is the spare."""
    players = pack.players[num_players]
    dealt = Counter(deal.roles)
    possible: list[tuple[Counter[str], str | None]] = [(Counter(players.roles), None)]
    if players.one_of:
        first, second = players.one_of
        possible = [(Counter([*players.roles, first]), second), (Counter([*players.roles, second]), first)]
    if (dealt, deal.spare_role) not in possible or len(deal.roles) != num_players:
        raise ValueError(f"RH-1.2: {deal.roles} and {deal.spare_role} aren't the roles of {num_players} players")


def _check_layout(pack: Pack, num_players: int, deal: Deal) -> Layout:
    """RH-2.3: the layout is one of those for this number of tiles."""
    for layout in pack.layouts_for(num_players):
        if layout.name == deal.layout:
            return layout
    raise ValueError(f"RH-2.3: {num_players} players have no layout {deal.layout!r}")


def _check_tiles(pack: Pack, num_players: int, deal: Deal, layout: Layout) -> None:
    """RH-1.4: the tiles of the player count, one on each space of the layout."""
    if sorted(deal.tiles.values()) != sorted(pack.players[num_players].tiles):
        raise ValueError(f"RH-1.4: these aren't the tiles of {num_players} players")
    if set(deal.tiles) != set(range(1, 17)) - layout.empty:
        raise ValueError(f"RH-1.4: the tiles don't lie on the spaces of {layout.name!r}")


def _check_cards(pack: Pack, num_players: int, deal: Deal) -> None:
    """RH-1.5: one card each from the deck of the player count; the rest is the draw pile."""
    if len(deal.hands) != num_players or any(len(hand) != 1 for hand in deal.hands):
        raise ValueError("RH-1.5: every player gets one ability card")
    dealt = [name for hand in deal.hands for name in hand]
    if sorted([*dealt, *deal.draw_pile]) != sorted(pack.deck(num_players)):
        raise ValueError(f"RH-1.5: this isn't the ability deck of {num_players} players")
