"""The agent `careful` for River Rats: it tries each action in sampled games.

Many times it deals at random what the seat doesn't know, tries each action, and plays the round to its end by the rules
of thumb, where every seat uses only what it may know. It takes the action with the best mean value of the game.
"""

import numpy as np

from riverbed_env.games.river_rats.rules import engine
from riverbed_env.games.river_rats.rules.observe import unseen
from riverbed_env.games.river_rats.rules.state import GAME, PARAMS
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS, Ending, Question, Refusal, Winner
from riverbed_env.kernels.compile import Floats, Record, Records, Vector
from riverbed_env.kernels.random import STREAM, TRIED, draw, open_stream
from riverbed_env.kernels.vocab import Forced
from riverbed_env.players.agents import CompiledAgent, Memory

from .game_value import game_value, rats_defeated
from .kernels import kernel
from .outlook import SCENE, RatHands, draw_rat_hands, list_cards
from .rules import decide
from .simple import NUM_RAT_HANDS, by_rule
from .weighing import keeping
from .worlds import Cards, deal_world

FEW_RAT_HANDS = 16  # possible hands of the rat, sampled again whenever its open cards change
WORLDS = 32  # the most games sampled for each decision
BATCH = 8  # games between two checks that drop worse actions
DOUBT = 0.3  # an action is dropped if its total is worse by this times the root of the number of games
FAVOUR = 0.004  # bonus for the action by the rules of thumb
NO_CAP = 1 << 30  # decisions

Worths = Floats


@kernel
def play_round(
    game: Record,
    params: Record,
    this_round: int,
    scene: Record,
    rat_hands: RatHands,
    few: RatHands,
    cards: Cards,
    stream: Record,
) -> float:
    """Play the round to its end by the rules of thumb; return the value of the game."""
    table = game["table"]
    shown = int(table["rat_up"])
    few_shown = 0
    refused: int = Refusal.OK
    while refused == Refusal.OK and table["ending"] == Ending.PLAYING and table["round"] == this_round:
        own = game["private"][int(table["asked"])]
        pool = unseen(table, own)
        if int(table["rat_up"]) == shown:
            action = decide(table, own, params, pool, scene, rat_hands)
        else:
            if int(table["rat_up"]) != few_shown:
                few_shown = int(table["rat_up"])
                draw_rat_hands(table, cards, list_cards(pool, cards), stream, few)
            action = decide(table, own, params, pool, scene, few)
        refused = engine.step(game, params, action)
    if table["ending"] == Ending.OVER:
        return 1.0 * int(table["winner"] == Winner.PLAYERS)
    worth = game_value(rats_defeated(table), int(table["rat_debt"]), int(table["debt"]), int(table["joker_up"]))
    return worth + hands_value(game)


@kernel
def hands_value(game: Record) -> float:
    """What the cards left in the players' hands are worth in later rounds."""
    worth = 0.0
    for seat in range(int(game["table"]["num_players"])):
        hand = int(game["private"][seat]["hand"])
        for card in range(NUM_CARDS):
            if (hand >> card) & 1:
                others = (hand | int(game["table"]["market"])) & ~(1 << card)
                worth += keeping(card, others)
    return worth


@kernel
def try_actions(
    view: Record,
    params: Record,
    mask: Vector,
    scene: Record,
    games: Records,
    rat_hands: RatHands,
    stream: Record,
    worths: Worths,
) -> None:
    """Write the mean value of each action to `worths`; -1 for illegal and dropped actions."""
    few = np.zeros(FEW_RAT_HANDS, np.int64)
    cards, unseen_cards = np.zeros(NUM_CARDS, np.int8), np.zeros(NUM_CARDS, np.int8)
    size = list_cards(unseen(view["table"], view["private"]), unseen_cards)
    this_round = int(view["table"]["round"])
    totals = np.zeros(len(mask))
    alive = mask.copy()
    tried = 0
    while tried < WORLDS and alive.sum() > 1:
        for _ in range(BATCH):
            deal_world(view, unseen_cards, size, stream, games[0])
            for action in range(len(mask)):
                if alive[action]:
                    games[1] = games[0]
                    engine.step(games[1], params, action)
                    totals[action] += play_round(games[1], params, this_round, scene, rat_hands, few, cards, stream)
        tried += BATCH
        drop_worse(totals, alive, tried)
    for action in range(len(mask)):
        worths[action] = -1.0
        if alive[action]:
            worths[action] = totals[action] / max(1, tried)


@kernel
def drop_worse(totals: Worths, alive: Vector, tried: int) -> None:
    """Drop the actions that are clearly worse than the best one."""
    best = -1.0
    for action in range(len(alive)):
        if alive[action]:
            best = max(best, totals[action])
    for action in range(len(alive)):
        if alive[action] and best - totals[action] > DOUBT * np.sqrt(tried):
            alive[action] = 0


@kernel
def choose(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """The agent's action."""
    streams, rules = np.zeros(1, STREAM), np.zeros(1, PARAMS)
    open_stream(streams[0], draw(stream), 0, TRIED)
    rules[0] = params
    rules[0]["auto_forced"] = Forced.ALL
    rules[0]["max_decisions"] = NO_CAP
    return best_action(view, rules, mask, streams, np.zeros(1, SCENE), np.zeros(2, GAME))


@kernel
def best_action(view: Record, rules: Records, mask: Vector, streams: Records, scenes: Records, games: Records) -> int:
    """The best action. rules: (1,) PARAMS of the games tried; streams, scenes, games: scratch, kept by the caller."""
    rat_hands = np.zeros(NUM_RAT_HANDS, np.int64)
    usual = by_rule(view, rules[0], streams[0], scenes, rat_hands)
    if view["table"]["question"] == Question.ACE or mask.sum() == 1:
        return usual
    worths = np.zeros(len(mask))
    try_actions(view, rules[0], mask, scenes[0], games, rat_hands, streams[0], worths)
    worths[usual] += FAVOUR
    return int(np.argmax(worths))


CAREFUL = CompiledAgent.of(kernel, "careful", choose, "tries its actions in games played on by the rules of thumb")
