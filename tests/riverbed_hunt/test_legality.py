"""Masks, refusals and forced decisions are one answer to one question, in positions of random games and odd ones.

Odd positions are those of random games with redrawn markers, cards and hands: masks and refusals must agree in them,
too, however rarely play gets there.
"""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from legality_kit import check_the_end, check_turns

from riverbed_env.core.game import copy_records
from riverbed_env.games.riverbed_hunt.rules import engine, legality
from riverbed_env.games.riverbed_hunt.rules.actions import ACTIONS, A
from riverbed_env.games.riverbed_hunt.rules.state import CARD_PROGRAM
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, NOBODY, PUBLIC, Question, Refusal, Role
from riverbed_hunt.dealt import SEATS, Dealt, play_randomly
from riverbed_hunt.scene import Scene

PACKS = Path(__file__).parents[1] / "referee" / "packs" / "riverbed_hunt"
GAMES = [(count, "default") for count in SEATS] + [(6, PACKS / "nested.toml"), (8, PACKS / "otherwise.toml")]
FORCED = (Question.TURN, Question.ANSWER, Question.DISCARD, Question.REFRESH, Question.SEAT, Question.REVEAL)
FLAGS = ("dive_ready", "swim_ready", "uncover_left", "marker_left")
SILT, SPYGLASS, CLEAR_WATER = "Silt", "Spyglass", "Clear Water"
NO_SEVENTH = A.SEAT + 7  # a seat clockwise that seven players don't have


@cache
def positions() -> list[Scene]:
    """Positions of one game of each count and of packs with other cards and texts, and odd ones made of them."""
    found = []
    for number, (count, pack) in enumerate(GAMES):
        talk = "claims" if count == 4 else "none"  # the smallest table talks
        scene, draw = Dealt(count, seed=number, pack=pack, talk=talk), Random(number)
        scene.dismiss_referee()  # the odd positions are of the engine's masks alone
        while not scene.over:
            found.append(scene)
            if scene.question in (Question.TURN, Question.DISCARD, Question.REFRESH, Question.ANSWER):
                found.append(odd(scene, draw))
            scene = copied(scene)
            play_randomly(scene, number)
        found.append(scene)
    return found + [refreshing(dive, swim) for dive, swim in ((0, 0), (0, 1), (1, 0))]


def refreshing(dive: int, swim: int) -> Scene:
    """A card lets its player ready one exhausted action."""
    scene = Scene("C M L S S P", at=6, hands={0: ["Second Breath"]}, pack=PACKS / "nested.toml")
    scene.table["dive_ready"][0], scene.table["swim_ready"][0] = dive, swim
    return scene.play("Second Breath")


def copied(scene: Scene) -> Scene:
    """The same position, to be played on."""
    twin = object.__new__(Scene)
    vars(twin).update(vars(scene))
    twin.games = copy_records(scene.games)
    twin.game = twin.games[0]
    twin.table = twin.game["table"]
    return twin


def odd(scene: Scene, draw: Random) -> Scene:
    """The position with redrawn flags for the asked seat, and few cards in its hand."""
    scene = copied(scene)
    table, seat = scene.table, scene.asked
    for name in FLAGS:
        table[name][seat] = draw.random() < 0.3
    table["card_played"] = draw.random() < 0.5
    if scene.question == Question.TURN:
        table["action_done"] = draw.random() < 0.5
    hand = scene.game["private"][seat]["hand"]
    kept = draw.randrange(3)
    while hand.sum() > kept:
        card = draw.choice(np.flatnonzero(hand).tolist())
        hand[card] -= 1
        table["hand_size"][seat] -= 1
        table["discard_pile"][card] += 1
    if scene.question == Question.DISCARD and not hand.any():
        return with_a_card(scene, draw)
    return scene


def with_a_card(scene: Scene, draw: Random) -> Scene:
    """Who has to discard holds a card."""
    pile = scene.table["discard_pile"]
    card = draw.choice(np.flatnonzero(pile).tolist())
    pile[card] -= 1
    scene.game["private"][scene.asked]["hand"][card] += 1
    scene.table["hand_size"][scene.asked] += 1
    return scene


