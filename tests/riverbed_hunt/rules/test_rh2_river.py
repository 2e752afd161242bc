"""RH-2: the river, its layouts, reach and moves."""

from pathlib import Path

import pytest

from riverbed_env.errors import OptionError, PackError
from riverbed_env.games.riverbed_hunt.content.pack import load_pack, make_params
from riverbed_env.games.riverbed_hunt.rules.board import place_of
from riverbed_env.games.riverbed_hunt.rules.vocab import Refusal
from riverbed_hunt.dealt import SEATS, Dealt, edited_pack
from riverbed_hunt.scene import Scene

# RH-2.2, as drawn there.
GRID = (
    (1, 2, 3, 4),
    (8, 7, 6, 5),
    (9, 10, 11, 12),
    (16, 15, 14, 13),
)
PLACE = {space: (row, column) for row, line in enumerate(GRID) for column, space in enumerate(line)}
LAND_LINKS = ((1, 8), (2, 7), (3, 6), (5, 12), (6, 11), (7, 10), (9, 16), (10, 15), (11, 14))
SPACES = range(1, 17)

LAYOUTS = {  # players, layout -> empty spaces
    (4, "bends"): {1, 5, 9, 13},
    (4, "corners"): {1, 4, 13, 16},
    (4, "springs"): {1, 6, 10, 16},
    (5, "springs"): {1, 16},
    (5, "bends"): {5, 9},
    (5, "islands"): {6, 10},
    (6, "springs"): {1, 16},
    (6, "bends"): {5, 9},
    (6, "islands"): {6, 10},
    (7, "full"): set(),
    (8, "full"): set(),
    (9, "full"): set(),
}
EVERY_LAYOUT = pytest.mark.parametrize(("players", "layout"), LAYOUTS)
BOARDS = [key for key in LAYOUTS if key[0] in {4, 5, 7}]  # every board once
EVERY_BOARD = pytest.mark.parametrize(("players", "layout"), BOARDS)


def land(space: int) -> set[int]:
    return {other for link in LAND_LINKS if space in link for other in link if other != space}


def spaces(scene: Scene) -> set[int]:
    """The spaces the asked seat may choose; nothing else is legal."""
    legal = scene.legal()
    assert all(words.startswith("space ") for words in legal)
    return {int(words.split()[1]) for words in legal}


def scene_at(space: int, players: int, layout: str, *cards: str) -> Scene:
    return Scene(SEATS[players], layout=layout, at=space, hands={0: cards})


@pytest.mark.parametrize("space", SPACES)
def test_rh_2_1_water_joins_a_space_to_the_one_before_and_the_one_after(space: int) -> None:
    scene = scene_at(space, 7, "full", "Stepping Stone").play("Stepping Stone")
    assert spaces(scene) == {space - 1, space + 1} & set(range(1, 17))


def test_rh_2_2_the_path_snakes_through_the_grid() -> None:
    assert {space: place_of(space - 1) for space in SPACES} == PLACE


@pytest.mark.parametrize("space", [space for space in SPACES if space not in {4, 13}])
def test_rh_2_2_land_joins_the_other_grid_neighbours(space: int) -> None:
    scene = scene_at(space, 7, "full", "Slip Away").play("Slip Away")
    assert spaces(scene) == land(space)


@pytest.mark.parametrize("space", [4, 13])
def test_rh_2_2_two_corners_have_no_land_link(space: int) -> None:
    scene_at(space, 7, "full", "Slip Away").expect(refusal={"Slip Away": Refusal.CARD_IMPOSSIBLE})


@pytest.mark.parametrize("tile", [7, 10])  # texts O and D
@pytest.mark.parametrize("space", SPACES)
def test_rh_2_2_orthogonal_and_diagonal_are_the_referees(space: int, tile: int) -> None:
    Scene(SEATS[7], at=space, tiles={space: tile}).play("CO_OP", "seat 1", "REVEAL", f"space {space}")


