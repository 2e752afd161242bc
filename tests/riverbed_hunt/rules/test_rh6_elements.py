"""RH-6: elements, tracks and the end, and the tiles themselves."""

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from riverbed_env import make_batch
from riverbed_env.errors import StateError
from riverbed_env.games.riverbed_hunt.content.pack import load_pack, make_params
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    CAMP_OF,
    NOBODY,
    Camp,
    Ending,
    Event,
    Question,
    Refusal,
    Role,
    Source,
)
from riverbed_env.kernels.common import newest_event
from riverbed_hunt.dealt import SEATS, edited_pack
from riverbed_hunt.scene import Scene
from riverbed_hunt.seven import spaces

COUNTS = pytest.mark.parametrize("players", [4, 5, 6, 7, 8, 9])
ENDPOINTS = {4: (5, 5, 4), 5: (6, 6, 5), 6: (6, 5, 4), 7: (7, 7, 5), 8: (8, 8, 5), 9: (10, 10, 7)}  # kelp, log, coin
TILES = {  # layers from the top; hunt icon
    1: (["1 kelp"], False),
    2: (["1 kelp", "1 coin"], False),
    3: (["2 kelp"], False),
    4: (["1 log"], True),
    5: (["1 log", "1 coin"], True),
    6: (["2 log"], True),
    7: (["text O"], True),
    8: (["2 kelp", "1 log"], False),
    9: (["2 log", "1 kelp"], True),
    10: (["text D", "2 coin"], False),
    11: (["1 coin", "1 log"], True),
    12: (["text S"], False),
    13: (["2 kelp", "1 coin"], False),
    14: (["1 log", "1 coin"], True),
    15: (["3 kelp", "1 coin"], False),
    16: (["3 log"], True),
    17: (["2 log", "1 coin"], True),
    18: (["2 coin", "2 kelp", "1 log"], False),
}
ELEMENTS = {  # kelp, log, coin
    tile: tuple(sum(int(layer[0]) for layer in layers if layer[2:] == kind) for kind in ("kelp", "log", "coin"))
    for tile, (layers, _) in TILES.items()
}


# A text X that turns down any face-up tile, itself too.
def text_x(*effects: str) -> tuple[str, str]:
    """The change that gives the pack a text X of these effects."""
    text = f'[[text]]\nname = "X"\nwords = "as a test wants it"\neffects = [{", ".join(effects)}]\n'
    return "[[tile]]\nnumber = 1\n", f'{text}source = "reconstructed"\n\n[[tile]]\nnumber = 1\n'


FLIP_ANY, DRAW = '{ effect = "flip down", scope = "any" }', '{ effect = "draw", amount = 1 }'
TEXT_X = text_x(FLIP_ANY)
TILE_7 = 'layers = ["text O"]'
TILE_10 = 'layers = ["text D", "2 coin"]'
TILE_12 = 'layers = ["text S"]'


def seven(tiles: dict[int, int], **options: object) -> Scene:
    """Seven players on space 7 of the full board (left 8, right 6, above 2, below 10)."""
    return Scene(SEATS[7], tiles=tiles, **{"at": 7, **options})  # type: ignore[arg-type]


def reveal(scene: Scene, space: int, seat: int = 1) -> Scene:
    """A co-op in which the seat reveals the tile on the space."""
    return scene.play("CO_OP", f"seat {seat}", "REVEAL", f"space {space}")


def test_rh_6_1_tiles_and_their_layers() -> None:
    assert {tile.number: (tile.layers, tile.hunt) for tile in load_pack().content.tile} == TILES


def test_rh_6_1_texts_of_the_default_pack() -> None:
    texts = {
        name: [(effect.effect, effect.scope, effect.may) for effect in text.effects]
        for name, text in load_pack().texts.items()
    }
    assert texts == {
        "O": [("reveal", "orthogonal", True)],
        "D": [("reveal", "diagonal", True)],
        "S": [("shuffle", "orthogonal", False)],
    }


