"""The referee alone, against the spec and the rulebook's examples."""

import dataclasses
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from referee.riverbed_hunt import Action, Deal, Knowledge, Pack, Referee, board_with_empty, read_pack

TESTS = Path(__file__).resolve().parents[1]
PACK_FILES = {
    "default": TESTS.parent / "riverbed_env" / "packs" / "riverbed_hunt" / "default.toml",
    "otherwise": TESTS / "referee" / "packs" / "riverbed_hunt" / "otherwise.toml",
    "nested": TESTS / "referee" / "packs" / "riverbed_hunt" / "nested.toml",
}
PACKS = {name: read_pack(path) for name, path in PACK_FILES.items()}
DEFAULT = PACKS["default"]
OTHERWISE = PACKS["otherwise"]
NESTED = PACKS["nested"]


class RandomChance:
    """Chance in play from a generator of its own."""

    def __init__(self, generator: random.Random) -> None:
        self.generator = generator

    def shuffle_tiles(self, tiles: list[int]) -> list[int]:
        assert len(tiles) >= 2
        return self.generator.sample(tiles, len(tiles))

    def shuffle_cards(self, cards: list[str]) -> list[str]:
        assert cards
        return self.generator.sample(cards, len(cards))

    def pick_card(self, hand: list[str]) -> str:
        return self.generator.choice(hand)


class Reversed:
    """Chance that turns everything round and picks the first card."""

    def shuffle_tiles(self, tiles: list[int]) -> list[int]:
        return tiles[::-1]

    def shuffle_cards(self, cards: list[str]) -> list[str]:
        return cards[::-1]

    def pick_card(self, hand: list[str]) -> str:
        return hand[0]


def missing(whole: Iterable[object], part: Iterable[object]) -> list:
    """What is left of a multiset, in its order."""
    left = Counter(part)
    rest = []
    for item in whole:
        if left[item]:
            left[item] -= 1
        else:
            rest.append(item)
    assert not +left, f"not in the box: {+left}"
    return rest


def make_deal(
    num_players: int,
    *,
    pack: Pack = DEFAULT,
    roles: Sequence[str] = (),
    spare: str | None = None,
    layout: str | None = None,
    tiles: dict[int, int] | None = None,
    hands: Sequence[str] = (),
    top: Sequence[str] = (),
) -> Deal:
    """A deal with some things where a test wants them; the chief sits last, so that seat 0 begins."""
    players = pack.players[num_players]
    if not roles:
        dealt = [*players.roles, *players.one_of[:1]]
        roles = [*[role for role in dealt if role != "chief"], "chief"]
        spare = players.one_of[1] if players.one_of else None
    layouts = pack.layouts_for(num_players)
    chosen = layouts[0] if layout is None else next(entry for entry in layouts if entry.name == layout)
    wanted = tiles or {}
    spaces = [space for space in range(1, 17) if space not in chosen.empty and space not in wanted]
    others = missing(players.tiles, wanted.values())
    deck = missing(pack.deck(num_players), [*hands, *top])
    full_hands = [*hands, *deck[: num_players - len(hands)]]
    pile = [*deck[num_players - len(hands) :], *reversed(top)]
    return Deal(
        roles=tuple(roles),
        spare_role=spare,
        layout=chosen.name,
        tiles={**wanted, **dict(zip(spaces, others, strict=True))},
        hands=tuple((card,) for card in full_hands),
        draw_pile=tuple(pile),
    )


def play(referee: Referee, *actions: Action) -> None:
    for action in actions:
        assert action in referee.legal(), f"{action} not among {sorted(referee.legal(), key=str)}"
        referee.play(action)


def begin(num_players: int, positions: Sequence[int], *, max_decisions: int = 1000, **wanted) -> Referee:
    """A game with the meeples placed; positions by seat."""
    deal = make_deal(num_players, **wanted)
    referee = Referee(wanted.get("pack", DEFAULT), num_players, deal, Reversed(), max_decisions=max_decisions)
    for _ in range(num_players):
        seat = referee.asked
        assert seat is not None
        play(referee, ("space", positions[seat]))
    return referee


def of_kind(referee: Referee, kind: str) -> set:
    return {action[1] for action in referee.legal() if action[0] == kind and len(action) == 2}


def give(referee: Referee, seat: int, name: str) -> None:
    """Hand somebody a card from the draw pile."""
    referee.draw_pile.remove(name)
    referee.hands[seat].append(name)


# RH-2: the river


def test_rh_2_2_the_path_snakes_and_joins_the_rest_by_land() -> None:
    full = board_with_empty(frozenset())
    assert full.orthogonal[7] == [2, 6, 8, 10]
    assert full.diagonal[7] == [1, 3, 9, 11]
    assert full.orthogonal[16] == [9, 15]
    assert full.destinations["land"][7] == [2, 10]
    assert full.destinations["land"][1] == [8]
    assert full.destinations["land"][5] == [12]
    assert [space for space in range(1, 17) if not full.destinations["land"][space]] == [4, 13]


