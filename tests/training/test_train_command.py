"""`riverbed train` as a person calls it."""

import json
from pathlib import Path

import pytest
from in_process import one_line, riverbed, settings
from training.small_runs import small

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_lab.cli.train import evaluate_command
from riverbed_lab.training.build import build_training
from riverbed_lab.training.config import TrainingConfig, read_lineup
from riverbed_lab.training.folder_run import TimeBudget

pytestmark = pytest.mark.compiled

HUNT = find_game("riverbed_hunt")
SHORT = (
    *settings(game="ford_v0", steps=256, threads=1, num_envs=8, rollout_steps=16, batch_size=64),
    *settings(evaluate_every=128, evaluation_games=50, checkpoint_every=128),
)


def test_it_trains_reports_progress_and_writes_an_agent(tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = riverbed("train", *SHORT, "--out", str(out))
    assert done.returncode == 0, done.stderr
    said = one_line(done.stdout)
    assert "128 decisions" in said
    assert "256 decisions" in said
    assert "of 50 common deals, random" in said
    assert f"wrote {out}/policy.npz" in said
    played = riverbed("evaluate", str(out / "policy.npz"), "--game", "ford_v0", "--help")
    assert played.returncode == 0
    again = riverbed("train", str(out))
    assert "resuming" in again.stdout
    assert "after 256 decisions" in one_line(again.stdout)


def test_settings_are_kept_with_the_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ("--set", "learning_rate=0.01", "--set", "widths=8,4", "--set", "max_decisions=40", "--set", "seed=9")
    assert riverbed("train", *SHORT, *words, "--out", str(out)).returncode == 0
    kept = json.loads((out / "config.json").read_text())
    assert (kept["learning_rate"], kept["widths"], kept["seed"]) == (0.01, [8, 4], 9)
    assert kept["options"] == {"max_decisions": 40}
    assert kept["opponents"] == [{"everybody": ["random"]}]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--set", "role=cheif", "--set", "game=riverbed_hunt_v1"), "did you mean 'chief'"),
        (("--set", "opponents=random;simple"), "a lineup is an agent"),
        (("--set", "steps=1.5"), "steps should be a valid integer, not 1.5"),
        (("--set", "threads=x"), "threads should be a valid integer, not 'x'"),
        (("--seed", "1"), "train has no option --seed; use --set seed=…"),
        (("--minutes", "0"), "minutes must be"),
        (("--set", "learning_rat=1"), "did you mean 'learning_rate'"),
        (("--set", "learning_rate=fast"), "learning_rate"),
        (("--set", "learning_rate"), "--set takes NAME=VALUE, not 'learning_rate'"),
        (("--set", "features=advice:nobody"), "'advice:nobody'"),
        (("--set", "colour=red"), "there is no setting 'colour'"),
        (("gone.toml",), "gone.toml can't be read"),
    ],
)
def test_bad_input_is_answered_in_a_line(tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    out = tmp_path / "run"
    done = riverbed("train", *SHORT, *words, "--out", str(out))
    assert done.returncode == 2
    assert complaint in one_line(done.stderr)
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("run/*.npz"))


def test_none_is_an_empty_list_and_a_command_compares_the_learner() -> None:
    given = {"game": HUNT.id, "role": "leader", "features": "none", "options": {"talk": "claims"}}
    config = build_training(given, "the test")
    assert config.features == ()
    assert evaluate_command(config, Path("a policy.npz")) == (
        "riverbed evaluate 'a policy.npz' --game riverbed_hunt_v1 --players 7 --roles leader --set talk=claims "
        "--reference rule_based"
    )


def test_opponents_are_read_by_role_and_camp() -> None:
    assert read_lineup("lookahead:worlds=10", HUNT) == {"everybody": ["lookahead:worlds=10"]}
    assert read_lineup("random+simple", HUNT) == {"everybody": ["random", "simple"]}
    assert read_lineup("merchants=simple+random;profiteer=rule_based", HUNT) == {
        "merchants": ["simple", "random"],
        "profiteer": ["rule_based"],
    }
    assert read_lineup("chief=simple;random", HUNT) == {"chief": ["simple"], "everybody": ["random"]}
    for wrong in ("simple;random", "chief=simple;chief=random", "cheif=simple;random", "cheif=simple"):
        with pytest.raises(OptionError, match="roles and camps are chief, everybody, leader"):
            read_lineup(wrong, HUNT)


def test_a_file_holds_every_setting_and_options_override_it(tmp_path: Path) -> None:
    file, out = tmp_path / "run.toml", tmp_path / "run"
    made = small(steps=64, evaluation_games=0, options={"max_decisions": 40})
    lines = [
        f"{name} = {json.dumps(value)}" for name, value in made.plain().items() if isinstance(value, str | int | float)
    ]
    lists = [f"{name} = {json.dumps(getattr(made, name))}" for name in ("features", "pieces", "widths")]
    file.write_text(
        "\n".join([*lines, *lists, 'opponents = [{ everybody = ["random"] }]', "[options]", "max_decisions = 40"])
    )
    done = riverbed("train", str(file), "--set", "steps=1e2", "--set", "seed=3", "--out", str(out))
    assert done.returncode == 0, done.stderr
    wanted = {**made.plain(), "steps": 100, "seed": 3, "players": [find_game(made.game).default_players]}
    assert TrainingConfig.load(out).plain() == wanted


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("step = 5", "there is no setting 'step' (did you mean 'steps'?)"),
        ("steps = 'many'", "steps should be a valid integer, not 'many'"),
        ("role = 'cheif'", "did you mean 'chief'"),
        ("role = ", "is no TOML file"),
        ("seed = 2026-01-01", "a value has a wrong type"),
    ],
)
def test_a_bad_file_is_refused_by_name(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "run.toml"
    file.write_text(content)
    done = riverbed("train", str(file), "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert f"{file}" in one_line(done.stderr)
    assert complaint in one_line(done.stderr)


def test_when_the_time_is_up_it_says_how_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeBudget, "is_spent", lambda self: True)
    done = riverbed("train", *SHORT, "--minutes", "5", "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert "time is up after 128 decisions; resume with: riverbed train" in one_line(done.stdout)
    monkeypatch.undo()
    done = riverbed("train", *SHORT, "--minutes", "5", "--out", str(tmp_path / "run"))
    assert "256 decisions" in one_line(done.stdout)
