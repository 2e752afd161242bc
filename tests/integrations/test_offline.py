"""Corpora as TensorDicts and as Minari datasets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus.recorded_kit import record

from riverbed_env.corpus import Corpus
from riverbed_env.errors import OptionError

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

GAME = "riverbed_hunt_v1"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    record(folder, GAME)
    return Corpus(folder)


# --- TensorDict -------------------------------------------------------------------------------------------------------


def test_transitions_lead_to_the_seats_own_next_turn(corpus: Corpus) -> None:
    pytest.importorskip("tensordict")
    from riverbed_env.integrations.offline.tensordicts import tensordict

    turns, arrays = tensordict(corpus), corpus.arrays()
    assert len(turns) == len(arrays["action"])
    follows = ~turns["next", "done"][:-1, 0]
    for name in ("observation", "action_mask"):
        after, own = turns["next", name][:-1][follows], turns[name][1:][follows]
        assert (after == own).all()
    for name in ("game", "seat"):
        assert (turns[name][1:][follows] == turns[name][:-1][follows]).all()
    assert not turns["next", "reward"][~turns["next", "done"]].any()
    episodes = {*zip(arrays["game"].tolist(), arrays["seat"].tolist())}
    assert turns["next", "done"].sum() == len(episodes)
    assert turns["action_mask"].gather(1, turns["action"][:, None]).all()


def test_transitions_have_the_entries_of_our_torchrl_environment(corpus: Corpus) -> None:
    pytest.importorskip("torchrl")
    from riverbed_env.integrations.offline.tensordicts import tensordict
    from riverbed_env.integrations.torchrl import RiverbedEnv, own_turns

    rollout = RiverbedEnv(GAME, num_envs=4, num_players=4, seed=0).rollout(80, break_when_any_done=False)
    played, read = own_turns(rollout), tensordict(corpus)
    for key in played.keys(include_nested=True, leaves_only=True):
        assert read[key].dtype == played[key].dtype, key
        assert read[key].shape[1:] == played[key].shape[1:], key


# --- Minari -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def minari(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Minari with a folder of its own for datasets."""
    found = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return found


def test_an_episode_is_a_seats_part_in_a_game_and_games_can_be_put_together(corpus: Corpus, minari: Any) -> None:
    from riverbed_env.integrations.offline.minari import to_minari

    to_minari(corpus, "riverbed/hunt-v0")
    dataset = minari.load_dataset("riverbed/hunt-v0")
    arrays = corpus.arrays()
    assert dataset.total_steps == len(arrays["action"])
    metadata = list(dataset.storage.get_episode_metadata(range(dataset.total_episodes)))
    number = int(metadata[-1]["game"])
    row = corpus.record(number)
    joint: dict[int, int] = {}
    for episode, about in zip(dataset.iterate_episodes(), metadata):
        if about["game"] != number:
            continue
        steps = episode.infos["step"]
        joint |= dict(zip(steps[:-1].tolist(), episode.actions.tolist()))
        assert steps[-1] == len(row.actions)
        assert about["agent"] == row.agents[about["seat"]]
        assert episode.rewards.sum() == row.returns[about["seat"]]
        assert episode.terminations.tolist() == [False] * (len(episode) - 1) + [True]
        assert (episode.infos["action_mask"][np.arange(len(episode)), episode.actions] == 1).all()
    assert tuple(joint[step] for step in range(len(row.actions))) == row.actions
    about = dataset.storage.metadata["multi_agent"]
    assert about["same_game"] == "game"
    assert all(key in metadata[0] for key in about["metadata"])


def test_an_episode_is_like_those_of_the_environment_that_is_recovered(corpus: Corpus, minari: Any) -> None:
    from riverbed_env.integrations.offline.minari import to_minari

    dataset = to_minari(corpus, "hunt-v0", view="now", agents=["simple"], roles=["leader"])
    assert {about["role"] for about in dataset.storage.get_episode_metadata(range(len(dataset)))} == {"leader"}
    env, episode = dataset.recover_environment(), dataset[0]
    assert env.observation_space == dataset.observation_space
    assert env.action_space == dataset.action_space
    _, info = env.reset(seed=1)
    masks = episode.infos["action_mask"]
    assert (masks.dtype, masks.shape[1:]) == (info["action_mask"].dtype, info["action_mask"].shape)
    assert len(masks) == len(episode.observations) == len(episode) + 1  # as Minari's collector keeps infos
    assert all(observation in env.observation_space for observation in episode.observations)


def test_after_an_error_no_dataset_is_left_and_none_is_overwritten(
    corpus: Corpus, minari: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from riverbed_env.integrations.offline import minari as ours

    with monkeypatch.context() as patch:
        patch.setattr(ours, "_joins", lambda *given: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            ours.to_minari(corpus, "riverbed/hunt-v0")
    assert not minari.list_local_datasets()
    ours.to_minari(corpus, "riverbed/hunt-v0")
    assert list(minari.list_local_datasets()) == ["riverbed/hunt-v0"]
    with pytest.raises(OptionError, match="there is a Minari dataset riverbed/hunt-v0 already"):
        ours.to_minari(corpus, "riverbed/hunt-v0")
    with pytest.raises(OptionError, match="is like riverbed/hunt-v0, not 'hunt'"):
        ours.to_minari(corpus, "hunt")
