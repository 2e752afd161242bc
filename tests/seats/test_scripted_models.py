"""Four scripted models of known quality at a chat endpoint: they are ranked right, and failures aren't strength."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chat_server import Body, ChatServer, Reply, chat_server, ids_of

from riverbed_agents.riverbed_hunt.held_out import BOLD_LIAR
from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.kernels.random import random_legal_action
from riverbed_env.players.agents import Agent
from riverbed_env.registry import find_game
from riverbed_lab.judging.run import Judging, settings_for
from riverbed_lab.judging.sources import Wanted, find_games
from riverbed_lab.llm.client import Run
from riverbed_lab.llm.seat import llm_agent, set_run
from riverbed_lab.playing.play import watch

HUNT = find_game("riverbed_hunt_v1")
PLAYERS, SEED = 7, 21
NO_CHOICE = 9999


@dataclass
class Scripted:
    """A seat of a model whose policy is known: what the policy wants is what the model then says in words.

    The endpoint sees the prompt alone; it is told beforehand what to want at this prompt's place in the order of calls.
    """

    policy: Agent | None  # None: any legal choice
    clumsy: bool
    seat: Any
    wants: list[int] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.seat.name)

    @property
    def memory_size(self) -> int:
        return int(self.seat.memory_size)

    by_view, in_words = True, True

    def act(self, observations: Any, masks: Any, memory: Any, rng: Any, **extra: Any) -> Any:
        """Ask the model, one game after the other."""
        none = np.zeros((len(masks), 0), np.int32)
        if self.policy is None:
            wanted = [random_legal_action(mask, stream) for mask, stream in zip(masks, rng.copy())]
        else:
            wanted = self.policy.act(observations, masks, none, rng.copy()).tolist()
        self.wants[:] = wanted
        return self.seat.act(observations, masks, memory, rng, **extra)

    def answer(self, body: Body, number: int) -> Reply:
        """What the model says: the choice, in a sentence, or nonsense at first if it is clumsy."""
        if self.clumsy and len(body["messages"]) == 2:
            return Reply(f'{{"choice": {NO_CHOICE}}}')
        choice = self.wants.pop(0)
        assert choice in ids_of(body)
        return Reply(f'I choose {{"choice": {choice}}}')


MODELS: dict[str, tuple[Agent | None, bool]] = {
    "rules": (RULE_BASED, False),
    "clumsy": (RULE_BASED, True),
    "liar": (BOLD_LIAR, False),
    "random": (None, False),
}


def played(name: str, games: int) -> tuple[list[RecordedGame], dict[str, int]]:
    """Games of a model in one seat among rule-based agents, and what went wrong."""
    policy, clumsy = MODELS[name]
    scripted: list[Scripted] = []

    def model(body: Body, number: int) -> Reply:
        return scripted[0].answer(body, number)  # seated once the server has an address

    with chat_server(model) as server:
        scripted.append(Scripted(policy, clumsy, _seat(server, name)))
        batch = Batch(HUNT, games, seed=SEED, num_players=PLAYERS, auto_reset=False)
        seats = np.zeros((games, PLAYERS), np.int64)
        seats[np.arange(games), np.arange(games) % PLAYERS] = 1
        taken: list[list[int]] = [[] for _ in range(games)]
        for actions in watch(batch, [RULE_BASED, scripted[0]], seats, np.arange(games)):
            for index in np.flatnonzero(batch.acting).tolist():
                taken[index].append(int(actions[index]))
        asked = len(server.requests)
    names = np.array(["rule_based", name])[seats]
    recorded = [
        RecordedGame.of(batch, taken[index], index=index, agents=names[index].tolist()) for index in range(games)
    ]
    return recorded, {"asked": asked}


def _seat(server: ChatServer, name: str) -> Any:
    set_run(Run.limited(None, None, None, False))
    return llm_agent(HUNT.id, name, model=name, base_url=server.base_url, concurrency=1, retries=1)


def judged(folder: Path, games: int, worlds: int, moves: int) -> tuple[dict[str, Any], dict[str, dict[str, int]]]:
    """The rows of all models in all seats, by name, and what their endpoints were asked."""
    counts, lines = {}, []
    for name in MODELS:
        recorded, counts[name] = played(name, games)
        counts[name]["decisions"] = _own_decisions(recorded, name)
        lines += [game.to_json() for game in recorded]
    (folder / "games.jsonl").write_text("\n".join(lines))
    more = {"agents": tuple(MODELS), "known": None, "most": 0, "worlds": worlds, "moves": moves, "seed": 0}
    judging = Judging(folder / "judged", settings_for(HUNT.id, RULE_BASED.name, **more))
    judging.read(find_games([folder / "games.jsonl"], Wanted(RULE_BASED.name, tuple(MODELS))))
    judging.play()
    rows = judging.rows(0.03)
    judging.write(rows)
    return {row.agent: row for row in rows if row.group == "all seats"}, counts


def _own_decisions(games: list[RecordedGame], name: str) -> int:
    """How many decisions the model's seats had."""
    return sum(
        int(batch.seat[0]) == game.agents.index(name) for game in games for batch in game.replay() if batch.acting[0]
    )


@pytest.mark.slow
@pytest.mark.compiled
def test_the_board_ranks_models_of_known_quality(tmp_path: Path) -> None:
    rows, counts = judged(tmp_path, 60, 16, 8)
    assert rows["rules"].choices == rows["clumsy"].choices == 0
    assert rows["rules"].gain.value == rows["clumsy"].gain.value == 0
    assert rows["random"].gain.high < 0
    assert rows["random"].gain.value < rows["liar"].gain.value < 0
    assert rows["random"].choices > rows["liar"].choices > 0
    assert counts["clumsy"]["asked"] == 2 * counts["clumsy"]["decisions"]
    assert counts["rules"]["asked"] == counts["rules"]["decisions"]
    assert json.loads((tmp_path / "judged" / "judged.json").read_text())["settings_hash"]
