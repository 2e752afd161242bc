"""DR-4: the end of the game."""

import pytest

from deep_river.scene import Scene
from riverbed_env.games.deep_river.content.pack import make_params
from riverbed_env.games.deep_river.rules.vocab import Camp, Ending, Event, Question, Refusal

QUIET = "bbbDbbb"  # where single pawns have nothing to do on small tiles
BEAR = "010"  # token B moves the bear
TWICE = "001"  # token C moves two fish
SIDES = pytest.mark.parametrize(("side", "bear", "nest"), [("salmon", 7, 8), ("eel", 1, 0)])


def won(side: str) -> dict[str, object]:
    """The facts of a game that the side has won."""
    paid = [1, -1] if side == "salmon" else [-1, 1]
    return {"ending": Ending.OVER, "winner": Camp[side.upper()], "last_event": Event.WIN, "returns": paid}


GOES_ON = {"over": False, "winner": Camp.NONE, "question": Question.TOKEN}


# --- DR-4.1: the bear enters a nest -------------------------------------------------------------------------------


@SIDES
def test_dr_4_1_the_bear_in_a_nest_ends_the_game_for_its_owner(side: str, bear: int, nest: int) -> None:
    Scene(QUIET, faces=BEAR, turn=side, bear=bear).play("token B", "nest").expect(bear=nest, **won(side))


@SIDES
def test_dr_4_1_by_a_bear_tile(side: str, bear: int, nest: int) -> None:
    doubled = (1, 0) if side == "salmon" else (0, 1)
    scene = Scene(QUIET, nest_double=doubled, turn=side, bear=bear).play("token A", "nest double")
    scene.expect(bear=nest, **won(side))


@SIDES
def test_dr_4_1_by_a_pawn_in_the_nest(side: str, bear: int, nest: int) -> None:
    start = {"salmon": "7", "eel": "1"}[side]
    scene = Scene(QUIET, pawns={start: side[0]}, turn=side, bear=bear).play("token A", start)
    scene.expect(bear=nest, **won(side))


def test_dr_4_1_by_drift() -> None:
    Scene("dbbDbbb", pawns={"7": "s"}, bear=7).play("token A", "nest", "7").expect(**won("salmon"))


def test_dr_4_1_by_an_advance_and_by_the_use_of_its_tile() -> None:
    Scene(QUIET, pawns={"3": "S", "7": "s"}, bear=7).play("token A", "3", "advance", "7").expect(**won("salmon"))
    Scene(QUIET, pawns={"3": "S"}, bear=7).play("token A", "3", "advance", "4", "use").expect(**won("salmon"))


def test_dr_4_1_at_once_inside_twice() -> None:
    scene = Scene(QUIET, pawns={"7": "s"}, faces=TWICE, bear=7).play("token C", "7")
    scene.expect(**won("salmon"), question=Question.NONE, progress=(0, 0, 0))


def test_dr_4_1_at_once_before_the_bear_of_the_face() -> None:
    Scene(QUIET, pawns={"7": "s"}, faces=BEAR, bear=7).play("token B", "7").expect(bear=8, **won("salmon"))


def test_dr_4_1_with_the_second_fish_of_twice() -> None:
    scene = Scene(QUIET, pawns={"7": "s"}, faces=TWICE, bear=7).play("token C", "nest").expect(over=False)
    scene.play("7").expect(**won("salmon"))


@pytest.mark.parametrize(("side", "bear"), [("salmon", 6), ("salmon", 1), ("eel", 2), ("eel", 7)])
def test_dr_4_1_a_bear_beside_a_nest_ends_nothing(side: str, bear: int) -> None:
    Scene(QUIET, faces=BEAR, turn=side, bear=bear).play("token B", "nest").expect(**GOES_ON)


def test_dr_4_1_the_bear_comes_before_the_tokens() -> None:
    scene = Scene(QUIET, pawns={"1": "e"}, progress=(5, 6, 0), turn="eel", bear=1).play("token A", "1")
    scene.expect(**won("eel"), progress=(5, 6, 0))


def test_dr_4_1_nobody_acts_when_it_is_over() -> None:
    scene = Scene(QUIET, faces=BEAR, bear=7).play("token B", "nest").expect(asked=-1)
    for seat in range(2):
        scene.expect(refusal={("token A", seat): Refusal.GAME_OVER, ("nest", seat): Refusal.GAME_OVER})
        scene.expect(legal={seat: {"wait"}})


# --- DR-4.1: two tokens at the last tile ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bear", "winner"), [(1, "eel"), (2, "eel"), (3, "eel"), (5, "salmon"), (6, "salmon"), (7, "salmon")]
)
@pytest.mark.parametrize("turn", ["salmon", "eel"])
def test_dr_4_1_the_side_whose_nest_is_farther_from_the_bear_wins(turn: str, bear: int, winner: str) -> None:
    scene = Scene(QUIET, progress=(5, 6, 0), turn=turn, bear=bear).play("token A", "nest")
    scene.expect(progress=(6, 6, 0), **won(winner))


