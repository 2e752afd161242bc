"""Drawn states are valid, show their seat exactly what it sees, and can be played on (RH-8)."""

from functools import partial

import numpy as np
import pytest

from deduction.positions import COUNTS, GAME, PACKS, drawn_games, games_of, layouts, picked, positions
from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.rules.state import VIEW
from riverbed_env.games.riverbed_hunt.rules.vocab import NO_TILE, NUM_TILES, PUBLIC, Ending, Event, Question, Role

pytestmark = pytest.mark.compiled

BOARDS = [(pack, count, layout) for pack in PACKS for count in COUNTS for layout in layouts(pack, count)]
FEW = [next(board for board in BOARDS if board[:2] == ("default", count)) for count in COUNTS]


def every_seat(states: np.ndarray, num_players: int) -> tuple[np.ndarray, np.ndarray]:
    """Each state once for each seat, and the seats."""
    return picked(states, np.repeat(np.arange(len(states)), num_players)), np.tile(np.arange(num_players), len(states))


def play_on(batch: Batch) -> None:
    """Random agents play every game to its end; the states on the way are sound."""
    for decision in range(1100):
        if not batch.acting.any():
            break
        batch.step(batch.random_actions())
        if decision % 40 == 0:
            batch.set_state(batch.get_state())
    assert not batch.acting.any()
    batch.set_state(batch.get_state())


@pytest.mark.parametrize(
    ("pack", "num_players", "layout"),
    [pytest.param(*board, marks=() if board in FEW else pytest.mark.slow) for board in BOARDS],
)
def test_a_drawn_state_shows_its_seat_what_it_sees_and_can_be_played_on(
    pack: str, num_players: int, layout: str
) -> None:
    options = {"num_players": num_players, "pack": PACKS[pack], "layout": layout}
    states, seats = every_seat(positions(pack, num_players, layout), num_players)
    truth = games_of(states, **options)
    views = truth.look(seats)
    kept = views.tobytes()
    for number, model in enumerate(("playing", "uniform")):
        drawn = drawn_games(views, seed=number, model=model, **options)
        assert views.tobytes() == kept, "the views were changed"
        world = games_of(drawn, **options)
        assert world.look(seats).tobytes() == views.tobytes()
        assert np.array_equal(world.seat, truth.seat)
        for shown, seen in zip(world.observe(seats), truth.observe(seats), strict=True):
            np.testing.assert_array_equal(shown, seen)
    play_on(world)


@pytest.mark.slow
def test_every_question_and_every_ending_is_among_the_positions() -> None:
    asked, ended = set[int](), set[int]()
    for board in BOARDS:
        table = positions(*board)["table"]
        asked |= set(table["question"].tolist())
        ended |= set(table["ending"].tolist())
    assert asked == {int(question) for question in Question if question < Question.FLOOR}
    assert {int(Ending.PLAYING), int(Ending.WON)} <= ended


@pytest.mark.parametrize("num_players", [4, 9])
def test_games_that_were_cut_short_are_resampled_too(num_players: int) -> None:
    """RH-6.5: nobody's role is shown when the cap on decisions is reached."""
    options = {"num_players": num_players, "max_decisions": 30}
    batch = Batch(GAME, 50, seed=4, auto_reset=False, **options)
    for _ in range(30):
        batch.step(batch.random_actions())
    ended = batch.get_state()
    cut = picked(ended, ended["table"]["ending"] == Ending.TRUNCATED)
    assert len(cut) > 10
    views = games_of(cut, **options).look(1)
    drawn = drawn_games(views, seed=1, **options)
    assert games_of(drawn, **options).look(1).tobytes() == views.tobytes()


