"""Riverbed Hunt in plain English: actions, events, views, observations; from the same tables as the rules.

Everything said about a seat's knowledge comes from its view (RH-8): only `look` reads a game for a seat.
"""

from typing import Any

import numpy as np

from riverbed_env.core import text as common
from riverbed_env.core.text import Gap, Name, number_gap
from riverbed_env.kernels.common import byte_of
from riverbed_env.kernels.compile import Records, Vector
from riverbed_env.kernels.vocab import MAX_EVENTS

from ..content.pack import Pack
from ..rules import vocab as v
from ..rules.actions import ACTIONS
from ..rules.invariants import Violation
from ..rules.state import VIEW, look
from ..rules.talk import claim_at
from .speech import PHRASES, Claim, claim_of, speak, standing

TRACKS = tuple(v.Element(track).name.lower() for track in range(v.NUM_TRACKS))
WORDS = common.read_words(__file__)
describe_refusal = common.describer(v.Refusal)
describe_violation = common.describer(Violation)


def card_name(pack: Pack, card: int) -> str:
    """The name of a card kind, or its number if the pack doesn't have it."""
    return pack.cards[card].name if card < len(pack.cards) else f"card {card}"


def describe_layers(pack: Pack, tile: int) -> list[str]:
    """The layers of a tile from the top, like "2 kelp" or "text O"."""
    return [
        f"text {layer.text.name}" if layer.text else f"{layer.amount} {layer.element.name.lower()}"
        for layer in pack.layers(tile)
    ]


def describe_tile(pack: Pack, tile: int) -> str:
    """A tile by number: its layers from the top and its hunt icon."""
    icon = ", hunt icon" if pack.tiles[tile].hunt else ""
    return f"tile {tile} ({' | '.join(describe_layers(pack, tile))}{icon})"


def describe_action(pack: Pack, game: np.void, action: int, seat: int) -> str:
    """What an action means for `seat` now. Raises IndexError if there is no such action."""
    name, argument = ACTIONS.split(action)
    table = game["table"]
    question = v.Question(int(table["question"]))
    if action >= ACTIONS.starts["SILENT"]:
        verb = v.Verb(action - ACTIONS.starts["SILENT"])
        return f"say: {PHRASES[verb].format(seat='player …', space='space …')}" if verb else "be silent"
    if name in ("SPACE", "SEAT"):
        return _describe_object(table, question, name, argument, seat)
    if name == "CARD":
        return f"{'discard' if question == v.Question.DISCARD else 'play'} {card_name(pack, argument)}"
    if name == "READY":
        return f"ready {'Swim' if argument else 'Dive'}"
    return WORDS["stop"].get(question.name, ACTIONS.words(name)) if name == "STOP" else ACTIONS.words(name)


def _describe_object(table: np.void, question: v.Question, name: str, argument: int, seat: int) -> str:
    """What choosing a space or a seat means; the verb of a claim may be of the other kind, or the seat empty."""
    num_players = int(table["num_players"])
    if name == "SEAT" and argument >= num_players:
        return f"choose the player {argument} seats clockwise"
    about = argument if name == "SPACE" else (seat + argument) % num_players
    verb, first = v.Verb(int(table["verb"])), chosen_before(table)
    if question == v.Question.ABOUT and verb and (name == "SPACE") == ("{space}" in PHRASES[verb]):
        return f"say: {speak(Claim(verb, about))}"
    if name == "SPACE" and first is not None:
        return f"swap the tiles on spaces {first + 1} and {argument + 1}"
    if name == "SPACE":
        return WORDS["space"].get(question.name, "choose space {}").format(argument + 1)
    return f"choose player_{about}"


def chosen_before(table: np.void) -> int | None:
    """The space of the tile that was chosen first for the swap under way, or None."""
    depth = int(table["depth"])
    if int(table["question"]) != v.Question.SWAP or not depth:
        return None
    chosen = int(table["frames"][depth - 1]["chosen"])
    return chosen.bit_length() - 1 if chosen else None


# --- events -----------------------------------------------------------------------------------------------------------


