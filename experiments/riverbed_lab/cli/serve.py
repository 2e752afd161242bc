"""Command `serve`: tables in a browser."""

import os
import tempfile
from pathlib import Path
from typing import Annotated

from typer import Option

from riverbed_env.errors import OptionError

from ..extras import need
from ..llm.seat import share_limits
from .console import console
from .signals import again, set_resume_words
from .spending import ModelsOption, limits

PROXIES = "FORWARDED_ALLOW_IPS"  # as uvicorn calls it: addresses of proxies that are believed whom they ask for


def serve(
    host: Annotated[str, Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 8000,
    open_to_network: Annotated[
        bool, Option("--open-to-network", help="Allow an address that other machines can reach.")
    ] = False,
    name: Annotated[
        list[str] | None, Option(help="Another name that browsers call this machine by; repeatable.")
    ] = None,
    data: Annotated[
        Path | None, Option(help="The folder in which tables are kept.", show_default="your data folder")
    ] = None,
    agent: Annotated[
        list[str] | None, Option(help="Offer this agent too: a policy file, or file.py:name; repeatable.")
    ] = None,
    pack: Annotated[list[str] | None, Option(help="Offer this content pack too, by its path; repeatable.")] = None,
    time_limit: Annotated[float, Option(help="Seconds an agent may think.", min=0.1, max=3600)] = 10.0,
    models: ModelsOption = None,
) -> None:
    """Serve tables that are played and watched in a browser; Ctrl-C ends it, and the same command goes on."""
    need("web")
    import asyncio

    from riverbed_web.opening import Menu
    from riverbed_web.server import Server, Settings

    menu = Menu(tuple(agent or ()), tuple(pack or ()))
    menu.check()
    names = tuple(name or ())
    proxies = tuple(filter(None, os.environ.get(PROXIES, "").split(",")))
    settings = Settings(host, port, open_to_network, names, proxies, data, menu, time_limit=time_limit)
    set_resume_words(lambda: f"tables are kept; go on with: {again()}")
    with tempfile.TemporaryDirectory() as folder:
        if models:
            most = limits(models)
            if most.cassette or most.offline:
                raise OptionError("a server keeps no cassette: --llm takes max_cost and max_tokens here")
            share_limits(most.max_cost, most.max_tokens, Path(folder) / "spent")
        asyncio.run(Server(settings, _say).listen())


def _say(address: str) -> None:
    console.print(f"Open {address} in a browser. Ctrl-C ends the server.", soft_wrap=True)
