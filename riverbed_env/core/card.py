"""A game's part of its card, a generated Markdown page, and the helpers that write tables and sections of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Protocol

from riverbed_env.core.text import EventTable, filled, gap_names
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.kernels.vocab import MAX_EVENTS, Decision, Worded

_SECTION = re.compile(r"^<!-- (\w+) -->$", re.MULTILINE)
_OWN_LINE = re.compile(r"[|#]|```| *- ")  # tables, titles, fences and list items begin lines of their own


@dataclass(frozen=True)
class CardSections:
    """A game's own sections of its card, in Markdown; the library writes the rest.

    Args:
        summary: one paragraph, what the game is.
        end: what ends a game.
        forced: which decisions have one answer.
        options: of this game alone, each with its values and its meaning.
        players: sections, who plays, in which camps.
        actions: which action answers which question.
        reading: a list, how to read the pieces of an observation.
        codes: subsections, the numbers that stand for things.
        content: sections, what the content pack holds.
        versions: what each version of the environment changed, from 0.
        nobody_wins: when nobody wins, as after "if".
        more_rewards: endings with a return of their own, and the return.
    """

    summary: str  # one paragraph: what the game is
    end: str  # what ends a game
    forced: str  # which decisions have one answer
    options: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # of this game alone: values, meaning
    players: str = ""  # sections: who plays, in which camps
    actions: str = ""  # which action answers which question
    reading: str = ""  # a list: how to read the pieces of an observation
    codes: str = ""  # subsections: the numbers that stand for things
    content: str = ""  # sections: what the content pack holds
    versions: Sequence[str] = ("first version",)  # what each version of the environment changed, from 0
    nobody_wins: str = ""  # when nobody wins, as after "if"
    more_rewards: Sequence[tuple[str, str]] = ()  # endings with a return of their own, and the return


def read_sections(path: Path, **values: object) -> CardSections:
    """A game's sections from a Markdown file: each follows a line `<!-- its name -->`; `$name` stands for a value.

    `options` and `more_rewards` are rows of tables. Raises KeyError for a name without a value.
    """
    _, *parts = _SECTION.split(path.read_text(encoding="utf-8"))
    sections = zip(parts[::2], parts[1::2], strict=True)
    texts = {name: Template(text.strip()).substitute(values) for name, text in sections}
    options = {name: (allowed, meaning) for name, allowed, meaning in _cells(texts.pop("options", ""))}
    more_rewards = [(ending, paid) for ending, paid in _cells(texts.pop("more_rewards", ""))]
    return CardSections(**texts, options=options, more_rewards=more_rewards)


def _cells(rows: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.strip("| ").split("|")] for row in rows.splitlines()]


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; cells may hold pipes and line breaks."""
    lines = [_row(header), _row(["---"] * len(header)), *(_row(row) for row in rows)]
    return "\n".join(lines)


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(" ".join(str(cell).split()).replace("|", r"\|") for cell in cells) + " |"


def code(value: object) -> str:
    """A value in code type."""
    return f"`{value}`"


def codes(values: Iterable[object]) -> str:
    """Values in code type, separated by commas."""
    return ", ".join(code(value) for value in values)


def literal(value: object) -> str:
    """A value as Python writes it, strings in double quotes."""
    return code(f'"{value}"' if isinstance(value, str) else repr(value))


def literals(values: Iterable[object]) -> str:
    """Values as Python writes them, separated by commas."""
    return ", ".join(literal(value) for value in values)


def span(first: int, size: int) -> str:
    """Consecutive whole numbers: "12" or "12 to 27"."""
    return str(first) if size == 1 else f"{first} to {first + size - 1}"


def ranges(numbers: Iterable[int]) -> str:
    """Whole numbers with runs of three or more joined: "1 to 10, 12"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(span(run[0], len(run)) if len(run) > 2 else ", ".join(map(str, run)) for run in runs) or "none"


def anchor(title: str) -> str:
    """The link to a title of a page, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return f"#{kept.replace(' ', '-')}"


def unwrapped(page: str) -> str:
    """The page with every paragraph and list item on one line, however its source is wrapped."""
    lines: list[str] = []
    fenced = False
    for line in page.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        joins = lines and lines[-1] and line and not fenced and not _OWN_LINE.match(line)
        if joins and not lines[-1].startswith(("|", "#", "```")):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


# --- parts that games share -------------------------------------------------------------------------------------------


def question_table(questions: type[Decision]) -> str:
    """What a seat is asked, and which actions answer."""
    header = ["question", "name", "asked to", "answered by"]
    rows = [[asked.value, asked.name, asked.task, codes(asked.answers) or "–"] for asked in questions]
    if any(asked.when for asked in questions):
        header.insert(3, "when")
        for row, asked in zip(rows, questions, strict=True):
            row.insert(3, asked.when)
    intro = (
        "The piece `question` of the observation says what is asked, and these actions can answer it; the action mask "
        "says which of them are legal now."
    )
    return f"{intro}\n\n{table(header, rows)}"


def code_table(kind: str, members: Iterable[Worded], meaning: str) -> str:
    """The numbers of a piece's entries with their names and what they mean."""
    return table([kind, "name", meaning], ([member.value, member.name, member.words] for member in members))


def event_section(events: EventTable, observation: PieceTable) -> str:
    """How to read piece `events`: its fields, and a sentence for each kind of event."""
    first = observation.start("events")
    fields = ([place, field.title, first + place, field.values] for place, field in enumerate(events.spec.fields))
    letters = {name: gap.letter for name, gap in events.gaps.items()}
    rows = [[0, events.spec.kinds(0).name, "no event yet", "–"]]
    for kind, sentence in events.sentences.items():
        numbers = dict.fromkeys(events.gaps[name].codes for name in gap_names(sentence))
        rows.append([kind.value, kind.name, filled(sentence, letters), "; ".join(filter(None, numbers)) or "–"])
    return f"""\
### Public events

`events` has a row for each of the last {MAX_EVENTS} public events, newest first; unused rows are 0. In the sentences
below, letters and capitals stand for the fields.

{table(["field", "holds", "index in the newest event", "values"], fields)}

{table(["kind", "name", "what happens", "numbers"], rows)}"""


class Sourced(Protocol):
    """An entry of a content pack that says where it comes from: "rulebook" or "reconstructed"."""

    @property
    def source(self) -> str:
        """Where it comes from."""


def origins(game: str, kinds: Mapping[str, Sequence[Sourced]]) -> str:
    """How many entries of a pack come from the rulebook. kinds: the entries by the plural of their kind."""
    sources = {kind: [entry.source for entry in entries] for kind, entries in kinds.items()}
    rows = ([kind, found.count("rulebook"), found.count("reconstructed")] for kind, found in sources.items())
    return (
        "What the printed game shows only in pictures is replaced by substitutes that agree with the rulebook's text; "
        f"[the rules](../rules/{game}.md#what-is-reconstructed-and-why) tell which and why. Results with this pack are "
        f"results about this reconstruction.\n\n{table(['entries', 'rulebook', 'reconstructed'], rows)}"
    )
