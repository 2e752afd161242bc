"""People and agents play at tables of a real server, over real websockets."""

import json
import urllib.request
from pathlib import Path

import pytest
from web_kit import PERSON, RANDOM, Opened, Page, Serving

from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_env.players.installed import usual_agent
from riverbed_web.record import content, parse_record, read_record, write_record

LONGER = [("river_rats_v0", 2), ("riverbed_hunt_v1", 4), ("riverside_v0", 2)]


def play_on(page: Page) -> Page:
    """Choose something whenever asked, to the end of the game."""
    while not page.until_asked().frame["over"]:
        page.act()
    return page


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("deep_river_v0", 2),
        *(pytest.param(game, count, marks=pytest.mark.slow) for game, count in LONGER),
    ],
)
def test_a_person_plays_a_whole_game_against_agents(serving: Serving, game: str, players: int) -> None:
    table = serving.open(game=game, players=players, seats=[PERSON, *[RANDOM] * (players - 1)])
    with table.seat(0) as page:
        play_on(page)
        page.until(lambda page: page.facts["stage"] == "over")
    assert len(page.frame["returns"]) == players
    assert page.frame["choices"] == []
    status, record = table.ask("GET", "/record")
    assert status == 200
    *_, end = parse_record(json.dumps(record)).replay()
    assert end.returns[0].tolist() == page.frame["returns"]
    assert record["kinds"] == ["person", *["agent"] * (players - 1)]


def test_a_finished_game_is_replayed_on_a_page_of_its_own(serving: Serving) -> None:
    table = serving.open(game="deep_river_v0", players=2, seats=[PERSON, RANDOM])
    with table.seat(0) as page:
        page.until_asked()
        assert table.ask("GET", "/record")[1]["error"]["code"] == "not_over"
        status, refused = serving.ask("GET", f"/table/{table.id}/replay")
        assert (status, refused["error"]["code"]) == (403, "not_over")
        play_on(page)
    got = [urllib.request.urlopen(f"{serving.address}table/{table.id}/replay").read() for _ in range(2)]
    assert got[0] == got[1]
    carried = json.loads(got[0].decode().partition('id="replay">')[2].partition("</script>")[0])
    assert [track["view"] for track in carried["tracks"]] == ["public", 0, 1, "truth"]
    assert carried["advisor"] == usual_agent("deep_river_v0")


def test_a_person_claims_by_a_verb_and_an_object_in_words(serving: Serving) -> None:
    options = {"talk": "claims"}
    table = serving.open(game="riverbed_hunt_v1", players=4, seats=[PERSON, *[RANDOM] * 3], options=options)
    with table.seat(0) as page:
        while "make a claim" not in page.until_asked().frame["headline"]:
            page.act(lambda choices: choices[0])
        verbs = {choice["text"]: choice["rule"] for choice in page.frame["choices"]}
        assert verbs["be silent"] == "RH-9.3"
        assert verbs["say: space … bears a log"] == "RH-9.4"
        page.act(lambda choices: next(choice for choice in choices if choice["text"] == "say: space … bears a log"))
        choices = page.until_asked().frame["choices"]
        assert all(choice["text"].startswith("say: space ") and choice["shapes"] for choice in choices)
        said = choices[0]["text"]
        page.act(lambda choices: choices[0])
        page.until(lambda page: f"you {said}" in [event["text"] for event in page.events])
    assert {event["kind"] for event in page.events if event["text"] == f"you {said}"} == {"say_bears_log"}


def test_people_choose_at_the_same_time_where_the_game_says_so(serving: Serving) -> None:
    table = serving.open(game="riverside_v0", players=2, seats=[PERSON, PERSON])
    with table.seat(0) as first, table.seat(1) as second:
        first.until_asked()
        second.until_asked()
        while second.frame["choices"]:  # of the whole phase
            action = second.act()
        assert second.answered == action  # kept until the first has answered
        assert second.step > 1
        seen = len(first.texts)
        first.act()
        assert not [text for text in first.texts[seen:] if '"frame"' in text and '"step":0' in text]
        while first.frame["event_count"] == second.frame["event_count"]:
            first.act()
        second.until(lambda page: page.answered is None)


def first_seat(table: Opened) -> int:
    """The seat that is asked first."""
    with table.page() as page:
        asked: int = page.until(lambda page: page.frame).frame["asked"]
        return asked


