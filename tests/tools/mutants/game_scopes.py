"""What the tool knows of each game: which rules are altered, by what names they go, and which tests catch them.

Left out are files that hold no rule: `identities.py` checks states on behalf of tests and `set_state`, so an alteration
there loosens a check; `text.py` and `card.py` hold words; `pack.py` reads data; and what runs once at the import
(tables of a board or of hands, `PUBLIC_PLACES`) is there before a rule can be altered.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from types import ModuleType

HOME = Path(__file__).parents[3]
EQUIVALENT = Path(__file__).with_name("equivalent")


@dataclass(frozen=True, eq=False)
class GameScope:
    """A game's rules and tests, and what the kinds of alteration have to know of its words."""

    name: str
    files: tuple[str, ...]  # rule files, in the game's folder
    chapters: Mapping[str, str]  # file -> how the files of its chapter's tests are called
    tests: tuple[str, ...]  # the fast tests that say something of the rules, as pytest takes them
    at_import: frozenset[str] = frozenset()  # functions that run once, at the import
    tables: Mapping[str, str] = field(default_factory=dict)  # table read at run time -> the function that reads it
    seats: tuple[str, ...] = ()  # names of seats besides those that seats have in any game
    next_seat: str = '({seat} + 1) % int({table}["num_players"])'
    sisters: Mapping[str, str] = field(default_factory=dict)  # field -> one that is easily written for it
    sister_names: Mapping[str, str] = field(default_factory=dict)  # the same of names
    seat_fields: Mapping[str, str] = field(default_factory=dict)  # field that holds a seat -> another one
    # Function that asks -> argument -> what it lets choose from, as bits; and how many there are of each.
    asking: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    choices: Mapping[str, int] = field(default_factory=dict)
    leaks: Mapping[str, str] = field(default_factory=dict)  # what all may see -> what nobody may see yet

    @property
    def package(self) -> str:
        """The package of its modules."""
        return f"riverbed_env.games.{self.name}"

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return HOME / "riverbed_env" / "games" / self.name

    @property
    def equivalent(self) -> Path:
        """The file of its mutants that can't be told from the rule."""
        return EQUIVALENT / f"{self.name}.toml"

    @cached_property
    def vocab(self) -> ModuleType:
        """The module of its words."""
        return importlib.import_module(f"{self.package}.rules.vocab")

    @cached_property
    def words(self) -> dict[str, type[IntEnum]]:
        """Its enums by name."""
        found = vars(self.vocab).items()
        return {name: kind for name, kind in found if isinstance(kind, type) and issubclass(kind, IntEnum)}

    @property
    def others(self) -> list[str]:
        """The names of the other games."""
        return [name for name in GAMES if name != self.name]


def both_ways(*pairs: tuple[str, str]) -> dict[str, str]:
    """Each for the other."""
    return {**dict(pairs), **{second: first for first, second in pairs}}


# Left out is what is long uncompiled: of the leak tests all but three (chapter RH-8 has short ones), random play (the
# referee's games check the same and more), and the conformance tests (they compare the library with itself).
RIVERBED_HUNT = GameScope(
    name="riverbed_hunt",
    files=(
        "rules/board.py",
        "rules/interpreter.py",
        "rules/engine.py",
        "rules/legality.py",
        "rules/look.py",
        "rules/observe.py",
        "rules/returns.py",
        "rules/acts.py",
        "rules/cards.py",
        "rules/elements.py",
        "rules/knowledge.py",
        "rules/powers.py",
        "rules/river.py",
        "rules/setup.py",
        "rules/stack.py",
        "rules/turn.py",
        "content/summary.py",
    ),
    chapters={
        "rules/board.py": "test_rh2",
        "rules/look.py": "test_rh8",
        "rules/observe.py": "test_rh8",
        "rules/acts.py": "test_rh4",
        "rules/cards.py": "test_rh7",
        "rules/elements.py": "test_rh6",
        "rules/knowledge.py": "test_rh8",
        "rules/powers.py": "test_rh5",
        "rules/river.py": "test_rh2",
        "rules/setup.py": "test_rh1",
        "rules/turn.py": "test_rh3",
    },
    tests=(
        "tests/riverbed_hunt/rules",
        "tests/riverbed_hunt/test_legality.py",
        "tests/riverbed_hunt/test_deals.py",
        "tests/riverbed_hunt/test_full_state.py",
        "tests/golden",
        "tests/referee/test_lockstep.py",
        "tests/referee/test_sight.py",
        *(
            f"tests/leaks/test_answers_tell_nothing.py::{name}"
            for name in (
                "test_without_a_card_nobody_is_asked",
                "test_a_turn_isnt_taken_by_itself_while_a_card_might_be_played",
                "test_a_turn_that_is_forced_in_public_is_taken_whatever_the_role",
            )
        ),
    ),
    at_import=frozenset({"place_of", "_near", "_space_of_bit"}),
    tables={"_PROGRAMS": "action_programs"},
    sisters={
        "steps": "swims",
        "swims": "land_steps",
        "land_steps": "steps",
        **both_ways(
            ("orthogonal", "diagonal"),
            ("dive_ready", "swim_ready"),
            ("discard_pile", "used"),
            ("face_down", "occupied"),
        ),
    },
    sister_names=both_ways(("face_down", "occupied"), ("WATER", "LAND")),
    seat_fields=both_ways(("carrier", "seat"), ("asked", "active")),
    asking={"ask": {3: "spaces", 4: "seats"}, "ask_for_space": {4: "spaces"}, "ask_for_seat": {3: "seats"}},
    choices={"spaces": 16, "seats": 9},
)

RIVER_RATS = GameScope(
    name="river_rats",
    files=(
        "rules/engine.py",
        "rules/legality.py",
        "rules/look.py",
        "rules/observe.py",
        "rules/returns.py",
        "rules/debts.py",
        "rules/hands.py",
        "rules/modes.py",
        "rules/piles.py",
        "rules/rats.py",
        "rules/record.py",
        "rules/resolution.py",
        "rules/setup.py",
        "rules/turn.py",
        "content/summary.py",
    ),
    chapters={
        "rules/legality.py": "test_legality",
        "rules/look.py": "test_rr6",
        "rules/observe.py": "test_seen",
        "rules/returns.py": "test_summary",
        "rules/debts.py": "test_rr3",
        "rules/hands.py": "test_hands",
        "rules/modes.py": "test_rr5",
        "rules/piles.py": "test_rr2",
        "rules/rats.py": "test_rr4",
        "rules/record.py": "test_events",
        "rules/resolution.py": "test_rr3",
        "rules/setup.py": "test_rr1",
        "rules/turn.py": "test_rr2",
        "content/summary.py": "test_summary",
    },
    tests=(
        "tests/river_rats/rules",
        "tests/river_rats/test_events.py",
        "tests/river_rats/test_hands.py",
        "tests/river_rats/test_legality.py",
        "tests/river_rats/test_seen.py",
        "tests/river_rats/test_summary.py",
        "tests/river_rats/test_random_play.py::test_a_game_is_cut_off_at_the_cap",
        "tests/river_rats/test_random_play.py::test_decisions_taken_for_the_players_change_nothing",
        "tests/referee/test_lockstep_river_rats.py",
        "tests/golden/test_hashes.py",
    ),
    at_import=frozenset({"_highest", "_counts", "_straight_tops"}),
    seats=("placer",),
    sisters={
        "collective": "rat_up",
        "rat_up": "revealed",
        "revealed": "collective",
        **both_ways(
            ("market", "discard"),
            ("joker_down", "joker_up"),
            ("rat_debt_seen", "debt_seen"),
            ("first_rat", "second_rat"),
            ("played", "swapped"),
            ("rat", "defeated"),
        ),
    },
    sister_names=both_ways(("KING", "ACE")),
    seat_fields={"asked": "active", "active": "asked", "placer": "active"},
)

DEEP_RIVER = GameScope(
    name="deep_river",
    files=(
        "rules/engine.py",
        "rules/legality.py",
        "rules/look.py",
        "rules/observe.py",
        "rules/returns.py",
        "rules/end.py",
        "rules/fish.py",
        "rules/record.py",
        "rules/river.py",
        "rules/setup.py",
        "rules/tiles.py",
        "rules/turn.py",
        "content/summary.py",
    ),
    chapters={
        "rules/legality.py": "test_legality",
        "rules/look.py": "test_seen",
        "rules/observe.py": "test_seen",
        "rules/returns.py": "test_summary",
        "rules/end.py": "test_dr4",
        "rules/fish.py": "test_dr2",
        "rules/record.py": "test_seen",
        "rules/river.py": "test_dr2",
        "rules/setup.py": "test_dr1",
        "rules/tiles.py": "test_dr3",
        "rules/turn.py": "test_dr2",
        "content/summary.py": "test_summary",
    },
    tests=(
        "tests/deep_river/rules",
        "tests/deep_river/test_legality.py",
        "tests/deep_river/test_seen.py",
        "tests/deep_river/test_summary.py",
        "tests/deep_river/test_move_trees.py",
        "tests/deep_river/test_random_play.py::test_both_sides_see_and_play_alike_positions_alike",
        "tests/referee/test_lockstep_deep_river.py",
        "tests/golden/test_hashes.py",
    ),
    seats=("camp",),
    next_seat="1 - {seat}",
    sisters=both_ways(("top", "under"), ("places", "tokens"), ("barred", "tilted"), ("kind", "steps")),
    sister_names=both_ways(("SALMON_NEST", "EEL_NEST")),
    seat_fields={"active": "first", "asked": "first"},
    asking={"ask": {2: "places", 3: "tokens"}},
    choices={"places": 10, "tokens": 3},
)

RIVERSIDE = GameScope(
    name="riverside",
    files=(
        "rules/engine.py",
        "rules/legality.py",
        "rules/look.py",
        "rules/observe.py",
        "rules/returns.py",
        "rules/boats.py",
        "rules/excursions.py",
        "rules/phases.py",
        "rules/powers.py",
        "rules/record.py",
        "rules/river.py",
        "rules/scoring.py",
        "rules/setup.py",
        "rules/voyage.py",
        "content/summary.py",
    ),
    chapters={
        "rules/engine.py": "test_rs5",
        "rules/legality.py": "test_legality",
        "rules/look.py": "test_rs5",
        "rules/observe.py": "test_seen",
        "rules/returns.py": "test_summary",
        "rules/boats.py": "test_rs2",
        "rules/excursions.py": "test_rs2",
        "rules/phases.py": "test_rs5",
        "rules/powers.py": "test_rs3",
        "rules/record.py": "test_seen",
        "rules/river.py": "test_rs1",
        "rules/scoring.py": "test_rs4",
        "rules/setup.py": "test_rs1",
        "rules/voyage.py": "test_rs2",
        "content/summary.py": "test_summary",
    },
    tests=(
        "tests/riverside/rules",
        "tests/riverside/test_legality.py",
        "tests/riverside/test_seen.py",
        "tests/riverside/test_summary.py",
        "tests/riverside/test_random_play.py::test_nothing_others_choose_in_a_phase_shows_before_it_is_over",
        "tests/riverside/test_random_play.py::test_pending_seats_are_asked_in_turn",
        "tests/referee/test_lockstep_riverside.py",
        "tests/golden/test_hashes.py",
    ),
    at_import=frozenset(),
    seats=("one",),
    sisters=both_ways(
        ("last", "total"),
        ("tickets", "ticket_points"),
        ("fire", "plus"),
        ("queued", "paid"),
        ("seats", "royal"),
        ("captain", "final"),
        ("open_columns", "heated"),
    ),
    sister_names=both_ways(("RANGE", "SPEED_RANGE")),
    leaks={"game['sheets']": "game['private']['sheet']"},
)

GAMES = {game.name: game for game in (RIVERBED_HUNT, RIVER_RATS, DEEP_RIVER, RIVERSIDE)}
