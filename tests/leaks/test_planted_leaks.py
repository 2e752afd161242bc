"""The leak tests can fail: leaks planted in every channel are found, and without a leak the same search finds none."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from channels import bold_or_saving, copy_of, everything, follow, make_twin, some_moments
from worlds import secret_differences

from riverbed_env.core.game import Game
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt import game
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules import engine, observe
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.knowledge import learn
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.stack import record_event
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    NO_SPACE,
    NO_TILE,
    NOBODY,
    NUM_ROLES,
    NUM_SPACES,
    NUM_TILES,
    Event,
    Question,
    Role,
)
from riverbed_env.games.riverbed_hunt.words import text, view
from riverbed_env.kernels.compile import KernelFamily, Record
from riverbed_env.testing.leaks import Leak, paired_worlds_test

Vector = npt.NDArray[np.int8]


class Planted(IntEnum):
    """Which leak is planted; it is told to the kernels by the cap on decisions, so that one compilation serves all."""

    NONE = 0
    ROLE_SEEN = 1  # another seat's role in the observation
    TILE_SEEN = 2  # the tile under the meeple in the observation
    DECK_SEEN = 3  # the top card of the draw pile in the observation
    HAND_SEEN = 4  # another seat's hand told by a public number
    SPARE_SEEN = 5  # the role card left over with four players
    ROLE_IN_MASK = 6  # the profiteer can't be chosen for a co-op
    TILE_IN_MASK = 7  # a co-op is open only to meeples on a hunt icon
    NOT_ASKED = 8  # a merchant without a choice isn't asked how to answer
    SHARED = 9  # the next seat learns what the mover knows
    EVENT_TELLS = 10  # the event of a dive says which tile was seen
    LOG_OF_DRAWS = 11  # the event of a draw says which card was drawn; both in the place of a space, as states allow
    FORGETS = 12  # decisions are counted only for separatists


PLANT = 1_000_000  # the cap on decisions with nothing planted


class Uncached(KernelFamily):
    """Kernels that leave nothing behind in the library's cache."""

    cache_folder = None


uncached = Uncached("planted", Path(__file__).parent)


@uncached
def planted(params: Record) -> int:
    return int(params["max_decisions"]) - PLANT


@uncached
def leaky_observe(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    observe.observe(game, params, seat, view, out)
    leak = planted(params)
    table = game["table"]
    neighbour = (seat + 1) % int(table["num_players"])
    if leak == Planted.ROLE_SEEN:
        out[AT.roles_shown + NUM_ROLES + int(game["private"][neighbour]["role"])] = 1
    elif leak == Planted.TILE_SEEN and table["position"][seat] >= 0:
        space = int(table["position"][seat])
        out[AT.known_tiles + 8 * space] = game["tile_at"][space]
    elif leak == Planted.DECK_SEEN and table["draw_pile"] > 0:
        out[AT.draw_pile] = game["deck"][int(table["draw_pile"]) - 1]
    elif leak == Planted.HAND_SEEN:
        kinds = 0
        for card in range(len(game["private"][neighbour]["hand"])):
            kinds += card * int(game["private"][neighbour]["hand"][card])
        out[AT.draw_pile] = kinds % 120
    elif leak == Planted.SPARE_SEEN:
        out[AT.draw_pile] = game["spare_role"]


@uncached
def leaky_mask(record: Record, params: Record, seat: int, out: Vector) -> None:
    game.write_mask(record, params, seat, out)
    leak = planted(params)
    table = record["table"]
    num_players = int(table["num_players"])
    if leak == Planted.ROLE_IN_MASK and seat == table["asked"] and table["question"] == Question.SEAT:
        for clockwise in range(num_players):
            if record["private"][(seat + clockwise) % num_players]["role"] == Role.PROFITEER:
                out[A.SEAT + clockwise] = 0
    elif leak == Planted.TILE_IN_MASK and out[A.CO_OP] == 1 and out[A.DIVE] == 1:
        tile = int(record["tile_at"][int(table["position"][seat])])
        out[A.CO_OP] = params["features"][tile, 3]


@uncached
def leaky_step(game: Record, params: Record, action: int) -> int:
    seat = int(game["table"]["asked"])
    question = int(game["table"]["question"])
    hand_size = int(game["table"]["hand_size"][seat])
    refused = engine.step(game, params, action)
    leak = planted(params)
    table = game["table"]
    asked = int(table["asked"])
    if leak == Planted.NOT_ASKED and table["question"] == Question.ANSWER:
        if game["private"][asked]["role"] == Role.MERCHANT:
            engine.step(game, params, A.REVEAL)
    elif leak == Planted.SHARED:
        share(game, seat, (seat + 1) % int(table["num_players"]))
    elif leak == Planted.EVENT_TELLS and question == Question.VIEW:
        space = action - A.SPACE
        record_event(table, Event.VIEW, seat, NOBODY, space, int(game["tile_at"][space]) % NUM_SPACES, 0)
    elif leak == Planted.LOG_OF_DRAWS and table["hand_size"][seat] > hand_size:
        for card in range(len(game["private"][seat]["hand"])):
            if game["private"][seat]["hand"][card] > 0:
                record_event(table, Event.DRAW, seat, seat, card % NUM_SPACES, NO_SPACE, 0)
    elif leak == Planted.FORGETS and game["private"][seat]["role"] != Role.SEPARATIST:
        table["decisions"] = int(table["decisions"]) - 1
    return refused


@uncached
def share(game: Record, seat: int, other: int) -> None:
    for space in range(NUM_SPACES):
        tile = int(game["private"][seat]["known"][space])
        if tile != NO_TILE and tile <= NUM_TILES:
            learn(game["private"][other], tile, space)


LEAKY_KERNELS = replace(
    RIVERBED_HUNT,
    family=uncached,
    kernels=replace(RIVERBED_HUNT.kernels, observe=leaky_observe, write_mask=leaky_mask, step=leaky_step),
)


def search(num_players: int, games: int = 8, **options: Any) -> set[str]:
    """What the first leak that is found is told by; empty where none is found."""
    rules, make = options.pop("game", RIVERBED_HUNT), options.pop("make", TurnEnv)
    options = {"num_players": num_players, "auto_forced": "public", "render_mode": "ansi", **options}
    try:
        paired_worlds_test(
            lambda: make(rules, **options),
            make_twin(),
            games=games,
            seed=num_players,
            channels=everything(),
            policy=bold_or_saving,
            moments=some_moments,
            follow=follow(20),
            varied=secret_differences,
            copy=copy_of,
        )
    except Leak as leak:
        return set(leak.names)
    return set()


TOLD_BY = {
    Planted.ROLE_SEEN: "observation roles_shown",
    Planted.TILE_SEEN: "observation known_tiles",
    Planted.DECK_SEEN: "observation draw_pile",
    Planted.HAND_SEEN: "observation draw_pile",
    Planted.SPARE_SEEN: "observation draw_pile",
    Planted.ROLE_IN_MASK: "mask in observation",
    Planted.TILE_IN_MASK: "mask in observation",
    Planted.NOT_ASKED: "table question",
    Planted.SHARED: "observation possible",
    Planted.EVENT_TELLS: "event player_",
    Planted.LOG_OF_DRAWS: "event player_",
    Planted.FORGETS: "table decisions",
}


@pytest.mark.slow
@pytest.mark.parametrize("leak", TOLD_BY)
def test_a_leak_planted_in_a_kernel_is_found(leak: Planted) -> None:
    told = search(4 if leak == Planted.SPARE_SEEN else 6, game=LEAKY_KERNELS, max_decisions=PLANT + leak)
    assert any(name.startswith(TOLD_BY[leak]) for name in told), told


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [4, 6])
def test_with_nothing_planted_nothing_is_found(num_players: int) -> None:
    assert search(num_players, game=LEAKY_KERNELS, max_decisions=PLANT) == set()