def test_rh_2_4_reach_skips_empty_spaces_and_ends_with_the_river() -> None:
    full = board_with_empty(frozenset())
    assert full.reach[1] == [1, 2]
    assert full.reach[16] == [15, 16]
    assert full.reach[8] == [7, 8, 9]
    bends = board_with_empty(frozenset({5, 9}))
    assert bends.reach[4] == [3, 4, 6]
    assert bends.reach[10] == [8, 10, 11]
    springs = board_with_empty(frozenset({1, 16}))
    assert springs.reach[2] == [2, 3]


@pytest.mark.parametrize("layout", [entry for pack in (DEFAULT, OTHERWISE) for entry in pack.layouts])
def test_rh_2_4_reach_is_always_two_or_three_tiles(layout) -> None:
    board = board_with_empty(layout.empty)
    assert {len(reach) for reach in board.reach.values()} == {2, 3}


def test_rh_2_6_the_swim_example_of_the_book() -> None:
    bends = board_with_empty(frozenset({5, 9}))
    empty_a, beyond_b, across_c, beside_d = {5, 9}, {4, 12, 10, 16}, {2, 10}, {6, 8}
    assert set(bends.destinations["swim"][7]) == (beyond_b | across_c | beside_d) - empty_a
    assert bends.destinations["step"][7] == [6, 8]
    assert bends.destinations["step"][6] == [4, 7, 12]
    assert bends.destinations["land"][7] == [2, 10]
    assert bends.destinations["land"][16] == [8, 10]


def test_rh_2_6_a_swim_on_the_full_board() -> None:
    full = board_with_empty(frozenset())
    assert full.destinations["swim"][1] == [2, 3, 8]
    assert full.destinations["swim"][7] == [2, 5, 6, 8, 9, 10]


# RH-1: setup


def test_rh_1_7_the_chiefs_left_places_first_and_plays_first() -> None:
    roles = ["leader", "chief", "merchant", "separatist", "profiteer"]
    referee = Referee(DEFAULT, 5, make_deal(5, roles=roles), Reversed())
    assert referee.revealed == [False, True, False, False, False]
    order = []
    while referee.active is None:
        order.append(referee.asked)
        assert of_kind(referee, "space") == set(range(2, 16))
        play(referee, ("space", 7))
    assert order == [2, 3, 4, 0, 1]
    assert (referee.active, referee.asked, referee.turns, referee.decisions) == (2, 2, 1, 5)
    assert referee.position == [7] * 5


def spoil(**changes) -> Deal:
    return dataclasses.replace(make_deal(5), **changes)


@pytest.mark.parametrize(
    ("deal", "rule"),
    [
        (spoil(roles=("chief", "merchant", "merchant", "leader", "profiteer")), "RH-1.2"),
        (spoil(spare_role="separatist"), "RH-1.2"),
        (spoil(layout="corners"), "RH-2.3"),
        (spoil(layout="bends"), "RH-1.4"),
        (spoil(tiles=dict(zip(range(2, 16), [*range(1, 14), 15]))), "RH-1.4"),
        (spoil(hands=()), "RH-1.5"),
        (spoil(draw_pile=()), "RH-1.5"),
        (spoil(hands=(("Whispering Shell",), *make_deal(5).hands[1:])), "RH-1.5"),
    ],
)
def test_rh_1_impossible_deals_are_refused(deal: Deal, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        Referee(DEFAULT, 5, deal, Reversed())


def test_rh_1_2_four_players_draw_one_of_two_roles_unseen() -> None:
    roles = ["merchant", "leader", "separatist", "chief"]
    Referee(DEFAULT, 4, make_deal(4, roles=roles, spare="profiteer"), Reversed())
    for spare in ("separatist", None):
        with pytest.raises(ValueError, match=r"RH-1\.2"):
            Referee(DEFAULT, 4, make_deal(4, roles=roles, spare=spare), Reversed())


# RH-3 and RH-4: turns and actions


def test_rh_4_1_a_dive_is_seen_by_one_and_exhausts() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], tiles={6: 3})
    play(referee, ("dive",))
    assert not referee.dive_ready[0]
    assert of_kind(referee, "space") == {6, 7, 8}
    play(referee, ("space", 6))
    assert referee.possible(0)[3] == {6}
    assert all(6 not in spaces for tile, spaces in referee.possible(0).items() if tile != 3)
    assert referee.possible(1)[3] == referee.possible(None)[3] == set(range(2, 16))
    assert not {("dive",), ("swim",), ("co-op",), ("uncover",)} & referee.legal()
    assert ("end turn",) in referee.legal()


