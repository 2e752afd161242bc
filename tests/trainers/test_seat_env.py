"""A seat in words: what it is asked, what it earns, and that no message tells more than the seat may know."""

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trainers.players import choices, first, last

from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.worlds import beliefs, resample
from riverbed_lab import SeatEnv
from riverbed_lab.judging.run import Judging, Settings
from riverbed_lab.llm.prompt import _subject, _together
from riverbed_lab.seat_env.chat import SeatChat
from riverbed_lab.seat_env.env import CHANGES, HISTORIES
from riverbed_lab.seat_env.splits import game_number

QUICK = "river_rats_v0"
SIMPLE = {"players": 4, "opponents": "simple"}


def played(env: SeatEnv, index: int, **how: Any) -> tuple[float, dict[str, Any]]:
    """Play a game with the last choices; its rewards and the last info."""
    messages, total, info = env.reset(index, **how), 0.0, dict[str, Any]()
    while not env.done:
        messages, reward, _, info = env.step(last(messages))
        total += reward
    return total, info


@pytest.mark.parametrize("history", HISTORIES)
def test_worlds_that_a_seat_cant_tell_apart_ask_it_the_same(history: str) -> None:
    env, twin, differed = SeatEnv(**SIMPLE, talk="claims", history=history), SeatChat(history == CHANGES), 0
    env.reset(3)
    while not env.done:
        batch = env._dealt().batch
        here = batch.get_state()
        there = resample(env.game, batch.look(env.seat), batch.params, 1, env._decisions)
        differed += here.tobytes() != there.tobytes()
        batch.set_state(there)
        twin.ask(env._dealt().message(env.seat))
        batch.set_state(here)
        assert twin.messages == env.messages
        answer = last(env.messages)
        twin.answer(answer)
        env.step(answer)
    assert differed > 10


