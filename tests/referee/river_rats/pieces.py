"""The options of a game, and what lies on the table besides plain piles of cards."""

from dataclasses import dataclass

from .poker import Category, Strength


@dataclass(frozen=True)
class Options:
    """RR-5.1, RR-3.1: the number of players, the mode, and how strictly a prediction must be met."""

    num_players: int
    mode: str = "standard"  # or "first_game", "advanced", "expert"
    prediction: str = "exactly"  # or "at_least_form"


@dataclass
class CollectiveCard:
    """RR-2.1: a card of the collective hand; `placed_by` is None if it came from the deck (RR-4.1, RR-5.2)."""

    card: str
    face_up: bool
    placed_by: int | None


@dataclass
class RatCard:
    """RR-1.2: a card of the rat's hand, the River Rats themselves not among them."""

    card: str
    face_up: bool


@dataclass(frozen=True)
class Resolution:
    """RR-3: how the hands of a round compared."""

    round: int
    collective: Strength
    rat: Strength
    predicted: Category | None
    prediction_met: bool
    players_win: bool
