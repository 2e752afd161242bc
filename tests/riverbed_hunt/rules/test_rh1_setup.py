"""RH-1: the table and the setup."""

from collections import Counter
from functools import cache

import pytest

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.content.pack import load_pack, make_params
from riverbed_env.games.riverbed_hunt.rules.vocab import CAMP_OF, NO_SPACE, Camp, Question, Refusal, Role
from riverbed_hunt.dealt import Dealt, play_randomly

ROLES_DEALT = {
    5: {"CHIEF": 1, "MERCHANT": 1, "LEADER": 1, "SEPARATIST": 1, "PROFITEER": 1},
    6: {"CHIEF": 1, "MERCHANT": 2, "LEADER": 1, "SEPARATIST": 1, "PROFITEER": 1},
    7: {"CHIEF": 1, "MERCHANT": 2, "LEADER": 1, "SEPARATIST": 2, "PROFITEER": 1},
    8: {"CHIEF": 1, "MERCHANT": 3, "LEADER": 1, "SEPARATIST": 2, "PROFITEER": 1},
    9: {"CHIEF": 1, "MERCHANT": 3, "LEADER": 1, "SEPARATIST": 3, "PROFITEER": 1},
}
TILES_DEALT = {
    4: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    5: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    6: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    7: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    8: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17],
    9: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16, 17, 18],
}
CARDS = {  # copies, from how many players
    "Stepping Stone": (2, 4),
    "Swimming Hole": (2, 4),
    "Delusion": (2, 4),
    "Clear Water": (3, 4),
    "Spyglass": (2, 4),
    "Undercurrent": (2, 4),
    "Second Wind": (2, 4),
    "Whirlpool": (2, 5),
    "Silt": (2, 5),
    "Sticky Fins": (2, 5),
    "Shared Secret": (2, 6),
    "Rallying Call": (2, 6),
    "Slip Away": (2, 5),
    "Whispering Shell": (1, 8),
}
DRAWN = {Role.PROFITEER, Role.SEPARATIST}  # one of which four players have
DECK_SIZE = {4: 15, 5: 23, 6: 27, 7: 27, 8: 28, 9: 28}
COUNTS = pytest.mark.parametrize("players", [4, 5, 6, 7, 8, 9])


@cache
def deals(players: int) -> tuple[Dealt, ...]:
    """Two hundred deals, to look at only."""
    return tuple(Dealt(players, seed=seed, layout="random") for seed in range(200))


def roles_of(game: Dealt) -> list[Role]:
    return [Role(int(own["role"])) for own in game.game["private"][: game.num_players]]


def occupied(game: Dealt) -> set[int]:
    return {space for space in range(1, 17) if int(game.table["occupied"]) >> (space - 1) & 1}


def tiles_by_space(game: Dealt) -> dict[int, int]:
    return {space: int(game.game["tile_at"][space - 1]) for space in sorted(occupied(game))}


def draw_pile(game: Dealt) -> list[str]:
    return [game.card_names[int(kind)] for kind in game.game["deck"][: int(game.table["draw_pile"])]]


@COUNTS
def test_rh_1_1_four_to_nine_can_play(players: int) -> None:
    assert int(Dealt(players).table["num_players"]) == players


@pytest.mark.parametrize("players", [0, 3, 10])
def test_rh_1_1_fewer_or_more_cannot(players: int) -> None:
    with pytest.raises(OptionError):
        make_params(players)


def test_rh_1_1_three_camps() -> None:
    camps = {role: CAMP_OF[role] for role in Role if role != Role.UNKNOWN}
    assert camps == {
        Role.CHIEF: Camp.MERCHANTS,
        Role.MERCHANT: Camp.MERCHANTS,
        Role.LEADER: Camp.SEPARATISTS,
        Role.SEPARATIST: Camp.SEPARATISTS,
        Role.PROFITEER: Camp.PROFITEER,
    }


@pytest.mark.parametrize("players", [5, 6, 7, 8, 9])
def test_rh_1_2_roles_dealt(players: int) -> None:
    for game in deals(players):
        assert Counter(role.name for role in roles_of(game)) == ROLES_DEALT[players]


def test_rh_1_2_four_players_get_a_profiteer_or_a_separatist() -> None:
    fourth = Counter[str]()
    for game in deals(4):
        names = Counter(role.name for role in roles_of(game))
        names -= Counter(["CHIEF", "MERCHANT", "LEADER"])
        assert names.total() == 1
        fourth += names
    assert set(fourth) == {"PROFITEER", "SEPARATIST"}
    assert 70 < fourth["PROFITEER"] < 130


def test_rh_1_2_the_drawn_card_goes_to_any_seat() -> None:
    assert {seat for game in deals(4) for seat, role in enumerate(roles_of(game)) if role in DRAWN} == {0, 1, 2, 3}


def test_rh_1_2_with_four_players_the_other_card_stays_out() -> None:
    for game in deals(4):
        assert {Role(int(game.game["spare_role"])), *roles_of(game)} >= DRAWN


@COUNTS
@pytest.mark.parametrize("role", [Role.CHIEF, Role.LEADER])
def test_rh_1_2_roles_are_shuffled(players: int, role: Role) -> None:
    assert {roles_of(game).index(role) for game in deals(players)} == set(range(players))


@COUNTS
def test_rh_1_3_only_the_chiefs_card_is_public_and_each_player_knows_no_other(players: int) -> None:
    for game in deals(players):
        roles = roles_of(game)
        shown = [game.shown_role(seat) for seat in range(players)]
        assert shown == [role if role == Role.CHIEF else Role.UNKNOWN for role in roles]
        assert Role.UNKNOWN not in roles
        assert (game.game["private"]["looked"] == Role.UNKNOWN).all()
        assert int(game.game["private"][9]["role"]) == Role.UNKNOWN  # what everybody knows


