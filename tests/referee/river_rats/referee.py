"""The game, step by step in the order of the rules.

The whole game is one generator that stops wherever a player must decide; `Referee.play` passes it the answer. Where the
rules leave something open, a comment that begins with READING states our interpretation.
"""

from collections.abc import Iterable

from ..asking import Action, Asking, Question, Table
from .cards import ACES, CLUBS, DIAMONDS, HEARTS, JOKER, SPADES, suit_of
from .deal import Chance, Deal, check_deal
from .pieces import CollectiveCard, Options, RatCard, Resolution
from .poker import Category, best_hand
from .prediction import matches, predicted_by

DRAW: Action = ("draw",)
USE_JOKER: Action = ("joker",)
NO: Action = ("no",)
ACT: Action = ("act",)
POWER: Action = ("power",)
HIDDEN: Action = ("hidden",)
ADD_DEBT: Action = ("debt",)

HAND_LIMIT = 3
MARKET_LIMIT = 6
DEBT_LIMIT = 5
FACE_DOWN_OF_MODE = {"first_game": 2, "standard": 2, "advanced": 3, "expert": 4}


class GameOver(Exception):
    """RR-3.4, RR-3.6, RR-5.2: the game ends at once."""


class Referee(Table):
    """The table: a game from its deal to its end."""

    def __init__(self, options: Options, deal: Deal, chance: Chance, *, cap: int = 1000) -> None:
        super().__init__(cap)
        check_deal(deal)
        self.options = options
        self._deal = deal
        self._chance = chance
        self._seats = range(options.num_players)

        self.round = 0
        self.turns = 0
        self.turn_of = 0  # RR-1.1: seat 0 begins. Whose turn it is or, between two turns, comes next.
        self.characters: list[str | None] = [None for _ in self._seats]
        # READING: the River Rats are drawn after the aces are chosen, as the book orders the setup; until then nobody
        # sees the active one, and both are None.
        self.active_rat: str | None = None
        self.waiting_rat: str | None = None  # face-down
        self.defeated_rat: str | None = None  # the first one, once its place is taken; then part of the second's hand
        self.bonuses: set[str] = set()  # the suits of the bonuses that have begun
        self.jokers = ["face-down", "face-down"]  # then "face-up", "used" (until clean-up), "gone"
        self.deck = list(deal.deck)  # last = top
        self.discard: list[str] = []  # last = discarded last
        self.hands: list[list[str]] = [[] for _ in self._seats]
        self.market: list[str] = []
        self.collective: list[CollectiveCard] = []
        self.just_played: str | None = None  # the card played this turn, while its action is under way
        self.revealed: list[str] = []  # those cards of the collective hand that an expert joker has revealed
        self.rat_cards: list[RatCard] = []  # its hand besides the River Rats, in the order dealt
        self.debt: list[str] = []  # the unassigned pile, in the order laid
        self.prediction_card: str | None = None  # the round's first debt card, which was laid face-up
        self.rat_debt: list[str] = []  # the active rat's, face-down, in the order laid
        self.players_debt: list[str] = []  # face-down, in the order laid, last = top
        self.seen_in_hand: list[set[str]] = [set() for _ in self._seats]  # cards everybody saw going into the hand
        self._seen_in_debt: set[str] = set()  # first debt cards: everybody saw them before they were assigned
        self.resolutions: list[Resolution] = []
        self.players_won: bool | None = None

        self.begin_story(self._game())

    # What the driver reads

    @property
    def winners(self) -> set[int]:
        """RR-3.6: the players win or lose together."""
        return set(self._seats) if self.players_won else set()

    @property
    def predicted(self) -> Category | None:
        """RR-3.1: the joker's prediction for this round."""
        return predicted_by(self.prediction_card)

    def swappable(self) -> list[str]:
        """RR-2.3: no joker, no face-down card (RR-4.1 spades: it can't be swapped), not the one just played."""
        return [
            placed.card
            for placed in self.collective
            if placed.card != JOKER and placed.face_up and placed.card != self.just_played
        ]

    def known_to(self, seat: int) -> set[str]:
        """RR-6.1: the face-down cards on the table that a seat has placed itself or seen earlier.

        The cards seen earlier are first debt cards, which lie face-down once they are assigned; they belong to
        `view="history"`. READING: a player who lays a card unseen from the deck onto the debt doesn't know it.
        """
        placed = {mine.card for mine in self.collective if not mine.face_up and mine.placed_by == seat}
        face_down_debt = {*self.rat_debt, *self.players_debt}
        return placed | (face_down_debt & self._seen_in_debt)

    # RR-1: setup

    def _game(self) -> Asking[None]:
        """RR-1: the setup, then rounds."""
        yield from self._setup()
        self._set_up_round()
        yield from self._rounds()

    def _rounds(self) -> Asking[None]:
        """RR-3.4, RR-3.6: rounds, from the beginning of a turn, until the game is won or lost."""
        try:
            while True:
                yield from self._turns()
                yield from self._resolve()
                self._set_up_round()
        except GameOver:
            self.ended = True

    def note_debt_seen(self, cards: Iterable[str]) -> None:
        """RR-6.1: everybody has seen these debt cards lying face-up."""
        self._seen_in_debt.update(cards)

    def go_on_from_turn(self) -> None:
        """Begin at the turn of `turn_of`, with the table as a test has set it."""
        self.begin_story(self._rounds())

    def _setup(self) -> Asking[None]:
        """RR-1.1: aces, River Rats, hands, market; aces are chosen in `first_game` too (RR-5.1)."""
        for seat in self._seats:
            left = [ace for ace in ACES if ace in self.deck]
            ace = yield from self._ask_card(seat, "ace", left)
            self.deck.remove(ace)
            self.characters[seat] = ace
        self.active_rat, self.waiting_rat = self._deal.kings
        # READING: both cards to seat 0, then both to seat 1, and so on; the market's cards come after the hands'.
        for seat in self._seats:
            self.hands[seat] += self._draw_up_to(2)
        self.market += self._draw_up_to(3)

    def _set_up_round(self) -> None:
        """RR-1.2: in this order: the rat's face-up cards, its face-down cards, the first debt, the diamonds rat's card.

        READING: the spec's order. The book has the abilities read last, and could be read to deal the two more
        face-down cards of the clubs rat after the first debt.
        """
        self.round += 1
        self.rat_cards = [RatCard(card, face_up=True) for card in self._draw_up_to(5)]
        self._deal_face_down_to_rat(self.face_down_of_round())
        self.debt = self._draw_up_to(1)
        self.prediction_card = self.debt[0] if self.debt else None
        self.note_debt_seen(self.debt)
        if self._ability() == DIAMONDS:
            self.collective = [CollectiveCard(card, True, None) for card in self._draw_up_to(1)]

    def face_down_of_round(self) -> int:
        """RR-1.2, RR-4.1 clubs, RR-5.1: how many face-down cards the rat's hand begins a round with."""
        number = FACE_DOWN_OF_MODE[self.options.mode]
        if self._ability() == CLUBS:
            number += 2
        if CLUBS in self.bonuses:
            number -= 1
        return number

    def _deal_face_down_to_rat(self, number: int) -> None:
        self.rat_cards += [RatCard(card, face_up=False) for card in self._draw_up_to(number)]

    def _ability(self) -> str | None:
        """RR-4.1, RR-3.6: the suit of the active rat, whose ability counts; RR-5.1: none in `first_game`."""
        if self.active_rat is None or self.options.mode == "first_game":
            return None
        return suit_of(self.active_rat)

    # RR-2: turns

    def _turns(self) -> Asking[None]:
        """RR-2.5, RR-3.7: turns clockwise until the collective hand is full, or nobody can do anything."""
        skipped_in_a_row = 0
        while len(self.collective) < self.collective_size() and skipped_in_a_row < self.options.num_players:
            seat = self.turn_of
            self.turns += 1  # RR-3.7: a skipped turn counts as taken
            if self._has_something_to_do(seat):
                skipped_in_a_row = 0
                yield from self._turn(seat)
            else:
                skipped_in_a_row += 1
            self.turn_of = self._after(seat)

    def collective_size(self) -> int:
        """RR-2.5, RR-4.1 diamonds: the number of cards with which the collective hand resolves."""
        return 6 if DIAMONDS in self.bonuses else 5

    def _has_something_to_do(self, seat: int) -> bool:
        """RR-3.7: something to draw or to play; a usable joker counts as something to play."""
        return bool(self.hands[seat]) or self._something_to_draw() or self._joker_usable_in_turn()

    def _turn(self, seat: int) -> Asking[None]:
        """RR-2.1: draw up to three, then play a card; or, instead of all that, use a joker."""
        hand = self.hands[seat]
        has_drawn = False
        while len(hand) < HAND_LIMIT and self._something_to_draw():
            answer = yield from self._ask(seat, "draw", [*self._draw_answers(), *self._joker_answer(has_drawn)])
            if answer == USE_JOKER:
                yield from self._use_joker(seat)
                return
            self._draw_into_hand(seat, answer)
            has_drawn = True
        answer = yield from self._ask(seat, "play", [*card_answers(hand), *self._joker_answer(has_drawn)])
        if answer == USE_JOKER:
            yield from self._use_joker(seat)
        else:
            yield from self._play_card(seat, answer[-1])

    def _something_to_draw(self) -> bool:
        return bool(self.market) or self._deck_can_give()

    def _draw_answers(self) -> Iterable[Action]:
        """RR-2.1: from the market or the deck."""
        yield from card_answers(self.market)
        if self._deck_can_give():
            yield DRAW

    def _joker_answer(self, has_drawn: bool) -> Iterable[Action]:
        """RR-2.1: a joker is used instead of drawing and playing, so not once something is drawn."""
        if self._joker_usable_in_turn() and not has_drawn:
            yield USE_JOKER

    def _draw_into_hand(self, seat: int, answer: Action) -> None:
        """RR-2.1, RR-2.2: one card; the market is refilled at once after each take."""
        if answer == DRAW:
            self.hands[seat] += self._draw_up_to(1)
            return
        card = answer[-1]
        self.market.remove(card)
        self.hands[seat].append(card)
        self.seen_in_hand[seat].add(card)
        self._refill_market()

    def _play_card(self, seat: int, card: str) -> Asking[None]:
        """RR-2.1: a card goes face-up to the collective hand; then, optionally, its action."""
        # RR-4.1 spades: the round's first card is placed face-down and triggers nothing.
        face_down = self._ability() == SPADES and not self.collective
        self._leave_hand(seat, card)
        self.collective.append(CollectiveCard(card, not face_down, seat))
        if not face_down:
            self.just_played = card
            yield from self._offer_action(seat, suit_of(card))
            self.just_played = None

    def _leave_hand(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.seen_in_hand[seat].discard(card)

    # Jokers in a turn

    def _joker_usable_in_turn(self) -> bool:
        """RR-2.1, RR-4.1 spades, RR-5.1: face-up, one per collective hand, not the spades rat's first card."""
        if "face-up" not in self.jokers or "used" in self.jokers or self.options.mode == "expert":
            return False
        if self._ability() == SPADES and not self.collective:
            return False
        # READING: RR-2.6, an advanced joker needs a card to remove (no setup met yet leaves the rat without one).
        return self.options.mode != "advanced" or bool(self.rat_cards)

    def _use_joker(self, seat: int) -> Asking[None]:
        """RR-2.1, RR-5.1: to the collective hand; in `advanced` set aside, and it works at once."""
        self._use_up_joker()
        if self.options.mode == "advanced":
            yield from self._replace_rat_card(self._after(seat))
        else:
            self.collective.append(CollectiveCard(JOKER, True, seat))

    def _use_up_joker(self) -> None:
        """RR-3.5: a used joker leaves the game at clean-up."""
        self.jokers[self.jokers.index("face-up")] = "used"

    def _replace_rat_card(self, seat: int) -> Asking[None]:
        """RR-5.1 advanced: one of the rat's cards goes face-up to the discard, then two are drawn face-down.

        RR-7.1: the player whose turn comes next chooses. READING: that is the next seat clockwise, even if it will
        have to be skipped.
        """
        face_up = [held.card for held in self.rat_cards if held.face_up]
        answers = [*card_answers(face_up), *([HIDDEN] if self._face_down_of_rat() else [])]
        answer = yield from self._ask(seat, "remove", answers)
        if answer == HIDDEN:
            removed = self._face_down_of_rat()[0]  # RR-2.6: the lowest slot
        else:
            removed = next(held for held in self.rat_cards if held.card == answer[-1])
        self.rat_cards.remove(removed)
        self.discard.append(removed.card)
        self._deal_face_down_to_rat(2)

    def _face_down_of_rat(self) -> list[RatCard]:
        return [held for held in self.rat_cards if not held.face_up]

    # RR-2.3, RR-2.4: suit actions and player powers

    def _offer_action(self, seat: int, suit: str) -> Asking[None]:
        """RR-2.1: the suit action, or the player power where the suit is the character's, or neither."""
        answers = [NO]
        if self._action_possible(seat, suit):
            answers.append(ACT)
        if self._has_power(seat, suit) and self._power_possible(seat, suit):
            answers.append(POWER)
        answer = yield from self._ask(seat, "action", answers)
        if answer == ACT:
            yield from self._act(seat, suit)
        elif answer == POWER:
            yield from self._use_power(seat, suit)

    def _has_power(self, seat: int, suit: str) -> bool:
        """RR-1.1: the ace's suit gives the power; RR-5.1: no powers in `first_game`."""
        character = self.characters[seat]
        return character is not None and suit_of(character) == suit and self.options.mode != "first_game"

    def _action_possible(self, seat: int, suit: str) -> bool:
        """RR-2.6: an action without a possible object isn't offered."""
        match suit:
            case "H":
                return self._deck_can_give()
            case "S":
                return bool(self.hands[seat] or self.market)
            case "C":
                return self._can_add_to_market(seat)
            case _:
                return bool(self.swappable() and self.hands[seat])

    def _power_possible(self, seat: int, suit: str) -> bool:
        """RR-2.4, RR-2.6: the same for the powers; hearts: offered while a face-down card exists."""
        match suit:
            case "H":
                return bool(self._face_down_of_rat())
            case "S":
                return bool(self.hands[seat] or self.market)
            case "C":
                return self._can_add_to_market(seat)
            case _:
                return bool(self.swappable() and self.market)

    def _act(self, seat: int, suit: str) -> Asking[None]:
        """RR-2.3: the suit actions."""
        match suit:
            case "H":
                self._add_debt()
            case "S":
                card = yield from self._ask_card(seat, "discard", [*self.hands[seat], *self.market])
                self._discard_one(seat, card)
                self._refill_market()
            case "C":
                yield from self._add_to_market(seat)
            case _:
                yield from self._swap(seat, from_market=False)

    def _use_power(self, seat: int, suit: str) -> Asking[None]:
        """RR-2.4: the player powers."""
        match suit:
            case "H":
                yield from self._look_and_add_debt(seat)
            case "S":
                yield from self._discard_many(seat)
            case "C":
                yield from self._add_two_to_market(seat)
            case _:
                yield from self._swap(seat, from_market=True)

    def _add_debt(self) -> None:
        """RR-2.3 hearts: the top card of the deck face-down onto the debt."""
        self.debt += self._draw_up_to(1)

    def _look_and_add_debt(self, seat: int) -> Asking[None]:
        """RR-2.4 hearts: turn one of the rat's face-down cards up, then choose whether to add debt."""
        self._face_down_of_rat()[0].face_up = True  # RR-2.6: the lowest slot; there is nothing to choose
        answer = yield from self._ask(seat, "add debt", [NO, *([ADD_DEBT] if self._deck_can_give() else [])])
        if answer == ADD_DEBT:
            self._add_debt()

    def _discard_one(self, seat: int, card: str) -> None:
        """RR-2.3 spades: from hand or market."""
        if card in self.market:
            self.market.remove(card)
        else:
            self._leave_hand(seat, card)
        self.discard.append(card)

    def _discard_many(self, seat: int) -> Asking[None]:
        """RR-2.4 spades: any number, at least one, from one zone; RR-2.2: the market is refilled when all are gone."""
        card = yield from self._ask_card(seat, "discard", [*self.hands[seat], *self.market])
        zone = self.market if card in self.market else self.hands[seat]
        self._discard_one(seat, card)
        while zone:
            answer = yield from self._ask(seat, "discard more", [NO, *card_answers(zone)])
            if answer == NO:
                break
            self._discard_one(seat, answer[-1])
        self._refill_market()

    def _can_add_to_market(self, seat: int) -> bool:
        """RR-2.2: at most six cards. RR-2.3 clubs: from the hand, solo from the deck."""
        source = self._deck_can_give() if self._solo() else bool(self.hands[seat])
        return source and len(self.market) < MARKET_LIMIT

    def _solo(self) -> bool:
        return self.options.num_players == 1

    def _add_to_market(self, seat: int) -> Asking[None]:
        """RR-2.3 clubs: one card from the hand; solo: the top card of the deck, where there is nothing to choose."""
        if self._solo():
            self.market += self._draw_up_to(1)
        else:
            card = yield from self._ask_card(seat, "to market", self.hands[seat])
            self._move_to_market(seat, card)

    def _move_to_market(self, seat: int, card: str) -> None:
        self._leave_hand(seat, card)
        self.market.append(card)

    def _add_two_to_market(self, seat: int) -> Asking[None]:
        """RR-2.4 clubs: up to two, one at a time. READING: a player who uses the power adds at least one."""
        yield from self._add_to_market(seat)
        if not self._can_add_to_market(seat):
            return
        more = [DRAW] if self._solo() else card_answers(self.hands[seat])
        answer = yield from self._ask(seat, "more to market", [NO, *more])
        if answer == DRAW:
            self.market += self._draw_up_to(1)
        elif answer != NO:
            self._move_to_market(seat, answer[-1])

    def _swap(self, seat: int, *, from_market: bool) -> Asking[None]:
        """RR-2.3, RR-2.4 diamonds: another card of the collective hand with one from the hand, or from the market.

        What is swapped in triggers nothing. READING: a swap with the market is no take; it refills nothing (RR-2.2).
        """
        taken = yield from self._ask_card(seat, "swap out", self.swappable())
        given = yield from self._ask_card(seat, "swap in", self.market if from_market else self.hands[seat])
        place = [placed.card for placed in self.collective].index(taken)
        self.collective[place] = CollectiveCard(given, True, seat)
        if from_market:
            self.market[self.market.index(given)] = taken
        else:
            self._leave_hand(seat, given)
            self.hands[seat].append(taken)
            self.seen_in_hand[seat].add(taken)

    # RR-3: resolution

    def _resolve(self) -> Asking[None]:
        """RR-3, RR-5.2: an expert joker, the prediction, face-down cards up, the comparison, what follows from it."""
        if self.options.mode == "expert":
            yield from self._expert_joker(self.turn_of)
        predicted = self.predicted
        prediction_met = matches(self.collective_cards(), predicted, self.options.prediction)
        if prediction_met:
            self._earn_joker()
        self._turn_all_up()
        collective = best_hand(self.collective_cards())
        rat = best_hand(self.rat_hand())
        players_win = collective > rat  # RR-3.3: all ties go to the rat
        self.resolutions.append(Resolution(self.round, collective, rat, predicted, prediction_met, players_win))
        if players_win:
            self._give_debt_to_rat()
        else:
            self._give_debt_to_players()
        self._clean_up()
        if len(self.rat_debt) >= DEBT_LIMIT:
            self._second_rat_takes_over()

    def collective_cards(self) -> list[str]:
        """The collective hand as cards alone; the face-down one counts as well (RR-3.1)."""
        return [placed.card for placed in self.collective]

    def rat_hand(self) -> list[str]:
        """RR-3.2, RR-3.6: the rat's cards, its face-up River Rats included: the active one and a defeated one."""
        rats = [rat for rat in (self.active_rat, self.defeated_rat) if rat is not None]
        return [*rats, *(held.card for held in self.rat_cards)]

    def _earn_joker(self) -> None:
        """RR-3.1: a face-down joker is turned up; with none left nothing happens."""
        if "face-down" in self.jokers:
            self.jokers[self.jokers.index("face-down")] = "face-up"

    def _turn_all_up(self) -> None:
        """RR-3.2: all face-down cards but the waiting rat."""
        for held in self.rat_cards:
            held.face_up = True
        for placed in self.collective:
            placed.face_up = True

    def _give_debt_to_rat(self) -> None:
        """RR-3.4: all debt onto the rat; RR-3.6: both defeated: the players win.

        READING: the game ends immediately (book), before the clean-up.
        """
        self.rat_debt += self.debt
        self._debt_is_assigned()
        if len(self.rat_debt) >= DEBT_LIMIT and self.defeated_rat is not None:
            self.players_won = True
            raise GameOver

    def _give_debt_to_players(self) -> None:
        """RR-3.4: all debt to the players; RR-4.1 hearts: one more before it is assigned, laid last."""
        if self._ability() == HEARTS:
            self._add_debt()
        self.players_debt += self.debt
        self._debt_is_assigned()
        self._check_loss()

    def _debt_is_assigned(self) -> None:
        self.debt = []
        self.prediction_card = None

    def _check_loss(self) -> None:
        """RR-3.4, RR-5.2: five or more in all lose the game at once."""
        if len(self.players_debt) >= DEBT_LIMIT:
            self.players_won = False
            raise GameOver

    def _clean_up(self) -> None:
        """RR-3.5: collective hand and rat's cards are discarded, used jokers leave the game; hands and market stay.

        READING: the collective hand first, each in the order laid.
        """
        self.discard += [card for card in self.collective_cards() if card != JOKER]
        self.discard += [held.card for held in self.rat_cards]
        self.collective = []
        self.revealed = []
        self.rat_cards = []
        self.jokers = ["gone" if joker == "used" else joker for joker in self.jokers]

    def _second_rat_takes_over(self) -> None:
        """RR-3.6: debt discarded, the ability ends, the bonus begins; the second rat becomes active.

        READING: in this order, so the top of the players' debt (hearts) lands on the rat's in the discard, and the
        market (spades) is refilled before the round setup.
        """
        self._discard_debt(self.rat_debt)
        self.rat_debt = []
        self.defeated_rat, self.active_rat, self.waiting_rat = self.active_rat, self.waiting_rat, None
        if self.defeated_rat is not None:
            self._begin_bonus(suit_of(self.defeated_rat))

    def _begin_bonus(self, suit: str) -> None:
        """RR-4.1: hearts and spades work at once, spades, clubs and diamonds from now on."""
        self.bonuses.add(suit)
        if suit == HEARTS and self.players_debt:
            self._discard_debt([self.players_debt.pop()])
        if suit == SPADES:
            self._refill_market()

    def _discard_debt(self, cards: list[str]) -> None:
        self.discard += cards
        self._seen_in_debt.difference_update(cards)

    # RR-5.2: the expert joker

    def _expert_joker(self, seat: int) -> Asking[None]:
        """RR-5.2: cards are revealed from the deck into the collective hand, at least one, stopping at will.

        RR-7.1: the player whose turn comes next decides. READING: the first card is revealed along with the decision
        to use the joker; and where no card can be revealed the joker isn't offered (RR-2.6).
        """
        if "face-up" not in self.jokers or not self._deck_can_give():
            return
        answer = yield from self._ask(seat, "use joker", [NO, USE_JOKER])
        if answer == NO:
            return
        self._use_up_joker()
        self._reveal()
        while not self._is_bust() and self._deck_can_give():
            answer = yield from self._ask(seat, "reveal more", [NO, DRAW])
            if answer == NO:
                return
            self._reveal()
        if self._is_bust():
            self._pay_for_bust()

    def _reveal(self) -> None:
        for card in self._draw_up_to(1):
            self.collective.append(CollectiveCard(card, True, None))
            self.revealed.append(card)

    def _is_bust(self) -> bool:
        """RR-5.2: the card just revealed is of the active rat's suit."""
        return self.active_rat is not None and suit_of(self.revealed[-1]) == suit_of(self.active_rat)

    def _pay_for_bust(self) -> None:
        """RR-5.2: all revealed are discarded, then the top deck card goes to the players' debt, which may lose."""
        self.collective = [placed for placed in self.collective if placed.card not in self.revealed]
        self.discard += self.revealed
        self.revealed = []
        self.players_debt += self._draw_up_to(1)
        self._check_loss()

    # RR-2.2, RR-3.5: deck and market

    def _deck_can_give(self) -> bool:
        """RR-3.5: with both deck and discard empty nothing is drawn."""
        return bool(self.deck or self.discard)

    def _draw_up_to(self, number: int) -> list[str]:
        """RR-3.5: cards from the top of the deck, as many as there are."""
        drawn: list[str] = []
        while len(drawn) < number and self._deck_can_give():
            if not self.deck:
                self._shuffle_discard()
            drawn.append(self.deck.pop())
        return drawn

    def _shuffle_discard(self) -> None:
        """RR-3.5: a deck that is empty when a card is needed is refilled by shuffling the discard.

        READING: when a card is needed (spec), not at once when the last one is drawn (the book's "whenever the Draw
        Deck runs out" could be read so).
        """
        shuffled = list(self._chance.shuffle_cards(list(self.discard)))
        if sorted(shuffled) != sorted(self.discard):
            raise ValueError("RR-3.5: the shuffled cards aren't those of the discard pile")
        self.deck = shuffled
        self.discard = []

    def _refill_market(self) -> None:
        """RR-2.2, RR-4.1 spades: to 3, with the spades bonus to 4, if it holds fewer."""
        size = 4 if SPADES in self.bonuses else 3
        self.market += self._draw_up_to(size - len(self.market))

    # Asking

    def _after(self, seat: int) -> int:
        """RR-2.5: the next player clockwise."""
        return (seat + 1) % self.options.num_players

    def _ask(self, seat: int, word: str, answers: Iterable[Action]) -> Asking[Action]:
        return (yield Question(seat, word, frozenset(answers)))

    def _ask_card(self, seat: int, word: str, cards: Iterable[str]) -> Asking[str]:
        answer = yield from self._ask(seat, word, card_answers(cards))
        return answer[-1]


def card_answers(cards: Iterable[str]) -> list[Action]:
    """The answers that name one of these cards."""
    return [("card", card) for card in cards]
