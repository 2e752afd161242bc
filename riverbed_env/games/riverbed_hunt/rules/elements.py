"""RH-6, elements, tracks and the end: tiles turned up and down, layer by layer."""

from riverbed_env.kernels.compile import Record

from . import kernel
from . import vocab as v
from .board import face_down_within_reach
from .knowledge import everybody_learns
from .stack import begin_program, close_question, count_choice, count_deed, push_frame, record_at, record_with
from .talk import close_floor, end_claims_on


@kernel
def turn_up(game: Record, params: Record, seat: int, space: int) -> None:
    """RH-6.1: the seat turns a tile face-up; its layers are carried out next, from the top."""
    table = game["table"]
    tile = int(game["tile_at"][space])
    note_turned_up(table, params, seat, space, tile)
    table["tile"][space] = tile
    if table["said_count"] > 0:
        end_claims_on(table, space)
    table["face_down"] = int(table["face_down"]) & ~(1 << space)
    if table["hunting"]:
        table["hunted"] = int(table["hunted"]) | (1 << space)
    record_at(table, v.Event.REVEAL, seat, space, tile)
    count_deed(table, seat, v.Deed.REVEALS, 1)
    everybody_learns(game, tile, space)
    push_frame(table, v.Source.TILE, tile, space, seat, v.NO_PROGRAM)


@kernel
def note_turned_up(table: Record, params: Record, seat: int, space: int, tile: int) -> None:
    """RH-8.1: count in public that a seat turns up a tile it had looked at, or passes one over."""
    looked = int(table["seen"][seat])
    if (looked >> space) & 1:
        for track in range(v.NUM_TRACKS):
            count_choice(table, seat, v.Choice.KELP_UP + track, int(params["features"][tile, track]))
        count_choice(table, seat, v.Choice.KNOWN_UP, 1)
    elif looked & face_down_within_reach(table, params, seat) != 0:
        count_choice(table, seat, v.Choice.PASSED_OVER, 1)


@kernel
def turn_down(game: Record, params: Record, seat: int, space: int) -> None:
    """RH-6.3: the seat turns a tile face-down; its elements leave the tracks and its remaining layers are dropped."""
    table = game["table"]
    tile = int(table["tile"][space])
    for layer in range(int(table["layers_done"][space])):
        kind = int(params["layer_kind"][tile, layer])
        if kind < v.NUM_TRACKS:
            move_track(table, seat, kind, -int(params["layer_amount"][tile, layer]))
    for place in range(int(table["depth"])):
        frame = table["frames"][place]
        if frame["source"] == v.Source.TILE and frame["space"] == space:
            frame["layer"] = v.MAX_LAYERS
    table["tile"][space] = v.NO_TILE
    table["layers_done"][space] = 0
    table["face_down"] = int(table["face_down"]) | (1 << space)
    table["hunted"] = int(table["hunted"]) & ~(1 << space)
    record_at(table, v.Event.FLIP_DOWN, seat, space, tile)
    for track in range(v.NUM_TRACKS):
        count_choice(table, seat, v.Choice.KELP_DOWN + track, int(params["features"][tile, track]))


@kernel
def move_track(table: Record, seat: int, track: int, amount: int) -> None:
    """RH-6.1: move a track, and count it for the seat that caused it."""
    table["tracks"][track] = int(table["tracks"][track]) + amount
    count_deed(table, seat, track, amount)


@kernel
def carry_out_layer(game: Record, params: Record, frame: Record) -> None:
    """RH-6.1: carry out the next layer of the tile, or finish with the tile when none is left."""
    table = game["table"]
    tile = int(frame["thing"])
    layer = int(frame["layer"])
    if layer >= int(params["num_layers"][tile]):
        table["depth"] = int(table["depth"]) - 1
        return
    frame["layer"] = layer + 1
    table["layers_done"][int(frame["space"])] = layer + 1
    kind = int(params["layer_kind"][tile, layer])
    amount = int(params["layer_amount"][tile, layer])
    if kind == v.Element.TEXT:
        begin_program(frame, amount)
    else:
        move_track(table, int(frame["carrier"]), kind, amount)
        if int(table["tracks"][kind]) >= int(params["endpoints"][kind]):
            win(game, kind)


@kernel
def win(game: Record, camp: int) -> None:
    """RH-6.2: the camp of that track wins at once; RH-6.4: even if nobody plays it; RH-8.5: roles are shown."""
    table = game["table"]
    record_with(table, v.Event.WIN, v.NOBODY, v.NOBODY, camp)
    table["winner"] = camp
    for seat in range(v.MAX_SEATS):
        table["role"][seat] = game["private"][seat]["role"]
    finish(table, v.Ending.WON)


@kernel
def finish(table: Record, ending: int) -> None:
    """RH-6.2, RH-6.5: stop the game: no effect is under way and nobody is asked."""
    table["ending"] = ending
    table["depth"] = 0
    table["hunting"] = 0
    table["hunted"] = 0
    table["slipped"] = 0
    close_floor(table)
    close_question(table)


@kernel
def truncate(game: Record) -> None:
    """RH-6.5: the cap on decisions is reached; nobody wins and no role is shown, since the game wasn't decided."""
    record_with(game["table"], v.Event.TRUNCATE, v.NOBODY, v.NOBODY, 0)
    finish(game["table"], v.Ending.TRUNCATED)
