"""What each seat saw, did and earned, from one turn to its own next: against a game followed by hand."""

import numpy as np
import pytest

from riverbed_env.core.batch import Batch
from riverbed_env.integrations.rllib.runner import Rollout
from riverbed_env.registry import find_game

HUNT = find_game("riverbed_hunt")
COUNTS = (4, 9)


class Followed:
    """Games played at random, with each decision and each end written down by hand."""

    def __init__(self, steps: int, cut_every: int, *, whole_games: bool) -> None:
        batch = Batch(HUNT, 6, num_players=COUNTS, seed=1, auto_reset=False)
        rollout = Rollout(batch)
        self.seen: dict[tuple[int, int], list[tuple[bytes, int]]] = {}
        self.ends: dict[tuple[int, int], tuple[float, bytes]] = {}
        self.cuts: list = []
        for step in range(steps):
            actions = batch.random_actions()
            for game, seat, observation, action in zip(batch.game_number, batch.seat, batch.observation, actions):
                self.seen.setdefault((int(game), int(seat)), []).append((observation.tobytes(), int(action)))
            ending = batch.clone()
            ending.step(actions)
            for env in rollout.step({"actions": actions}):
                for seat in range(ending.players[env]):
                    seen, _ = ending.observe(seat, np.array([env]))
                    self.ends[int(ending.game_number[env]), seat] = float(ending.returns[env, seat]), seen.tobytes()
            if step % cut_every == cut_every - 1:
                self.cuts.append(rollout.cut(whole_games=whole_games))


@pytest.fixture(scope="module", params=[False, True], ids=["cut anywhere", "whole games"])
def followed(request):
    return Followed(160, 20, whole_games=request.param)


def joined(followed: Followed) -> dict[tuple[int, int], list[tuple[list[bytes], list[int], float, bool, bool]]]:
    """The chunks of each seat of each game, in order."""
    found: dict = {}
    for columns, starts, stops in followed.cuts:
        for start, stop in zip(starts, stops):
            part = {name: column[start:stop] for name, column in columns.items()}
            assert not part["reward"][:-1].any()
            outcome = tuple(part[name][-1].item() for name in ("reward", "is_over", "truncated"))
            seen = [row.tobytes() for row in part["observation"]]
            key = int(part["game"][0]), int(part["seat"][0])
            found.setdefault(key, []).append((seen, part["actions"][:-1].tolist(), *outcome))
    return found


def test_a_decision_is_followed_by_what_the_seat_sees_at_its_own_next_turn(followed):
    for key, parts in joined(followed).items():
        decisions = followed.seen[key]
        place = 0
        for seen, actions, _, terminated, _ in parts:
            expected = [observation for observation, _ in decisions[place : place + len(seen)]]
            if terminated:
                expected = [*expected, followed.ends[key][1]]
            assert seen == expected
            assert actions == [action for _, action in decisions[place : place + len(actions)]]
            place += len(actions)


def test_a_seats_return_comes_once_with_its_last_decision(followed):
    games = joined(followed)
    over = {key for key, parts in games.items() if parts[-1][3]}
    assert over
    for key, parts in games.items():
        rewards, flags = [part[2] for part in parts], [part[3] for part in parts]
        assert flags == [False] * (len(parts) - 1) + [key in over]
        assert rewards == [0.0] * (len(parts) - 1) + [followed.ends[key][0] if key in over else 0.0]


def test_no_decision_of_a_finished_game_is_lost_or_repeated(followed):
    games = joined(followed)
    finished = {key for key in followed.ends if key in followed.seen}
    assert finished
    for key in finished:
        assert sum(len(actions) for _, actions, *_ in games[key]) == len(followed.seen[key])


def test_a_game_cut_off_by_its_cap_is_truncated():
    batch = Batch(HUNT, 4, num_players=4, seed=1, max_decisions=12, auto_reset=False)
    rollout = Rollout(batch)
    for _ in range(13):
        rollout.step({"actions": batch.action_mask.argmax(axis=1)})
    columns, starts, stops = rollout.cut(whole_games=True)
    assert len(starts)
    assert columns["truncated"][stops - 1].all()
