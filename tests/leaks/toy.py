"""A plain card game as a turn-based environment of PettingZoo, with nothing of this library's in it.

Nine cards, 0 to 8, three players with two each; the other three cards are the pile. In turn, each player lays a card
open or draws from the pile. When all hands are empty, the player who laid the highest card wins. Nobody may know the
others' hands or the pile.
"""

from __future__ import annotations

import copy
from typing import Any, ClassVar

import gymnasium.spaces
import numpy as np
from pettingzoo import AECEnv

CARDS = 9
DRAW = CARDS
NAMES = ("ann", "bob", "cid")
OBSERVATION_SPACE = gymnasium.spaces.Dict(
    {
        "observation": gymnasium.spaces.Dict(
            {
                "hand": gymnasium.spaces.MultiBinary(CARDS),
                "open": gymnasium.spaces.MultiBinary((len(NAMES), CARDS)),
                "sizes": gymnasium.spaces.Box(0, CARDS, (len(NAMES) + 1,), np.int8),
            }
        ),
        "action_mask": gymnasium.spaces.MultiBinary(CARDS + 1),
    }
)
ACTION_SPACE = gymnasium.spaces.Discrete(CARDS + 1)


class OpenCards(AECEnv):
    """See the module; options plant leaks by overriding single methods."""

    metadata: ClassVar = {"name": "open_cards_v0", "render_modes": ["ansi"]}

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = list(NAMES)
        self.render_mode = "ansi"

    def observation_space(self, agent: str) -> Any:
        return OBSERVATION_SPACE

    def action_space(self, agent: str) -> Any:
        return ACTION_SPACE

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.rng = np.random.default_rng(seed)
        cards = self.rng.permutation(CARDS).tolist()
        self.hands = {name: sorted(cards[2 * seat : 2 * seat + 2]) for seat, name in enumerate(NAMES)}
        self.pile: list[int] = cards[2 * len(NAMES) :]
        self.laid: dict[str, list[int]] = {name: [] for name in NAMES}
        self.moves: list[tuple[str, int]] = []  # who laid which card, or drew
        self.story: list[str] = []  # the same as it is told
        self.agents = list(NAMES)
        self.rewards = dict.fromkeys(NAMES, 0.0)
        self._cumulative_rewards = dict.fromkeys(NAMES, 0.0)
        self.terminations = dict.fromkeys(NAMES, False)
        self.truncations = dict.fromkeys(NAMES, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in NAMES}
        self.agent_selection = NAMES[0]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = NAMES.index(agent)
        order = [NAMES[(seat + place) % len(NAMES)] for place in range(len(NAMES))]
        return {
            "observation": {
                "hand": self.marks(self.hands[agent]),
                "open": np.stack([self.marks(self.laid[name]) for name in order]),
                "sizes": np.array([len(self.hands[name]) for name in order] + [len(self.pile)], np.int8),
            },
            "action_mask": self.mask(agent),
        }

    def marks(self, cards: list[int]) -> np.ndarray:
        marks = np.zeros(CARDS, np.int8)
        marks[cards] = 1
        return marks

    def mask(self, agent: str) -> np.ndarray:
        mask = np.zeros(CARDS + 1, np.int8)
        if agent == self.agent_selection:
            mask[self.hands[agent]] = 1
            mask[DRAW] = bool(self.pile and self.hands[agent])
        return mask

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self.moves.append((agent, int(action)))
        if action == DRAW:
            self.hands[agent] = sorted([*self.hands[agent], self.pile.pop()])
            self.story.append(f"{agent} draws")
        else:
            self.hands[agent].remove(action)
            self.laid[agent].append(int(action))
            self.story.append(f"{agent} lays {action}")
        self.go_on(agent)

    def go_on(self, agent: str) -> None:
        for place in range(1, len(NAMES) + 1):
            following = NAMES[(NAMES.index(agent) + place) % len(NAMES)]
            if self.hands[following]:
                self.agent_selection = following
                return
        best = max(NAMES, key=lambda name: max(self.laid[name]))
        self.rewards = {name: 1.0 if name == best else -1.0 for name in NAMES}
        self.terminations = dict.fromkeys(NAMES, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def render(self) -> str:
        """The table as a spectator sees it: hands too."""
        return "\n".join(f"{name}: {self.hands[name]} {self.laid[name]}" for name in NAMES)

    def tell(self, agent: str) -> str:
        """The table in words, as an agent sees it."""
        return f"{agent} holds {self.hands[agent]}; {'; '.join(self.story)}"


def after(agent: str) -> str:
    """The next player."""
    return NAMES[(NAMES.index(agent) + 1) % len(NAMES)]


def unseen(env: OpenCards, agent: str) -> list[int]:
    """The cards an agent doesn't see."""
    seen = set(env.hands[agent]).union(*env.laid.values())
    return [card for card in range(CARDS) if card not in seen]


def twin(env: OpenCards, agent: str, rng: np.random.Generator) -> OpenCards:
    """The others' hands and the pile redealt."""
    other = copy.deepcopy(env)
    table = other.unwrapped
    cards = rng.permutation(unseen(table, agent)).tolist()
    for name in NAMES:
        if name != agent:
            table.hands[name] = sorted(cards.pop() for _ in table.hands[name])
    table.pile = cards
    table.rng = np.random.default_rng(int(rng.integers(2**31)))
    return other


def knows(env: OpenCards, agent: str) -> Any:
    """All an agent may know: its hand, what lies open, and what happened."""
    return env.hands[agent], env.laid, env.moves
