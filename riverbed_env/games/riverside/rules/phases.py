"""RS-1, setup; RS-2.1, dice and ship; RS-5, phases: when they begin and end, and what they make public."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.random import AGENTS, CHANCE, DEAL, below, open_stream, shuffle

from . import kernel
from . import state as s
from . import vocab as v
from .boats import dice_value
from .river import measure, open_columns
from .scoring import add_up
from .state import count_deed, record_event


@kernel
def begin_round(game: Record, params: Record) -> None:
    """RS-2.1: roll and move the ship; at the anchor the game ends, else every seat chooses dice."""
    table = game["table"]
    table["round"] += 1
    roll(table, game["chance"])
    table["ship"] = min(int(params["anchor"]), int(table["ship"]) + int(table["temperature"]))
    record_event(table, v.Event.ROLL, v.NOBODY, v.NO_BOAT, v.NO_PLACE, int(table["temperature"]), int(table["ship"]))
    measure(table, params)
    for seat in range(int(params["num_players"])):
        forget_round(game, seat)
    if int(table["ship"]) >= int(params["anchor"]):
        finish(game, params)
    else:
        begin_phase(game, params, v.Phase.DICE, v.Question.DIE)


@kernel
def begin_phase(game: Record, params: Record, phase: int, question: int) -> None:
    """RS-5.1: ask every seat the phase's first question."""
    game["table"]["phase"] = phase
    for seat in range(int(params["num_players"])):
        game["private"][seat]["question"] = question


@kernel
def forget_round(game: Record, seat: int) -> None:
    """RS-5.1: clear a seat's choices of the round; its sheet is the one that all see."""
    game["private"][seat] = viewed(s.NO_CHOICES, s.PRIVATE)[0]
    game["private"][seat]["sheet"] = game["sheets"][seat]


@kernel
def end_phase(game: Record, params: Record) -> None:
    """RS-5.1: publish the choices and begin the next phase or round."""
    table = game["table"]
    for seat in range(int(params["num_players"])):
        if table["phase"] == v.Phase.DICE:
            publish_dice(game, params, seat)
        else:
            publish_excursions(game, seat)
        game["sheets"][seat] = game["private"][seat]["sheet"]
    if table["phase"] == v.Phase.DICE:
        begin_phase(game, params, v.Phase.EXCURSIONS, v.Question.VILLAGE)
    else:
        begin_round(game, params)


@kernel
def publish_dice(game: Record, params: Record, seat: int) -> None:
    """RS-5.1: publish a seat's dice, its new tickets and the powers it has unlocked."""
    table = game["table"]
    private = game["private"][seat]
    colour, green, fan = int(private["die"]), int(private["green"]), int(private["fan"])
    value = dice_value(table, colour, green, fan)
    record_event(table, v.Event.CHOOSE, seat, colour, v.NO_PLACE, value, green + 3 * fan)
    count_deed(table, seat, colour, 1)
    count_deed(table, seat, v.Deed.GREENS, int(green != v.Green.WITHOUT))
    for position in range(int(private["queued"])):
        boat = int(private["queue"][position]) // v.ROWS
        row = int(private["queue"][position]) % v.ROWS
        record_event(table, v.Event.TICKET, seat, boat, v.NO_PLACE, int(params["points"][boat, row]), row + 1)
    for boat in range(len(params["power"])):
        power = int(params["power"][boat])
        before = int(game["sheets"][seat]["power"][power])
        if before == v.Charge.LOCKED and private["sheet"]["power"][power] != v.Charge.LOCKED:
            record_event(table, v.Event.UNLOCK, seat, boat, v.NO_PLACE, 0, power + 1)


@kernel
def publish_excursions(game: Record, seat: int) -> None:
    """RS-5.1: publish a seat's villages, the +1 symbols spent and the scores."""
    table = game["table"]
    private = game["private"][seat]
    visits = int(private["visits"])
    if visits == 0:
        record_event(table, v.Event.STAY, seat, v.NO_BOAT, v.NO_PLACE, 0, 0)
    count_deed(table, seat, v.Deed.EXCURSIONS, visits)
    for at in range(min(visits, v.MAX_VISITS)):
        place = int(private["place"][at])
        how = int(private["speed"] == at + 1) + 2 * int(at > 0)
        record_event(table, v.Event.EXCURSION, seat, v.NO_BOAT, place, int(private["extended"][at]), how)
        for boat in range(v.NUM_BOATS):
            points = int(private["points"][at, boat])
            if points > 0:
                prize = int(private["prize"] == boat and int(private["prize_visit"]) <= at)
                record_event(table, v.Event.SCORE, seat, boat, place, points, prize)
                count_deed(table, seat, v.Deed.SCORES, 1)