def test_rh_4_2_a_swim_draws_a_card_which_may_be_played_at_once() -> None:
    referee = begin(5, [7, 2, 3, 4, 6], layout="bends", hands=["Spyglass"], top=["Clear Water"])
    play(referee, ("swim",))
    assert of_kind(referee, "space") == {2, 4, 6, 8, 10, 12, 16}
    play(referee, ("space", 16))
    assert referee.position[0] == 16
    assert sorted(referee.hands[0]) == ["Clear Water", "Spyglass"]
    play(referee, ("card", "Clear Water"))
    assert of_kind(referee, "space") == {15, 16}
    play(referee, ("space", 15))
    assert referee.used == ["Clear Water"]
    assert not of_kind(referee, "card")  # one card a turn
    play(referee, ("end turn",))
    assert (referee.discard_pile, referee.used, referee.active) == (["Clear Water"], [], 1)


def test_rh_4_3_the_co_op_example_of_the_book() -> None:
    # Green on 6 could reveal the tiles on 6, 7 and, 5 being empty, 4; they choose 4, whose text flips 3.
    referee = begin(5, [15, 6, 3, 8, 11], layout="bends", tiles={4: 7, 3: 13}, hands=["Silt"], top=["Spyglass"])
    referee.dive_ready[0] = referee.swim_ready[0] = False
    before = len(referee.hands[0])
    play(referee, ("co-op",))
    assert of_kind(referee, "seat") == {1, 2, 3, 4}
    play(referee, ("seat", 1))
    assert referee.asked == 1
    play(referee, ("reveal",))
    assert of_kind(referee, "space") == {4, 6, 7}
    play(referee, ("space", 4))
    assert referee.legal() == {("space", 3), ("stop",)}
    assert not referee.dive_ready[0]
    play(referee, ("space", 3))
    assert referee.tracks == {"kelp": 2, "log": 0, "coin": 1}
    assert referee.asked == 0
    assert len(referee.hands[0]) == before + 1
    assert referee.dive_ready[0]
    assert referee.swim_ready[0]
    assert referee.uncover_left[0]


def test_rh_4_3_who_has_nothing_to_reveal_is_chosen_only_if_nobody_has() -> None:
    referee = begin(5, [2, 8, 8, 8, 14], tiles={})
    referee.face_up |= {7, 8, 9}  # the table is set up by hand: these tiles count for nothing here
    play(referee, ("co-op",))
    assert of_kind(referee, "seat") == {4}
    referee = begin(5, [2, 8, 8, 8, 8])
    referee.face_up |= {7, 8, 9}
    hand = len(referee.hands[0])
    play(referee, ("co-op",))
    assert of_kind(referee, "seat") == {1, 2, 3, 4}
    play(referee, ("seat", 3))
    assert referee.asked == 0
    assert len(referee.hands[0]) == hand + 1


def test_rh_4_4_the_uncover_example_of_the_book() -> None:
    referee = begin(7, [6, 1, 2, 3, 4, 9, 10], tiles={7: 10, 1: 1}, hands=["Spyglass"])
    play(referee, ("uncover",))
    assert referee.legal() == {("card", "Spyglass")}
    play(referee, ("card", "Spyglass"))
    assert (referee.hands[0], referee.used) == ([], ["Spyglass"])
    assert of_kind(referee, "space") == {5, 6, 7}
    play(referee, ("space", 7))
    assert referee.legal() == {("space", 1), ("space", 3), ("space", 9), ("space", 11), ("stop",)}
    assert referee.tracks["coin"] == 0  # the text stands above the coins
    play(referee, ("space", 1))
    assert referee.tracks == {"kelp": 1, "log": 0, "coin": 2}
    assert not referee.uncover_left[0]
    assert not referee.hands[0]  # Uncover draws nothing


def test_rh_3_3_the_hand_limit_is_met_at_the_end_of_the_turn() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], hands=["Spyglass"])
    for name in ("Clear Water", "Clear Water", "Delusion", "Silt"):
        give(referee, 0, name)
    play(referee, ("dive",), ("space", 7), ("end turn",))
    assert referee.active == 0
    assert of_kind(referee, "card") == {"Spyglass", "Clear Water", "Delusion", "Silt"}
    play(referee, ("card", "Silt"), ("card", "Clear Water"))
    assert sorted(referee.hands[0]) == ["Clear Water", "Delusion", "Spyglass"]
    assert sorted(referee.discard_pile) == ["Clear Water", "Silt"]
    assert referee.active == 1


def test_rh_3_4_the_discard_pile_is_shuffled_when_a_card_must_be_drawn() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], hands=["Spyglass"])
    referee.discard_pile, referee.draw_pile = referee.draw_pile, []
    before = [name for name in DEFAULT.deck(5) if name in referee.discard_pile]
    play(referee, ("card", "Spyglass"), ("space", 2), ("swim",), ("space", 8))
    assert referee.used == ["Spyglass"]
    assert not referee.discard_pile
    assert referee.hands[0] == before[:1]  # turned round: the first of the pack lies on top
    assert len(referee.draw_pile) == len(DEFAULT.deck(5)) - 5 - 1


