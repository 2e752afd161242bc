"""A language model as an agent: `llm:model=NAME,base_url=ADDRESS`."""

import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from riverbed_env.core.keys import is_secret
from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_env.seats import Message, SeatAgent, Usage
from riverbed_env.seats.agent import MOST_LANES, REPAIR, Channel

from .client import ChatClient, Endpoint, Run
from .prompt import answer_format, chat_of, notes_of
from .purse import SharedPurse
from .story import Story

MOST_KEPT = 4096  # seats of games whose story and notes are kept


@dataclass
class ModelChannel(Channel):
    """A model that plays as many decisions at once as `lanes` says; `notes`: it gets back what it wrote down."""

    client: ChatClient
    lanes: int = 8
    structured: bool = True
    pieces: bool = False
    enum: bool = False
    notes: bool = False
    numbered: bool = True
    _kept: dict[tuple[int, int], tuple[Story, str]] = field(default_factory=dict)  # and notes, by table and seat

    @property
    def key(self) -> str:
        """The endpoint's key."""
        return self.client.endpoint.key

    def ask(self, message: Message, decision: str = "", usage: Usage | None = None) -> str:
        """What the model says; see `Channel.ask`."""
        form = answer_format(message, enum=self.enum, notes=self.notes) if self.structured else None
        seat = message["game"]["table"], message["you"]["seat"]
        story, notes = self._kept.setdefault(seat, (Story(), ""))
        chat = chat_of(message, notes if self.notes else None, story)
        said = self.client.complete(chat, form, decision, usage or Usage())
        noted = notes_of(said) if self.notes else None
        if noted is not None:
            self._kept[seat] = story, noted
        if len(self._kept) > MOST_KEPT:  # games are over by then
            for old in list(self._kept)[: MOST_KEPT // 2]:
                self._kept.pop(old, None)
        return said


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
    price_cached: float = -1.0,
    extra: str = "",
    enum: bool = False,
    notes: bool = False,
) -> SeatAgent:
    """A language model that plays a seat of any game.

    Limits and cassette are those of the process, see `set_run`.

    Args:
        game: the game, its id or its plain name.
        name: the agent's name in lineups and tables.
        model: the model's name at the endpoint.
        base_url: the endpoint's address before /chat/completions, without a query or a key.
        key_env: the environment variable that holds the key; by default OPENAI_API_KEY for OpenAI's own address and
            RIVERBED_LLM_KEY for all others.
        price_in: the price of a million input tokens, 0 or more.
        price_out: the price of a million output tokens, 0 or more.
        most_output: the most tokens of an answer, thinking included, 1 or more.
        temperature: the model's temperature; below 0: the endpoint's own.
        time_limit: of a try, in s, above 0.
        tries: how often an overloaded or unreachable endpoint is asked, 1 or more.
        concurrency: how many decisions are asked for at once, 1 to 1000.
        structured: whether the model is held to a schema of the answer.
        retries: how often it is asked again after an answer that can't be taken, 0 to 20.
        on_failure: "repair" or "forfeit", see `riverbed_env.seats.SeatAgent`.
        price_cached: the price of a million input tokens that the endpoint had read before; below 0: as price_in.
        extra: more fields of the request, like "top_p=0.9;chat_template_kwargs.enable_thinking=false".
        enum: whether the schema lists the choices' numbers. It then differs from call to call, so nothing is cached.
        notes: whether the model may write down notes, which it is given back with its next question.

    Returns:
        The agent.

    Raises:
        OptionError: no model is named, there is no such game, or a value isn't allowed.
    """
    check_whole("concurrency", concurrency, 1, MOST_LANES)
    endpoint = Endpoint(
        *(model, base_url, key_env, price_in, price_out, most_output, temperature, time_limit, tries),
        price_cached=price_cached,
        extra=fields_of(extra),
    )
    channel = ModelChannel(ChatClient(endpoint, current_run()), concurrency, structured, enum=enum, notes=notes)
    return SeatAgent(name, find_game(game), channel, retries, on_failure, f"the language model {model}")


def fields_of(words: str) -> dict[str, Any]:
    """Fields from "name=value;part.name=value"; a value is JSON, or else text. Raises OptionError for other words."""
    fields: dict[str, Any] = {}
    for each in filter(None, words.split(";")):
        name, given, value = each.partition("=")
        *parts, last = name.split(".")
        inner = fields
        for part in parts:
            inner = inner.setdefault(part, {})
        if is_secret(last):
            raise OptionError("llm: keys come from the environment alone, never from extra")
        if not given or not all((*parts, last)) or not isinstance(inner, dict):
            raise OptionError(f"llm: extra is name=value;name=value, not {each!r}")
        try:
            inner[last] = json.loads(value)
        except ValueError:
            inner[last] = value
    return fields


IN_ENVIRONMENT = ("MAX_COST", "MAX_TOKENS", "LEDGER", "CASSETTE")

_run: list[Run] = []


def set_run(run: Run) -> None:
    """Give the models that are seated from now on these limits and this cassette."""
    _run[:] = [run]


def current_run() -> Run:
    """The run of this process; without `set_run` it is made from the environment, which worker processes inherit.

    RIVERBED_MAX_COST and RIVERBED_MAX_TOKENS are limits, RIVERBED_LEDGER a file through which processes share them,
    RIVERBED_CASSETTE a cassette. Raises OptionError for limits that aren't numbers.
    """
    if not _run:
        cost, tokens, ledger, cassette = (os.environ.get(f"RIVERBED_{name}") for name in IN_ENVIRONMENT)
        try:
            limits = float(cost) if cost else None, int(tokens) if tokens else None
        except ValueError:
            raise OptionError("RIVERBED_MAX_COST and RIVERBED_MAX_TOKENS must be numbers") from None
        run = Run.limited(*limits, Path(cassette) if cassette else None)
        set_run(replace(run, purse=SharedPurse(Path(ledger), *limits)) if ledger else run)
    return _run[0]


def share_limits(max_cost: float | None, max_tokens: int | None, ledger: Path) -> None:
    """Hold the processes that this one starts to these limits, all of them together. ledger: a file, made anew."""
    SharedPurse(ledger, max_cost, max_tokens)  # raises OptionError for impossible limits
    ledger.write_text("")
    told = (None if max_cost is None else str(max_cost), None if max_tokens is None else str(max_tokens), str(ledger))
    os.environ.update({f"RIVERBED_{name}": word for name, word in zip(IN_ENVIRONMENT, told) if word is not None})
