"""The kit's statistical attack, on a plain card game: what it finds, how faint that may be, when it says nothing."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from toy import CARDS, NAMES, OpenCards, after, unseen

from riverbed_env.testing.leaks import AttackReport, Leak, Linear, Samples, Secret, aec_channels, attack, gather

HIGH = 6  # cards from here on are high
SPOKEN = aec_channels(words={"words": lambda env, agent: env.tell(agent)}).without("form", "last")


def secrets(env: OpenCards, agent: str) -> dict[str, Secret]:
    """Whether the next player has the highest card, whether the pile's top card is high, and which it is.

    Each choice is drawn evenly from as many as everybody can count, so no allotment of the unseen cards to the hands
    and the pile is likelier than another.
    """
    found, cards = {}, unseen(env, agent)
    if 8 in cards:
        chance = len(env.hands[after(agent)]) / len(cards)
        found["the 8"] = Secret(int(8 in env.hands[after(agent)]), [1 - chance, chance])
    if env.pile:
        chances = np.zeros(CARDS)
        chances[cards] = 1 / len(cards)
        found["top card"] = Secret(env.pile[-1], chances)
        found["high on top"] = Secret(int(env.pile[-1] >= HIGH), [chances[:HIGH].sum(), chances[HIGH:].sum()])
    return found


def asked(env: OpenCards) -> list[str]:
    return [env.agent_selection]


def attacked(make: type[OpenCards], games: int, *names: str, seed: int = 0, **options: Any) -> dict[str, AttackReport]:
    samples = gather(make, secrets, games=games, moments=0.5, channels=SPOKEN, seed=seed, agents=asked)
    return {name: attack(samples[name], seed=seed, **options) for name in names or samples}


class Noisy(OpenCards):
    """Beside its cards each player sees a fair coin that is thrown at each decision."""

    def observe(self, agent: str) -> dict[str, Any]:
        seen = super().observe(agent)
        place = NAMES.index(agent), len(self.moves), self.deal  # the same coin however often one looks
        seen["observation"]["coin"] = np.int8(np.random.default_rng(place).random() < 0.5)
        return seen

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.deal = seed or 0
        super().reset(seed)


class LongerText(OpenCards):
    """A text with another blank, three times in ten, where the top card is high."""

    def tell(self, agent: str) -> str:
        blank = bool(self.pile and self.pile[-1] >= HIGH) and len(self.story) % 10 < 3
        return "the pile was shuffled" + " " * blank


class BothOrders(OpenCards):
    """A tally whose two entries stand in the order of the two top cards, so that each entry alone tells nothing."""

    def observe(self, agent: str) -> dict[str, Any]:
        seen = super().observe(agent)
        pair = [3, 1] if 8 in self.hands[after(agent)] else [1, 3]
        if sum(self.hands[agent]) % 2:
            pair.reverse()
        seen["observation"]["tally"] = np.array([*pair, sum(self.hands[agent]) % 2], np.int8)
        return seen


# --- without a leak ------------------------------------------------------------------------------------------------


def test_independent_noise_isnt_a_leak() -> None:
    report = attacked(Noisy, 300, "the 8")["the 8"]
    report.check()
    assert not report.leak
    assert not report.posterior_is_off
    assert "no leak found" in str(report)


@pytest.mark.slow
def test_without_a_leak_z_is_like_a_normal_number() -> None:
    z = [
        report.z for seed in range(12) for report in attacked(OpenCards, 60, seed=seed, models=[Linear(4, 30)]).values()
    ]
    assert abs(np.mean(z)) < 4 / np.sqrt(len(z))
    assert 0.5 < np.std(z) < 1.5


# --- planted leaks -------------------------------------------------------------------------------------------------


def test_a_text_whose_length_leaks_is_found() -> None:
    report = attacked(LongerText, 400, "high on top")["high on top"]
    assert report.leak
    assert report.told_by[0] == "words length"
    assert report.classifier_loss < report.posterior_loss
    with pytest.raises(Leak, match="words length") as found:
        report.check("high on top")
    assert found.value.names[0] == "words length"


def test_trees_find_what_leaks_only_together() -> None:
    report = attacked(BothOrders, 300, "the 8")["the 8"]
    assert report.leak
    assert report.model.startswith("40 trees")


# --- samples and their posterior -----------------------------------------------------------------------------------


def made(count: int = 200, told: float = 0.0, chance: float = 0.5, seed: int = 0) -> Samples:
    """Coins of `count` games with one moment each, and a feature that shows the coin with probability `told`."""
    rng = np.random.default_rng(seed)
    fact = (rng.random(count) < 0.5).astype(np.int64)
    shown = np.where(rng.random(count) < told, fact, rng.random(count) < 0.5)
    features = np.column_stack([shown, rng.random((count, 3))]).astype(np.float32)
    posterior = np.tile([1 - chance, chance], (count, 1))
    return Samples(features, fact, posterior, np.arange(count), ["shown", "a", "b", "c"])


def test_an_inexact_posterior_is_not_reported_as_a_leak() -> None:
    report = attack(made(1000, chance=0.3))
    assert report.posterior_is_off
    assert "the posterior isn't exact" in str(report)
    with pytest.raises(ValueError, match="isn't exact"):
        report.check()


def test_the_gain_is_about_what_there_is_to_be_gained() -> None:
    report = attack(made(4000, told=0.5))
    share = 0.75  # of the moments at which the feature is right
    most = np.log(2) + share * np.log(share) + (1 - share) * np.log(1 - share)
    assert report.interval[0] < most < report.interval[1]
    assert abs(report.classifier_accuracy - share) < 0.03
    assert report.told_by[0] == "shown"


def test_the_odds_alone_are_enough_where_games_are_few() -> None:
    report = attack(made(60, told=1.0))
    assert report.log_odds > 13.8
    assert report.leak


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"posterior": np.full((200, 2), 0.6)}, "add up to 1"),
        ({"posterior": np.tile([1.0, 0.0], (200, 1))}, "rules out the truth"),
        ({"posterior": np.ones(200)}, r"shape \(200, k\)"),
        ({"game": np.arange(3)}, "as many games"),
        ({"names": ["one"]}, r"shape \(200, 1\)"),
    ],
)
def test_invalid_samples_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Samples(**{**vars(made()), **change})


def test_too_few_games_are_refused() -> None:
    with pytest.raises(ValueError, match="19 games have moments"):
        attack(made(19))


def test_without_scikit_learn_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"\.\[leaks\]"):
        attack(made())


def test_what_reaches_an_agent_becomes_named_numbers() -> None:
    told = SPOKEN.adding({"story": lambda env, agent: list(env.story)})
    samples = gather(OpenCards, secrets, games=3, moments=1.0, agents=["bob"], channels=told)
    held = samples["top card"]
    assert held.features.shape == (len(held), len(held.names))
    assert {"observation hand[8]", "observation open[0]", "words length", "words lines", "words words[3]"} <= {
        *held.names
    }
    assert {"story length", "story[1] length"} <= {*held.names}
    assert held.features[:, held.names.index("observation sizes[0]")].max() >= 2
    assert set(held.game) == {0, 1, 2}