@COUNTS
def test_rh_6_1_elements_move_their_tracks(players: int) -> None:
    for tile in (int(tile) for tile in make_params(players)[0][0]["tiles"] if tile):
        scene = reveal(Scene(SEATS[players], at=7, tiles={7: tile}), 7)
        if tile in {7, 10}:
            scene.expect(question=Question.REVEAL).play("STOP")
        scene.expect(tracks=ELEMENTS[tile])
        assert 7 in scene.face_up()
        assert int(scene.table["tile"][6]) == tile
        scene.expect(question=Question.TURN, over=False)


def test_rh_6_1_elements_add_up() -> None:
    scene = reveal(seven({6: 2, 7: 9, 8: 5}), 6)
    scene.play("END_TURN")
    scene.play("CO_OP", "seat 2", "REVEAL", "space 7", "END_TURN", "CO_OP", "seat 3", "REVEAL", "space 8")
    scene.expect(tracks=(2, 3, 2), face_up={6, 7, 8})


@pytest.mark.parametrize("by", ["co-op", "uncover", "Rallying Call", "Delusion"])
def test_rh_6_1_however_a_tile_is_turned_up(by: str) -> None:
    scene = seven({6: 12, 7: 9}, up=[6], hands={0: ["Rallying Call", "Delusion"]})
    actions = {
        "co-op": ("CO_OP", "seat 1", "REVEAL", "space 7"),
        "uncover": ("UNCOVER", "Delusion", "space 7"),
        "Rallying Call": ("Rallying Call", "seat 1", "space 7"),
        "Delusion": ("Delusion", "space 6", "space 7"),
    }
    scene.play(*actions[by]).expect(tracks=(1, 2, 0))


@pytest.mark.parametrize("tile", [4, 9])
def test_rh_6_1_a_viewed_tile_is_not_carried_out(tile: int) -> None:
    scene = seven({7: tile}, hands={0: ["Clear Water"]}).play("Clear Water", "space 7", "DIVE", "space 7")
    scene.expect(tracks=(0, 0, 0), face_up=set())


def test_rh_6_1_a_text_above_waits_with_the_elements_below() -> None:
    scene = reveal(seven({7: 10, 1: 4}), 7)  # text D above 2 coins
    scene.expect(tracks=(0, 0, 0)).play("space 1").expect(tracks=(0, 1, 2))


def test_rh_6_1_a_text_takes_effect_at_its_place(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, (TILE_7, 'layers = ["1 kelp", "text O", "1 log"]'))
    scene = reveal(seven({7: 7, 10: 5}, pack=pack), 7).expect(tracks=(1, 0, 0), question=Question.REVEAL)
    scene.play("space 10").expect(tracks=(1, 2, 1))


def test_rh_6_1_a_text_at_the_bottom_comes_last(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, (TILE_7, 'layers = ["1 kelp", "1 log", "text O"]'))
    scene = reveal(seven({7: 7}, pack=pack), 7)
    scene.expect(tracks=(1, 1, 0), legal={"STOP", "space 2", "space 6", "space 8", "space 10"})


@pytest.mark.parametrize(
    ("reveals", "camp", "tracks"), [("STOP", Camp.PROFITEER, (6, 0, 5)), ("space 1", Camp.MERCHANTS, (7, 0, 3))]
)
def test_rh_6_1_a_tile_revealed_by_a_text_counts_before_the_layers_below(
    reveals: str, camp: Camp, tracks: tuple[int, int, int]
) -> None:
    reveal(seven({7: 10, 1: 1}, tracks=(6, 0, 3)), 7).play(reveals).expect(won_by=camp, tracks=tracks)


# the texts O (the tiles beside) and D (those at the corners)

OFFERED: dict[str, tuple[dict[int, int], int, dict[str, Any], set[str]]] = {
    # the tiles, where the text is revealed, how the scene is drawn, what is offered besides STOP
    "O: the tile's neighbours, not the revealer's": ({6: 7}, 6, {}, spaces(3, 5, 7, 11)),
    "O: not what lies face-up": ({7: 7, 2: 1, 6: 4}, 7, {"up": [2, 6]}, spaces(8, 10)),
    "O: no empty space": ({7: 7}, 7, {"roles": SEATS[5], "layout": "islands"}, spaces(2, 8)),
    "D: the tile's corners": ({6: 10}, 6, {"at": 6}, spaces(2, 4, 10, 12)),
    "D: both of two corners": ({8: 10, 10: 4}, 8, {"roles": SEATS[5], "layout": "bends", "at": 8}, spaces(2, 10)),
    "D: no empty corner": ({8: 10}, 8, {"roles": SEATS[5], "layout": "islands", "at": 8}, spaces(2)),
}


