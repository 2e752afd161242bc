"""RH-9, talk. Seven players on the full board: tile n lies on space n, seat 2's turn begins and the floor opens.

Seats 3, 4, 5, 6, 0 and 1 speak before seat 2. Seat 0 is the chief, 3 the leader, 6 the profiteer.
"""

from typing import Any

import pytest

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.games.riverbed_hunt.rules.actions import ACTIONS
from riverbed_env.games.riverbed_hunt.rules.talk import claim_at
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, Question, Refusal, Role, Stage, Verb
from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_hunt.scene import Scene
from riverbed_hunt.seven import all_up_but, seven, spaces

CLAIMS = {verb.name for verb in Verb if verb != Verb.SILENT}
SEATS = {f"seat {seat}" for seat in range(7)}
OWN_ROLES = {"MERCHANT", "LEADER", "SEPARATIST", "PROFITEER"}
FLOOR = [3, 4, 5, 6, 0, 1, 2]


def floor(*cards: str, talk: str = "claims", **drawing: Any) -> Scene:
    """Seat 1 has swum and ended the turn; seat 3 is the first to speak in the turn of seat 2."""
    return seven(*cards, talk=talk, **drawing).play("SWIM", "space 8", "END_TURN")


def silence(scene: Scene, seats: int = 7) -> Scene:
    """So many seats say nothing."""
    return scene.play(*["SILENT"] * seats)


def of_tile(scene: Scene, speaker: int, space: int) -> int:
    return int(scene.table["tile_words"][speaker, space - 1])


def of_seat(scene: Scene, speaker: int, seat: int) -> int:
    return int(scene.table["seat_words"][speaker, seat])


def of_oneself(scene: Scene, speaker: int) -> int:
    return int(scene.table["own_words"][speaker])


def of_all(scene: Scene, space: int) -> list[int]:
    """What each seat says of the tile on a space."""
    return [of_tile(scene, seat, space) for seat in range(7)]


def refusal(scene: Scene, verb: str) -> int:
    """Why the seat that is asked can't begin with a verb."""
    return int(scene.kind.kernels.refusal(scene.game, scene.params, scene.asked, ACTIONS.id("SILENT") + Verb[verb]))


def take_turn(scene: Scene) -> Scene:
    """The active player, on space 6 with Swim ready, swims to 8 and ends the turn."""
    return scene.play("SWIM", "space 8", "END_TURN")


# --- RH-9.1 Options -----------------------------------------------------------------------------------------------


def test_rh_9_1_without_the_option_nobody_is_asked_on_the_floor() -> None:
    scene = floor(talk="none")
    assert (scene.asked, scene.question) == (2, Question.TURN)
    scene.refuses(*CLAIMS, "SILENT")


@pytest.mark.parametrize("talk", ["claims", "text"])
def test_rh_9_1_claims_and_text_open_the_same_floor(talk: str) -> None:
    scene = floor(talk=talk)
    assert (scene.asked, scene.question) == (3, Question.FLOOR)
    assert scene.legal() == {"SILENT", *CLAIMS}


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"talk": "loud"}, "talk must be"),
        ({"talk": 1}, "talk must be"),
        ({"talk": "claims", "talk_speakers": "all"}, "talk_speakers must be"),
        ({"talk": "claims", "talk_budget": 0}, "talk_budget must be"),
        ({"talk": "claims", "talk_budget": 4}, "talk_budget must be"),
        ({"talk": "claims", "talk_budget": True}, "talk_budget must be"),
    ],
)
def test_rh_9_1_other_options_are_refused(options: dict[str, Any], wrong: str) -> None:
    with pytest.raises(OptionError, match=wrong):
        make_params(**options)


# --- RH-9.2 The floor ---------------------------------------------------------------------------------------------


def test_rh_9_2_every_seat_speaks_clockwise_and_the_active_one_last() -> None:
    scene = floor()
    for seat in FLOOR:
        assert (scene.asked, scene.question, scene.table["active"]) == (seat, Question.FLOOR, 2)
        silence(scene, 1)
    assert (scene.asked, scene.question) == (2, Question.TURN)


def test_rh_9_2_only_the_active_player_speaks_where_the_option_says_so() -> None:
    scene = floor(talk_speakers="active")
    assert (scene.asked, scene.question) == (2, Question.FLOOR)
    silence(scene, 1).expect(asked=2, question=Question.TURN)


