"""People at tables and readers of replays, in a real browser."""

import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from experiments.browser import PHONE, needs_browser

pytest.importorskip("playwright", reason="no Playwright here: pip install playwright")

from page_kit import (
    ASKED,
    CHOICE,
    WIDTHS,
    browser,
    click_first,
    complaints,
    opened,
    play_on,
    sideways,
)
from PIL import Image
from playwright.sync_api import Browser, expect
from recorded_games import record_game
from web_kit import PERSON, RANDOM, Opened, Serving

from riverbed_env.players.agents import UNIFORM
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent
from riverbed_env.seats.callables import FunctionChannel
from riverbed_web.client import sit
from riverbed_web.replay import replay_page

pytestmark = [needs_browser, pytest.mark.compiled]

GAMES = {"riverbed_hunt_v1": 5, "river_rats_v0": 2, "deep_river_v0": 2, "riverside_v0": 2}
slow = pytest.mark.slow


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


def seat_link(table: Opened, seat: int) -> str:
    return f"{table.serving.address}table/{table.id}#seat={table.seats[seat]}"


def test_a_person_opens_a_table_in_the_lobby_and_moves_on_the_board(serving: Serving, chromium: Browser) -> None:
    with opened(chromium, serving.address) as page:
        page.get_by_label("Deep River").check()
        page.get_by_text("Easy").click()
        page.get_by_role("button", name="Play now").click()
        expect(page.locator(ASKED)).to_be_visible()
        assert "#" not in page.url  # which others see and copy
        page.reload()
        expect(page.locator(ASKED)).to_be_visible()
        before = page.locator(".events li").count()
        page.locator(".rb-scene [role=button]").first.click()
        if page.locator("dialog").count():
            page.locator(f"dialog {CHOICE}").first.click()
        expect(page.locator(".events li").nth(before)).to_be_visible()
        expect(page.locator(".events li.new").first).to_be_visible()
        expect(page.locator(".board .changed").first).to_be_attached()


def test_players_and_difficulty_go_together_whichever_button_opens_the_table(
    serving: Serving, chromium: Browser
) -> None:
    for button in ("Play now", "Open the table"):
        with opened(chromium, serving.address) as page:
            page.get_by_label("Riverbed Hunt").check()
            page.locator(".set-up > summary").click()
            page.get_by_label("Players", exact=True).select_option("5")
            page.get_by_text("Hard", exact=True).click()
            page.get_by_label("Who is player 2").select_option("random")
            expect(page.locator(".start")).to_contain_text("You and 4 agents")
            page.get_by_role("button", name=button).click()
            page.wait_for_url("**/table/*")
            _, facts = serving.ask("GET", f"/api/tables/{page.url.rpartition('/')[2].partition('#')[0]}")
            seated = [seat["agent"] for seat in facts["table"]["seats"]]
            assert seated == [None, "student", "random", "student", "student"]


def test_the_main_button_takes_the_usual_choice_and_a_hint_marks_one(serving: Serving, chromium: Browser) -> None:
    """In Hunt a turn's end is the main button; what was chosen on the board goes on from there."""
    table = serving.open(game="riverbed_hunt_v1", players=4, seed=1, seats=[PERSON, RANDOM, RANDOM, RANDOM])
    with opened(chromium, seat_link(table, 0)) as page:
        page.wait_for_selector(ASKED)
        expect(page.locator(".asks .main")).to_have_count(0)  # where to stand is a real choice
        page.locator(ASKED).click()
        expect(page.locator(".mark.advised")).to_have_text("Hint: an easy agent would choose this")
        expect(page.locator(".mark.advised")).to_be_visible()  # though the list is folded
        expect(page.locator(".board .advised")).to_have_count(1)
        while not page.locator(".asks .main", has_text="End the turn").count():
            click_first(page)
            page.wait_for_selector(ASKED)
        page.locator(".asks .main").click()
        expect(page.locator(".events li", has_text="You end the turn")).to_be_visible()


def test_a_paused_table_waits_and_a_step_makes_one_move(serving: Serving, chromium: Browser) -> None:
    table = serving.open(game="deep_river_v0", players=2, seats=[RANDOM, RANDOM], pace=10)
    with opened(chromium, f"{serving.address}table/{table.id}#owner={table.owner}") as page:
        page.get_by_role("button", name="Pause the agents").click()
        page.get_by_role("button", name="One move").wait_for()
        page.get_by_label("Speed of agents").select_option("Instant")
        page.get_by_role("button", name="One move").click()
        expect(page.locator(".waiting")).to_contain_text("Paused before the move of")
        expect(page.locator(".events li").first).to_be_visible()
        page.get_by_role("button", name="Let agents move").click()
        expect(page.locator(".after")).to_be_visible()


def test_how_to_play_opens_at_its_top_on_a_phone(serving: Serving, chromium: Browser) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=7, seed=1, seats=[PERSON, *[RANDOM] * 6])
    with opened(chromium, seat_link(table, 0), PHONE) as page:
        page.get_by_role("button", name="How to play").click()
        expect(page.locator("#rules-title")).to_be_in_viewport()
        expect(page.get_by_role("button", name="Back to the game")).not_to_be_in_viewport()
        assert not complaints(page)


def test_players_to_choose_are_listed_since_they_are_not_on_the_board(serving: Serving, chromium: Browser) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=7, seed=1, seats=[PERSON, *[RANDOM] * 6])
    with opened(chromium, seat_link(table, 0), PHONE) as page:
        page.wait_for_selector(ASKED)
        while not page.locator(CHOICE, has_text="Co-op:").count():
            click_first(page)
            page.wait_for_selector(ASKED)
        page.locator(CHOICE, has_text="Co-op:").click()
        expect(page.locator(CHOICE, has_text="Choose player")).to_have_count(6)
        expect(page.locator(".fold")).to_have_count(0)
        assert not complaints(page)


def test_a_phones_board_stays_where_it_is_and_its_sheet_tells_what_others_did_and_folds(
    serving: Serving, chromium: Browser
) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=7, seed=1, seats=[PERSON, *[RANDOM] * 6])
    with opened(chromium, seat_link(table, 0), PHONE) as page:
        page.wait_for_selector(ASKED)
        tops = set[float]()
        while not page.get_by_text("Since your last turn:").count():
            click_first(page)
            page.wait_for_selector(ASKED)
            tops.add(page.evaluate("document.querySelector('.picture.board').getBoundingClientRect().top + scrollY"))
        assert len(tops) == 1
        assert not complaints(page)
        handle = page.get_by_role("button", name="Your choices")
        expect(handle).to_have_attribute("aria-expanded", "true")
        handle.click()
        expect(page.locator(ASKED)).to_be_hidden()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        last, sheet = (page.locator(each).bounding_box() or {} for each in (".manage", ".asks"))
        assert last["y"] + last["height"] <= sheet["y"]
        handle.click()
        expect(page.locator(ASKED)).to_be_visible()


def test_the_log_goes_to_its_end_at_each_turn_and_a_click_on_a_tile_tells_what_it_is(
    serving: Serving, chromium: Browser
) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=7, seed=1, seats=[PERSON, *[RANDOM] * 6])
    with opened(chromium, seat_link(table, 0)) as page:
        page.wait_for_selector(ASKED)
        tile = page.locator(".board [role=img][aria-label*='face-up']").first
        while not (tile.count() and page.locator(".events li").count() > 12):
            click_first(page)
            page.wait_for_selector(ASKED)
        assert page.locator(".events .log").evaluate("log => (log.scrollTop = -1e6, log.scrollTop)") < 0
        tile.click()
        expect(page.locator(".ribbon")).to_have_text(tile.get_attribute("aria-label") or "")
        click_first(page)
        page.wait_for_selector(ASKED)
        page.wait_for_function("document.querySelector('.events .log').scrollTop === 0")


