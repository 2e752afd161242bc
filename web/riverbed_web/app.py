"""The routes: pages, what is asked over HTTP, and the websocket of a table."""

import asyncio
import contextlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from riverbed_env.core.palette import stylesheet
from riverbed_env.errors import RiverbedError
from riverbed_env.version import __version__

from .connection import BAD_TOKEN, NO_TABLE, ClosedError, Connection, join
from .errors import TOO_MANY, RefusedError
from .guard import Guard, page_policy, refusal
from .hall import Hall
from .limits import JOINING, MOST_BODY, OPENINGS, Buckets
from .menu import games_offered
from .opening import plan, read_opening, read_seat


@dataclass
class Site:
    """What the routes share. key: what opens tables, None if anybody may; hosts: what the server is called."""

    hall: Hall
    key: str | None = None
    time_limit: float = 0.0
    hosts: tuple[str, ...] = ()
    page: str = ""
    openings: Buckets = field(default_factory=lambda: Buckets(*OPENINGS))
    games: list[dict[str, Any]] = field(default_factory=list)  # what is offered, once it was asked for

    # --- pages --------------------------------------------------------------------------------------------------

    async def show_page(self, _: Request) -> Response:
        """The page, which shows the lobby or a table by its address."""
        if not self.page:
            raise RefusedError("busy", "the page isn't built: run 'make web' in the checkout")
        return HTMLResponse(
            self.page, headers={"Content-Security-Policy": page_policy(self.page), "Cache-Control": "no-cache"}
        )

    async def show_style(self, _: Request) -> Response:
        """The colours of the scenes."""
        return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": "no-cache"})

    async def show_replay(self, request: Request) -> Response:
        """A finished game, step by step, on a page of its own that can be saved; with `?values`, with their values."""
        page = await self.hall.replay(request.path_params["at"], values="values" in request.query_params)
        return HTMLResponse(page, headers={"Content-Security-Policy": page_policy(page), "Cache-Control": "no-store"})

    # --- what is asked ------------------------------------------------------------------------------------------

    async def show_games(self, _: Request) -> Response:
        """What a table can be opened with."""
        if not self.games:
            self.games = await asyncio.to_thread(games_offered, self.hall.menu)
        limits = {"time_limit": self.time_limit}
        return JSONResponse(
            {"version": __version__, "key": self.key is not None, "limits": limits, "games": self.games}
        )

    async def show_tables(self, _: Request) -> Response:
        """The newest tables."""
        return JSONResponse({"tables": self.hall.newest()})

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        if self.key is not None and not hmac.compare_digest(_bearer(request) or "", self.key):
            raise RefusedError("bad_token", "tables are opened with the key that the server printed when it started")
        if request.client is not None and not self.openings.take(request.client.host):
            raise RefusedError("too_many", "too many tables at once; wait a moment")
        opening = read_opening(await _content(request))
        planned = await asyncio.to_thread(plan, opening, self.hall.menu)
        table, owner, seats = self.hall.open(planned)
        return JSONResponse({"table": table.facts(), "owner": owner, "seats": seats}, 201)

    async def show_table(self, request: Request) -> Response:
        """The facts of a table."""
        return JSONResponse({"table": self.hall.facts(request.path_params["at"])})

    async def put_seat(self, request: Request) -> Response:
        """Seat somebody else."""
        wish = read_seat(await _content(request))
        at, number = request.path_params["at"], request.path_params["seat"]
        table, token = self.hall.put_seat(at, number, wish, _bearer(request))
        return JSONResponse({"table": table.facts(), "seat": token})

    async def close_table(self, request: Request) -> Response:
        """End a table."""
        table = self.hall.close_table(request.path_params["at"], _bearer(request))
        return JSONResponse({"table": table.facts()})

    async def show_record(self, request: Request) -> Response:
        """The record of a finished game, as a file."""
        at = request.path_params["at"]
        name = f'attachment; filename="riverbed-{at}.json"'
        return JSONResponse(await self.hall.saved(at), headers={"Content-Disposition": name})

    # --- the websocket ------------------------------------------------------------------------------------------

    async def live(self, socket: WebSocket) -> None:
        """Connect a page to a table."""
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect):
            try:
                await self._connected(socket)
            except ClosedError as closing:
                await socket.close(closing.code, closing.reason)

    async def _connected(self, socket: WebSocket) -> None:
        token, since = await join(socket)
        try:
            table, seat = self.hall.take_place(socket.path_params["at"], token)
        except RefusedError as refused:
            code = {"bad_token": BAD_TOKEN, "unknown_table": NO_TABLE}.get(refused.code, TOO_MANY)
            raise ClosedError(code, refused.text) from None
        await Connection(socket, table, seat, since, leads=token is not None).run()


def _bearer(request: Request) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and token.isascii() else None


async def _content(request: Request) -> Any:
    """The JSON of a request's body. Raises RefusedError if it isn't any, is too large, or takes too long."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError("bad_request", "the body must be JSON, with the header Content-Type: application/json")
    body = b""
    try:
        async with asyncio.timeout(JOINING):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BODY:
                    raise RefusedError("too_large", f"a request is at most {MOST_BODY // 1024} kB")
        return json.loads(body)
    except TimeoutError:
        raise RefusedError("bad_request", "the request took too long") from None
    except (ValueError, RecursionError):
        raise RefusedError("bad_request", "the body isn't JSON") from None


async def _refuse(_: Request, error: Exception) -> Response:
    if isinstance(error, RefusedError):
        return refusal(error)
    if isinstance(error, HTTPException):
        return refusal(RefusedError("unknown_path", f"there is nothing here: {error.detail}"))
    return refusal(RefusedError("bad_option", str(error)))


def make_app(site: Site) -> Starlette:
    """The application of a site; it starts and stops the tables."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        site.hall.start()
        try:
            yield
        finally:
            await site.hall.close()

    routes = [
        Route("/", site.show_page),
        Route("/table/{at}", site.show_page),
        Route("/table/{at}/replay", site.show_replay),
        Route("/scene.css", site.show_style),
        Route("/api/games", site.show_games),
        Route("/api/tables", site.show_tables, methods=["GET"]),
        Route("/api/tables", site.open_table, methods=["POST"]),
        Route("/api/tables/{at}", site.show_table, methods=["GET"]),
        Route("/api/tables/{at}", site.close_table, methods=["DELETE"]),
        Route("/api/tables/{at}/seats/{seat:int}", site.put_seat, methods=["POST"]),
        Route("/api/tables/{at}/record", site.show_record),
        WebSocketRoute("/api/tables/{at}/live", site.live),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=site.hosts)],
        exception_handlers={RiverbedError: _refuse, HTTPException: _refuse},
        lifespan=lifespan,
    )