def test_rh_9_2_the_floor_opens_once_a_turn() -> None:
    scene = silence(floor())
    assert scene.play("DIVE", "space 5").question == Question.TURN
    assert scene.play("END_TURN").question == Question.FLOOR
    assert scene.asked == 4


def test_rh_9_2_nobody_speaks_while_meeples_are_placed_but_before_the_first_turn() -> None:
    scene = Scene("C M L S P", at=2, talk="claims")
    scene.dismiss_referee()
    scene.kind.kernels.reset(scene.game, scene.params, 1, 0)
    for _ in range(5):
        assert (scene.table["stage"], scene.question) == (Stage.PLACING, Question.PLACE)
        scene.play("space 2")
    active = int(scene.table["active"])
    scene.expect(question=Question.FLOOR, asked=(active + 1) % 5, turn=1)


def test_rh_9_2_nobody_speaks_after_the_end() -> None:
    scene = silence(floor(tracks=(6, 0, 0), at=1))
    scene.play("CO_OP", "seat 3", "REVEAL", "space 1")
    assert scene.over
    scene.expect(floor=0, claims_left=0)


def test_rh_9_2_a_floor_that_opens_as_the_game_is_cut_off_is_closed() -> None:
    scene = floor(max_decisions=3)  # the last of which has ended the turn
    assert scene.over
    scene.expect(floor=0, claims_left=0)


# --- RH-9.3 Silence or claims -------------------------------------------------------------------------------------


def test_rh_9_3_after_one_claim_the_next_seat_speaks() -> None:
    scene = floor().play("MERCHANT")
    assert scene.asked == 4


@pytest.mark.parametrize("budget", [2, 3])
def test_rh_9_3_a_seat_goes_on_up_to_its_budget(budget: int) -> None:
    scene = floor(talk_budget=budget)
    for made, verb in enumerate(["MERCHANT", "PROMISE_KELP", "PROMISE_LOG"][:budget]):
        assert (scene.asked, scene.table["claims_left"]) == (3, budget - made)
        scene.play(verb)
    scene.expect(asked=4, claims_left=budget)


def test_rh_9_3_silence_ends_a_seats_turn_on_the_floor() -> None:
    scene = floor(talk_budget=3).play("MERCHANT", "SILENT")
    assert scene.asked == 4


def test_rh_9_3_a_claim_begun_is_finished() -> None:
    scene = floor().play("BEARS_LOG")
    assert (scene.asked, scene.question) == (3, Question.ABOUT)
    scene.refuses("SILENT", "STOP", "MERCHANT", "seat 1")
    assert scene.legal() == spaces(*range(1, 17))


# --- RH-9.4 Claims ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "code"), [("OF_MERCHANTS", 1), ("OF_SEPARATISTS", 2), ("OF_PROFITEER", 3)])
def test_rh_9_4_a_camp_is_claimed_of_a_player_or_oneself(verb: str, code: int) -> None:
    scene = floor(talk_budget=2).play(verb, "seat 5", verb, "seat 3")
    assert (of_seat(scene, 3, 5), of_seat(scene, 3, 3)) == (code, code)


@pytest.mark.parametrize("role", sorted(OWN_ROLES))
def test_rh_9_4_a_role_is_claimed_of_oneself_alone(role: str) -> None:
    scene = floor().play(role)
    assert of_oneself(scene, 3) == 1 + Role[role]
    assert scene.asked == 4  # nothing else was asked


@pytest.mark.parametrize("verb", ["BEARS_KELP", "BEARS_LOG", "BEARS_COIN", "BEARS_NONE"])
def test_rh_9_4_what_a_face_down_tile_bears(verb: str) -> None:
    scene = floor().play(verb, "space 9")
    assert of_tile(scene, 3, 9) == 1 + Verb[verb] - Verb.BEARS_KELP


@pytest.mark.parametrize("verb", ["PROMISE_KELP", "PROMISE_LOG", "PROMISE_COIN"])
def test_rh_9_4_a_promise(verb: str) -> None:
    assert of_oneself(floor().play(verb), 3) == 8 * (1 + Verb[verb] - Verb.PROMISE_KELP)


