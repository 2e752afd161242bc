"""Pages of tables and replays in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from experiments.browser import BROWSER, DESK, PHONE
from playwright.sync_api import Browser, Page, expect, sync_playwright
from web_kit import PATIENCE

SOURCES = Path(__file__).parents[2] / "web" / "page"
AXE = SOURCES / "node_modules" / "axe-core" / "axe.min.js"
HEIGHT = 900
CHOICE = "button.choice-button"
ASKED = ".asks .hint-button"  # there while a person has to choose

expect.set_options(timeout=PATIENCE * 1000)


@contextmanager
def browser() -> Iterator[Browser]:
    """The system's browser, without a window."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@contextmanager
def opened(browser: Browser, address: str, width: int = DESK, **options: Any) -> Iterator[Page]:
    """A page in a context of its own, as another person's browser; what it logs as an error fails the test."""
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert not errors, errors


def play_on(page: Page) -> int:
    """Click the first choice in the list, folded or not, to the end of the game; returns how often."""
    clicks = 0
    while True:
        page.wait_for_selector(f"{ASKED}, .after")
        if page.locator(".after").count():
            return clicks
        clicks += click_first(page)


def click_first(page: Page) -> int:
    """Click the first choice, and wait until the page shows something else."""
    before = page.evaluate("window.seen = document.querySelector('.game').innerHTML")
    page.evaluate("for (const list of document.querySelectorAll('details.fold')) list.open = true")
    button = page.locator(CHOICE).first
    if not button.count():
        return 0
    button.click()
    page.wait_for_function("before => document.querySelector('.game').innerHTML !== before", arg=before)
    return 1


def complaints(page: Page) -> list[str]:
    """What axe finds that is serious or critical.

    One rule is left out: it wants every text of a drawn tile in its label, which says the same in words.
    """
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {rules: {'label-content-name-mismatch': {enabled: false}}})")
    return [
        f"{each['id']}: {each['help']} ({len(each['nodes'])}: {each['nodes'][0]['html'][:200]})"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def sideways(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


WIDTHS = (DESK, PHONE)