def test_rh_3_4_with_both_piles_empty_nothing_is_drawn() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], hands=["Stepping Stone"])
    referee.draw_pile.clear()
    play(referee, ("card", "Stepping Stone"), ("space", 8))
    assert referee.hands[0] == []


def test_rh_5_5_the_refresh_marker_readies_one_exhausted_action_once() -> None:
    referee = begin(5, [7, 2, 3, 4, 5])
    assert not of_kind(referee, "ready")
    play(referee, ("dive",), ("space", 7))
    assert of_kind(referee, "ready") == {"dive"}
    play(referee, ("ready", "dive"))
    assert referee.dive_ready[0]
    assert not referee.marker_left[0]
    assert ("dive",) not in referee.legal()  # one action a turn
    assert not of_kind(referee, "ready")


# RH-5: Hunt and Con

SEVEN = ["merchant", "leader", "separatist", "profiteer", "merchant", "separatist", "chief"]


def hunt_begun(tiles: dict[int, int], **wanted) -> Referee:
    referee = begin(7, [16, 2, 10, 11, 12, 13, 14], roles=SEVEN, tiles=tiles, **wanted)
    play(referee, ("co-op",), ("seat", 1))
    return referee


def test_rh_5_1_the_hunt_example_of_the_book() -> None:
    # A (tile 4) and B (tile 5) bear logs and icons, C (7) a text, D (1) is flipped by it, E (2) ends the Hunt.
    referee = hunt_begun({1: 4, 9: 5, 6: 7, 7: 1, 14: 2})
    assert {("reveal",), ("hunt",)} <= referee.legal()
    play(referee, ("hunt",))
    assert not referee.revealed[1]
    card = referee.hands[1][0]
    play(referee, ("card", card))
    assert referee.revealed[1]
    assert of_kind(referee, "space") == {1, 2, 3}
    play(referee, ("space", 1))
    assert referee.legal() == {("stop",), *(("space", space) for space in range(2, 17))}
    play(referee, ("space", 9), ("space", 6))
    assert referee.legal() == {("stop",), ("space", 3), ("space", 5), ("space", 7), ("space", 11)}
    play(referee, ("space", 7))
    assert ("stop",) in referee.legal()  # D has no icon, but C, the tile just revealed, has
    assert referee.asked == 1
    play(referee, ("space", 14))
    assert referee.asked == 6  # the chief
    assert referee.legal() == {("space", 1), ("space", 9)}
    assert referee.tracks == {"kelp": 2, "log": 2, "coin": 2}
    play(referee, ("space", 9))
    assert referee.tracks == {"kelp": 2, "log": 1, "coin": 1}
    assert referee.face_up == {1, 6, 7, 14}
    assert referee.possible(None)[5] == {9}
    assert referee.asked == 0
    assert len(referee.hands[0]) == 2
    assert ("end turn",) in referee.legal()


def test_rh_5_1_the_leader_may_stop_without_a_penalty() -> None:
    referee = hunt_begun({1: 4})
    play(referee, ("hunt",), ("card", referee.hands[1][0]), ("space", 1), ("stop",))
    assert referee.asked == 0
    assert referee.tracks["log"] == 1


def test_rh_5_2_the_tile_that_ended_the_hunt_can_be_the_penalty() -> None:
    referee = hunt_begun({1: 8})
    play(referee, ("hunt",), ("card", referee.hands[1][0]), ("space", 1))
    assert referee.asked == 6
    assert referee.legal() == {("space", 1)}
    play(referee, ("space", 1))
    assert referee.tracks == {"kelp": 0, "log": 0, "coin": 0}


def test_rh_5_2_with_no_log_revealed_the_penalty_is_skipped() -> None:
    referee = hunt_begun({1: 3, 9: 4})
    play(referee, ("hunt",), ("card", referee.hands[1][0]), ("space", 1))
    assert referee.asked == 0


def test_rh_5_2_only_tiles_of_this_hunt_are_candidates() -> None:
    referee = hunt_begun({1: 3, 2: 4})
    play(referee, ("reveal",), ("space", 2), ("end turn",), ("dive",), ("space", 1), ("end turn",))
    play(referee, ("co-op",), ("seat", 1), ("hunt",), ("card", referee.hands[1][0]), ("space", 1))
    assert referee.face_up == {1, 2}
    assert referee.asked == 2


def test_rh_5_1_the_leader_needs_a_card_and_an_unrevealed_role() -> None:
    referee = hunt_begun({1: 4})
    play(referee, ("reveal",), ("space", 1), ("end turn",))
    referee.hands[1].clear()
    play(referee, ("dive",), ("space", 2), ("end turn",), ("co-op",), ("seat", 1))
    assert ("hunt",) not in referee.legal()


