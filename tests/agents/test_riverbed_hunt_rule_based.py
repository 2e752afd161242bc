"""The rule-based agent of Riverbed Hunt in drawn positions: each role's rules, each card, the powers, the end.

Seats and spaces are those of `riverbed_hunt.scene`: people's numbers. What the agent does is given in the scene's
words. Positions leave it one sensible choice, so that its random draws don't matter.
"""

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from agents_kit import answer, chosen, know
from riverbed_hunt.scene import Scene

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_agents.riverbed_hunt.rule_based.weights import STRENGTH
from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import Question, Role
from riverbed_env.players.agents import UNIFORM
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import lineup, play
from riverbed_lab.statistics import rate

pytestmark = [pytest.mark.slow, pytest.mark.compiled]  # compiling the agent takes long

GAME = find_game("riverbed_hunt")
COUNTS = range(GAME.min_players, GAME.max_players + 1)
PACKS = Path(__file__).parents[1] / "referee" / "packs" / "riverbed_hunt"
SEVEN = "C M M L S S P"


def choice(scene: Scene, draw: int = 0) -> str:
    """What the agent does in the asked seat, in the scene's words."""
    return chosen(RULE_BASED, scene, draw)


def know_roles(scene: Scene) -> Scene:
    """Every role lies open, so that whom to trust is certain."""
    for seat in range(scene.num_players):
        scene.table["role"][seat] = scene.game["private"][seat]["role"]
    return scene


def dived(scene: Scene, swum: bool = True, marker: bool = False) -> Scene:
    """Everybody's Dive, and Swim, is exhausted, and the marker is used."""
    scene.table["dive_ready"][:] = 0
    scene.table["swim_ready"][:] = 0 if swum else 1
    scene.table["marker_left"][:] = marker
    return scene


def seven(tiles: Mapping[int, int], *, at: int | Sequence[int] = 2, up: Sequence[int] = (), **scene: Any) -> Scene:
    drawn = Scene(SEVEN, tiles=tiles, at=at, up=up, **scene)
    for seat in range(7):
        know(drawn, seat, *up)
    return drawn


CHIEF, MERCHANT, FRIEND, LEADER, SEPARATIST, COMRADE, PROFITEER = range(7)


class TestTurn:
    @pytest.mark.parametrize("seat", range(7))
    def test_every_role_looks_before_it_trusts(self, seat: int) -> None:
        assert choice(seven({}, active=seat)) == "DIVE"

    @pytest.mark.parametrize(
        ("seat", "tile", "tracks"),
        [(MERCHANT, 15, (4, 0, 0)), (CHIEF, 3, (5, 0, 0)), (SEPARATIST, 16, (0, 4, 0)), (PROFITEER, 10, (0, 0, 3))],
    )
    def test_it_uncovers_what_it_knows_to_win(self, seat: int, tile: int, tracks: tuple[int, int, int]) -> None:
        scene = know(seven({2: tile}, active=seat, hands={seat: ["Spyglass"]}, tracks=tracks), seat, 2)
        scene.table["card_played"] = 1
        assert choice(scene) == "UNCOVER"
        scene.play("UNCOVER", "Spyglass")
        assert choice(scene) == "space 2"

    @pytest.mark.parametrize("seat", [MERCHANT, SEPARATIST, PROFITEER])
    def test_it_never_turns_up_what_it_knows_to_end_the_game_for_others(self, seat: int) -> None:
        loses = {MERCHANT: 16, SEPARATIST: 15, PROFITEER: 16}[seat]
        scene = seven({1: 2, 2: loses, 3: 12}, active=CHIEF, tracks=(4, 4, 0), hands={CHIEF: ["Rallying Call"]})
        know(scene, seat, 1, 2, 3).play("Rallying Call", f"seat {seat}")
        assert scene.question == Question.REVEAL
        assert choice(scene) != "space 2"

    def test_a_text_that_lets_one_reveal_more_is_taken_where_that_gains(self) -> None:
        # Tile 7 on space 2 offers what lies orthogonally: space 3 with 3 kelps for the merchants, or nothing good.
        for tile, expected in ((15, "space 3"), (16, "STOP")):
            tiles = {1: 6, 2: 7, 3: tile, 7: 9}
            scene = seven(tiles, active=CHIEF, hands={CHIEF: ["Rallying Call"]}, tracks=(3, 3, 0))
            know(scene, MERCHANT, 1, 2, 3, 7).play("Rallying Call", "seat 1", "space 2")
            assert choice(scene) == expected