@pytest.mark.parametrize("what", OFFERED)
def test_rh_6_1_what_a_text_offers(what: str) -> None:
    tiles, space, drawing, offered = OFFERED[what]
    reveal(Scene(**{"roles": SEATS[7], "at": 7, "tiles": tiles, **drawing}), space).expect(legal={"STOP", *offered})


@pytest.mark.parametrize(
    ("tiles", "chosen", "tracks"),
    [
        ({7: 7, 10: 9}, "space 10", (1, 2, 0)),
        ({7: 7, 10: 1}, "space 10", (1, 0, 0)),
        ({7: 7}, "STOP", (0, 0, 0)),
        ({7: 10}, "STOP", (0, 0, 2)),
    ],
)
def test_rh_6_1_a_text_turns_one_tile_up_or_is_declined(
    tiles: dict[int, int], chosen: str, tracks: tuple[int, int, int]
) -> None:
    scene = reveal(seven(tiles), 7).play(chosen)
    scene.expect(tracks=tracks, asked=0, question=Question.TURN, face_up={7} if chosen == "STOP" else {7, 10})


@pytest.mark.parametrize(
    ("tiles", "tracks"), [({7: 7, 2: 1, 6: 4, 8: 12, 10: 2}, (2, 1, 1)), ({7: 10, 1: 1, 3: 4, 9: 12, 11: 7}, (1, 1, 2))]
)
def test_rh_6_1_a_text_with_nothing_to_turn_up_is_skipped(tiles: dict[int, int], tracks: tuple[int, int, int]) -> None:
    scene = seven(tiles, up=[space for space in tiles if space != 7])
    reveal(scene, 7).expect(question=Question.TURN, tracks=tracks)


def test_rh_6_1_a_text_revealed_by_a_text_works_from_its_own_space() -> None:
    scene = reveal(seven({7: 7, 6: 10, 12: 4}), 7).play("space 6")
    scene.expect(legal={"STOP", "space 2", "space 4", "space 10", "space 12"})
    scene.play("space 12").expect(tracks=(0, 1, 2), face_up={6, 7, 12}, question=Question.TURN)


def test_rh_6_1_a_text_does_not_offer_the_tile_that_led_to_it(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, (TILE_12, 'layers = ["text O"]'))
    reveal(seven({7: 7, 6: 12}, pack=pack), 7).play("space 6").expect(legal={"STOP", "space 3", "space 5", "space 11"})


# text S


def test_rh_6_1_text_s_shuffles_the_tiles_beside_it() -> None:
    beside = {2: 1, 6: 4, 8: 3, 10: 9}
    seen = set()
    for seed in range(200):
        scene = reveal(seven({7: 12, **beside}, seed=seed), 7)
        lying = tuple(int(scene.game["tile_at"][space - 1]) for space in (2, 6, 8, 10))
        assert sorted(lying) == [1, 3, 4, 9]
        scene.expect(face_up={7}, tracks=(0, 0, 0))
        seen.add(lying)
    assert seen == set(permutations((1, 4, 3, 9)))


def test_rh_6_1_text_s_leaves_all_other_tiles_in_their_places() -> None:
    for seed in range(30):
        scene = seven({7: 12}, up=[6], seed=seed)
        before = [int(tile) for tile in scene.game["tile_at"]]
        reveal(scene, 7)
        after = [int(tile) for tile in scene.game["tile_at"]]
        assert all(before[space - 1] == after[space - 1] for space in range(1, 17) if space not in {2, 8, 10})
        assert int(scene.table["tile"][5]) == before[5]