def test_a_chat_that_grows_tells_all_that_complete_messages_tell() -> None:
    env, known = SeatEnv(**SIMPLE, history=CHANGES), dict[str, str]()
    messages = env.reset(7)
    while not env.done:
        lines = [line[2:] for line in messages[-1]["content"].splitlines() if line.startswith("- ")]
        known |= {_subject(line): line for line in lines}
        asked = env._chats[env.seat].asked
        now = list(_together(asked["knows"]["words"].splitlines()))
        assert [known[_subject(line)] for line in now] == now
        assert choices(messages[-1]["content"]) == [*range(1, 1 + len(asked["choices"]))]
        roles = [each["role"] for each in messages[1:]]
        assert roles == ["user", *["assistant", "user"] * (len(roles) // 2)]
        messages, *_ = env.step(last(messages))


def test_a_chat_that_grows_tells_each_text_once() -> None:
    env = SeatEnv(players=4, opponents=None, talk="text", history=CHANGES, max_decisions=150)
    messages = env.reset(2)
    while not env.done:
        said = {"choice": choices(messages[-1]["content"])[0], "text": f"this is {env._decisions}"}
        messages, *_ = env.step(json.dumps(said))
    texts = [said.text for said in env._dealt().batch.notes()]
    assert len(texts) > 40
    for chat in env._chats.values():
        told = "\n".join(each["content"] for each in chat.messages if each["role"] == "user")
        counts = [told.count(json.dumps(text)) for text in texts]
        assert counts == sorted(counts, reverse=True)  # the newest haven't been told yet
        assert counts[-10] <= counts[0] == 1


def test_a_game_is_won_as_its_record_says_beside_the_reference_on_its_deal() -> None:
    env = SeatEnv(**SIMPLE, split="test")
    earned = [played(env, index) for index in range(8)]
    assert {total for total, _ in earned} == {0.0, 1.0}
    for total, info in earned:
        assert total == info["won"] == (info["returns"][info["seat"]] > 0)
        assert info["camp"] == env.game.camp_of_role[info["role"]]
    *_, batch = env.record().replay()
    assert batch.returns[0].tolist() == earned[-1][1]["returns"] == list(env.record().returns)
    usual = SeatEnv(**SIMPLE, split="test", retries=0)
    for index, (_, info) in enumerate(earned):
        usual.reset(index)
        _, reward, done, forfeited = usual.step("nothing")  # the reference plays on
        assert (reward, done, forfeited["forfeited"]) == (-1, True, True)
        assert forfeited["returns"] == forfeited["reference"]["returns"] == info["reference"]["returns"]


@pytest.mark.parametrize("history", HISTORIES)
def test_an_answer_that_cant_be_taken_is_asked_for_again_then_forfeits(history: str) -> None:
    env = SeatEnv(**SIMPLE, history=history, retries=1)
    begun = env.reset(0)
    messages, reward, done, info = env.step('{"choice": 9999}')
    assert (reward, done, info["failures"]) == (0, False, {"illegal": 1})
    assert "9999 isn't among the numbers" in messages[-1]["content"]
    env.step(first(begun[-1]["content"]))
    env.step('{"choice": 0}')
    _, _, done, info = env.step("")
    assert (done, info["failures"], info["forfeited"]) == (True, {"illegal": 2, "empty": 1}, True)
    with pytest.raises(IllegalActionError, match=r"call reset\(\)"):
        env.step("{}")


def test_splits_share_no_deal_and_leave_none_out() -> None:
    train, test = ([game_number(index, split) for index in range(900)] for split in ("train", "test"))
    assert not {*train} & {*test}
    assert {*train} | {*test[:100]} == {*range(1000)}
    assert len({number % 10 for number in test}) == 10


def test_roles_packs_and_wrong_settings() -> None:
    env = SeatEnv(**SIMPLE, pack="hunt-train", split="train")
    for role in env.game.roles[:3]:
        assert played(env, 5, role=role)[1]["role"] == role
    assert env.record().options["pack"] == env.game.splits["hunt-train"][game_number(env.index, "train")]
    for wrong in ({"split": "valid"}, {"reward": "points"}, {"role": "cook"}, {"history": "none"}, {"depth": 3}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            SeatEnv(**SIMPLE, **wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="hidden roles"):
        SeatEnv(QUICK, opponents="simple", reward="belief")


def test_the_worth_of_a_games_choices_is_what_the_judge_says(tmp_path: Path) -> None:
    env = SeatEnv(QUICK, 3, "simple", reward="worth", worlds=8, moves=2)
    earned = [(*played(env, index), env.record().to_json()) for index in range(3)]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(record for *_, record in earned))
    how = Settings(QUICK, "simple", agents=("policy",), known=(), worlds=8, moves=2)
    judged = Judging(how, [file]).seats()
    assert judged["gain"].tolist() == pytest.approx([total for total, *_ in earned])
    assert judged["winners"].tolist() == [info["won"] - info["reference"]["won"] for _, info, _ in earned]
    assert any(total for total, *_ in earned)


def test_beliefs_earn_their_log_score_beside_deduction() -> None:
    env = SeatEnv(**SIMPLE, reward="belief")
    messages = env.reset(1)
    assert '"beliefs"' in messages[0]["content"]
    batch, names = env._dealt().batch, env.game.roles
    posterior = beliefs(env.game, batch.look(env.seat), batch.params)[0]
    told = {f"player_{seat}": dict(zip(names, row.tolist())) for seat, row in enumerate(posterior) if seat != env.seat}
    messages, reward, _, info = env.step(json.dumps({"choice": 1, "beliefs": told}))
    assert reward == pytest.approx(0)
    _, reward, _, info = env.step(first(messages[-1]["content"]))  # states none: all roles alike
    assert info["log_score"] == pytest.approx(-np.log(len(names)))
    assert reward == info["log_score"] - info["deduction"]


def test_one_caller_plays_all_seats() -> None:
    env = SeatEnv(players=4, opponents=None, history=CHANGES)
    messages, asked, info = env.reset(0), set[int](), dict[str, Any]()
    while not env.done:
        assert f"You are player_{env.seat}." in messages[1]["content"]
        asked.add(env.seat)
        messages, _, _, info = env.step(first(messages[-1]["content"]))
    assert asked == {0, 1, 2, 3}
    assert info["reference"]["returns"] != []
    assert env.record().agents == ("policy",) * 4


def test_many_at_once_play_as_they_do_alone() -> None:
    async def game(index: int) -> dict[str, Any]:
        env, info = SeatEnv(**SIMPLE), dict[str, Any]()
        messages = await env.areset(index)
        while not env.done:
            messages, _, _, info = await env.astep(last(messages))
        return info

    async def together() -> list[dict[str, Any]]:
        return await asyncio.gather(*map(game, range(6)))

    env = SeatEnv(**SIMPLE)
    assert asyncio.run(together()) == [played(env, index)[1] for index in range(6)]
