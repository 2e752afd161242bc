"""Keys of services: they come from the environment alone, and are cut out of whatever is kept or shown."""

import json
import os
import re
from urllib.parse import parse_qsl, quote, urlsplit

from riverbed_env.errors import OptionError

SHORTEST = 8  # characters of a key that is cut out; a shorter one, as local servers take, may be a figure of the game
SECRETS = ("KEY", "TOKEN", "SECRET", "PASSWORD")  # in the name of a variable or of a part of a query
REPLACED = "[key]"
KEYS = "keys come from the environment alone, from the variable that key_env names"
_WITH_KEY = re.compile(r"//[^/]*@")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """Whether what goes by this name should be kept to oneself."""
    return any(word in name.upper() for word in SECRETS)


def check_address(what: str, address: str) -> None:
    """Raise OptionError unless this is an http address without a key in it. The message doesn't repeat a key."""
    place = urlsplit(address)
    if _WITH_KEY.search(address) or place.fragment or any(is_secret(name) for name, _ in parse_qsl(place.query, True)):
        raise OptionError(f"{what} must hold no key; put it into the environment and name the variable with key_env")
    if place.scheme not in ("http", "https") or not place.hostname:
        raise OptionError(f"{what} must be an http or https address, like http://127.0.0.1:8080/v1")


def check_key_env(what: str, name: str) -> None:
    """Raise OptionError if this can't be the name of an environment variable; it may be the key itself."""
    if name and not _VARIABLE.fullmatch(name):
        raise OptionError(f"{what} names the environment variable that holds the key, and isn't the key itself")


def key_of_environment(name: str) -> str:
    """The key in an environment variable; "" if there is none. Raises OptionError if a header can't hold it."""
    key = os.environ.get(name, "").strip()
    if not all(" " < sign <= "~" for sign in key):
        raise OptionError(f"the key in {name} holds blanks, line breaks or other signs that no key has")
    return key


def without_key(text: str, key: str) -> str:
    """The text with another word for the key, also where it is escaped as in JSON or in an address.

    For what is shown or kept, never for what is read afterwards. A key under 8 characters stays: it is no secret.
    """
    forms = {key, json.dumps(key)[1:-1], quote(key, safe="")} if len(key) >= SHORTEST else ()
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, REPLACED)
    return text