@pytest.mark.parametrize(
    ("space", "sides", "corners"),
    [
        (1, {2, 8}, {7}),
        (4, {3, 5}, {6}),
        (6, {3, 5, 7, 11}, {2, 4, 10, 12}),
        (7, {2, 6, 8, 10}, {1, 3, 9, 11}),
        (8, {1, 7, 9}, {2, 10}),
        (12, {5, 11, 13}, {6, 14}),
        (14, {11, 13, 15}, {10, 12}),
        (16, {9, 15}, {10}),
    ],
)
def test_rh_2_2_neighbours_read_off_the_drawing(space: int, sides: set[int], corners: set[int]) -> None:
    params = Scene(SEATS[7]).params
    assert int(params["orthogonal"][space - 1]) == sum(1 << (near - 1) for near in sides)
    assert int(params["diagonal"][space - 1]) == sum(1 << (near - 1) for near in corners)


@EVERY_LAYOUT
def test_rh_2_3_a_layout_by_name(players: int, layout: str) -> None:
    game = Dealt(players, layout=layout)
    assert spaces(game) == set(SPACES) - LAYOUTS[players, layout]


@pytest.mark.parametrize("players", SEATS)
def test_rh_2_3_the_layouts_and_the_default_one(players: int) -> None:
    names = [layout for count, layout in LAYOUTS if count == players]
    assert [layout.name for layout in load_pack().layouts(players)] == names
    assert spaces(Dealt(players)) == set(SPACES) - LAYOUTS[players, names[0]]


@pytest.mark.parametrize("players", [4, 5, 6])
def test_rh_2_3_a_layout_drawn_by_the_seed(players: int) -> None:
    boards = [set(SPACES) - spaces(Dealt(players, layout="random", seed=seed)) for seed in range(60)]
    named = [empty for (count, _), empty in LAYOUTS.items() if count == players]
    assert all(board in named for board in boards)
    assert all(empty in boards for empty in named)
    assert boards == [set(SPACES) - spaces(Dealt(players, layout="random", seed=seed)) for seed in range(60)]


@pytest.mark.parametrize("players", [4, 5, 6])
def test_rh_2_3_a_drawn_layout_has_its_own_reach_and_moves(players: int) -> None:
    for seed in range(12):  # the referee says which
        Dealt(players, layout="random", seed=seed).play(*["space 7"] * players, "DIVE", "space 7", "END_TURN", "SWIM")


@pytest.mark.parametrize(("players", "layout"), [(4, "islands"), (5, "corners"), (7, "bends"), (6, "full"), (5, "")])
def test_rh_2_3_a_layout_of_another_player_count_is_refused(players: int, layout: str) -> None:
    with pytest.raises(OptionError):
        make_params(players, layout=layout)


@pytest.mark.parametrize("empty", ["5, 6", "8, 1", "9, 16", "11, 6"])
def test_rh_2_3_a_pack_with_neighbouring_empty_spaces_is_refused(tmp_path: Path, empty: str) -> None:
    path = edited_pack(tmp_path, ("empty = [6, 10]", f"empty = [{empty}]"))
    with pytest.raises(PackError, match=r"edited\.toml.*islands.*neighbours"):
        load_pack(path)


@pytest.mark.parametrize("empty", ["1, 7", "6, 12", "5, 10", "4, 13"])
def test_rh_2_3_diagonal_or_distant_empty_spaces_are_allowed(tmp_path: Path, empty: str) -> None:
    path = edited_pack(tmp_path, ("empty = [6, 10]", f"empty = [{empty}]"))
    assert len(load_pack(path).layouts(5)) == 3


@EVERY_BOARD
def test_rh_2_4_reach_is_the_own_tile_and_the_next_one_on_either_side(players: int, layout: str) -> None:
    for space in set(SPACES) - LAYOUTS[players, layout]:
        found = spaces(scene_at(space, players, layout).play("DIVE"))
        assert space in found
        assert len(found) in {2, 3}