def test_two_windows_of_a_seat_show_the_same_and_one_choice_counts(serving: Serving) -> None:
    table = serving.open(game="deep_river_v0", seats=[PERSON, PERSON])
    seat = first_seat(table)
    with table.seat(seat) as one, table.seat(seat) as two:
        one.until_asked()
        two.until_asked()
        assert one.frame == two.frame
        action = one.act()
        two.until(lambda page: page.step == 1)
        assert two.refusal(type="act", action=action, step=0) == "stale"


def test_who_comes_back_gets_what_happened_meanwhile(serving: Serving) -> None:
    table = serving.open(game="deep_river_v0", seats=[PERSON, PERSON])
    seat = first_seat(table)
    with table.seat(seat) as page:
        page.until_asked().act()
        known, events = page.frame["event_count"], page.events
    with table.seat(1 - seat) as other:
        while other.until(lambda page: page.frame).frame["asked"] != seat:
            other.until_asked().act()
        told = other.frame["event_count"]
    with table.page(table.seats[seat], since=known) as page:
        page.until_asked()
        assert page.frame["event_count"] == told
        assert len(events) + len(page.events) == told
        assert page.step == 1


@pytest.mark.parametrize(("game", "players"), [("riverbed_hunt_v1", 4), ("riverside_v0", 2)])
def test_who_comes_late_is_told_all_that_its_seat_was_told(serving: Serving, game: str, players: int) -> None:
    table = serving.open(game=game, players=players, seats=[PERSON, *[RANDOM] * (players - 1)], seed="5")
    with table.seat(0) as page:
        page.until_asked()
        while not page.frame["over"]:
            page.act(lambda choices: choices[0])
            page.until_asked()
        whole = page.events
    assert len(whole) == page.frame["event_count"] > MAX_EVENTS
    for since in (0, 7):
        with table.page(table.seats[0], since=since) as late:
            late.until(lambda page: page.frame)
            assert late.events == whole[since:]
    with table.page() as watcher:
        watcher.until(lambda page: page.frame)
        assert len(watcher.events) == watcher.frame["event_count"]
        watcher.send(type="look", view=1)
        watcher.until(lambda page: page.frame["view"] == "seat")
        assert len(watcher.frame["events"]) == watcher.frame["event_count"]


def test_the_owner_replaces_who_left_by_an_agent_and_the_old_link_is_void(serving: Serving) -> None:
    table = serving.open(game="deep_river_v0", seats=[PERSON, PERSON])
    left = 1 - first_seat(table)
    with table.seat(1 - left) as stays, table.seat(left) as leaves:
        stays.until_asked().act()
        assert table.ask("POST", f"/seats/{left}", RANDOM, token=table.seats[1 - left])[0] == 403
        status, answer = table.ask("POST", f"/seats/{left}", RANDOM, token=table.owner)
        assert (status, answer["seat"]) == (200, None)
        assert leaves.closed() == 4001
        stays.until_asked().act()  # the agent has chosen
        changes = [{"seat": left, "choices": 1, "was": f"person player_{left}", "is_now": "random"}]
        stays.until(lambda page: page.facts["changes"] == changes)
        play_on(stays)
        stays.until(lambda page: page.facts["stage"] == "over")
        assert table.ask("GET", "/record")[1]["changes"] == changes
    with table.seat(left) as page:
        assert page.closed() == 4001


def test_an_owner_who_may_play_cant_look_into_a_seat_by_giving_it_away(serving: Serving) -> None:
    person = {"kind": "person", "name": "Ada"}
    table = serving.open(game="riverbed_hunt_v1", players=4, seats=[PERSON, PERSON, RANDOM, RANDOM])
    for seat in (2, 3):
        status, answer = table.ask("POST", f"/seats/{seat}", person, token=table.owner)
        assert (status, answer["error"]["code"]) == (403, "not_allowed")
    assert table.ask("POST", "/seats/1", RANDOM, token=table.owner)[0] == 200
    assert table.ask("POST", "/seats/1", person, token=table.owner)[0] == 403
    assert table.ask("POST", "/seats/0", RANDOM, token=table.owner)[0] == 200
    assert (
        table.ask("POST", "/seats/2", person, token=table.owner)[0] == 403
    )  # who sat elsewhere knows that seat's role


