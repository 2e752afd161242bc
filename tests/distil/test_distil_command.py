"""`riverbed distil` as a person calls it."""

from pathlib import Path

import pytest
from in_process import one_line, ran, refused, riverbed, settings

from riverbed_lab.config_files import read_toml
from riverbed_lab.distil.config import build_distillation

pytestmark = pytest.mark.compiled

DEMO = Path(__file__).parents[2] / "experiments" / "configs" / "demo.toml"
SHORT = (
    *settings(game="ford_v0", rounds=2, threads=1, blocks=2, block_games=20),
    *settings(evaluation_games=50, batch_size=32, widths="16,8", object_width=8),
)


@pytest.mark.slow  # compiles agents
def test_it_distils_reports_progress_and_writes_an_agent(tmp_path: Path) -> None:
    out = tmp_path / "run"
    said = one_line(ran("distil", *SHORT, "--out", str(out)))
    assert said.count("of 50 common deals, random") == 3
    assert f"wrote {out}/policy.npz; compare it with: riverbed evaluate {out}/policy.npz" in said
    again = one_line(riverbed("distil", str(out)).stdout)
    assert f"resuming {out} in round 3" in again
    assert f"wrote {out}/policy.npz" in again


def test_the_config_of_make_run_is_valid_and_gives_a_curve() -> None:
    config = build_distillation(read_toml(DEMO), str(DEMO))
    assert config.rounds >= 3
    assert config.reference == "rule_based"
    assert config.blocks * config.rounds >= 20  # an interruption costs a few seconds


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--set", "role=admiral"), "role must be"),
        (("--set", "opponents=nobody"), "has no agent 'nobody'"),
        (("--set", "rounds=0"), "rounds must be"),
        (("--set", "steps=5"), "there is no setting 'steps'"),
        (("--set", "turns=2"), "has no value network"),
        (("--set", "margn=1"), "did you mean 'margin'"),
        (("gone.toml",), "gone.toml can't be read"),
    ],
)
def test_bad_input_is_answered_in_a_line(tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    assert complaint in refused("distil", *SHORT, *words, "--out", str(tmp_path / "run"))
    assert not list(tmp_path.glob("run/*.npz"))