@kernel
def finish(game: Record, params: Record) -> None:
    """RS-2.1, RS-4.1: end the game before phase 2, because the ship is at the anchor, and compute the scores."""
    table = game["table"]
    table["phase"] = v.Phase.OVER
    table["ending"] = v.Ending.FINISHED
    add_up(game, params)
    shared = 0
    for seat in range(v.MAX_SEATS):
        shared += (int(table["winners"]) >> seat) & 1
    record_event(table, v.Event.FINISH, v.NOBODY, v.NO_BOAT, v.NO_PLACE, shared, 0)


@kernel
def truncate(game: Record) -> None:
    """RS-5.2: stop the game at the cap on steps; choices that aren't public yet stay private."""
    table = game["table"]
    table["phase"] = v.Phase.OVER
    table["ending"] = v.Ending.TRUNCATED
    for seat in range(v.MAX_SEATS):
        game["private"][seat]["question"] = v.Question.NONE
    record_event(table, v.Event.TRUNCATE, v.NOBODY, v.NO_BOAT, v.NO_PLACE, 0, 0)


@kernel
def roll(table: Record, stream: Record) -> None:
    """RS-2.1: roll the five base dice and the green die."""
    for die in range(v.NUM_DICE):
        table["dice"][die] = 1 + below(stream, v.PIPS)
    table["temperature"] = median(table)
    table["heated"] = heated(table)


@kernel
def median(table: Record) -> int:
    """RS-2.1: the temperature, the median pips of the five base dice."""
    for pips in range(1, v.PIPS):
        lower = 0
        for colour in range(v.NUM_COLOURS):
            lower += int(table["dice"][colour] <= pips)
        if 2 * lower > v.NUM_COLOURS:
            return pips
    return v.PIPS


@kernel
def heated(table: Record) -> int:
    """RS-2.1: the base dice above the temperature, as bits; the green die is always heated."""
    heated_dice = 0
    for colour in range(v.NUM_COLOURS):
        if table["dice"][colour] > table["temperature"]:
            heated_dice |= 1 << colour
    return heated_dice


@kernel
def deal(game: Record, params: Record, seed: int, number: int) -> None:
    """RS-1.1: deal game `number` of `seed`, independent of the players' actions, and begin the first round."""
    game["seed"] = seed
    game["number"] = number
    stream = game["chance"]  # used for the deal first, then opened again for the dice
    open_stream(stream, seed, number, DEAL)
    game["table"] = viewed(s.EMPTY_TABLE, s.TABLE)[0]
    game["timing"] = viewed(s.NO_TIMING, s.TIMING)[0]
    game["table"]["num_players"] = params["num_players"]
    lay_tiles(game["table"], params, stream)
    for seat in range(v.MAX_SEATS):
        lay_sheet(game, params, seat)
    open_stream(game["chance"], seed, number, CHANCE)
    open_stream(game["agents"], seed, number, AGENTS)
    begin_round(game, params)


@kernel
def lay_tiles(table: Record, params: Record, stream: Record) -> None:
    """RS-1.1: shuffle the river tiles in play and lay the north row, then the south row."""
    places = int(params["num_places"])
    table["tile"][:] = v.NO_TILE
    for place in range(places):
        table["tile"][place] = place
    shuffle(stream, table["tile"], min(places, v.MAX_PLACES))
    table["open_columns"] = open_columns(table, params)


@kernel
def lay_sheet(game: Record, params: Record, seat: int) -> None:
    """RS-1.2: write an empty sheet with all its fire and +1 symbols; an empty seat gets no symbols."""
    game["sheets"][seat] = viewed(s.EMPTY_SHEET, s.SHEET)[0]
    if seat < int(params["num_players"]):
        game["sheets"][seat]["fire"] = params["fire"]
        game["sheets"][seat]["plus"] = params["plus"]
    forget_round(game, seat)