@pytest.mark.parametrize(
    ("players", "layout", "space", "within"),
    [
        (7, "full", 1, {1, 2}),
        (7, "full", 2, {1, 2, 3}),
        (7, "full", 8, {7, 8, 9}),  # not 1, which only land joins
        (7, "full", 16, {15, 16}),
        (5, "springs", 2, {2, 3}),
        (5, "springs", 15, {14, 15}),
        (5, "bends", 4, {3, 4, 6}),
        (5, "bends", 6, {4, 6, 7}),
        (5, "islands", 7, {5, 7, 8}),
        (4, "bends", 2, {2, 3}),
        (4, "bends", 10, {8, 10, 11}),
        (4, "corners", 3, {2, 3, 5}),
        (4, "springs", 5, {4, 5, 7}),
    ],
)
def test_rh_2_4_empty_spaces_are_skipped(players: int, layout: str, space: int, within: set[int]) -> None:
    assert spaces(scene_at(space, players, layout).play("DIVE")) == within


def test_rh_2_4_a_face_up_tile_is_not_skipped() -> None:
    scene = Scene(SEATS[7], at=7, tiles={6: 1}, up=[6])
    assert spaces(scene.play("DIVE")) == {7, 8}


def test_rh_2_4_an_asked_player_reaches_past_an_empty_space() -> None:
    scene = Scene(SEATS[5], layout="bends", at=[12, 6, 12, 12, 12]).play("CO_OP", "seat 1", "REVEAL")
    assert spaces(scene) == {4, 6, 7}


def test_rh_2_5_any_reaches_the_whole_board() -> None:
    scene = Scene(SEATS[5], layout="bends", at=7, hands={0: ["Spyglass"]}).play("Spyglass")
    assert spaces(scene) == set(SPACES) - {5, 9}


def test_rh_2_5_any_reaches_face_down_tiles_only_where_it_says_so() -> None:
    scene = Scene(SEATS[7], at=7, tiles={1: 1, 16: 4}, up=[1, 16], hands={0: ["Spyglass"]}).play("Spyglass")
    assert spaces(scene) == set(range(2, 16))


def test_rh_2_5_any_meeple_is_ones_own_too() -> None:
    scene = Scene(SEATS[7], at=7, hands={0: ["Swimming Hole"]}).play("Swimming Hole")
    scene.expect(legal={f"seat {seat}" for seat in range(7)}).play("seat 0", "space 5").expect(position={0: 5})


def test_rh_2_5_a_distant_meeple_moves_from_its_own_space() -> None:
    scene = Scene(SEATS[7], at=[7, 16, 7, 7, 7, 7, 7], hands={0: ["Swimming Hole"]})
    assert spaces(scene.play("Swimming Hole", "seat 1")) == {15, 14, 9}


@pytest.mark.parametrize("card", ["Clear Water", "Shared Secret"])
def test_rh_2_5_without_any_only_what_is_within_reach(card: str) -> None:
    scene = Scene(SEATS[7], at=7, hands={0: [card]}).play(card)
    if card == "Shared Secret":
        scene.play("seat 3")
    assert spaces(scene) == {6, 7, 8}


def test_rh_2_5_reach_is_of_the_player_who_carries_it_out() -> None:
    at = [7, 2, 12, 7, 7, 7, 7]
    asked = Scene(SEATS[7], at=at).play("CO_OP", "seat 2", "REVEAL")
    assert spaces(asked) == {11, 12, 13}
    called = Scene(SEATS[7], at=at, hands={0: ["Rallying Call"]}).play("Rallying Call", "seat 1").expect(asked=1)
    assert spaces(called) == {1, 2, 3}


def test_rh_2_5_a_tiles_text_reaches_what_the_revealer_reaches(tmp_path: Path) -> None:
    pack = edited_pack(
        tmp_path,
        (
            'effects = [{ effect = "reveal", scope = "orthogonal", may = true }]',
            'effects = [{ effect = "reveal", scope = "within reach", may = true }]',
        ),
    )
    scene = Scene(SEATS[7], at=[12, 3, 12, 12, 12, 12, 12], tiles={4: 7}, pack=pack)
    scene.play("CO_OP", "seat 1", "REVEAL", "space 4").expect(asked=1, legal={"STOP", "space 2", "space 3"})