def test_rh_5_3_the_con_reveals_a_second_tile_from_anywhere() -> None:
    referee = begin(7, [16, 2, 10, 11, 12, 13, 14], roles=SEVEN, tiles={10: 1, 1: 2})
    play(referee, ("co-op",), ("seat", 3), ("con",), ("card", referee.hands[3][0]))
    assert of_kind(referee, "space") == {10, 11, 12}
    play(referee, ("space", 10))
    assert referee.legal() == {("space", space) for space in range(1, 17) if space != 10}
    play(referee, ("space", 1))
    assert referee.revealed[3]
    assert referee.asked == 0
    assert referee.tracks == {"kelp": 2, "log": 0, "coin": 1}


# RH-6: elements and the end


def test_rh_6_6_the_layers_decide_from_the_top() -> None:
    referee = begin(7, [7, 1, 2, 3, 4, 9, 10], roles=SEVEN, tiles={7: 8})
    referee.tracks.update(kelp=5, log=6)
    play(referee, ("uncover",), ("card", referee.hands[0][0]), ("space", 7))
    assert (referee.ended, referee.truncated, referee.winning_track) == (True, False, "kelp")
    assert referee.tracks == {"kelp": 7, "log": 6, "coin": 0}
    assert referee.winners == {0, 4, 6}
    assert referee.revealed == [True] * 7
    assert referee.asked is None
    assert referee.legal() == set()


@pytest.mark.parametrize(
    ("role", "spare", "winners"), [("profiteer", "separatist", {2}), ("separatist", "profiteer", set())]
)
def test_rh_6_4_coins_without_a_profiteer_make_everybody_lose(role: str, spare: str, winners: set[int]) -> None:
    referee = begin(4, [7, 2, 3, 4], roles=["merchant", "leader", role, "chief"], spare=spare, tiles={7: 2})
    referee.tracks["coin"] = 3
    play(referee, ("uncover",), ("card", referee.hands[0][0]), ("space", 7))
    assert (referee.winning_track, referee.winners) == ("coin", winners)


def test_rh_6_3_a_tile_that_its_own_text_turns_down_drops_the_layers_below() -> None:
    wanted = {"pack": OTHERWISE, "tiles": {7: 12}, "hands": ["Barter"]}
    referee = begin(4, [7, 1, 8, 11], **wanted)
    assert OTHERWISE.tiles[12].layers[0].text is not None
    play(referee, ("uncover",), ("card", "Barter"), ("space", 7))
    assert referee.legal() == {("space", 7)}  # "undo here" flips down on the meeple's own space
    play(referee, ("space", 7))
    assert referee.face_up == set()
    assert referee.tracks == {"kelp": 0, "log": 0, "coin": 0}  # the kelp below is dropped
    assert referee.possible(None)[12] == set(referee.tile_at)  # and the shuffle of the same text still ran
    assert of_kind(referee, "space") == {2, 6, 8} - OTHERWISE.layouts_for(4)[0].empty


def test_rh_6_5_the_cap_truncates() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], max_decisions=7)
    play(referee, ("dive",))
    assert not referee.ended
    play(referee, ("space", 7))
    assert (referee.ended, referee.truncated, referee.asked) == (True, True, None)
    assert (referee.winners, referee.winning_track) == (set(), None)
    assert referee.revealed == [False, False, False, False, True]
    with pytest.raises(ValueError, match="not legal"):
        referee.play(("end turn",))


def test_rh_6_5_a_win_with_the_last_decision_is_no_truncation() -> None:
    referee = begin(7, [7, 1, 2, 3, 4, 9, 10], tiles={7: 3}, max_decisions=10)
    referee.tracks["kelp"] = 5
    play(referee, ("uncover",), ("card", referee.hands[0][0]), ("space", 7))
    assert (referee.ended, referee.truncated, referee.winning_track) == (True, False, "kelp")


# RH-7: cards


def test_rh_7_5_who_slips_away_is_replaced_by_somebody_else() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], hands=["Slip Away", "Slip Away", "Spyglass"], tiles={3: 1})
    play(referee, ("co-op",), ("seat", 1), ("slip away",))
    assert (referee.asked, referee.used) == (0, ["Slip Away"])
    assert of_kind(referee, "seat") == {2, 3, 4}
    play(referee, ("seat", 2))
    assert ("slip away",) not in referee.legal()  # Spyglass doesn't slip away
    play(referee, ("reveal",), ("space", 3))
    assert of_kind(referee, "card") >= {"Slip Away"}  # the active player's card of the turn is still to play


def test_rh_7_5_nobody_slips_away_if_nobody_is_left() -> None:
    referee = begin(5, [12, 2, 8, 8, 8], hands=["Spyglass", "Slip Away"])
    referee.face_up |= {7, 8, 9}
    play(referee, ("co-op",))
    assert of_kind(referee, "seat") == {1}
    play(referee, ("seat", 1))
    assert ("slip away",) not in referee.legal()
    assert ("reveal",) in referee.legal()


