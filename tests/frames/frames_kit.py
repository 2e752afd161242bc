"""What holds of every frame, and whole random games seen by everybody."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from pages_kit import DOCS

from riverbed_env.core.frame import PUBLIC, TRUTH, Frame, Viewer, frame
from riverbed_env.core.game import Game
from riverbed_env.core.palette import style_of
from riverbed_env.core.scene import Shape, all_shapes, text_width
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.rules.vocab import Question

# Actions that are no place on the table: an answer with one's voice.
NO_PLACE = {
    "riverbed_hunt": {"END_TURN", "REVEAL", "HUNT", "CON", "STOP", *Question.FLOOR.answers},
    "river_rats": {"NO"},
    "deep_river": set(),
    "riverside": {"STAY", "DONE"},
}
DRAWN = tuple(NO_PLACE)
SMALLEST_TARGET = 24  # pixels, for a finger
BLEED = 14  # pixels by which an outline or a piece may stand over its panel's edge


def as_json(shown: Frame) -> str:
    """A frame as it is sent."""
    return json.dumps(shown, sort_keys=True, ensure_ascii=False, allow_nan=False)


def viewers(env: TurnEnv) -> list[Viewer]:
    """Everybody who may look on."""
    return [*range(env.num_players), PUBLIC, TRUTH]


def seen(env: TurnEnv, viewer: Viewer, since: int = 0) -> Frame:
    """The frame of a viewer."""
    return frame(env.game, env.pack, env._games, env._params, viewer, since)


def random_game(env: TurnEnv, seed: int) -> Iterator[int]:
    """Play a whole random game; gives the number of each decision, and that of the end."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    number = 0
    yield number
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
        number += 1
        yield number


# --- what holds of every frame ----------------------------------------------------------------------------------------


def check(env: TurnEnv, viewer: Viewer) -> Frame:
    """Assert all that holds of a frame; gives it."""
    shown = seen(env, viewer)
    assert as_json(shown) == as_json(seen(env, viewer))
    assert json.loads(as_json(shown)) == shown
    check_scene(shown)
    check_choices(env, viewer, shown)
    assert shown["headline"]
    assert all(event["text"] and event["kind"] for event in shown["events"])
    assert shown["over"] == bool(shown["result"]) == (shown["returns"] is not None)
    return shown


def check_scene(shown: Frame) -> None:
    """Ids are unique; shapes are known, lie in their panels and name what can be clicked."""
    panels = shown["scene"]["panels"]
    shapes = [shape for panel in panels for shape in all_shapes(panel["shapes"])]
    twice = [name for name, count in Counter(shape["id"] for shape in shapes).items() if count > 1]
    assert not twice, f"ids that stand twice: {twice[:5]}"
    for panel in panels:
        assert panel["title"]
        assert panel["label"]
        assert panel["place"] in ("board", "side")
        for shape in panel["shapes"]:
            check_shape(shape, 0, 0, panel["width"], panel["height"])


def check_shape(shape: Shape, x: float, y: float, width: float, height: float) -> None:
    """A shape and those in it."""
    style_of(shape["class"])
    if "choices" in shape:
        assert shape["label"], f"{shape['id']} can be clicked and has no label"
        assert shape["kind"] == "group"
        wide, tall = target(shape)
        assert min(wide, tall) >= SMALLEST_TARGET, f"{shape['id']} is too small to hit: {wide} x {tall}"
    for left, top in corners(shape):
        assert -BLEED <= x + left <= width + BLEED, f"{shape['id']} is outside its panel"
        assert -BLEED <= y + top <= height + BLEED, f"{shape['id']} is outside its panel"
    if shape["kind"] == "text":
        check_text(shape, x, width)
    for part in shape.get("shapes", ()):
        check_shape(part, x + shape["x"], y + shape["y"], width, height)


def target(group: Shape) -> tuple[float, float]:
    """How large the outlined place of a group that can be clicked is."""
    (outline,) = [each for each in all_shapes(group["shapes"]) if "choice" in each["class"].split()]
    if outline["kind"] == "circle":
        return 2 * outline["r"], 2 * outline["r"]
    return outline["w"], outline["h"]