class TestTrust:
    @pytest.mark.parametrize(
        ("seat", "tile", "expected"), [(MERCHANT, 15, "seat 2"), (SEPARATIST, 16, "seat 5"), (LEADER, 16, "seat 5")]
    )
    def test_it_asks_the_friend_who_knows_a_good_tile(self, seat: int, tile: int, expected: str) -> None:
        friend = int(expected[-1])
        at = [16] * 7
        at[friend] = 2
        scene = dived(know_roles(seven({2: tile}, active=seat, at=at)))
        know(scene, friend, 2)
        know(scene, seat, 2)
        scene.play("CO_OP")
        assert choice(scene) == expected

    def test_it_asks_nobody_of_another_camp_who_knows_what_ends_the_game_for_them(self) -> None:
        scene = dived(know_roles(seven({2: 16}, active=MERCHANT, at=[16, 16, 16, 2, 2, 2, 16], tracks=(0, 4, 0))))
        for seat in (MERCHANT, LEADER, SEPARATIST, COMRADE):
            know(scene, seat, 2)
        scene.play("CO_OP")
        assert choice(scene) in ("seat 0", "seat 2", "seat 6")

    def test_it_slips_away_from_a_co_op_when_only_bad_tiles_are_in_reach(self) -> None:
        scene = seven({1: 6, 2: 16, 3: 9}, active=SEPARATIST, hands={MERCHANT: ["Slip Away"]}, tracks=(0, 2, 0))
        know(scene, MERCHANT, 1, 2, 3).play("CO_OP", "seat 1")
        assert choice(scene) == "SLIP_AWAY"


def asked(seat: int, tiles: Mapping[int, int], known: Sequence[int], tracks: tuple[int, int, int] = (0, 0, 0)) -> Scene:
    """The separatist asks a seat that has a card and knows these spaces."""
    scene = seven(tiles, active=SEPARATIST, hands={seat: ["Spyglass"]}, tracks=tracks)
    return know(scene, seat, *known).play("CO_OP", f"seat {seat}")


class TestHunt:
    def test_it_is_declared_where_known_tiles_win_at_once(self) -> None:
        scene = asked(LEADER, {2: 16, 9: 6, 13: 9}, (2, 9, 13))
        assert choice(scene) == "HUNT"
        scene.play("HUNT", "Spyglass")
        assert choice(scene) == "space 2"
        scene.play("space 2")
        while not scene.over:
            scene.play(choice(scene))
        assert scene.shown_role(LEADER) == Role.LEADER
        assert scene.table["winner"] == 1

    def test_it_stops_when_the_gamble_would_lose_more(self) -> None:
        # One kelp or one coin more ends the game for others, and most tiles nobody has seen bear one.
        scene = asked(LEADER, {1: 4, 2: 6, 3: 1}, (1, 2, 3), tracks=(6, 0, 4))
        scene.play("HUNT", "Spyglass", "space 2")
        assert choice(scene) == "space 1"
        scene.play("space 1")
        assert choice(scene) == "STOP"

    def test_the_chief_turns_down_what_helps_the_merchants_most(self) -> None:
        scene = seven({1: 4, 2: 16, 3: 1}, active=SEPARATIST, hands={LEADER: ["Spyglass"]})
        scene.play("CO_OP", f"seat {LEADER}", "HUNT", "Spyglass", "space 2", "space 1", "space 3")
        assert scene.question == Question.PENALTY
        assert choice(scene) == "space 2"