def allowed(scene: Scene, seat: int, knower: int) -> list[int]:
    """What isn't refused a seat by what another knows: itself, or everybody."""
    own = scene.game["private"][knower]
    return [
        action
        for action in range(ACTIONS.size)
        if legality.refusal(scene.table, own, scene.params, seat, action) == Refusal.OK
    ]


def mask(scene: Scene, seat: int) -> list[int]:
    """The mask, written over what stood there."""
    out = np.full(ACTIONS.size, 7, np.int8)
    legality.write_mask(scene.table, scene.game["private"][seat], scene.params, seat, out)
    return [int(allows) for allows in out]


def forced(scene: Scene, knower: int) -> int:
    private = scene.game["private"]
    return int(legality.forced_action(scene.table, private[knower], private[scene.asked], scene.params))


def test_the_positions_are_many_and_ask_everything() -> None:
    asked = Counter(scene.question for scene in positions())
    assert set(Question) - asked.keys() <= {Question.PENALTY}
    assert asked.total() > 700


def test_a_mask_allows_what_is_not_refused_and_nothing_else() -> None:
    for number, scene in enumerate(positions()):
        for seat in {scene.asked, number % scene.num_players} - {NOBODY}:
            may = set(allowed(scene, seat, seat))
            assert mask(scene, seat) == [int(action in may) for action in range(ACTIONS.size)]
            assert (may == {A.WAIT}) == (seat != scene.asked)


def test_a_decision_is_forced_for_its_player_where_one_answer_is_legal() -> None:
    counts = Counter[Question]()
    for scene in positions():
        if not scene.over:
            legal = np.flatnonzero(mask(scene, scene.asked)).tolist()
            assert forced(scene, scene.asked) == (legal[0] if len(legal) == 1 else -1), scene.question
            counts[scene.question] += len(legal) == 1
    assert min(counts[question] for question in FORCED) > 0


def test_a_decision_is_forced_in_public_where_everybody_knows_that_one_answer_is_legal() -> None:
    counts = Counter[Question]()
    for scene in positions():
        if scene.over:
            continue
        seat = scene.asked
        if scene.question == Question.DISCARD:  # which card it is needn't be known
            cards = allowed(scene, seat, seat) if scene.table["hand_size"][seat] == 1 else []
            expected = cards[0] if cards else -1
        else:
            might = allowed(scene, seat, PUBLIC)
            expected = might[0] if len(might) == 1 else -1
        assert forced(scene, PUBLIC) == expected, scene.question
        counts[scene.question] += expected >= 0
    assert min(counts[question] for question in FORCED) > 0


@pytest.mark.parametrize("asker", range(4))
@pytest.mark.parametrize("target", range(4))
def test_the_one_player_left_to_choose_is_forced(asker: int, target: int) -> None:
    if target == asker:
        return
    at = [2] * 4
    at[target] = 16
    up = (2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15)  # all but 16
    scene = Scene(SEATS[4], at=at, active=asker, layout="bends", up=up, tracks=(-20, -20, -20)).play("CO_OP")
    scene.expect(legal={f"seat {target}"})
    assert forced(scene, asker) == forced(scene, PUBLIC) == scene.action(f"seat {target}", asker)


@pytest.mark.parametrize(
    ("hand", "for_the_player", "in_public"),
    [((SILT,), True, True), ((SILT, SILT), True, False), ((SILT, SPYGLASS), False, False)],
)
@pytest.mark.parametrize("others", [(), (SPYGLASS,), (SPYGLASS, SPYGLASS)])
def test_a_discard_is_forced_with_one_kind_of_card_in_public_with_one_card(
    hand: tuple[str, ...], for_the_player: bool, in_public: bool, others: tuple[str, ...]
) -> None:
    hands = dict.fromkeys(range(7), others) | {1: hand}
    scene = Scene(SEATS[7], at=6, active=1, hands=hands).play("UNCOVER")
    card = scene.action(SILT, 1)
    assert forced(scene, 1) == (card if for_the_player else -1)
    assert forced(scene, PUBLIC) == (card if in_public else -1)
    might = {scene.words(action, 1) for action in allowed(scene, 1, PUBLIC)}
    assert might == set(scene.card_names[: sum(copies > 0 for copies in scene.params["copies"])])


