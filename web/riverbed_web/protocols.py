"""The server's end of a connection: what never asks, or never takes what it is sent, is dropped."""

import asyncio
import ipaddress
from asyncio.transports import BaseTransport
from typing import Any

import h11
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
    """A connection that asks; it must do so soon."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Take a connection, unless there are too many."""
        super().connection_made(transport)  # type: ignore[arg-type]
        host = _host(self)
        of_host = 0 if is_loopback(host) else sum(_host(other) == host for other in self.connections)
        if len(self.connections) > MOST_CONNECTIONS or of_host > MOST_OF_ADDRESS:
            self.transport.abort()
        self._late: asyncio.TimerHandle | None = self.loop.call_later(JOINING, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Read on; a request whose head comes in drops has as long as a connection that says nothing."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE and self._late is not None:  # the head is whole
            self._late.cancel()
            self._late = None
        elif self.conn.their_state is h11.IDLE and self._late is None:
            self._late = self.loop.call_later(JOINING, self.transport.abort)


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
