"""Deals, endings and the summary of finished games."""

import numpy as np
import pytest

from riverbed_env.games.riverbed_hunt.content import summary
from riverbed_env.games.riverbed_hunt.content.pack import ROLES, make_params
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules import engine
from riverbed_env.games.riverbed_hunt.rules.state import GAME
from riverbed_env.games.riverbed_hunt.rules.vocab import CAMP_OF, Camp, Ending, Event, Role
from riverbed_env.testing.hidden.worlds import contents
from riverbed_hunt.dealt import SEATS, Dealt, play_randomly
from riverbed_hunt.scene import Scene

TALLIED = {
    "hunts": Event.HUNT,
    "penalties": Event.PENALTY,
    "cons": Event.CON,
    "reveals": Event.REVEAL,
    "co_ops": Event.CO_OP,
    "uncovers": Event.UNCOVER,
    "dives": Event.DIVE,
    "cards_played": Event.PLAY,
}


@pytest.mark.parametrize("num_players", SEATS)
def test_a_record_that_was_used_before_is_dealt_like_a_fresh_one(num_players: int) -> None:
    params, _ = make_params(num_players)
    fresh, used = np.zeros(1, GAME), np.frombuffer(bytes([7]) * GAME.itemsize, GAME).copy()
    for games in (fresh, used):
        engine.reset(games[0], params[0], 5, 3)
    assert contents(used[0]) == contents(fresh[0])


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("seat", range(4))
def test_a_pinned_role_is_dealt_to_its_seat_and_the_others_as_always(seat: int, role: str) -> None:
    params, _ = make_params(4, roles={seat: role})
    games = np.zeros(1, GAME)
    for number in range(6):
        engine.reset(games[0], params[0], 1, number)
        roles = games[0]["private"]["role"][:4].tolist()
        assert roles[seat] == ROLES[role]
        assert sorted([*roles, int(games[0]["spare_role"])]) == sorted(Role)[1:]


def finished(num_players: int, games: int) -> list[Dealt]:
    found = [Dealt(num_players, seed=seed) for seed in range(games)]
    for scene in found:
        while not scene.over:
            play_randomly(scene, num_players)
    return found


def test_what_is_told_of_finished_games_is_what_happened() -> None:
    scenes = finished(4, 24)
    games = np.concatenate([scene.games for scene in scenes])
    columns = summary.columns(games)
    roles = [scene.game["private"]["role"][:4].tolist() for scene in scenes]
    camps = [{CAMP_OF[role] for role in each} for each in roles]
    assert summary.roles_of(games).tolist() == roles
    present = RIVERBED_HUNT.camps_present(games)
    assert present.tolist() == [[camp in each for camp in sorted(Camp)[1:]] for each in camps]
    assert columns["has_profiteer"].tolist() == [Camp.PROFITEER in each for each in camps]
    winners = games["table"]["winner"].tolist()
    assert columns["nobody_won"].tolist() == [winner not in each for winner, each in zip(winners, camps, strict=True)]
    assert any(columns["nobody_won"])
    assert not all(columns["nobody_won"])
    assert set(games["table"]["ending"].tolist()) == {Ending.WON}
    assert summary.roles_of(games[:1]).tolist() == roles[:1]
    for name, kind in TALLIED.items():
        assert columns[name].tolist() == games["table"]["tally"][:, kind].tolist()


@pytest.mark.parametrize("winner", [Camp.MERCHANTS, Camp.SEPARATISTS, Camp.PROFITEER])
@pytest.mark.parametrize("roles", [*SEATS.values(), "C M L S"])
def test_the_camp_that_wins_is_paid_by_the_others(roles: str, winner: Camp) -> None:
    scene = Scene(roles, at=7)
    scene.table["ending"], scene.table["winner"] = Ending.WON, winner
    camps = [CAMP_OF[role] for role in scene.game["private"]["role"][: scene.num_players].tolist()]
    won = camps.count(winner)
    assert scene.returns == [1 if camp == winner else -1 for camp in camps]
    shares = [1 / won if camp == winner else -1 / (len(camps) - won) for camp in camps] if won else [0] * len(camps)
    np.testing.assert_allclose(scene.paid(zero_sum=True), shares, rtol=1e-6)


def test_nobody_is_paid_when_a_game_is_cut_off() -> None:
    Scene(SEATS[4], at=7, max_decisions=1).play("DIVE").expect(over=True, returns=[0] * 4)