def _whose(pack: Pack, event: Any, name: Name) -> str:
    """The meeple that moves."""
    own = event.other == event.actor and name(event.actor) != common.YOU
    return "their" if own else common.possessive(name(event.other))


_READIED = ("Dive and Swim", "Dive", "Swim")
_CAMPS = common.coded((camp, camp.name.lower()) for camp in v.Camp if camp >= 0)
EVENTS = common.EventTable(
    v.EVENTS,
    {
        "others": Gap(lambda pack, event, name: common.possessive(name(event.other)), "B's"),
        "whose": Gap(_whose, "B's"),
        "card": Gap(lambda pack, event, name: card_name(pack, event.thing), "card X", "card kind, from 0"),
        "text": Gap(lambda pack, event, name: "".join(f": {card.words}" for card in pack.cards[event.thing :][:1]), ""),
        "tile": Gap(lambda pack, event, name: describe_tile(pack, event.thing), "tile X", "number of the tile, from 1"),
        "what": number_gap("thing", "X", common.coded(enumerate(_READIED)), _READIED.__getitem__),
        "camp": number_gap("thing", "camp X", _CAMPS, lambda camp: v.Camp(camp).words),
    },
)
_LOOKS = (v.Event.DIVE, v.Event.VIEW, v.Event.SHOW)


def describe_events(pack: Pack, game: np.void, since: int = 0, viewer: int | None = None) -> list[str]:
    """The last public events (at most 32) and claims (at most 32), oldest first, without the first `since` of the game.

    Said to `viewer`: their seat is "you", and behind their looks stands what they know they saw.
    """
    return [words for _, words in tell_events(pack, game, since, viewer)]


def tell_events(pack: Pack, game: np.void, since: int = 0, viewer: int | None = None) -> list[tuple[str, str]]:
    """What `describe_events` says, each with its kind; kinds of claims begin with "say"."""
    table, name = game["table"], common.addressing(viewer)
    events = EVENTS.happened(table)
    told = [EVENTS.say(pack, event, name) for event in events]
    if viewer is not None:
        own = common.view_of(look, VIEW, game, viewer)["private"]
        told = [words + seen for words, seen in zip(told, _what_was_seen(pack, own, events, viewer), strict=True)]
    kinds = [v.Event(event.kind).name.lower() for event in events]
    first_event = int(table["event_count"]) - len(told)
    happened = [((first_event + place, 1, place), event) for place, event in enumerate(zip(kinds, told, strict=True))]
    for place in range(min(int(table["said_count"]), MAX_EVENTS)):
        word = claim_at(table, place)  # with the number of events before it
        kind = f"say_{v.Verb(byte_of(word, 1)).name.lower()}"
        happened.append(((word >> 32, 0, -place), (kind, describe_claim(word, name))))
    in_order = [event for _, event in sorted(happened)]
    return in_order[max(0, len(in_order) - max(0, count_events(game) - since)) :]


def count_events(game: np.void) -> int:
    """How many events and claims there were so far."""
    return int(game["table"]["event_count"]) + int(game["table"]["said_count"])


def describe_claim(word: int, name: Name = common.at_the_table) -> str:
    """A claim of the ring `said` in a sentence: "player_2 says: space 5 bears kelp"."""
    seat, claim = claim_of(word)
    speaker = name(seat)
    return f"{speaker} {'say' if speaker == common.YOU else 'says'}: {speak(claim)}"


def _what_was_seen(pack: Pack, own: np.void, events: list[Any], viewer: int) -> list[str]:
    """What the viewer saw at each event, as far as they still know it.

    Goes back from the newest event and keeps where a tile lies now; a shuffle hides where it went.
    """
    now: list[int | None] = [None, *range(v.NUM_SPACES)]  # by the space, from 1, where a tile lay then
    seen = []
    for event in reversed(events):
        words = ""
        if event.kind in _LOOKS and viewer in (event.actor, event.other):
            space = now[event.space]
            if space is not None and own["known"][space] != v.NO_TILE:
                words = f": {describe_tile(pack, int(own['known'][space]))}"
        elif event.kind == v.Event.LOOK_AT_ROLE and event.actor == viewer:
            words = f": {v.Role(int(own['looked'][event.other])).words}"
        elif event.kind == v.Event.SWAP:
            now[event.space], now[event.second] = now[event.second], now[event.space]
        elif event.kind == v.Event.SHUFFLE:
            now = [None] * len(now)
        seen.append(words)
    return seen[::-1]


