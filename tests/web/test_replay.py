"""Replays: their frames are the frames of the game, and a file for one seat tells what that seat saw, nothing else."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from leaks.hidden import HIDDEN
from recorded_games import record_game

from riverbed_env.core.batch import Batch
from riverbed_env.core.frame import PUBLIC, TRUTH, frame
from riverbed_env.core.game import Game
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM
from riverbed_env.registry import find_game
from riverbed_web.replay import ReplayFrame, replay, replay_page, tracks_of

pytestmark = pytest.mark.compiled

GAMES = {"riverbed_hunt_v1": 4, "river_rats_v0": 2, "deep_river_v0": 2, "riverside_v0": 2}
SLOW = ("riverside_v0", "riverbed_hunt_v1")  # their games are long
HUNT = find_game("riverbed_hunt")


def recorded(game: Game, players: int, seed: int = 2) -> RecordedGame:
    return record_game(game, [UNIFORM] * players, seed, num_players=players)


@pytest.fixture(scope="module")
def hunt() -> RecordedGame:
    return recorded(HUNT, 4)


def unpacked(told: dict[str, Any], track: dict[str, Any]) -> list[dict[str, Any]]:
    """The values of each frame of a track."""
    frames, values = [], {}
    for patch in track["patches"]:
        for key, place in zip(patch[::2], patch[1::2]):
            values[told["keys"][key]] = None if place < 0 else told["pool"][place]
        values = {key: value for key, value in values.items() if value is not None or key == "frame:asked"}
        frames.append(dict(values))
    return frames


def put_together(values: dict[str, Any], whole: str) -> list[dict[str, Any]]:
    """The shapes of a panel or group, with theirs."""
    shapes = []
    for name in values[f"shapes:{whole}"]:
        shape = values[f"shape:{name}"]
        shapes.append({**shape, "shapes": put_together(values, name)} if shape["kind"] == "group" else shape)
    return shapes


@pytest.mark.parametrize(
    "game_id", [pytest.param(game_id, marks=pytest.mark.slow) if game_id in SLOW else game_id for game_id in GAMES]
)
def test_the_tracks_hold_every_frame_of_the_game(game_id: str) -> None:
    game, players = find_game(game_id), GAMES[game_id]
    record = recorded(game, players)
    told = replay(record)
    assert [track["view"] for track in told["tracks"]] == [PUBLIC, *range(players), TRUTH]
    for track in told["tracks"]:
        frames = unpacked(told, track)
        assert len(track["at"]) == len(record.actions) + 1
        for step, batch in enumerate(record.replay()):
            values = frames[track["at"][step]]
            now = frame(game, batch.pack, batch.games, batch.params, track["view"])
            for name in ("headline", "clock", "event_count", "over", "returns", "help", "goal"):
                assert values.get(f"frame:{name}") == now[name], (step, track["view"], name)
            assert [values[f"choice:{action}"] for action in values["choices"]] == now["choices"]
            for panel in now["scene"]["panels"]:
                assert put_together(values, panel["id"]) == panel["shapes"], (step, track["view"], panel["id"])


def test_choices_and_advice_stand_at_the_moments_of_the_seat_that_chose(hunt: RecordedGame) -> None:
    told = replay(hunt, advisor=UNIFORM)
    by_view = {track["view"]: unpacked_chosen(told, track) for track in told["tracks"]}
    assert by_view[PUBLIC] == []
    assert [chosen["taken"] for chosen in by_view[TRUTH]] == list(hunt.actions)
    assert sum(len(by_view[seat]) for seat in range(4)) == len(hunt.actions)
    assert all(chosen["advice"] in chosen["legal"] for seat in range(4) for chosen in by_view[seat])


def unpacked_chosen(told: dict[str, Any], track: dict[str, Any]) -> list[dict[str, Any]]:
    """What was taken, advised and legal at each frame with a choice, in order."""
    return [
        {"taken": values["taken"], "advice": values["advice"], "legal": values["choices"]}
        for values in unpacked(told, track)
        if "taken" in values
    ]


def test_beliefs_are_there_for_every_seat_and_an_onlooker(hunt: RecordedGame) -> None:
    told = replay(hunt)
    for track in told["tracks"]:
        beliefs = [values.get("beliefs") for values in unpacked(told, track)]
        if track["view"] == TRUTH:
            assert beliefs == [None] * len(beliefs)
        else:
            assert all(abs(sum(row) - 100) <= 2 for each in beliefs for row in each)
            if isinstance(track["view"], int):  # who knows a role: their own
                assert max(beliefs[0][track["view"]]) == 100
    assert len(told["truth"]) == 4


# --- a file for one seat ----------------------------------------------------------------------------------------------


def test_a_file_for_one_seat_has_its_views_alone(hunt: RecordedGame) -> None:
    told = replay(hunt, viewer=2, advisor=UNIFORM)
    assert [track["view"] for track in told["tracks"]] == [2]
    assert told["truth"] is None
    assert told["tracks"][0]["at"] is None  # how many steps others took isn't told
    assert "eed" not in told["note"]
    assert len(json.dumps(told)) < len(json.dumps(replay(hunt, advisor=UNIFORM))) / 2
    with pytest.raises(OptionError, match="viewer"):
        replay(hunt, viewer=4)


def alike(one: Batch, two: Batch, seat: int, rng: np.random.Generator, steps: int) -> Iterator[int]:
    """Play the same actions in two games for as long as the seat sees the same in both; yields each action."""
    for _ in range(steps):
        if not one.acting[0] or one.seat[0] != two.seat[0]:
            return
        common = np.flatnonzero(one.action_mask[0] & two.action_mask[0])
        if not len(common):
            return
        action = int(rng.choice(common))
        for batch in (one, two):
            batch.step([action])
        if one.look([seat]).tobytes() != two.look([seat]).tobytes() or (one.acting != two.acting).any():
            return
        yield action


def positions(batch: Batch, actions: list[int]) -> Iterator[Batch]:
    yield batch
    for action in actions:
        batch.step([action])
        yield batch


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if game_id != "deep_river_v0"])
def test_games_that_look_the_same_to_a_seat_give_the_same_file(game_id: str) -> None:
    game, players = find_game(game_id), max(3, GAMES[game_id])
    rng = np.random.default_rng(1)
    differed = followed = 0
    for seed in range(12):
        seat = seed % players
        one = Batch(game, 1, seed=seed, num_players=players, auto_reset=False)
        for _ in range(int(rng.integers(0, 12))):
            one.step(one.random_actions())
        two = one.clone()
        parts = HIDDEN[game_id].parts  # all of them differ at once; one of them stays unseen for longer
        drawn = parts if seed % 2 else [str(rng.choice(parts))]
        two.set_state(HIDDEN[game_id].twin(one.games, one.params, seat, rng, drawn))
        actions = list(alike(one.clone(), two.clone(), seat, rng, 25))
        told = [
            [
                json.dumps(tracks_of(positions(batch.clone(), actions), actions, [view], UNIFORM, values=True))
                for view in (seat, TRUTH)
            ]
            for batch in (one, two)
        ]
        assert told[0][0] == told[1][0]
        differed += told[0][1] != told[1][1]
        followed += len(actions)
    assert differed >= 4
    assert followed >= 8


def test_a_page_carries_the_replay_and_shows_itself_in_a_notebook(hunt: RecordedGame) -> None:
    html = replay_page(hunt, viewer=1)
    carried = html.partition('<script type="application/json" id="replay">')[2].partition("</script>")[0]
    assert json.loads(carried) == json.loads(json.dumps(replay(hunt, viewer=1)))
    shown = ReplayFrame(html, height=500)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert shown.count("<iframe") == 1
    assert "height:500px" in shown
