"""Where agents alone play, who watches may see all; nobody takes a seat there any more."""

import numpy as np
import pytest
from web_kit import PERSON, RANDOM, Opened, Page, Serving

from riverbed_env.core.batch import Batch
from riverbed_env.registry import find_game
from riverbed_web.values import believed, known_to, values_now

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile what the server's workers need, for however long that takes: a page waits for them."""
    batch = Batch(find_game("riverbed_hunt"), 1, seed=1, num_players=4)
    values_now(batch)
    for viewer in (0, "truth"):
        believed(batch.game, known_to(batch, viewer), batch.params)


def paused(table: Opened, page: Page, moves: int) -> Page:
    """The table of agents, paused after so many moves."""
    page.until(lambda page: page.frame and page.facts["stage"] == "playing")
    page.send(type="tempo", paused=True, pace=0)
    page.until(lambda page: page.facts["paused"])
    for _ in range(moves):
        before = page.step
        page.send(type="tempo", step=True)
        while page.step == before:
            page.take()
    return page


def test_who_watches_agents_sees_all_and_nobody_sits_down_any_more(serving: Serving) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=4, seed=1, seats=[RANDOM] * 4, pace=10)
    with table.page(table.owner) as page:
        page.until(lambda page: page.frame and page.facts["stage"] == "playing")
        assert page.refusal(type="look", view="truth") == "not_allowed"  # somebody may still sit down
        paused(table, page, 2).until(lambda page: page.facts["open"])
        page.send(type="look", view="truth")
        page.until(lambda page: page.frame["view"] == "truth")
        page.send(type="assess")
        while (got := page.take())["type"] != "assessed":
            pass
        assert got["step"] == page.step
        assert {int(action) for action in got["action_values"]} == {each["action"] for each in page.frame["choices"]}
        assert len(got["beliefs"]) == 1 + got["step"]  # at the start and after each choice
        assert [sum(shares) for shares in got["beliefs"][-1]] == pytest.approx([100] * 4, abs=3)
        assert [got["roles"][role] for role in got["truth"]].count("chief") == 1
        page.send(type="look", view=2)
        page.until(lambda page: page.frame["view"] == "seat")
        page.send(type="assess")
        while (got := page.take())["type"] != "assessed":
            pass
        assert (got["view"], got["truth"]) == (2, None)
        assert max(got["beliefs"][-1][2]) == 100  # its own role
    status, answer = table.ask("POST", "/seats/0", PERSON, token=table.owner)
    assert (status, answer["error"]["code"]) == (403, "not_allowed")


def test_where_a_person_plays_or_played_nothing_is_open(serving: Serving) -> None:
    table = serving.open(game="deep_river_v0", players=2, seats=[PERSON, RANDOM])
    with table.seat(0) as page, table.page() as watcher:
        page.until_asked()
        page.act()
        for each in (page, watcher.until(lambda watcher: watcher.frame)):
            assert each.refusal(type="look", view="truth") == "not_allowed"
            assert each.refusal(type="assess") == "not_allowed"
        table.ask("POST", "/seats/0", {**RANDOM, "agent": "greedy"}, token=table.owner)
        watcher.until(lambda watcher: watcher.facts["changes"])
        assert watcher.refusal(type="look", view="truth") in ("not_allowed", "over")
        assert not watcher.facts["open"]


def test_a_choice_that_wins_at_once_always_wins() -> None:
    game, won = find_game("deep_river"), 0
    for seed in range(6):
        batch = Batch(game, 1, seed=seed, auto_reset=False)
        while batch.acting[0]:
            before, actions = batch.clone(), batch.random_actions()
            batch.step(actions)
        action_values = values_now(before)
        assert sorted(action_values) == np.flatnonzero(before.action_mask[0]).tolist()
        if batch.returns[0, before.seat[0]] > 0:
            assert action_values[int(actions[0])] == 100
            won += 1
    assert won
