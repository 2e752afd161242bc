"""RR-5.1, RR-3.1: what can be chosen before a game."""

from dataclasses import dataclass

MODES = ("first_game", "standard", "advanced", "expert")
PREDICTION_OPTIONS = ("exactly", "at_least_form")


@dataclass(frozen=True)
class Options:
    """How many play, the mode, and how strictly a prediction is to be met."""

    num_players: int
    mode: str = "standard"
    prediction: str = "exactly"

    def __post_init__(self) -> None:
        """Refuse what isn't in the rules."""
        if self.num_players not in {1, 2, 3, 4}:
            raise ValueError(f"RR-1.1: {self.num_players} players can't play")
        if self.mode not in MODES:
            raise ValueError(f"RR-5.1: no mode {self.mode!r}")
        if self.prediction not in PREDICTION_OPTIONS:
            raise ValueError(f"RR-3.1: no option prediction={self.prediction!r}")
