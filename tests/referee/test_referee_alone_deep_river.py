"""The referee of Deep River alone, against the spec, its move trees and the rulebook."""

import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from referee.deep_river import EEL, SALMON, Action, CurrentToken, Deal, Pack, Pawn, Referee, deal_of, read_pack
from referee.deep_river.deal import small_tiles_of

PACK_FOLDER = Path(__file__).resolve().parent / "packs" / "deep_river"
DEFAULT = read_pack(PACK_FOLDER / "default.toml")
CHECK = read_pack(PACK_FOLDER / "check.toml")
PACKS = {"default": DEFAULT, "check": CHECK}

TILES = "bsbDsdt"  # the default pack's set: the tiles with nothing to do for a single pawn come first
A, B, C = ("token", 0), ("token", 1), ("token", 2)
NEST, NEST_DOUBLE = ("place", 0), ("place", 1)
USE, LEAVE, TURN, ADVANCE = ("use",), ("leave",), ("turn",), ("advance",)


# Laying and reading a table


def pawn_of(letter: str) -> Pawn:
    """s, e: a salmon, an eel on its single face; S, E: on its double face."""
    return Pawn(SALMON if letter in "sS" else EEL, double=letter.isupper())


def letters_of(pawns: Iterable[Pawn]) -> str:
    words = {(SALMON, False): "s", (SALMON, True): "S", (EEL, False): "e", (EEL, True): "E"}
    return "".join(words[pawn.side, pawn.double] for pawn in pawns)


def start(pack: Pack, deal: Deal, *, cap: int = 200) -> Referee:
    """A game with the tiles as given, whatever the pack's set."""
    return Referee(pack.with_small_tiles(small_tiles_of(deal)), deal, cap=cap)


def lay(
    slots: dict[int, str] | None = None,
    *,
    tiles: str = TILES,
    faces: str = "000",
    side: int = SALMON,
    bear: int = 4,
    doubles_home: str = "",
    tokens: tuple[int, int, int] = (7, 7, 7),
    tilted: Iterable[int] = (),
    pack: Pack = DEFAULT,
    cap: int = 200,
) -> Referee:
    """A table at the start of a turn: slots by place, each from below; the rest in the nests, single but for some."""
    referee = start(pack, deal_of(tiles, faces, side), cap=cap)
    for place, letters in (slots or {}).items():
        referee.river.slots[place] = [pawn_of(letter) for letter in letters]
    outside = [pawn.side for slot in referee.river.slots.values() for pawn in slot]
    for nest_side in (SALMON, EEL):
        double = [pawn_of(letter) for letter in doubles_home if pawn_of(letter).side == nest_side]
        left = 5 - outside.count(nest_side) - len(double)
        referee.river.nests[nest_side] = [Pawn(nest_side) for _ in range(left)] + double
    for token, tile in zip(referee.tokens, tokens, strict=True):
        token.tile = tile
    referee.tilted_against[side] = set(tilted)
    referee.bear = bear
    referee.turns = 0
    referee.begin()
    return referee


def play(referee: Referee, *actions: Action) -> None:
    for action in actions:
        assert action in referee.legal(), f"{action} not among {sorted(referee.legal())}"
        referee.play(action)


def places(referee: Referee) -> set[int]:
    return {action[1] for action in referee.legal() if action[0] == "place" and len(action) == 2}


def slots(referee: Referee) -> dict[int, str]:
    return {place: letters_of(slot) for place, slot in referee.river.slots.items() if slot}


def home(referee: Referee, side: int) -> str:
    return "".join(sorted(letters_of(referee.river.nests[side])))


def turn_is_over(referee: Referee, side: int) -> bool:
    return (referee.side, referee.question, referee.turns) == (1 - side, "token", 2)


# DR-1: setup


def test_dr_1_2_the_start() -> None:
    referee = Referee(DEFAULT, deal_of(TILES, "010", EEL))
    assert slots(referee) == {}
    assert (home(referee, SALMON), home(referee, EEL)) == ("sssss", "eeeee")
    assert [token.tile for token in referee.tokens] == [7, 7, 7]
    assert [token.visible for token in referee.tokens] == [1, "bear", 1]
    assert referee.bear == 4
    assert (referee.asked, referee.question, referee.turns) == (EEL, "token", 1)
    assert referee.legal() == {A, B, C}


@pytest.mark.parametrize(
    ("deal", "rule"),
    [
        (Deal(("bear",) * 7, (0, 0, 0), SALMON), "DR-1.1"),
        (deal_of("bsbDsdtb", "000", SALMON), "DR-1.1"),
        (deal_of("bsDbsdt", "000", SALMON), "DR-1.1"),
        (deal_of("bsbDsdd", "000", SALMON), "DR-1.1"),
        (deal_of(TILES, "00", SALMON), "DR-1.2"),
        (deal_of(TILES, "020", SALMON), "DR-1.2"),
        (deal_of(TILES, "000", 2), "DR-1.2"),
    ],
)
def test_dr_1_impossible_deals_are_refused(deal: Deal, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        Referee(DEFAULT, deal)


def test_the_packs_of_the_spec() -> None:
    assert [token.faces for token in DEFAULT.tokens] == [(1, 4), (1, "bear"), (1, "twice")]
    assert [token.faces for token in CHECK.tokens] == [(1, 3), (2, "bear"), (3, "twice")]
    assert DEFAULT.small_tiles == ("bear", "bear", "drift", "swap", "swap", "tilt")
    assert (DEFAULT.rules.small_slots, DEFAULT.rules.double_slots) == (1, 2)
    assert (DEFAULT.rules.single_may_choose_empty, CHECK.rules.single_may_choose_empty) == (False, True)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("copies = 1", "copies = 2", "DR-1.1"),
        ('effect = "tilt"', 'effect = "double"', "DR-1.1"),
        ("faces = [1, 4]", "faces = [1, 0]", "DR-2.2"),
        ('"twice"]', '"thrice"]', "DR-2.2"),
        ("small_slots = 1", "small_slots = 2", "DR-2.3"),
        ('game = "deep_river"', 'game = "riverbed_hunt"', "another game"),
    ],
)
def test_packs_that_cannot_be_played_are_refused(tmp_path: Path, old: str, new: str, rule: str) -> None:
    text = (PACK_FOLDER / "default.toml").read_text(encoding="utf-8")
    spoilt = tmp_path / "spoilt.toml"
    assert old in text
    spoilt.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=rule):
        read_pack(spoilt)


# DR-2.1: tokens


def test_dr_2_1_the_token_used_moves_towards_the_salmon_nest_and_turns() -> None:
    referee = lay(faces="010")
    play(referee, B)
    assert (referee.token_in_use, referee.tokens[1].tile, referee.tokens[1].up) == (1, 7, 1)
    play(referee, NEST)
    assert [(token.tile, token.visible) for token in referee.tokens] == [(7, 1), (6, 1), (7, 1)]
    assert turn_is_over(referee, SALMON)


def test_dr_2_1_at_the_last_tile_a_token_turns_but_moves_no_more() -> None:
    referee = lay(tokens=(1, 7, 7))
    play(referee, A, NEST)
    assert (referee.tokens[0].tile, referee.tokens[0].visible) == (1, 4)
    assert not referee.ended
    play(referee, A, NEST, NEST)  # an eel four tiles to the double tile, where it turns a pawn
    assert (referee.tokens[0].tile, referee.tokens[0].visible) == (1, 1)


def test_dr_2_1_a_tilted_token_cannot_be_chosen_and_is_free_after_the_turn() -> None:
    referee = lay(tilted=[0, 2])
    assert referee.legal() == {B}
    with pytest.raises(ValueError, match="not legal"):
        referee.play(A)
    play(referee, B, NEST)
    assert referee.tilted_against == [set(), set()]
    assert referee.legal() == {A, B, C}


# DR-2.2: faces


@pytest.mark.parametrize(("side", "place"), [(SALMON, 5), (EEL, 5)])
def test_dr_2_2_a_number_moves_a_fish_that_many_tiles_towards_the_rival_nest(side: int, place: int) -> None:
    referee = lay(faces="100", side=side)
    play(referee, A, NEST)
    assert slots(referee) == {place: "s" if side == SALMON else "e"}


def test_dr_2_2_skipped_tiles_count_as_steps_and_only_the_last_is_overrun() -> None:
    full = {2: "es", 3: "s", 4: "se"}
    referee = lay({**full, 5: "es"}, faces="100")
    play(referee, A, NEST)  # four steps: the double tile has an empty slot
    assert slots(referee) == {**full, 5: "es", 6: "s"}
    referee = lay({2: "es", 5: "s", 6: "es"}, faces="100", tiles="bsbDbdt")
    play(referee, A, NEST)  # the double tile is full: on to the next
    assert slots(referee) == {2: "es", 5: "s", 6: "es", 7: "s"}
    assert turn_is_over(referee, SALMON)


def test_dr_2_3_overrunning_may_lead_into_the_nest() -> None:
    referee = lay({8: "s", 9: "es"})
    play(referee, A, ("place", 8))
    assert slots(referee) == {9: "es"}
    assert (referee.bear, home(referee, SALMON)) == (5, "ssss")


def test_dr_2_2_the_choice_of_a_fish() -> None:
    referee = lay({2: "s", 3: "se", 5: "eS", 9: "E"}, doubles_home="S")
    play(referee, A)
    assert referee.question == "fish"
    assert places(referee) == {0, 1, 2, 5}
    referee = lay({2: "s", 3: "se", 5: "eS", 9: "E"}, side=EEL, doubles_home="EE")
    play(referee, A)
    assert places(referee) == {1, 3, 9}


def test_dr_2_2_bear_moves_a_fish_then_its_tiles_effect_then_the_bear() -> None:
    referee = lay({2: "es"}, faces="010")
    play(referee, B, ("place", 2))  # to the swap tile
    assert (referee.question, referee.bear) == ("pile", 4)
    play(referee, ("place", 3))
    assert (slots(referee), referee.bear) == ({3: "se"}, 5)
    referee = lay(faces="010", side=EEL, tiles="bsbDsdb")
    play(referee, B, NEST)
    assert referee.bear == 3
    assert turn_is_over(referee, EEL)


def test_dr_2_2_twice_moves_two_fish_with_the_effect_after_each() -> None:
    referee = lay({2: "es"}, faces="001")
    play(referee, C, ("place", 2))
    assert referee.question == "pile"
    play(referee, ("place", 3))
    assert (referee.question, places(referee), slots(referee)) == ("fish", {0}, {3: "se"})
    play(referee, NEST)
    assert slots(referee) == {2: "s", 3: "se"}
    assert turn_is_over(referee, SALMON)


def test_dr_2_2_twice_may_move_the_same_fish() -> None:
    referee = lay(faces="001", tiles="bbsDsdt")
    play(referee, C, NEST, ("place", 2))
    assert slots(referee) == {3: "s"}
    assert turn_is_over(referee, SALMON)


COVERED = {2: "se", 3: "se", 4: "sE", 5: "Se", 6: "SE"}


@pytest.mark.parametrize(("token", "bear"), [(A, 4), (B, 5), (C, 4)])
def test_dr_2_2_with_every_pawn_covered_the_move_is_skipped_and_the_rest_happens(token: Action, bear: int) -> None:
    referee = lay(COVERED, faces="111")
    play(referee, token)
    assert (slots(referee), referee.bear) == (COVERED, bear)
    assert turn_is_over(referee, SALMON)
    used = referee.tokens[int(token[-1])]
    assert (used.tile, used.up) == (6, 0)


def test_dr_2_2_twice_skips_the_second_move_when_the_first_one_left_nothing_to_move() -> None:
    referee = lay({4: "se", 5: "se", 6: "se", 7: "se", 2: "es"}, faces="001")
    play(referee, C, ("place", 2), ("place", 3))
    assert slots(referee) == {3: "se", 4: "se", 5: "se", 6: "se", 7: "se"}
    assert turn_is_over(referee, SALMON)


# DR-2.3: stopping and piles


def test_dr_2_3_a_pawn_skips_its_own_pawns_and_piles() -> None:
    referee = lay({2: "s", 3: "se", 4: "es"})
    play(referee, A, NEST)
    assert slots(referee) == {2: "s", 3: "se", 4: "es", 5: "s"}


@pytest.mark.parametrize("letter", ["s", "S"])
def test_dr_2_3_a_pawn_stands_on_a_lone_rival_even_beside_an_empty_slot(letter: str) -> None:
    referee = lay({4: letter, 6: "e"}, doubles_home="SSSS" if letter == "S" else "")
    play(referee, A, ("place", 4))
    assert slots(referee)[6] == "e" + letter
    assert referee.question in {"pawn", "fish"}


def test_dr_2_3_with_two_lone_rivals_the_mover_chooses() -> None:
    referee = lay({4: "s", 5: "e", 6: "E"})
    play(referee, A, ("place", 4))
    assert (referee.question, referee.asked, places(referee)) == ("stand", SALMON, {5, 6})
    assert slots(referee) == {4: "s", 5: "e", 6: "E"}
    play(referee, ("place", 6))
    assert slots(referee) == {5: "e", 6: "Es"}


def test_dr_2_3_the_check_pack_lets_a_pawn_choose_an_empty_slot() -> None:
    referee = lay({4: "s", 6: "e"}, pack=CHECK)
    play(referee, A, ("place", 4))
    assert (referee.question, places(referee)) == ("stand", {5, 6})
    play(referee, ("place", 5))
    assert slots(referee) == {5: "s", 6: "e"}
    for lone, pack in (({5: "e", 6: "e"}, CHECK), ({5: "s", 6: "e"}, DEFAULT), ({5: "s", 6: "e"}, CHECK)):
        referee = lay({4: "s", **lone}, pack=pack)
        play(referee, A, ("place", 4))
        assert referee.question == ("stand" if lone[5] == "e" else "pawn")


def test_dr_2_3_of_empty_slots_the_lowest_is_taken_unasked_by_both_sides() -> None:
    for pack in (DEFAULT, CHECK):
        for side, place, letter in ((SALMON, 4, "s"), (EEL, 7, "e")):
            referee = lay({place: letter}, side=side, pack=pack)
            play(referee, A, ("place", place))
            assert slots(referee) == {5: letter}


def test_dr_2_3_a_moving_pile_takes_an_empty_slot_not_a_lone_rival() -> None:
    for pack in (DEFAULT, CHECK):
        referee = lay({4: "eS", 5: "e"}, pack=pack)
        play(referee, A, ("place", 4))
        assert slots(referee) == {5: "e", 6: "eS"}
        assert referee.question == "double"


def test_dr_2_3_a_pile_is_two_pawns_at_most_so_a_moving_pile_passes_lone_rivals() -> None:
    referee = lay({4: "es", 5: "e", 6: "e"}, tiles="sbbDbdt")
    play(referee, A, ("place", 4))
    assert slots(referee) == {5: "e", 6: "e", 7: "es"}


def test_dr_2_3_a_pile_belongs_to_the_one_on_top_and_moves_as_one() -> None:
    referee = lay({3: "s", 4: "E"}, tiles="sbbDtdb")
    play(referee, A, ("place", 3))
    assert slots(referee) == {4: "Es"}
    play(referee, B)
    assert places(referee) == {0}
    play(referee, NEST, C)
    assert places(referee) == {0, 4}
    play(referee, ("place", 4), ("place", 5))
    assert slots(referee) == {5: "ES", 9: "e"}


# DR-2.4: arriving


@pytest.mark.parametrize(("letters", "bear"), [("s", 5), ("S", 6), ("es", 5), ("eS", 6), ("Es", 5)])
def test_dr_2_4_the_bear_goes_by_the_fish_visible_on_the_top_pawn(letters: str, bear: int) -> None:
    referee = lay({9: letters})
    play(referee, A, ("place", 9))
    assert (referee.bear, slots(referee)) == (bear, {})
    assert home(referee, SALMON) == "".join(sorted("ssss" + letters[-1]))
    assert home(referee, EEL) == "".join(sorted("eeee" + (letters[0] if len(letters) == 2 else "e")))
    assert turn_is_over(referee, SALMON)


def test_dr_2_4_an_eel_arrives_in_the_salmon_nest() -> None:
    referee = lay({3: "SE"}, faces="100", side=EEL)
    play(referee, A, ("place", 3))  # four steps where two do: the surplus is lost
    assert (referee.bear, slots(referee)) == (2, {})
    assert (home(referee, SALMON), home(referee, EEL)) == ("Sssss", "Eeeee")


def test_dr_2_4_arriving_by_drift_and_by_advance_moves_the_bear_too() -> None:
    referee = lay({7: "s", 9: "S"})
    play(referee, A, ("place", 7))
    assert (referee.question, places(referee)) == ("fish", {0, 8, 9})
    play(referee, ("place", 9))
    assert (referee.bear, turn_is_over(referee, SALMON)) == (6, True)
    referee = lay({4: "S", 9: "es"})
    play(referee, A, ("place", 4), ADVANCE, ("place", 9))
    assert (referee.bear, turn_is_over(referee, SALMON)) == (5, True)


# DR-3.1: small tiles


@pytest.mark.parametrize(("letter", "bear"), [("s", 4), ("S", 5), ("Es", 4), ("eS", 5)])
def test_dr_3_1_bear_is_for_double_pawns_only(letter: str, bear: int) -> None:
    referee = lay({3: letter})
    play(referee, A, ("place", 3))
    assert (slots(referee), referee.bear) == ({4: letter}, bear)
    assert turn_is_over(referee, SALMON)


def test_dr_3_1_bear_is_for_the_pawn_that_arrives_on_top() -> None:
    referee = lay({9: "E", 4: "s"}, side=EEL, tiles="bsbDsbt")
    play(referee, A, ("place", 9))
    assert referee.bear == 3
    referee = lay({3: "s", 4: "E"})
    play(referee, A, ("place", 3))
    assert referee.bear == 4


def test_dr_3_1_drift_is_compulsory_and_without_the_tiles_effect() -> None:
    referee = lay({3: "S"}, tiles="bbdDsst", doubles_home="S")
    play(referee, A, ("place", 3))
    assert referee.legal() == {NEST, NEST_DOUBLE, ("place", 4)}
    play(referee, ("place", 4))  # to the double tile, without its effect
    assert slots(referee) == {5: "S"}
    assert turn_is_over(referee, SALMON)
    referee = lay({3: "S"}, tiles="bbdDsst", doubles_home="S")
    play(referee, A, ("place", 3), NEST_DOUBLE)
    assert (slots(referee), referee.bear) == ({2: "S", 4: "S"}, 4)


def test_dr_3_1_drift_asks_where_to_stand() -> None:
    referee = lay({3: "s", 5: "e", 6: "e"}, tiles="bbdDsst")
    play(referee, A, ("place", 3), ("place", 4))
    assert (referee.question, places(referee)) == ("stand", {5, 6})
    play(referee, ("place", 5))
    assert slots(referee) == {5: "es", 6: "e"}
    assert turn_is_over(referee, SALMON)


def test_dr_3_1_swap_is_skipped_without_a_pile_and_otherwise_compulsory() -> None:
    referee = lay({2: "s", 9: "e"})
    play(referee, A, ("place", 2))
    assert turn_is_over(referee, SALMON)
    referee = lay({2: "s", 3: "E"})
    play(referee, A, ("place", 2))
    assert referee.legal() == {("place", 3)}  # the pile just formed
    play(referee, ("place", 3))
    assert slots(referee) == {3: "sE"}


def test_dr_3_1_swap_is_for_any_pile_of_either_side() -> None:
    referee = lay({2: "s", 5: "sE", 6: "eS", 9: "e"})
    play(referee, A, ("place", 2))
    assert (referee.question, places(referee)) == ("pile", {5, 6})
    play(referee, ("place", 5))
    assert slots(referee) == {3: "s", 5: "Es", 6: "eS", 9: "e"}


def test_dr_3_1_tilt_takes_a_token_from_the_rival_for_one_turn() -> None:
    referee = lay({8: "s"}, tilted=[2])
    assert referee.legal() == {A, B}
    play(referee, A, ("place", 8))
    assert referee.legal() == {("tilt", 0), ("tilt", 1), ("tilt", 2)}  # the one used and the one tilted against oneself
    play(referee, ("tilt", 2))
    assert (referee.tilted_against, referee.legal()) == ([set(), {2}], {A, B})
    play(referee, B, NEST)
    assert (referee.tilted_against, referee.legal()) == ([set(), {2}], {("tilt", 0), ("tilt", 1), ("tilt", 2)})


def test_dr_3_1_the_token_just_used_may_be_tilted_and_still_moves_and_turns() -> None:
    referee = lay({8: "s"})
    play(referee, A, ("place", 8), ("tilt", 0))
    assert (referee.tokens[0].tile, referee.tokens[0].up, referee.legal()) == (6, 1, {B, C})
    play(referee, B, NEST, ("tilt", 1))
    assert (referee.tilted_against, referee.legal()) == ([{1}, set()], {A, C})


def test_dr_3_1_no_token_is_tilted_twice_in_a_turn() -> None:
    referee = lay({7: "s", 8: "s"}, tiles="bbsDstt", faces="001")
    play(referee, C, ("place", 8), ("tilt", 1), ("place", 7))
    assert referee.legal() == {("tilt", 0), ("tilt", 2)}
    play(referee, ("tilt", 2))
    assert referee.legal() == {A}
    # The same with a single tilt tile: over a pawn of one's own to it, then on, and the other one after it.
    referee = lay({2: "S", 3: "S"}, tiles="bbtDsds", faces="001", doubles_home="SSS")
    play(referee, C, ("place", 2), ("tilt", 1), ("place", 4), ("place", 3), USE)
    assert referee.legal() == {("tilt", 0), ("tilt", 2)}
    play(referee, ("tilt", 0))
    assert referee.legal() == {C}


# DR-3.2: the double tile


def test_dr_3_2_a_single_pawn_must_turn_a_pawn() -> None:
    referee = lay({4: "s", 2: "se", 3: "es", 8: "S"}, doubles_home="S")
    play(referee, A, ("place", 4))
    assert (referee.question, referee.legal()) == ("pawn", {("place", 3), ("place", 5)})
    play(referee, ("place", 3))
    assert slots(referee) == {2: "se", 3: "eS", 5: "s", 8: "S"}
    assert turn_is_over(referee, SALMON)


def test_dr_3_2_a_pawn_in_the_nest_can_be_turned() -> None:
    referee = lay({4: "s"}, doubles_home="S")
    play(referee, A, ("place", 4))
    assert referee.legal() == {NEST, ("place", 5)}
    play(referee, NEST)
    assert (home(referee, SALMON), slots(referee)) == ("SSss", {5: "s"})


def test_dr_3_2_a_double_pawn_chooses() -> None:
    referee = lay({4: "S"}, doubles_home="SSS")
    play(referee, A, ("place", 4))
    assert (referee.question, referee.legal()) == ("double", {TURN, ADVANCE})
    play(referee, TURN)
    assert referee.legal() == {NEST}
    play(referee, NEST)
    assert home(referee, SALMON) == "SSSS"


@pytest.mark.parametrize("covered", ["se", "Se"])
def test_dr_3_2_with_nothing_to_turn_a_double_pawn_advances_unasked(covered: str) -> None:
    referee = lay({4: "S", 2: covered}, doubles_home="SSS")
    play(referee, A, ("place", 4))
    assert (referee.question, referee.legal()) == ("fish", {NEST_DOUBLE, ("place", 5)})


def test_dr_3_2_the_effect_of_the_tile_advanced_to_may_be_used() -> None:
    for answer, bear in ((USE, 5), (LEAVE, 4)):
        referee = lay({4: "S", 3: "S"})
        play(referee, A, ("place", 4), ADVANCE, ("place", 3))
        assert (referee.question, referee.legal()) == ("use", {USE, LEAVE})
        play(referee, answer)
        assert (referee.bear, slots(referee)) == (bear, {4: "S", 5: "S"})
        assert turn_is_over(referee, SALMON)


def test_dr_3_2_use_is_asked_only_where_there_is_a_target() -> None:
    referee = lay({4: "S", 3: "s"})
    play(referee, A, ("place", 4), ADVANCE, ("place", 3))  # a single pawn comes to bear
    assert turn_is_over(referee, SALMON)
    referee = lay({4: "S", 2: "s"})
    play(referee, A, ("place", 4), ADVANCE, ("place", 2))  # to swap, without a pile
    assert turn_is_over(referee, SALMON)
    referee = lay({4: "S", 2: "s", 9: "se"})
    play(referee, A, ("place", 4), ADVANCE, ("place", 2))
    assert referee.question == "use"
    play(referee, USE, ("place", 9))
    assert slots(referee)[9] == "es"


def test_dr_3_2_an_advance_passes_full_tiles() -> None:
    referee = lay({4: "S", 5: "S", 7: "es"}, tiles="bsbDtds")
    play(referee, A, ("place", 4), ADVANCE, ("place", 5))
    assert slots(referee) == {6: "S", 7: "es", 8: "S"}
    assert referee.question == "use"


def test_dr_3_2_advances_may_be_chained() -> None:
    referee = lay({4: "S"}, faces="100", tiles="sdtDbsb", doubles_home="S")
    play(referee, A, NEST_DOUBLE, ADVANCE, ("place", 4))
    assert (referee.question, slots(referee)) == ("use", {5: "S", 6: "S"})
    play(referee, USE)
    assert referee.question == "double"
    play(referee, ADVANCE, ("place", 5))
    assert (referee.question, slots(referee)) == ("use", {6: "S", 7: "S"})
    play(referee, USE)
    assert referee.bear == 5
    assert turn_is_over(referee, SALMON)


def test_dr_3_2_a_single_pawn_advanced_to_the_double_tile_turns_a_pawn_if_that_is_used() -> None:
    for answer, question in ((USE, "pawn"), (LEAVE, "token")):
        referee = lay({4: "s"}, faces="100", tiles="sdtDbsb", doubles_home="S")
        play(referee, A, NEST_DOUBLE, ADVANCE, ("place", 4), answer)
        assert referee.question == question


# DR-4: the end


def test_dr_4_1_the_bear_in_a_nest_ends_the_game_at_once() -> None:
    referee = lay({9: "S", 2: "s"}, faces="001", bear=7)
    play(referee, C, ("place", 9))
    assert (referee.bear, referee.ended, referee.winner, referee.asked) == (8, True, SALMON, None)
    assert (referee.winners, referee.draw, referee.truncated, referee.question) == ({SALMON}, False, False, "over")
    assert referee.legal() == set()
    assert (referee.tokens[2].tile, referee.tokens[2].up, referee.turns) == (7, 1, 1)
    with pytest.raises(ValueError, match="not legal"):
        referee.play(C)


def test_dr_4_1_by_tile_and_by_token() -> None:
    referee = lay({3: "S"}, bear=7)
    play(referee, A, ("place", 3))
    assert (referee.bear, referee.winner) == (8, SALMON)
    referee = lay(faces="010", side=EEL, bear=1, tiles="bsbDtds")
    play(referee, B, NEST)
    assert (referee.bear, referee.winner) == (0, EEL)


def test_dr_4_1_the_bear_in_a_nest_comes_before_the_tokens() -> None:
    referee = lay({9: "s"}, bear=7, tokens=(2, 1, 7))
    play(referee, A, ("place", 9))
    assert (referee.winner, referee.tokens[0].tile) == (SALMON, 2)


@pytest.mark.parametrize(("bear", "winner"), [(1, EEL), (3, EEL), (4, None), (5, SALMON), (7, SALMON)])
def test_dr_4_1_two_tokens_at_the_last_tile_end_the_game_after_the_turn(bear: int, winner: int | None) -> None:
    referee = lay(tokens=(2, 1, 7), bear=bear)
    play(referee, A, NEST)
    assert (referee.ended, referee.winner, referee.draw, referee.truncated) == (True, winner, winner is None, False)
    assert referee.tokens[0].tile == 1


def test_dr_4_1_what_the_last_turn_does_to_the_bear_counts() -> None:
    referee = lay(tokens=(7, 2, 1), faces="010", bear=4)
    play(referee, B, NEST)
    assert (referee.bear, referee.winner) == (5, SALMON)


def test_dr_4_1_one_token_at_the_last_tile_ends_nothing() -> None:
    referee = lay(tokens=(2, 7, 2))
    play(referee, A, NEST)
    assert not referee.ended


def test_dr_4_2_the_cap_on_turns_truncates_and_nobody_wins() -> None:
    referee = lay(tokens=(1, 7, 7), bear=5, cap=2)
    play(referee, A, NEST)
    assert not referee.ended
    play(referee, A, NEST, NEST)
    assert (referee.ended, referee.truncated, referee.winner, referee.draw) == (True, True, None, False)
    assert (referee.asked, referee.turns) == (None, 2)
    referee = lay(tokens=(2, 1, 7), bear=5, cap=1)
    play(referee, A, NEST)  # an end in the last turn is an end
    assert (referee.ended, referee.truncated, referee.winner) == (True, False, SALMON)


# The move trees of the spec

STARTS = {"first": ("bdsDtdb", "000", SALMON), "second": ("tsbDdbd", "111", EEL), "third": ("sbdDbst", "011", SALMON)}
MOVE_TREES = {
    ("first", "default"): [3, 14, 354, 10_925],
    ("second", "default"): [19, 166, 7_950, 97_855],
    ("third", "default"): [4, 41, 648, 6_324],
    ("first", "check"): [4, 26, 479, 17_495],
    ("second", "check"): [19, 115, 4_644, 87_734],
    ("third", "check"): [4, 34, 509, 9_125],
}


def facts(referee: Referee) -> tuple:
    """All that a table at the start of a turn is: two with the same facts go on alike."""
    return (
        tuple(letters_of(slot) for slot in referee.river.slots.values()),
        home(referee, SALMON),
        home(referee, EEL),
        tuple((token.tile, token.up) for token in referee.tokens),
        tuple(frozenset(tilted) for tilted in referee.tilted_against),
        (referee.bear, referee.side, referee.ended, referee.winner),
    )


def same_table(pack: Pack, deal: Deal, table: Referee) -> Referee:
    """Another referee at the same table, at the start of a turn."""
    referee = Referee(pack, deal)
    for place, slot in table.river.slots.items():
        referee.river.slots[place] = [Pawn(pawn.side, pawn.double) for pawn in slot]
    referee.river.nests = [[Pawn(pawn.side, pawn.double) for pawn in nest] for nest in table.river.nests]
    referee.tokens = [CurrentToken(token.faces, token.up, token.tile) for token in table.tokens]
    referee.tilted_against = [set(tilted) for tilted in table.tilted_against]
    referee.bear, referee.side, referee.turns = table.bear, table.side, 0
    referee.begin()
    return referee


def ways_of_a_turn(pack: Pack, deal: Deal, table: Referee) -> list[Referee]:
    """Every choice sequence of one turn, each as the table that it leads to."""
    ends = []
    unfinished: list[tuple[Action, ...]] = [()]
    while unfinished:
        actions = unfinished.pop()
        referee = same_table(pack, deal, table)
        play(referee, *actions)
        while referee.turns == 1 and not referee.ended:
            first, *others = sorted(referee.legal())
            unfinished += [(*actions, other) for other in others]
            actions = (*actions, first)
            referee.play(first)
        ends.append(referee)
    return ends


def count_sequences(pack: Pack, deal: Deal, turns: int) -> list[int]:
    """How many choice sequences there are after one turn, after two, and so on; like tables are gone into once."""
    counts = []
    pack = pack.with_small_tiles(small_tiles_of(deal))
    tables = {(): (Referee(pack, deal), 1)}  # each table by its facts, and how many sequences lead to it
    for turn in range(1, turns + 1):
        counts.append(0)
        reached: dict[tuple, tuple[Referee, int]] = {}
        for table, number in tables.values():
            ends = ways_of_a_turn(pack, deal, table)
            counts[-1] += number * len(ends)
            for end in ends if turn < turns else []:
                assert not end.ended  # a bear four steps away isn't home after three turns of these starts
                known, known_number = reached.get(facts(end), (end, 0))
                reached[facts(end)] = known, known_number + number
        tables = reached
    return counts


@pytest.mark.parametrize(("tree", "name"), MOVE_TREES)
def test_the_move_trees_of_the_spec_to_three_turns(tree: str, name: str) -> None:
    assert count_sequences(PACKS[name], deal_of(*STARTS[tree]), 3) == MOVE_TREES[tree, name][:3]


@pytest.mark.slow
@pytest.mark.parametrize(("tree", "name"), MOVE_TREES)
def test_the_move_trees_of_the_spec_to_four_turns(tree: str, name: str) -> None:
    assert count_sequences(PACKS[name], deal_of(*STARTS[tree]), 4) == MOVE_TREES[tree, name]


# Random play


def random_deal(pack: Pack, generator: random.Random) -> Deal:
    small = generator.sample(pack.small_tiles, 6)
    faces = tuple(generator.randrange(2) for _ in range(3))
    return Deal((*small[:3], "double", *small[3:]), faces, generator.randrange(2))


def random_pack(generator: random.Random) -> Pack:
    """Any six small tiles with the default or the check pack's tokens."""
    pack = generator.choice([DEFAULT, CHECK])
    return pack.with_small_tiles(tuple(generator.choice(["bear", "drift", "swap", "tilt"]) for _ in range(6)))


def assert_pawns_are_conserved(referee: Referee) -> None:
    pawns = [pawn for slot in referee.river.slots.values() for pawn in slot]
    pawns += referee.river.nests[SALMON] + referee.river.nests[EEL]
    assert len({id(pawn) for pawn in pawns}) == len(pawns) == 10
    assert [pawn.side for pawn in pawns].count(SALMON) == 5
    for side in (SALMON, EEL):
        assert {pawn.side for pawn in referee.river.nests[side]} <= {side}
    for slot in referee.river.slots.values():
        assert len(slot) <= 2
        assert len({pawn.side for pawn in slot}) == len(slot)


def assert_bounds(referee: Referee) -> None:
    assert 0 <= referee.bear <= 8
    assert referee.ended or 1 <= referee.bear <= 7
    assert all(1 <= token.tile <= 7 for token in referee.tokens)
    assert all(len(tilted) <= 2 for tilted in referee.tilted_against)
    assert referee.ended or sum(token.tile == 1 for token in referee.tokens) < 2


def doubles(referee: Referee) -> int:
    pawns = [pawn for slot in referee.river.slots.values() for pawn in slot]
    return sum(pawn.double for pawn in pawns + referee.river.nests[SALMON] + referee.river.nests[EEL])


def assert_well_ended(referee: Referee) -> None:
    assert referee.asked is None
    assert referee.legal() == set()
    assert not referee.truncated
    if referee.bear in {0, 8}:
        assert referee.winner == (SALMON if referee.bear == 8 else EEL)
        return
    assert sum(token.tile == 1 for token in referee.tokens) == 2
    assert referee.draw == (referee.bear == 4)
    assert referee.winner == (None if referee.bear == 4 else SALMON if referee.bear > 4 else EEL)


@pytest.mark.parametrize("name", ["default", "check", "any"])
def test_random_games_keep_their_invariants(name: str) -> None:
    questions = set()
    for game in range(150):
        generator = random.Random(f"{name} {game}")
        pack = PACKS[name] if name in PACKS else random_pack(generator)
        referee = Referee(pack, random_deal(pack, generator))
        shown, up_before = 0, [token.up for token in referee.tokens]
        while referee.asked is not None:
            actions = sorted(referee.legal())
            assert actions
            assert referee.asked == referee.side
            questions.add(referee.question)
            turn = referee.turns
            referee.play(generator.choice(actions))
            assert_pawns_are_conserved(referee)
            assert_bounds(referee)
            assert doubles(referee) >= shown
            shown = doubles(referee)
            if referee.turns > turn:
                up = [token.up for token in referee.tokens]
                assert sum(one != other for one, other in zip(up, up_before, strict=True)) == 1
                up_before = up
        assert referee.ended
        assert_well_ended(referee)
    assert questions == {"token", "fish", "stand", "pile", "tilt", "double", "pawn", "use"}


@pytest.mark.parametrize("name", PACKS)
def test_the_same_answers_make_the_same_game(name: str) -> None:
    generator = random.Random(name)
    deal = random_deal(PACKS[name], generator)
    first, second = Referee(PACKS[name], deal), Referee(PACKS[name], deal)
    while first.asked is not None:
        action = generator.choice(sorted(first.legal()))
        first.play(action)
        second.play(action)
        assert facts(first) == facts(second)
    assert second.ended
