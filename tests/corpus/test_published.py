"""The published corpus: ten million games that any machine makes again from the manifest."""

from pathlib import Path

import numpy as np
import pytest
from in_process import ran

from riverbed_env.corpus import Corpus, Manifest
from riverbed_env.corpus.manifest import Block
from riverbed_env.players.lineups import Lineups, seating_uniforms
from riverbed_lab.published import CORPORA
from riverbed_lab.recording.record import Recording, play_block, seatings

NAME = "riverbed_hunt"
MANIFEST = Manifest.read(CORPORA / f"{NAME}.json")

# Games whose seats have drawn agents that other tests compile anyway, and the hashes of these games alone.
SMALL = {
    32916: "f44861f1fa8e30984abd3d8c0372b48f",
    35269: "100d1ed772d7796edc94229ae3ed063c",
    42771: "9221f8bc2f950e511981d1ad0237042a",
    225851: "0ee6df89493dd08e36457975e397d0e6",
    293270: "8f258762d74433bbe45618f281ceaa18",
}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return Recording.of(MANIFEST, tmp_path_factory.mktemp("published"))


def test_it_is_ten_million_games_over_four_to_nine_players_and_twelve_agents(recording: Recording) -> None:
    assert MANIFEST.games == 10**7
    assert MANIFEST.players == (4, 5, 6, 7, 8, 9)
    assert len({agent.name for agent in recording.table.agents}) == 12
    assert MANIFEST.environment == recording.game.id
    assert MANIFEST.parts
    assert len(set(MANIFEST.parts)) == len(MANIFEST.parts)
    assert (CORPORA / f"{NAME}.json").stat().st_size < 2**20


def test_its_blocks_hold_every_game_once() -> None:
    numbers = [
        np.arange(block.first, block.first + block.games)
        for part in (0, 1, MANIFEST.num_parts - 1)
        for block in MANIFEST.blocks(part)
    ]
    first = (0, 1, MANIFEST.num_parts - 1)
    wanted = np.concatenate([MANIFEST.first(part) + np.arange(MANIFEST.size(part)) for part in first])
    np.testing.assert_array_equal(np.concatenate(numbers), wanted)
    assert wanted[-1] == MANIFEST.games - 1


@pytest.mark.compiled
def test_a_few_of_its_games_come_out_as_they_did(recording: Recording) -> None:
    names = [agent.name for agent in recording.table.agents]
    few = Lineups(recording.table.agents[:2], recording.table.pools)
    assert [agent.name for agent in few.agents] == ["random", "simple"]
    for number, digest in SMALL.items():
        part = number // MANIFEST.part
        (block,) = (each for each in MANIFEST.blocks(part) if 0 <= number - each.first < each.games)
        uniforms = seating_uniforms(MANIFEST.seed, np.array([number]), block.num_players)
        everybody = np.zeros((1, block.num_players), np.int8)  # all roles draw from the same agents
        drawn = {names[agent] for agent in recording.table.draw(everybody, uniforms[:, 1:])[0]}
        assert drawn <= {"random", "simple"}
        alone = Block(block.num_players, number, 1)
        assert play_block(recording.game, MANIFEST, few, alone).digest() == digest


@pytest.mark.slow
@pytest.mark.compiled
def test_a_thousandth_of_it_comes_out_bit_for_bit(tmp_path: Path) -> None:
    thousandth = MANIFEST.num_parts // 1000
    ran("record", "--manifest", NAME, "--only", f"0-{thousandth - 1}", "--threads", "1", "--out", str(tmp_path))
    corpus = Corpus(tmp_path)
    assert len(corpus) == MANIFEST.games // 1000
    assert sum(len(corpus.check(part, replay=True)) for part in corpus.parts) == 10_000
    assert len(seatings(corpus.game, MANIFEST).agents) == 12
    agents = np.concatenate([corpus.part(part).agents.ravel() for part in corpus.parts])
    assert np.bincount(agents[agents >= 0]).min() > 4000  # each of the twelve sits in thousands of seats
