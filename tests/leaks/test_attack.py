"""RH-8.4: nothing that reaches a seat predicts a hidden role, card or tile better than the exact posterior does.

The second half plants leaks too faint or too noisy for paired worlds: there is chance in what a seat is shown, and it
leans a little towards something hidden.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pytest
from attacks import LINEAR, one_seat, told
from channels import bold_or_saving, copy_of, make_twin, numbers, pieces
from posteriors import blind, secrets
from worlds import secret_differences

from riverbed_env.envs.aec import Observation, TurnEnv
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_ROLES
from riverbed_env.testing.leaks import Channels, Leak, Samples, attack, gather, paired_worlds_test

FACTS = {
    "role of the player to the left": {4, 7},
    "spare role": {4},
    "card in the hand to the left": {4, 7},
    "top card of the pile": {4, 7},
    "nearest unknown tile": {4, 7},
}


def samples(
    make: type[TurnEnv], num_players: int, games: int, channels: Channels, moments: float = 0.1
) -> dict[str, Samples]:
    return gather(
        lambda: make(RIVERBED_HUNT, num_players=num_players, render_mode="ansi"),
        secrets,
        games=games,
        seed=num_players,
        agents=one_seat,
        channels=channels,
        policy=blind,
        moments=moments,
    )


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [4, 7])
def test_no_classifier_beats_the_exact_posterior(num_players: int) -> None:
    gathered = samples(TurnEnv, num_players, 350, told(pieces=pieces))
    assert gathered.keys() == {fact for fact, players in FACTS.items() if num_players in players}
    for fact, held in gathered.items():
        report = attack(held)
        report.check(f"{fact}, {num_players} players")
        assert report.moments > 300
        assert report.games > 100


# --- planted leaks -------------------------------------------------------------------------------------------------


class Leaning(TurnEnv):
    """Chance in what a seat is shown, which leans towards what is hidden by `lean`.

    - An entry of an absent seat is 1 now and then; where the player to the left is a merchant, more often.
    - An info gives two tallies in random order; where the top card is of the first half of the kinds, one order
      comes more often.
    - An info's text is now and then a blank longer; where the nearest unknown tile begins with kelp, more often.
    """

    base = 0.1  # how often the rarer two show anyway
    lean = 0.0
    noted: tuple[tuple[str, bytes] | None, dict[str, int]] = (None, {})  # the moment last asked about, what is hidden

    def observe(self, agent: str) -> Observation:
        seen = super().observe(agent)
        hidden = self.hidden(agent)
        entry, order, blank = self.chances(agent)
        vector = seen["observation"].copy()
        vector[ENTRY] = entry < self.base + self.lean * (hidden.get("role of the player to the left") == 1)
        tallies = [3, 5] if order < 0.5 + self.lean * (hidden.get("top card of the pile") == 1) else [5, 3]
        text = "a note" + " " * int(blank < self.base + self.lean * (hidden.get("nearest unknown tile") == 0))
        self.infos[agent] = {"action_mask": seen["action_mask"], "tallies": tallies, "note": text}
        return {"observation": vector, "action_mask": seen["action_mask"]}

    def hidden(self, agent: str) -> dict[str, int]:
        """The cases of what is hidden from a seat, worked out once however often it looks."""
        moment = agent, self._games.tobytes()
        if self.noted[0] != moment:
            self.noted = moment, {name: secret.value for name, secret in secrets(self, agent).items()}
        return self.noted[1]

    def chances(self, agent: str) -> npt.NDArray[np.float64]:
        """Three numbers out of the game's own chance, the same however often one looks."""
        game = self._games[0]
        key = int(game["chance"]["key"]) % 2**32
        return np.random.default_rng([key, int(game["table"]["decisions"]), self._seat_of[agent]]).random(3)


class Fair(Leaning):
    """The same chance, which leans nowhere."""


class Leaky(Leaning):
    """Chance that leans by a fifth."""

    lean = 0.2


class Hinting(Leaning):
    """A bit that shows one time in twenty, and never where it doesn't hold."""

    base = 0.0
    lean = 0.05


ENTRY = OBSERVATION.start("roles_shown") + 8 * NUM_ROLES  # of a ninth seat
TOLD_BY = {
    "role of the player to the left": "observation roles_shown[40]",
    "top card of the pile": "info tallies[0]",
    "nearest unknown tile": "info note length",
}
SHORT = told("state in words", "events in words", "picture", "mask", "who is asked", pieces=pieces)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "games", "facts"),
    [(Leaky, 400, TOLD_BY), (Hinting, 600, ["role of the player to the left", "nearest unknown tile"])],
)
def test_chance_that_leans_towards_a_secret_is_found(make: type[TurnEnv], games: int, facts: Iterable[str]) -> None:
    gathered = samples(make, 7, games, SHORT, moments=0.2)
    for fact in facts:
        with pytest.raises(Leak) as found:
            attack(gathered[fact], models=LINEAR).check(fact)
        assert TOLD_BY[fact] in found.value.names


@pytest.mark.slow
def test_chance_that_leans_nowhere_is_no_leak() -> None:
    gathered = samples(Fair, 7, 250, SHORT)
    for fact in TOLD_BY:
        attack(gathered[fact], models=LINEAR).check(fact)


def test_paired_worlds_cant_judge_what_is_drawn_by_chance() -> None:
    """Both differ between worlds with another future, the fair one too: such a feature set is left to the attack."""
    for make in (Fair, Leaky):
        with pytest.raises(Leak, match=r"roles_shown|tallies|note"):
            paired_worlds_test(
                lambda make=make: make(RIVERBED_HUNT, num_players=7, render_mode="ansi"),
                make_twin(("chance",)),
                games=2,
                channels=numbers(),
                policy=bold_or_saving,
                varied=secret_differences,
                copy=copy_of,
            )
