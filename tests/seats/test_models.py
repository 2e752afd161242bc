"""Language models in a seat: faults are classed and retried, budgets hold, cassettes replay, keys stay."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from chat_server import Body, ChatServer, Model, Reply, chat_server, first_choice, numbers_of
from seats_kit import QUICK, Table, by_function, deal, first, message

from riverbed_env.errors import OptionError
from riverbed_env.players import find_agent
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent
from riverbed_lab.llm import seat as model_seat
from riverbed_lab.llm.client import MOST_SILENT, ChatClient, Endpoint, Run
from riverbed_lab.llm.purse import BudgetError, Purse
from riverbed_lab.llm.seat import ModelChannel

KEY = "sk-planted-0123456789"


@pytest.fixture(autouse=True)
def own_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limits of another test, and a key in the environment."""
    monkeypatch.setattr(model_seat, "_run", [])
    monkeypatch.setenv("RIVERBED_LLM_KEY", KEY)


class Seated:
    """A model behind a server, as an agent whose pauses are noted and not waited for."""

    def __init__(self, server: ChatServer, run: Run | None = None, clock: Any = None, **more: Any) -> None:
        of_agent = {name: more.pop(name) for name in ("retries", "on_failure") if name in more}
        of_channel = {name: more.pop(name) for name in ("lanes", "structured", "enum", "notes") if name in more}
        endpoint = Endpoint("tiny", server.base_url, **more)
        self.pauses: list[float] = []
        ticking = {} if clock is None else {"clock": clock}
        self.client = ChatClient(endpoint, run or Run(), sleep=self.pauses.append, **ticking)
        self.agent = SeatAgent("model", find_game(QUICK), ModelChannel(self.client, **of_channel), **of_agent)

    def play(self, steps: int = 3, games: int = 1) -> Table:
        return Table(self.agent, deal(games=games)).play(steps)


def after(*faults: Reply) -> Model:
    """A model that begins with these replies, and then takes the first choice."""
    return lambda body, number: faults[number] if number < len(faults) else first_choice(body)


def moves(table: Table) -> list[list[int]]:
    return np.array(table.actions).tolist()


def honest(steps: int = 3, games: int = 1) -> list[list[int]]:
    """What a function that takes the first choice plays."""
    return moves(Table(by_function(first), deal(games=games)).play(steps))


# --- whole games ------------------------------------------------------------------------------------------------------


def test_a_model_plays_by_its_spec_and_its_tokens_are_counted() -> None:
    with chat_server(first_choice) as server:
        spec = f"llm:model=tiny,base_url={server.base_url},price_in=2,price_out=10"
        agent = find_agent(spec, QUICK)
        table = Table(agent, deal(games=3)).play(4)
    assert agent.name == spec
    assert moves(table) == honest(4, games=3)
    assert table.counts() == {"decisions": 12, "tokens_in": 1200, "tokens_out": 120, "micros": 12 * 300}
    assert {request["model"] for request in server.requests} == {"tiny"}


def test_a_model_is_held_to_one_schema_all_through_a_game_unless_it_lists_the_numbers() -> None:
    forms, asked = {}, {}
    for enum in (False, True):
        with chat_server(first_choice) as server:
            Seated(server, enum=enum).play(3)
        forms[enum] = [request["response_format"] for request in server.requests]
        asked[enum] = [numbers_of(request) for request in server.requests]
    assert forms[False][0]["type"] == "json_schema"
    assert forms[False] == [forms[False][0]] * 3
    assert [form["json_schema"]["schema"]["properties"]["choice"]["enum"] for form in forms[True]] == asked[True]


def refusing(*fields: str) -> Model:
    """A server that refuses requests with any of these fields, by name."""

    def model(body: Body, number: int) -> Reply:
        found = [name for name in fields if name in body]
        if found:
            return Reply(status=400, raw=json.dumps({"error": {"message": f"unknown field: {found[0]}"}}).encode())
        return first_choice(body)

    return model


