"""A hosted game and its tools: the protocol's own client plays a seat; tokens open their own seat and no other."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcp import Client, StdioServerParameters
from seats_kit import HUNT, QUICK, by_function, first
from starlette.testclient import TestClient

from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.players import UNIFORM
from riverbed_env.registry import find_game
from riverbed_lab.judging.sources import find_games
from riverbed_lab.seat_tools.hosted import BY_TOOLS, HostedGame
from riverbed_lab.seat_tools.server import Seats, http_app, seat_server

OTHERS = by_function(first)
SILENT = find_game(HUNT).actions.id("SILENT")


def hosted(seats: tuple[int, ...] = (0,), players: int = 3, **more: Any) -> HostedGame:
    agents = [None if seat in seats else OTHERS for seat in range(players)]
    return HostedGame(find_game(QUICK), agents, 1, **more)


def play(game: HostedGame) -> list[int]:
    """Play all seats from outside with their first choices."""
    taken = []
    while (seat := game.asked) is not None:
        game.act(seat, 1)
        taken.append(game.actions[-1])
    return taken


def test_a_hosted_game_is_the_game_that_agents_play() -> None:
    one, three = hosted(), hosted((0, 1, 2))
    play(one), play(three)
    assert one.look(0)["status"] == "over"
    assert one.look(0)["result"]
    assert np.array_equal(one._arena.batch.games.view(np.uint8), three._arena.batch.games.view(np.uint8))


def test_a_seat_sees_what_happened_since_it_looked() -> None:
    game = hosted((0, 1, 2))
    seat = game.asked
    assert seat is not None
    assert game.look(seat)["status"] == "your turn"
    other = (seat + 1) % 3
    game.look(other)
    game.act(seat, game.legal(seat)[0]["choice"])
    assert game.look(other)["new"]
    assert game.look(other)["new"] == []


def test_only_the_seat_that_is_asked_can_choose_and_only_what_is_legal() -> None:
    game = hosted((0, 1, 2))
    seat = game.asked
    assert seat is not None
    other = (seat + 1) % 3
    assert game.legal(other) == []
    for wrong, words in [
        (lambda: game.act(other, 1), "isn't asked"),
        (lambda: game.act(seat, 9999, "hello"), "9999 isn't among the numbers of your choices: 1 to"),
        (lambda: game.act(seat, 0), "0 isn't among the numbers"),
        (lambda: game.act(other, 1, "hello"), "isn't asked"),
        (lambda: game.act(seat, 1, "hello"), "a game with talk"),
    ]:
        with pytest.raises(IllegalActionError, match=words):
            wrong()
    assert game.batch.notes() == ()
    with pytest.raises(OptionError, match="every seat has an agent"):
        HostedGame(find_game(QUICK), [UNIFORM] * 3, 1)


def at_the_floor(talk: str = "text") -> tuple[HostedGame, int]:
    """A game whose seats are all outside, when the first may speak, and that seat."""
    game = HostedGame(find_game(HUNT), [None] * 4, 1, talk=talk)
    while (seat := game.asked) is not None and SILENT not in legal(game, seat):
        game.act(seat, 1)
    assert seat is not None
    return game, seat


def legal(game: HostedGame, seat: int) -> list[int]:
    """The actions that a seat may take, in the order of its choices."""
    return [each["id"] for each in game.message(seat)["choices"]]


def silence(game: HostedGame, seat: int) -> int:
    """The number of the choice to make no claim."""
    return 1 + legal(game, seat).index(SILENT)


def test_a_text_is_said_once_with_a_turn_on_the_floor_and_all_read_it() -> None:
    game, seat = at_the_floor()
    for text, words in [("x" * 281, "at most 280"), (" ", "can be seen")]:
        with pytest.raises(IllegalActionError, match=words):
            game.act(seat, silence(game, seat), text)
    assert game.batch.notes() == ()
    game.act(seat, silence(game, seat), "hello")
    for other in range(4):
        seen = game.look(other)
        assert sum('in words: "hello"' in event for event in seen["new"]) == (other != seat)  # who said it was told
    assert game.message(game.asked or 0)["new"] == []
    quiet, seat = at_the_floor("claims")
    with pytest.raises(IllegalActionError, match="talk='text'"):
        quiet.act(seat, silence(quiet, seat), "hello")
    assert quiet.message(seat)["talk"] is None


def test_a_claim_in_words_is_that_claim() -> None:
    game, seat = at_the_floor()
    seen = game.act(seat, silence(game, seat), "I doubt player_" + str((seat + 1) % 4))
    assert seen["new"][-1] == f"you say: I doubt player_{(seat + 1) % 4}"
    assert game.asked != seat


# --- tools ------------------------------------------------------------------------------------------------------------


def content(result: Any) -> Any:
    """What a tool returned."""
    assert not result.is_error, result.content
    found = result.structured_content
    return found["result"] if list(found) == ["result"] else found  # what isn't an object stands under "result"


async def use(client: Client) -> list[str]:
    """Play one choice through the tools; gives the tools' names."""
    tools = await client.list_tools()
    assert content(await client.call_tool("rules", {})).startswith("# River Rats")
    seen = content(await client.call_tool("look", {}))
    assert seen["status"] == "your turn"
    choices = content(await client.call_tool("legal", {}))
    refused = await client.call_tool("act", {"choice": 9999})
    assert refused.is_error
    assert "isn't among the numbers" in refused.content[0].text
    assert [each["choice"] for each in choices] == list(range(1, 1 + len(choices)))
    assert "id" not in choices[0]
    after = content(await client.call_tool("act", {"choice": 1}))
    assert after["you"]["seat"] == seen["you"]["seat"]
    return sorted(tool.name for tool in tools.tools)