def test_rh_6_1_text_s_leaves_out_empty_spaces() -> None:
    seen = set()
    for seed in range(30):
        scene = reveal(Scene(SEATS[5], layout="islands", at=7, tiles={7: 12, 2: 1, 8: 4}, seed=seed), 7)
        assert int(scene.game["tile_at"][5]) == int(scene.game["tile_at"][9]) == 0
        seen.add((int(scene.game["tile_at"][1]), int(scene.game["tile_at"][7])))
    assert seen == {(1, 4), (4, 1)}


def test_rh_6_1_text_s_ends_what_was_known_of_the_tiles_beside_it() -> None:
    scene = seven({7: 12, 8: 4}, hands={0: ["Clear Water"]}).play("Clear Water", "space 8").expect(known={0: {8: 4}})
    reveal(scene, 7).expect(possible={(0, 4): {2, 6, 8, 10}})


@pytest.mark.parametrize("up", [[2, 6, 10], [2, 6, 8, 10]])
def test_rh_6_1_text_s_with_one_tile_or_none_beside_it_does_nothing(up: list[int]) -> None:
    scene = seven({7: 12, 2: 1, 6: 7, 8: 4, 10: 2}, up=up)
    before = scene.game["tile_at"].copy()
    reveal(scene, 7)
    assert (scene.game["tile_at"] == before).all()
    assert Event.SHUFFLE not in scene.events()
    scene.expect(question=Question.TURN)


# the revealer


@pytest.mark.parametrize(
    ("hand", "played", "revealer"),
    [
        ("Rallying Call", ("Rallying Call", "seat 5", "space 7"), 5),
        ("Spyglass", ("UNCOVER", "Spyglass", "space 7"), 0),
        ("Delusion", ("Delusion", "space 6", "space 7"), 0),
    ],
)
def test_rh_6_1_the_called_player_or_the_active_one_is_the_revealer(
    hand: str, played: tuple[str, ...], revealer: int
) -> None:
    up = [6] if hand == "Delusion" else []
    scene = seven({7: 7, 6: 1}, up=up, hands={0: [hand]}).play(*played)
    scene.expect(asked=revealer, legal={"STOP", *spaces(2, 6, 8, 10)})


@COUNTS
def test_rh_6_2_endpoints(players: int) -> None:
    endpoints = load_pack().players(players).endpoints
    assert (endpoints.kelp, endpoints.log, endpoints.coin) == ENDPOINTS[players]
    assert tuple(int(end) for end in make_params(players)[0][0]["endpoints"]) == ENDPOINTS[players]


@COUNTS
@pytest.mark.parametrize(
    ("tile", "track", "steps"), [(1, 0, 1), (4, 1, 1), (2, 2, 1), (3, 0, 2), (6, 1, 2), (10, 2, 2)]
)
def test_rh_6_2_a_track_that_reaches_or_passes_its_endpoint_ends_the_game(
    players: int, tile: int, track: int, steps: int
) -> None:
    def revealed(short_of_the_end: int) -> Scene:
        tracks = [0, 0, 0]
        tracks[track] = ENDPOINTS[players][track] - short_of_the_end
        scene = reveal(Scene(SEATS[players], at=7, tiles={7: tile}, tracks=(tracks[0], tracks[1], tracks[2])), 7)
        return scene.play("STOP") if tile == 10 else scene

    revealed(steps + 1).expect(over=False)
    revealed(steps).expect(won_by=Camp(track))
    passed = revealed(1).expect(won_by=Camp(track))
    assert passed.tracks[track] == ENDPOINTS[players][track] - 1 + steps  # a layer is applied as one


