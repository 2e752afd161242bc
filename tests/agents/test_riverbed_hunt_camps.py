"""The features `camps` and the state features `standings` of Riverbed Hunt hold what their pieces say.

Each number is worked out again: the first from observations, the others from game records; tiles are the pack's.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pack_changes import default_text, written

from riverbed_agents.riverbed_hunt.camps import CAMPS_FEATURES
from riverbed_agents.riverbed_hunt.standings import STANDINGS
from riverbed_env.core.batch import Batch
from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt")
CAMP_OF = [GAME.camps.index(GAME.camp_of_role[role]) for role in GAME.roles]
TRACKS = ("kelp", "log", "coin")  # in the order of the camps that they belong to
MOST = 127
Numbers = npt.NDArray[Any]
Pieces = dict[str, Numbers]


def richer(text: str) -> str:
    """A pack of so many elements that sums don't fit into a byte, and of a track too long to be shown."""
    return re.sub(r"log = \d+", "log = 60", re.sub(r"layers = \[", 'layers = ["9 log", ', text))


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> list[Batch]:
    """Positions of 4 to 9 players and two packs, in all stages of a game."""
    packs = ["default", written(richer(default_text(GAME.name)), tmp_path_factory.mktemp("packs"))]
    options: dict[str, Any] = {"pack": packs, "talk": ["none", "claims"], "num_players": list(range(4, 10))}
    batch, found = Batch(GAME, 48, seed=8, features=(CAMPS_FEATURES,), **options), []
    for _ in range(12):
        for _ in range(19):
            batch.step(batch.random_actions())
        found.append(batch.clone())
    return found


def positions(batches: list[Batch]) -> Iterator[tuple[Batch, int, Numbers]]:
    """Each environment of each batch, and its pack's tiles."""
    tiles = {pack.hash: tiles_of(pack) for pack in batches[0].packs}
    for batch in batches:
        for index in range(batch.num_envs):
            yield batch, index, tiles[batch.packs[batch.which[index]].hash]


def tiles_of(pack: Any) -> Numbers:
    """Elements, Hunt icon and 1 + first element by number."""
    tiles = np.zeros((19, 5), int)
    for number, tile in pack.tiles.items():
        layers = [words.split() for words in tile.layers]
        held = [(TRACKS.index(name), int(amount)) for amount, name in layers if amount != "text"]
        for track, amount in held:
            tiles[number, track] += amount
        tiles[number, 3:] = tile.hunt, 1 + held[0][0] if held else 0
    return tiles


def by_camp(camp: int) -> list[int]:
    """The tracks with the camp's own first."""
    return [camp, *(other for other in range(3) if other != camp)]


def worth(elements: Numbers, camp: int) -> int:
    """Twice the camp's elements less the others'."""
    return int(2 * elements[camp] - sum(elements[other] for other in range(3) if other != camp))


def reach(tiles: Numbers, place: int) -> list[int]:
    """RH-2.4: where the meeple stands, and the next tile along the river on either side. tiles: where any lie."""
    before, after = tiles[tiles < place][-1:], tiles[tiles > place][:1]
    return [*before, *tiles[tiles == place], *after]


def on_spaces(bits: Any) -> Numbers:
    return np.flatnonzero(int(bits) >> np.arange(16) & 1)


def in_bytes(word: Any) -> Numbers:
    """The eight counters of a word."""
    return np.array([word], np.int64).view(np.int8).astype(int)


def assert_all_told(expected: list[Pieces], told: list[Pieces], low: Pieces, high: Pieces) -> None:
    """Each piece is as expected, within its bounds, and says something somewhere."""
    for name in told[0]:
        wanted, given = (np.array([each[name] for each in many]) for many in (expected, told))
        np.testing.assert_array_equal(given, np.clip(wanted, -MOST, MOST), err_msg=name)
        assert ((given >= low[name]) & (given <= high[name])).all(), name
        assert len(np.unique(given)) > 1, name


def told_and_bounds(pieces: Any, rows: list[Numbers]) -> tuple[list[Pieces], Pieces, Pieces]:
    return [pieces.named(row) for row in rows], pieces.named(pieces.low()), pieces.named(pieces.high())