def test_rh_9_4_urges_are_about_a_tile_or_a_player() -> None:
    scene = floor(talk_budget=2).play("TURN_UP", "space 4", "ASK", "seat 6", "LEAVE", "space 4", "DONT_ASK", "seat 4")
    assert (of_tile(scene, 3, 4), of_seat(scene, 3, 6)) == (16, 4)
    assert (of_tile(scene, 4, 4), of_seat(scene, 4, 4)) == (32, 8)


def test_rh_9_4_a_seat_judges_another() -> None:
    scene = floor().play("BELIEVE", "seat 1", "DOUBT", "seat 3")
    assert (of_seat(scene, 3, 1), of_seat(scene, 4, 3)) == (16, 32)


def test_rh_9_4_each_verb_asks_for_its_kind_of_object() -> None:
    seats = {verb.name for verb in (*list(Verb)[1:4], *list(Verb)[17:])}
    tiles = {*(f"BEARS_{what}" for what in ("KELP", "LOG", "COIN", "NONE")), "TURN_UP", "LEAVE"}
    for verb in CLAIMS - OWN_ROLES - {"PROMISE_KELP", "PROMISE_LOG", "PROMISE_COIN"}:
        named = floor().play(verb).legal()
        assert all(words.startswith("seat" if verb in seats else "space") for words in named), verb
        assert (verb in seats) != (verb in tiles)


def test_rh_9_4_camp_urge_and_judgement_of_a_player_stand_side_by_side_and_are_replaced_one_by_one() -> None:
    scene = floor(talk_budget=3).play("OF_SEPARATISTS", "seat 5", "ASK", "seat 5", "DOUBT", "seat 5")
    assert of_seat(scene, 3, 5) == 2 + 4 + 32
    silence(scene, 6)
    silence(take_turn(scene), 6)  # in the turn of seat 3 it speaks last
    for verb, stands in [("DONT_ASK", 2 + 8 + 32), ("BELIEVE", 2 + 8 + 16), ("OF_PROFITEER", 3 + 8 + 16)]:
        assert of_seat(scene.play(verb, "seat 5"), 3, 5) == stands
    assert sum(of_seat(scene, 3, seat) for seat in range(7)) == 3 + 8 + 16


def test_rh_9_4_what_a_tile_bears_and_an_urge_stand_side_by_side_and_are_replaced_one_by_one() -> None:
    scene = floor(talk_budget=3).play("BEARS_COIN", "space 9", "TURN_UP", "space 9", "BEARS_KELP", "space 9")
    assert of_tile(scene, 3, 9) == 1 + 16
    silence(scene, 6)
    silence(take_turn(scene), 6).play("LEAVE", "space 9", "BEARS_NONE", "space 9", "TURN_UP", "space 9")
    assert of_tile(scene, 3, 9) == 4 + 16
    assert of_all(scene, 9) == [0, 0, 0, 4 + 16, 0, 0, 0]


def test_rh_9_4_role_and_promise_stand_side_by_side_and_a_role_leaves_the_urge_to_ask_oneself() -> None:
    scene = floor(talk_budget=3).play("ASK", "seat 3", "PROMISE_COIN", "MERCHANT")
    assert (of_oneself(scene, 3), of_seat(scene, 3, 3)) == (1 + Role.MERCHANT + 24, 1 + 4)
    silence(scene, 6)
    silence(take_turn(scene), 6).play("LEADER", "PROMISE_KELP", "DONT_ASK", "seat 3")
    assert (of_oneself(scene, 3), of_seat(scene, 3, 3)) == (1 + Role.LEADER + 8, 2 + 8)
    assert not scene.table["own_words"][:3].any()
    assert not scene.table["own_words"][4:].any()


# --- RH-9.5 Lies --------------------------------------------------------------------------------------------------


def test_rh_9_5_the_leader_may_claim_to_be_a_merchant_and_tiles_are_not_checked() -> None:
    scene = floor(talk_budget=2)
    before = scene.tracks
    scene.play("MERCHANT", "BEARS_KELP", "space 4")  # tile 4 bears a log
    assert (scene.tracks, scene.shown_role(3)) == (before, Role.UNKNOWN)
    assert scene.known(3) == {} == scene.known(MAX_SEATS)