# --- leaks in words and pictures ---------------------------------------------------------------------------------


def hands_in_words(games: npt.NDArray[np.void]) -> str:
    return " ".join(str(hand.tolist()) for hand in games[0]["private"]["hand"])


def talkative(**said: Any) -> Game:
    """The game with some of its words replaced."""
    words = SimpleNamespace(**{**vars(text), **said})
    return replace(RIVERBED_HUNT, load_words=lambda: words)


def state_with_tiles(pack: Any, games: npt.NDArray[np.void], params: Any, viewer: int | None) -> str:
    return text.describe_state(pack, games, params, viewer) + str(games[0]["tile_at"].tolist())


def events_with_roles(pack: Any, record: np.void, since: int = 0) -> list[str]:
    return [*text.describe_events(pack, record, since), f"roles {record['private']['role'].tolist()}"]


def action_with_tile(pack: Any, record: np.void, action: int, seat: int) -> str:
    told = f" (tile {int(record['tile_at'][int(record['table']['position'][seat])])})"
    return text.describe_action(pack, record, action, seat) + told


@pytest.mark.parametrize(
    ("said", "told_by"),
    [
        ({"describe_state": state_with_tiles}, "state in words"),
        ({"describe_events": events_with_roles}, "events in words"),
        ({"describe_action": action_with_tile}, "actions in words"),
    ],
)
def test_a_leak_in_words_is_found(said: dict[str, Any], told_by: str) -> None:
    assert told_by in search(5, game=talkative(**said))


def test_a_picture_that_shows_hands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = view.draw
    monkeypatch.setattr(view, "draw", lambda pack, games, *rest: draw(pack, games, *rest) + hands_in_words(games))
    assert search(5) == {"picture"}


# --- leaks in what the environment hands out beside observations --------------------------------------------------


class TellingInfos(TurnEnv):
    """Infos that say which camp is ahead in hidden roles."""

    def observe(self, agent: str) -> dict[str, npt.NDArray[np.int8]]:
        seen = super().observe(agent)
        self.infos[agent] = {**self.infos[agent], "first": int(self._games[0]["private"][0]["role"])}
        return seen


class TellingRewards(TurnEnv):
    """Rewards on the way that depend on hidden roles."""

    def step(self, action: int | None) -> None:
        super().step(action)
        roles = self._games[0]["private"]["role"]
        self.rewards = {agent: float(roles[seat] == Role.MERCHANT) for seat, agent in enumerate(self.possible_agents)}


@pytest.mark.parametrize(("make", "told_by"), [(TellingInfos, "info first"), (TellingRewards, "all rewards")])
def test_a_leak_in_infos_or_rewards_is_found(make: type[TurnEnv], told_by: str) -> None:
    assert any(name.startswith(told_by) for name in search(5, make=make))


def test_a_decision_taken_for_the_mover_alone_is_found() -> None:
    assert {"table question", "table decisions", "event in one world alone"} & search(5, auto_forced="all")
