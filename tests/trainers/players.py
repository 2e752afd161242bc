"""Scripted players in words: they read a chat as a model does, and answer with a choice that it lists."""

import json
import re
from collections.abc import Sequence

CHOICE = re.compile(r"^(\d+)\. ", re.MULTILINE)


def choices(words: str) -> list[int]:
    """The numbers that a question lists."""
    return [int(found) for found in CHOICE.findall(words.rpartition("The choices:")[2])]


def first(words: str) -> str:
    """An answer with the first choice."""
    return json.dumps({"choice": choices(words)[0]})


def last(messages: Sequence[dict[str, str]]) -> str:
    """An answer with the last choice of a chat's question."""
    return json.dumps({"choice": choices(messages[-1]["content"])[-1]})
