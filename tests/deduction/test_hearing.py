"""RH-9: what is said counts as evidence about roles and tiles, as far as its speaker deserves it."""

from functools import partial

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import Camp, Role, Stage
from riverbed_env.kernels.compile import Records
from riverbed_env.worlds import beliefs, resample

KELP, LOG = 1, 2
PAST = 4  # added to a claim about a tile that has been turned up since
FIRST = 6  # the feature with a tile's first element
SEVEN = 7

roles = partial(beliefs, RIVERBED_HUNT)


def view_of_the_chief(neighbour: bool = False) -> tuple[Records, Records, int]:
    """The chief's view when the first floor opens (or its left neighbour's), with the params, and the chief's seat."""
    batch = make_batch(RIVERBED_HUNT.id, num_envs=1, num_players=SEVEN, seed=3, talk="claims")
    while batch.games[0]["table"]["stage"] == Stage.PLACING:
        batch.step(batch.random_actions())
    chief = int(np.flatnonzero(batch.games[0]["private"]["role"][:SEVEN] == Role.CHIEF)[0])
    return batch.look(np.array([(chief + neighbour) % SEVEN])), batch.params, chief


def kelps(model: str, views: Records, params: Records, space: int, draws: int = 600) -> float:
    """How often the tile on a space bears a kelp first, among worlds drawn from the view."""
    tiles = resample(RIVERBED_HUNT, np.repeat(views, draws), params, seed=1, model=model)["tile_at"][:, space]
    return float((params["features"][0][tiles, FIRST] == KELP).mean())


def test_rh_9_7_a_claim_of_a_camp_moves_the_posterior_of_who_hears_it() -> None:
    views, params, chief = view_of_the_chief()
    speaker, accused = (chief + 1) % SEVEN, (chief + 2) % SEVEN
    said = views.copy()
    said["table"]["seat_words"][0, speaker, accused] = 1 + Camp.SEPARATISTS
    heard, before = roles(said, params), roles(views, params)
    assert abs(heard - before).max() > 0.01
    np.testing.assert_allclose(heard.sum(axis=2), 1)
    np.testing.assert_array_equal(roles(said, params, "deaf"), roles(views, params, "deaf"))
    np.testing.assert_allclose(roles(views, params, "deaf"), before)


def test_rh_9_5_nobody_learns_from_their_own_words() -> None:
    views, params, chief = view_of_the_chief()
    said = views.copy()
    said["table"]["seat_words"][0, chief, (chief + 1) % SEVEN] = 1 + Camp.SEPARATISTS
    said["table"]["tile_words"][0, chief, :] = LOG
    np.testing.assert_array_equal(roles(said, params), roles(views, params))


def test_rh_9_5_who_was_found_to_lie_is_less_likely_a_merchant() -> None:
    views, params, chief = view_of_the_chief()
    speaker = (chief + 1) % SEVEN
    tiles = np.flatnonzero(params["features"][0][:, FIRST] == LOG)
    spaces = [space for space in range(16) if views["table"]["occupied"][0] >> space & 1][:2]
    chances = []
    for word in (LOG, KELP):
        told = views.copy()
        for tile, space in zip(tiles, spaces, strict=False):
            told["private"]["known"][0, space] = tile
            told["table"]["tile_words"][0, speaker, space] = PAST + word
        chances.append(float(roles(told, params)[0, speaker, Role.MERCHANT]))
    truth, lies = chances
    assert truth > lies


@pytest.mark.compiled
def test_rh_9_7_drawn_worlds_bear_what_the_chief_claims_the_less_the_more_it_was_wrong() -> None:
    views, params, chief = view_of_the_chief(neighbour=True)
    occupied = int(views["table"]["occupied"][0])
    known, space = [place for place in range(16) if occupied >> place & 1][:2]
    told = views.copy()
    told["table"]["tile_words"][0, chief, space] = KELP
    told["table"]["seen"][0, chief] |= 1 << space
    lied = told.copy()
    lied["private"]["known"][0, known] = np.flatnonzero(params["features"][0][:, FIRST] == LOG)[0]
    lied["table"]["tile_words"][0, chief, known] = PAST + KELP
    cases = (("playing", told), ("playing", lied), ("deaf", told))
    believed, doubted, unheard = (kelps(*case, params, space) for case in cases)
    assert believed > doubted + 0.02 > unheard + 0.04


def test_without_talk_hearing_changes_nothing() -> None:
    batch = make_batch(RIVERBED_HUNT.id, num_envs=8, num_players=SEVEN, seed=4)
    for _ in range(40):
        batch.step(batch.random_actions())
    views = batch.look(batch.seat)
    np.testing.assert_array_equal(roles(views, batch.params), roles(views, batch.params, "deaf"))
    drawn = (resample(RIVERBED_HUNT, views, batch.params, 1, model=model).tobytes() for model in ("playing", "deaf"))
    assert next(drawn) == next(drawn)
