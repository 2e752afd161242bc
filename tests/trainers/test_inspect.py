"""Inspect plays and scores games with a scripted model; run by `make trainers`, with the package."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import eval as evaluate
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model
from trainers.players import first

from riverbed_env.corpus.recorded import RecordedGame
from riverbed_lab.seat_env.inspect import GAME, riverbed


def answer(messages: list[Any], tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:
    said = ModelOutput.from_content("mockllm/model", first(messages[-1].text))
    said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it counts, by a table of the web
    return said


def test_inspect_plays_deals_and_logs_each_beside_the_reference(tmp_path: Path) -> None:
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = evaluate(riverbed(games=3, players=4, opponents="simple"), model=model, log_dir=str(tmp_path))
    assert log.status == "success", log.error
    assert len(log.samples) == 3
    for sample in log.samples:
        game = sample.store[GAME]
        score = sample.scores["outcome"].value
        assert score["gain"] == score["won"] - score["reference"]
        *_, batch = RecordedGame.from_json(game["record"]).replay()
        assert not batch.acting[0]
        assert (batch.returns[0, game["seat"]] > 0) == score["won"]
    metrics = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert metrics["gain"] == pytest.approx(metrics["won"] - metrics["reference"])
