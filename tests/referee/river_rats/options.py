"""RR-5.1, RR-3.1: what can be chosen before a game."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How many play, the mode, and how strictly a prediction is to be met."""

    num_players: int
    mode: str = "standard"  # or "first_game", "advanced", "expert"
    prediction: str = "exactly"  # or "at_least_form"
