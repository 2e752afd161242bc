"""Deals for training and for tests: of each ten game numbers one, by a hash, is for tests alone."""

import hashlib

from riverbed_env.core.options import check_choice, check_whole

TRAIN, TEST = SPLITS = ("train", "test")
ALL = "all"
BLOCK = 10  # game numbers, of which one is for tests
MOST_INDEX = 2**50


def game_number(index: int, split: str) -> int:
    """The number of a split's deal.

    Args:
        index: the deal's place in its split, 0 to 2**50.
        split: "train" or "test", which share no deal, or "all".

    Returns:
        The game's number.

    Raises:
        OptionError: there is no such split or index.
    """
    check_choice("split", split, (*SPLITS, ALL))
    check_whole("index", index, 0, MOST_INDEX)
    if split == ALL:
        return index
    block, place = (index, 0) if split == TEST else divmod(index, BLOCK - 1)
    tested = hashlib.sha256(str(block).encode()).digest()[0] % BLOCK
    if split == TEST:
        return block * BLOCK + tested
    return block * BLOCK + place + (place >= tested)