def last_kind(scene: Scene) -> int:
    """Seat 1 holds one card alone: one like Spyglass, of the last kind that a pack can have."""
    scene.dismiss_referee()  # the pack has fewer kinds
    last, spyglass = MAX_CARD_KINDS - 1, scene.card(SPYGLASS)
    scene.params["copies"][last] = 1
    scene.params["programs"][CARD_PROGRAM + last] = scene.params["programs"][CARD_PROGRAM + spyglass]
    scene.game["private"][1]["hand"][last] = scene.table["hand_size"][1] = 1
    return A.CARD + last


def test_the_last_kind_of_card_is_like_any_other() -> None:
    scene = Scene(SEATS[7], at=6, active=1)
    action = last_kind(scene)
    for name in FLAGS:
        scene.table[name][1] = 0
    assert mask(scene, 1)[action] == 1
    assert forced(scene, 1) == -1
    scene.table["card_played"] = 1
    assert forced(scene, 1) == A.CO_OP


def test_the_last_kind_of_card_is_discarded_like_any_other() -> None:
    scene = Scene(SEATS[7], at=6, active=1)
    action = last_kind(scene)
    scene.play("UNCOVER")
    assert np.flatnonzero(mask(scene, 1)).tolist() == [action]
    assert forced(scene, 1) == forced(scene, PUBLIC) == action


# --- why the rules refuse --------------------------------------------------------------------------------------------


def seven() -> Scene:
    """Seat 1 is active. 0 chief, 1 and 2 merchants, 3 leader, 4 and 5 separatists, 6 profiteer; all on space 6."""
    return Scene(SEATS[7], at=6, active=1, hands={1: [SILT, SPYGLASS], 3: [SILT], 6: [SILT]})


TAKEN = dict.fromkeys(("DIVE", "SWIM", "CO_OP", "UNCOVER"), Refusal.ACTION_TAKEN)
HELD = {SILT: Refusal.CARD_IMPOSSIBLE, SPYGLASS: Refusal.OK, "CARD": Refusal.CARD_NOT_HELD}
# What is played; then of each action, or of all actions of a block, why the rules refuse it. Others don't answer what
# is asked.
REASONS: dict[tuple[str, ...], dict[str, Refusal]] = {
    (): {
        **dict.fromkeys(TAKEN, Refusal.OK),
        **HELD,
        "END_TURN": Refusal.ACTION_OWED,
        "READY": Refusal.NOT_EXHAUSTED,
    },
    ("DIVE",): {**dict.fromkeys(("space 5", "space 6", "space 7"), Refusal.OK), "SPACE": Refusal.SPACE_NOT_ALLOWED},
    ("DIVE", "space 6"): {
        **TAKEN,
        **HELD,
        "END_TURN": Refusal.OK,
        "READY DIVE": Refusal.OK,
        "READY SWIM": Refusal.NOT_EXHAUSTED,
    },
    ("DIVE", "space 6", "READY DIVE"): {**TAKEN, **HELD, "END_TURN": Refusal.OK, "READY": Refusal.MARKER_USED},
    ("CO_OP",): {"seat 1": Refusal.SEAT_NOT_ALLOWED, "absent": Refusal.SEAT_ABSENT, "SEAT": Refusal.OK},
    ("CO_OP", "seat 3"): {
        "REVEAL": Refusal.OK,
        "HUNT": Refusal.OK,
        "CON": Refusal.NOT_THE_ROLE,
        "SLIP_AWAY": Refusal.CARD_NOT_HELD,
    },
    ("CO_OP", "seat 6"): {
        "REVEAL": Refusal.OK,
        "HUNT": Refusal.NOT_THE_ROLE,
        "CON": Refusal.OK,
        "SLIP_AWAY": Refusal.CARD_NOT_HELD,
    },
    ("CO_OP", "seat 2"): {
        "REVEAL": Refusal.OK,
        "HUNT": Refusal.NOT_THE_ROLE,
        "CON": Refusal.NOT_THE_ROLE,
        "SLIP_AWAY": Refusal.CARD_NOT_HELD,
    },
    ("UNCOVER",): {SILT: Refusal.OK, SPYGLASS: Refusal.OK, "CARD": Refusal.CARD_NOT_HELD},
}


