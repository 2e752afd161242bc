"""A finished game as each seat knew it, step by step, in one HTML file.

A replay has tracks: what everybody knew, what each seat knew, and the truth. A track is a list of frames, each stored
as what changed since the one before, shape by shape. Equal values of all tracks are stored once.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.frame import PUBLIC, TRUTH, frame
from riverbed_env.core.options import check_whole
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.kernels.random import AGENTS, STREAM, open_stream
from riverbed_env.players.agents import Agent, answers
from riverbed_env.registry import find_game

from .bundle import with_replay
from .record import seats_of
from .values import WORLDS, believed, known_to, values_now

GONE = -1  # in place of a value: the key is no longer there
ONLY = np.zeros(1, np.int64)  # the one game of a batch

Viewer = int | str
Values = dict[str, Any]


class Pool:
    """Values that are stored once and named by their places."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, value: Any) -> int:
        """The place of a value."""
        written = json.dumps(value, sort_keys=True, ensure_ascii=False)
        place = self._places.setdefault(written, len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return place


@dataclass
class Track:
    """The frames of one viewer, as differences; a frame that shows nothing new is no frame."""

    viewer: Viewer
    keys: Pool
    pool: Pool
    patches: list[list[int]] = field(default_factory=list)
    at: list[int] = field(default_factory=list)  # the frame after each step
    _now: dict[str, int] = field(default_factory=dict)
    _chosen: Values = field(default_factory=dict)  # what was chosen at the last frame, and advised
    _events: int = 0

    def see(self, batch: Batch, beliefs: list[list[int]] | None) -> None:
        """Add what the viewer sees now, if it is anything new."""
        seen = frame(batch.game, batch.pack, batch.games, batch.params, self.viewer, self._events, batch.notes())
        happened = seen["event_count"] != self._events
        self._events = seen["event_count"]
        values = parts(seen) | ({} if beliefs is None else {"beliefs": beliefs})
        wanted = {key: self.pool.place(value) for key, value in values.items()}
        if self.patches and not happened and wanted | {"frame:events": 0} == self._now | {"frame:events": 0}:
            self.at.append(len(self.patches) - 1)
            return
        gone = [key for key in (*self._now, *self._chosen) if key not in wanted]
        changed = {key: place for key, place in wanted.items() if self._now.get(key) != place}
        self._now, self._chosen = wanted, {}
        self.patches.append([])
        self._change({**dict.fromkeys(gone, GONE), **changed})
        self.at.append(len(self.patches) - 1)

    def choose(self, chosen: Values) -> None:
        """Note at the last frame what was chosen there, and what the advisor would have chosen."""
        self._chosen = chosen
        self._change({key: self.pool.place(value) for key, value in chosen.items()})

    def _change(self, changed: dict[str, int]) -> None:
        self.patches[-1] += chain.from_iterable((self.keys.place(key), place) for key, place in sorted(changed.items()))

    def content(self, *, alone: bool) -> dict[str, Any]:
        """The track for the page. A lone one has no steps but its frames: others' steps show nowhere in it."""
        return {"view": self.viewer, "patches": self.patches, "at": None if alone else self.at}


def parts(seen: dict[str, Any]) -> Values:
    """A frame by its parts: fields, panels, shapes and choices, each under a key that stays from frame to frame."""
    fields = {f"frame:{name}": value for name, value in seen.items() if name not in ("scene", "choices")}
    panels = seen["scene"]["panels"]
    flat: Values = {"panels": [panel["id"] for panel in panels]}
    flat["choices"] = [choice["action"] for choice in seen["choices"]]
    for choice in seen["choices"]:
        flat[f"choice:{choice['action']}"] = choice
    for panel in panels:
        flat[f"panel:{panel['id']}"] = {name: value for name, value in panel.items() if name != "shapes"}
        _take_apart(panel, flat)
    return fields | flat


def _take_apart(whole: Values, flat: Values) -> None:
    """Put the shapes of a panel or a group into `flat`, each by itself, and their order."""
    flat[f"shapes:{whole['id']}"] = [shape["id"] for shape in whole["shapes"]]
    for shape in whole["shapes"]:
        flat[f"shape:{shape['id']}"] = {name: value for name, value in shape.items() if name != "shapes"}
        if "shapes" in shape:
            _take_apart(shape, flat)


class Advisor:
    """What another agent would choose in a seat's place, by what that seat saw so far and nothing else."""

    def __init__(self, agent: Agent, num_players: int) -> None:
        self.agent = agent
        self._memories = [np.zeros((1, agent.memory_size), np.int32) for _ in range(num_players)]
        self._asked = [0] * num_players

    def advise(self, batch: Batch) -> int:
        """Its action for the seat that is asked. Its stream isn't the game's, which would tell of the deal."""
        seat = int(batch.seat[0])
        streams = np.zeros(1, STREAM)
        open_stream(streams[0], seat, self._asked[seat], AGENTS)
        self._asked[seat] += 1
        return int(answers(self.agent, batch, ONLY, self._memories[seat], streams)[0])


def tracks_of(
    positions: Iterable[Batch],
    actions: Iterable[int],
    viewers: Iterable[Viewer],
    advisor: Agent | None = None,
    *,
    values: bool = False,
) -> dict[str, Any]:
    """The tracks of a game and what they share, as the page reads them.

    positions: the same batch of one game at the start and after each action. A track alone is made of what its
    viewer saw only: two games that look the same to a seat give equal tracks.
    """
    keys, pool, taken = Pool(), Pool(), iter(actions)
    tracks = [Track(viewer, keys, pool) for viewer in viewers]
    adviser: Advisor | None = None
    for batch in positions:
        adviser = adviser or (Advisor(advisor, batch.num_players) if advisor else None)
        for track in tracks:
            known = None if track.viewer == TRUTH else known_to(batch, track.viewer)
            track.see(batch, next(iter(believed(batch.game, known, batch.params)), None))
        seat, action = int(batch.seat[0]), next(taken, None)
        watching = [track for track in tracks if track.viewer in (seat, TRUTH)]
        if action is not None and watching:
            chosen: Values = {"taken": action} | ({"advice": adviser.advise(batch)} if adviser else {})
            chosen |= {"action_values": values_now(batch)} if values else {}
            for track in watching:
                track.choose(chosen)
    alone = len(tracks) == 1
    return {"keys": keys.values, "pool": pool.values, "tracks": [track.content(alone=alone) for track in tracks]}


def replay(
    record: RecordedGame,
    *,
    viewer: int | None = None,
    advisor: Agent | None = None,
    values: bool = False,
    note: str = "",
) -> dict[str, Any]:
    """A replay of a recorded game, as the page reads it.

    viewer: a seat, whose views alone the replay then holds; neither the seed, which tells the deal, nor the number of
    others' choices is in it. advisor: an agent whose choices are shown beside those of the seats. values: whether all
    choices have their values beside them. note: where the game is from. Raises OptionError if the record can't be
    played again.
    """
    game = find_game(record.environment)
    players = record.num_players
    viewers: list[Viewer] = [PUBLIC, *range(players), TRUTH]
    if viewer is not None:
        viewers = [check_whole("viewer", viewer, 0, players - 1)]
    positions = record.replay()
    batch = next(positions)  # the same at each of them
    told = tracks_of(chain([batch], positions), record.actions, viewers, advisor, values=values)
    roles = [] if game.deduction is None else list(game.roles)
    whole = viewer is None
    truth = game.roles_of(batch.games)[0].tolist() if roles and whole else None
    source = f"Seed {record.seed}, game {record.number}. " if whole else ""
    return {
        "form": 1,
        "kind": "riverbed replay",
        "title": game.title,
        "players": players,
        **dict(zip(("names", "kinds"), seats_of(record))),
        "note": f"{source}{note}".strip(),
        "roles": roles,
        "truth": truth,
        "advisor": advisor.name if advisor else "",
        "worlds": WORLDS if values else 0,
        **told,
    }


def replay_page(record: RecordedGame, **how: Any) -> str:
    """A replay as one HTML page that needs nothing else. how: the options of `replay`."""
    told = replay(record, **how)
    return with_replay(told, f"{told['title']}, replayed · Riverbed")


@dataclass(frozen=True)
class ReplayFrame:
    """A replay that shows itself in a notebook.

    html: the page, from `replay_page`; height: in pixels.
    """

    html: str
    height: int = 900

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="A replayed game" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )
