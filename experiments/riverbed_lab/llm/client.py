"""One call of a chat-completions endpoint: paid from the purse, kept in the cassette, repeated where that helps."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from riverbed_env.core.keys import check_address, check_key_env, key_of_environment, without_key
from riverbed_env.errors import OptionError
from riverbed_env.seats import Failure, SeatFailureError, Usage
from riverbed_env.seats.http import UNREACHABLE, post

from .cassette import Cassette, key_of
from .purse import Purse

LOG = logging.getLogger(__name__)
OPENAI_HOST, OPENAI_KEY, OTHER_KEY = "api.openai.com", "OPENAI_API_KEY", "RIVERBED_LLM_KEY"
OK = 200
REFUSED = 400, 413, 422  # the request isn't taken as it is
REFUSED_FOR_GOOD = {
    401: "the key is missing or wrong",
    403: "access is refused",
    404: "there is no such address or model",
}
TOO_LONG = re.compile(  # how endpoints say that a request exceeds the model's context
    r"context.{0,8}(length|size|window|limit)|(prompt|input|request).{0,40}too (long|large)"
    r"|too many (input )?tokens|tokens? .{0,20}exceed|exceed.{0,40}token|inputs.{0,40}max_new_tokens",
    re.IGNORECASE | re.DOTALL,
)
LONGEST_PAUSE = 60.0  # s between two tries
A_MESSAGE = 64  # tokens that an endpoint may add for each message
ABSURD = 100_000_000  # tokens of one call; a figure above isn't believed
MOST_SILENT = 10  # calls in a row without an answer, each tried several times: nobody is there
OWN_FIELDS = "model", "messages", "response_format", "max_tokens", "max_completion_tokens", "temperature"


@dataclass
class Run:
    """What the calls of a process share: the purse, the cassette, and whether only the cassette may answer."""

    purse: Purse = field(default_factory=Purse)
    cassette: Cassette | None = None
    offline: bool = False

    @classmethod
    def limited(
        cls, max_cost: float | None, max_tokens: int | None, cassette: Path | None = None, offline: bool = False
    ) -> Run:
        """A run with these limits. Raises OptionError for an impossible limit, or `offline` without a cassette."""
        if offline and (cassette is None or not cassette.exists()):
            raise OptionError("offline=true needs cassette=FILE with the calls of an earlier run")
        return cls(Purse(max_cost, max_tokens), None if cassette is None else Cassette(cassette), offline)


@dataclass(frozen=True)
class Endpoint:
    """Where a model is reached, and what it costs.

    price_in, price_out: per million tokens. most_output: tokens of an answer, thinking included; time_limit: seconds
    of a try; tries: how often an overloaded or unreachable endpoint is asked. price_cached: of input that the endpoint
    had read before; below 0: as price_in. extra: more fields of the request.
    """

    model: str
    base_url: str
    key_env: str = ""
    price_in: float = 0.0
    price_out: float = 0.0
    most_output: int = 2000
    temperature: float = -1.0  # below 0: the endpoint's own
    time_limit: float = 180.0
    tries: int = 5
    price_cached: float = -1.0
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_address("llm: base_url", self.base_url)
        check_key_env("llm: key_env", self.key_env)
        if urlsplit(self.base_url).query:
            raise OptionError("llm: base_url is the address before /chat/completions, without a query")
        if not self.model:
            raise OptionError("llm: name the model, like llm:model=NAME,base_url=http://127.0.0.1:8080/v1")
        if min(self.price_in, self.price_out) < 0 or self.most_output < 1 or self.tries < 1 or self.time_limit <= 0:
            raise OptionError("llm: prices are from 0 on; most_output, tries and time_limit are above 0")
        for name in OWN_FIELDS:
            if name in self.extra:
                raise OptionError(f"llm: extra can't set {name}, which has a parameter of its own or is the question")

    @property
    def key(self) -> str:
        """The key, from the environment alone; "" if there is none. Raises OptionError if it can't be one."""
        usual = OPENAI_KEY if urlsplit(self.base_url).hostname == OPENAI_HOST else OTHER_KEY
        return key_of_environment(self.key_env or usual)

    def cost(self, tokens_in: int, tokens_out: int, cached: int = 0) -> int:
        """What so many tokens cost, in millionths, rounded up. cached: how many of those in had been read before."""
        price_cached = self.price_in if self.price_cached < 0 else self.price_cached
        paid_in = (tokens_in - cached) * self.price_in + cached * price_cached
        return -int(-(paid_in + tokens_out * self.price_out) // 1)


class ChatClient:
    """Calls an endpoint. `sleep` and `clock` are those of the machine, or of a test."""

    def __init__(
        self,
        endpoint: Endpoint,
        run: Run,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if run.purse.max_micros is not None and not (endpoint.price_in or endpoint.price_out):
            raise OptionError(
                "a limit on cost needs prices: add price_in=…,price_out=… (per million tokens) to the spec"
            )
        self.endpoint, self.run = endpoint, run
        self._sleep, self._clock = sleep, clock
        self._refused: set[str] = set()  # fields that the endpoint doesn't take
        self._has_answered = False
        self._silent = 0  # calls in a row without an answer

    def complete(self, chat: list[dict[str, str]], form: Mapping[str, Any] | None, decision: str, usage: Usage) -> str:
        """The model's answer to a chat. form: its `response_format`; decision: tells equal chats of two games apart.

        A request that is refused is made again without a field that may be why; an answer then shows that it was, and
        the field is left out from then on. Adds to `usage`. Raises SeatFailureError if there is no answer, OptionError
        if there can't be one, or if several calls in a row had none, BudgetError.
        """
        without = set(self._refused)
        while True:
            body = self._body(chat, form, without)
            answer = self._answer(body, key_of(body, decision))
            if answer["status"] not in REFUSED:
                break
            without.add(self._suspect(body, answer))
        if answer["status"] == OK:
            self._has_answered = True
            for name in sorted(without - self._refused):
                LOG.warning("%s doesn't take %s: left out from now on", self.endpoint.base_url, name)
            self._refused |= without
        tokens = answer["usage"]
        usage.tokens_in += tokens[0]
        usage.tokens_out += tokens[1]
        usage.micros += self.endpoint.cost(*tokens)
        self._silent = 0 if answer["status"] == OK else self._silent + 1
        if self._silent >= MOST_SILENT and not self.run.offline:
            raise OptionError(
                f"{self.endpoint.base_url} gave no answer to {self._silent} calls in a row ({_fault(answer)}): run the "
                "same command again once it answers; what is done is kept"
            )
        return _content(answer)

    def _body(self, chat: list[dict[str, str]], form: Mapping[str, Any] | None, without: set[str]) -> dict[str, Any]:
        """The request, without these fields."""
        limit = "max_completion_tokens" if "max_tokens" in without else "max_tokens"
        body = {"model": self.endpoint.model, "messages": chat, limit: self.endpoint.most_output, **self.endpoint.extra}
        if self.endpoint.temperature >= 0:
            body["temperature"] = self.endpoint.temperature
        if form is not None:
            body["response_format"] = form
        return {name: value for name, value in body.items() if name not in without}

    def _suspect(self, body: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
        """A field that may be why the endpoint refused the request.

        Raises SeatFailureError if it is this question that the endpoint doesn't take, OptionError if it takes none.
        """
        words = str(answer["error"])
        if answer["status"] == 413 or TOO_LONG.search(words):
            raise SeatFailureError(Failure.CONTEXT, "the question is longer than the model's context")
        named = [name for name in ("max_tokens", "temperature", "response_format") if name in body and name in words]
        if not named and "response_format" in body:
            named = ["response_format"]  # many servers don't say what they don't know
        if named:
            return named[0]
        refusal = f"{self.endpoint.base_url} refuses the request: {words[:300]}"
        if self._has_answered:
            raise SeatFailureError(Failure.TRANSPORT, refusal)
        raise OptionError(refusal)

    # --- cassette and purse ---------------------------------------------------------------------------------------

    def _answer(self, body: Mapping[str, Any], key: str) -> dict[str, Any]:
        """The answer from the cassette, or a new one. A call that failed is made again, unless nobody may be asked."""
        cassette = self.run.cassette
        if cassette is None:
            return self._pay(body)
        with cassette.alone(key):
            kept = cassette.find(key)
            if kept is None or not (kept["status"] in (OK, *REFUSED) or self.run.offline):
                if self.run.offline:
                    raise OptionError(f"cassette {cassette.path} has no answer to a call, and offline=true asks nobody")
                kept = self._pay(body)
                hidden = {name: self._redacted(part) if isinstance(part, str) else part for name, part in kept.items()}
                cassette.keep(key, body, hidden)
        return kept

    def _pay(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A new answer, its cost reserved before and settled after."""
        sent = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        most_in = len(sent) + A_MESSAGE * len(body["messages"])  # a token is at least a byte
        most = most_in + self.endpoint.most_output
        worst = self.endpoint.cost(most_in, self.endpoint.most_output)
        for attempt in range(self.endpoint.tries):
            self.run.purse.reserve(worst, most)
            spent = worst, most  # of a call whose cost isn't told
            try:
                answer, again, pause = self._call(sent, (most_in, self.endpoint.most_output))
                spent = self.endpoint.cost(*answer["usage"]), sum(answer["usage"][:2])
            finally:
                self.run.purse.settle(worst, most, *spent)
            if not again or attempt + 1 == self.endpoint.tries:
                return answer
            self._sleep(min(LONGEST_PAUSE, 2.0**attempt if pause is None else pause))
        raise AssertionError("an endpoint is tried at least once")

    # --- the network ----------------------------------------------------------------------------------------------

    def _call(self, sent: bytes, most: tuple[int, int]) -> tuple[dict[str, Any], bool, float | None]:
        """One try: the answer, whether to try again, and after how many seconds if the endpoint says so."""
        address, endpoint = f"{self.endpoint.base_url.rstrip('/')}/chat/completions", self.endpoint
        try:
            status, body, pause = post(address, sent, endpoint.key, endpoint.time_limit, self._clock)
        except UNREACHABLE as error:
            words = self._redacted(f"{type(error).__name__}: {error}")
            return {"status": 0, "error": words, "usage": list(most)}, True, None
        if status in REFUSED_FOR_GOOD:
            raise OptionError(f"{endpoint.base_url} answers {status}: {REFUSED_FOR_GOOD[status]}")
        answer = self._parsed(status, body, most)
        return answer, answer["status"] not in (OK, *REFUSED), _seconds(pause)

    def _parsed(self, status: int, body: bytes, most: tuple[int, int]) -> dict[str, Any]:
        """What a response says: status, the words of its answer or error, why it ended, and the tokens.

        An error is only shown, so it holds no key; an answer is read first.
        """
        text = body.decode("utf-8", "replace")
        if status != OK:
            return {"status": status, "error": self._redacted(text)[:2000], "usage": [0, 0]}  # an error costs nothing
        try:
            read = json.loads(text)
            choice = read["choices"][0]
            content = choice["message"].get("content")
            words = content if isinstance(content, str) else ""
            finish = str(choice.get("finish_reason") or "")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return {"status": 0, "error": f"no chat completion: {self._redacted(text)[:300]}", "usage": list(most)}
        return {"status": OK, "content": words, "finish": finish, "usage": _tokens(read.get("usage"), words, most)}

    def _redacted(self, text: str) -> str:
        """The text without the key, which an endpoint may repeat; escaped as in JSON or in an address, too."""
        return without_key(text, self.endpoint.key)


def _content(answer: Mapping[str, Any]) -> str:
    """The words of an answer. Raises SeatFailureError if it was cut off, or if there is none."""
    if answer["status"] != OK:
        raise SeatFailureError(Failure.TRANSPORT, f"the endpoint gave no answer ({_fault(answer)})")
    if answer["finish"] == "length":
        raise SeatFailureError(Failure.TRUNCATED, "the answer was cut off at its limit: be shorter")
    return str(answer["content"])


def _fault(answer: Mapping[str, Any]) -> str:
    """Why there is no answer, in short."""
    return str(answer["status"] or answer["error"])


def _tokens(told: object, words: str, most: tuple[int, int]) -> list[int]:
    """Tokens in and out as the endpoint counts them, and how many of those in it had read before.

    They are the most they can be, and none had been read, where the endpoint doesn't say or says what can't be.

    A prompt has a token at least, and so have words that were answered. More than are allowed are believed.
    """
    counts = told if isinstance(told, Mapping) else {}
    found = [counts.get("prompt_tokens"), counts.get("completion_tokens")]
    details = counts.get("prompt_tokens_details")
    found.append(details.get("cached_tokens") if isinstance(details, Mapping) else 0)
    tokens = [
        count if isinstance(count, int) and not isinstance(count, bool) and low <= count <= ABSURD else limit
        for count, low, limit in zip(found, (1, int(bool(words)), 0), (*most, 0), strict=True)
    ]
    return [*tokens[:2], min(tokens[2], tokens[0])]


def _seconds(told: str | None) -> float | None:
    try:
        return None if told is None else max(0.0, float(told))
    except ValueError:
        return None