def test_fields_that_an_endpoint_refuses_are_left_out_from_then_on(caplog: pytest.LogCaptureFixture) -> None:
    with chat_server(refusing("response_format", "temperature", "max_tokens")) as server:
        table = Seated(server, temperature=0.5).play(3)
    assert moves(table) == honest(3)
    assert table.counts()["decisions"] == 3
    assert len(server.requests) == 3 + 3
    assert "max_completion_tokens" in server.requests[-1]
    left_out = [record.getMessage().rpartition("take ")[2].partition(":")[0] for record in caplog.records]
    assert left_out == ["max_tokens", "response_format", "temperature"]


REFUSALS = {
    "context": [
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        "max_tokens is too large: 2000. This model's maximum context length is 4096 tokens",
        "the request exceeds the available context size, try increasing it",
        "`inputs` tokens + `max_new_tokens` must be <= 4096",
        "prompt is too long: 210000 tokens > 200000 maximum",
        '{"code": "context_length_exceeded"}',
    ],
    "transport": ["the prompt was filtered by the content policy"],
}


@pytest.mark.parametrize(
    ("words", "kind"), [(words, kind) for kind, said in REFUSALS.items() for words in said], ids=str
)
def test_a_question_that_is_refused_is_a_failed_choice_and_the_run_goes_on(words: str, kind: str) -> None:
    refused = Reply(status=400, raw=words.encode())

    def model(body: Body, number: int) -> Reply:
        return refused if "player_1" in body["messages"][1]["content"].splitlines()[0] else first_choice(body)

    with chat_server(model) as server:
        table = Seated(server, retries=1).play(9)
    failed = table.count("repaired")
    assert 0 < failed < table.count("decisions") == 9
    assert table.count(kind) == failed * (1 if kind == "context" else 2)  # a longer question would be no better
    answered = [request for request in server.requests if "player_1" not in request["messages"][1]["content"][:40]]
    assert len(answered) == 9 - failed
    assert all("response_format" in request for request in answered)


def test_a_request_that_stays_refused_ends_the_run() -> None:
    with chat_server(refusing("model")) as server, pytest.raises(OptionError, match="refuses the request"):
        Seated(server).play(1)


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Reply("{", finish="length"), "truncated"),
        (Reply(""), "empty"),
        (Reply(None), "empty"),
        (Reply("I would dive."), "unparsable"),
        (Reply('{"choice": "the first"}'), "unparsable"),
        (Reply('{"action": 3}'), "unparsable"),
        (Reply('{"choice": 99999}'), "illegal"),
    ],
)
def test_an_answer_that_cant_be_taken_is_asked_for_again_with_the_reason(fault: Reply, kind: str) -> None:
    with chat_server(after(fault)) as server:
        table = Seated(server).play(3)
    assert moves(table) == honest(3)
    assert table.counts() == {"decisions": 3, kind: 1, "tokens_in": 400, "tokens_out": 40}
    assert "couldn't be taken" in server.requests[1]["messages"][-1]["content"]
    assert "couldn't be taken" not in server.requests[2]["messages"][-1]["content"]
    for request in server.requests:  # chat templates of many models refuse two turns of a user in a row
        assert [part["role"] for part in request["messages"]] == ["system", "user"]


@pytest.mark.parametrize(
    "fault",
    [
        Reply(status=500, raw=b"oops"),
        Reply(status=503, raw=b""),
        Reply(status=429, raw=b"{}"),
        Reply(raw=b"<html>not JSON</html>"),
        Reply(raw=b'{"choices": []}'),
        Reply(raw=b'{"choices": [{"message": null}]}'),
        Reply(raw=b"[1]"),
        Reply("never whole", cut=True),
    ],
)
def test_a_fault_of_the_endpoint_is_tried_again_after_longer_pauses(fault: Reply) -> None:
    with chat_server(after(fault, fault)) as server:
        seated = Seated(server)
        assert moves(seated.play(3)) == honest(3)
    assert seated.pauses == [1.0, 2.0]
    assert len(server.requests) == 5