def reason(scene: Scene, played: tuple[str, ...], action: int) -> Refusal:
    """Why the action is refused there."""
    block, argument = ACTIONS.split(action)
    if block in ("WAIT", "STOP"):
        return Refusal.MUST_ANSWER if block == "WAIT" else Refusal.NOT_OPTIONAL
    if block == "SEAT" and argument >= scene.num_players:
        return REASONS[played].get("absent", Refusal.WRONG_QUESTION)
    known = block != "CARD" or argument < len(scene.card_names)
    words = scene.words(action, scene.asked) if known else ""
    return REASONS[played].get(words, REASONS[played].get(block, Refusal.WRONG_QUESTION))


@pytest.mark.parametrize("played", REASONS, ids=" ".join)
def test_each_refusal_says_why(played: tuple[str, ...]) -> None:
    scene = seven().play(*played)
    for action in range(ACTIONS.size):
        assert scene.refusal(action) == reason(scene, played, action), ACTIONS.split(action)


def test_a_space_without_a_tile_is_refused_as_empty() -> None:
    scene = Scene(SEATS[4], at=6, layout="bends").play("DIVE")
    scene.expect(refusal={"space 5": Refusal.SPACE_EMPTY, "space 8": Refusal.SPACE_NOT_ALLOWED})


def test_a_space_with_a_face_up_tile_is_refused_for_another_reason_than_an_empty_one() -> None:
    Scene(SEATS[7], at=6, up=[7]).play("DIVE").expect(refusal={"space 7": Refusal.SPACE_NOT_ALLOWED})


def test_who_is_not_asked_can_only_wait() -> None:
    check_turns(seven())


def test_after_the_end_the_game_is_over_for_everybody() -> None:
    check_the_end(Scene(SEATS[7], at=6, max_decisions=1).play("DIVE"))


def test_what_is_refused_changes_nothing() -> None:
    scene = seven().play("CO_OP")
    before = scene.games.tobytes()
    for words in ("seat 1", "WAIT", "space 6", NO_SEVENTH, -1, ACTIONS.size):
        assert engine.step(scene.game, scene.params, scene.action(words, 1)) == scene.refusal(words) != Refusal.OK
    assert scene.games.tobytes() == before


def test_who_is_revealed_is_refused_the_power_for_that() -> None:
    scene = Scene("C M L S P", at=6, hands={2: [SPYGLASS]}).play("CO_OP", "seat 2")
    scene.expect(refusal={("HUNT", 2): Refusal.OK})
    scene.dismiss_referee()  # nothing reveals a role between the question and its answer
    scene.table["role"][2] = Role.LEADER
    scene.expect(refusal={("HUNT", 2): Refusal.ROLE_REVEALED})


@pytest.mark.parametrize("roles", ["C M L P", "C M P L"])
def test_everybody_knows_that_nobody_else_has_a_role_that_is_revealed(roles: str) -> None:
    scene = Scene(roles, at=6, hands={1: [SPYGLASS]}).play("CO_OP", "seat 1")
    private, table = scene.game["private"], scene.table
    assert legality.forced_action(table, private[PUBLIC], private[1], scene.params) == -1
    table["role"][2:4] = private["role"][2:4]
    assert legality.forced_action(table, private[PUBLIC], private[1], scene.params) == ACTIONS.id("REVEAL")
