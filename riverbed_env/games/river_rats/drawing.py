"""River Rats as a scene: both hands and what is at stake, the rats, the market, the players and their cards.

A seat's scene is drawn from its view alone.
"""

from collections.abc import Iterable

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import WIDTH, Panel, Shape, circle, group, line, panel, paragraph, polygon, rect, text
from riverbed_env.core.symbols import arrow, moved, seat_disc, track
from riverbed_env.core.text import counted, heading
from riverbed_env.kernels.compile import Records

from .rules.actions import ACTIONS, A
from .rules.hands import category_of, hand_value
from .rules.setup import card_of
from .rules.vocab import ACE, DEBT_LIMIT, KING, NO_CARD, NOBODY, NUM_RANKS, Category, JokerUse, Question, Suit
from .words.text import RANKS, SUIT_WORDS, WORDS, card_name, card_names, held, members, state_of_play

# --- playing cards ----------------------------------------------------------------------------------------------------

WIDE, TALL = 40, 54  # of a card

_RANK_WORDS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SIGNS = {  # in a box of 18 around (0, 0)
    Suit.HEARTS: [circle("red", -4, -3, 4.6), circle("red", 4, -3, 4.6), polygon("red", [-8, -0.6, 8, -0.6, 0, 9])],
    Suit.DIAMONDS: [polygon("red", [0, -9, 6.5, 0, 0, 9, -6.5, 0])],
    Suit.SPADES: [
        circle("black", -4, 2, 4.6),
        circle("black", 4, 2, 4.6),
        polygon("black", [-8, 0, 0, -9, 8, 0]),
        polygon("black", [0, 2, 3, 9, -3, 9]),
    ],
    Suit.CLUBS: [
        circle("black", 0, -4, 4.2),
        circle("black", -4.6, 2, 4.2),
        circle("black", 4.6, 2, 4.2),
        polygon("black", [0, 0, 3, 9, -3, 9]),
    ],
}


