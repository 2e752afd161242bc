"""RS-4, the end: boat points, captain points, final scores and who wins."""

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import BANDS, CHURCH, NUM_COLOURS


@kernel
def boat_points(sheet: Record, boat: int) -> int:
    """RS-4.1: ticket points and all excursion points of a guide boat; of the stave church boat its excursions."""
    points = int(sheet["total"][boat])
    if boat != CHURCH:
        points += int(sheet["ticket_points"][boat])
    return points


@kernel
def captain_points(sheet: Record) -> int:
    """RS-4.1: stave church points and those of the lowest guide boat."""
    lowest = boat_points(sheet, 0)
    for boat in range(1, NUM_COLOURS):
        lowest = min(lowest, boat_points(sheet, boat))
    return lowest + boat_points(sheet, CHURCH)


@kernel
def subtotal(sheet: Record) -> int:
    """RS-4.1: all guide boats and the captain points, before the captain's reward."""
    points = captain_points(sheet)
    for boat in range(NUM_COLOURS):
        points += boat_points(sheet, boat)
    return points


@kernel
def captain_reward(table: Record, params: Record, seat: int) -> int:
    """RS-4.1: off or on for the fewest and the most captain points, ties in full, none where all are tied.

    Alone it is earned from a fixed number of captain points on, and lost below it.
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
    """RS-4.1: everybody's captain points and final score, then the winners."""
    table = game["table"]
    for seat in range(int(params["num_players"])):
        table["captain"][seat] = captain_points(game["private"][seat]["sheet"])
    for seat in range(int(params["num_players"])):
        points = subtotal(game["private"][seat]["sheet"])
        table["final"][seat] = points + captain_reward(table, params, seat)
    table["winners"] = winners(table, params)


@kernel
def is_better(table: Record, one: int, other: int) -> bool:
    """RS-4.1: whether a seat is before another: by final score, then by captain points."""
    if table["final"][one] != table["final"][other]:
        return bool(table["final"][one] > table["final"][other])
    return bool(table["captain"][one] > table["captain"][other])


@kernel
def winners(table: Record, params: Record) -> int:
    """RS-4.1: the seats that nobody is before, as bits; alone, who reaches the score that wins."""
    if params["num_players"] == 1:
        return int(int(table["final"][0]) - int(params["deduction"]) >= int(params["solo_win"]))
    found = 0
    for seat in range(int(params["num_players"])):
        beaten = False
        for other in range(int(params["num_players"])):
            beaten = beaten or is_better(table, other, seat)
        if not beaten:
            found |= 1 << seat
    return found


@kernel
def band(params: Record, final: int) -> int:
    """RS-4.1: how many of the marks a final score reaches, with the extension after what is taken off first."""
    reached = 0
    for mark in range(BANDS):
        reached += int(final - int(params["deduction"]) >= int(params["bands"][mark]))
    return reached
