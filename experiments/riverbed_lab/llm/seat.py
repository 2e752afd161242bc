"""A language model as an agent: `llm:model=NAME,base_url=ADDRESS`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_env.seats import Message, SeatAgent, Usage
from riverbed_env.seats.agent import MOST_LANES, REPAIR

from .client import ChatClient, Endpoint, Run
from .prompt import answer_format, chat_of


@dataclass
class _Decision:
    """One decision of a model."""

    client: ChatClient
    structured: bool
    decision: str
    usage: Usage = field(default_factory=Usage)

    def ask(self, message: Message) -> str:
        """What the model says."""
        form = answer_format(message) if self.structured else None
        return self.client.complete(chat_of(message), form, self.decision, self.usage)


@dataclass
class ModelChannel:
    """A model that plays as many decisions at once as `lanes` says."""

    client: ChatClient
    lanes: int = 8
    structured: bool = True
    pieces: bool = False

    def open(self, message: Message, decision: str) -> _Decision:
        """Begin a decision."""
        return _Decision(self.client, self.structured, decision)


def llm_agent(
    game: str,
    name: str,
    model: str = "",
    base_url: str = "https://api.openai.com/v1",
    key_env: str = "",
    price_in: float = 0.0,
    price_out: float = 0.0,
    most_output: int = 2000,
    temperature: float = -1.0,
    time_limit: float = 180.0,
    tries: int = 5,
    concurrency: int = 8,
    structured: bool = True,
    retries: int = 2,
    on_failure: str = REPAIR,
) -> SeatAgent:
    """A language model that plays a seat of any game.

    The key comes from the environment: `key_env` names the variable, by default OPENAI_API_KEY for OpenAI's own address
    and RIVERBED_LLM_KEY for all others. Limits and cassette are those of the process, see `set_run`.
    """
    check_whole("concurrency", concurrency, 1, MOST_LANES)
    endpoint = Endpoint(model, base_url, key_env, price_in, price_out, most_output, temperature, time_limit, tries)
    client = ChatClient(endpoint, current_run())
    channel = ModelChannel(client, concurrency, structured)
    return SeatAgent(name, find_game(game), channel, retries, on_failure, f"the language model {model}")


_run: list[Run] = []


def set_run(run: Run) -> None:
    """Give the models that are seated from now on these limits and this cassette."""
    _run[:] = [run]


def current_run() -> Run:
    """The run of this process; without `set_run` its limits come from RIVERBED_MAX_COST and RIVERBED_MAX_TOKENS."""
    if not _run:
        words = [os.environ.get(f"RIVERBED_{name}") for name in ("MAX_COST", "MAX_TOKENS", "CASSETTE")]
        try:
            cost, tokens = words[0] and float(words[0]), words[1] and int(words[1])
        except ValueError:
            raise OptionError("RIVERBED_MAX_COST and RIVERBED_MAX_TOKENS must be numbers") from None
        set_run(Run.limited(cost or None, tokens or None, Path(words[2]) if words[2] else None))
    return _run[0]
