"""OpenSpiel's states inside Shimmy's environments, and other histories that a player can't tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from riverbed_env.testing.leaks import Channels, aec_channels, copy_env
from riverbed_lab.speed.peers import known_noise_silenced

from .cases import Env, Knows, Rng, Twin

State: TypeAlias = Any
StateKnows: TypeAlias = Callable[[State, int], Any]
Change: TypeAlias = Callable[[int, int, int, State], int | None]

CHANCE = -1
TRIES = 60
_KINDS = ("observation_string", "observation_tensor", "information_state_string", "information_state_tensor")


@cache
def _whole_games() -> Any:
    """Shimmy's environment without its early end.

    Shimmy counts chance moves towards OpenSpiel's `max_game_length`, which excludes them, so it ends hearts after a few
    of its 52 cards. Here chance moves don't count.
    """
    base = import_module("shimmy.openspiel_compatibility").OpenSpielCompatibilityV0

    class WholeGame(base):  # type: ignore[misc, valid-type]  # Shimmy publishes no types
        """An OpenSpiel game played to its end."""

        game_length: int

        def _execute_chance_node(self) -> None:
            length: int = self.game_length
            super()._execute_chance_node()
            self.game_length = length

    return WholeGame


def make_openspiel(game: str, **config: Any) -> Env:
    """An OpenSpiel game as an AEC environment."""
    with known_noise_silenced():
        return _whole_games()(game_name=game, config=config or None)


def adapter(env: Env) -> Any:
    """Shimmy's environment; PettingZoo's hanabi wraps one."""
    return getattr(env.unwrapped, "hanabi_env", env.unwrapped)


def state_of(env: Env) -> State:
    """The environment's OpenSpiel state."""
    return adapter(env).game_state


def seat_of(env: Env, agent: str) -> int:
    """OpenSpiel's number of the player."""
    return int(adapter(env).agent_name_id_mapping[agent])


def steps_of(state: State) -> list[tuple[int, int]]:
    """Player and action of every step; chance is -1."""
    return [(int(step.player), int(step.action)) for step in state.full_history()]


def actions_of(state: State, player: int | None = None) -> list[tuple[int, int]]:
    """Players and their actions; only those of `player` if given."""
    return [(who, action) for who, action in steps_of(state) if who != CHANCE and player in (None, who)]


def chances_of(state: State) -> list[int]:
    """The outcomes of chance."""
    return [action for who, action in steps_of(state) if who == CHANCE]


def with_state(env: Env, state: State) -> Env:
    """A copy of the environment with another state. Rewards before the end don't depend on hidden facts here."""
    other = copy_env(env)
    inside = adapter(other)
    inside.game_state = state
    inside._update_action_masks()
    inside._update_observations()
    return other


def openspiel_channels(*left_out: str) -> Channels:
    """Shimmy's channels and OpenSpiel's observations of the player, except those in `left_out`."""
    kinds = [kind for kind in _KINDS if kind not in left_out]
    return aec_channels(words={kind.replace("_", " "): _observation_of(kind) for kind in kinds})


def _observation_of(kind: str) -> Callable[[Env, str], Any]:
    def observe(env: Env, agent: str) -> Any:
        state = state_of(env)
        if state.is_terminal() or not getattr(state.get_game().get_type(), f"provides_{kind}"):
            return None
        return getattr(state, kind)(seat_of(env, agent))

    return observe


def knowing(state_knows: StateKnows) -> Knows:
    """What an agent may know: its player's knowledge, its own pending choice, and its return once the game is over."""

    def knows(env: Env, agent: str) -> Any:
        state, player = state_of(env), seat_of(env, agent)
        pending = getattr(adapter(env), "simultaneous_actions", {}).get(agent)
        result = float(state.returns()[player]) if state.is_terminal() else None
        return state_knows(state, player), pending, result

    return knows


def openspiels_own(state: State, player: int) -> str:
    """The information state as OpenSpiel defines it."""
    return str(state.information_state_string(player))