def corners(shape: Shape) -> list[tuple[float, float]]:
    """The outermost points of a shape."""
    if "points" in shape:
        return list(zip(shape["points"][::2], shape["points"][1::2], strict=True))
    if shape["kind"] == "rect":
        return [(shape["x"], shape["y"]), (shape["x"] + shape["w"], shape["y"] + shape["h"])]
    if shape["kind"] == "circle":
        r = shape["r"]
        return [(shape["x"] - r, shape["y"] - r), (shape["x"] + r, shape["y"] + r)]
    return [(shape["x"], shape["y"])]


def check_text(shape: Shape, x: float, width: float) -> None:
    """A text is about as wide as it may be, at most, and stays in its panel."""
    wide = text_width(shape["text"], shape["size"])
    if "w" in shape:
        assert wide <= shape["w"] * 1.02 or shape["text"].endswith("…"), f"{shape['id']}: {shape['text']}"
    side = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.get("anchor", "start")]
    left = x + shape["x"] - side * wide
    assert left >= -4, f"{shape['id']} begins outside its panel: {shape['text']}"
    assert left + wide <= width + 4, f"{shape['id']} ends outside its panel: {shape['text']}"


# --- choices ----------------------------------------------------------------------------------------------------------


def check_choices(env: TurnEnv, viewer: Viewer, shown: Frame) -> None:
    """Every legal choice is there, in words, with its rule and, where it has one, its place on the table."""
    offered = {choice["action"]: choice for choice in shown["choices"]}
    assert list(offered) == expected(env, viewer)
    ids = {shape["id"]: shape for panel in shown["scene"]["panels"] for shape in all_shapes(panel["shapes"])}
    for action, choice in offered.items():
        name, _ = env.game.actions.split(action)
        assert choice["text"]
        assert choice["sentence"] in sentences(env.game.name)[choice["rule"]], choice
        assert bool(choice["shapes"]) == (name not in NO_PLACE[env.game.name]), choice
        assert all(action in ids[name]["choices"] for name in choice["shapes"])
    clicked = {action for shape in ids.values() for action in shape.get("choices", ())}
    assert clicked <= set(offered)


def expected(env: TurnEnv, viewer: Viewer) -> list[int]:
    """The choices that a viewer has, or sees made."""
    if env.agents == [] or any(env.terminations.values()) or any(env.truncations.values()):
        return []
    asked = env.possible_agents.index(env.agent_selection)
    if viewer in (TRUTH, asked):
        return np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
    if isinstance(viewer, int) and env.game.simultaneous:
        return pending(env.game, env, viewer)
    return []


def pending(game: Game, env: TurnEnv, seat: int) -> list[int]:
    """The choices of a seat that must answer in the step under way, asked yet or not."""
    assert game.kernels.pending is not None
    assert game.kernels.write_pending_mask is not None
    if not int(game.kernels.pending(env._games[0], env._params[0])) >> seat & 1:
        return []
    mask = np.zeros(game.actions.size, np.int8)
    game.kernels.write_pending_mask(env._games[0], env._params[0], seat, mask)
    found: list[int] = np.flatnonzero(mask).tolist()
    return found


@cache
def sentences(game: str) -> dict[str, str]:
    """The text of each rule on a game's page, by its id, in one line."""
    page = (DOCS / "rules" / f"{game}.md").read_text(encoding="utf-8")
    _, *parts = re.split(r"\*\*([A-Z]{2}-\d+\.\d+)\*\*|^#+ .*$", page, flags=re.MULTILINE)
    texts: dict[str, str] = {}
    for rule, words in zip(parts[::2], parts[1::2], strict=True):
        if rule is not None:
            texts[rule] = " ".join(words.split())
    return texts


def kinds(shown: Frame) -> set[str]:
    """The kinds of shapes of a frame, for a look at what was drawn."""
    return {shape["kind"] for panel in shown["scene"]["panels"] for shape in all_shapes(panel["shapes"])}


def labels(shown: Frame) -> dict[str, Any]:
    """The labels of a frame by the ids of their shapes."""
    shapes = [shape for panel in shown["scene"]["panels"] for shape in all_shapes(panel["shapes"])]
    return {shape["id"]: shape["label"] for shape in shapes if "label" in shape}
