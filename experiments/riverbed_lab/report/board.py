"""A board: one page from the results of judgements and evaluations, with strength and failures side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from riverbed_env.core.files import read_json
from riverbed_env.errors import OptionError

from ..config_files import read_as
from ..evaluation.inference_file import UNKNOWN
from ..evaluation.results import OutsideRow
from ..judging.results import ALL, CAMP, ROLE, WITHIN, JudgedRow
from ..judging.run import KIND, RESULT
from ..playing.plan import Setup
from ..statistics import Mean, Rate, in_points
from .judgement import mean_points
from .model import NOTHING, Entries, Entry, Grid, Section, grid
from .sections import OUTSIDE_WORDS, outside_line
from .summary import FILE

STRENGTH_WORDS = (
    "What an agent's choices were worth beside the reference's, in points (hundredths of a win) a game, best first; "
    "agents whose intervals overlap aren't ordered. Winners of the same games stand beside, and the games that an "
    "interval of this width takes by each. Failures don't count here but as the moves they led to."
)
BELIEF_WORDS = (
    "What players from outside believe about the others' roles: log-loss in nats and Brier score (0 to 2) per seat, "
    "lower is better, beside the posterior of deduction from the same view."
)
POOL_WORDS = "The agents whose policies the judge relied on: hashes of their sources, weights included."

Plain = Mapping[str, Any]


@dataclass
class Results:
    """What the files say: judgements, and by label and setup what an evaluation counted of players from outside."""

    judgements: list[Plain] = field(default_factory=list)
    outside: list[OutsideRow] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    sources: list[Path] = field(default_factory=list)

    @property
    def rows(self) -> list[tuple[Plain, JudgedRow]]:
        """All judged rows with their judgement."""
        return [(each, _row(row, self.labels)) for each in self.judgements for row in each["rows"]]


def read_results(paths: Sequence[Path]) -> Results:
    """Read judgements and evaluations. Raises OptionError for anything else, and for an agent in two versions."""
    results = Results()
    for path in paths:
        files = [path] if path.is_file() else [path / name for name in (RESULT, FILE) if (path / name).is_file()]
        if not files:
            raise OptionError(
                f"{path} holds no results: no {RESULT}, no {FILE} (riverbed judge or evaluate writes them)"
            )
        for file in files:
            _read(file, results)
    if not results.judgements:
        raise OptionError("a board needs the result of a judgement: riverbed judge GAMES --out FOLDER")
    _check_pool(results)
    return results


def _read(path: Path, results: Results) -> None:
    """Take what a file says."""
    read = read_json(path, "result")
    results.sources.append(path)
    with read_as(path, "result of riverbed judge or evaluate"):
        if read.get("kind") == KIND:
            for row in read["rows"]:
                _row(row, {})
            results.judgements.append({name: read[name] for name in (*SHOWN, "rows", "beliefs")})
        else:
            results.labels.update(read["plan"]["labels"])
            results.outside += map(_outside_of, read["outside"])


SHOWN = ("settings", "code", "version", "pool", "games", "games_hash", "seeds", "packs")


def _row(plain: Plain, labels: Mapping[str, str]) -> JudgedRow:
    """A judged row from its JSON, the agent under its label."""
    means = {name: mean_of(plain[name]) for name in ("gain", "winners")}
    row = JudgedRow(**{**plain, **means})
    return JudgedRow(**{**row.__dict__, "agent": labels.get(row.agent, row.agent)})


def mean_of(plain: Plain) -> Mean:
    """A mean from its JSON, where null is what isn't known."""
    value, low, high = (unknown if plain[name] is None else plain[name] for name, unknown in UNKNOWN.items())
    return Mean(value, low, high, plain["count"], plain["blocks"])


def _outside_of(plain: Plain) -> OutsideRow:
    """A row of failures from its JSON."""
    rates = {
        name: None if plain[name] is None else Rate(**plain[name]) for name in ("forfeits", "wins", "wins_untouched")
    }
    return OutsideRow(**{**plain, **rates, "setup": Setup(*plain["setup"])})


def _check_pool(results: Results) -> None:
    """Raise OptionError if two judgements relied on different agents of one name."""
    seen: dict[str, str] = {}
    for each in results.judgements:
        for name, found in each["pool"].items():
            if seen.setdefault(name, found) != found:
                raise OptionError(
                    f"the results rely on two versions of {name} ({seen[name]} and {found}): judge again with one"
                )


