"""Packs drawn by number: the same everywhere, as the table says, playable and balanced; and splits of them in use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from riverbed_env import make, make_batch
from riverbed_env.core.batch import Batch
from riverbed_env.core.generated import PREFIX
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import PackError
from riverbed_env.games.riverbed_hunt.content.pack import GENERATED, Pack, load_pack
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_lab.evaluation import folder as folders
from riverbed_lab.evaluation.replay import Replay
from riverbed_lab.evaluation.run import Evaluation
from riverbed_lab.playing.plan import Plan
from riverbed_lab.training.config import TrainingConfig
from riverbed_web.opening import Menu, read_opening
from riverbed_web.opening import plan as plan_table
from studies import generated_packs as study

TABLE = GENERATED.table
SAMPLE = [*range(1, len(TABLE["draw"]), 37), len(TABLE["draw"])]
NAMES = [f"{PREFIX}:{number}" for number in SAMPLE]
SPLIT = "hunt-valid"


def read(script: str, **variables: str) -> object:
    """What a script prints in a process of its own, as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **variables}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


# --- the packs --------------------------------------------------------------------------------------------------------


def test_packs_have_the_hashes_of_the_table() -> None:
    assert [load_pack(name).hash for name in NAMES] == TABLE["hash"][np.array(SAMPLE) - 1].tolist()


def test_packs_are_the_same_where_nothing_is_compiled() -> None:
    script = (
        "import json; from riverbed_env.games.riverbed_hunt.content.pack import load_pack; "
        f"print(json.dumps([load_pack(name).hash for name in {NAMES[:3]}]))"
    )
    assert read(script, NUMBA_DISABLE_JIT="1") == [load_pack(name).hash for name in NAMES[:3]]


def test_no_two_packs_are_the_same() -> None:
    assert len(set(TABLE["draw"].tolist())) == len(set(TABLE["hash"].tolist())) == len(TABLE["draw"])


@pytest.mark.parametrize("count", range(GAME.min_players, GAME.max_players + 1))
def test_packs_play_to_an_end(count: int) -> None:
    batch = Batch(GAME, len(NAMES), seed=1, num_players=count, pack=NAMES, layout="random", auto_reset=False)
    while batch.acting.any():
        batch.step(batch.random_actions())
    assert not batch.truncated.any()
    assert [pack.name for pack in batch.packs] == NAMES


def tiles(pack: Pack) -> list[tuple[tuple[str, ...], bool]]:
    return [(tuple(tile.layers), tile.hunt) for tile in pack.tiles.values()]


def test_packs_differ_in_tiles_cards_layouts_and_endpoints_and_keep_the_rulebooks_frame() -> None:
    default, packs = load_pack(), [load_pack(name) for name in NAMES]
    for drawn in (
        tiles,
        lambda pack: [card.copies for card in pack.cards],
        lambda pack: [layout.empty for layout in pack.layouts(4)],
        lambda pack: [players.endpoints for players in pack.content.players],
    ):
        assert len({repr(drawn(pack)) for pack in [*packs, default]}) > len(packs) * 0.9
    for pack in packs:
        assert [card.name for card in pack.cards] == [card.name for card in default.cards]
        for players, usual in zip(pack.content.players, default.content.players):
            assert (players.roles, players.tiles) == (usual.roles, usual.tiles)


# --- the table --------------------------------------------------------------------------------------------------------


def test_each_camp_wins_about_as_often_as_with_the_default_pack_and_powers_come_up() -> None:
    camps, powers = TABLE["rule_based"][..., : study.NUM_CAMPS], TABLE["rule_based"][..., study.POWERS]
    off = np.abs(camps - TABLE["default_rule_based"][:, : study.NUM_CAMPS])
    assert off.max() <= study.LIMIT + 0.001  # rates are rounded
    assert powers.min() >= study.LEAST - 0.001
    assert TABLE["games"] == study.CHECK_GAMES


def test_rejected_draws_have_a_reason_and_were_not_accepted() -> None:
    draws, reasons, counts = TABLE["rejected"].T
    assert not set(draws.tolist()) & set(TABLE["draw"].tolist())
    assert sorted([*draws, *TABLE["draw"]]) == list(range(len(draws) + len(TABLE["draw"])))
    assert reasons.min() > study.ACCEPTED
    assert {*counts.tolist()} <= {0, *study.COUNTS}


def test_splits_share_no_pack_and_hold_all() -> None:
    every = [name for names in GAME.splits.values() for name in names]
    assert every == [f"{PREFIX}:{number + 1}" for number in range(len(TABLE["draw"]))]
    assert list(GAME.splits) == ["hunt-test", "hunt-valid", "hunt-train"]