def test_rh_9_5_a_promise_binds_nobody() -> None:
    scene = silence(floor().play("PROMISE_KELP"), 6).play("CO_OP", "seat 3", "REVEAL")
    assert scene.legal() == spaces(5, 6, 7)


# --- RH-9.6 What may be claimed -----------------------------------------------------------------------------------


def test_rh_9_6_a_camp_is_not_claimed_of_a_public_role() -> None:
    scene = floor().play("OF_SEPARATISTS")
    assert scene.legal() == SEATS - {"seat 0"}


def test_rh_9_6_a_public_role_claims_none_but_may_promise() -> None:
    scene = silence(floor(), 4)
    assert scene.asked == 0
    assert scene.legal() == {"SILENT", *CLAIMS} - OWN_ROLES


def test_rh_9_6_only_face_down_tiles_are_talked_of() -> None:
    scene = floor(up=[2, 9]).play("TURN_UP")
    assert scene.legal() == spaces(*set(range(1, 17)) - {2, 9})


def test_rh_9_6_a_repetition_is_not_a_claim() -> None:
    scene = floor(talk_budget=3).play("BEARS_LOG", "space 9", "BEARS_LOG")
    assert scene.legal() == spaces(*set(range(1, 17)) - {9})
    scene.play("space 10", "PROMISE_COIN", "PROMISE_COIN", "SILENT")  # another seat may promise the same
    silence(scene, 5)
    take_turn(scene)  # seat 2's turn is over: in seat 3's, seat 4 speaks first, seat 3 last
    silence(scene, 6).refuses("PROMISE_COIN").allows("PROMISE_LOG", "PROMISE_KELP")


@pytest.mark.parametrize(
    ("said", "other", "thing"),
    [
        ("ASK", "DONT_ASK", "seat 0"),
        ("BELIEVE", "DOUBT", "seat 6"),
        ("TURN_UP", "LEAVE", "space 1"),
        ("BEARS_LOG", "BEARS_NONE", "space 16"),
        ("OF_MERCHANTS", "OF_PROFITEER", "seat 6"),
    ],
)
def test_rh_9_6_nothing_is_said_twice_in_a_row_but_may_be_turned_round(said: str, other: str, thing: str) -> None:
    floor(talk_budget=2).play(said, thing, said).refuses(thing)
    floor(talk_budget=2).play(other, thing, other).refuses(thing)
    floor(talk_budget=3).play(said, thing, other).allows(thing)
    floor(talk_budget=3).play(other, thing, said).allows(thing)


def test_rh_9_6_chief_asked_believed_and_doubted_but_nobody_judges_oneself() -> None:
    assert floor().play("ASK").legal() == SEATS
    assert floor().play("DOUBT").legal() == SEATS - {"seat 3"}
    assert floor().play("BELIEVE").legal() == SEATS - {"seat 3"}


def test_rh_9_6_a_claimed_role_claims_its_camp() -> None:
    scene = floor(talk_budget=2).play("MERCHANT")
    assert of_seat(scene, 3, 3) == 1
    assert scene.play("OF_MERCHANTS").legal() == SEATS - {"seat 0", "seat 3"}


def test_rh_9_6_a_verb_without_an_object_left_is_refused() -> None:
    scene = floor(**all_up_but(16)).play("BEARS_COIN", "space 16")
    silence(scene, 6)
    scene.table["floor"], scene.table["claims_left"] = 7, 1  # seat 3 has the floor again
    scene.table["asked"], scene.table["question"] = 3, Question.FLOOR
    scene.dismiss_referee()
    scene.refuses("BEARS_COIN").allows("BEARS_LOG", "TURN_UP")


def test_rh_9_6_a_repetition_is_refused_whatever_else_stands_of_the_same_thing() -> None:
    floor(talk_budget=3).play("TURN_UP", "space 9", "BEARS_LOG", "space 9", "BEARS_LOG").refuses("space 9")
    floor(talk_budget=3).play("ASK", "seat 5", "OF_SEPARATISTS", "seat 5", "OF_SEPARATISTS").refuses("seat 5")
    floor(talk_budget=3).play("DOUBT", "seat 5", "ASK", "seat 5", "ASK").refuses("seat 5")


