"""`riverbed serve`: the server with its socket, its limits and its end."""

import contextlib
import logging
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs
import uvicorn

from riverbed_env.errors import OptionError

from .app import Site, make_app
from .bundle import PAGE, page
from .hall import Hall
from .limits import MOST_CONNECTIONS, MOST_MESSAGE
from .opening import Menu
from .protocols import Door, Line, is_loopback
from .store import Store
from .tokens import new_token
from .workers import Workers

FILE = "tables.sqlite"
UNREAD = 128 * 2**10  # bytes that the system keeps of what a slow page hasn't taken
LEAVING = 2  # s that connections have to end

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How a server is started.

    data: the folder of the tables' file, the user's data folder if None; names: by which it is called beside its
    address; proxies: addresses of proxies that are believed whom they ask for (X-Forwarded-For); workers: processes in
    which agents think, 0: one per core but one, at least two; time_limit: seconds an agent may think. open_to_network
    must be true if host isn't an address of this machine alone.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    open_to_network: bool = False
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    data: Path | None = None
    menu: Menu = field(default_factory=Menu)
    workers: int = 0
    time_limit: float = 10.0


MEANING = (
    "{host} can be reached from other machines: anybody there may load the page and watch listed tables, and whoever "
    "has the printed key may open tables; nothing is encrypted, so links to seats can be read on the way. Use "
    "--open-to-network if that is meant"
)


def bind(settings: Settings) -> socket.socket:
    """The socket to listen on. Raises OptionError if it can't be had, or needs `open_to_network`."""
    if not is_loopback(settings.host) and not settings.open_to_network:
        raise OptionError(MEANING.format(host=settings.host))
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
        if os.name != "nt":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
        listening.bind(address)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"can't listen on {settings.host} port {settings.port}: {reason}") from error
    return listening


def make_site(settings: Settings) -> Site:
    """The tables and pages of a server."""
    folder = settings.data or Path(platformdirs.user_data_dir("riverbed"))
    count = settings.workers or max(2, (os.cpu_count() or 1) - 1)
    hall = Hall(Store(folder / FILE), Workers(count, settings.time_limit), settings.menu)
    return Site(
        hall=hall,
        key=None if is_loopback(settings.host) else new_token(),
        time_limit=settings.time_limit,
        hosts=(settings.host, *settings.names),
        page=page() if PAGE.exists() else "",
    )


def link(settings: Settings, port: int, key: str | None) -> str:
    """The address of the lobby."""
    host = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(settings.host, settings.host)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/{f'#key={key}' if key else ''}"


class Server(uvicorn.Server):
    """A server of tables. say: gets the address once it can be opened.

    Raises OptionError if the address or the tables' file can't be had.
    """

    def __init__(self, settings: Settings, say: Say) -> None:
        self._listening = bind(settings)
        try:
            self.site = make_site(settings)
        except BaseException:
            self._listening.close()
            raise
        self._say = say
        self.address = link(settings, self._listening.getsockname()[1], self.site.key)
        _allow_many_files()
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # junk from the network fills no terminal
        config = uvicorn.Config(
            make_app(self.site),
            http=Door,
            ws=Line,
            ws_max_size=MOST_MESSAGE,
            ws_per_message_deflate=not is_loopback(settings.host),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            timeout_graceful_shutdown=LEAVING,
        )
        super().__init__(config)

    async def listen(self) -> None:
        """Serve until a signal asks the process to end, or `should_exit` is set."""
        await self.serve(sockets=[self._listening])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say where."""
        await super().startup(sockets)
        self._say(self.address)


def _allow_many_files() -> None:
    """Allow as many open files as there may be connections, where the system lets us."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + 200
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
