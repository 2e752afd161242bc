"""DR-1: what chance decides before the game."""

from dataclasses import dataclass

from .pack import Pack
from .river import SIDES

LETTERS = {"b": "bear", "d": "drift", "s": "swap", "t": "tilt", "D": "double"}
MIDDLE = 3  # the fourth of seven


@dataclass(frozen=True)
class Deal:
    """DR-1.1, DR-1.2: every chance outcome of the setup."""

    tiles: tuple[str, ...]  # the effects of the seven tiles, from the salmon side
    faces: tuple[int, ...]  # of each token, which of its faces is up
    begins: int  # the side that plays first


def deal_of(letters: str, faces: str, begins: int) -> Deal:
    """A deal from its short form: deal_of("bdsDtdb", "011", SALMON)."""
    return Deal(tuple(LETTERS[letter] for letter in letters), tuple(int(face) for face in faces), begins)


def small_tiles_of(deal: Deal) -> tuple[str, ...]:
    """DR-1.1: the effects of the tiles on either side of the middle."""
    return deal.tiles[:MIDDLE] + deal.tiles[MIDDLE + 1 :]


def check_deal(pack: Pack, deal: Deal) -> None:
    """DR-1.1, DR-1.2: refuse a deal that the setup can't produce."""
    if len(deal.tiles) != 7 or deal.tiles[MIDDLE] != "double":
        raise ValueError(f"DR-1.1: there are seven tiles with the double one in the middle: {deal.tiles}")
    if sorted(small_tiles_of(deal)) != sorted(pack.small_tiles):
        raise ValueError(f"DR-1.1: these aren't the small tiles of the pack: {deal.tiles}")
    if len(deal.faces) != 3 or not set(deal.faces) <= {0, 1}:
        raise ValueError(f"DR-1.2: each of three tokens has face 0 or 1 up: {deal.faces}")
    if deal.begins not in SIDES:
        raise ValueError(f"DR-1.2: there is no side {deal.begins}")
