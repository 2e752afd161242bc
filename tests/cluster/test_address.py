"""An address where no cluster answers is refused in a line, before Ray is asked."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from in_process import riverbed

from riverbed_env.errors import OptionError
from riverbed_lab import ray_address
from riverbed_lab.ray_address import check_address


@contextmanager
def server(answer: bytes | None) -> Iterator[str]:
    """The address of a server that answers its first client so; None: it stays silent until the client goes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            client, _ = listening.accept()
            with client:
                client.recv(100)
                if answer is None:
                    client.recv(1)
                else:
                    client.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_closed_port_is_named(scheme):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]  # bound, but nobody listens
        with pytest.raises(
            OptionError, match=f"no Ray cluster answers at '{scheme}127.0.0.1:{port}': Connection refused"
        ):
            check_address(f"{scheme}127.0.0.1:{port}")


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""])
def test_another_kind_of_server_is_refused(answer):
    with server(answer) as address, pytest.raises(OptionError, match="something else listens on that port"):
        check_address(address)


def test_a_server_that_says_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(ray_address, "PATIENCE", 0.05)
    with server(None) as address, pytest.raises(OptionError, match="timed out"):
        check_address(address)


def test_a_server_of_grpc_is_left_to_ray():
    with server(bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))) as address:
        check_address(address)


def test_an_unknown_host_is_named():
    with pytest.raises(OptionError, match=r"no Ray cluster answers at 'nowhere\.invalid:6379'"):
        check_address("nowhere.invalid:6379")


@pytest.mark.parametrize(
    "address", ["", "here", "127.0.0.1", ":6379", "host:0", "host:70000", "http://host:80", "host:x"]
)
def test_what_is_no_address_is_refused_with_those_that_are(address):
    with pytest.raises(OptionError, match=r"--ray must be auto, HOST:PORT, ray://HOST:PORT or local, not"):
        check_address(address)


@pytest.mark.parametrize("command", [("evaluate", "simple", "--reference", "random"), ("league", "--rounds", "1")])
def test_a_command_for_a_cluster_that_is_not_there_ends_with_a_line_and_writes_nothing(command, tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        done = riverbed(*command, "--ray", address, "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert done.stderr == f"riverbed: no Ray cluster answers at '{address}': Connection refused\n"
    assert not (tmp_path / "out").exists()


def test_a_ray_of_our_own_needs_no_server():
    check_address("local")
