"""Names of persons at a table: nobody may pass for somebody else."""

import re
import unicodedata
from collections.abc import Iterable

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.installed import list_agents

WORDS = ("player", "agent", "person", "you", "open", "nobody")  # with which pages tell who is who
SIGNS = " -_.'’"  # beside letters and digits
# Letters of other alphabets that look like Latin ones, and l, which looks like a capital i (Unicode TS #39).
LATIN = str.maketrans("аеорсухіјѕԁһԛԝкмтвнӏαορνταικυχγηβεζμl", "aeopcyxijsdhqwkmtbhiaopvtaikuxynbezmi")


def checked_name(name: str, game: Game, others: Iterable[str]) -> str:
    """A name as others read it, without needless spaces; "" if it is empty.

    Raises OptionError for one that can be taken for a player, a role, an agent or one of the others, or can't be read.
    """
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    marks = [unicodedata.category(sign).startswith("M") for sign in name]
    if any(not (sign.isalnum() or sign in SIGNS or mark) for sign, mark in zip(name, marks)):
        raise OptionError(f"a name has letters, digits and {SIGNS.strip()}, not {name!r}")
    if any(first and second for first, second in zip([True, *marks], marks)):
        raise OptionError("a name has at most one accent on a letter")
    words = [_plain(word) for word in re.split(r"[\s_.-]+", name)]
    known = {_plain(word) for word in (*WORDS, *game.roles, *game.camps, *list_agents(game.name))}
    if name and all(not word or word.isdigit() or word.rstrip("0123456789") in known for word in words):
        raise OptionError(f"the name {name!r} can be taken for a player, a role or an agent")
    if _plain(name) in {_plain(other) for other in others} - {""}:
        raise OptionError(f"somebody at the table has a name like {name!r}")
    return name


def _plain(name: str) -> str:
    """Letters and digits alone, small, Latin and without accents: names that look alike are equal."""
    split = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in split.translate(LATIN) if sign.isalnum())