ENDS: list[tuple[str, int, tuple[int, int, int], Camp, tuple[int, int, int]]] = [
    # roles, the tile turned up, the tracks before, who wins, the tracks then
    (SEATS[7], 16, (0, 6, 0), Camp.SEPARATISTS, (0, 9, 0)),  # LLL
    (SEATS[7], 9, (6, 5, 0), Camp.SEPARATISTS, (6, 7, 0)),  # LL | K
    (SEATS[7], 13, (5, 0, 4), Camp.MERCHANTS, (7, 0, 4)),  # KK | C
    (SEATS[7], 11, (0, 6, 4), Camp.PROFITEER, (0, 6, 5)),  # C | L
    (SEATS[7], 14, (0, 6, 4), Camp.SEPARATISTS, (0, 7, 4)),  # L | C
    (SEATS[7], 2, (6, 0, 4), Camp.MERCHANTS, (7, 0, 4)),  # K | C
    (SEATS[7], 2, (5, 0, 4), Camp.PROFITEER, (6, 0, 5)),
    (SEATS[7], 9, (6, 4, 0), Camp.MERCHANTS, (7, 6, 0)),
    (SEATS[9], 18, (9, 9, 5), Camp.PROFITEER, (9, 9, 7)),  # CC | KK | L
    (SEATS[9], 18, (9, 9, 4), Camp.MERCHANTS, (11, 9, 6)),
    (SEATS[7], 4, (5, 6, 0), Camp.SEPARATISTS, (5, 7, 0)),  # E6: the log alone would have won
    (SEATS[4], 2, (0, 0, 3), Camp.PROFITEER, (1, 0, 4)),  # RH-6.4: coins end a game of four, with a profiteer or not
    ("C M L S", 2, (0, 0, 3), Camp.PROFITEER, (1, 0, 4)),
    ("C M L S", 1, (4, 0, 0), Camp.MERCHANTS, (5, 0, 0)),
    ("C M L S", 4, (0, 4, 0), Camp.SEPARATISTS, (0, 5, 0)),
]


@pytest.mark.parametrize(("roles", "tile", "before", "camp", "after"), ENDS)
def test_rh_6_2_the_game_ends_in_the_middle_of_a_tile(
    roles: str, tile: int, before: tuple[int, int, int], camp: Camp, after: tuple[int, int, int]
) -> None:
    reveal(Scene(roles, at=7, tiles={7: tile}, tracks=before), 7).expect(won_by=camp, tracks=after)


def test_rh_6_2_an_end_above_a_text_leaves_the_text_out(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, (TILE_7, 'layers = ["1 log", "text O"]'))
    scene = reveal(seven({7: 7}, tracks=(0, 6, 0), pack=pack), 7)
    scene.expect(won_by=Camp.SEPARATISTS, asked=NOBODY, refusal={("space 6", 1): Refusal.GAME_OVER})


def test_rh_6_2_an_end_inside_a_text_leaves_out_the_layers_below() -> None:
    scene = reveal(seven({7: 10, 1: 4}, tracks=(0, 6, 4)), 7).play("space 1")
    scene.expect(won_by=Camp.SEPARATISTS, tracks=(0, 7, 4))


def test_rh_6_2_the_game_ends_in_the_middle_of_an_action() -> None:
    scene = seven({7: 4}, tracks=(0, 6, 0), deck=["Silt"])
    scene.table["dive_ready"][0] = 0
    reveal(scene, 7)
    scene.expect(over=True, hand={0: []})  # the co-op's card isn't drawn any more
    scene.expect(dive_ready={0: 0}, asked=NOBODY)


def test_rh_6_2_nothing_but_waiting_is_legal_after_the_end() -> None:
    scene = reveal(seven({7: 4}, tracks=(0, 6, 0), hands={0: ["Spyglass"]}), 7)
    for seat in range(7):
        for words in ("DIVE", "SWIM", "CO_OP", "END_TURN", "Spyglass", "space 6"):
            scene.expect(refusal={(words, seat): Refusal.GAME_OVER})
        scene.expect(legal={seat: {"WAIT"}})


def test_rh_6_2_at_the_end_nothing_is_under_way() -> None:
    scene = seven({7: 6, 6: 5}, tracks=(0, 4, 0), hands={1: ["Slip Away"], 3: ["Silt"]})
    scene.play("CO_OP", "seat 1", "SLIP_AWAY", "seat 3", "HUNT", "Silt", "space 7")
    assert [int(scene.table[name]) for name in ("hunting", "hunted", "slipped")] == [1, 1 << 6, 1 << 1]
    scene.play("space 6").expect(won_by=Camp.SEPARATISTS)
    for name in ("hunting", "hunted", "slipped", "depth", "spaces", "seats", "optional"):
        assert scene.table[name] == 0, name
    scene.expect(asked=NOBODY, question=Question.NONE)


