"""How far apart the generated packs of Riverbed Hunt are: what they hold, how games go, and what splits share.

python experiments/studies packs_apart --players 7
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from riverbed_env.games.riverbed_hunt.content.pack import ELEMENTS, GENERATED, Pack, load_pack
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.kernels.compile import Floats

from .kit import Players, print_table

Tiles = Counter[tuple[tuple[str, ...], bool]]

TRAIN = "hunt-train"
SPREAD = 5, 50, 95  # percentiles
NEAR = 0, 50, 100  # percentiles of the tiles shared with the nearest other pack


def held(pack: Pack, count: int) -> dict[str, float]:
    """What a pack holds for a number of players, by the figure's name."""
    players = pack.players(count)
    tiles, cards = players.tiles, [card for card in pack.cards if card.from_players <= count]
    return {
        **{f"{name} on the tiles": pack.total(tiles, element) for name, element in ELEMENTS.items()},
        **{f"{name} endpoint": getattr(players.endpoints, name) for name in ELEMENTS},
        "tiles with the icon": sum(pack.tiles[tile].hunt for tile in tiles),
        "tiles with a text": sum(any(layer.text for layer in pack.layers(tile)) for tile in tiles),
        "cards in the deck": sum(card.copies for card in cards),
        "kinds of cards": sum(card.copies > 0 for card in cards),
    }


def measured(name: str, count: int) -> dict[str, tuple[float, Floats]]:
    """A column of the table for an agent: the default pack's figure and those of all packs, by the figure's name."""
    nth = GENERATED.table["players"].tolist().index(count)
    default, every = GENERATED.table[f"default_{name}"][nth], GENERATED.table[name][:, nth]
    return {
        f"{figure}, {name}": (default[place], every[:, place])
        for place, figure in enumerate(GENERATED.table["figures"].tolist())
        if figure != "truncated"
    }


def tiles_of(pack: Pack) -> Tiles:
    """A pack's tiles, whatever their numbers."""
    return Counter((tuple(tile.layers), tile.hunt) for tile in pack.tiles.values())


def shared(some: Sequence[Tiles], others: Sequence[Tiles]) -> Floats:
    """How many of its tiles each pack shares with the nearest of the others, itself left out."""
    return np.array([max((one & other).total() for other in others if other is not one) for one in some])


def in_words(values: Floats, percentiles: Sequence[int]) -> str:
    """The percentiles of values."""
    return " / ".join(f"{found:.3g}" for found in np.percentile(values, percentiles))


def main(players: Players = 7) -> None:
    """Print what packs hold and how games go, by split, and how many tiles the nearest packs share."""
    splits = {split: [load_pack(name) for name in names] for split, names in GAME.splits.items()}
    packs = [pack for part in splits.values() for pack in part]
    default, drawn = held(load_pack(), players), [held(pack, players) for pack in packs]
    every = {name: (default[name], np.array([figures[name] for figures in drawn])) for name in default}
    for agent in ("rule_based", "random"):
        every |= measured(agent, players)
    ends = np.cumsum([len(part) for part in splits.values()])[:-1]
    rows = [
        (name, f"{usual:.3g}", *(in_words(part, SPREAD) for part in np.split(values, ends)))
        for name, (usual, values) in every.items()
    ]
    print_table(f"5 / 50 / 95 % of the packs, {players} players", ("", "default", *splits), rows)
    tiles = {split: [tiles_of(pack) for pack in part] for split, part in splits.items()}
    near = [(split, in_words(shared(own, tiles[TRAIN]), NEAR)) for split, own in tiles.items()]
    print_table(f"of 18 tiles, shared with the nearest pack of {TRAIN}: least / median / most", ("", "tiles"), near)