def test_half_a_choice_is_taken_back(serving: Serving, chromium: Browser) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=4, seed=1, seats=[PERSON, RANDOM, RANDOM, RANDOM])
    with opened(chromium, seat_link(table, 0)) as page:
        page.wait_for_selector(ASKED)
        while not page.locator(CHOICE, has_text="Co-op:").count():
            click_first(page)
            page.wait_for_selector(ASKED)
        page.locator(CHOICE, has_text="Co-op:").click()
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(CHOICE, has_text="Co-op:")).to_be_visible()
        expect(page.locator(".seats li").first).to_contain_text("took a choice back")


@slow
def test_who_watches_agents_sees_the_truth_beliefs_and_what_choices_are_worth(
    serving: Serving, chromium: Browser
) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=4, seats=[RANDOM] * 4, pace=10)
    with opened(chromium, f"{serving.address}table/{table.id}#owner={table.owner}") as page:
        page.get_by_role("button", name="Pause the agents").click()
        for _ in range(2):
            page.get_by_role("button", name="One move").click()
        page.get_by_label("See it as").select_option("The truth")
        page.get_by_role("button", name="Show beliefs").click()
        expect(page.locator(".beliefs tbody tr")).to_have_count(4)
        expect(page.locator(".curve path")).to_have_count(4)
        expect(page.locator(".asks .mark").first).to_contain_text("wins")
        assert not complaints(page)


@slow
def test_a_rematch_seats_everybody_again_and_a_claim_is_one_sentence(serving: Serving, chromium: Browser) -> None:
    options = {"talk": "claims", "max_decisions": 60}
    seats = [PERSON, RANDOM, RANDOM, RANDOM]
    table = serving.open(game="riverbed_hunt_v1", players=4, seed=1, seats=seats, options=options)
    with opened(chromium, seat_link(table, 0)) as page:
        page.wait_for_selector(ASKED)
        while not page.locator(".claim").count():
            click_first(page)
            page.wait_for_selector(ASKED)
        page.get_by_label("What you claim").select_option(label="I doubt player …")
        page.get_by_label("Whom or what it is about").select_option(label="Player 2")
        page.get_by_role("button", name="Say it").click()
        expect(page.locator(".speech", has_text="You say: I doubt player 2").first).to_be_visible()
        play_on(page)
        expect(page.locator(".faces li")).to_have_count(4)
        page.get_by_role("button", name="Same table again").click()
        page.wait_for_url(lambda address: table.id not in address)
        page.wait_for_selector(ASKED)
        _, facts = serving.ask("GET", f"/api/tables/{page.url.rpartition('/')[2]}")
        same = ("game", "players", "options")
        _, was = table.ask("GET")
        assert [facts["table"][each] for each in same] == [was["table"][each] for each in same]
        assert [seat["agent"] for seat in facts["table"]["seats"]] == [None, "random", "random", "random"]


# --- whole games ------------------------------------------------------------------------------------------------------


@slow
@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_a_whole_game_by_clicks(serving: Serving, chromium: Browser, game: str) -> None:
    table = serving.open(game=game, players=GAMES[game], seed=1, seats=[PERSON, *[RANDOM] * (GAMES[game] - 1)])
    with opened(chromium, seat_link(table, 0)) as page:
        assert play_on(page) > 3
        expect(page.locator(".after .what")).not_to_be_empty()
        status, record = table.ask("GET", "/record")
        assert status == 200
        for view in ("truth", "1"):  # neither is the reader
            page.get_by_label("See it as").select_option(view)
            expect(page.locator(".after .what")).not_to_contain_text("You ")
            expect(page.locator(".after ol", has_text="You ")).to_have_count(0)
        page.get_by_text("Replay it step by step").click()
        expect(page.locator(".count")).to_have_text(f"0 / {len(record['actions'])}")


@slow
def test_a_game_is_played_by_keyboard_alone(serving: Serving, chromium: Browser) -> None:
    table = serving.open(game="deep_river_v0", players=2, seats=[PERSON, RANDOM])
    with opened(chromium, seat_link(table, 0)) as page:
        for _ in range(3):
            page.wait_for_selector(ASKED)
            step = page.locator(".events li").count()
            page.locator("#choices-title").focus()
            page.keyboard.press("Tab")
            page.keyboard.press("End")
            assert page.evaluate("document.activeElement.matches('button.choice-button')")
            page.keyboard.press("Enter")
            expect(page.locator(".events li").nth(step)).to_be_attached()


