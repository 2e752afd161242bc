"""RS-4, the end: boat points, captain points, final scores and winners."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import BANDS, CHURCH, NUM_COLOURS


@kernel
def boat_points(sheet: Record, boat: int) -> int:
    """RS-4.1: a guide boat's ticket and excursion points; the stave church boat's excursion points."""
    points = int(sheet["total"][boat])
    if boat != CHURCH:
        points += int(sheet["ticket_points"][boat])
    return points


@kernel
def captain_points(sheet: Record) -> int:
    """RS-4.1: the points of the stave church boat and of the lowest guide boat."""
    lowest = boat_points(sheet, 0)
    for boat in range(1, NUM_COLOURS):
        lowest = min(lowest, boat_points(sheet, boat))
    return lowest + boat_points(sheet, CHURCH)


@kernel
def subtotal(sheet: Record) -> int:
    """RS-4.1: the points of all guide boats and the captain points, before the captain's reward."""
    points = captain_points(sheet)
    for boat in range(NUM_COLOURS):
        points += boat_points(sheet, boat)
    return points


@kernel
def captain_reward(table: Record, params: Record, seat: int) -> int:
    """RS-4.1: plus for most and minus for fewest captain points; ties count in full, a tie of all gives 0.

    In solo play a fixed number of captain points earns the reward; fewer points lose it.
    """
    captain = int(table["captain"][seat])
    reward = int(params["reward"])
    if params["num_players"] == 1:
        if captain >= int(params["solo_from"]):
            return reward
        return -reward
    most = captain
    fewest = captain
    for other in range(int(params["num_players"])):
        most = max(most, int(table["captain"][other]))
        fewest = min(fewest, int(table["captain"][other]))
    return reward * int(captain == most) - reward * int(captain == fewest)


@kernel
def add_up(game: Record, params: Record) -> None:
    """RS-4.1: compute all captain points, then the final scores, which depend on them, and the winners."""
    table = game["table"]
    for seat in range(int(params["num_players"])):
        table["captain"][seat] = captain_points(game["private"][seat]["sheet"])
    for seat in range(int(params["num_players"])):
        points = subtotal(game["private"][seat]["sheet"])
        table["final"][seat] = points + captain_reward(table, params, seat)
    table["winners"] = winners(table, params)


@kernel
def is_better(table: Record, one: int, other: int) -> bool:
    """RS-4.1: whether a seat ranks above another, by final score and then by captain points."""
    if table["final"][one] != table["final"][other]:
        return bool(table["final"][one] > table["final"][other])
    return bool(table["captain"][one] > table["captain"][other])


@kernel
def winners(table: Record, params: Record) -> int:
    """RS-4.1: the seats with nobody ranked above them, as bits; in solo play seat 0 if its score wins."""
    if params["num_players"] == 1:
        return int(int(table["final"][0]) - int(params["deduction"]) >= int(params["solo_win"]))
    winning_seats = 0
    for seat in range(int(params["num_players"])):
        beaten = False
        for other in range(int(params["num_players"])):
            beaten = beaten or is_better(table, other, seat)
        if not beaten:
            winning_seats |= 1 << seat
    return winning_seats


@kernel
def band(params: Record, final: int) -> int:
    """RS-4.1: how many marks a final score reaches, after the extension's deduction."""
    reached = 0
    for mark in range(BANDS):
        reached += int(final - int(params["deduction"]) >= int(params["bands"][mark]))
    return reached
