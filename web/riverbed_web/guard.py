"""What every request passes first: which host and origin it names, how often its address asks; and safe headers."""

import base64
import hashlib
import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .errors import STATUS, RefusedError
from .limits import REQUESTS, Buckets

INLINE_SCRIPT = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def page_policy(page: str) -> str:
    """The content security policy of a page: only its own inline scripts run, and it talks to its server alone."""
    digests = [hashlib.sha256(script.encode()).digest() for script in INLINE_SCRIPT.findall(page)]
    scripts = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests) or "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def refusal(refused: RefusedError) -> JSONResponse:
    """The answer to a request that isn't carried out."""
    content = {"error": {"code": refused.code, "text": refused.text}}
    return JSONResponse(content, STATUS.get(refused.code, 400))


class Guard:
    """Lets a request pass if it is addressed to this server, and comes from its own pages or from no page.

    A foreign page that makes a browser ask names its own origin; a foreign name that leads to this address (DNS
    rebinding) is named as the host. Numbers can't be rebound, so any is allowed. hosts: the other names.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts = {"localhost", *(host.lower() for host in hosts)}
        self._buckets = Buckets(*REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is None:
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: the answer is 403
        else:
            await refusal(refused)(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> RefusedError | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_ours(host):
            return RefusedError("not_allowed", f"this server isn't called {host[:80]!r}; name others with --name")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return RefusedError("not_allowed", "pages of other sites may not talk to this server")
        client = scope.get("client")
        if not self._buckets.take(client[0] if client else ""):
            return RefusedError("too_many", "too many requests; wait a moment")
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            asked = urlsplit(f"//{host}")
            name, _ = asked.hostname or "", asked.port
        except ValueError:  # also of a port that is no number
            return False
        if name in self.hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        await send(message)

    return with_headers