@slow
def test_a_person_says_a_sentence_that_another_page_and_an_outside_seat_see(
    serving: Serving, chromium: Browser
) -> None:
    heard: list[dict[str, Any]] = []

    def answer(message: dict[str, Any]) -> dict[str, Any]:
        heard.extend(message["talk"]["said"])
        return {"choice": message["choices"][0]["id"]}

    def player(game: str) -> SeatAgent:
        return SeatAgent("outside", find_game(game), FunctionChannel(answer), retries=0)

    options = {"talk": "text", "max_decisions": 20}
    table = serving.open(game="riverbed_hunt_v1", players=4, seats=[PERSON, PERSON, RANDOM, RANDOM], options=options)
    words = 'I saw <b>a log</b>, "player_2"'
    with (
        opened(chromium, seat_link(table, 0)) as page,
        opened(chromium, f"{serving.address}table/{table.id}") as other,
        ThreadPoolExecutor(1) as threads,
    ):
        outside = threads.submit(sit, seat_link(table, 1), player)
        field = page.get_by_label("What you say")
        page.wait_for_selector(ASKED)
        while not field.count():
            click_first(page)
            page.wait_for_selector(ASKED)
        assert not complaints(page)
        field.fill(words)
        page.get_by_role("button", name="Say this alone").click()
        expect(page.locator(".speech", has_text="You say in words").first).to_contain_text(json.dumps(words))
        expect(other.locator(".speech", has_text="Player 0 says in words").first).to_contain_text(json.dumps(words))
        play_on(page)
        assert outside.result() is not None
        page.get_by_text("Replay it step by step").click()
        expect(page.get_by_label("See it as").locator(":checked")).to_have_text("Player 0")  # as they played it
        page.keyboard.press("End")
        expect(page.locator(".events li", has_text="You say in words").first).to_contain_text(json.dumps(words))
    assert ("player_0", words) in [(each["name"], each["text"]) for each in heard]


# --- secrets ----------------------------------------------------------------------------------------------------------


# --- connections ------------------------------------------------------------------------------------------------------


@slow
def test_a_page_comes_back_to_its_seat_after_the_server_was_gone(chromium: Browser, tmp_path: Path) -> None:
    first = Serving(tmp_path)
    table = first.open(game="deep_river_v0", players=2, seats=[PERSON, RANDOM])
    with opened(chromium, seat_link(table, 0)) as page:
        expect(page.locator(ASKED)).to_be_visible()
        click_first(page)
        page.wait_for_selector(ASKED)
        events = page.locator(".events li").all_inner_texts()
        port = int(first.address.rstrip("/").rpartition(":")[2])
        first.stop()
        expect(page.get_by_role("alert")).to_contain_text("connection is lost")
        assert page.locator(f"{ASKED}, {CHOICE}").count() == 0  # nothing can be clicked that wouldn't be sent
        with Serving(tmp_path, port=port):
            expect(page.locator(ASKED)).to_be_visible()
            assert page.get_by_role("alert").count() == 0
            assert page.locator(".events li").all_inner_texts()[: len(events)] == events
            click_first(page)


# --- replays ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replay of a game of Riverbed Hunt."""
    game = find_game("riverbed_hunt")
    record = record_game(game, [UNIFORM] * 4, 3, num_players=4)
    path = tmp_path_factory.mktemp("replay") / "game.html"
    path.write_text(replay_page(record, advisor=UNIFORM), encoding="utf-8")
    return path


