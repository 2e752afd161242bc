"""The tree of a small game: its deals, its information sets, its leaves, and what can't be one."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from small_kit import CHIEF, PLACED, changed_pack, histories, short

from riverbed_env import make_batch
from riverbed_env.errors import OptionError, PackError
from riverbed_env.small import SmallGame, find_small, small_names
from riverbed_lab.exact import build_tree, estimate_size

pytestmark = pytest.mark.compiled
ENGINE_DEALS = 5000


@pytest.mark.parametrize("cards", ["copies = 28", "copies = 3\n"])
def test_the_deals_are_those_of_the_engine_and_as_likely(cards: str, tmp_path: Path) -> None:
    """With three pebbles and another card, hands differ too."""
    pack = changed_pack(tmp_path, "copies = 28", cards)
    if cards != "copies = 28":
        text = Path(pack).read_text(encoding="utf-8")
        block = text[text.index("[[card]]") : text.index("[[layout]]")]
        other = block.replace("Pebble", "Shell").replace("copies = 3", "copies = 1")
        Path(pack).write_text(text.replace(block, block + other), encoding="utf-8")
    small = SmallGame("one", "riverbed_hunt_v1", options={"num_players": 4, "pack": pack, "roles": CHIEF})
    deals, chances = small.deals()
    batch = make_batch("riverbed_hunt_v1", ENGINE_DEALS, seed=1, **small.options)
    dealt = batch.get_state()
    for field in ("seed", "number", "chance", "agents"):
        dealt[field], deals[field] = np.zeros((), dealt.dtype[field]), np.zeros((), dealt.dtype[field])
    counts, listed = Counter(game.tobytes() for game in dealt), [game.tobytes() for game in deals]
    assert len(set(listed)) == len(listed)
    assert set(counts) == set(listed)
    expected = chances * ENGINE_DEALS
    found = np.array([counts[game] for game in listed])
    freedom = len(listed) - 1
    assert ((found - expected) ** 2 / expected).sum() < freedom + 5 * np.sqrt(2 * freedom)


def test_four_players_draw_one_of_two_role_cards() -> None:
    params = find_small("rill").rules.make_params(num_players=4, pack="brook")[0]
    params["role_choice"][0] = 3, 4
    params["role_cards"][0, 3] = -1
    games, chances = find_small("rill").rules.every_deal(params)
    roles = {tuple(row) for row in games["private"]["role"][:, :4].tolist()}
    assert len(roles) == 2 * 24
    assert {tuple(sorted(row)) for row in roles} == {(0, 1, 2, 3), (0, 1, 2, 4)}
    assert chances.sum() == pytest.approx(1)


def test_information_sets_tell_apart_what_a_seat_was_told_and_nothing_else() -> None:
    """Perfect recall: as many sets as different things that a seat was told and did; a leaf for all that lead to it."""
    small = short()
    tree, sets, leaves, number = build_tree(small), set(), Counter[object](), 0
    for history in histories(small):
        number += 1
        if history.seat < 0:
            leaves[history.told, history.returns, history.roles] += history.chance
        else:
            sets.add((history.seat, history.told[history.seat]))
    assert tree.histories == number
    assert Counter(tree.seat.tolist()) == Counter(seat for seat, _ in sets)
    assert len(tree.chances) == len(leaves)
    np.testing.assert_allclose(sorted(tree.chances), sorted(leaves.values()))
    assert tree.ends.max() == tree.num_sequences - 1


def test_positions_of_a_set_look_like_it() -> None:
    tree = build_tree(short())
    for number in range(0, tree.num_sets, 7):
        games = tree.positions(np.array([number]))
        _, masks = tree.small.observe(games, tree.seat[[number]].astype(np.int64))
        span = slice(tree.first[number], tree.first[number + 1])
        assert tree.small.seats(games)[0] == tree.seat[number]
        assert np.flatnonzero(masks[0]).tolist() == tree.actions[span].tolist()


def test_sequences_follow_their_parents() -> None:
    tree = build_tree(find_small("rill"))
    owner = np.concatenate([[-1], tree.set_of()])
    follows = tree.parent > 0
    assert (tree.seat[owner[tree.parent[follows]]] == tree.seat[follows]).all()
    assert (owner[tree.parent[follows]] < np.flatnonzero(follows)).all()
    assert (tree.clock[owner[tree.parent[follows]]] < tree.clock[follows]).all()


def test_the_estimate_of_the_size_is_near_the_size() -> None:
    size, tree = estimate_size(find_small("rill"), probes=4000), build_tree(find_small("rill"))
    assert size.histories == pytest.approx(tree.histories, rel=0.2)
    assert size.bytes > tree.nbytes


def test_barred_actions_are_never_taken() -> None:
    small = SmallGame("dry", "riverbed_hunt_v1", options=short().options, opening=PLACED, without=("SWIM", "CO_OP"))
    taken = set(build_tree(small).actions.tolist())
    ids = small.rules.actions.starts
    assert not taken & {ids["SWIM"], ids["CO_OP"]}
    assert {ids["DIVE"], ids["UNCOVER"]} <= taken


@pytest.mark.parametrize("name", small_names())
def test_every_small_game_can_be_dealt(name: str) -> None:
    games, chances = find_small(name).deals()
    assert len(games) == len(chances)
    assert chances.sum() == pytest.approx(1)


def test_what_cannot_be_a_tree_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"beck has about .* histories and needs up to .* more than 1,000,000$"):
        build_tree(find_small("beck"), most_bytes=1_000_000)
    few = {**short(16).options, "pack": changed_pack(tmp_path, "copies = 28", "copies = 4", "brook")}
    bars = ("DIVE", "READY", "CO_OP")
    with pytest.raises(OptionError, match="chance is drawn after the deal"):
        build_tree(SmallGame("few", "riverbed_hunt_v1", options=few, opening=PLACED, without=bars))
    verbs = ("DIVE", "SWIM", "CO_OP", "UNCOVER")
    with pytest.raises(OptionError, match="no action left"):
        build_tree(SmallGame("mute", "riverbed_hunt_v1", options=short().options, opening=PLACED, without=verbs))


@pytest.mark.parametrize(
    ("declared", "complaint"),
    [
        ({"game": "riverside_v0"}, "the deals of riverside_v0 can't be listed"),
        ({"without": ("SWIMM",)}, "has no action 'SWIMM'"),
        ({"without": ("SPACE 16",)}, "has no action 'SPACE 16'"),
        ({"opening": ("DIVE",)}, "the opening can't be played: 'DIVE'"),
        ({"opening": ("SPACE",)}, "the opening can't be played: 'SPACE'"),
        ({"options": {"num_players": 4}}, "deals, too many to list"),
        ({"options": {"nom_players": 4}}, "nom_players"),
        ({"options": {"pack": "rill"}}, "num_players must be 4 with the pack 'rill', not 7"),
        ({"rewards": "lose"}, "lose"),
    ],
)
def test_a_small_game_that_is_not_sound_is_refused(declared: dict[str, object], complaint: str) -> None:
    sound = {"name": "odd", "game": "riverbed_hunt_v1", "options": short().options}
    with pytest.raises(OptionError, match=complaint):  # noqa: PT012  # some faults show when it is dealt
        small = SmallGame(**{**sound, **declared})  # type: ignore[arg-type]
        assert small.allowed.any()
        small.deals()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("small = true\n", "", "tile 4: is missing; 1 to 18 are needed"),
        ("tiles = [1, 2, 3]", "tiles = [1, 2, 4]", "a tile is listed that the pack doesn't have"),
        ("tiles = 3\nempty = [4, ", "tiles = 4\nempty = [", "players 4: 0 layouts with 3 tiles"),
        ("coin = 1 }", "coin = 2 }", "coin ends at 2, but its tiles bear 1 in all"),
        ('"leader", ', "", "3 role cards are dealt to 4 players"),
        ("copies = 28", "copies = 3", "the deck has 3 cards, but 4 to 28 are allowed"),
    ],
)
def test_a_small_pack_that_is_not_sound_is_refused(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(PackError, match=complaint):
        make_batch("riverbed_hunt_v1", 1, num_players=4, pack=changed_pack(tmp_path, old, new))


def test_a_whole_pack_keeps_its_hash_and_small_ones_have_their_own() -> None:
    load_pack = find_small("rill").rules.load_pack
    assert load_pack is not None
    hashes = [load_pack(name).hash for name in ("default", "rill", "brook", "beck")]
    assert hashes[0] == "80103f4c856ccb3c"
    assert len(set(hashes)) == 4


def test_small_games_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = '[pool]\ngame = "riverbed_hunt_v1"\noptions = { num_players = 4, pack = "rill" }\n'
    path.write_text(text, encoding="utf-8")
    assert len(find_small(f"{path}:pool").deals()[0]) == 24 * 6
    with pytest.raises(OptionError, match=r"no small game 'ril' \(did you mean 'rill'\?\)"):
        find_small("ril")
    path.write_text("[pool]\ngame = 3\n", encoding="utf-8")
    with pytest.raises(OptionError, match="small game pool: game should be a valid string"):
        find_small(f"{path}:pool")
    path.write_text("[pool", encoding="utf-8")
    with pytest.raises(OptionError, match="isn't TOML"):
        find_small(f"{path}:pool")
