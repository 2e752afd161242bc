"""Unguessable tokens: who has one may sit in a seat, or decide about a table. The server keeps their hashes alone."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable

TOKEN_BYTES = 24  # 192 bits
LONGEST = 64  # characters of what is looked at as a token


def new_token() -> str:
    """A new token from the operating system's randomness; it can stand in a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """What is kept of a token. Tokens are random, so a plain hash can't be turned back."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def owner_of(token: str | None, hashes: Iterable[bytes | None]) -> int | None:
    """The place of the hash that belongs to a token; None if there is none. Every hash is compared in constant time."""
    given = token_hash(token) if token and len(token) <= LONGEST else b""
    found = None
    for place, known in enumerate(hashes):
        if hmac.compare_digest(given, known or b"\0" * 32):
            found = place
    return found
