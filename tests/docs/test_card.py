"""The game's card is current, whole, and says what the library does."""

import dataclasses
import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from pages_kit import DOCS, Table, built_in_ids, find_table, tables

from riverbed_env.core.batch import Batch
from riverbed_env.core.card import literal, literals, ranges, span, table, unwrapped
from riverbed_env.core.game import Game
from riverbed_env.core.picture import PANELS
from riverbed_env.core.text import gap_names
from riverbed_env.envs.aec import ON_ILLEGAL, RENDER_MODES
from riverbed_env.envs.riverbed_hunt_v1 import raw_env
from riverbed_env.envs.shown import DTYPES, MASK_IN
from riverbed_env.errors import RiverbedError
from riverbed_env.games.riverbed_hunt.content.pack import load_pack
from riverbed_env.games.riverbed_hunt.rules.vocab import Event, Question
from riverbed_env.games.riverbed_hunt.words.text import EVENTS
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.kernels.vocab import FORCED_NAMES
from riverbed_env.registry import find_game
from riverbed_lab.card import COMMON_OPTIONS, game_card

HUNT = find_game("riverbed_hunt_v1")
PAGE = (DOCS / "games" / "riverbed_hunt.md").read_text(encoding="utf-8")
COMMON = (DOCS / "games" / "common.md").read_text(encoding="utf-8")


def card_path(game: Game) -> Path:
    return DOCS / "games" / f"{game.name}.md"


@pytest.mark.parametrize("game_id", built_in_ids())
def test_the_card_is_current(game_id: str) -> None:
    game = find_game(game_id)
    path = card_path(game)
    assert path.is_file(), f"there is no {path.name}: write it with 'make card'"
    current = path.read_text(encoding="utf-8") == game_card(game)
    assert current, f"docs/games/{path.name} isn't what the tables say: write it with 'make card'"


# --- whole ---------------------------------------------------------------------------------------------------------


def test_every_option_of_env_and_batch_has_a_row() -> None:
    own, common = find_table(PAGE, "option of env"), find_table(COMMON, "option of env")
    batch = find_table(COMMON, "option of make_batch alone")
    of_env = inspect.signature(raw_env).parameters
    assert sorted([*own.column("option of env"), *common.column("option of env")]) == sorted(of_env)
    assert set(common.column("option of env")) == COMMON_OPTIONS
    taken = {row[0] for row in (*own.rows, *common.rows) if row[-1] == "yes"}
    known = {*inspect.signature(HUNT.make_params).parameters, *inspect.signature(Batch).parameters}
    assert {*batch.column("option of make_batch alone"), *taken} == known - {"game", "options"}
    assert not taken & set(batch.column("option of make_batch alone"))
    options = {**inspect.signature(Batch).parameters, **of_env}
    for name, default, *_ in (*common.rows, *batch.rows):
        known_default = options[name].default
        needed = known_default is inspect.Parameter.empty
        assert default == ("needed" if needed else literal(known_default).strip("`"))


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("on_illegal", ON_ILLEGAL),
        ("auto_forced", FORCED_NAMES),
        ("render_mode", (*RENDER_MODES, None)),
        ("mask_in", MASK_IN),
        ("dtype", DTYPES),
        ("render_panels", PANELS),
    ],
)
def test_the_values_of_a_common_option_are_those_of_the_library(option: str, values: Sequence[object]) -> None:
    rows = {row[0]: row for row in find_table(COMMON, "option of env").rows}
    assert rows[option][2] == literals(values).replace("`", "")


def piece_tables(section: str) -> list[Table]:
    return [found for found in tables(PAGE) if section in found.titles and found.header[0] == "index"]


def bounds(cell: str) -> tuple[int, int]:
    first, _, last = cell.partition(" to ")
    return int(first), int(last or first) + 1


@pytest.mark.parametrize(
    ("section", "pieces", "first"),
    [
        ("Observation", HUNT.observation, 0),
        ("State", HUNT.state, next(HUNT.state.start(p.name) for p in HUNT.state.pieces if p.visibility == "nobody")),
    ],
)
def test_the_ranges_of_the_pieces_cover_the_vector_without_gap(section: str, pieces: PieceTable, first: int) -> None:
    rows = [row for found in piece_tables(section) for row in found.rows]
    ends = [bounds(row[0]) for row in rows]
    assert [start for start, _ in ends] == [first, *(last for _, last in ends[:-1])]
    assert ends[-1][1] == pieces.size
    for row, (start, last) in zip(rows, ends, strict=True):
        assert slice(start, last) == pieces.slices[row[1]]
        assert np.prod([int(count) for count in row[2].split(" × ")]) == last - start


@pytest.mark.parametrize("game_id", built_in_ids())
def test_a_state_begins_with_what_everybody_sees(game_id: str) -> None:
    game = find_game(game_id)
    seen = [piece.name for piece in game.observation.pieces if piece.visibility == "all"]
    hidden = [piece.name for piece in game.state.pieces if piece.visibility == "nobody"]
    assert [piece.name for piece in game.state.pieces] == seen + hidden