def suit_of(card: int) -> Suit:
    """The suit of a card."""
    return Suit(card // NUM_RANKS)


def card_words(card: int) -> str:
    """A card in words: "queen of hearts"."""
    rank = RANKS[card % NUM_RANKS]
    return f"{_RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[suit_of(card)]}"


def suit_sign(suit: Suit, x: float, y: float) -> list[Shape]:
    """A suit's sign around (x, y)."""
    return moved(_SIGNS[suit], x, y)


def face(card: int, outline: str = "") -> list[Shape]:
    """A card face-up with its corner at (0, 0)."""
    suit = suit_of(card)
    return [
        rect(f"card{outline}", 0, 0, WIDE, TALL, 5),
        text(f"{_look(suit)} bold", 5, 18, RANKS[card % NUM_RANKS], 15),
        *suit_sign(suit, 23, 36),
    ]


def back(outline: str = "") -> list[Shape]:
    """A card face-down."""
    return [
        rect(f"cardback{outline}", 0, 0, WIDE, TALL, 5),
        *(line("backline", [6, at, 34, at]) for at in (10, 44)),
        text("onback bold", WIDE / 2, 34, "?", 18, anchor="middle"),
    ]


def known_back(card: int, outline: str = "") -> list[Shape]:
    """A card that lies face-down and that the viewer knows: its face in a frame of the back."""
    suit = suit_of(card)
    return [
        rect(f"cardback{outline}", 0, 0, WIDE, TALL, 5),
        rect("card", 4, 4, 32, 46, 3),
        text(f"{_look(suit)} bold", 8, 19, RANKS[card % NUM_RANKS], 14),
        *suit_sign(suit, 22, 35),
    ]


def _look(suit: Suit) -> str:
    return "red" if suit in (Suit.HEARTS, Suit.DIAMONDS) else "black"


def joker(outline: str = "", *, down: bool = False) -> list[Shape]:
    """A joker, or one that has to be earned yet."""
    if down:
        return [rect(f"cardback{outline}", 0, 0, WIDE, TALL, 5), text("onback", 20, 31, "joker", 12, anchor="middle")]
    star = [20, 12, 23, 21, 32, 21, 25, 27, 28, 36, 20, 30, 12, 36, 15, 27, 8, 21, 17, 21]
    return [
        rect(f"joker{outline}", 0, 0, WIDE, TALL, 5),
        polygon("coin", star),
        text("black", 20, 49, "joker", 12, anchor="middle"),
    ]


# --- panels -----------------------------------------------------------------------------------------------------------

_STEP = WIDE + 4  # from card to card
_A_LINE = 8  # cards
_CARD = int(A.CARD)  # read at once: an enum's members are slow to find
_Q = Question
_OF_THE_HAND = (_Q.PLAY, _Q.DISCARD, _Q.DISCARD_MORE, _Q.TO_MARKET, _Q.MORE_TO_MARKET, _Q.SWAP_IN)


def _row(cards: Iterable[Shape], y: float, step: float = _STEP) -> list[Shape]:
    """Cards beside each other, eight a line."""
    return [card | {"x": 6 + at % _A_LINE * step, "y": y + at // _A_LINE * (TALL + 6)} for at, card in enumerate(cards)]


def _open(table: Table, card: int, where: str, wanted: bool = False) -> Shape:
    """A face-up card; if one is wanted, a click on it chooses it."""
    choices = table.legal(_CARD + card) if wanted else []
    label = f"{card_words(card).capitalize()}, {where}"
    return group(f"card-{card}", "", 0, 0, face(card, " choice" if choices else ""), label=label, choices=choices)


def _places(name: str, count: int) -> list[Shape]:
    """Empty places for cards."""
    return [group(f"{name}-{at}", "", 0, 0, [rect("empty", 0, 0, WIDE, TALL, 5)]) for at in range(count)]


# --- rats and debts ---------------------------------------------------------------------------------------------------


def rats(table: Table) -> Panel:
    """The active rat, the other one, and both sides' debts."""
    shapes = [
        track("debt-rat", "The rat's debts: five defeat it", "salmon", int(table["rat_debt"]), DEBT_LIMIT, 0),
        track("debt-players", "Your debts, shared: five lose the game", "eel", int(table["debt"]), DEBT_LIMIT, 40),
        *_active_rat(table),
        *_other_rat(table),
    ]
    label = (
        f"The rat has {counted(int(table['rat_debt']), 'debt')}, the players {counted(int(table['debt']), 'debt')}; "
        f"{DEBT_LIMIT} are too many. Two rats have to be defeated."
    )
    return panel("rats", "Rats and debts", label, 206, shapes)


def _active_rat(table: Table) -> list[Shape]:
    suit = Suit(int(table["rat"]))
    if suit == Suit.NONE:
        return [text("muted", 6, 104, "The rats are drawn when all aces are chosen.", 12)]
    ability = WORDS["ability"][suit.name] if table.params["abilities"] else "in this mode it has no ability"
    inner = [
        *face(card_of(suit, KING)),
        text("text bold", 50, 14, f"The active rat, of {SUIT_WORDS[suit]}", 12),
        *paragraph("text", 50, 29, f"Ability: {ability}.", 12, 298, most=2),
    ]
    label = f"The active rat, {card_words(card_of(suit, KING))}: {ability}"
    return [group("active-rat", "", 6, 84, inner, label=label)]


def _other_rat(table: Table) -> list[Shape]:
    if table["rat"] == Suit.NONE:
        return []
    suit = Suit(int(table["defeated"]))
    if suit != Suit.NONE:
        cards, words = face(card_of(suit, KING)), f"Defeated; your bonus: {WORDS['bonus'][suit.name]}."
    elif table.truth:
        cards, words = known_back(card_of(Suit(int(table.game["second_rat"])), KING)), "The second rat waits face-down."
    else:
        cards, words = back(), "The second rat waits face-down."
    inner = [*cards, *paragraph("text", 50, 20, words, 12, 298, most=2)]
    return [group("other-rat", "", 6, 144, inner, label=words)]


# --- the two hands ----------------------------------------------------------------------------------------------------


def hands(table: Table) -> Panel:
    """What is compared: the rat's cards and the collective hand, with what is at stake."""
    rat, own = _rat_cards(table), _collective(table)
    second = 30 + _tall(rat)
    third = second + 14 + _tall(own)
    worth = _so_far(int(table["collective"]) | int(table["revealed"]), int(table["joker_used"]))
    shapes = [
        text("text bold", 6, 16, f"The rat's cards: {_so_far(table['rat_up'], 0)}", 13),
        *_row(rat, 24),
        text("text bold", 6, second, f"Your hand of {_size(table)}: {worth}", 13),
        *_row(own, second + 8),
        text("text bold", 6, third, "At stake, for who loses", 13),
        *_stake(table, third + 8),
    ]
    label = (
        f"The rat's cards: {card_names(members(table['rat_up']))} and {int(table['rat_down'])} face-down. "
        f"The players' hand: {card_names(members(table['collective']))}."
    )
    return panel("hands", "The two hands", label, third + 72, shapes, board=True)


def _so_far(cards: int, joker: int) -> str:
    """RR-3.3: what open cards are worth by themselves: "so far a pair"."""
    return f"so far {Category(int(category_of(hand_value(int(cards), int(joker))))).words}" if cards else "none yet"


def _tall(cards: list[Shape]) -> int:
    """The height of the lines of cards."""
    return (TALL + 6) * max(1, -(-len(cards) // _A_LINE)) + 8


def _rat_cards(table: Table) -> list[Shape]:
    wanted = _asked(table, Question.REMOVE)
    cards = [_open(table, card, "the rat's", wanted) for card in members(table["rat_up"])]
    known = held(table.game["face_down"]) if table.truth else []
    for at in range(int(table["rat_down"])):
        choices = table.legal(A.HIDDEN) if at == 0 else []
        outline = " choice" if choices else ""
        inner = known_back(known[at], outline) if table.truth else back(outline)
        words = f": {card_words(known[at])}" if table.truth else ""
        label = f"Face-down card {at + 1} of the rat{words}"
        cards.append(group(f"rat-down-{at}", "", 0, 0, inner, label=label, choices=choices))
    return cards


def _asked(table: Table, *questions: Question) -> bool:
    return int(table["question"]) in questions


def _size(table: Table) -> int:
    """How many cards the collective hand is resolved with."""
    return 6 if table["defeated"] == Suit.DIAMONDS else 5


def _collective(table: Table) -> list[Shape]:
    swap = _asked(table, Question.SWAP_OUT)
    cards = [_open(table, card, "in the collective hand", swap) for card in members(table["collective"])]
    cards += _placed(table)
    if table["joker_used"]:
        cards.append(group("joker-used", "", 0, 0, joker(), label="A joker, used for this hand"))
    cards += [_open(table, card, "revealed by a joker") for card in members(table["revealed"])]
    return cards + _places("to-play", max(0, _size(table) - len(cards)))


def _placed(table: Table) -> list[Shape]:
    """The card that a player placed face-down, which that player knows."""
    placer = int(table["placer"])
    if placer == NOBODY:
        return []
    known = NO_CARD
    if table.truth or table.viewer == placer:
        known = int(table.game["private"][placer]["placed"])
    inner = back() if known == NO_CARD else known_back(known)
    words = "" if known == NO_CARD else f": {card_words(known)}"
    return [group("placed", "", 0, 0, inner, label=f"Placed face-down by player_{placer}{words}")]


def _stake(table: Table, y: float) -> list[Shape]:
    first = int(table["first_debt"])
    if first == NO_CARD:
        return [text("muted", 6, y + 12, "nothing yet", 12)]
    choices = table.legal(A.DEBT)
    more = int(table["pile_size"]) - 1
    predicted = Category(int(table["prediction"])).words
    at_stake = f"{counted(more + 1, 'debt')} at stake"
    said = f"{at_stake}. The first predicts {predicted}: a hand that is just that earns a joker."
    cards = face(first, " choice" if choices else "")
    extra = [rect("cardback", 4 + 5 * at, 4, WIDE, TALL, 5) for at in reversed(range(1, min(more, 4) + 1))]
    inner = [*extra, *cards, *paragraph("text", 74, 16, said, 12, 270, most=3)]
    return [group("stake", "", 6, y, inner, label=said, choices=choices)]


# --- market and piles -------------------------------------------------------------------------------------------------


def market(table: Table) -> Panel:
    """The open market, the deck, the discard pile and the jokers."""
    wanted = _asked(table, Question.DRAW, Question.DISCARD, Question.DISCARD_MORE, Question.SWAP_IN)
    cards = [_open(table, card, "in the market", wanted) for card in members(table["market"])]
    count = len(cards)
    left, choices = counted(int(table["deck_size"]), "card"), table.legal(A.DRAW)
    deck = [*back(" choice" if choices else ""), _below(f"deck {int(table['deck_size'])}")]
    discarded = members(table["discard"])
    pile = [rect("slot", 0, 0, WIDE, TALL, 5), text("text bold", 20, 32, str(len(discarded)), 14, anchor="middle")]
    shapes = [
        *_row([*cards, *_places("market", max(0, 3 - count))], 6),
        group("deck", "", 6, 72, deck, label=f"Deck: {left}", choices=choices),
        group("discard", "", 64, 72, [*pile, _below("discarded")], label=f"Discard pile: {card_names(discarded)}"),
        *_jokers(table),
    ]
    label = f"Market: {card_names(members(table['market']))}. Deck: {left}."
    return panel("market", "Market, deck and jokers", label, 158, shapes)


def _below(words: str) -> Shape:
    """The words below a pile."""
    return text("muted", 20, 67, words, 12, anchor="middle")


def _jokers(table: Table) -> list[Shape]:
    up, down = int(table["joker_up"]), int(table["joker_down"])
    choices = table.legal(A.JOKER)
    shapes = []
    for at in range(up + down):
        ready = at < up
        offered = choices if ready and at == 0 else []
        inner = joker(" choice" if offered else "", down=not ready)
        label = "A joker that can be used" if ready else "A joker that has to be earned"
        shapes.append(group(f"joker-{at}", "", 126 + 46 * at, 72, inner, label=label, choices=offered))
    said = f"{up} to use, {down} to earn" if up + down else "no jokers left"
    return [*shapes, text("muted", 126, 138, f"jokers: {said}", 12)]


# --- players ----------------------------------------------------------------------------------------------------------


def players(table: Table) -> Panel:
    """A line for each player: character, and the hand as far as the viewer knows it."""
    shapes = [_player(table, seat) for seat in range(table.num_players)]
    words = "Face-up in another player's line: cards everybody saw go into that hand."
    shapes += paragraph("muted", 6, 66 * table.num_players + 16, words, 12, WIDTH - 12)
    return panel("players", "Players", "Everybody at the table, clockwise.", 66 * table.num_players + 38, shapes)


def _player(table: Table, seat: int) -> Shape:
    asked, on_turn = table["asked"] == seat, table["active"] == seat
    suit, known, count = Suit(int(table["character"][seat])), _known(table, seat), int(table["hand_size"][seat])
    look = "turn" if asked else "mine" if seat == table.viewer else "row"
    name = heading(seat, table.viewer) + (", to choose" if asked else ", on turn" if on_turn else "")
    character = "no character yet" if suit == Suit.NONE else f"ace of {SUIT_WORDS[suit]}"
    cards = [group(f"hand-{seat}-{card}", "", 0, 0, face(card)) for card in known]
    cards += [group(f"hand-{seat}-down-{at}", "", 0, 0, back()) for at in range(count - len(known))]
    shapes = [
        rect(look, 3, 0, WIDTH - 6, 62, 6),
        *([arrow("arrow", 13, 19)] if on_turn else []),
        *seat_disc(seat, 25, 19),
        text("text bold", 40, 17, name, 12, w=146),
        *([] if suit == Suit.NONE else [rect("card", 14, 34, 22, 24, 3), *suit_sign(suit, 25, 46)]),
        text("text", 40, 33, character, 12),
        text("muted", 40, 48, counted(count, "card"), 12),
        *(card | {"x": 190 + min(34, 120 / max(len(cards), 1)) * at, "y": 4} for at, card in enumerate(cards)),
    ]
    label = f"{name}: {character}; {counted(count, 'card')}, known: {card_names(known)}"
    return group(f"player-{seat}", "", 0, 4 + 66 * seat, shapes, label=label)


def _known(table: Table, seat: int) -> list[int]:
    """The cards of a hand that the viewer knows."""
    if table.truth or seat == table.viewer:
        return members(table.game["private"][seat]["hand"])
    return members(table["taken"][seat])[: int(table["hand_size"][seat])]


def hand(table: Table) -> Panel:
    """The cards of the viewer, or of who is asked; while aces are chosen, the aces."""
    if _asked(table, Question.ACE):
        suits = [suit for suit in Suit if suit != Suit.NONE]
        aces = [_open(table, card_of(suit, ACE), "a character", wanted=True) for suit in suits]
        return panel("hand", "Choose a character", "The aces: the suit is that of your power.", 92, _row(aces, 6))
    own = members(table.game["private"][table.chooser]["hand"])
    can = _asked(table, *_OF_THE_HAND)
    cards = [_open(table, card, "in hand", can) for card in own]
    title = "Your cards" if table.viewer is not None else f"Cards of player_{table.chooser}"
    label = f"{title}: {card_names(own)}"
    shapes = [*_row([*cards, *_places("hand", max(0, 3 - len(cards)))], 6), *_power(table)]
    return panel("hand", title, label, 92, shapes)


def _power(table: Table) -> list[Shape]:
    """What the card just played offers: its suit's action, and the power of one's own suit."""
    choices = table.legal(A.ACT, A.POWER)
    played = int(table["played"])
    if not choices or played == NO_CARD:
        return [text("muted", 6, 80, "Play one card a turn; its suit has an action.", 12)]
    inner = [
        rect("ready choice", 0, 0, WIDTH - 12, 24, 6),
        text("text bold", 8, 16, f"{card_name(played)} is played: use its suit?", 12, w=330),
    ]
    return [group("power", "", 6, 64, inner, label="The action or power of the card just played", choices=choices)]


# --- the scene --------------------------------------------------------------------------------------------------------

RULES = WORDS["rules"]


def draw(table: Table) -> list[Panel]:
    """The two hands in the middle; beside them the rats, the market, the players, and the viewer's cards."""
    own = [hand(table)] if table.chooser is not None else []
    return [hands(table), *own, market(table), rats(table), players(table)]


def lay_open(blank: Records, view: np.void) -> None:
    """Nothing lies open beside the table."""


def clock(table: Table) -> str:
    """The round and the turn; before the first of either there is neither."""
    return f"Round {int(table['round'])}, turn {int(table['turn'])}" if table["turn"] else "Before the first turn"


def headline(table: Table) -> str:
    """Who has to choose what, or how the game ended."""
    return state_of_play(*table.told)


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: of the joker, of the suit that acts, or of the question."""
    name, _ = ACTIONS.split(action)
    question = Question(int(table["question"]))
    if name == "JOKER" and question != Question.USE_JOKER:
        return "RR-5.1/joker" if table.params["joker"] == JokerUse.REMOVE else "RR-2.1/joker"
    rule = WORDS["rule_of_question"].get(question.name)
    if rule is not None and name not in ("ACT", "POWER"):
        return rule
    played = int(table["played"])  # the rule of its suit: the action, or the power
    suit = "" if played == NO_CARD else SUIT_WORDS[suit_of(played)]
    return f"{'RR-2.4' if name == 'POWER' or (name != 'ACT' and table['power']) else 'RR-2.3'}/{suit}"


def help_of(table: Table, action: int) -> str:
    """No more than the words of the action, which say what its suit does."""
    return ""
