"""What the conformance tests share: options to try, random play, all that can be observed of an environment."""

from __future__ import annotations

import json
import tomllib
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import riverbed_env
from riverbed_env import riverbed_hunt_v0
from riverbed_env.envs.aec import TurnEnv

with warnings.catch_warnings():
    # PettingZoo's tests import its own deprecated names, for a fixture.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

__all__ = ["api_test", "render_test", "seed_test"]

PLAYER_COUNTS = tuple(range(4, 10))
PACK_FILE = Path(riverbed_env.__file__).parent / "packs" / "riverbed_hunt" / "default.toml"
PACK: dict[str, Any] = tomllib.loads(PACK_FILE.read_text(encoding="utf-8"))
TILES = {players["count"]: len(players["tiles"]) for players in PACK["players"]}

# The roles of each player count, one a seat (with 4 players the last is one of two).
ROLES = {players["count"]: [*players["roles"], *players.get("one_of", [])[:1]] for players in PACK["players"]}

CAMPS = {"chief": "m", "merchant": "m", "leader": "s", "separatist": "s", "profiteer": "p"}
ROLE_NAMES = ("chief", "merchant", "leader", "separatist", "profiteer")


def layout_names(num_players: int) -> list[str]:
    """The named layouts of a player count."""
    return [layout["name"] for layout in PACK["layout"] if layout["tiles"] == TILES[num_players]]


def option_values(num_players: int) -> list[dict[str, Any]]:
    """Every value of every option, one at a time, for a player count; the first is the default of all."""
    roles = ROLES[num_players]
    return [
        {},
        {"view": "now"},
        {"rewards": "zero_sum"},
        {"on_illegal": "terminate"},
        {"auto_forced": "all"},
        {"auto_forced": "none"},
        {"layout": "random"},
        *({"layout": name} for name in layout_names(num_players)),
        {"roles": roles},
        {"roles": [None, "chief", *[None] * (num_players - 2)]},
        {"roles": {0: "leader", "player_2": "profiteer"}},
        {"max_decisions": 1},
        {"max_decisions": 25},
        {"max_cycles": 60},
        {"pack": PACK_FILE},
        {"render_mode": "ansi"},
        {"render_mode": "human"},
    ]


def option_id(options: dict[str, Any]) -> str:
    """A short name for a test's parameters."""
    words = [f"{name}={value.name if isinstance(value, Path) else value}" for name, value in options.items()]
    return ",".join(words).replace(" ", "") or "default"


def random_action(env: TurnEnv, rng: np.random.Generator) -> int | None:
    """A legal action of the selected agent, None where it is done."""
    observation, _, terminated, truncated, _ = env.last()
    assert observation is not None
    return None if terminated or truncated else int(rng.choice(np.flatnonzero(observation["action_mask"])))


def is_over(env: TurnEnv) -> bool:
    """Whether the game has ended, its agents still there or not."""
    return not env.agents or env.terminations[env.agents[0]] or env.truncations[env.agents[0]]


def play(env: TurnEnv, rng: np.random.Generator, steps: int | None = None) -> list[int]:
    """Random legal actions up to the end of the game, no dead steps; or so many at most."""
    actions: list[int] = []
    while not is_over(env) and (steps is None or len(actions) < steps):
        action = random_action(env, rng)
        assert action is not None
        actions.append(action)
        env.step(action)
    return actions


def illegal_action(env: TurnEnv) -> int:
    """The first action that is illegal for the selected agent, not WAIT."""
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(np.flatnonzero(mask[1:] == 0)[0]) + 1


def observable(env: TurnEnv, *, words: bool = False) -> dict[str, Any]:
    """All that can be observed of an environment; `words` also what it says and draws."""
    seen: dict[str, Any] = {
        "agents": list(env.agents),
        "selected": env.agent_selection,
        "rewards": dict(env.rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: {name: value.copy() for name, value in info.items()} for agent, info in env.infos.items()},
        "last": env.last(observe=False)[1:4] if env.agents else None,
        "seen": {agent: {k: v.copy() for k, v in env.observe(agent).items()} for agent in env.possible_agents},
        "state": env.state(),
        "bytes": env.get_state(),
    }
    if words:
        viewers = [None, *env.possible_agents]
        seen["said"] = [env.describe_state(viewer) for viewer in viewers]
        seen["drawn"] = [env.render(viewer) for viewer in viewers]
        seen["events"] = env.describe_events()
    return seen


def assert_same(one: Any, other: Any) -> None:
    """Equal in every part; arrays in dtype too."""
    np.testing.assert_equal(one, other)
    assert dtypes(one) == dtypes(other)


def dtypes(value: Any) -> Any:
    """The dtypes of all arrays in nested dictionaries."""
    if isinstance(value, dict):
        return {key: dtypes(inner) for key, inner in value.items()}
    return value.dtype if isinstance(value, np.ndarray) else None


def roles_of(env: TurnEnv) -> list[str]:
    """Every seat's role, read from the full state."""
    one_hot = env.game.state.named(env.state())["roles"][: env.num_players]
    assert (one_hot.sum(axis=1) == 1).all()
    return [ROLE_NAMES[int(place)] for place in one_hot.argmax(axis=1)]


def new_env(**options: Any) -> TurnEnv:
    """An environment of these options."""
    return riverbed_hunt_v0.env(**options)


def record_of(env: TurnEnv) -> npt.NDArray[np.void]:
    """The game's record, from the end of its saved state."""
    body = env.get_state()[-env.game.dtype.itemsize :]
    return np.frombuffer(body, np.uint8).copy().view(env.game.dtype)


def meaning(records: npt.NDArray[np.void], *, agents: bool = True) -> npt.NDArray[np.void]:
    """Records without what is left over in effects that are done; agents False: nor the players' stream."""
    clean = np.frombuffer(records.tobytes(), np.uint8).copy().view(records.dtype)
    frames = clean["table"]["frames"]
    unused = np.arange(frames.shape[1]) >= clean["table"]["depth"][:, None]
    frames[unused] = np.zeros((), frames.dtype)
    if not agents:
        clean["agents"] = np.zeros((), clean["agents"].dtype)
    return clean


def split_state(state: bytes) -> tuple[bytes, dict[str, Any], bytes]:
    """The first line, the header and the body of a saved state."""
    first, _, rest = state.partition(b"\n")
    header, _, body = rest.partition(b"\n")
    return first, json.loads(header), body


def forged(state: bytes, *, body: bytes | None = None, **header: Any) -> bytes:
    """A saved state with another body or other header entries (...: left out), and the right checksum."""
    first, kept, old = split_state(state)
    new = old if body is None else body
    entries = {name: value for name, value in {**kept, **header}.items() if value is not ...}
    if "checksum" not in header:
        rest = {name: value for name, value in entries.items() if name != "checksum"}
        entries["checksum"] = zlib.crc32(json.dumps(rest, sort_keys=True).encode() + new)
    elif header["checksum"] is ...:
        entries.pop("checksum", None)
    return first + b"\n" + json.dumps(entries).encode() + b"\n" + new
