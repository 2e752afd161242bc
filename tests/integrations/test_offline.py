"""Corpora as TensorDicts."""

import pytest
from corpus.recorded_kit import record

from riverbed_env.corpus import Corpus

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

GAME = "riverbed_hunt_v1"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    record(folder, GAME)
    return Corpus(folder)


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
    assert (turns["step"][1:] > turns["step"][:-1])[follows].all()
    end = int(turns["next", "done"][:, 0].nonzero()[0])
    *_, batch = corpus.record(int(turns["game"][end])).replay()
    for name, shown in zip(("observation", "action_mask"), batch.observe(int(turns["seat"][end]))):
        assert (turns["next", name][end].numpy() == shown[0]).all()
    assert turns["next", "reward"][end, 0] == batch.returns[0, turns["seat"][end, 0]]
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