# --- camps ------------------------------------------------------------------------------------------------------------


def test_camps_tells_what_the_seat_sees_from_its_own_side(batches: list[Batch]) -> None:
    apart = batches[-1].clone()  # where no tile may lie on every space that a seat doesn't know
    apart.games["private"]["possible"][..., ::2] &= 0x5555
    apart.games["private"]["possible"][..., 1::2] &= 0xAAAA
    apart.observation[:] = apart.observe(apart.seat)[0]
    rows = [row for batch in (*batches, apart) for row in batch.features_of()]
    told, low, high = told_and_bounds(CAMPS_FEATURES.pieces, rows)
    assert_all_told([camps(*position) for position in positions([*batches, apart])], told, low, high)


def camps(batch: Batch, index: int, tiles: Numbers) -> Pieces:
    """The pieces of `camps` from the observation alone."""
    seen = {name: piece.astype(int) for name, piece in GAME.observation.named(batch.observation[index]).items()}
    out: Pieces = {piece.name: np.zeros(piece.shape, int) for piece in CAMPS_FEATURES.pieces.pieces}
    camp = CAMP_OF[int(seen["own_role"].argmax())]
    order, players = by_camp(camp), 4 + int(seen["num_players"].argmax())
    left = seen["to_go"]
    known = {space: tile for space, tile in enumerate(seen["known_tiles"]) if tile[7]}
    spaces = np.flatnonzero(seen["occupied"])
    down = set(spaces) - set(np.flatnonzero(seen["face_up"]))
    for place, track in enumerate(order):
        out["race"][place, min(12, max(1, left[track])) - 1] = 1
    unknown = np.zeros(18, bool)
    for space in spaces:
        if space in known:
            tile = known[space]
            out["elements"][space] = [*tile[order], tile[3]]
            ended = [track for track in range(3) if tile[track] >= left[track]]
            if space in down and ended:
                first = tile[6] - 1
                out["ends"][space, order.index(first if first in ended else ended[0])] = 1
        else:
            may = seen["possible"][:, space] == 1
            out["expected"][space] = 8 * tiles[1:][may][:, order].sum(axis=0) // max(1, may.sum())
            unknown |= may
    out["hidden"][:] = tiles[1:][unknown][:, order].sum(axis=0)
    for seat in range(players):
        shown = seen["roles_shown"][seat] | seen["roles_looked_at"][seat]
        if seat == 0:
            shown = seen["own_role"]
        out["sides"][seat, 2 if not shown.any() else int(CAMP_OF[int(shown.argmax())] != camp)] = 1
        deeds, choices = seen["deeds"][seat], seen["choices"][seat]
        out["deeds"][seat] = [*deeds[order], *choices[order], *choices[4:7][order]]
        if seat:
            out["asks"][seat] = seen["asks"][seat, players - seat - 1], seen["asks"][0, seat - 1]
        if seen["positions"][seat].any():
            within = reach(spaces, int(seen["positions"][seat].argmax()))
            if seat == 0:
                out["mine_within"][within] = 1
            near = [space for space in within if space in down]
            looked = [space for space in near if seen["seen"][seat, space]]
            out["reaches"][seat, near], out["ready"][seat, looked] = 1, 1
            mine = [worth(known[space], camp) for space in near if space in known]
            both = [worth(known[space], camp) for space in looked if space in known]
            counts = len(near), len(mine), len(looked), len(both)
            out["within"][seat] = [*counts, max(mine, default=0), min(mine, default=0), max(both, default=0)]
    out["hidden"], out["expected"] = np.minimum(out["hidden"], MOST), np.minimum(out["expected"], MOST)
    return out


# --- standings --------------------------------------------------------------------------------------------------------


