"""A careful agent for River Rats: it tries each answer in games that may be the one it is in.

What the seat doesn't know is dealt at random, many times over; every answer is played on from there to the end of the
round by the rules of thumb, all seats knowing only what they may, and the answer that leaves the players best off is
given. It sees observations and masks only.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.games.river_rats.rules import engine
from riverbed_env.games.river_rats.rules.observe import unseen
from riverbed_env.games.river_rats.rules.state import GAME, PARAMS, VIEW
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS, Ending, Question, Refusal, Winner
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import STREAM, TRIED, draw, open_stream
from riverbed_env.players.agents import CompiledAgent

from .observation_reader import FOLDERS, Vector, kernel, read
from .outlook import SCENE, Bars, draw_bars, list_cards
from .rules import decide
from .stakes import rats_defeated, standing
from .weighing import keeping
from .worlds import Cards, deal_world

BARS = 48  # hands the rat may have, drawn for a decision
FEW_BARS = 16  # … drawn anew where its open cards change
WORLDS = 32  # games tried for a decision at most
BATCH = 8  # … before answers that do worse are given up
DOUBT = 0.3  # how much worse an answer may do, times the root of the number of games
FAVOUR = 0.004  # of the answer that the rules of thumb give

Records = npt.NDArray[np.void]
Worths = npt.NDArray[np.float64]


@kernel
def play_round(
    game: Record, params: Record, scene: Record, bars: Bars, few: Bars, cards: Cards, stream: Record
) -> float:
    """Play on to the end of the round by the rules of thumb; the worth of the game then."""
    table = game["table"]
    shown = int(table["rat_up"])
    few_shown = 0
    refused: int = Refusal.OK
    while refused == Refusal.OK and table["ending"] == Ending.PLAYING and table["round"] == 0:
        own = game["private"][int(table["asked"])]
        pool = unseen(table, own)
        if int(table["rat_up"]) == shown:
            action = decide(table, own, params, pool, scene, bars)
        else:
            if int(table["rat_up"]) != few_shown:
                few_shown = int(table["rat_up"])
                draw_bars(table, cards, list_cards(pool, cards), stream, few)
            action = decide(table, own, params, pool, scene, few)
        refused = engine.step(game, params, action)
    if table["ending"] == Ending.OVER:
        return 1.0 * int(table["winner"] == Winner.PLAYERS)
    worth = standing(rats_defeated(table), int(table["rat_debt"]), int(table["debt"]), int(table["joker_up"]))
    return worth + kept(game)


@kernel
def kept(game: Record) -> float:
    """What the cards left in the players' hands are worth for the next round."""
    worth = 0.0
    for seat in range(int(game["table"]["num_players"])):
        hand = int(game["private"][seat]["hand"])
        for card in range(NUM_CARDS):
            if (hand >> card) & 1:
                others = (hand | int(game["table"]["market"])) & ~(1 << card)
                worth += keeping(card, others)
    return worth


@kernel
def try_answers(
    view: Record,
    params: Record,
    mask: Vector,
    scene: Record,
    games: Records,
    bars: Bars,
    stream: Record,
    worths: Worths,
) -> None:
    """Fill `worths` with what each answer has been worth on average, -1 for those not legal or given up."""
    few = np.zeros(FEW_BARS, np.int64)
    cards, unseen_cards = np.zeros(NUM_CARDS, np.int8), np.zeros(NUM_CARDS, np.int8)
    size = list_cards(unseen(view["table"], view["private"]), unseen_cards)
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
                    totals[action] += play_round(games[1], params, scene, bars, few, cards, stream)
        tried += BATCH
        give_up(totals, alive, tried)
    for action in range(len(mask)):
        worths[action] = -1.0
        if alive[action]:
            worths[action] = totals[action] / max(1, tried)


@kernel
def give_up(totals: Worths, alive: Vector, tried: int) -> None:
    """Leave out the answers that have done clearly worse than the best."""
    best = -1.0
    for action in range(len(alive)):
        if alive[action]:
            best = max(best, totals[action])
    for action in range(len(alive)):
        if alive[action] and best - totals[action] > DOUBT * np.sqrt(tried):
            alive[action] = 0


@kernel
def choose(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The agent's action for what it is asked."""
    views, params, scenes, games = np.zeros(1, VIEW), np.zeros(1, PARAMS), np.zeros(1, SCENE), np.zeros(2, GAME)
    streams = np.zeros(1, STREAM)
    open_stream(streams[0], draw(stream), 0, TRIED)
    return weigh_answers(observation, mask, streams[0], views, params, scenes, games)


@kernel
def weigh_answers(
    observation: Vector,
    mask: Vector,
    stream: Record,
    views: Records,
    params_array: Records,
    scenes: Records,
    games: Records,
) -> int:
    """The answer that leaves the players best off. The records are scratch, kept alive by the caller."""
    view, params, scene = views[0], params_array[0], scenes[0]
    read(observation, view, params)
    table, own = view["table"], view["private"]
    pool = unseen(table, own)
    cards = np.zeros(NUM_CARDS, np.int8)
    bars = np.zeros(BARS, np.int64)
    draw_bars(table, cards, list_cards(pool, cards), stream, bars)
    thumb = decide(table, own, params, pool, scene, bars)
    if table["question"] == Question.ACE or mask.sum() == 1:
        return thumb
    worths = np.zeros(len(mask))
    try_answers(view, params, mask, scene, games, bars, stream, worths)
    worths[thumb] += FAVOUR
    return int(np.argmax(worths))


CAREFUL = CompiledAgent(
    "careful", choose, folders=FOLDERS, about="tries its answers in games it may be in, played on by the rules of thumb"
)
