"""What isn't a fair player is refused or dropped in a line, and the table goes on."""

import contextlib
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from in_process import one_line, riverbed
from web_kit import PERSON, RANDOM, Opened, Page, Serving, live
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from riverbed_env.errors import OptionError
from riverbed_web import hall, protocols
from riverbed_web.guard import page_policy
from riverbed_web.limits import MESSAGES, MOST_BODY, Buckets
from riverbed_web.opening import Menu, Opening, plan
from riverbed_web.server import Settings, bind
from riverbed_web.store import Store

PEOPLE = [PERSON, PERSON]
HERE = {"game": "deep_river_v0"}
HUNT = {"game": "riverbed_hunt_v1", "players": 4}


def beside(agent: str, **table: Any) -> dict[str, Any]:
    """A table of people and an agent."""
    wish = {**HERE, "players": 2, **table}
    return {**wish, "seats": [*[PERSON] * (wish["players"] - 1), {"kind": "agent", "agent": agent}]}


@pytest.fixture
def table(serving: Serving) -> Opened:
    return serving.open(game="deep_river_v0", seats=PEOPLE)


def goes_on(table: Opened) -> bool:
    """Whether a person at the table can still choose."""
    with table.seat(0) as one, table.seat(1) as two:
        pages = [one, two]
        asked = pages[one.until(lambda page: page.frame).frame["asked"]]
        return asked.until_asked().act() >= 0


# --- tokens -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "x", "x" * 5000 + "\ud800", "ä"])
def test_a_wrong_token_is_turned_away(table: Opened, token: str) -> None:
    with table.page(token[:1000]) as page:
        assert page.closed() == 4001
    assert goes_on(table)


def test_a_token_opens_its_own_seat_alone(serving: Serving, table: Opened) -> None:
    other = serving.open(game="deep_river_v0", seats=PEOPLE)
    with table.page(other.seats[0]) as page:
        assert page.closed() == 4001
    with table.page(table.owner) as page:  # the owner sits nowhere
        page.until(lambda page: page.frame)
        assert (page.view, page.frame["choices"]) == ("public", [])
        assert page.refusal(type="act", action=0, step=0) == "not_allowed"
    for token in (table.seats[0], other.owner, None, "x"):
        assert table.ask("POST", "/seats/1", PERSON, token=token)[0] == 403


def test_the_file_of_tables_holds_no_token(serving: Serving, table: Opened) -> None:
    kept = b"".join(path.read_bytes() for path in serving.server.site.hall._store.path.parent.iterdir())
    assert table.id.encode() in kept
    assert not [token for token in (table.owner, *table.seats) if token is not None and token.encode() in kept]


def test_an_unknown_table_is_said_to_be_none(serving: Serving) -> None:
    with connect(live(serving.address, "feedfeedfeedfeed")) as socket:
        page = Page(socket)
        page.send(type="join", token=None)
        assert page.closed() == 4004
    assert serving.ask("GET", "/api/tables/feedfeedfeedfeed")[0] == 404
    assert serving.ask("GET", "/nowhere")[0] == 404


# --- messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "act", "action": 10**30, "step": 0}, "illegal"),
        ({"type": "act", "action": -1, "step": 0}, "illegal"),
        ({"type": "act", "action": 0, "step": 7}, "stale"),
        ({"type": "act", "action": True, "step": 0}, "bad_message"),
        ({"type": "act", "action": "0", "step": 0}, "bad_message"),
        ({"type": "act"}, "bad_message"),
        ({"type": "look", "view": "truth"}, "not_allowed"),
        ({"type": "look", "view": 17}, "bad_message"),
        ({"type": "frame", "frame": {}, "step": 0}, "bad_message"),
        ({"type": "table", "table": {"stage": "over"}}, "bad_message"),
        ({}, "bad_message"),
    ],
)
def test_a_forged_message_changes_nothing(table: Opened, message: dict[str, Any], code: str) -> None:
    with table.seat(0) as one, table.seat(1) as two:
        pages = [one, two]
        asked = pages[one.until(lambda page: page.frame).frame["asked"]].until_asked()
        before = asked.frame
        assert asked.refusal(**message) == code
        assert (asked.frame, asked.step) == (before, 0)
    assert goes_on(table)