def test_rh_6_2_the_camp_of_the_track_wins_whoever_revealed() -> None:
    scene = seven({7: 3}, tracks=(5, 0, 0))
    reveal(scene, 7, seat=3).expect(won_by=Camp.MERCHANTS)  # seat 3 leads the separatists


@pytest.mark.parametrize("tile", range(1, 17))
def test_rh_6_3_a_tile_turned_down_takes_its_elements_off(tile: int) -> None:
    others = (2, 2, 2)
    scene = reveal(seven({7: tile}, tracks=others, hands={0: ["Silt"]}), 7)
    if tile in {7, 10}:
        scene.play("STOP")
    scene.expect(tracks=tuple(other + own for other, own in zip(others, ELEMENTS[tile], strict=True)))
    scene.play("Silt", "space 7").expect(tracks=others, face_up=set())
    assert int(scene.table["tile"][6]) == 0
    assert Event.FLIP_DOWN in scene.events()


def test_rh_6_3_elements_come_off_and_on_again() -> None:
    scene = reveal(seven({7: 9, 6: 2}, hands={0: ["Silt"], 1: ["Silt"]}), 7).play("Silt", "space 7", "END_TURN")
    scene.expect(tracks=(0, 0, 0)).play("CO_OP", "seat 2", "REVEAL", "space 7").expect(tracks=(1, 2, 0))
    scene.play("Silt", "space 7").expect(tracks=(0, 0, 0))


def test_rh_6_3_a_text_works_again_when_the_tile_is_turned_up_again() -> None:
    scene = reveal(seven({7: 10, 1: 4, 3: 1}, hands={0: ["Silt"]}), 7).play("space 1", "Silt", "space 7", "END_TURN")
    scene.expect(tracks=(0, 1, 0))
    scene.play("CO_OP", "seat 2", "REVEAL", "space 7").expect(legal={"STOP", "space 3", "space 9", "space 11"})
    scene.play("space 3").expect(tracks=(1, 1, 2))


def test_rh_6_3_text_s_works_again_when_the_tile_is_turned_up_again() -> None:
    scene = reveal(seven({7: 12}, up=[7], hands={0: ["Silt"]}).play("Silt", "space 7"), 7)
    assert Event.SHUFFLE in scene.events()


def test_rh_6_3_turning_down_does_not_carry_out_the_text() -> None:
    seven({7: 7}, up=[7], hands={0: ["Silt"]}).play("Silt", "space 7").expect(question=Question.TURN, asked=0)


@pytest.mark.parametrize("others", [0, 1, 2, 3])
def test_rh_6_3_layers_below_a_text_that_turns_its_own_tile_down_are_dropped(tmp_path: Path, others: int) -> None:
    # Only what was applied comes off: the kelp above, not the 2 coins below.
    pack = edited_pack(tmp_path, TEXT_X, (TILE_10, 'layers = ["1 kelp", "text X", "2 coin"]'))
    scene = reveal(seven({7: 10}, tracks=(0, 0, others), pack=pack), 7).expect(tracks=(1, 0, others), legal={"space 7"})
    scene.play("space 7").expect(tracks=(0, 0, others), face_up=set(), question=Question.TURN)


def test_rh_6_3_the_rest_of_a_text_that_turned_its_own_tile_down_still_works(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, text_x(FLIP_ANY, DRAW), (TILE_10, 'layers = ["text X", "2 coin"]'))
    scene = reveal(seven({7: 10}, deck=["Silt", "Spyglass"], pack=pack), 7).play("space 7")
    scene.expect(tracks=(0, 0, 0), hand={1: ["Silt"], 0: ["Spyglass"]})  # the revealer's draw, then the co-op's