# --- the page ---------------------------------------------------------------------------------------------------------


def board_sections(results: Results) -> list[Section]:
    """The sections of a board, those without figures left out."""
    made = [
        Section("strength", "strength", STRENGTH_WORDS, (), tuple(_strength(results))),
        Section("failures", "failures and costs", OUTSIDE_WORDS, (), tuple(_failures(results))),
        Section("beliefs", "beliefs", BELIEF_WORDS, (), tuple(_beliefs(results))),
        Section("pool", "reference pool", POOL_WORDS, (), (_pool(results), _files(results))),
    ]
    return [section for section in made if section.grids]


def ranking(results: Results) -> Iterator[str]:
    """One sentence for each setup: who is how strong, best first."""
    for setup, rows in _by_setup(results, ALL).items():
        who = "; ".join(
            f"{row.agent} {in_points(row.gain.value, row.gain.low, row.gain.high)}" for row in rows
        ).replace("-", "\N{MINUS SIGN}")
        yield f"{setup}: points gained over {_reference(results)}: {who}."


def _reference(results: Results) -> str:
    return ", ".join(dict.fromkeys(each["settings"]["reference"] for each in results.judgements))


def _by_setup(results: Results, group: str) -> dict[str, list[JudgedRow]]:
    """The rows of a group by setup, the best first."""
    by_setup: dict[str, list[JudgedRow]] = {}
    for _, row in results.rows:
        if row.group == group:
            by_setup.setdefault(row.setup, []).append(row)
    return {setup: sorted(rows, key=lambda row: -row.gain.value) for setup, rows in by_setup.items()}


def _strength(results: Results) -> Iterator[Grid]:
    for group in (ALL, CAMP, ROLE):
        for setup, rows in _by_setup(results, group).items():
            yield grid(f"{setup}, {group if group == ALL else f'by {group}'}", map(_strength_line, rows))


def _strength_line(row: JudgedRow) -> Entries:
    return {
        "agent": row.agent,
        **({} if row.group == ALL else {row.group: row.name}),
        "games": f"{row.games:,}",
        "gain": mean_points(row.gain),
        "winners": mean_points(row.winners),
        f"games for ±{100 * WITHIN:g}": _count(row.needed),
        "by winners": _count(row.needed_by_winners),
    }


def _count(number: int | None) -> str:
    return NOTHING if number is None else f"{number:,}"


def _failures(results: Results) -> Iterator[Grid]:
    by_setup: dict[Setup, list[OutsideRow]] = {}
    for row in results.outside:
        by_setup.setdefault(row.setup, []).append(row)
    yield from (grid(str(setup), map(outside_line, rows)) for setup, rows in by_setup.items())


def _beliefs(results: Results) -> Iterator[Grid]:
    lines = [_belief_line(row) for each in results.judgements for row in each["beliefs"]]
    if lines:
        yield grid("who believes", lines)


def _belief_line(row: Plain) -> Entries:
    scores = row["scores"]["overall"]
    both = {row["observer"]: scores["own"], row["reference"]: scores["reference"]}
    (own, deduced) = both.values()
    return {
        "who": row["observed"],
        "log-loss": _mean(own["log_loss"]),
        "log-loss, deduction": _mean(deduced["log_loss"]),
        "Brier": _mean(own["brier"]),
        "Brier, deduction": _mean(deduced["brier"]),
        "seats": f"{own['log_loss']['count']:,}",
    }


def _mean(plain: Plain) -> Entry:
    mean = mean_of(plain)
    return Entry(f"{mean.value:.3f}", f"{mean.low:.3f}–{mean.high:.3f}" if math.isfinite(mean.high) else "")


def _pool(results: Results) -> Grid:
    pool = {name: found for each in results.judgements for name, found in each["pool"].items()}
    return grid("agents", ({"agent": name, "sources": found} for name, found in pool.items()))


def _files(results: Results) -> Grid:
    return grid(
        "judgements",
        (
            {
                "reference": each["settings"]["reference"],
                "games": f"{each['games']:,}",
                "hash of games": each["games_hash"],
                "seeds": ", ".join(map(str, each["seeds"])),
                "pack": ", ".join(each["packs"]) or NOTHING,
                "version": each["version"],
                "code": each["code"],
            }
            for each in results.judgements
        ),
    )