class TestCon:
    def test_it_is_declared_where_two_tiles_win(self) -> None:
        scene = asked(PROFITEER, {1: 1, 2: 10, 3: 3, 12: 13}, (1, 2, 3, 12), (0, 0, 2))
        assert choice(scene) == "CON"
        scene.play("CON", "Spyglass")
        for _ in range(4):  # the first, perhaps what its text offers, the second
            if not scene.over:
                scene.play(choice(scene))
        assert scene.over
        assert scene.table["winner"] == 2

    def test_it_is_left_where_the_second_tile_would_end_the_game_for_others(self) -> None:
        # One kelp or one log more ends the game for others, and the second tile must be turned up.
        scene = asked(PROFITEER, {1: 3, 2: 5, 3: 8}, (1, 2, 3), (6, 6, 0))
        assert choice(scene) == "REVEAL"


BAD, GOOD = {1: 6, 2: 16, 3: 9}, {1: 15, 2: 16, 3: 1}
REACH = (1, 2, 3)

# Card in the merchant's hand, the scene besides, spaces that the merchant knows, whether it is played.
CARDS: dict[str, tuple[str, dict[str, Any], Sequence[int], bool]] = {
    "a look at unknown tiles": ("Clear Water", {}, (), True),
    "no look where all is known": ("Clear Water", {}, REACH, False),
    "a good tile out of reach": ("Undercurrent", {"tiles": {1: 4, 2: 6, 3: 9, 12: 15}}, (*REACH, 12), True),
    "bad for others": ("Silt", {"tiles": {2: 16}, "up": [2], "tracks": (0, 3, 0)}, (), True),
    "good for its camp": ("Silt", {"tiles": {2: 15}, "up": [2]}, (), False),
    "a bad tile for a good one": ("Delusion", {"tiles": GOOD, "up": [2], "tracks": (2, 2, 0)}, (1, 3), True),
    "a trade that harms": ("Delusion", {"tiles": {1: 6, 2: 15, 3: 9}, "up": [2]}, (1, 3), False),
    "free": ("Stepping Stone", {}, (), True),
    "bad tiles that are known": ("Whirlpool", {"tiles": BAD}, REACH, True),
    "good tiles that are known": ("Whirlpool", {"tiles": {2: 15}}, REACH, False),
    "kept for answers": ("Slip Away", {}, (), False),
}


class TestCards:
    @pytest.mark.parametrize("case", CARDS)
    def test_a_card_is_played_where_it_helps(self, case: str) -> None:
        card, scene, known, expected = CARDS[case]
        tiles = scene.get("tiles", {})
        drawn = seven(**{**scene, "tiles": tiles, "active": MERCHANT, "hands": {MERCHANT: [card]}})
        assert (choice(dived(know(drawn, MERCHANT, *known), swum=False)) == card) == expected

    def test_a_look_goes_where_nobody_else_has_looked(self) -> None:
        scene = seven({}, active=MERCHANT, hands={MERCHANT: ["Clear Water"]})
        for seat in (LEADER, SEPARATIST, FRIEND):
            know(scene, seat, 1, 3)
        assert choice(scene.play("Clear Water")) == "space 2"

    @pytest.mark.parametrize("seat", [LEADER, PROFITEER])
    def test_the_last_card_is_kept_for_hunt_and_con(self, seat: int) -> None:
        for hand, played in ((["Spyglass"], False), (["Spyglass", "Slip Away"], True)):
            scene = dived(seven({}, active=seat, hands={seat: hand}), swum=False)
            assert (choice(know(scene, seat, *REACH)) == "Spyglass") == played

    def test_second_wind_when_dive_and_swim_are_both_exhausted(self) -> None:
        scene = dived(seven({}, active=MERCHANT, hands={MERCHANT: ["Second Wind"]}))
        assert choice(scene) == "Second Wind"
        scene.table["swim_ready"][:] = 1
        assert choice(scene) != "Second Wind"

    @pytest.mark.parametrize(("card", "at"), [("Sticky Fins", (LEADER,)), ("Shared Secret", (CHIEF, FRIEND))])
    def test_a_card_is_played_at_an_enemy_or_a_friend(self, card: str, at: tuple[int, ...]) -> None:
        hands = {MERCHANT: [card], FRIEND: ["Spyglass"], LEADER: ["Spyglass"]}
        scene = dived(know_roles(seven({}, active=MERCHANT, hands=hands)), swum=False)
        assert choice(scene) == card
        assert choice(scene.play(card)) in {f"seat {seat}" for seat in at}

    def test_rallying_call_calls_a_friend_who_knows_a_good_tile(self) -> None:
        scene = seven({6: 15}, active=MERCHANT, at=[16, 16, 6, 16, 16, 16, 16], hands={MERCHANT: ["Rallying Call"]})
        dived(know_roles(know(know(scene, FRIEND, 6), MERCHANT, 6)), swum=False)
        assert choice(scene) == "Rallying Call"
        assert choice(scene.play("Rallying Call")) == f"seat {FRIEND}"

    def test_the_least_useful_card_is_discarded(self) -> None:
        hands = {MERCHANT: ["Whirlpool", "Delusion", "Rallying Call", "Sticky Fins"]}
        scene = seven({}, active=MERCHANT, hands=hands)
        scene.table["card_played"] = 1
        scene.play("DIVE", "space 1", "END_TURN")
        assert scene.question == Question.DISCARD
        assert choice(scene) == "Whirlpool"