# --- the table as a seat knows it -------------------------------------------------------------------------------------


def seen_by(games: Records, viewer: int | None) -> np.void:
    """A view: what the seat may know, or (None) what everybody knows."""
    return common.view_of(look, VIEW, games[0], v.PUBLIC if viewer is None else viewer)


def describe_state(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """The game in sentences: what a seat knows, or (None) everything."""
    game, view = games[0], seen_by(games, viewer)
    table, own = view["table"], view["private"]
    ends = params[0]["endpoints"].tolist()
    tracks = ", ".join(f"{name} {int(table['tracks'][track])} of {ends[track]}" for track, name in enumerate(TRACKS))
    lines = [f"{state_of_play(pack, games, params, viewer)}. Turn {int(table['turn'])}. Tracks: {tracks}."]
    for player in range(int(table["num_players"])):
        lines.append(_describe_player(view, player, viewer))
    for space in range(v.NUM_SPACES):
        if int(table["occupied"]) >> space & 1:
            up = not int(table["face_down"]) >> space & 1
            side = "face-up" if up else "face-down"
            known = int(own["known"][space])
            could = [str(tile + 1) for tile in range(v.NUM_TILES) if int(own["possible"][tile]) >> space & 1]
            said = describe_tile(pack, known) if known != v.NO_TILE else f"one of tiles {', '.join(could)}"
            lines.append(f"Space {space + 1}: {side}, {said}.")
    lines += [line for seat in range(int(table["num_players"])) if (line := describe_standing(table, seat, viewer))]
    lines.append(f"Draw pile {int(table['draw_pile'])}; discard pile {_cards(pack, table['discard_pile'])}.")
    if viewer is not None:
        return "\n".join([*lines, f"Your hand: {_cards(pack, own['hand'])}."])
    lines.append("Hidden:")
    for seat in range(int(table["num_players"])):
        own = game["private"][seat]
        lines.append(f"player_{seat}: {v.Role(int(own['role'])).words}, hand {_cards(pack, own['hand'])}.")
    for space in range(v.NUM_SPACES):
        if int(table["face_down"]) >> space & 1:
            lines.append(f"Space {space + 1}: {describe_tile(pack, int(game['tile_at'][space]))}.")
    return "\n".join(lines)


def describe_standing(table: np.void, seat: int, viewer: int | None) -> str:
    """RH-9.7: what of a player's claims stands, in a line; "" if nothing does."""
    claims = standing(table, seat)
    return f"{common.heading(seat, viewer)} claims: {'; '.join(map(speak, claims))}." if claims else ""


def state_of_play(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """Who has to choose what, or how the game ended."""
    table = games[0]["table"]
    if table["ending"] != v.Ending.PLAYING:
        return result(pack, games, params, viewer)
    return common.whose_turn(_task(table), int(table["asked"]), viewer)


def _task(table: np.void) -> str:
    """What the asked seat is to do, with what of it is done already and who asked for it."""
    question = v.Question(int(table["question"]))
    first = chosen_before(table)
    if first is not None:
        return f"choose a second face-down tile, to swap with the one on space {first + 1}"
    if question == v.Question.ANSWER:
        return f"answer {common.at_the_table(int(table['active']))}, who asks for a co-op: reveal a tile"
    if question == v.Question.TURN and table["action_done"]:
        # What the active player may still do beside the action, by what everybody knows (RH-3.2).
        seat = int(table["active"])
        exhausted = not table["dive_ready"][seat] or not table["swim_ready"][seat]
        more = ["play a card"] if not table["card_played"] and table["hand_size"][seat] else []
        more += ["use the marker"] if table["marker_left"][seat] and exhausted else []
        return f"end the turn, or {' or '.join(more)}" if more else "end the turn"
    return question.task


def result(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """How a finished game ended, said to `viewer`: "You lost: the separatists won (log 6/6)"."""
    table = games[0]["table"]
    if table["ending"] == v.Ending.TRUNCATED:
        return "The game was cut off at the cap on decisions"
    camp = v.Camp(int(table["winner"]))
    track = f"{TRACKS[camp]} {int(table['tracks'][camp])}/{int(params[0]['endpoints'][camp])}"
    camps = [v.CAMP_OF[role] for role in table["role"][: int(table["num_players"])].tolist()]
    if camp not in camps:
        return f"Everybody lost: the coins ended the game, and nobody is the profiteer ({track})"
    won = f"{camp.words} won ({track})"
    if viewer is None:
        return won[0].upper() + won[1:]
    return f"You {'won' if camps[viewer] == camp else 'lost'}: {won}"


def _describe_player(view: np.void, player: int, viewer: int | None) -> str:
    table, own = view["table"], view["private"]
    role = v.Role(int(table["role"][player]))
    how = "revealed"
    if role == v.Role.UNKNOWN and player == viewer:
        role, how = v.Role(int(own["role"])), "hidden from the others"
    elif role == v.Role.UNKNOWN and own["looked"][player] != v.Role.UNKNOWN:
        role, how = v.Role(int(own["looked"][player])), "looked at"
    known = "role unknown" if role == v.Role.UNKNOWN else f"{role.words} ({how})"
    space = int(table["position"][player])
    place = f"on space {space + 1}" if space >= 0 else "not placed yet"
    fields = {"Dive": "dive_ready", "Swim": "swim_ready", "Uncover": "uncover_left", "refresh marker": "marker_left"}
    cards = [word for word, field in fields.items() if table[field][player]]
    ready = f"ready: {', '.join(cards)}" if cards else "nothing ready but Co-op"
    hand = common.counted(int(table["hand_size"][player]), "card")
    return f"{common.heading(player, viewer)}: {known}, {place}, {hand}, {ready}."


def _cards(pack: Pack, counts: Vector) -> str:
    held = [
        card_name(pack, card) + (f" x{int(count)}" if count > 1 else "") for card, count in enumerate(counts) if count
    ]
    return ", ".join(held) or "empty"


# --- help for a person at the table -----------------------------------------------------------------------------------


def goal(pack: Pack, games: Records, params: Records, seat: int) -> str:
    """Who a seat is and how it wins."""
    role = v.Role(int(seen_by(games, seat)["private"]["role"]))
    camp = v.CAMP_OF[role]
    end = int(params[0]["endpoints"][camp])
    who = f"{'a' if role in (v.Role.MERCHANT, v.Role.SEPARATIST) else 'the'} {role.words}"
    hint = WORDS["role_hint"].get(role.name, "")
    return f"You are {who}. You win if {TRACKS[camp]} is the first track to reach its end ({end}). {hint}".rstrip()


def explain(pack: Pack, games: Records, params: Records, seat: int) -> list[str]:
    """What cards and texts of tiles do, what every choice is about, what roles may declare, and which are dealt.

    The cards are those of the seat's hand, and those that were used.
    """
    view = seen_by(games, seat)
    there = view["private"]["hand"] + view["table"]["discard_pile"] + view["table"]["used"]
    cards = [f"{card.name}: {card.words}" for card, count in zip(pack.cards, there, strict=False) if count]
    texts = [f"<{text.name}> on a tile: {text.words}" for text in pack.texts.values()]
    return [roles_in_game(params[0]), *WORDS["basics"].values(), *cards, *texts]


def roles_in_game(params: np.void) -> str:
    """RH-1.2: the roles that are dealt."""
    cards = params["role_cards"].tolist()
    words = [
        role.words if cards.count(role) == 1 else f"{cards.count(role)} {role.words}s"
        for role in list(v.Role)[1:]
        if role in cards
    ]
    drawn = [v.Role(role).words for role in params["role_choice"].tolist() if role != v.Role.UNKNOWN]
    last = [f"and one of {' and '.join(drawn)}"] if drawn else []
    return f"roles in this game: {', '.join([*words, *last])} (RH-1.2)"
