"""Recorded games as examples in words: every decision with a choice, its answer and the values of all choices."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_process import riverbed
from trainers.players import choices

from riverbed_env.corpus import Corpus
from riverbed_env.seats import read_answer, seat_message
from riverbed_lab.llm.prompt import chat_of
from riverbed_lab.seat_env.data import as_preference, write_examples

GAME, GAMES = "river_rats_v0", 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small corpus with its chat.jsonl."""
    place = tmp_path_factory.mktemp("examples")
    words = ("--game", GAME, "--players", "2,3", "--games", str(GAMES), "--part", "4", "--threads", "1")
    done = riverbed("record", "random", "simple", *words, "--to", "chat", "--out", str(place))
    assert done.returncode == 0, done.stderr
    return place


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_decision_with_a_choice_is_a_chat_that_ends_with_it(folder: Path) -> None:
    chats, corpus = lines(folder / "chat.jsonl"), Corpus(folder)
    several = [found.action_mask.sum(axis=1) > 1 for found in corpus.decisions(size=10**6)]
    assert len(chats) == sum(int(each.sum()) for each in several)
    for chat in chats:
        listed = choices(chat["messages"][1]["content"])
        assert len(chat["values"]) == len(listed) == listed[-1]
        assert chat["value"] == chat["values"][chat["choice"] - 1]
        offered = {"choices": [{"id": each} for each in listed], "talk": None}
        assert read_answer(chat["messages"][-1]["content"], offered, numbered=True).choice == chat["choice"]
        assert chat["return"] == corpus.record(chat["game"]).returns[chat["seat"]]
    record = corpus.record(5)
    (batch,) = islice(record.replay(), 0, 1)
    seat, legal = int(batch.seat[0]), np.flatnonzero(batch.action_mask[0]).tolist()
    asked = chat_of(seat_message(batch.game, batch.pack, batch.look(seat)[0], batch.params, legal))
    own = next(chat for chat in chats if chat["game"] == 5)
    assert own["messages"][:2] == asked
    assert (legal[own["choice"] - 1], own["agent"]) == (record.actions[0], record.agents[seat])


def test_preferences_are_apart_by_the_gap(folder: Path) -> None:
    counts = []
    for gap in (1.0, 100.5):  # values are -50 or 50 here
        path, count = write_examples(Corpus(folder), "preferences", gap)
        counts.append(count)
        for pair in lines(path):
            chosen, rejected = (json.loads(pair[name][0]["content"])["choice"] - 1 for name in ("chosen", "rejected"))
            assert pair["values"][chosen] == max(pair["values"])
            assert pair["gap"] == pair["values"][chosen] - pair["values"][rejected] >= gap
            assert pair["error"] is None  # of one true state
            assert [each["role"] for each in pair["prompt"]] == ["system", "user"]
    assert counts[0] > counts[1]
    assert riverbed("record", "--to", "csv", "--out", str(folder)).returncode == 2


def test_a_gap_counts_beyond_twice_its_error() -> None:
    """Three choices in four worlds; the second is 10 points worse in each, the third 40 or not at all."""
    draws = np.array([[50.0, 40.0, 50.0], [10.0, 0.0, -30.0], [30.0, 20.0, 30.0], [20.0, 10.0, -20.0]])

    def pair(gap: float) -> dict[str, Any] | None:
        return as_preference({"messages": [], "draws": draws}, gap)

    found = pair(10) or {}
    assert (found["gap"], found["error"]) == (10, 0)
    assert [json.loads(found[name][0]["content"]) for name in ("chosen", "rejected")] == [{"choice": 1}, {"choice": 2}]
    assert pair(10.1) is None  # the third's 20 points are less than twice its error of 11.5