class TestPlaces:
    def test_a_swim_goes_where_good_tiles_are_known(self) -> None:
        scene = seven({1: 4, 2: 6, 3: 9, 4: 12, 5: 15}, active=MERCHANT, tracks=(4, 0, 0))
        know(scene, MERCHANT, 1, 2, 3, 4, 5).play("SWIM")
        assert choice(scene) == "space 4"

    def test_a_swim_leads_away_from_the_others(self) -> None:
        # From space 6: 4, 5, 7 and 8 by water, 3 and 11 by land; everybody else stands round 4 and 7.
        scene = seven({}, active=MERCHANT, at=[4, 6, 4, 4, 7, 7, 7])
        assert choice(scene.play("SWIM")) == "space 11"

    def test_the_meeple_is_placed_where_three_tiles_are_in_reach(self) -> None:
        batch = Batch(GAME, 1, num_players=5, seed=1)
        occupied = int(batch.games["table"]["occupied"][0])
        assert batch.games["table"]["question"][0] == Question.PLACE
        space = int(answer(RULE_BASED, batch)[0]) - A.SPACE
        assert occupied % (1 << space) > 0
        assert occupied >> (space + 1) > 0


class TestGames:
    @pytest.mark.parametrize("count", COUNTS)
    @pytest.mark.parametrize("pack", ["nested", "otherwise"])
    def test_it_plays_by_the_rules_with_other_packs(self, count: int, pack: str) -> None:
        content = str(PACKS / f"{pack}.toml")
        games = play(GAME, lineup(GAME, "all", RULE_BASED), range(2), seed=3, num_players=count, pack=content).games
        assert (games["table"]["ending"] != 0).all()

    @pytest.mark.parametrize("count", COUNTS)
    def test_its_games_end_and_hunts_and_cons_happen(self, count: int) -> None:
        games = play(GAME, lineup(GAME, "all", RULE_BASED), range(600), seed=5, num_players=count).games
        columns = GAME.columns(games)
        assert not columns["truncated"].any()
        assert columns["hunts"].mean() > 0.04
        assert columns["cons"].mean() > 0.02

    def test_each_camp_of_it_beats_random_play(self) -> None:
        for number, camp in enumerate(GAME.camps):
            worse, better = (
                rate(int((GAME.columns(games)["winner"] == number).sum()), len(games))
                for games in (
                    play(
                        GAME, lineup(GAME, "x", UNIFORM, **{camp: seated}), range(4000), seed=9,
                        pool=(UNIFORM, RULE_BASED), num_players=7,
                    ).games
                    for seated in (UNIFORM, RULE_BASED)
                )
            )  # fmt: skip
            assert better.low > worse.value + 0.01, f"{camp}: {better} is not above {worse}"


def test_the_strengths_have_the_same_bits_on_every_processor() -> None:
    """Choices that tie hang on the last bit, and the hashes of the published corpus hang on the choices."""
    assert zlib.crc32(STRENGTH.tobytes()) == 3923221504