def test_rh_6_1_who_is_chosen_by_a_text_discards_and_the_rest_is_the_revealers(tmp_path: Path) -> None:
    toll = text_x('{ effect = "discard", who = "another" }', '{ effect = "refresh", amount = 1 }')
    pack = edited_pack(tmp_path, toll, (TILE_10, 'layers = ["text X", "2 coin"]'))
    scene = reveal(seven({7: 10}, hands={0: ["Silt"], 2: ["Silt"]}, pack=pack), 7)
    scene.expect(asked=1, legal={"seat 0", "seat 2"}).play("seat 0").expect(asked=0)
    scene.play("Silt")
    scene.expect(tracks=(0, 0, 2))  # the revealer has nothing exhausted to refresh


def test_rh_6_3_layers_below_are_carried_out_when_another_tile_is_turned_down(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, TEXT_X, (TILE_10, 'layers = ["1 kelp", "text X", "2 coin"]'))
    scene = reveal(seven({7: 10, 14: 4}, up=[14], pack=pack), 7).expect(legal={"space 7", "space 14"})
    scene.play("space 14").expect(tracks=(1, 0, 2), face_up={7})


def test_rh_6_3_a_tile_that_turned_itself_down_starts_at_its_top_again(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, TEXT_X, (TILE_10, 'layers = ["1 kelp", "text X", "2 coin"]'))
    scene = reveal(seven({7: 10, 8: 4}, pack=pack), 7)
    scene.play("space 7", "END_TURN", "CO_OP", "seat 2", "REVEAL", "space 8", "END_TURN")
    scene.play("CO_OP", "seat 3", "REVEAL", "space 7")
    scene.expect(tracks=(1, 1, 0)).play("space 8").expect(tracks=(1, 0, 2))


@pytest.mark.parametrize(
    ("turned_down", "drawn", "tracks", "face_up"),
    [
        ("space 7", {"tracks": (0, 3, 0)}, (1, 3, 1), {8}),  # the first tile: its layers below are dropped
        ("space 8", {}, (0, 3, 0), {7}),  # itself, which leaves the first one alone
        ("space 1", {"up": [1]}, (1, 3, 1), {7, 8}),  # a third one, which leaves both whole
    ],
)
def test_rh_6_3_a_tile_revealed_by_a_text_turns_one_down(
    tmp_path: Path, turned_down: str, drawn: dict[str, Any], tracks: tuple[int, int, int], face_up: set[int]
) -> None:
    layers = [(TILE_7, 'layers = ["1 log", "text O", "2 log"]'), (TILE_12, 'layers = ["1 kelp", "text X", "1 coin"]')]
    scene = seven({7: 7, 8: 12, 1: 3}, pack=edited_pack(tmp_path, TEXT_X, *layers), **drawn)
    reveal(scene, 7).play("space 8").expect(legal={"space 7", "space 8", turned_down})
    scene.play(turned_down).expect(tracks=tracks, face_up=face_up, question=Question.TURN)


def test_rh_6_4_without_a_profiteer_everybody_at_the_table_loses() -> None:
    scene = reveal(Scene("C M L S", at=7, tiles={7: 2}, tracks=(0, 0, 3)), 7)
    camps = {CAMP_OF[int(own["role"])] for own in scene.game["private"][:4]}
    assert scene.won_by not in camps
    assert {scene.shown_role(seat) for seat in range(4)} == {Role.CHIEF, Role.MERCHANT, Role.LEADER, Role.SEPARATIST}


def endless(players: int, max_decisions: int, auto_forced: str = "none") -> Scene:
    """Everybody where nothing is face-down within reach: a co-op reveals nothing, turn after turn."""
    return Scene(
        SEATS[players],
        at=3,
        tiles={2: 7, 3: 1, 4: 4},
        up=[2, 3, 4],
        max_decisions=max_decisions,
        auto_forced=auto_forced,
    )


def go_on(scene: Scene) -> None:
    """Ask the next seat and end the turn."""
    for words in ("END_TURN", "CO_OP", *sorted(scene.legal())):
        if words in scene.legal():
            scene.play(words)
            return


