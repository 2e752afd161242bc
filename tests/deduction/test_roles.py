"""The posterior over roles against an enumeration of every deal of the role cards (RH-1.2, RH-8.2)."""

import numpy as np
import pytest

from deduction.enumeration import marginals, role_worlds
from deduction.positions import COUNTS, PACKS, believed, games_of, layouts, picked, positions
from riverbed_agents.riverbed_hunt.beliefs import believe
from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_ROLES, Question, Role, Source

pytestmark = pytest.mark.compiled

EXACT = 1e-12


def looked_around(states: np.ndarray, num_players: int, seed: int) -> np.ndarray:
    """The states after each seat of some has looked at a role or two (RH-8.2)."""
    rng = np.random.default_rng(seed)
    changed = picked(states, slice(None))
    for game in changed[::3]:
        for seat in range(num_players):
            for other in rng.choice(num_players, 2, replace=False):
                if other != seat:
                    game["private"][seat]["looked"][other] = game["private"][other]["role"]
    return changed


def views_of(pack: str, num_players: int, most: int) -> np.ndarray:
    """What a random seat sees of games under way, some of which have looked at roles."""
    states = positions(pack, num_players, layouts(pack, num_players)[0])
    rng = np.random.default_rng(num_players)
    chosen = picked(states, rng.permutation(len(states))[:most])
    batch = games_of(looked_around(chosen, num_players, 5), num_players=num_players, pack=PACKS[pack])
    return batch.look(rng.integers(0, num_players, len(chosen)))


def enumerated(views: np.ndarray, params: np.void, model: str) -> np.ndarray:
    return np.stack([marginals(*role_worlds(view, params, model)) for view in views])


@pytest.mark.parametrize("model", ["uniform", "playing"])
@pytest.mark.parametrize("num_players", COUNTS)
@pytest.mark.parametrize("pack", PACKS)
def test_the_posterior_is_that_of_enumerating_every_deal(pack: str, num_players: int, model: str) -> None:
    views = views_of(pack, num_players, 60)
    params = make_params(num_players, pack=PACKS[pack])[0][0]
    given = believed(views, model=model, num_players=num_players, pack=PACKS[pack])
    np.testing.assert_allclose(given, enumerated(views, params, model), rtol=0, atol=EXACT)


def test_with_four_players_the_card_left_over_is_unknown() -> None:
    """RH-1.2: the leader sees the chief, and two seats that hold a merchant and either of two cards."""
    states = positions("default", 4, layouts("default", 4)[0])[:10]
    leaders = (states["private"]["role"][:, :4] == Role.LEADER).argmax(axis=1)
    for model in ("uniform", "playing"):
        views = games_of(states, num_players=4).look(leaders)
        rows = believed(views, model=model, num_players=4)
        hidden = [seat for seat in range(4) if seat != leaders[0] and views[0]["table"]["role"][seat] == Role.UNKNOWN]
        if model == "uniform":
            assert rows[0, hidden].tolist() == [[0, 0.5, 0, 0.25, 0.25]] * 2
        summed = rows[:, :, [Role.SEPARATIST, Role.PROFITEER]].sum(axis=(1, 2))
        np.testing.assert_allclose(summed, 1, rtol=0, atol=EXACT)


@pytest.mark.parametrize("source", [Source.HUNT, Source.CON])
def test_who_declares_is_known_before_the_card_is_turned(source: Source) -> None:
    """RH-5.1, RH-5.3: a declaration is heard by all; the discard that it costs comes first."""
    found = 0
    for num_players in COUNTS:
        for layout in layouts("default", num_players):
            states = positions("default", num_players, layout)
            table = states["table"]
            top = np.maximum(table["depth"].astype(int) - 1, 0)
            frames = table["frames"][np.arange(len(states)), top]
            hidden = table["role"][np.arange(len(states)), np.maximum(frames["carrier"], 0)] == Role.UNKNOWN
            moments = (frames["source"] == source) & hidden & (table["question"] == Question.DISCARD)
            if not moments.any():
                continue
            found += int(moments.sum())
            carriers = frames["carrier"][moments].astype(int)
            role = Role.LEADER if source == Source.HUNT else Role.PROFITEER
            options = {"num_players": num_players, "layout": layout}
            views = games_of(picked(states, moments), **options).look((carriers + 1) % num_players)
            for model in ("uniform", "playing"):
                rows = believed(views, model=model, **options)
                assert (rows[np.arange(len(rows)), carriers, role] == 1).all()
    assert found > 0


@pytest.mark.parametrize("num_players", COUNTS)
def test_tallies_and_askings_beyond_the_limits_say_no_more(num_players: int) -> None:
    """The model's counts stop at ±8 and at 8."""
    rng = np.random.default_rng(num_players)
    views = views_of("default", num_players, 8)
    for view in views:
        for field in ("deeds", "choices"):
            counters = rng.integers(-20 if field == "deeds" else 0, 20, (9, 8)).astype(np.int8)
            counters[num_players:] = 0
            if field == "deeds":
                counters[:, 3:] = abs(counters[:, 3:])
            view["table"][field] = counters.view("<i8")[:, 0]
        asks = rng.integers(0, 14, (9, 8)).astype(np.int8)
        asks[num_players:] = 0
        asks[:, num_players - 1 :] = 0
        view["table"]["asks"] = asks.view("<i8")[:, 0]
    params = make_params(num_players)[0][0]
    for model in ("uniform", "playing"):
        given = believed(views, model=model, num_players=num_players)
        np.testing.assert_allclose(given, enumerated(views, params, model), rtol=0, atol=EXACT)


@pytest.mark.parametrize("num_players", [4, 7, 9])
def test_agents_have_the_same_posterior_counted_clockwise_from_their_seat(num_players: int) -> None:
    views, params = views_of("default", num_players, 400), make_params(num_players)[0][0]
    own = np.zeros((MAX_SEATS, NUM_ROLES))
    for view, rows in zip(views, believed(views, num_players=num_players), strict=True):
        believe(view, params, own)
        np.testing.assert_allclose(np.roll(own[:num_players], view["seat"], axis=0), rows, atol=EXACT)
        assert not own[num_players:].any()