@pytest.mark.parametrize("turn", ["salmon", "eel"])
def test_dr_4_1_the_bear_at_the_double_tile_is_a_draw(turn: str) -> None:
    scene = Scene(QUIET, progress=(0, 6, 5), turn=turn).play("token C", "nest")
    scene.expect(over=True, ending=Ending.OVER, winner=Camp.NONE, last_event=Event.DRAW, returns=[0, 0])


@pytest.mark.parametrize("progress", [(5, 6, 0), (5, 0, 6), (0, 5, 6), (6, 5, 3), (6, 0, 5), (2, 6, 5)])
def test_dr_4_1_any_two_tokens_will_do(progress: tuple[int, ...]) -> None:
    token = "ABC"[progress.index(5)]
    Scene(QUIET, progress=progress, bear=5).play(f"token {token}", "nest").expect(**won("salmon"))


@pytest.mark.parametrize("progress", [(5, 0, 0), (5, 5, 5), (4, 6, 5), (6, 5, 5)])
def test_dr_4_1_one_token_at_the_last_tile_ends_nothing(progress: tuple[int, ...]) -> None:
    scene = Scene(QUIET, progress=progress, bear=5).play("token A", "nest")
    assert scene.progress().count(6) == 1
    scene.expect(**GOES_ON)


def test_dr_4_1_the_tokens_are_looked_at_when_the_turn_ends() -> None:
    scene = Scene("tsbDbbb", pawns={"6": "es"}, faces=TWICE, progress=(6, 0, 5), bear=5)
    scene.play("token C", "nest", "tilt A", "1").expect(over=False)
    scene.play("6").expect(pawns={"2": "s", "6": "se"}, **won("salmon"))


@pytest.mark.parametrize(("turn", "bear"), [("salmon", 4), ("eel", 4), ("salmon", 3), ("eel", 5)])
def test_dr_4_1_the_last_move_of_the_bear_counts(turn: str, bear: int) -> None:
    scene = Scene(QUIET, faces=BEAR, progress=(6, 5, 0), turn=turn, bear=bear).play("token B", "nest")
    if bear == 4:
        scene.expect(**won(turn))
    else:
        scene.expect(bear=4, over=True, winner=Camp.NONE)


def test_dr_4_1_a_skipped_move_ends_the_game_all_the_same() -> None:
    pawns = {"1": "es", "2": "es", "3": "es", "5": "es", "6": "es"}
    Scene(QUIET, pawns=pawns, progress=(6, 5, 0), bear=3).play("token B").expect(**won("eel"))


def test_dr_4_2_a_token_at_the_end_is_used_without_end() -> None:
    scene = Scene("sssDsss", progress=(6, 0, 0))
    for _ in range(12):
        scene.play("token A")
        while scene.question != Question.TOKEN:
            scene.play(max(scene.legal()))  # a pawn out of the nest where one is left
    scene.expect(progress=(6, 0, 0), **GOES_ON)


@pytest.mark.parametrize("max_turns", [1, 2, 3])
def test_dr_4_2_the_cap_cuts_the_game_after_so_many_turns(max_turns: int) -> None:
    scene = Scene(QUIET, max_turns=max_turns)
    for token in "ABC"[:max_turns]:
        scene.expect(**GOES_ON).play(f"token {token}", "nest")
    scene.expect(over=True, ending=Ending.TRUNCATED, turn=max_turns, last_event=Event.TRUNCATE)


@pytest.mark.parametrize("bear", [1, 4, 7])
def test_dr_4_2_nobody_wins_a_game_that_is_cut(bear: int) -> None:
    scene = Scene(QUIET, bear=bear, max_turns=1).play("token A", "nest")
    scene.expect(over=True, winner=Camp.NONE, returns=[0, 0], legal={0: {"wait"}, 1: {"wait"}})


def test_dr_4_2_the_last_turn_is_played_to_its_end() -> None:
    scene = Scene("tbbDbbb", faces=TWICE, max_turns=1).play("token C", "nest", "tilt A").expect(over=False)
    scene.play("1").expect(over=True, progress=(0, 0, 1))


def test_dr_4_2_a_game_decided_in_its_last_turn_is_not_cut() -> None:
    Scene(QUIET, faces=BEAR, bear=7, max_turns=1).play("token B", "nest").expect(**won("salmon"))
    Scene(QUIET, progress=(5, 6, 0), bear=3, max_turns=12).play("token A", "nest").expect(turn=12, **won("eel"))


def test_dr_4_2_the_cap_is_two_hundred_turns_unless_another_is_given() -> None:
    params, _ = make_params()
    assert int(params["max_turns"][0]) == 200