def history_differs(one: Env, two: Env) -> list[str]:
    """In what two worlds differ, for any game."""
    kinds = []
    if chances_of(state_of(one)) != chances_of(state_of(two)):
        kinds.append("chance")
    if actions_of(state_of(one)) != actions_of(state_of(two)):
        kinds.append("others' actions")
    if getattr(adapter(one), "simultaneous_actions", {}) != getattr(adapter(two), "simultaneous_actions", {}):
        kinds.append("a choice not yet shown")
    return kinds


# --- other histories -----------------------------------------------------------------------------------------------


def replayed(state: State, change: Change) -> State | None:
    """Replay the history with some actions changed; None if one is illegal or it ends in another player's turn."""
    other = state.get_game().new_initial_state()
    for number, (who, action) in enumerate(steps_of(state)):
        if other.is_terminal() or other.current_player() != who:
            return None
        chosen = change(number, who, action, other)
        if chosen is None or chosen not in other.legal_actions():
            return None
        other.apply_action(int(chosen))
    return other if other.current_player() == state.current_player() else None


def searched(knows: StateKnows, propose: Callable[[State, int, Rng, int], State | None]) -> Twin:
    """Propose other states until one leaves the player's knowledge unchanged; None after TRIES proposals."""

    def twin(env: Env, agent: str, rng: Rng) -> Env | None:
        state, player = state_of(env), seat_of(env, agent)
        known = knows(state, player)
        for attempt in range(TRIES):
            other = propose(state, player, rng, attempt)
            if other is not None and steps_of(other) != steps_of(state) and knows(other, player) == known:
                return with_state(env, other)
        return None

    return twin


def redrawn(knows: StateKnows, which: Callable[[int], bool] = lambda number: True) -> Twin:
    """Draw the chance outcomes chosen by `which` again; the players act as before."""

    def propose(state: State, player: int, rng: Rng, attempt: int) -> State | None:
        def change(number: int, who: int, action: int, now: State) -> int:
            return pick(now.legal_actions(), rng) if who == CHANCE and which(number) else action

        return replayed(state, change)

    return searched(knows, propose)


def permuted(knows: StateKnows, hidden: Callable[[State, int], Iterable[int]], first: int = 0) -> Twin:
    """Exchange cards that are hidden from the player wherever the history names them.

    first: the number of the first step that names a card. The first attempts permute all cards; later ones exchange one
    pair, which is more often legal.
    """

    def propose(state: State, player: int, rng: Rng, attempt: int) -> State | None:
        cards = sorted(hidden(state, player))
        if len(cards) < 2:
            return None
        chosen = cards if attempt < TRIES // 3 else [cards[place] for place in rng.permutation(len(cards))[:2]]
        places = rng.permutation(len(chosen)) if len(chosen) > 2 else (1, 0)
        other = dict(zip(chosen, [chosen[place] for place in places], strict=True))
        return replayed(
            state, lambda number, who, action, now: other.get(action, action) if number >= first else action
        )

    return searched(knows, propose)


def replayed_by_others(knows: StateKnows) -> Twin:
    """The player acts as before, the others at random, until the player has made all its moves again."""

    def propose(state: State, player: int, rng: Rng, attempt: int) -> State | None:
        own = [action for _, action in actions_of(state, player)]
        asked = state.current_player() == player
        other = state.get_game().new_initial_state()
        done = 0
        while not other.is_terminal():
            mine = other.current_player() == player
            if done == len(own) and mine == asked and (asked or rng.random() < 0.5):
                return other
            if mine and (done == len(own) or own[done] not in other.legal_actions()):
                return None
            other.apply_action(own[done] if mine else pick(other.legal_actions(), rng))
            done += mine
        return None

    return searched(knows, propose)


def pick(actions: list[int], rng: Rng) -> int:
    """A uniformly random one."""
    return int(actions[int(rng.integers(len(actions)))])