@slow
def test_a_reader_scrubs_through_a_replay(chromium: Browser, replay_file: Path) -> None:
    asked: list[str] = []
    with opened(chromium, "about:blank") as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(replay_file.as_uri())
        count = page.locator(".count")
        last = int(count.inner_text().partition("/")[2])
        expect(count).to_have_text(f"0 / {last}")
        for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
            page.keyboard.press(key)
            expect(count).to_have_text(f"{step} / {last}")
        page.get_by_label("Step", exact=True).fill("10")
        expect(count).to_have_text(f"10 / {last}")
        expect(page.locator(".beliefs")).to_contain_text("What an onlooker could believe")
        page.get_by_label("See it as").select_option("Player 1")
        expect(page.locator(".beliefs")).to_contain_text("What this seat could believe")
        page.keyboard.press("PageDown")  # to that seat's next choice
        expect(page.locator(".mark.taken")).to_be_visible()
        page.get_by_label("See it as").select_option("The truth")
        expect(page.locator(".beliefs")).to_contain_text("Who could know whom")
        told = page.locator(".events button").count()
        page.keyboard.press("End")
        expect(page.locator(".headline .what")).to_contain_text("won")
        assert page.locator(".events button").count() > told  # what is to come isn't told before
        page.locator(".events button").first.click()
        expect(count).not_to_have_text(f"{last} / {last}")
        assert page.locator(f"{CHOICE}, .rb-scene [role=button]").count() == 0  # there is nothing to act on
    assert asked == [replay_file.as_uri()]


@slow
def test_a_link_opens_a_replay_at_a_step_and_view(chromium: Browser, replay_file: Path) -> None:
    with opened(chromium, f"{replay_file.as_uri()}#step=7&view=2") as page:
        expect(page.locator(".count")).to_contain_text("7 / ")
        expect(page.get_by_label("See it as").locator(":checked")).to_have_text("Player 2")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".count")).to_contain_text("8 / ")
        page.wait_for_url(lambda address: address.endswith("#step=8&view=2"))
    with opened(chromium, f"{replay_file.as_uri()}#compact&step=7") as page:
        expect(page.locator(".count")).to_contain_text("7 / ")
        expect(page.locator(".board").first).to_be_visible()
        expect(page.locator(".top")).to_be_hidden()


@slow
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_step_is_saved_as_a_picture(chromium: Browser, replay_file: Path, kind: str) -> None:
    with opened(chromium, f"{replay_file.as_uri()}#step=7&view=2") as page:
        with page.expect_download() as saving:
            page.get_by_role("button", name=kind.upper()).click()
        picture = Path(saving.value.path()).read_bytes()
        drawn = page.locator(".boards .rb-scene rect").count()
    if kind == "png":
        pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).reshape(-1, 3)
        assert len(np.unique(pixels, axis=0)) > 50  # it isn't blank
    else:
        tree = ElementTree.fromstring(picture)
        rects = tree.findall(".//{http://www.w3.org/2000/svg}rect")
        assert len(rects) >= drawn
        assert not [rect for rect in rects if not rect.get("fill") or rect.get("class")]


# --- everybody can use it ---------------------------------------------------------------------------------------------


@slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_serious_is_found_on_any_page(
    serving: Serving, chromium: Browser, replay_file: Path, width: int, scheme: str
) -> None:
    tables = [
        serving.open(game=game, players=count, seed=1, seats=[PERSON, *[RANDOM] * (count - 1)])
        for game, count in GAMES.items()
    ]
    pages = {"lobby": (serving.address, ".start"), "replay": (f"{replay_file.as_uri()}#step=20&view=1", ".game")}
    pages |= {f"table {table.id}": (seat_link(table, 0), ASKED) for table in tables}
    for name, (address, there) in pages.items():
        with opened(chromium, address, width, color_scheme=scheme) as page:
            page.wait_for_selector(there)
            assert complaints(page) == [], name
            assert sideways(page) == 0, name
            assert page.locator("[role=img] [role=button]").count() == 0, name  # a reader would not tell of it


@slow
@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_pieces_move_unless_the_person_wants_no_motion(
    serving: Serving, chromium: Browser, motion: Any, moves: bool
) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=4, seats=[PERSON, RANDOM, RANDOM, RANDOM])
    with opened(chromium, seat_link(table, 0), PHONE) as page:
        page.emulate_media(reduced_motion=motion)
        page.wait_for_selector(".board .rb-scene g")
        duration = page.evaluate("getComputedStyle(document.querySelector('.board .rb-scene g')).transitionDuration")
        assert (duration != "0s") == moves
