"""Whether a Ray cluster answers at an address, asked in seconds: Ray tries for minutes, then ends the process."""

from __future__ import annotations

import os
import socket

from riverbed_env.errors import OptionError

LOCAL = "local"  # an address: a Ray of our own on this machine's cores, for this command
CLIENT = "ray://"
PATIENCE = 5.0  # seconds for a connection, and for a first answer
# The first bytes of HTTP/2, which all servers of gRPC speak, and the kind of the frame that they answer with.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
HEADER, KIND, SETTINGS = 9, 3, 4


def check_address(address: str) -> None:
    """Raise OptionError unless a server that may be Ray's answers there: "auto", "local", HOST:PORT, ray://HOST:PORT."""
    if address == LOCAL:
        return
    place = _running() if address == "auto" else address
    host, colon, port = place.removeprefix(CLIENT).rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 2**16) or "/" in host:
        raise OptionError(f"--ray must be auto, HOST:PORT, ray://HOST:PORT or local, not {place!r}")
    where = repr(address) if place == address else f"{place}, which {address!r} means here"
    try:
        answer = _first_bytes(host.strip("[]"), int(port))
    except OSError as error:
        raise OptionError(f"no Ray cluster answers at {where}: {error.strerror or error}") from error
    if not _is_settings(answer) and os.environ.get("RAY_USE_TLS") != "1":
        raise OptionError(f"no Ray cluster answers at {where}: something else listens on that port")


def _running() -> str:
    """The address of the cluster that this machine belongs to. Raises OptionError if it belongs to none."""
    from ray._private.services import get_ray_address_from_environment

    try:
        return str(get_ray_address_from_environment("auto", None))
    except ConnectionError as error:
        raise OptionError("no Ray cluster runs on this machine: start one with `ray start --head`") from error


def _first_bytes(host: str, port: int) -> bytes:
    """What a server says first to a client of HTTP/2; empty if it hangs up."""
    with socket.create_connection((host, port), timeout=PATIENCE) as connection:
        connection.sendall(PREFACE)
        return connection.recv(HEADER)


def _is_settings(answer: bytes) -> bool:
    return len(answer) > KIND and answer[KIND] == SETTINGS
