"""The server's end of a connection: what never asks, or never takes what it is sent, is dropped."""

import asyncio
import ipaddress
from asyncio.transports import BaseTransport
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .limits import JOINING, MOST_CONNECTIONS, MOST_OF_ADDRESS


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address, or calls from it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _host(protocol: Any) -> str:
    return protocol.client[0] if protocol.client else ""


class Door(H11Protocol):
    """A connection that begins; it must ask for something soon."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Take a connection, unless there are too many."""
        super().connection_made(transport)  # type: ignore[arg-type]
        host = _host(self)
        of_host = 0 if is_loopback(host) else sum(_host(other) == host for other in self.connections)
        if len(self.connections) > MOST_CONNECTIONS or of_host > MOST_OF_ADDRESS:
            self.transport.abort()
        else:
            asyncio.get_running_loop().call_later(JOINING, self._drop_if_silent)

    def _drop_if_silent(self) -> None:
        asked: object = self.cycle  # None until there is a request
        if asked is None and self in self.connections:  # a websocket has a protocol of its own by now
            self.transport.abort()


class Line(WebSocketsSansIOProtocol):
    """A websocket; a page that doesn't take what it is sent loses it."""

    async def send(self, message: Any) -> None:
        """Send, once what was sent before has gone."""
        try:
            async with asyncio.timeout(JOINING):
                await self.writable.wait()
        except TimeoutError:
            self.transport.abort()
            raise ClientDisconnected from None
        await super().send(message)

    def keepalive_timeout(self) -> None:
        """The page doesn't answer any more."""
        super().keepalive_timeout()
        self.transport.abort()
