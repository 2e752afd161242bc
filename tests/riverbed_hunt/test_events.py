"""RH-8.2: events said to a seat tell what its looks showed it, as far as it still knows, and to nobody else."""

from pathlib import Path

from riverbed_env.games.riverbed_hunt.rules.vocab import Event
from riverbed_env.games.riverbed_hunt.words.text import describe_events, describe_tile
from riverbed_env.kernels.common import byte_of, newest_event
from riverbed_hunt.dealt import edited_pack
from riverbed_hunt.scene import Scene
from riverbed_hunt.seven import seven


def said_to(scene: Scene, viewer: int | None, part: str) -> list[str]:
    """The events with these words, as they are said to a viewer."""
    return [words for words in describe_events(scene.pack, scene.game, viewer=viewer) if part in words]


def tile_on(scene: Scene, space: int) -> str:
    return describe_tile(scene.pack, int(scene.game["tile_at"][space - 1]))


def test_a_look_tells_its_seat_alone_what_it_saw() -> None:
    scene = seven().play("DIVE", "space 6")
    assert said_to(scene, 1, "dive") == [f"you dive and look at the tile on space 6: {tile_on(scene, 6)}"]
    for other in (0, 2, 3, None):
        assert said_to(scene, other, "dive") == ["player_1 dives and looks at the tile on space 6"]


def test_what_another_player_looks_at_is_told_to_nobody(tmp_path: Path) -> None:
    silt = 'active = [{ effect = "flip down", scope = "within reach" }]'
    pack = edited_pack(tmp_path, (silt, silt.replace("flip down", "view").replace("}]", ', who = "another" }]')))
    scene = seven("Silt", pack=pack).play("Silt", "seat 2", "space 6")
    assert said_to(scene, 2, "look") == [f"you look at the tile on space 6: {tile_on(scene, 6)}"]
    word = int(scene.table["events"][newest_event(int(scene.table["event_count"]))])
    assert (byte_of(word, 0), byte_of(word, 3), byte_of(word, 5)) == (Event.VIEW, 6, 0)


def test_a_tile_swapped_since_the_look_is_still_told_as_it_was_seen() -> None:
    scene = seven("Undercurrent").play("DIVE", "space 6")
    seen, beside = tile_on(scene, 6), tile_on(scene, 7)
    scene.play("Undercurrent", "space 6", "space 7", "space 6")
    assert said_to(scene, 1, "look") == [
        f"you dive and look at the tile on space 6: {seen}",
        f"you look at the tile on space 6: {beside}",
    ]


def test_a_tile_shuffled_since_the_look_is_not_told() -> None:
    scene = seven("Whirlpool").play("DIVE", "space 6", "Whirlpool")
    assert said_to(scene, 1, "dive") == ["you dive and look at the tile on space 6"]


def test_verbs_agree_with_the_viewer_and_meeples_are_theirs() -> None:
    scene = seven(deck=["Silt"]).play("SWIM", "space 7")
    assert describe_events(scene.pack, scene.game, viewer=1) == [
        "you swim",
        "you move your meeple to space 7",
        "you draw a card",
    ]
    assert describe_events(scene.pack, scene.game) == [
        "player_1 swims",
        "player_1 moves their meeple to space 7",
        "player_1 draws a card",
    ]
