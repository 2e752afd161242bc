"""What the server refuses, with a code for the page and a sentence for the person."""

from riverbed_env.errors import RiverbedError

TOO_MANY = 4005  # closes a websocket


class RefusedError(RiverbedError):
    """A request or message that isn't carried out; nothing has changed. code: one of docs/guides/web.md."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = str(self)


STATUS = {
    "bad_request": 400,
    "bad_option": 400,
    "bad_token": 403,
    "not_allowed": 403,
    "not_over": 403,
    "unknown_table": 404,
    "unknown_path": 404,
    "too_large": 413,
    "too_many": 429,
    "busy": 503,
}