def test_a_pause_is_as_long_as_the_endpoint_asks() -> None:
    busy = Reply(status=429, raw=b"", headers={"Retry-After": "7"})
    later = Reply(status=429, raw=b"", headers={"Retry-After": "99999"})
    with chat_server(after(busy, later)) as server:
        seated = Seated(server)
        seated.play(1)
    assert seated.pauses == [7.0, 60.0]


def test_an_endpoint_that_stays_broken_is_a_failure_of_transport_and_repaired() -> None:
    with chat_server(lambda body, number: Reply(status=500, raw=b"")) as server:
        seated = Seated(server, tries=2, retries=1)
        table = seated.play(2)
    assert table.counts() == {"decisions": 2, "repaired": 2, "transport": 4}
    assert seated.pauses == [1.0] * 4


def test_a_dead_endpoint_ends_the_run_which_goes_on_once_it_answers(tmp_path: Path) -> None:
    """The calls that failed are kept, but made again: an outage isn't replayed."""
    cassette = tmp_path / "calls.jsonl"
    with chat_server(lambda body, number: Reply(status=500, raw=b"")) as server:
        dead = Seated(server, Run.limited(None, None, cassette), tries=1, retries=2)
        with pytest.raises(OptionError, match="gave no answer to 10 calls in a row"):
            dead.play(9)
        assert len(server.requests) == MOST_SILENT
    with chat_server(first_choice) as server:
        table = Seated(server, Run.limited(None, None, cassette), tries=1, retries=2).play(9)
    assert moves(table) == honest(9)
    assert "transport" not in table.counts()


def test_an_answer_that_trickles_for_ever_is_given_up() -> None:
    ticks = iter(range(0, 10**9, 100))
    with chat_server(after(Reply(raw=b" ", trickle=True))) as server:
        seated = Seated(server, clock=lambda: float(next(ticks)), time_limit=250.0)
        assert moves(seated.play(1)) == honest(1)
    assert seated.pauses == [1.0]


@pytest.mark.parametrize(("status", "words"), [(401, "key is missing or wrong"), (404, "no such address or model")])
def test_what_no_try_can_mend_ends_the_run(status: int, words: str) -> None:
    bad = Reply(status=status, raw=KEY.encode())
    with chat_server(lambda body, number: bad) as server, pytest.raises(OptionError, match=words) as refused:
        Seated(server).play(1)
    assert KEY not in str(refused.value)
    assert len(server.requests) == 1


def test_a_model_that_forfeits_is_not_asked_again() -> None:
    with chat_server(lambda body, number: Reply("no")) as server:
        seated = Seated(server, retries=0, on_failure="forfeit")
        table = Table(seated.agent, batch := deal()).play()
    assert len(server.requests) == batch.num_players == table.count("forfeited") == table.count("unparsable")


# --- money ------------------------------------------------------------------------------------------------------------


def spent(server: ChatServer, price_in: float = 1.0, price_out: float = 1.0) -> float:
    """What the server's answers cost."""
    return len(server.requests) * (100 * price_in + 10 * price_out) / 1e6


@pytest.mark.parametrize("lanes", [pytest.param(1, marks=pytest.mark.slow), 8])
def test_nothing_is_spent_over_a_limit_however_many_games_are_played(lanes: int) -> None:
    limit = 0.015
    with chat_server(first_choice) as server:
        run = Run(Purse(max_cost=limit))
        seated = Seated(server, run, price_in=1, price_out=1, lanes=lanes)
        with pytest.raises(BudgetError, match=r"max_cost is 0\.015"):
            seated.play(steps=10**6, games=10)
    assert 0 < spent(server) <= limit
    assert run.purse.micros == round(spent(server) * 1e6)


def test_tokens_have_a_limit_too_and_what_isnt_told_counts_at_the_most() -> None:
    with chat_server(lambda body, number: replace(first_choice(body), usage=None)) as server:
        run = Run(Purse(max_tokens=60_000))
        with pytest.raises(BudgetError, match="max_tokens is 60000"):
            Seated(server, run).play(steps=10**6)
    assert len(server.requests) < 60_000 / 2_000
    assert 30_000 < run.purse.tokens <= 60_000