def moving(space: int, players: int, layout: str, *played: str) -> Scene:
    """A scene in which the active player may play this action or card at this space."""
    return scene_at(space, players, layout, *[words for words in played[:1] if words != "SWIM"])


@EVERY_BOARD
@pytest.mark.parametrize(
    "played", [("SWIM",), ("Swimming Hole", "seat 2"), ("Stepping Stone",), ("Slip Away",)], ids=" ".join
)
def test_rh_2_6_where_a_move_can_end_is_where_the_referee_says(
    played: tuple[str, ...], players: int, layout: str
) -> None:
    for space in set(SPACES) - LAYOUTS[players, layout]:
        scene = moving(space, players, layout, *played)
        if played[0] in scene.legal():
            assert space not in spaces(scene.play(*played))
        else:
            scene.expect(refusal={played[0]: Refusal.CARD_IMPOSSIBLE})


# Read off the drawing: players, layout, space and where the move can end. Over an empty space it goes on.
DRAWN: dict[str, list[tuple[int, str, int, set[int]]]] = {
    "SWIM": [
        (7, "full", 1, {2, 3, 8}),
        (7, "full", 4, {2, 3, 5, 6}),
        (7, "full", 7, {2, 5, 6, 8, 9, 10}),
        (7, "full", 8, {1, 6, 7, 9, 10}),
        (7, "full", 13, {11, 12, 14, 15}),
        (7, "full", 16, {9, 14, 15}),
        (5, "springs", 2, {3, 4, 7, 8}),  # over 1 by water and on by land to 8
        (5, "springs", 9, {7, 8, 10, 11, 15}),  # over 16 by land and on by water to 15
        (5, "islands", 11, {5, 7, 3, 12, 13, 14, 9, 15}),
        (4, "bends", 3, {2, 4, 6, 8, 12}),
        (4, "corners", 3, {2, 5, 6, 8}),
    ],
    "Stepping Stone": [
        (5, "bends", 6, {4, 7, 12}),
        (5, "bends", 4, {3, 6, 12}),
        (5, "bends", 8, {7, 10, 16}),
        (5, "bends", 10, {8, 11, 16}),
    ],
    "Slip Away": [
        (5, "bends", 12, {4, 6}),
        (5, "bends", 16, {8, 10}),
        (5, "bends", 7, {2, 10}),
        (5, "bends", 11, {6, 14}),
    ],
}


@pytest.mark.parametrize("move", DRAWN)
def test_rh_2_6_where_moves_end_by_the_drawing(move: str) -> None:
    for players, layout, space, ends in DRAWN[move]:
        assert spaces(moving(space, players, layout, move).play(move)) == ends, (layout, space)


def test_rh_2_6_destinations_depend_on_nothing_but_space_and_layout() -> None:
    before = spaces(Scene(SEATS[5], layout="bends", at=7).play("SWIM"))
    crowded = Scene(SEATS[5], layout="bends", at=[7, 6, 8, 2, 4], up=[6, 7, 8], seed=9).play("SWIM")
    assert spaces(crowded) == before


def test_example_e3_the_swim_from_space_7() -> None:
    # A: 5 and 9 are empty; B: the spaces beyond them; C: two steps across land; D: one step by water.
    scene = scene_at(7, 5, "bends").play("SWIM")
    one_step, across, past_5, past_9 = {6, 8}, {2, 10}, {4, 12}, {16}
    assert spaces(scene) == one_step | across | past_5 | past_9
    scene.refuses("space 5", "space 9")


def test_example_e3_the_swimmer_draws_a_card_and_may_play_it_at_once() -> None:
    scene = Scene(SEATS[5], layout="bends", at=7, deck=["Clear Water", "Silt"]).play("SWIM", "space 12")
    scene.expect(position={0: 12}, hand={0: ["Clear Water"]}).play("Clear Water")
    assert spaces(scene) == {11, 12, 13}