def test_watchers_leave_room_for_players(serving: Serving, table: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, count in (("MOST_AT_A_TABLE", 2), ("MOST_WATCHING", 1)):
        with monkeypatch.context() as patched, contextlib.ExitStack() as stack:
            patched.setattr(hall, limit, count)
            for _ in range(count):
                stack.enter_context(table.page()).until(lambda page: page.frame)
            with table.page() as late:
                assert late.closed() == 4005
            assert goes_on(table)
    monkeypatch.setattr(hall, "MOST_AT_A_SEAT", 1)
    with table.seat(0) as first, table.seat(0) as second:
        first.until(lambda page: page.frame)
        assert second.closed() == 4005
        with table.seat(1) as other:
            other.until(lambda page: page.frame)


def test_tables_that_nobody_looks_at_make_room_and_players_come_before_watchers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall, "MOST_AWAKE", 2)
    with Serving(tmp_path) as serving:
        tables = [serving.open(game="deep_river_v0", seats=PEOPLE) for _ in range(4)]
        awake = serving.server.site.hall._awake
        assert list(awake) == [table.id for table in tables[2:]]
        with tables[2].page() as watched, tables[3].page():
            watched.until(lambda page: page.frame)
            with tables[0].page() as late:
                assert late.closed() == 4005
            assert serving.ask("POST", "/api/tables", {**HERE, "seats": PEOPLE})[0] == 429
            with tables[0].seat(0) as player:
                player.until(lambda page: page.frame)
                assert watched.closed() == 4005
        assert all(map(goes_on, tables))


def test_few_tables_of_agents_play_on_while_nobody_watches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "MOST_ALONE", 1)
    with Serving(tmp_path) as serving:
        tables = [serving.open(game="deep_river_v0", seats=[RANDOM, RANDOM], pace=10) for _ in range(3)]
        with tables[2].page() as page:
            page.until(lambda page: page.frame)
            serving.call(serving.server.site.hall.let_sleep)
            assert list(serving.server.site.hall._awake) == [tables[0].id, tables[2].id]


def test_who_isnt_asked_is_told_so(table: Opened) -> None:
    with table.seat(0) as one, table.seat(1) as two:
        pages = [one, two]
        waits = pages[1 - one.until(lambda page: page.frame).frame["asked"]]
        assert waits.refusal(type="act", action=0, step=0) == "not_asked"


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 4000, '"join"', '{"type": "join", "token": 5}'])
def test_what_is_no_join_isnt_let_in(serving: Serving, table: Opened, text: str) -> None:
    with connect(live(serving.address, table.id)) as socket:
        socket.send(text)
        assert Page(socket).closed() == 4000


def test_junk_of_ten_megabytes_is_dropped(serving: Serving, table: Opened) -> None:
    junk = "j" * 10_000_000
    with connect(live(serving.address, table.id)) as line, pytest.raises((ConnectionClosed, OSError)):
        flood(line.send, line.recv, junk)
    status, answer = serving.ask("POST", "/api/tables", junk[: MOST_BODY + 1])
    assert (status, answer["error"]["code"]) == (413, "too_large")
    with plain(serving) as door, pytest.raises(OSError, match=r"reset|pipe"):  # it isn't even HTTP
        flood(door.sendall, door.recv, junk.encode())
    assert goes_on(table)


def flood(send: Callable[[Any], None], receive: Callable[[int], Any], junk: Any) -> None:
    """Send junk piece by piece as long as it is taken."""
    for _ in range(100):
        send(junk[:100_000])
    receive(60)


def plain(serving: Serving) -> socket.socket:
    """A connection that says nothing."""
    where = urlsplit(serving.address)
    return socket.create_connection((where.hostname, where.port), timeout=60)


def test_who_talks_too_much_is_sent_away(table: Opened) -> None:
    with table.seat(0) as page:
        with contextlib.suppress(ConnectionClosed):  # it may be sent away before it has said all
            for _ in range(int(MESSAGES[1]) + 20):
                page.send(type="nothing")
        assert page.closed() == 4002
    assert goes_on(table)


# --- connections ------------------------------------------------------------------------------------------------------


def test_a_slow_reader_is_dropped_and_others_see_the_game(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "JOINING", 0.2)
    table = serving.open(game="deep_river_v0", seats=[RANDOM, RANDOM], pace=0.02)
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    where = urlsplit(serving.address)
    lazy.connect((where.hostname, where.port))
    with (
        connect(live(serving.address, table.id), sock=lazy, max_queue=1, close_timeout=0.1) as slow,
        table.page() as page,
    ):
        slow.send(json.dumps({"type": "join", "token": None}))
        page.until(lambda page: page.frame and page.frame["over"] and page.facts["watchers"] == 1)


@pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"], ids=["first", "second"])
def test_a_connection_whose_request_never_becomes_whole_is_dropped(
    serving: Serving, first: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "JOINING", 0.3)
    where = urlsplit(serving.address)
    with socket.create_connection((where.hostname, where.port), timeout=60) as slow:
        slow.sendall(first)
        if first:
            assert slow.recv(12) == b"HTTP/1.1 200"
        slow.sendall(b"GET / HT")  # and no more
        with contextlib.suppress(ConnectionResetError):
            while slow.recv(1 << 16):
                pass


def test_a_foreign_page_or_name_is_refused(serving: Serving, table: Opened) -> None:
    hosts = ("evil.example", "127.0.0.1:8011,evil.example", "127.0.0.1:99999")
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, *({"Host": host} for host in hosts)):
        status, answer = serving.ask("GET", "/api/tables", **headers)
        assert (status, answer["error"]["code"]) == (403, "not_allowed")
    with pytest.raises(InvalidStatus, match="403"):
        connect(live(serving.address, table.id), origin="http://evil.example")
    own = serving.address.rstrip("/")
    assert serving.ask("GET", "/api/tables", Origin=own)[0] == 200
    assert serving.ask("GET", "/api/tables", Host="localhost:8000")[0] == 200


def test_a_request_that_a_form_could_send_is_refused(serving: Serving) -> None:
    status, answer = serving.ask("POST", "/api/tables", {"game": "deep_river_v0"}, Content_Type="text/plain")
    assert (status, answer["error"]["code"]) == (400, "bad_request")


def test_a_page_may_run_its_own_scripts_alone() -> None:
    policy = page_policy("<script type='module'>let a = 1</script><script src='x.js'></script>")
    assert policy.count("sha256-") == 1
    assert "unsafe-inline" not in policy.partition("style-src")[0]
    assert "frame-ancestors 'none'" in policy


# --- what is asked for ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"game": "chess_v0"}, "there is no game 'chess_v0'"),
        ({**HERE, "players": 3}, "num_players must be 2"),
        ({**HERE, "options": {"colour": 1}}, "has no option 'colour'"),
        ({**HERE, "options": {"max_turns": "many"}}, "max_turns must be"),
        ({**HERE, "options": {"pack": "x"}}, "pack isn't given among the options"),
        ({**HERE, "pack": "/etc/passwd"}, "has no pack '/etc/passwd' here"),
        ({**HERE, "pack": "generated:1"}, "has no pack 'generated:1' here"),
        ({"game": "riverbed_hunt_v1", "pack": "generated:0"}, "no pack 'generated:0'"),
        ({"game": "riverbed_hunt_v1", "pack": "hunt-test"}, "here give one of them"),
        ({**HERE, "seed": -1}, "seed must be from 0"),
        ({**HERE, "seed": "x"}, "seed must be an integer"),
        ({**HERE, "seats": [PERSON]}, "there are 2 seats"),
        (beside("clever"), "has no agent 'clever' here"),
        (beside("/tmp/x.py:choose"), "has no agent"),
        (beside("os:system"), "has no agent"),
        (beside("greedy:x=1"), "has no agent"),
        (beside("search:x=1"), "has no parameter 'x'"),
        (beside("search:depth=13"), "depth is at most 12 at a table, not 13; only who starts the server sets more"),
        (beside("student:policy=/etc/shadow", **HUNT), "only who starts the server sets policy"),
        (beside("student_lookahead:policy=/no/file", **HUNT), "only who starts the server sets policy"),
        (beside("lookahead:worlds=1000000", **HUNT), "worlds is at most 2000 at a table, not 1000000"),
        *(({**HERE, "seats": [{**PERSON, "name": name}, RANDOM]}, "can be taken for a player, a role or an agent")
          for name in ("player 1", "рlауеr 1", "Ρlayer 1",
                       "Player_1", "ＰＬＡＹＥＲ 1", "pláyer1", "Salmon", "you", "greedy", "7", "...")),
        ({**HERE, "seats": [{**PERSON, "name": "Mara (you)"}, RANDOM]}, "a name has letters, digits and"),
        ({**HERE, "seats": [{**PERSON, "name": "a\u0300\u0301\u0302"}, RANDOM]}, "at most one accent"),
        ({**HERE, "seats": [{**PERSON, "name": "Mara"}, {**PERSON, "name": "M a-rá"}]}, "has a name like 'M a-rá'"),
        ({**HERE, "seats": [{**PERSON, "name": "Ida"}, {**PERSON, "name": "lda"}]}, "has a name like 'lda'"),
        ({**HERE, "seats": [{**PERSON, "name": "Bob"}, {**PERSON, "name": "Воb"}]}, "has a name like 'Воb'"),
        ({**HERE, "seats": [{**PERSON, "name": 25 * "W"}, RANDOM]}, "at most 24"),
        ({**HERE, "seats": [{"kind": "dog"}, PERSON]}, "the table: seats 0 kind should be 'person' or 'agent'"),
        ({**HERE, "pace": -1}, "the table: pace should be greater than or equal to 0, not -1"),
        ({**HERE, "colour": 1}, "the table: colour: Unexpected keyword argument"),
        ({}, "the table: game: Field required"),
    ],
)  # fmt: skip
def test_an_impossible_table_is_refused_in_one_sentence(serving: Serving, wish: dict[str, Any], words: str) -> None:
    status, answer = serving.ask("POST", "/api/tables", wish)
    assert (status, answer["error"]["code"]) == (400, "bad_option")
    assert words in answer["error"]["text"]


