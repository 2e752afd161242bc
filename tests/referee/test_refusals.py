"""The referees of Riverbed Hunt and Deep River refuse deals that no setup produces and packs that can't be played."""

from dataclasses import replace
from pathlib import Path

import pytest
from pack_changes import default_text, replaced, written

from referee.adapters.riverbed_hunt import NotedChance
from referee.deep_river import pack as river_pack
from referee.deep_river import referee as deep_river
from referee.deep_river.deal import Deal, deal_of
from referee.deep_river.river import EEL, SALMON
from referee.riverbed_hunt import pack as hunt_pack
from referee.riverbed_hunt import referee as riverbed_hunt
from riverbed_env.core.packs import find_pack

HUNT = hunt_pack.read_pack(find_pack("riverbed_hunt", "default"))
RIVER = river_pack.read_pack(find_pack("deep_river", "default"))


def hunt_deal(num_players: int, one_of: int = 0) -> riverbed_hunt.Deal:
    """A deal in the order of the pack. one_of: which of two alternative roles is dealt, 0 or 1."""
    players, deck, layout = HUNT.players[num_players], HUNT.deck(num_players), HUNT.layouts_for(num_players)[0]
    spaces = (space for space in range(1, 17) if space not in layout.empty)
    return riverbed_hunt.Deal(
        roles=(*players.roles, *players.one_of[one_of : one_of + 1]),
        spare_role=players.one_of[1 - one_of] if players.one_of else None,
        layout=layout.name,
        tiles=dict(zip(spaces, players.tiles, strict=True)),
        hands=tuple((card,) for card in deck[:num_players]),
        draw_pile=tuple(deck[num_players:]),
    )


def begin_hunt(deal: riverbed_hunt.Deal) -> riverbed_hunt.Referee:
    return riverbed_hunt.Referee(HUNT, len(deal.hands), deal, NotedChance())


FIVE = hunt_deal(5)


@pytest.mark.parametrize(
    ("deal", "rule"),
    [
        (replace(FIVE, roles=("chief", "merchant", "merchant", "leader", "profiteer")), "RH-1.2"),
        (replace(FIVE, spare_role="separatist"), "RH-1.2"),
        (replace(hunt_deal(4), spare_role=None), "RH-1.2"),
        (replace(hunt_deal(4), spare_role=hunt_deal(4, 1).spare_role), "RH-1.2"),
        (replace(FIVE, layout="corners"), "RH-2.3"),
        (replace(FIVE, layout="bends"), "RH-1.4"),
        (replace(FIVE, tiles=dict(zip(FIVE.tiles, (*range(1, 14), 15), strict=True))), "RH-1.4"),
        (replace(FIVE, draw_pile=()), "RH-1.5"),
        (replace(FIVE, hands=(*FIVE.hands[:4], ())), "RH-1.5"),
        (replace(FIVE, hands=(("Whispering Shell",), *FIVE.hands[1:])), "RH-1.5"),
    ],
)
def test_riverbed_hunt_refuses_an_impossible_deal(deal: riverbed_hunt.Deal, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        begin_hunt(deal)


@pytest.mark.parametrize("deal", [FIVE, hunt_deal(4, 0), hunt_deal(4, 1)])
def test_riverbed_hunt_takes_a_deal_of_the_pack(deal: riverbed_hunt.Deal) -> None:
    assert begin_hunt(deal).question == "place"


@pytest.mark.parametrize(
    ("deal", "rule"),
    [
        (Deal(("bear",) * 7, (0, 0, 0), SALMON), "DR-1.1"),
        (deal_of("bsbDsdtb", "000", SALMON), "DR-1.1"),
        (deal_of("bsDbsdt", "000", SALMON), "DR-1.1"),
        (deal_of("bsbDsdd", "000", SALMON), "DR-1.1"),
        (deal_of("bsbDsdt", "00", EEL), "DR-1.2"),
        (deal_of("bsbDsdt", "020", EEL), "DR-1.2"),
        (deal_of("bsbDsdt", "000", 2), "DR-1.2"),
    ],
)
def test_deep_river_refuses_an_impossible_deal(deal: Deal, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        deep_river.Referee(RIVER, deal)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('effect = "tilt"', 'effect = "double"', "DR-1.1"),
        ("faces = [1, 4]", "faces = [1, 0]", "DR-2.2"),
        ('"twice"]', '"thrice"]', "DR-2.2"),
        ("small_slots = 1", "small_slots = 2", "DR-2.3"),
        ('game = "deep_river"', 'game = "riverbed_hunt"', "another game"),
    ],
)
def test_deep_river_refuses_a_pack_that_cannot_be_played(tmp_path: Path, old: str, new: str, rule: str) -> None:
    path = written(replaced((old, new))(default_text("deep_river")), tmp_path)
    with pytest.raises(ValueError, match=rule):
        river_pack.read_pack(path)
