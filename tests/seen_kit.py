"""What the tests of observations share: games from drawn starts, and each seat's sight, told a second time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest
from drawn import DrawnGame

from riverbed_env.kernels.compile import Vector
from riverbed_env.kernels.vocab import MAX_EVENTS


def newest_words(scene: DrawnGame) -> list[int]:
    """The words of the last events, newest first. Event k of a game lies k places before the ring's end."""
    ring, count = scene.table["events"], int(scene.table["event_count"])
    return [int(ring[-number % len(ring)]) for number in range(count, max(0, count - len(ring)), -1)]


def told_events(scene: DrawnGame, observer: int) -> list[list[int]]:
    """The last events as an observer sees them, in a game whose event words have eight bytes."""
    events = []
    for word in newest_words(scene):
        kind, actor, *rest = word.to_bytes(8, "little")
        events.append([kind, 1 + (actor - 1 - observer) % scene.num_players if actor else 0, *rest])
    return events + [[0] * 8] * (MAX_EVENTS - len(events))


def differing(shown: Mapping[str, Vector], expected: Mapping[str, Any]) -> set[str]:
    """The pieces that differ from what is expected."""
    assert expected.keys() == shown.keys()
    return {piece for piece in shown if shown[piece].tolist() != expected[piece]}


class SeenTests:
    """Observations and the full state, piece by piece, in games from each start. A subclass says what they are."""

    starts: ClassVar[Mapping[str, Callable[[], Any]]]
    decisions: ClassVar[int]
    rarely: ClassVar[set[str]] = set()  # the pieces that no start shows

    def retold(self, scene: Any, seat: int) -> dict[str, list[Any]]:
        """What the pieces are to say to a seat."""
        raise NotImplementedError

    def viewers(self, scene: Any, decision: int) -> Iterable[int]:
        """The seats that are looked from after a decision."""
        return range(scene.num_players)

    def secrets(self, scene: Any) -> dict[str, Any]:
        """The pieces that only the full state has."""
        return {}

    def is_eager(self, words: str) -> bool:
        """Whether an action is taken as soon as it is legal, since it is seldom chosen at random."""
        return False

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """A test of a start is one of every start."""
        if "start" in metafunc.fixturenames:
            metafunc.parametrize("start", self.starts)

    def played(self, start: str) -> Iterator[Any]:
        """A random game from a start, after every decision."""
        scene, draw = self.starts[start](), Random(start)
        for _ in range(self.decisions):
            yield scene
            if scene.over:
                return
            legal = sorted(scene.legal())
            scene.play(draw.choice([words for words in legal if self.is_eager(words)] or legal))

    def test_every_seat_is_shown_what_the_card_says(self, start: str) -> None:
        for decision, scene in enumerate(self.played(start)):
            for seat in self.viewers(scene, decision):
                assert differing(scene.observed(seat), self.retold(scene, seat)) == set(), (decision, seat)

    def test_between_them_the_starts_show_all_there_is_to_see(self) -> None:
        sights = [
            scene.observed(seat)
            for start in self.starts
            for decision, scene in enumerate(self.played(start))
            for seat in self.viewers(scene, decision)
        ]
        shown = {piece for sight in sights for piece, numbers in sight.items() if np.any(numbers)}
        assert sights[0].keys() - shown <= self.rarely

    def test_the_full_state_holds_all_that_is_public_and_every_secret(self, start: str) -> None:
        for decision, scene in enumerate(self.played(start)):
            if decision % 3:
                continue
            public = {piece.name for piece in scene.kind.observation.pieces if piece.visibility == "all"}
            expected = {name: value for name, value in self.retold(scene, 0).items() if name in public}
            assert differing(scene.full_state(), {**expected, **self.secrets(scene)}) == set()