def test_rh_9_6_a_verb_is_refused_when_the_speaker_says_it_of_everybody_already() -> None:
    scene = floor()
    scene.dismiss_referee()
    scene.table["seat_words"][3, 1:7] = 1 + 4
    scene.refuses("OF_MERCHANTS").allows("OF_SEPARATISTS", "ASK", "BELIEVE")  # of the chief it may say "ask"
    scene.table["seat_words"][3, 0] = 4
    scene.refuses("ASK").allows("DONT_ASK")
    assert (refusal(scene, "OF_MERCHANTS"), refusal(scene, "ASK")) == (Refusal.CLAIMED_ALREADY,) * 2


def test_rh_9_6_a_refused_role_says_that_the_role_is_public() -> None:
    scene = silence(floor(), 4)
    assert {refusal(scene, role) for role in OWN_ROLES} == {Refusal.ROLE_PUBLIC}


# --- RH-9.7 What stands -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "camp", "code"), [("MERCHANT", "OF_SEPARATISTS", 2), ("LEADER", "OF_MERCHANTS", 1)])
def test_rh_9_7_another_camp_of_oneself_ends_the_claim_of_the_role(role: str, camp: str, code: int) -> None:
    scene = floor(talk_budget=3).play(role, "PROMISE_KELP", camp, "seat 3")
    assert (of_oneself(scene, 3), of_seat(scene, 3, 3)) == (8, code)


def test_rh_9_7_a_camp_of_another_leaves_the_role_claimed() -> None:
    scene = floor(talk_budget=2).play("MERCHANT", "OF_SEPARATISTS", "seat 5")
    assert of_oneself(scene, 3) == 1 + Role.MERCHANT


def test_rh_9_7_the_claims_of_every_seat_travel_with_both_tiles() -> None:
    scene = floor(hands={2: ["Undercurrent"]}, talk_budget=2)
    scene.play(*["BEARS_LOG", "space 1", "BEARS_COIN", "space 16"] * 7)
    scene.play("Undercurrent", "space 1", "space 16", "space 1")
    assert (of_all(scene, 1), of_all(scene, 16)) == ([3] * 7, [2] * 7)


@pytest.mark.parametrize(("at", "space"), [(1, 1), (16, 16)])
def test_rh_9_7_a_shuffle_ends_the_claims_of_every_seat_on_the_shuffled_tiles_alone(at: int, space: int) -> None:
    places = [6, 6, at, 6, 6, 6, 6]
    scene = floor(hands={2: ["Whirlpool"]}, talk_budget=2, at=places)
    scene.play(*["BEARS_LOG", f"space {space}", "BEARS_COIN", "space 9"] * 7).play("Whirlpool")
    assert (of_all(scene, space), of_all(scene, 9)) == ([0] * 7, [3] * 7)


def test_rh_9_7_a_tile_turned_up_makes_the_claims_of_every_seat_past_ones_once() -> None:
    scene = floor(hands={2: ["Silt"]})
    for verb in ("BEARS_KELP", "BEARS_LOG", "BEARS_COIN", "BEARS_NONE", "BEARS_KELP", "LEAVE", "BEARS_NONE"):
        scene.play(verb, "space 5")
    past = [5, 0, 8, 5, 6, 7, 8]
    assert of_all(scene.play("CO_OP", "seat 4", "REVEAL", "space 5"), 5) == past
    silence(scene.play("Silt", "space 5", "END_TURN"), 7)
    assert of_all(scene.play("CO_OP", "seat 4", "REVEAL", "space 5"), 5) == past


def test_rh_9_7_the_record_says_after_how_many_events_and_in_which_turn_a_claim_was_made() -> None:
    scene = floor(talk_budget=2).play("MERCHANT")
    scene.dismiss_referee()
    scene.table["turn"] = 200  # more than fits: the record says 127
    scene.play("PROMISE_LOG")
    words = [int(claim_at(scene.table, age)) for age in range(MAX_EVENTS)]
    events = int(scene.table["event_count"])
    assert events > 1
    assert [word >> 32 for word in words[:2]] == [events, events]
    assert [word >> 24 & 0xFF for word in words[:2]] == [127, 2]
    assert words[2:] == [0] * (MAX_EVENTS - 2)


