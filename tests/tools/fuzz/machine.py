"""What the machines share: an environment under test beside a twin that gets only the calls that change the games.

The twin is never looked at (copies of it are), refuses nothing and never loads a saved state: after `set_state` it
repeats the calls that led there. So any effect of looking, of an error, of copying and of saving shows as a difference.
"""

import copy
import io
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any, ClassVar, NamedTuple

import numpy as np
from fuzz.values import COPIERS, copiers, salts, strange, wrong_seeds
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from riverbed_env.errors import OptionError, RiverbedError, StateError
from riverbed_env.testing.conformance.kit import assert_same

Call = Callable[[Any], Any]
Answer = tuple[str, Any, str]


class Wrong(NamedTuple):
    """A call that must be refused: what it is called with, the call, the class of its error, a word of its message."""

    values: st.SearchStrategy[Any]
    call: Call
    error: type[RiverbedError] | tuple[type[RiverbedError], ...]
    word: str = ""


def answer(call: Callable[[], Any]) -> Answer:
    """("gives", value, output and warnings) of a call, or ("raises", class, message) for an error of the library.

    Any other error is raised, and so is a warning that isn't meant for users.
    """
    printed = io.StringIO()
    with redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("always", category=UserWarning)
        warnings.showwarning = lambda message, *place: print(f"warns: {message}")
        try:
            value = call()
        except RiverbedError as error:
            return "raises", type(error), str(error)
    return "gives", copy.deepcopy(value), printed.getvalue()


def given(call: Callable[[], Any]) -> Any:
    """The value of a call that must be accepted."""
    kind, value, words = answer(call)
    assert kind == "gives", f"{value.__name__}: {words}"
    return value


def refusal(call: Callable[[], Any], *expected: type[Exception]) -> str:
    """The message of a call that must raise one of these errors."""
    kind, value, words = answer(call)
    assert kind == "raises", f"accepted: it gives {value!r}"
    assert issubclass(value, expected), f"{value.__name__}: {words}"
    assert words, f"{value.__name__} has no message"
    return words


def whole_and_within(value: Any, shape: tuple[int, ...], low: int, high: int) -> bool:
    """Whether a value is an array of integers of the shape, from low to high."""
    try:
        array = np.asarray(value)
    except ValueError:
        return False
    return array.shape == shape and array.dtype.kind in "iu" and bool(((array >= low) & (array <= high)).all())


class Machine(RuleBasedStateMachine):
    """Calls of one interface of one game.

    A subclass says how it is dealt and played: `new` (a twin), `choose` (legal actions), `take` (legal actions in both,
    and what must hold then), `wrong` (calls that must be refused).
    """

    game_id: ClassVar[str]
    env: Any
    twin: Any

    def __init__(self) -> None:
        super().__init__()
        self.history: tuple[Call, ...] = ()  # the calls that led the twin to where it is

    @property
    def dealt(self) -> bool:
        """Whether there is a game to look at and to save."""
        return True

    @property
    def playing(self) -> bool:
        """Whether there is a game to step."""
        return self.dealt

    def new(self) -> Any:
        raise NotImplementedError

    def choose(self, salt: int) -> Any:
        raise NotImplementedError

    def take(self, actions: Any) -> None:
        raise NotImplementedError

    def wrong(self) -> dict[str, Wrong]:
        """Calls that must be refused where the machine is, by name."""
        return {"seed": Wrong(wrong_seeds, lambda seed: self.env.reset(seed=seed), OptionError, "seed")}

    def on_twin(self, call: Call) -> Any:
        """Change the twin's games; the call's value."""
        value = given(lambda: call(self.twin))
        self.history = (*self.history, call)
        return value

    def on_both(self, call: Call) -> None:
        """Change the games of both, which must answer alike."""
        said = answer(lambda: call(self.env))
        assert said[0] == "gives", said[2]
        assert_same(said, answer(lambda: call(self.twin)))
        self.history = (*self.history, call)

    def replay(self, history: tuple[Call, ...]) -> None:
        """A new twin, after these calls."""
        self.twin, self.history = self.new(), history
        for call in history:
            answer(lambda call=call: call(self.twin))

    @precondition(lambda self: self.playing)
    @rule(number=st.integers(1, 30), salt=salts)
    def play(self, number: int, salt: int) -> None:
        for _ in range(number):
            if self.playing:
                self.take(self.choose(salt))

    @rule(data=st.data())
    def be_refused(self, data: st.DataObject) -> None:
        wrong = self.wrong()
        for name in data.draw(st.lists(st.sampled_from(sorted(wrong)), min_size=1, max_size=5)):
            values, call, error, word = wrong[name]
            value = data.draw(values, name)
            kind, raised, words = answer(lambda call=call, value=value: call(value))
            assert kind == "raises", f"{name} {value!r} was accepted: it gives {raised!r}"
            assert issubclass(raised, error), f"{name} {value!r}: {raised.__name__}: {words}"
            assert words
            assert word in words, f"{name} {value!r}: {words}"

    @invariant()
    def both_show_the_same(self) -> None:
        if self.dealt:
            self.compare()

    def compare(self) -> None:
        """What holds after every call."""
        raise NotImplementedError


class SavingMachine(Machine):
    """A machine whose environment saves and loads states."""

    saved = Bundle("saved")

    def note(self) -> Any:
        """What must be known of a saved state, beside the calls that led to it."""
        return None

    def restore(self, state: Any, history: tuple[Call, ...], note: Any) -> None:
        self.env.set_state(state)
        self.replay(history)

    @precondition(lambda self: self.dealt)
    @rule(target=saved)
    def save(self) -> Any:
        return self.env.get_state(), self.history, self.note()

    @rule(kept=saved)
    def load(self, kept: Any) -> None:
        self.restore(*kept)

    def wrong(self) -> dict[str, Wrong]:
        return {**super().wrong(), "state": Wrong(strange, self.env.set_state, StateError)}


class CopyingMachine(SavingMachine):
    """A machine whose environment is copied too."""

    def __init__(self) -> None:
        super().__init__()
        self.left: list[tuple[Any, Any]] = []  # copies left behind, and what they showed

    def shown(self, env: Any) -> Any:
        """All that an environment shows."""
        raise NotImplementedError

    @rule(copier=copiers, which=st.sampled_from(["env", "twin"]))
    def continue_with_a_copy(self, copier: str, which: str) -> None:
        before = getattr(self, which)
        setattr(self, which, COPIERS[copier](before))
        if self.dealt:
            self.left = [*self.left[-2:], (before, self.shown(before))]

    @precondition(lambda self: self.left)
    @rule()
    def originals_are_as_they_were(self) -> None:
        for env, shown in self.left:
            assert_same(self.shown(env), shown)
