"""Training, evaluation and measurement of the environments; nothing in the library depends on it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .seat_env.env import SeatEnv

__all__ = ["SeatEnv"]


def __getattr__(name: str) -> Any:
    if name == "SeatEnv":  # loaded when first used, so that the command starts quickly
        from .seat_env.env import SeatEnv

        return SeatEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