def test_rh_9_7_a_tile_turned_down_can_be_claimed_again() -> None:
    scene = floor(hands={2: ["Silt"]}).play("BEARS_COIN", "space 5")
    silence(scene, 6).play("CO_OP", "seat 4", "REVEAL", "space 5", "Silt", "space 5", "END_TURN")
    assert of_tile(scene, 3, 5) == 4 + 3
    silence(scene, 6).play("BEARS_COIN").allows("space 5")
    scene.play("space 5")
    assert of_tile(scene, 3, 5) == 3


def test_rh_9_7_claims_about_a_player_outlive_the_revealed_role() -> None:
    scene = floor(hands={3: ["Silt"]}).play("SILENT", "OF_MERCHANTS", "seat 3")
    silence(scene, 5).play("CO_OP", "seat 3", "HUNT", "Silt", "space 5")
    assert (scene.shown_role(3), of_seat(scene, 4, 3)) == (Role.LEADER, 1)


def test_rh_9_7_everybody_sees_what_stands_and_what_was_said() -> None:
    scene = floor(talk_budget=2).play("BEARS_COIN", "space 5", "OF_SEPARATISTS", "seat 1", "LEADER", "SILENT")
    for seat in range(7):
        seen = scene.observed(seat)
        three, four, one = (3 - seat) % 7, (4 - seat) % 7, (1 - seat) % 7
        assert seen["tile_words"][three, 4] == 3
        assert seen["seat_words"][three, one] == 2
        assert seen["own_words"][four] == 1 + Role.LEADER
        assert seen["said"][:3].tolist() == [
            [1 + four, Verb.LEADER, 0, 2],
            [1 + three, Verb.OF_SEPARATISTS, 1 + one, 2],
            [1 + three, Verb.BEARS_COIN, 5, 2],
        ]
        assert not seen["said"][3:].any()


def test_rh_9_7_the_observation_says_whose_floor_it_is() -> None:
    scene = floor(talk_budget=3).play("MERCHANT", "ASK")
    seen = scene.observed(4)
    assert seen["asked"].argmax() == 6  # seat 3, six seats clockwise
    assert seen["claim_verb"].argmax() == Verb.ASK
    assert seen["talk"].tolist() == [0, 1, 0, 0, 3, 2, 7]


# --- RH-9.8 The cap -----------------------------------------------------------------------------------------------


def test_rh_9_8_decisions_on_the_floor_do_not_count_for_the_cap() -> None:
    scene = floor(max_decisions=5)
    scene.expect(decisions=3, spoken=0).play("BEARS_LOG", "space 9", "SILENT", "MERCHANT")
    silence(scene, 4).expect(decisions=3, spoken=8)
    scene.play("DIVE")
    assert not scene.over
    assert scene.play("space 5").over


# --- RH-9.9 Text --------------------------------------------------------------------------------------------------


def test_rh_9_9_text_changes_no_mask_and_no_state() -> None:
    claims, text = floor(talk="claims"), floor(talk="text")
    assert claims.games.tobytes() == text.games.tobytes()
    assert claims.legal() == text.legal()


# --- RH-9.10 Forced answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("auto_forced", ["public", "all", "none"])
def test_rh_9_10_everybody_is_asked_on_the_floor(auto_forced: str) -> None:
    scene = seven(talk="claims", auto_forced=auto_forced).play("SWIM", "space 8", "END_TURN")
    asked = []
    while scene.question == Question.FLOOR:
        asked.append(scene.asked)
        silence(scene, 1)
    assert asked == FLOOR


@pytest.mark.parametrize(("auto_forced", "question"), [("public", Question.FLOOR), ("none", Question.ABOUT)])
def test_rh_9_10_a_single_object_is_forced_like_any_other_choice(auto_forced: str, question: Question) -> None:
    scene = seven(talk="claims", auto_forced=auto_forced, **all_up_but(16, 8)).play("SWIM", "space 8", "END_TURN")
    scene.play("BEARS_LOG", "space 8")
    silence(scene, 6)
    scene.dismiss_referee()
    scene.table["face_down"] = 1 << 15
    scene.table["floor"], scene.table["claims_left"], scene.table["asked"] = 7, 1, 3
    scene.table["question"], scene.table["spaces"] = Question.FLOOR, 0
    assert scene.kind.kernels.step(scene.game, scene.params, ACTIONS.id("LEAVE")) == 0
    assert scene.question == question
    assert of_tile(scene, 3, 16) == (32 if auto_forced == "public" else 0)