def test_the_first_person_may_have_a_role(serving: Serving) -> None:
    for seats, player in ((None, "player_0"), ([RANDOM, RANDOM, PERSON, PERSON], "player_2")):
        table = serving.open(**HUNT, seats=seats, options={"roles": "profiteer"})
        assert table.ask("GET")[1]["table"]["options"]["roles"] == {player: "profiteer"}
        with table.seat(int(player[-1])) as page:
            page.until(lambda page: page.frame)
        play = serving.server.site.hall._awake[table.id].play
        assert play is not None
        assert play.game.roles[play.batch.roles()[0, int(player[-1])]] == "profiteer"


def test_what_is_offered_can_be_asked_for(serving: Serving) -> None:
    offered = {game["id"]: game for game in serving.ask("GET", "/api/games")[1]["games"]}
    for game_id, game in offered.items():
        agents = {agent["name"] for agent in game["agents"]}
        assert game["default_agent"] in agents
        assert "num_players" not in {option["name"] for option in game["options"]}
        assert game["about"].endswith("."), game_id
        for option in game["options"]:
            values = option["values"] or []
            assert option["default"] in values or not values
            for value in values:
                assert plan(Opening(game_id, options={option["name"]: value}), Menu())


# --- where it listens -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_an_address_that_others_can_reach_needs_a_flag_that_says_what_it_means(host: str) -> None:
    with pytest.raises(OptionError, match=r"can be reached from other machines: .* --open-to-network"):
        bind(Settings(host=host, port=0))


@pytest.mark.parametrize(("proxies", "others"), [((), 429), (("127.0.0.1",), 201)])
def test_only_a_known_proxy_is_believed_whom_it_asks_for(tmp_path: Path, proxies: tuple[str, ...], others: int) -> None:
    """Somebody who has opened all tables that one address may open; then somebody else, through the same proxy."""
    with Serving(tmp_path, proxies=proxies) as serving:
        serving.server.site.openings = Buckets(1e-9, 1)

        def opened(visitor: str) -> int:
            return serving.ask("POST", "/api/tables", HERE, X_Forwarded_For=visitor)[0]

        assert opened("192.0.2.1") == 201
        assert opened("192.0.2.1") == 429
        assert opened("192.0.2.2") == others


def test_beyond_this_machine_tables_are_opened_with_a_key(tmp_path: Path) -> None:
    with Serving(tmp_path, host="0.0.0.0", open_to_network=True) as serving:
        key = serving.server.site.key
        assert key is not None
        assert serving.server.address.endswith(f"#key={key}")
        port = urlsplit(serving.server.address).port
        serving.server.address = f"http://127.0.0.1:{port}/"
        wish = {"game": "deep_river_v0", "seats": PEOPLE}
        assert serving.ask("POST", "/api/tables", wish)[0] == 403
        assert serving.ask("POST", "/api/tables", wish, Authorization="Bearer x")[0] == 403
        assert serving.ask("POST", "/api/tables", wish, Authorization=f"Bearer {key}")[0] == 201


def test_the_command_refuses_what_cant_be_in_a_line(tmp_path: Path) -> None:
    for words, reason in (
        (["--host", "0.0.0.0"], "can be reached from other machines"),
        (["--agent", "nowhere.npz"], "nowhere.npz"),
        (["--pack", "nowhere.toml"], "there is no such pack file"),
        (["--data", str(Path(__file__))], "tables can't be kept in"),
    ):
        done = riverbed("serve", "--port", "0", *words)
        assert done.returncode == 2
        assert reason in one_line(done.stderr)


def test_one_server_holds_a_file_of_tables(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    with pytest.raises(OptionError, match="another server holds it"):
        Store(tmp_path / "tables.sqlite")
    store.close()
    Store(tmp_path / "tables.sqlite").close()