@pytest.mark.parametrize(
    "usage",
    [
        {},
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": -5, "completion_tokens": -5},
        {"prompt_tokens": True, "completion_tokens": "12"},
        {"prompt_tokens": 1.5, "completion_tokens": None},
        {"prompt_tokens": 10**12, "completion_tokens": 10**12},
        {"prompt_tokens": 10**400, "completion_tokens": 10**400},
        [100, 10],
        "many",
    ],
    ids=str,
)
def test_figures_that_cant_be_are_counted_at_the_most_over_many_games(usage: Any) -> None:
    with chat_server(lambda body, number: replace(first_choice(body), usage=usage)) as server:
        run = Run(Purse(max_tokens=60_000, max_cost=0.06))
        with pytest.raises(BudgetError, match="the budget is used up: max_"):
            Seated(server, run, price_in=1, price_out=1).play(steps=10**6, games=10)
    assert 0 < len(server.requests) < 60_000 / 2_000
    most = sum(len(json.dumps(request, ensure_ascii=False).encode()) + 2_000 for request in server.requests)
    assert most <= run.purse.tokens <= 60_000


def test_input_that_the_endpoint_had_read_before_has_its_own_price() -> None:
    def model(body: Body, number: int) -> Reply:
        return replace(
            first_choice(body),
            usage={"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 80}},
        )

    with chat_server(model) as server:
        for price, cost in ((0.5, 20 * 2 + 80 * 0.5 + 10 * 4), (-1.0, 100 * 2 + 10 * 4)):
            run = Run()
            Seated(server, run, price_in=2.0, price_out=4.0, price_cached=price).play(1)
            assert run.purse.micros == cost
            assert run.purse.tokens == 110


def test_a_model_is_given_back_its_notes_of_the_same_seat_and_game_alone() -> None:
    """Each answer's notes are one sign longer than those in its question."""
    seen: dict[str, list[int]] = {}

    def model(body: Body, number: int) -> Reply:
        asked = body["messages"][1]["content"]
        notes = json.loads(asked.partition("Your notes: ")[2].partition("\n")[0] or '""')
        seen.setdefault(asked.partition(".")[0], []).append(len(notes))
        return Reply(json.dumps({"notes": notes + "<", "choice": numbers_of(body)[0]}))

    with chat_server(model) as server:
        assert moves(Seated(server, notes=True, lanes=1).play(6, games=2)) == honest(6, games=2)
        assert "notes" in server.requests[0]["response_format"]["json_schema"]["schema"]["properties"]
        assert "<" not in "".join(request["messages"][1]["content"] for request in server.requests)
    for lengths in seen.values():  # of a seat, in two games, of which one may ask it once more
        assert lengths == [place // 2 for place in range(len(lengths))]
    assert max(max(lengths) for lengths in seen.values()) > 1


def test_more_fields_of_a_request_are_passed_on() -> None:
    words = "top_p=0.9;reasoning_effort=low;chat_template_kwargs.enable_thinking=false"
    with chat_server(first_choice) as server:
        agent = find_agent(f"llm:model=tiny,base_url={server.base_url},extra={words}", QUICK)
        Table(agent, deal()).play(1)
    body = server.requests[0]
    assert (body["top_p"], body["reasoning_effort"]) == (0.9, "low")
    assert body["chat_template_kwargs"] == {"enable_thinking": False}


def test_a_bill_beyond_what_was_allowed_is_believed_and_ends_the_run() -> None:
    dear = {"prompt_tokens": 90_000_000, "completion_tokens": 90_000_000}
    with chat_server(lambda body, number: replace(first_choice(body), usage=dear)) as server:
        with pytest.raises(BudgetError, match=r"1\.8e\+08 is spent"):
            Seated(server, Run(Purse(max_tokens=60_000))).play(steps=10**6)
        assert len(server.requests) == 1
        table = Seated(server, Run(), price_in=1000, price_out=1000).play(2)
    assert table.count("micros") == 2 * np.iinfo(np.int32).max  # of two seats, whose memory holds no more


def test_a_limit_on_cost_needs_prices() -> None:
    with chat_server(first_choice) as server, pytest.raises(OptionError, match="price_in"):
        Seated(server, Run(Purse(max_cost=1.0)))


def test_processes_share_a_limit_through_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in model_seat.IN_ENVIRONMENT:
        monkeypatch.setenv(f"RIVERBED_{name}", "")
    model_seat.share_limits(None, 1000, tmp_path / "spent")
    purses = []
    for _ in range(2):  # as two processes would
        model_seat._run.clear()
        purses.append(model_seat.current_run().purse)
    purses[0].reserve(0, 600)
    with pytest.raises(BudgetError, match="max_tokens is 1000, 600 is spent"):
        purses[1].reserve(0, 600)
    purses[0].settle(0, 600, 0, 50)
    purses[1].reserve(0, 900)
    with pytest.raises(BudgetError):
        purses[0].reserve(0, 51)


# --- cassettes --------------------------------------------------------------------------------------------------------


def flaky(body: Body, number: int) -> Reply:
    """A model whose answer depends on when it is asked; some can't be taken."""
    numbers = numbers_of(body)
    return Reply("hm") if number % 5 == 0 else Reply(f'{{"choice": {numbers[number % len(numbers)]}}}')


def test_a_run_replays_from_its_cassette_without_network_or_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "calls.jsonl"
    with chat_server(flaky) as server:
        live = Seated(server, Run.limited(None, None, path), price_in=1).play(6, games=5)
    monkeypatch.delenv("RIVERBED_LLM_KEY")
    kept = path.read_bytes()
    run = Run.limited(0.0, None, path, offline=True)  # replaying costs nothing
    again = Seated(server, run, price_in=1, lanes=3).play(6, games=5)
    assert moves(again) == moves(live)
    assert again.memory.tobytes() == live.memory.tobytes()
    assert path.read_bytes() == kept
    assert run.purse.calls == 0


def test_what_a_cassette_lacks_isnt_asked_for_offline(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with chat_server(first_choice) as server:
        Seated(server, Run.limited(None, None, path)).play(2)
        with pytest.raises(OptionError, match="offline=true asks nobody"):
            Seated(server, Run.limited(None, None, path, offline=True)).play(3)
    with pytest.raises(OptionError, match="offline=true needs cassette"):
        Run.limited(None, None, tmp_path / "none.jsonl", offline=True)


def test_a_run_goes_on_where_its_budget_or_a_kill_ended_it(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with chat_server(flaky) as server:
        with pytest.raises(BudgetError):
            Seated(server, Run.limited(None, 12_000, path)).play(10, games=4)
        paid = len(server.requests)
        with path.open("ab") as file:
            file.write(b'{"format": 1, "key": "half a li')
        whole = Seated(server, Run.limited(None, None, path)).play(10, games=4)
        calls = len(server.requests)
        assert moves(Seated(server, Run.limited(None, None, path, offline=True)).play(10, games=4)) == moves(whole)
    assert 0 < paid < calls == len(path.read_text().splitlines())


# --- keys -------------------------------------------------------------------------------------------------------------


def test_the_key_goes_to_the_endpoint_and_nowhere_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    echo = Reply(f'your key is {KEY}, {{"choice": 99999}}')
    broken = Reply(status=500, raw=f"wrong key {KEY}".encode())
    path = tmp_path / "calls.jsonl"
    with chat_server(after(echo, broken)) as server:
        seated = Seated(server, Run.limited(None, None, path))
        table = seated.play(3)
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    printed = capfd.readouterr()
    kept = path.read_text()
    assert "[key]" in kept
    for text in (kept, caplog.text, printed.out, printed.err, repr(seated.agent), json.dumps(server.requests)):
        assert KEY not in text
    assert moves(table) == honest(3)


@pytest.mark.parametrize("status", [200, 500])
def test_a_key_that_comes_back_in_disguise_is_cut_out(status: int, tmp_path: Path) -> None:
    """Escaped as in JSON or an address, in any part of a response."""
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
    choice = f'{{"message": {{"content": "{escaped} {{}}"}}, "finish_reason": "{escaped}"}}'
    raw = f'{{"choices": [{choice}], "error": "{KEY}"}}'.encode() if status == 200 else quote(KEY).encode()
    path = tmp_path / "calls.jsonl"
    echo = Reply(status=status, raw=raw, headers={"X-Key": KEY})
    with chat_server(lambda body, number: echo) as server:
        Seated(server, Run.limited(None, None, path), tries=1, retries=0).play(1)
    kept = path.read_text()
    assert "[key]" in kept
    assert KEY not in kept
    assert escaped not in kept


def test_what_a_model_says_at_the_table_holds_no_key() -> None:
    asked = {**message(deal()), "talk": {"said": [], "most_characters": 280}}
    hidden = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
    for words in (KEY, hidden):
        said = Reply(f'{{"choice": 1, "text": "it is {words}"}}')
        with chat_server(after(said)) as server:
            answer = Seated(server).agent.choose(asked)
        assert answer is not None
        assert answer.text == "it is [key]"


@pytest.mark.parametrize("key", ["sk-one\nsk-two", "sk-é-0123", "sk one"])
def test_what_can_be_no_key_is_refused_without_showing_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBED_LLM_KEY", key)
    with chat_server(first_choice) as server, pytest.raises(OptionError, match="RIVERBED_LLM_KEY") as refused:
        Seated(server).play(1)
    assert not server.requests
    assert key not in str(refused.value)


def test_a_key_for_one_vendor_isnt_sent_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert Endpoint("m", "https://api.openai.com/v1").key == "sk-openai"
    assert Endpoint("m", "https://example.org/v1").key == KEY
    monkeypatch.setenv("MINE", "sk-mine")
    assert Endpoint("m", "https://example.org/v1", key_env="MINE").key == "sk-mine"
    monkeypatch.delenv("RIVERBED_LLM_KEY")
    with chat_server(first_choice) as server:
        Seated(server).play(1)
    assert "authorization" not in server.headers[0]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("llm:base_url=http://127.0.0.1:1/v1", "name the model"),
        ("llm:model=m,base_url=http://me:secret@127.0.0.1:1/v1", "must hold no key"),
        ("llm:model=m,base_url=https://x/v1?key=secret", "must hold no key"),
        ("llm:model=m,base_url=ftp://me:secret@127.0.0.1:1/v1", "must hold no key"),
        ("llm:model=m,base_url=http://x/v1#secret", "must hold no key"),
        ("llm:model=m,base_url=secret:x", "http or https"),
        ("llm:model=m,base_url=file:///etc/passwd", "http or https"),
        ("llm:model=m,key_env=sk-secret", "isn't the key itself"),
        ("llm:model=m,key=sk-secret", "keys come from the environment alone"),
        ("http:url=http://me:secret@127.0.0.1:1/", "must hold no key"),
        ("http:url=http://127.0.0.1:1/?api_key=secret", "must hold no key"),
        ("http:url=http://127.0.0.1:1/,key_env=sk-secret", "isn't the key itself"),
        ("http:url=http://127.0.0.1:1/,key_env=NOBODY_SETS_THIS", "no variable NOBODY_SETS_THIS"),
        ("llm:model=m,most_output=0", "above 0"),
        ("llm:model=m,extra=top_p", "extra is name=value"),
        ("llm:model=m,extra=model=n", "extra can't set model"),
        ("llm:model=m,extra=api_key=secret", "keys come from the environment alone"),
        ("llm:model=m,api_key=sk-1", "keys come from the environment alone"),
    ],
)
def test_a_wrong_spec_of_a_model_is_refused(spec: str, words: str) -> None:
    with pytest.raises(OptionError, match=words) as refused:
        find_agent(spec, QUICK)
    assert "secret" not in str(refused.value)


def test_limits_come_from_the_environment_where_no_command_sets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBED_MAX_TOKENS", "5")
    assert model_seat.current_run().purse.max_tokens == 5
    monkeypatch.setattr(model_seat, "_run", [])
    monkeypatch.setenv("RIVERBED_MAX_COST", "much")
    with pytest.raises(OptionError, match="must be numbers"):
        model_seat.current_run()
