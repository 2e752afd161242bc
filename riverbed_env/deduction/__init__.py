"""What a seat of Riverbed Hunt can conclude from its view: posteriors over hidden roles, and worlds drawn from it."""

from .service import Deduction

__all__ = ["Deduction"]
