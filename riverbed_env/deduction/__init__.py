"""What a seat can conclude from its view: posteriors over hidden roles, and games that look the same to it."""

from .service import Deduction
from .worlds import resample

__all__ = ["Deduction", "resample"]