def test_rh_7_5_a_second_one_slips_away_only_past_the_first() -> None:
    referee = begin(5, [12, 2, 3, 8, 8], hands=["Spyglass", "Slip Away", "Slip Away"])
    referee.face_up |= {7, 8, 9}
    play(referee, ("co-op",), ("seat", 1), ("slip away",))
    assert of_kind(referee, "seat") == {2}
    play(referee, ("seat", 2))
    assert ("slip away",) not in referee.legal()


def test_rh_7_2_delusion_needs_both_and_may_turn_the_first_up_again() -> None:
    referee = begin(7, [7, 7, 2, 3, 4, 9, 10], tiles={7: 1, 6: 7}, hands=["Delusion"])
    assert ("card", "Delusion") not in referee.legal()
    play(referee, ("co-op",), ("seat", 1), ("reveal",), ("space", 7))
    assert referee.tracks["kelp"] == 1
    play(referee, ("card", "Delusion"))
    assert referee.legal() == {("space", 7)}
    play(referee, ("space", 7))
    assert referee.tracks["kelp"] == 0
    assert referee.legal() == {("space", 6), ("space", 8)}  # another tile, not the one just turned down
    play(referee, ("space", 6))
    assert ("space", 7) in referee.legal()
    play(referee, ("space", 7))
    assert referee.tracks["kelp"] == 1
    assert referee.face_up == {6, 7}


def test_rh_7_4_moves_need_somewhere_to_go() -> None:
    hands = ["Slip Away"]
    assert ("card", "Slip Away") not in begin(7, [4, 1, 2, 3, 4, 9, 10], hands=hands).legal()
    referee = begin(7, [7, 1, 2, 3, 4, 9, 10], hands=hands)
    play(referee, ("card", "Slip Away"))
    assert referee.legal() == {("space", 2), ("space", 10)}


def test_rh_7_swimming_hole_moves_any_meeple() -> None:
    referee = begin(7, [4, 7, 2, 3, 4, 9, 10], hands=["Swimming Hole"])
    hand = len(referee.hands[1])
    play(referee, ("card", "Swimming Hole"))
    assert of_kind(referee, "seat") == set(range(7))
    play(referee, ("seat", 1))
    assert referee.asked == 0
    assert of_kind(referee, "space") == {2, 5, 6, 8, 9, 10}
    play(referee, ("space", 9))
    assert referee.position[1] == 9
    assert len(referee.hands[1]) == hand


def test_rh_7_second_wind_needs_an_exhausted_action() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], hands=["Second Wind"])
    assert ("card", "Second Wind") not in referee.legal()
    play(referee, ("dive",), ("space", 7), ("card", "Second Wind"))
    assert referee.dive_ready[0]
    assert len(referee.hands[0]) == 1


def test_rh_7_3_sticky_fins_discards_blind() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], hands=["Sticky Fins", "Silt"])
    give(referee, 1, "Clear Water")
    referee.hands[2].clear()
    play(referee, ("card", "Sticky Fins"))
    assert of_kind(referee, "seat") == {1, 3, 4}
    play(referee, ("seat", 1))
    assert referee.hands[1] == ["Silt"]  # the first of the hand in pack order was picked
    assert sorted(referee.used) == ["Clear Water", "Sticky Fins"]
    assert len(referee.hands[0]) == 1


def test_rh_7_rallying_call_allows_no_hunt_and_no_slipping_away() -> None:
    referee = begin(7, [4, 7, 2, 3, 4, 9, 10], roles=SEVEN, hands=["Rallying Call", "Slip Away"])
    referee.dive_ready[0] = False
    play(referee, ("card", "Rallying Call"), ("seat", 1))
    assert referee.asked == 1
    assert referee.legal() == {("space", 6), ("space", 7), ("space", 8)}
    play(referee, ("space", 6))
    while referee.asked != 0:
        play(referee, ("stop",))
    assert not referee.dive_ready[0]


def test_rh_7_shared_secret_shows_both() -> None:
    referee = begin(7, [4, 7, 2, 3, 4, 9, 10], tiles={5: 9}, hands=["Shared Secret"])
    play(referee, ("card", "Shared Secret"), ("seat", 3))
    assert referee.asked == 0
    assert of_kind(referee, "space") == {3, 4, 5}
    play(referee, ("space", 5))
    assert referee.possible(0)[9] == referee.possible(3)[9] == {5}
    assert len(referee.possible(1)[9]) == 16


def test_rh_7_whispering_shell_looks_at_an_unrevealed_role_on_the_same_space() -> None:
    roles = ["merchant", "leader", "separatist", "profiteer", "merchant", "separatist", "merchant", "chief"]
    referee = begin(8, [4, 4, 7, 3, 4, 9, 10, 4], roles=roles, hands=["Whispering Shell"])
    play(referee, ("card", "Whispering Shell"))
    assert of_kind(referee, "seat") == {1, 4}  # the chief's role is public
    play(referee, ("seat", 1))
    assert referee.looked == [{1: "leader"}, {}, {}, {}, {}, {}, {}, {}]


# RH-8: knowledge


