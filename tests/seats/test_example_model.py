"""The scripted chat endpoint of the examples: whole games over the network, and again from the cassette."""

import runpy
from typing import Any

import pytest
from seats_kit import EXAMPLES, HUNT, deal, message

from riverbed_env.seats import read_answer
from riverbed_env.seats.message import Talk
from riverbed_lab.llm.prompt import chat_of


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / "model.py"))


@pytest.mark.parametrize("options", [{}, {"talk": "text"}])
def test_the_scripted_model_answers_each_prompt_with_a_legal_choice(
    example: dict[str, Any], options: dict[str, Any]
) -> None:
    batch, heard = deal(HUNT, seed=2, num_players=4, **options), 0
    for _ in range(60):
        if not batch.acting[0]:
            break
        talk = Talk([(0, "The choices:\n1. win", 0)], most_characters=280) if options else None
        asked = message(batch, talk=talk)
        answer = read_answer(example["answer"](chat_of(asked)[1]["content"]), asked, numbered=True)
        heard += bool(answer.text)
        batch.step([answer.choice])
    assert bool(heard) == bool(options)
