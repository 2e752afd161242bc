"""Nothing that reaches a seat predicts a hidden role, card, tile or choice better than the exact posterior does.

Leaks are planted too that are too faint or too noisy for paired worlds: there is chance in what a seat is shown, and it
leans a little towards something hidden.

In Riverbed Hunt the players are blind (`posteriors`). In the other two games players choose evenly among what is legal,
and the posteriors are simple. In River Rats how many answers are legal is public (hands are hidden, their sizes
aren't), so that all deals that agree with what was seen stay as likely: each card that nobody saw may lie in each
hidden place, but for the waiting River Rat, who is each unseen king as likely. In Riverside a die is chosen evenly
among the ways that the sheet allows, which everybody saw when the phase began.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from posteriors import blind, secrets

from riverbed_env.envs.aec import Observation, TurnEnv
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules.setup import card_of
from riverbed_env.games.river_rats.rules.vocab import ACE, ALL_CARDS, KING, NUM_RANKS, NUM_SUITS, Event, Suit
from riverbed_env.games.river_rats.rules.vocab import Step as Stage
from riverbed_env.games.river_rats.words.text import members
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_ROLES, Role
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules.vocab import GREEN, NUM_COLOURS, Charge, Phase, Power, Question
from riverbed_env.testing.leaks import Channels, Leak, Linear, Samples, Secret, aec_channels, attack, gather

HEARTS = range(NUM_RANKS)
LINEAR = [Linear(features, penalty) for features in (1, 4, 16) for penalty in (3.0, 300.0)]


def told(*left_out: str, **options: Any) -> Channels:
    """What reaches a seat while the game goes on, words and pictures too; options as of `aec_channels`."""
    words = {
        "state in words": lambda env, agent: env.describe_state(agent),
        "events in words": lambda env, agent: "\n".join(env.describe_events(viewer=agent)),
        "picture": lambda env, agent: env.render(agent),
    }
    channels = aec_channels(words=words, **options)
    return channels.without("form", "last", "who plays", "all rewards", "all flags", "reward", "done", *left_out)


def one_seat(env: TurnEnv) -> list[str]:
    """One seat at a time, by the number of decisions, which is public."""
    return [env.possible_agents[int(env._games[0]["table"]["decisions"]) % env.num_players]]


TOLD = told("who is asked")  # in Riverside that tells who is still choosing
TOLD_IN_NUMBERS = TOLD.without("state in words", "events in words", "picture")


# --- Riverbed Hunt ----------------------------------------------------------------------------------------------------

FACTS = {
    "role of the player to the left": {4, 7},
    "spare role": {4},
    "card in the hand to the left": {4, 7},
    "top card of the pile": {4, 7},
    "nearest unknown tile": {4, 7},
}


class Leaning(TurnEnv):
    """An entry of a ninth seat, which is absent, is 1 now and then; more often if a merchant sits to the left."""

    def observe(self, agent: str) -> Observation:
        seen, game, seat = super().observe(agent), self._games[0], self._seat_of[agent]
        vector = seen["observation"].copy()
        key = [int(game["chance"]["key"]), int(game["table"]["decisions"]), seat]
        merchant = game["private"][(seat + 1) % self.num_players]["role"] == Role.MERCHANT
        place = OBSERVATION.start("roles_shown") + 8 * NUM_ROLES
        vector[place] = np.random.default_rng(key).random() < (0.3 if merchant else 0.1)
        return {**seen, "observation": vector}


def hunt_samples(
    kind: type[TurnEnv], num_players: int, games: int, channels: Channels, moments: float
) -> dict[str, Samples]:
    return gather(
        lambda: kind(RIVERBED_HUNT, num_players=num_players, render_mode="ansi"),
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
def test_no_classifier_predicts_a_secret_of_the_hunt(num_players: int) -> None:
    gathered = hunt_samples(TurnEnv, num_players, 350, told(pieces=OBSERVATION.named), 0.1)
    assert gathered.keys() == {fact for fact, players in FACTS.items() if num_players in players}
    for fact, held in gathered.items():
        report = attack(held)
        report.check(f"{fact}, {num_players} players")
        assert report.moments > 300
        assert report.games > 100


@pytest.mark.slow
def test_chance_that_leans_towards_a_role_is_found() -> None:
    channels = told("state in words", "events in words", "picture", "mask", "who is asked", pieces=OBSERVATION.named)
    gathered = hunt_samples(Leaning, 7, 400, channels, 0.2)
    with pytest.raises(Leak) as found:
        attack(gathered["role of the player to the left"], models=LINEAR).check("a role")
    assert "observation roles_shown[40]" in found.value.names


# --- River Rats -------------------------------------------------------------------------------------------------------


def never_seen(env: TurnEnv, seat: int) -> list[int]:
    """The cards that the seat has never seen: they lie in all hidden places, the waiting River Rat among them."""
    game = env._games[0]
    table, own = game["table"], game["private"][seat]
    seen = int(own["hand"]) | int(table["rat_debt_seen"]) | int(table["debt_seen"])
    for pile in ("market", "discard", "rat_up", "collective", "revealed"):
        seen |= int(table[pile])
    for other in range(env.num_players):
        seen |= int(table["taken"][other]) | 1 << card_of(int(table["character"][other]), ACE)
    for suit in (int(table["rat"]), int(table["defeated"])):
        seen |= 1 << card_of(suit, KING) if suit != Suit.NONE else 0
    for card in (int(own["placed"]), int(table["first_debt"])):
        seen |= 1 << card if card >= 0 else 0
    return members(ALL_CARDS & ~seen)


def suits_of_a_hidden_card(cards: list[int], waits: bool) -> np.ndarray:
    """The chances of each suit for one hidden place, the waiting River Rat's apart. cards: those never seen."""
    kings = sum(card % NUM_RANKS == KING for card in cards)
    chances = np.zeros(NUM_SUITS)
    for card in cards:
        chances[card // NUM_RANKS] += (kings - 1) / kings if waits and card % NUM_RANKS == KING else 1.0
    return chances / chances.sum()


def chance_of_a_heart(cards: list[int], size: int, waits: bool) -> float:
    """The chance that this many hidden places hold a heart; averaged over the kings that may be waiting."""
    kings = [card for card in cards if card % NUM_RANKS == KING] if waits else [None]
    found = 0.0
    for king in kings:
        left = [card for card in cards if card != king]
        others = sum(card not in HEARTS for card in left)
        found += 1 - comb(others, size) / comb(len(left), size)
    return found / len(kings)


def hidden_cards(env: TurnEnv, agent: str) -> dict[str, Secret]:
    """Suits of the lowest face-down card and of the deck's top one, and whether the next seat drew a heart unseen."""
    game, seat = env._games[0], env.possible_agents.index(agent)
    table = game["table"]
    if table["step"] == Stage.ACES or table["tally"][Event.RESHUFFLE] > 0:
        return {}
    cards, waits = never_seen(env, seat), bool(table["defeated"] == Suit.NONE)
    suits, found = suits_of_a_hidden_card(cards, waits), {}
    if table["rat_down"] > 0:
        found["face-down card"] = Secret(int(game["face_down"][0]) // NUM_RANKS, suits)
    if table["deck_size"] > 0:
        found["top card"] = Secret(int(game["deck"][int(table["deck_size"]) - 1]) // NUM_RANKS, suits)
    other = (seat + 1) % env.num_players
    strange = members(int(game["private"][other]["hand"]) & ~int(table["taken"][other]))
    if strange and table["placer"] != other:
        chance = chance_of_a_heart(cards, len(strange), waits)
        found["heart in the next hand"] = Secret(int(any(card in HEARTS for card in strange)), [1 - chance, chance])
    return found


class Marked(TurnEnv):
    """The back of the lowest face-down card is marked now and then, more often if it is a heart."""

    def observe(self, agent: str) -> Observation:
        seen, game = super().observe(agent), self._games[0]
        vector = seen["observation"].copy()
        key = [int(game["chance"]["key"]), int(game["table"]["decisions"])]
        heart = game["table"]["rat_down"] > 0 and int(game["face_down"][0]) in HEARTS
        vector[RIVER_RATS.observation.start("skips")] = np.random.default_rng(key).random() < (0.4 if heart else 0.1)
        return {**seen, "observation": vector}


def rats_samples(kind: type[TurnEnv], games: int, channels: Channels) -> dict[str, Samples]:
    return gather(
        lambda: kind(RIVER_RATS, num_players=3, render_mode="ansi"),
        hidden_cards,
        games=games,
        seed=3,
        agents=one_seat,
        channels=channels,
        moments=0.12,
    )


@pytest.mark.slow
def test_no_classifier_predicts_a_hidden_card() -> None:
    gathered = rats_samples(TurnEnv, 250, TOLD)
    assert gathered.keys() == {"face-down card", "top card", "heart in the next hand"}
    for fact, held in gathered.items():
        report = attack(held, models=LINEAR)
        report.check(fact)
        assert report.moments > 300


@pytest.mark.slow
def test_a_marked_card_is_found() -> None:
    gathered = rats_samples(Marked, 250, TOLD_IN_NUMBERS)
    with pytest.raises(Leak):
        attack(gathered["face-down card"], models=LINEAR).check("a marked card")


# --- Riverside --------------------------------------------------------------------------------------------------------


def ways_to_choose(game: np.void, seat: int) -> np.ndarray:
    """RS-2.2, RS-3.1: the ways to choose each base die, by the sheet that everybody saw, shape (colours,)."""
    table, sheet = game["table"], game["sheets"][seat]
    fire, dice = int(sheet["fire"]), [int(pips) for pips in table["dice"]]
    fans = 1 + (sheet["power"][Power.FAN_BASE] == Charge.READY)
    ways = np.zeros(NUM_COLOURS)
    for colour in range(NUM_COLOURS):
        cost = dice[colour] * (int(table["heated"]) >> colour & 1)
        warm = sheet["power"][Power.WARM_NIGHT] == Charge.READY
        ways[colour] = fans * ((cost <= fire) * (1 + warm) + (cost + dice[GREEN] <= fire))
    return ways


def first_choice(env: TurnEnv, agent: str) -> dict[str, Secret]:
    """Which base die the seat before has just chosen, while this one is asked for its own."""
    game, seat = env._games[0], env.possible_agents.index(agent)
    ways = ways_to_choose(game, seat - 1)
    return {"die": Secret(int(game["private"][seat - 1]["die"]), ways / ways.sum())}


def is_first_step(env: TurnEnv, rng: np.random.Generator) -> bool:
    """Whether a seat but the first is asked for its dice: what is asked, and of whom, is the same whatever they are."""
    game = env._games[0]
    asked = int(game["timing"]["asked"])
    return bool(
        asked > 0 and game["table"]["phase"] == Phase.DICE and game["private"][asked]["question"] == Question.DIE
    )


class Blotted(TurnEnv):
    """The die that the seat before has chosen is now and then written where the sheet of an absent seat would be."""

    def observe(self, agent: str) -> Observation:
        seen, game = super().observe(agent), self._games[0]
        vector, seat = seen["observation"].copy(), self._seat(agent)
        key = [int(game["chance"]["drawn"]), int(game["chance"]["key"]), seat]
        place = RIVERSIDE.observation.start("villages") - NUM_COLOURS
        if seat > 0 and np.random.default_rng(key).random() < 0.3:
            vector[place + int(game["private"][seat - 1]["die"])] = 1
        return {**seen, "observation": vector}


def side_samples(kind: type[TurnEnv], games: int, channels: Channels) -> Samples:
    gathered = gather(
        lambda: kind(RIVERSIDE, num_players=3, render_mode="ansi"),
        first_choice,
        games=games,
        seed=3,
        agents=lambda env: [env.agent_selection],
        channels=channels,
        moments=is_first_step,
    )
    return gathered["die"]


@pytest.mark.slow
def test_no_classifier_predicts_a_choice_of_the_phase() -> None:
    report = attack(side_samples(TurnEnv, 60, TOLD), models=LINEAR)
    report.check("the die of the seat before")
    assert report.moments > 300


@pytest.mark.slow
def test_a_choice_that_shows_now_and_then_is_found() -> None:
    with pytest.raises(Leak) as found:
        attack(side_samples(Blotted, 90, TOLD_IN_NUMBERS), models=LINEAR).check("the die of the seat before")
    assert any(name.startswith("observation") for name in found.value.names)
