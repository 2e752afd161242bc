"""Command `sit`: a player from outside takes a person's link to a served table."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from riverbed_env.errors import OptionError
from riverbed_env.players.specs import find_agent
from riverbed_env.seats import SeatAgent
from riverbed_web.limits import TRIES

from ..extras import need
from .console import console
from .spending import CassetteOption, MaxCostOption, MaxTokensOption, OfflineOption, limit


def sit(
    link: Annotated[str, Argument(help="A person's link to a seat of a served table.", metavar="LINK")],
    agent: Annotated[str, Argument(help="Who plays: stdio:cmd=…, http:url=…, llm:model=…, call:target=…")],
    tries: Annotated[
        int, Option(min=0, help="Tries to come back to the table when the connection or the server is lost.")
    ] = TRIES,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    cassette: CassetteOption = None,
    offline: OfflineOption = False,
) -> None:
    """Let a program, a service or a language model play a seat of a table in a browser, to the end of the game."""
    need("web")
    from riverbed_web.client import sit as play

    def make(game: str) -> SeatAgent:
        found = find_agent(agent, game)
        if not isinstance(found, SeatAgent):
            raise OptionError(f"{agent!r} plays inside the server: choose it there; here sit players from outside")
        return found

    limit(max_cost, max_tokens, cassette, offline)
    returns = play(link, make, console.print, tries=tries)
    paid = "the table was closed" if returns is None else f"the game is over; it pays {returns}"
    console.print(paid)
