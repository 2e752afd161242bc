"""River Rats drawn as text: the rat's hand, the collective hand, market and debts, the players, the last events.

A seat's picture is drawn from its view and from public events alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import heading, picture, shown_to

from ..content.pack import Deck
from ..rules.vocab import DEBT_LIMIT, NO_CARD, NOBODY, Category, Suit
from .text import (
    ABILITY_WORDS,
    BONUS_WORDS,
    CATEGORY_WORDS,
    FACE_DOWN,
    SUIT_SIGNS,
    card_name,
    card_names,
    describe_events,
    held,
    king_name,
    legend,
    members,
    seen_by,
    state_of_play,
)

_EVENTS = 8


def draw(pack: Deck, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game as seat `viewer` knows it; None shows hands and face-down cards too."""
    view = seen_by(games, viewer)
    secrets = games[0] if viewer is None else None
    table = view["table"]
    lines = [
        f"River Rats, round {int(table['round'])}, turn {int(table['turn'])} ({shown_to(viewer)})",
        f"{state_of_play(pack, games, params, viewer)}.",
        *_rats(table, params[0], secrets),
        *_hand_to_beat(view, secrets),
        *_piles(table, secrets),
        *_players(view, secrets, viewer),
        *legend(pack),
    ]
    return picture(lines, describe_events(pack, games[0], viewer=viewer)[-_EVENTS:])


def _bar(debts: int) -> str:
    return f"{'#' * debts}{'.' * max(0, DEBT_LIMIT - debts)} {debts}/{DEBT_LIMIT}"


def _rats(table: np.void, params: np.void, secrets: np.void | None) -> list[str]:
    """The River Rats and the cards beside them."""
    if table["rat"] == Suit.NONE:
        return ["River Rats: not drawn yet"]
    rat = Suit(int(table["rat"]))
    ability = f": {ABILITY_WORDS[rat]}" if params["abilities"] else ""
    lines = [f"River Rat {king_name(rat)}   debts {_bar(int(table['rat_debt']))}{ability}"]
    if table["defeated"] != Suit.NONE:
        defeated = Suit(int(table["defeated"]))
        lines.append(f"  defeated {king_name(defeated)}: {BONUS_WORDS[defeated]}")
    elif secrets is not None:
        lines.append(f"  waiting [{king_name(Suit(int(secrets['second_rat'])))}]")
    hidden = [FACE_DOWN] * int(table["rat_down"])
    if secrets is not None:
        hidden = [f"[{card_name(card)}]" for card in held(secrets["face_down"])]
    lines.append(f"  Rat's cards      {' '.join([*_cards(table['rat_up']), *hidden])}")
    return lines


def _cards(cards: int) -> list[str]:
    return [card_name(card) for card in members(cards)]


def _hand_to_beat(view: np.void, secrets: np.void | None) -> list[str]:
    """The collective hand, what is at stake and what is predicted."""
    table = view["table"]
    cards = _cards(table["collective"])
    placer = int(table["placer"])
    if placer != NOBODY:
        known = int(view["private"]["placed"]) if secrets is None else int(secrets["private"][placer]["placed"])
        cards.append(FACE_DOWN if known == NO_CARD else f"[{card_name(known)}]")
    if table["joker_used"]:
        cards.append("joker")
    if table["revealed"]:
        cards.append(f"+ {' '.join(_cards(table['revealed']))}")
    lines = [f"  Collective hand  {' '.join(cards)}"]
    if table["first_debt"] != NO_CARD:
        predicted = CATEGORY_WORDS[Category(int(table["prediction"]))]
        more = int(table["pile_size"]) - 1
        first = card_name(int(table["first_debt"]))
        lines.append(f"  At stake         {first} (predicts {predicted}) and {more} face-down")
    return lines


def _piles(table: np.void, secrets: np.void | None) -> list[str]:
    jokers = f"{int(table['joker_up'])} to be used, {int(table['joker_down'])} to be earned"
    lines = [
        f"  Market           {' '.join(_cards(table['market']))}",
        f"  Deck {int(table['deck_size'])}, discard pile {len(members(table['discard']))}; jokers: {jokers}",
    ]
    if secrets is not None and table["rat"] != Suit.NONE:
        lines.append(f"  [Deck from the top: {card_names(reversed(held(secrets['deck'])))}]")
    return lines


def _players(view: np.void, secrets: np.void | None, viewer: int | None) -> list[str]:
    table = view["table"]
    width = len(heading(0, None if viewer is None else 0))
    lines = [f"Players' debts {_bar(int(table['debt']))}"]
    for seat in range(int(table["num_players"])):
        mark = ">" if table["active"] == seat else " "
        asked = "?" if table["asked"] == seat else " "
        suit = Suit(int(table["character"][seat]))
        character = " " if suit == Suit.NONE else SUIT_SIGNS[suit]
        lines.append(f"{mark}{asked}{heading(seat, viewer):<{width}} {character}  {_hand(view, secrets, seat)}")
    return lines


def _hand(view: np.void, secrets: np.void | None, seat: int) -> str:
    """A hand as far as it may be seen; cards seen to be taken stand behind the others' hands."""
    if secrets is not None:
        return " ".join(_cards(secrets["private"][seat]["hand"]))
    if seat == int(view["seat"]):
        return " ".join(_cards(view["private"]["hand"]))
    taken = _cards(view["table"]["taken"][seat])
    seen = f"  (took {' '.join(taken)})" if taken else ""
    return " ".join([FACE_DOWN] * int(view["table"]["hand_size"][seat])) + seen
