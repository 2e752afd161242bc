"""What a seat of River Rats knows, read back from its observation into the records the rules are written in.

The records hold nothing that the observation doesn't: the public table and the seat's own cards, the observer as seat
0. Cards that nobody shows are no part of them.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.games.river_rats.content.pack import MODES
from riverbed_env.games.river_rats.rules import kernels
from riverbed_env.games.river_rats.rules.pieces import NOW_SIZE, OBSERVATION
from riverbed_env.games.river_rats.rules.vocab import (
    MAX_SEATS,
    NO_CARD,
    NOBODY,
    NUM_CARDS,
    NUM_CATEGORIES,
    NUM_MODES,
    NUM_QUESTIONS,
    NUM_SUITS,
    NUM_ZONES,
    Ending,
    Mode,
    Question,
    Step,
    Winner,
)
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import KernelFamily, Record
from riverbed_env.kernels.vocab import Forced

FOLDERS = (Path(kernels.__file__).parent, Path(__file__).parent)

kernel = KernelFamily("river_rats_agents", *FOLDERS)

Vector = npt.NDArray[np.int8]

OWN_HAND, OWN_FACE_DOWN = OBSERVATION.start("own_hand"), OBSERVATION.start("own_face_down")
MARKET, DISCARD_PILE = OBSERVATION.start("market"), OBSERVATION.start("discard_pile")
RAT_CARDS, COLLECTIVE = OBSERVATION.start("rat_cards"), OBSERVATION.start("collective")
REVEALED, FIRST_DEBT = OBSERVATION.start("revealed"), OBSERVATION.start("first_debt")
JUST_PLAYED, SWAPPED_OUT = OBSERVATION.start("just_played"), OBSERVATION.start("swapped_out")
NUM_PLAYERS, MODE = OBSERVATION.start("num_players"), OBSERVATION.start("mode")
PREDICTION_RULE, QUESTION = OBSERVATION.start("prediction_rule"), OBSERVATION.start("question")
ASKED, ACTIVE, RAT = OBSERVATION.start("asked"), OBSERVATION.start("active"), OBSERVATION.start("rat")
DEFEATED, CHARACTERS = OBSERVATION.start("defeated"), OBSERVATION.start("characters")
HAND_SIZES, PLACER, ZONE = OBSERVATION.start("hand_sizes"), OBSERVATION.start("placer"), OBSERVATION.start("zone")
FLAGS, PREDICTED = OBSERVATION.start("flags"), OBSERVATION.start("predicted")
JOKERS, DECK, RAT_FACE_DOWN = OBSERVATION.start("jokers"), OBSERVATION.start("deck"), OBSERVATION.start("rat_face_down")
PILE, RAT_DEBT, DEBT = OBSERVATION.start("pile"), OBSERVATION.start("rat_debt"), OBSERVATION.start("debt")
SKIPS, TAKEN = OBSERVATION.start("skips"), OBSERVATION.start("taken")
RAT_DEBT_SEEN, DEBT_SEEN = OBSERVATION.start("rat_debt_seen"), OBSERVATION.start("debt_seen")

# RR-5.1, by mode: powers, abilities, face-down cards of the rat, what a joker does.
RULES = np.array(
    [[MODES[mode].powers, MODES[mode].abilities, MODES[mode].face_down, MODES[mode].joker] for mode in Mode], np.int64
)
NO_CAP = 1 << 30  # decisions


@kernel
def card_set(observation: Vector, start: int) -> int:
    """A piece of one number a card as a set of cards."""
    cards = 0
    for card in range(NUM_CARDS):
        cards |= int(observation[start + card] != 0) << card
    return cards


@kernel
def read_params(observation: Vector, params: Record) -> None:
    """The rules in force; decisions with one answer are taken by themselves where a game is played on."""
    mode = one_hot(observation, MODE, NUM_MODES)
    params["max_decisions"] = NO_CAP
    params["num_players"] = 1 + one_hot(observation, NUM_PLAYERS, MAX_SEATS)
    params["auto_forced"] = Forced.ALL
    params["mode"] = mode
    params["prediction"] = one_hot(observation, PREDICTION_RULE, 2)
    params["powers"] = RULES[mode, 0]
    params["abilities"] = RULES[mode, 1]
    params["face_down"] = RULES[mode, 2]
    params["joker"] = RULES[mode, 3]


@kernel
def read_sets(observation: Vector, table: Record, own: Record) -> None:
    """Where the cards lie that the observer sees, and those it saw go into a hand or a debt."""
    own["hand"] = card_set(observation, OWN_HAND)
    own["placed"] = one_hot(observation, OWN_FACE_DOWN, NUM_CARDS)
    table["market"] = card_set(observation, MARKET)
    table["discard"] = card_set(observation, DISCARD_PILE)
    table["rat_up"] = card_set(observation, RAT_CARDS)
    table["collective"] = card_set(observation, COLLECTIVE)
    table["revealed"] = card_set(observation, REVEALED)
    table["taken"][:] = 0
    table["rat_debt_seen"] = 0
    table["debt_seen"] = 0
    if len(observation) > NOW_SIZE:
        for seat in range(MAX_SEATS):
            table["taken"][seat] = card_set(observation, TAKEN + seat * NUM_CARDS)
        table["rat_debt_seen"] = card_set(observation, RAT_DEBT_SEEN)
        table["debt_seen"] = card_set(observation, DEBT_SEEN)


@kernel
def step_of(question: int) -> int:
    """How the game goes on once a question is answered and nothing else is asked, as a Step."""
    if question == Question.ACE:
        return Step.ACES
    elif question == Question.DRAW or question == Question.PLAY:
        return Step.DRAW_OR_PLAY
    elif question == Question.USE_JOKER or question == Question.REVEAL_MORE:
        return Step.COMPARE
    return Step.END_TURN


@kernel
def read_question(observation: Vector, table: Record) -> None:
    """What is asked, of whom, and what is under way."""
    table["num_players"] = 1 + one_hot(observation, NUM_PLAYERS, MAX_SEATS)
    table["question"] = one_hot(observation, QUESTION, NUM_QUESTIONS)
    table["step"] = step_of(int(table["question"]))
    table["ending"] = Ending.PLAYING
    table["winner"] = Winner.NONE
    table["active"] = one_hot(observation, ACTIVE, MAX_SEATS)
    table["asked"] = one_hot(observation, ASKED, MAX_SEATS)
    table["placer"] = one_hot(observation, PLACER, MAX_SEATS)
    table["played"] = one_hot(observation, JUST_PLAYED, NUM_CARDS)
    table["swapped"] = one_hot(observation, SWAPPED_OUT, NUM_CARDS)
    table["zone"] = one_hot(observation, ZONE, NUM_ZONES)
    table["power"] = observation[FLAGS]
    table["drawn"] = observation[FLAGS + 1]
    table["joker_used"] = observation[FLAGS + 2]
    table["skips"] = observation[SKIPS]


@kernel
def read_sizes(observation: Vector, table: Record) -> None:
    """The rats, the characters, and how many cards, jokers and debts there are."""
    table["rat"] = one_hot(observation, RAT, NUM_SUITS)
    table["defeated"] = one_hot(observation, DEFEATED, NUM_SUITS)
    for seat in range(MAX_SEATS):
        table["character"][seat] = one_hot(observation, CHARACTERS + seat * NUM_SUITS, NUM_SUITS)
        table["hand_size"][seat] = observation[HAND_SIZES + seat]
    table["deck_size"] = observation[DECK]
    table["rat_down"] = observation[RAT_FACE_DOWN]
    table["pile_size"] = observation[PILE]
    table["first_debt"] = one_hot(observation, FIRST_DEBT, NUM_CARDS)
    table["rat_debt"] = observation[RAT_DEBT]
    table["debt"] = observation[DEBT]
    table["prediction"] = one_hot(observation, PREDICTED, NUM_CATEGORIES)
    table["joker_down"] = observation[JOKERS]
    table["joker_up"] = observation[JOKERS + 1]


@kernel
def read(observation: Vector, view: Record, params: Record) -> None:
    """Fill `view` with what the observer knows, the observer as seat 0, and `params` with the rules in force."""
    table = view["table"]
    view["seat"] = 0
    table["events"][:] = 0
    table["tally"][:] = 0
    table["decisions"] = 0
    table["event_count"] = 0
    table["turn"] = 0
    table["round"] = 0
    read_params(observation, params)
    read_sets(observation, table, view["private"])
    read_question(observation, table)
    read_sizes(observation, table)


@kernel
def known_collective(table: Record, own: Record) -> int:
    """The cards of the collective hand that a seat knows, as a set; a joker is none."""
    cards = int(table["collective"]) | int(table["revealed"])
    if own["placed"] != NO_CARD and table["placer"] != NOBODY:
        cards |= 1 << int(own["placed"])
    return cards
