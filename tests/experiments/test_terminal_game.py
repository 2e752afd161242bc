"""`riverbed play` and `riverbed watch`: what a person at the terminal sees and types."""

import io
from pathlib import Path

import pytest
from in_process import ran, refused, riverbed
from rich.console import Console
from rich.text import Text

from riverbed_env.core.batch import Batch
from riverbed_env.players.agents import UNIFORM
from riverbed_env.registry import find_game
from riverbed_lab.cli import terminal_game
from riverbed_lab.cli.terminal_game import Leave, TerminalGame

pytestmark = pytest.mark.compiled

HUNT = find_game("riverbed_hunt")
BUILT_IN = ("riverbed_hunt", "river_rats", "deep_river", "riverside")


class Person:
    """A person who types these words one after the other, and then leaves."""

    def __init__(self, *words: str) -> None:
        self.words = iter(words)

    def __call__(self, prompt: str) -> str:
        return next(self.words, "q")


def table(viewer: int | None, seed: int = 3) -> tuple[TerminalGame, list[str]]:
    """A game of four, and what is shown of it."""
    shown: list[str] = []
    batch = Batch(HUNT, 1, seed=seed, auto_reset=False, num_players=4)
    return TerminalGame(HUNT, dict.fromkeys(range(4), UNIFORM), batch, viewer, shown.append), shown


def played(*words: str) -> list[str]:
    """What a person in seat 1 sees who types these words and leaves."""
    game, shown = table(viewer=1)
    with pytest.raises(Leave):
        game.play(1, Person(*words))
    return shown


def test_a_wrong_answer_is_told_what_can_be_typed() -> None:
    assert any("'nonsense' is none of " in line for line in played("nonsense"))


def test_a_person_says_something_in_words_and_a_claim_in_words_is_that_claim() -> None:
    shown: list[str] = []
    batch = Batch(HUNT, 1, seed=3, auto_reset=False, num_players=4, talk="text", max_decisions=20)
    game = TerminalGame(HUNT, dict.fromkeys(range(4), UNIFORM), batch, 1, shown.append)
    left = ['"' + "x" * 281, '"I am a merchant', "silent"]

    def ask(prompt: str) -> str:
        """Choose a space; where one may speak, type the texts, then be silent; after that leave."""
        silent = [line.split()[0] for line in shown if line.endswith("be silent")]
        if not silent:
            return "1"
        typed = left.pop(0) if left else "q"
        return silent[0] if typed == "silent" else typed

    with pytest.raises(Leave):
        game.play(1, ask)
    assert any("at most 280 characters, not 281" in line for line in shown)
    assert [text.text for text in batch.notes()] == ["I am a merchant"]
    assert '  you say in words: "I am a merchant"' in shown
    assert "  you say: I am a merchant" in shown


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_the_person_is_told_who_they_are_and_whom_they_play_against() -> None:
    assert played()[0].startswith("You are player_1. The other seats are played by random.")


def test_a_question_mark_explains_the_game_and_the_keys() -> None:
    shown = played("?")
    assert terminal_game.KEYS in shown[-1]


def test_the_table_is_shown_again_only_when_it_changed_or_on_request() -> None:
    assert boards(played("nonsense")) == 1
    assert boards(played("b")) == 2


def boards(shown: list[str]) -> int:
    return sum("Draw pile" in text for text in shown)


def test_events_are_said_once() -> None:
    shown = "\n".join(played("10"))
    assert shown.count("player_0 places a meeple") == 1
    assert "Last events" not in shown


def test_the_end_says_whether_the_person_won() -> None:
    game, shown = table(viewer=1)
    game.play(1, lambda prompt: shown[-1].split()[0])  # the label of the last choice
    assert shown[-1].strip().startswith(("You won", "You lost", "Everybody lost", "The game was cut off"))


# --- watching ---------------------------------------------------------------------------------------------------------


def test_watching_shows_the_table_between_turns() -> None:
    game, shown = table(viewer=None)
    game.watch()
    assert boards(shown) > 10
    assert any("the game ends" in line for line in shown)


def test_enter_steps_to_the_next_turn_and_q_leaves() -> None:
    game, shown = table(viewer=None)
    with pytest.raises(Leave):
        game.watch(by_hand=True, ask=Person("", ""))
    assert boards(shown) <= 4


def test_watching_as_a_seat_shows_no_hidden_role_before_the_end() -> None:
    done = riverbed("watch", "--players", "7", "--seed", "3", "--viewer", "2", "--pause", "0")
    before_the_end = done.stdout.split("the game ends")[0]
    assert "as player_2 sees it" in before_the_end
    others = [line for line in before_the_end.splitlines() if line[2:10] in ("player_0", "player_1", "player_3")]
    assert not any("(hidden)" in line for line in others)


def test_a_player_whose_answers_cant_be_taken_is_told_apart_from_one_who_plays(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("def player(message):\n    raise KeyError('no such seat')\n")
    done = riverbed(
        *("watch", "--game", "deep_river", "--seed", "3", "--pause", "0"),
        *("--agent", f"call:target={tmp_path / 'player.py'}:player"),
    )
    assert done.returncode == 0
    first, second = (line for line in done.stderr.splitlines() if "choices were drawn" in line)
    assert "player_0" in first
    assert "player_1" in second
    drawn, _, of = first.partition("player_0: ")[2].split()[:3]
    assert drawn == of != "0"


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_can_be_watched_and_played(game: str) -> None:
    assert find_game(game).title in ran("watch", "--game", game, "--agent", "random", "--seed", "3", "--pause", "0")
    done = riverbed("play", "--game", game, "--seed", "3", said="?\nq\n")
    assert done.returncode == 0, done.stderr
    assert "You left the game." in done.stdout


# --- the terminal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 80])
def test_long_lines_are_folded_between_words(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(terminal_game, "screen", Console(file=file, width=width, force_terminal=True, no_color=True))
    terminal_game.show("the separatists win and so on and on " * 5)
    plain = Text.from_ansi(file.getvalue()).plain
    assert max(map(len, plain.splitlines())) <= width
    assert set(plain.split()) == {"the", "separatists", "win", "and", "so", "on"}


def test_colours_are_left_out_of_pipes() -> None:
    done = riverbed("watch", "--game", "deep_river", "--seed", "3", "--pause", "0")
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("pause", ["-1", "nan", "inf"])
def test_an_impossible_pause_is_refused_in_one_line(pause: str) -> None:
    assert refused("watch", "--pause", pause) == f"riverbed: --pause takes seconds from 0 on, not {float(pause):g}"