@COUNTS
def test_rh_1_4_tiles_of_the_player_count_lie_face_down_and_none_on_empty_spaces(players: int) -> None:
    for game in deals(players):
        assert sorted(tiles_by_space(game).values()) == TILES_DEALT[players]
        assert {space for space in range(1, 17) if game.game["tile_at"][space - 1]} == occupied(game)
        assert game.face_up() == set()
        assert not game.table["tile"].any()


@COUNTS
def test_rh_1_4_tiles_are_shuffled(players: int) -> None:
    places: dict[int, set[int]] = {tile: set() for tile in TILES_DEALT[players]}
    for seed in range(200):
        game = Dealt(players, seed=seed)
        for space, tile in tiles_by_space(game).items():
            places[tile].add(space)
    assert all(spaces == occupied(game) for spaces in places.values())


@COUNTS
def test_rh_1_4_nobody_knows_a_tile(players: int) -> None:
    game = Dealt(players)
    for seat in [*range(players), 9]:
        game.expect(known={seat: {}})
        assert all(game.possible(seat, tile) == occupied(game) for tile in TILES_DEALT[players])


def test_rh_1_5_cards_and_their_copies() -> None:
    cards = {card.name: (card.copies, card.from_players) for card in load_pack().cards}
    assert cards == CARDS
    assert sum(copies for copies, _ in cards.values()) == 28


@COUNTS
def test_rh_1_5_hands_and_draw_pile_are_the_deck_of_the_player_count(players: int) -> None:
    deck = Counter({name: copies for name, (copies, at_least) in CARDS.items() if at_least <= players})
    for game in deals(players):
        found = Counter(draw_pile(game))
        for seat in range(players):
            found += Counter(game.hand(seat))
        assert found == deck
        assert found.total() == DECK_SIZE[players]


@COUNTS
def test_rh_1_5_one_card_each(players: int) -> None:
    game = Dealt(players)
    assert [len(game.hand(seat)) for seat in range(players)] == [1] * players
    assert [int(size) for size in game.table["hand_size"][:players]] == [1] * players
    game.expect(draw_pile=DECK_SIZE[players] - players, pile=[]).expect(pile={"used": []})


@COUNTS
def test_rh_1_5_the_deck_is_shuffled(players: int) -> None:
    in_play = {name for name, (_, at_least) in CARDS.items() if at_least <= players}
    dealt, on_top = set(), set()
    for game in deals(players):
        dealt |= set(game.hand(0))
        on_top.add(draw_pile(game)[-1])
    assert dealt == on_top == in_play


@COUNTS
@pytest.mark.parametrize("field", ["dive_ready", "swim_ready", "uncover_left", "marker_left", "hand_size"])
def test_rh_1_6_everybody_starts_ready_and_a_seat_where_nobody_sits_has_nothing(players: int, field: str) -> None:
    assert Dealt(players).table[field].tolist() == [1] * players + [0] * (9 - players)


@COUNTS
def test_rh_1_7_placing_goes_clockwise_from_the_chiefs_left(players: int) -> None:
    for seed in range(10):
        game = Dealt(players, seed=seed)
        chief = roles_of(game).index(Role.CHIEF)
        order = []
        assert [game.position(seat) for seat in range(players)] == [NO_SPACE + 1] * players
        while game.question == Question.PLACE:
            order.append(game.asked)
            play_randomly(game, seed)
        assert order == [(chief + step) % players for step in range(1, players + 1)]


@COUNTS
def test_rh_1_7_the_first_to_place_is_the_first_to_play(players: int) -> None:
    for seed in range(10):
        game = Dealt(players, seed=seed)
        first = game.asked
        for _ in range(players):
            game.play("space 7")
        game.expect(question=Question.TURN, active=first, asked=first)


@pytest.mark.parametrize(
    ("players", "layout", "empty"), [(4, "bends", {1, 5, 9, 13}), (6, "islands", {6, 10}), (7, "full", set())]
)
def test_rh_1_7_a_meeple_is_placed_on_a_tile(players: int, layout: str, empty: set[int]) -> None:
    game = Dealt(players, layout=layout)
    game.expect(legal={f"space {space}" for space in range(1, 17) if space not in empty})
    game.expect(refusal={f"space {space}": Refusal.SPACE_EMPTY for space in empty})


@COUNTS
def test_rh_1_7_any_number_of_meeples_share_a_space(players: int) -> None:
    game = Dealt(players)
    choices = game.legal()
    for _ in range(players):
        game.expect(legal=choices).play("space 2")
    assert [game.position(seat) for seat in range(players)] == [2] * players


def test_rh_1_7_each_meeple_stands_where_its_owner_put_it() -> None:
    game = Dealt(6, seed=3)
    placed = {}
    for space in (2, 5, 5, 9, 12, 15):
        placed[game.asked] = space
        game.play(f"space {space}")
    assert {seat: game.position(seat) for seat in range(6)} == placed


def test_rh_1_7_no_turn_before_all_meeples_are_placed() -> None:
    game = Dealt(4)
    for _ in range(4):
        for words in ("DIVE", "SWIM", "CO_OP", "UNCOVER", "END_TURN", "STOP", *game.hand(game.asked)):
            game.refuses(words)
        game.play("space 2")
    game.allows("DIVE")


@COUNTS
def test_rh_1_8_the_tracks_start_at_nothing(players: int) -> None:
    game = Dealt(players).expect(tracks=(0, 0, 0))
    for _ in range(players):
        game.play("space 3")
    game.expect(tracks=(0, 0, 0), over=False)