def test_sources_are_counted() -> None:
    counted = find_table(PAGE, "entries", "rulebook", "reconstructed")
    content = load_pack().content
    entries = [*content.text, *content.tile, *content.card, *content.layout, *content.players]
    for source in ("rulebook", "reconstructed"):
        assert sum(map(int, counted.column(source))) == sum(entry.source == source for entry in entries)


# --- right ---------------------------------------------------------------------------------------------------------


Moment = tuple[dict[str, npt.NDArray[np.int8]], npt.NDArray[np.int8]]


def moments(num_players: int, steps: int = 90, n: int = 24) -> Iterator[Moment]:
    """Pieces and mask of the seat asked, through games of random legal play."""
    batch = Batch(HUNT, n, seed=num_players, num_players=num_players, auto_forced="none")
    for _ in range(steps):
        for observation, mask in zip(batch.observation, batch.action_mask, strict=True):
            yield HUNT.observation.named(observation), mask
        batch.step(batch.random_actions())


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", [4, 9])
def test_legal_actions_are_among_those_said_to_answer_the_question(num_players: int) -> None:
    asked = set()
    for pieces, mask in moments(num_players):
        question = Question(int(pieces["question"].argmax()))
        declinable = ("STOP",) if pieces["flags"][-1] else ()
        legal = {HUNT.actions.split(int(action))[0] for action in np.flatnonzero(mask)}
        assert legal <= {*question.answers, *declinable}
        assert ("STOP" in legal) == bool(declinable)
        asked.add(question)
    assert {Question.PLACE, Question.TURN, Question.ANSWER, Question.SEAT, Question.REVEAL} <= asked


FIELDS_OF = {"actor": 1, "space": 3, "second": 4}
FIELDS_OF |= dict.fromkeys(("other", "others", "whose"), 2) | dict.fromkeys(("card", "text", "tile", "what", "camp"), 5)


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", [5, 8])
def test_fields_that_an_events_sentence_does_not_name_tell_nothing(num_players: int) -> None:
    seen = set()
    for pieces, _ in moments(num_players):
        newest = pieces["events"][0]
        event = Event(int(newest[0]))
        if event == Event.NONE:
            assert not newest.any()
            continue
        seen.add(event)
        named = {FIELDS_OF[name] for name in gap_names(EVENTS.sentences[event])}
        assert all(newest[field] > 0 for field in named - {5})
        assert all(newest[field] == 0 for field in {3, 4, 5} - named), event
        assert 2 in named or newest[2] in (0, newest[1]), event
        if 1 not in named:
            active = 1 + int(pieces["active"].argmax())
            assert newest[1] in ((active,) if event == Event.RESHUFFLE else (0,)), event
    assert {Event.PLACE, Event.CO_OP, Event.REVEAL, Event.DRAW, Event.DISCARD, Event.END_TURN} <= seen


# --- versions -----------------------------------------------------------------------------------------------------


def test_a_version_without_its_line_in_the_history_is_refused() -> None:
    with pytest.raises(RiverbedError, match=f"history ends with version {HUNT.version}"):
        game_card(dataclasses.replace(HUNT, version=HUNT.version + 1))


# --- pages ---------------------------------------------------------------------------------------------------------


def test_cells_may_hold_pipes_and_line_breaks() -> None:
    assert table(["a", "b"], [["x | y", "one\ntwo"]]) == "| a | b |\n| --- | --- |\n| x \\| y | one two |"


def test_numbers_in_a_row_are_put_together() -> None:
    assert ranges([1, 2, 3, 5, 8, 9]) == "1 to 3, 5, 8, 9"
    assert (ranges([]), span(3, 1), span(3, 4)) == ("none", "3", "3 to 6")


def test_paragraphs_and_items_are_joined_but_not_tables_titles_and_code() -> None:
    page = "# T\na\nb\n\n- c\n  d\n- e\n\n| f |\n\n```text\ng\nh\n```\ni"
    assert unwrapped(page) == "# T\na b\n\n- c d\n- e\n\n| f |\n\n```text\ng\nh\n```\ni"


def links(page: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", page)


def anchors(page: str) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.relative_to(DOCS).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    for link in links(path.read_text(encoding="utf-8")):
        if link.startswith("http"):
            continue
        file, _, title = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), f"{path.name} links to {link}"
        if title:
            assert title in anchors(target.read_text(encoding="utf-8")), f"{path.name} links to {link}"


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.relative_to(DOCS).as_posix())
def test_pages_name_no_place_on_anybodys_machine(path: Path) -> None:
    found = re.findall(r"(?<![\w.])/(?:home|root|work|tmp|Users|mnt)/\S*", path.read_text(encoding="utf-8"))
    assert not found