@pytest.mark.slow
@pytest.mark.compiled
def test_rates_come_out_the_same_when_played_again() -> None:
    table, row, nth = study.Table(), SAMPLE[1] - 1, 3
    params = GAME.make_params(num_players=study.COUNTS[nth], pack=NAMES[1])[0]
    for agent, name in enumerate(study.AGENTS):
        again = table.rates([params], study.CHECK_FROM, study.CHECK_GAMES, agent)[0]
        np.testing.assert_allclose(again, TABLE[name][row, nth], atol=0.0006)


@pytest.mark.slow
@pytest.mark.compiled
def test_a_small_table_is_the_same_whatever_the_blocks_and_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"SEARCH_GAMES": 24, "CHECK_GAMES": 40, "DEFAULT_GAMES": 80, "LIMIT": 0.4}.items():
        monkeypatch.setattr(study, name, value)
    made = []
    for folder, block in (("one", 3), ("one", 3), ("other", 2)):
        monkeypatch.setattr(study, "BLOCK", block)
        study.main(tmp_path / folder, test=1, valid=1, train=1)
        made.append(study.read_arrays(tmp_path / folder / "generated.npz", "table"))
    for other in made[1:]:
        for name, array in made[0].items():
            np.testing.assert_array_equal(array, other[name], err_msg=name)
    assert study.REASONS[0] in capsys.readouterr().out
    packs = study.named_pack(f"{PREFIX}:1", made[0]["draw"][0], made[0]["endpoints"][0])
    assert packs.hash == made[0]["hash"][0]


# --- in use -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pack", "reason"),
    [
        ("generated:0", "generated:1 to generated:"),
        (f"generated:{len(TABLE['draw']) + 1}", f"to generated:{len(TABLE['draw'])}"),
        ("generated:01", "no pack"),
        ("generated:", "no pack"),
        ("generated:seven", "no pack"),
        ("hunt-tests", "did you mean 'hunt-test'"),
        (SPLIT, "here give one of them"),
    ],
)
def test_other_names_are_refused_in_a_line(pack: str, reason: str) -> None:
    with pytest.raises(PackError, match=reason) as refused:
        make(GAME.id, pack=pack)
    assert "\n" not in str(refused.value)


def test_an_environment_takes_a_generated_pack_by_name() -> None:
    env = make(GAME.id, pack=NAMES[0], num_players=5)
    env.reset(seed=1)
    assert (env.pack.name, env.pack.hash) == (NAMES[0], TABLE["hash"][0])


def test_a_table_on_the_page_takes_a_generated_pack_by_name() -> None:
    wish = read_opening({"game": GAME.id, "pack": NAMES[0], "seats": [{"kind": "person"}] * 7})
    assert plan_table(wish, Menu()).pack == load_pack(NAMES[0]).hash


def test_training_takes_a_split_and_refuses_what_is_none() -> None:
    assert TrainingConfig(options={"pack": SPLIT}).options == {"pack": SPLIT}
    with pytest.raises(PackError, match="did you mean"):
        TrainingConfig(options={"pack": f"{SPLIT}s"})


def test_a_split_gives_each_environment_one_of_its_packs() -> None:
    few = make_batch(GAME.id, 5, pack=SPLIT, seed=3)
    assert len({pack.name for pack in few.packs}) == 5
    assert {pack.name for pack in few.packs} <= set(GAME.splits[SPLIT])
    assert {pack.name for pack in make_batch(GAME.id, 5, pack=SPLIT, seed=4).packs} != {p.name for p in few.packs}
    many = make_batch(GAME.id, 2 * len(GAME.splits[SPLIT]), pack=SPLIT, seed=3)
    assert [pack.name for pack in many.packs] == list(GAME.splits[SPLIT])
    recorded = RecordedGame.of(few, [], index=2)
    assert recorded.deal().pack.name == few.packs[few.which[2]].name


def test_compared_agents_meet_the_same_packs_and_rows_can_be_replayed(tmp_path: Path) -> None:
    packs = GAME.splits[SPLIT]
    plan = Plan(
        GAME.id, ("random",), "random", (4,), 2 * len(packs) + 3, ("chief",), ("mirror",),
        options={"pack": SPLIT}, chunk=len(packs) + 1,
    )  # fmt: skip
    evaluation = Evaluation.begin(plan, tmp_path)
    evaluation.play()
    replay = Replay(tmp_path)
    (cell,) = replay.cells
    for number in (0, 1, len(packs) + 2):
        recorded = replay.record(replay.row(cell, number))
        assert recorded.options["pack"] == packs[number % len(packs)]
        assert recorded.pack == load_pack(packs[number % len(packs)]).hash
    assert replay.identity.pack == folders.pack_hash(GAME, plan)
    assert replay.identity.pack not in TABLE["hash"]