def test_standings_tells_how_the_full_state_stands(batches: list[Batch]) -> None:
    often = batches[-1].clone()
    often.games["table"]["asks"] = 0x7F7F7F7F7F7F7F7F  # everybody asked everybody so often that no more is counted
    rows = [row for batch in (*batches, often) for row in STANDINGS.of(batch.games, batch.params, batch.which)]
    told, low, high = told_and_bounds(STANDINGS.pieces, rows)
    assert_all_told([standings(*position) for position in positions([*batches, often])], told, low, high)


def standings(batch: Batch, index: int, tiles: Numbers) -> Pieces:
    """The pieces of `standings` from the game's record."""
    game, players = batch.games[index], int(batch.players[index])
    table, private = game["table"], game["private"]
    out: Pieces = {piece.name: np.zeros(piece.shape, int) for piece in STANDINGS.pieces.pieces}
    ends = batch.packs[batch.which[index]].players(players).endpoints
    left = np.clip([getattr(ends, track) - table["tracks"][place] for place, track in enumerate(TRACKS)], 1, 12)
    out["left"], out["race"] = left, np.eye(12, dtype=int)[left - 1]
    spaces, down = on_spaces(table["occupied"]), on_spaces(table["face_down"])
    lying = {space: tiles[game["tile_at"][space]] for space in down}
    out["hidden"] = sum(lying.values(), np.zeros(5, int))[:4]
    out["face_down"][:], out["draw_pile"][:], out["turn"][:] = len(down), table["draw_pile"], min(MOST, table["turn"])
    out["question"][table["question"]] = out["stage"][table["stage"]] = out["players"][players - 4] = 1
    out["turn_flags"][:] = [table[name] for name in ("action_done", "card_played", "hunting", "optional")]
    flags, frame = out["flags"], table["frames"][table["depth"] - 1] if table["depth"] else None
    out["source"][0 if frame is None else frame["source"]] = 1
    if frame is not None:
        flags[frame["carrier"], 4] = 1
        if frame["source"] == 7:  # a card
            out["source_card"][frame["thing"]] = 1
        if frame["seat"] >= 0:
            flags[frame["seat"], 3] = 1
    camp_of = [CAMP_OF[int(private[seat]["role"])] for seat in range(players)]
    for seat, camp in enumerate(camp_of):
        order, own = by_camp(camp), private[seat]
        out["roles"][seat, own["role"]] = 1
        out["hand_sizes"][seat] = own["hand"].sum()
        flags[seat, :3] = table["role"][seat] >= 0, table["asked"] == seat, table["active"] == seat
        flags[seat, 5:7] = int(table["slipped"]) >> seat & 1, table["position"][seat] >= 0
        ready = ("dive_ready", "swim_ready", "uncover_left", "marker_left")
        flags[seat, 7:] = [*(table[name][seat] for name in ready), (own["looked"] >= 0).any()]
        worths = {space: worth(lying[space], camp) for space in down}
        mine = [space for space in down if own["known"][space]]
        out["knows"][seat] = len(mine), max((worths[space] for space in mine), default=0)
        near = [space for space in reach(spaces, int(table["position"][seat])) if space in down]
        if table["position"][seat] < 0:
            near = []
        known, rest = ([space for space in near if (space in mine) is wanted] for wanted in (True, False))
        out["within"][seat] = [
            *(len(near), len(known), sum(private[9]["known"][space] > 0 for space in near)),
            max((worths[space] for space in known), default=0),
            min((worths[space] for space in known), default=0),
            *(len(rest), sum(worths[space] for space in rest)),
        ]
        best = max(known, key=worths.__getitem__, default=None)
        out["elements"][seat, :3] = sum((lying[space][order] for space in rest), np.zeros(3, int))
        out["elements"][seat, 3:] = 0 if best is None else lying[best][order]
        deeds, choices = in_bytes(table["deeds"][seat]), in_bytes(table["choices"][seat])
        out["deeds"][seat] = [*deeds[order], *choices[order], *choices[4:7][order]]
        for further, times in enumerate(in_bytes(table["asks"][seat])[: players - 1], 1):
            asked = (seat + further) % players
            out["asks"][seat, 0] += times
            out["asks"][asked, 1] += times
            out["asks"][asked, 2] += times * (camp_of[asked] == camp)
    return out
