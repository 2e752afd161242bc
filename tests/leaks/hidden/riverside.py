"""RS-5.1: what a seat of Riverside may not know, redrawn: what others choose in the phase, and the dice to come.

Each of the others begins the phase again with the sheet that everybody saw then, and gives as many answers as were
asked for so far, drawn from those the rules allow. Who is still choosing shows in the order of turns (a ruling of
RS-5.1), so a twin for that keeps it; a view doesn't tell even this, and `twin_at_any_pace` redraws it as well.
"""

from collections.abc import Collection

import numpy as np

from riverbed_env.core.game import copy_records
from riverbed_env.games.riverside.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverside.rules.engine import take
from riverbed_env.games.riverside.rules.legality import write_mask
from riverbed_env.games.riverside.rules.phases import forget_round
from riverbed_env.games.riverside.rules.vocab import NO_BOAT, NO_DIE, Charge, Ending, Phase, Power, Question
from riverbed_env.testing.hidden import Disclosure, Games, Leak, Step, other_seats, redraw_future, streams

PARTS = ("chance", "choices")
SHEET_FIELDS = ("total", "last", "ticket_points", "crossed", "tickets", "power", "fire", "plus")
CHOICES = ("points", "queue", "queued", "paid", "question", "boat", "left", "die", "green", "fan", "visits", "place",
           "extended", "speed", "prize", "prize_visit")  # fmt: skip
TOUCHES = (
    streams("chance", "agents")
    | {f"private.sheet.{field}" for field in SHEET_FIELDS}
    | {f"private.{field}" for field in CHOICES}
)
# Choices of the dice phase, which are public in the next one.
OF_THE_DICE = ("queue", "queued", "paid", "die", "green", "fan")
ORDER_OF_TURNS = ("who is asked", "mask in observation", "mask in info", "last")
TRIES = 30


def twin(games: Games, params: Games, seat: int, rng: np.random.Generator, parts: Collection[str] = PARTS) -> Games:
    """The game with other chance, and other choices of the others in the phase; the same seats are still choosing."""
    world = copy_records(games)
    game = world[0]
    if "chance" in parts:
        redraw_future(game, rng, "chance", "agents")
    if "choices" in parts and game["table"]["ending"] == Ending.PLAYING:
        steps = steps_of_the_phase(game)
        for other in other_seats(game, seat):
            choose_otherwise(game, params[0], other, steps + is_through(game["timing"], other), rng)
    return world


def twin_at_any_pace(games: Games, params: Games, seat: int, rng: np.random.Generator) -> Games:
    """The game with other choices of the others in the phase, who may be through with it sooner or later.

    The step under way is as far as it was: seats below the one that is asked have answered in it.
    """
    world = copy_records(games)
    game = world[0]
    redraw_future(game, rng, "chance", "agents")
    steps, asked = steps_of_the_phase(game), int(game["timing"]["asked"])
    waiting = int(game["timing"]["waiting"]) & 1 << seat
    for other in other_seats(game, seat):
        choose_again(game, params[0], other, steps + (other < asked), rng)
        if other >= asked and game["private"][other]["question"] != Question.NONE:
            waiting |= 1 << other
    if waiting == 0:  # the phase would be over
        return twin(games, params, seat, rng)
    game["timing"]["waiting"] = waiting
    game["timing"]["asked"] = (waiting & -waiting).bit_length() - 1
    return world


def is_through(timing: np.void, seat: int) -> bool:
    """Whether the seat answers no more in the step under way."""
    return not int(timing["waiting"]) >> seat & 1


def steps_of_the_phase(game: np.void) -> int:
    """How many questions of the phase everybody has been asked before this step: as the asked seat has answered."""
    asked = int(game["timing"]["asked"])
    own, before = game["private"][asked], game["sheets"][asked]
    if game["table"]["phase"] == Phase.DICE:
        if own["question"] == Question.DIE:
            return 0
        return 1 + int(own["sheet"]["crossed"].sum()) - int(before["crossed"].sum())
    powers = own["sheet"]["power"] == Charge.USED, before["power"] == Charge.USED
    early = bool(powers[0][Power.EARLY_BIRDS] and not powers[1][Power.EARLY_BIRDS])
    return int(own["visits"]) + int((own["points"] > 0).sum()) + int(own["speed"] > 0) + early


def choose_otherwise(game: np.void, params: np.void, seat: int, answers: int, rng: np.random.Generator) -> None:
    """Draw other choices of a seat after which it is as far as it is now; keep its own if none are found."""
    kept = game["private"][seat].copy()
    for _ in range(TRIES):
        choose_again(game, params, seat, answers, rng)
        if (game["private"][seat]["question"] == Question.NONE) == (kept["question"] == Question.NONE):
            return
    game["private"][seat] = kept


def choose_again(game: np.void, params: np.void, seat: int, answers: int, rng: np.random.Generator) -> None:
    """Begin the phase again for a seat and give this many answers, fewer if it finishes earlier."""
    own, timing, kept = game["private"][seat], game["timing"].copy(), game["private"][seat].copy()
    forget_round(game, seat)
    if game["table"]["phase"] == Phase.DICE:
        own["question"] = Question.DIE
    else:
        own["question"] = Question.VILLAGE
        for field in OF_THE_DICE:
            own[field] = kept[field]
    mask = np.zeros(NUM_ACTIONS, np.int8)
    for _ in range(answers):
        if own["question"] == Question.NONE:
            break
        write_mask(game["table"], own, params, 1, mask)
        take(game, params, seat, int(rng.choice(np.flatnonzero(mask))))
    game["timing"] = timing


# --- what a step shows ------------------------------------------------------------------------------------------------


def told(one: Step, two: Step, agent: str) -> Disclosure:
    """RS-5.1: when a phase is over everybody learns what was chosen in it; then dice are rolled openly.

    Who is still choosing shows in the order of turns, and in nothing else. Leak where that order comes apart though
    the same seats are still choosing.
    """
    if shown(one) != shown(two):
        return Disclosure.OPENLY
    games = [step.env._games[0] for step in (one, two)]
    if games[0]["timing"]["asked"] == games[1]["timing"]["asked"]:
        return Disclosure.NOTHING
    if still_choosing(games[0]) == still_choosing(games[1]):
        raise Leak(f"{agent} can tell by who is asked, though the same seats are choosing", ["who is asked"])
    return Disclosure.ALONE


def is_phase_over(before: np.void, after: np.void) -> bool:
    """Whether a phase came to its end; a game that is cut off may stop in the middle of one (RS-5.2)."""
    table = after["table"]
    if table["round"] != before["round"]:
        return True
    if table["ending"] != Ending.TRUNCATED:
        return bool(table["phase"] != before["phase"])
    seated = after["private"][: int(table["num_players"])]
    through = (seated["die"] != NO_DIE) & (seated["boat"] == NO_BOAT)
    return bool(before["phase"] == Phase.DICE and through.all())


def phase(game: np.void) -> tuple[int, int]:
    """Round and phase."""
    return int(game["table"]["round"]), int(game["table"]["phase"])


def still_choosing(game: np.void) -> list[bool]:
    """Which seats have something left to choose in the phase."""
    return [bool(question != Question.NONE) for question in game["private"]["question"]]


def shown(step: Step) -> list[bytes]:
    """What a step has shown: nothing in mid-phase; else all choices, the sheets and the dice."""
    before, after = step.noted, step.env._games[0]
    if not is_phase_over(before["table"], after):
        return []
    return [before["private"].tobytes(), after["sheets"].tobytes(), after["table"]["dice"].tobytes()]