@pytest.mark.parametrize("num_players", COUNTS)
def test_the_others_know_what_they_were_seen_to_look_at(num_players: int) -> None:
    """RH-8.3: who has looked at a tile knows it; nobody knows less of the tiles than everybody does."""
    for layout in layouts("default", num_players):
        options = {"num_players": num_players, "layout": layout}
        states, seats = every_seat(positions("default", num_players, layout), num_players)
        drawn = drawn_games(games_of(states, **options).look(seats), seed=3, **options)
        for game in drawn[::7]:
            for seat in range(num_players):
                own = game["private"][seat]
                for space in range(16):
                    if int(game["table"]["seen"][seat]) >> space & 1:
                        assert own["known"][space] == game["tile_at"][space]
                assert not (own["possible"] & ~game["private"][PUBLIC]["possible"]).any()


@pytest.mark.parametrize("num_players", COUNTS)
def test_where_nothing_was_shuffled_the_others_know_as_many_tiles_as_they_do(num_players: int) -> None:
    """RH-8.3: without a shuffle all that a seat knows is what it was seen to look at, and what follows."""
    layout = layouts("default", num_players)[0]
    options = {"num_players": num_players, "layout": layout}
    states = positions("default", num_players, layout)
    states, seats = every_seat(picked(states, states["table"]["tally"][:, Event.SHUFFLE] == 0), num_players)
    drawn = drawn_games(games_of(states, **options).look(seats), seed=5, **options)
    for own in (*range(num_players), PUBLIC):
        now, before = drawn["private"]["known"][:, own], states["private"]["known"][:, own]
        np.testing.assert_array_equal(now != NO_TILE, before != NO_TILE)


@pytest.mark.parametrize("num_players", COUNTS)
def test_roles_that_others_have_looked_at_are_the_drawn_ones(num_players: int) -> None:
    states, seats = every_seat(positions("default", num_players, layouts("default", num_players)[0]), num_players)
    drawn = drawn_games(games_of(states, num_players=num_players).look(seats), seed=6, num_players=num_players)
    looked = drawn["private"]["looked"][:, :num_players, :num_players]
    true = np.broadcast_to(drawn["private"]["role"][:, None, :num_players], looked.shape)
    assert ((looked == Role.UNKNOWN) | (looked == true)).all()


def test_the_same_seed_and_number_draw_the_same_state_however_many_there_are() -> None:
    states, seats = every_seat(positions("default", 7, layouts("default", 7)[0])[:40], 7)
    views = games_of(states, num_players=7).look(seats)
    draw = partial(drawn_games, num_players=7)
    whole = draw(views, seed=9)
    assert draw(views, seed=9).tobytes() == whole.tobytes()
    assert draw(views, seed=10).tobytes() != whole.tobytes()
    for start, stop in ((0, 1), (17, 60), (200, len(views))):
        assert draw(views[start:stop], seed=9, first=start).tobytes() == whole[start:stop].tobytes()
    spread = draw(views[::3], seed=9)
    assert spread.tobytes() == draw(picked(views, slice(None, None, 3)), seed=9).tobytes()
    assert len(draw(views[:0], seed=9)) == 0


def test_the_streams_of_drawn_states_differ() -> None:
    """Two states of one view share neither their chance nor their game number."""
    batch = Batch(GAME, 1, seed=2, num_players=5)
    views = picked(batch.look(0), np.zeros(200, int))
    drawn = drawn_games(views, seed=1, num_players=5)
    for stream in ("chance", "agents"):
        identities = {(int(game[stream]["key"]), int(game[stream]["block"])) for game in drawn}
        assert len(identities) == len(drawn)
    between = {(int(game["chance"]["key"]), int(game["chance"]["block"])) for game in drawn}
    assert between.isdisjoint((int(game["agents"]["key"]), int(game["agents"]["block"])) for game in drawn)


def test_a_view_holds_no_more_than_its_fields() -> None:
    """The bytes between a view's fields are 0, so that nothing can hide there."""
    states, seats = every_seat(positions("default", 6, layouts("default", 6)[0]), 6)
    views = games_of(states, num_players=6).look(seats)
    plain = np.zeros(len(views), VIEW)
    for name in VIEW.names or ():
        plain[name] = views[name]
    assert plain.tobytes() == views.tobytes()
    assert views["private"]["possible"].shape[1] == NUM_TILES