def test_rh_8_3_knowledge_travels_with_a_swap_and_ends_with_a_shuffle() -> None:
    referee = begin(5, [7, 2, 3, 4, 5], tiles={6: 3, 10: 4, 7: 1, 8: 2}, hands=["Undercurrent"])
    play(referee, ("dive",), ("space", 6), ("card", "Undercurrent"), ("space", 6), ("space", 10))
    assert referee.legal() == {("space", 6), ("space", 10)}
    assert (referee.tile_at[6], referee.tile_at[10]) == (4, 3)
    assert referee.possible(0)[3] == {10}
    play(referee, ("space", 6))
    assert referee.possible(0)[4] == {6}
    give(referee, 1, "Whirlpool")
    referee.position[1] = 7
    play(referee, ("end turn",), ("card", "Whirlpool"))
    assert [referee.tile_at[space] for space in (6, 7, 8)] == [2, 1, 4]
    assert referee.possible(0)[4] == {6, 7, 8}
    assert referee.possible(0)[3] == {10}


def test_rh_8_3_singles_are_propagated_until_stable() -> None:
    knowledge = Knowledge([1, 2, 3], [1, 2, 3])
    knowledge.fix(1, 1)
    assert knowledge.possible() == {1: {1}, 2: {2, 3}, 3: {2, 3}}
    knowledge.shuffle({1, 2})
    assert knowledge.possible() == {1: {1, 2}, 2: {1, 2, 3}, 3: {1, 2, 3}}
    knowledge.swap(1, 3)
    assert knowledge.possible() == {1: {2, 3}, 2: {1, 2, 3}, 3: {1, 2, 3}}
    knowledge.fix(3, 2)
    assert knowledge.possible() == {1: {3}, 2: {1}, 3: {2}}


def test_rh_8_3_a_space_with_one_candidate_fixes_its_tile() -> None:
    knowledge = Knowledge([1, 2, 3], [1, 2, 3])
    knowledge.rows = {1: {1, 2}, 2: {1, 2}, 3: {1, 2, 3}}
    knowledge.shuffle({1, 2})
    assert knowledge.possible() == {1: {1, 2}, 2: {1, 2}, 3: {3}}


# Effects that the default pack doesn't have


def text_of(pack: Pack, name: str) -> int:
    """A tile whose first layer is this text."""
    return next(
        number
        for number, tile in pack.tiles.items()
        if tile.layers[0].text is not None and tile.layers[0].text.name == name
    )


def test_a_discard_by_oneself_needs_a_card_besides_the_one_played() -> None:
    referee = begin(4, [7, 1, 8, 11], pack=OTHERWISE, hands=["Barter"])
    assert ("card", "Barter") not in referee.legal()
    give(referee, 0, "Whisper Here")
    play(referee, ("dive",), ("space", 7), ("card", "Barter"))
    assert referee.legal() == {("card", "Whisper Here")}
    play(referee, ("card", "Whisper Here"))
    assert len(referee.hands[0]) == 3


def test_what_stands_after_a_move_is_taken_as_possible_and_skipped_if_it_is_not() -> None:
    referee = begin(4, [7, 1, 8, 11], pack=OTHERWISE, hands=["Ferry"])
    referee.face_up |= set(referee.tile_at)
    play(referee, ("card", "Ferry"), ("space", 8))
    assert ("co-op",) in referee.legal()


def test_an_optional_effect_for_which_there_is_nothing_to_choose_asks_nothing() -> None:
    referee = begin(4, [7, 1, 8, 11], pack=OTHERWISE, hands=["Whisper"])
    referee.revealed = [True] * 4
    play(referee, ("card", "Whisper"))
    assert len(referee.hands[0]) == 1


def test_another_excludes_the_space_just_chosen() -> None:
    referee = begin(4, [7, 1, 8, 11], pack=OTHERWISE, hands=["Lantern"])
    play(referee, ("card", "Lantern"), ("space", 7))
    assert referee.legal() == {("space", 6), ("space", 8), ("stop",)}
    play(referee, ("stop",))
    assert ("co-op",) in referee.legal()


def test_nobody_but_the_revealer_carries_out_a_text() -> None:
    referee = begin(7, [16, 7, 1, 2, 9, 10, 11], pack=OTHERWISE, tiles={7: text_of(OTHERWISE, "toll")})
    play(referee, ("co-op",), ("seat", 1), ("reveal",), ("space", 7))
    assert referee.asked == 1
    assert of_kind(referee, "seat") == {0, 2, 3, 4, 5, 6}
    play(referee, ("seat", 0))
    assert referee.asked == 0
    play(referee, ("card", referee.hands[0][0]))
    assert referee.asked == 0  # seat 1 has nothing exhausted to refresh, so the rest of the text is skipped
    assert referee.tracks["log"] == 2