def test_a_link_is_given_anew_before_anything_has_happened(serving: Serving) -> None:
    table = serving.open(game="deep_river_v0", seats=[PERSON, PERSON])
    last = 1 - first_seat(table)
    status, answer = table.ask("POST", f"/seats/{last}", {"kind": "person", "name": "Ada"}, token=table.owner)
    assert (status, answer["table"]["seats"][last]["name"]) == (200, "Ada")
    with table.seat(1 - last) as page:
        page.until_asked().act()
    assert table.ask("POST", f"/seats/{last}", PERSON, token=table.owner)[0] == 403


def test_who_only_watched_agents_may_sit_down(serving: Serving) -> None:
    table = serving.open(game="riverbed_hunt_v1", players=4, seats=[RANDOM] * 4, pace=10)
    status, answer = table.ask("POST", "/seats/2", PERSON, token=table.owner)
    assert status == 200
    with table.page(answer["seat"]) as page:
        page.until(lambda page: page.frame)
        assert page.view == 2
    assert table.ask("POST", "/seats/3", PERSON, token=table.owner)[0] == 403


def test_what_is_hidden_is_shown_when_the_game_is_over(serving: Serving) -> None:
    table = serving.open(game="river_rats_v0", players=2, seats=[PERSON, RANDOM], seed="77")
    assert table.ask("GET", "/record") == (
        403,
        {"error": {"code": "not_over", "text": "a game can be saved when it is over"}},
    )
    with table.seat(0) as page, table.page() as watcher:
        page.until_asked()
        assert page.facts["seed"] is None
        assert page.facts["seed_chosen"] is True
        assert watcher.until(lambda page: page.frame).view == "public"
        for view in ("truth", 0, 1):
            assert watcher.refusal(type="look", view=view) == "not_allowed"
        assert page.refusal(type="look", view=1) == "not_allowed"
        play_on(page)
        page.until(lambda page: page.facts["stage"] == "over")
        assert page.facts["seed"] == "77"
        for view in ("truth", 1, "public"):
            page.send(type="look", view=view)
            page.until(lambda page, view=view: page.view == view and page.frame["view"] in (view, "seat"))
        watcher.until(lambda page: page.frame["over"])
        watcher.send(type="look", view="truth")
        watcher.until(lambda page: page.frame["view"] == "truth")


def test_a_closed_table_takes_no_more_choices(serving: Serving) -> None:
    table = serving.open(game="deep_river_v0", seats=[PERSON, PERSON], listed=False)
    with table.seat(0) as page:
        page.until(lambda page: page.frame)
        assert table.ask("DELETE", token="guess")[0] == 403
        assert table.ask("DELETE", token=table.owner)[1]["table"]["stage"] == "closed"
        page.until(lambda page: page.facts["stage"] == "closed")
        assert page.refusal(type="act", action=0, step=0) == "not_allowed"
    assert table.id not in {each["id"] for each in serving.ask("GET", "/api/tables")[1]["tables"]}


def test_a_table_that_sleeps_wakes_where_it_was(serving: Serving) -> None:
    table = serving.open(game="deep_river_v0", seats=[PERSON, RANDOM])
    with table.seat(0) as page:
        page.until_asked().act()
        page.until_asked()
        before = page.frame
    hall = serving.server.site.hall
    serving.call(hall.let_sleep)
    assert table.id not in hall._awake
    with table.page(table.seats[0], since=before["event_count"]) as page:
        page.until_asked()
        assert {**page.frame, "events": []} == {**before, "events": []}


def test_a_record_is_read_back_and_a_damaged_one_refused(serving: Serving, tmp_path: Path) -> None:
    table = serving.open(game="deep_river_v0", seats=[RANDOM, RANDOM])
    with table.page() as page:
        page.until(lambda page: page.facts.get("stage") == "over")
    record = parse_record(json.dumps(table.ask("GET", "/record")[1]))
    write_record(tmp_path / "game.json", record)
    assert read_record(tmp_path / "game.json") == record
    for change, words in (
        ({"pack": "0123"}, "was recorded with content pack 0123"),
        ({"actions": [*record.actions, 0]}, "the recorded game ends after"),
        ({"actions": [999]}, "action 0 of the recorded game"),
        ({"extra": 1}, "extra: Unexpected keyword argument"),
    ):
        with pytest.raises(ValueError, match=words):
            list(parse_record(json.dumps({**content(record), **change})).replay())
