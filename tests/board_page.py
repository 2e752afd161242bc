"""What a page of results shows, as the rows of its tables."""

from __future__ import annotations

from html.parser import HTMLParser


class Page(HTMLParser):
    """The text of each table row, and everything that would be loaded."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.loaded: list[str] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
            self.inside = True
        self.loaded += [
            value or "" for name, value in attrs if name in ("src", "href") and not (value or "").startswith("#")
        ]

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "tr"

    def handle_data(self, data: str) -> None:
        if self.inside and data.strip():
            self.rows[-1].append(data.strip())
