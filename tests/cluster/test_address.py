"""An address where no cluster answers is refused in a line, before Ray is asked."""

import socket

import pytest
from in_process import riverbed

from riverbed_env.errors import OptionError
from riverbed_lab.cluster import check_address


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_closed_port_is_named(scheme):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]  # bound, but nobody listens
        with pytest.raises(
            OptionError, match=f"no Ray cluster answers at '{scheme}127.0.0.1:{port}': Connection refused"
        ):
            check_address(f"{scheme}127.0.0.1:{port}")


@pytest.mark.parametrize("address", ["{}", "ray://{}", "auto"])
def test_where_somebody_listens_is_left_to_ray(address, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        here = f"127.0.0.1:{listening.getsockname()[1]}"
        monkeypatch.setenv("RAY_ADDRESS", here)
        check_address(address.format(here))
    with pytest.raises(OptionError, match=f"no Ray cluster answers at '.*{here}': Connection refused"):
        check_address(address.format(here))


def test_an_unknown_host_is_named():
    with pytest.raises(OptionError, match=r"no Ray cluster answers at 'nowhere\.invalid:6379'"):
        check_address("nowhere.invalid:6379")


@pytest.mark.parametrize(
    "address", ["", "here", "127.0.0.1", ":6379", "host:0", "host:70000", "http://host:80", "host:x"]
)
def test_what_is_no_address_is_refused_with_those_that_are(address):
    with pytest.raises(OptionError, match=r"--ray must be auto, HOST:PORT, ray://HOST:PORT or local, not"):
        check_address(address)


def test_an_evaluation_on_a_cluster_that_is_not_there_ends_with_a_line_and_writes_nothing(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        done = riverbed("evaluate", "simple", "--reference", "random", "--ray", address, "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert done.stderr == f"riverbed: no Ray cluster answers at '{address}': Connection refused\n"
    assert not (tmp_path / "out").exists()


def test_a_ray_of_our_own_needs_no_server():
    check_address("local")