def test_two_texts_run_one_within_the_other() -> None:
    # "two beside" of tile 16 stands between its logs; what it reveals is carried out before the last log.
    referee = begin(7, [16, 7, 1, 2, 9, 10, 11], pack=NESTED, tiles={7: 16, 6: 8, 8: 2})
    play(referee, ("co-op",), ("seat", 1), ("reveal",), ("space", 7))
    assert referee.tracks == {"kelp": 0, "log": 2, "coin": 0}
    play(referee, ("space", 6))
    assert referee.tracks == {"kelp": 2, "log": 3, "coin": 0}
    assert ("stop",) in referee.legal()
    play(referee, ("space", 8))
    assert referee.tracks == {"kelp": 3, "log": 4, "coin": 1}
    assert referee.asked == 0


# Random play


def random_deal(pack: Pack, num_players: int, generator: random.Random) -> Deal:
    def shuffled(items: Iterable) -> list:
        items = list(items)
        return generator.sample(items, len(items))

    players = pack.players[num_players]
    drawn = shuffled(players.one_of)
    layout = generator.choice(pack.layouts_for(num_players))
    spaces = [space for space in range(1, 17) if space not in layout.empty]
    deck = shuffled(pack.deck(num_players))
    return Deal(
        roles=tuple(shuffled([*players.roles, *drawn[:1]])),
        spare_role=drawn[1] if drawn else None,
        layout=layout.name,
        tiles=dict(zip(spaces, shuffled(players.tiles))),
        hands=tuple((card,) for card in deck[:num_players]),
        draw_pile=tuple(deck[num_players:]),
    )


def assert_tracks_fit(referee: Referee, pack: Pack) -> None:
    """Nothing below 0; whenever no tile is under way, the tracks are the sum of the face-up tiles."""
    assert min(referee.tracks.values()) >= 0
    shown = Counter({"kelp": 0, "log": 0, "coin": 0})
    for space in referee.face_up:
        for layer in pack.tiles[referee.tile_at[space]].layers:
            if layer.element is not None:
                shown[layer.element] += layer.amount
    assert all(referee.tracks[element] <= shown[element] for element in shown)
    if referee.question in {"place", "turn", "answer"}:
        assert referee.tracks == shown


def assert_knowledge_is_true(referee: Referee, num_players: int) -> None:
    """No table excludes where a tile lies; what is face-up is known; each seat knows at least what the public does."""
    where = {tile: space for space, tile in referee.tile_at.items()}
    public = referee.possible(None)
    for seat in [None, *range(num_players)]:
        table = referee.possible(seat)
        assert all(where[tile] in spaces for tile, spaces in table.items())
        assert all(table[referee.tile_at[space]] == {space} for space in referee.face_up)
        assert all(table[tile] <= public[tile] for tile in table)


def assert_cards_are_conserved(referee: Referee, deck: list[str]) -> None:
    held = [name for hand in referee.hands for name in hand]
    assert sorted([*held, *referee.draw_pile, *referee.discard_pile, *referee.used]) == sorted(deck)


def assert_well_ended(referee: Referee, pack: Pack, num_players: int) -> None:
    assert referee.legal() == set()
    assert referee.asked is None
    if referee.truncated:
        assert referee.winning_track is None
        return
    assert referee.winning_track is not None
    endpoints = pack.players[num_players].endpoints
    reached = [track for track, count in referee.tracks.items() if count >= endpoints[track]]
    assert reached == [referee.winning_track]
    assert all(referee.revealed)


@pytest.mark.parametrize("num_players", range(4, 10))
@pytest.mark.parametrize("name", PACKS)
def test_random_games_keep_their_invariants(name: str, num_players: int) -> None:
    pack = PACKS[name]
    deck = pack.deck(num_players)
    cut = 0
    for game in range(12):
        generator = random.Random(f"{name} {num_players} {game}")
        deal = random_deal(pack, num_players, generator)
        referee = Referee(pack, num_players, deal, RandomChance(generator), max_decisions=300)
        while referee.asked is not None:
            actions = sorted(referee.legal(), key=str)
            assert actions
            referee.play(generator.choice(actions))
            assert_tracks_fit(referee, pack)
            assert_knowledge_is_true(referee, num_players)
            assert_cards_are_conserved(referee, deck)
        assert referee.ended
        assert_well_ended(referee, pack, num_players)
        cut += referee.truncated
    assert cut <= 2


def questions_met(pack: Pack, num_players: int, games: int, matches: Callable[[Referee], bool]) -> int:
    met = 0
    for game in range(games):
        generator = random.Random(game)
        deal = random_deal(pack, num_players, generator)
        referee = Referee(pack, num_players, deal, RandomChance(generator))
        while referee.asked is not None:
            met += matches(referee)
            referee.play(generator.choice(sorted(referee.legal(), key=str)))
    return met


@pytest.mark.parametrize("action", [("hunt",), ("con",), ("slip away",)])
@pytest.mark.parametrize("name", PACKS)
def test_random_play_meets_the_rare_answers(name: str, action: Action) -> None:
    assert questions_met(PACKS[name], 7, 30, lambda referee: action in referee.legal())