def test_the_protocols_own_client_plays_a_seat() -> None:
    game = hosted((0, 1, 2))
    seat = game.asked
    assert seat is not None

    async def session() -> list[str]:
        async with Client(seat_server(game, seat)) as client:
            return await use(client)

    assert asyncio.run(session()) == ["act", "legal", "look", "rules"]


CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look", "arguments": {}}}
BEGIN = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def ask(client: TestClient, token: str | None, body: dict[str, Any], session: str = "") -> Any:
    head = {"Accept": "application/json, text/event-stream", "Host": "127.0.0.1:8000"}
    head |= {} if token is None else {"Authorization": f"Bearer {token}"}
    head |= {"Mcp-Session-Id": session} if session else {}
    return client.post("/mcp/", json=body, headers=head)


def test_a_token_opens_its_own_seat_and_no_other() -> None:
    game = hosted((0, 2))
    seats = Seats(game)
    assert len(set(seats.tokens.values())) == 2
    with TestClient(http_app(seats), base_url="http://127.0.0.1") as client:
        sessions = {}
        for seat, token in seats.tokens.items():
            begun = ask(client, token, BEGIN)
            assert begun.status_code == 200, begun.text
            sessions[seat] = begun.headers.get("mcp-session-id", "")
            seen = ask(client, token, CALL, sessions[seat]).json()["result"]
            told = json.loads(seen["content"][0]["text"])
            assert told["you"]["seat"] == seat
        for wrong in (None, "", "wrong", seats.tokens[0][:-1]):
            assert ask(client, wrong, CALL, sessions[0]).status_code == 401
        stolen = ask(client, seats.tokens[2], CALL, sessions[0])  # another seat's session
        assert stolen.status_code >= 400


def test_a_record_that_cant_be_written_refuses_no_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    game = hosted(kept=tmp_path / "file" / "game.json")
    before = game.look(0)
    assert game.act(0, 1) != before
    game.act(0, 1)
    assert capsys.readouterr().err.count("isn't recorded any further") == 1


@pytest.mark.slow
def test_a_client_that_starts_the_command_plays_a_whole_game_which_is_recorded(tmp_path: Path) -> None:
    command = ["-m", "riverbed_lab", "mcp", "--game", QUICK, "--players", "2", "--seed", "3"]
    there = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    server = StdioServerParameters(command=sys.executable, args=command, env=there)

    async def session() -> str:
        async with Client(server) as client:
            while (seen := content(await client.call_tool("look", {})))["status"] != "over":
                content(await client.call_tool("act", {"choice": 1}))
            return str(seen["result"])

    assert asyncio.run(session()).startswith("You")
    (path,) = (tmp_path / "riverbed" / "mcp").glob("*.json")
    found = find_games([path], "careful")
    assert found.games[0].agents.count(BY_TOOLS) == 1
    assert found.games[0].returns