@COUNTS
def test_rh_6_5_a_co_op_may_reveal_nothing_for_ever(players: int) -> None:
    scene = endless(players, 200)
    before = scene.tracks
    while not scene.over:
        go_on(scene)
        scene.expect(tracks=before)
    scene.expect(decisions=200)


@pytest.mark.parametrize("cap", [1, 2, 7, 30])
def test_rh_6_5_the_cap_truncates_and_nobody_wins(cap: int) -> None:
    scene = endless(5, cap)
    for number in range(cap):
        assert not scene.over, number
        go_on(scene)
    scene.expect(ending=Ending.TRUNCATED, winner=Camp.NONE, asked=NOBODY)
    assert Event.TRUNCATE in scene.events()
    assert Event.WIN not in scene.events()


def test_rh_6_5_the_cut_is_told_with_what_was_under_way() -> None:
    scene = seven({7: 4}, max_decisions=2).play("CO_OP", "seat 1").expect(over=True)
    event = int(scene.table["events"][newest_event(int(scene.table["event_count"]))])
    kind, actor, other, space, second, thing, turn, source = event.to_bytes(8, "little")
    assert (kind, source, turn) == (Event.TRUNCATE, Source.CO_OP, 1)
    assert (actor, other, space, second, thing) == (0, 0, 0, 0, 0)
    scene.expect(depth=0)


def test_rh_6_5_the_cap_is_a_thousand_by_default() -> None:
    assert int(make_params(7)[0][0]["max_decisions"]) == 1000
    scene = endless(4, 1000)
    scene.table["decisions"] = 998
    go_on(scene)
    scene.expect(over=False)
    go_on(scene)
    scene.expect(ending=Ending.TRUNCATED)


def test_rh_6_5_a_game_won_with_its_last_decision_is_won() -> None:
    reveal(seven({7: 4}, tracks=(0, 6, 0), max_decisions=4), 7).expect(won_by=Camp.SEPARATISTS)


def test_rh_6_5_forced_decisions_count() -> None:
    asked, unasked = (seven({7: 4, 6: 1, 8: 2}, up=[6, 8], auto_forced=forced) for forced in ("none", "all"))
    reveal(asked, 7).play("END_TURN")
    unasked.play("CO_OP", "seat 1")  # the answer, the tile and the end of the turn are forced
    assert unasked.face_up() == asked.face_up() == {6, 7, 8}
    assert unasked.asked == asked.asked == 1
    assert int(asked.table["decisions"]) == int(unasked.table["decisions"]) == 5


def test_rh_6_5_the_cap_ends_a_game_in_the_middle_of_forced_decisions() -> None:
    scene = seven({7: 4, 6: 1, 8: 2}, up=[6, 8], auto_forced="all", max_decisions=3).play("CO_OP", "seat 1")
    scene.expect(ending=Ending.TRUNCATED, decisions=3, face_up={6, 8})


@pytest.mark.parametrize(
    ("before", "camp", "after"), [((5, 6, 0), Camp.MERCHANTS, (7, 6, 0)), ((4, 6, 0), Camp.SEPARATISTS, (6, 7, 0))]
)
def test_rh_6_6_the_two_kelps_of_tile_8_end_the_game_before_the_log(
    before: tuple[int, int, int], camp: Camp, after: tuple[int, int, int]
) -> None:
    reveal(seven({7: 8}, tracks=before), 7).expect(won_by=camp, tracks=after)


def test_rh_6_3_a_state_that_lets_a_face_down_tile_be_turned_down_is_refused() -> None:
    batch = make_batch("riverbed_hunt", 64, num_players=7, seed=1, auto_reset=False)
    while not (asks := batch.games["table"]["question"] == Question.FLIP_DOWN).any():
        batch.step(batch.random_actions())
    games = batch.get_state()
    batch.set_state(games)
    games["table"]["spaces"] |= games["table"]["face_down"] * asks
    with pytest.raises(StateError, match="what is asked"):
        batch.set_state(games)


@COUNTS
def test_rh_6_6_tile_8_is_used_at_every_player_count(players: int) -> None:
    assert 8 in load_pack().players(players).tiles
    assert load_pack().tiles[8].source == "rulebook"
