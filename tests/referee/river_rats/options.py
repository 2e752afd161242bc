"""RR-5.1, RR-3.1: the options of a game."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """The number of players, the mode, and how strictly a prediction must be met."""

    num_players: int
    mode: str = "standard"  # or "first_game", "advanced", "expert"
    prediction: str = "exactly"  # or "at_least_form"
