"""OpenSpiel: importing this module registers the games, so that `pyspiel.load_game("riverbed_hunt(players=5)")` works.

A game begins with one chance node, the deal: outcome k is game k of seed 0, each of `deals` games as likely as another.
It settles all chance of the game, so a state in play is what its history says. With `small=rill` the game is that small
game, whose outcomes are all deals that differ, with their probabilities. Seats that choose at the same time are
asked one after the other and don't see each other's choices, as in the turn-based environment.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import row_length
from riverbed_env.core.game import Game, copy_records, take_records
from riverbed_env.core.options import check_names, check_rewards, check_view, check_whole
from riverbed_env.entries import ENTRIES
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.kernels.loops import DEAL, OVER, REFUSED
from riverbed_env.kernels.random import AGENTS, MAX_SEED, STREAM, open_stream
from riverbed_env.players.agents import Agent
from riverbed_env.players.policies import SavedPolicy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.small import SmallGame, find_small
from riverbed_env.worlds import resample

try:
    import pyspiel
    from open_spiel.python.policy import Policy
except ImportError as error:
    raise ModuleNotFoundError(
        "OpenSpiel needs the extra openspiel: pip install '.[openspiel]' in the checkout", name="pyspiel"
    ) from error

__all__ = ["RiverbedGame", "RiverbedObserver", "RiverbedPolicy", "RiverbedState", "register", "resampler"]

SEED = 0
DEALS = 1024  # how many deals the chance node has unless the parameter `deals` says otherwise
MOST_DEALS = 2**20  # OpenSpiel lists all outcomes of a chance node
OPEN_GAMES = frozenset({"deep_river"})  # every seat sees the whole table, and the deal settles nothing unseen
ZERO_SUM_GAMES = frozenset({"deep_river"})  # whatever `rewards` says
COMMON_GAMES = frozenset({"river_rats"})  # all win or lose together
DECISIONS_A_TURN = {"deep_river": 20}  # no turn has more, for games whose cap counts turns

Utility, Information = pyspiel.GameType.Utility, pyspiel.GameType.Information
_registered: dict[str, Game] = {}
_TERMINAL, _CHANCE = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.CHANCE)


def _options(game: Game) -> dict[str, Any]:
    """The options of `make_params` that OpenSpiel's parameters can hold, with defaults; None is written as ""."""
    found = {name: option.default for name, option in inspect.signature(game.make_params).parameters.items()}
    return {name: "" if value is None else value for name, value in found.items() if name != "num_players"}


def _defaults(game: Game) -> dict[str, Any]:
    """Every parameter of a game in OpenSpiel with its default."""
    shared = {"players": game.default_players, "deals": DEALS, "rewards": "win", "view": "history", "small": ""}
    return {**shared, **_options(game)}


def _game_type(game: Game, rewards: str) -> Any:
    """How OpenSpiel classifies the game. There is no information state as a tensor: no fixed size would hold it."""
    utility = Utility.IDENTICAL if game.name in COMMON_GAMES else Utility.GENERAL_SUM
    if rewards == "zero_sum" or game.name in ZERO_SUM_GAMES:
        utility = Utility.ZERO_SUM
    return pyspiel.GameType(
        short_name=game.name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=Information.PERFECT_INFORMATION if game.name in OPEN_GAMES else Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.max_players,
        min_num_players=game.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(game),
    )


class _Setup:
    """What the parameters of a game in OpenSpiel mean: its rules, params and sizes."""

    def __init__(self, game: Game, given: Mapping[str, Any]) -> None:
        check_names(game.name, given, list(_defaults(game)))
        values = {**_defaults(game), **given}
        self.game, self.given = game, dict(given)
        self.small = _small_game(game, given)
        rewards = self.small.rewards if self.small else values["rewards"]
        self.num_deals = check_whole("deals", values["deals"], 1, MOST_DEALS)
        self.zero_sum = check_rewards(game, rewards)
        self.size = check_view(game, values["view"])
        options = {name: None if values[name] == "" else values[name] for name in _options(game)}
        made = game.make_params(num_players=values["players"], **options) if self.small is None else self.small.made
        self.params, self.pack = made
        self.num_players = int(self.params["num_players"][0])
        self.row_length = row_length(game, self.size)
        self.no_games, self.no_row = np.zeros(0, game.dtype), np.zeros(self.row_length, np.int8)
        self.views = np.zeros(1, game.view_dtype)  # scratch
        chances = np.full(self.num_deals, 1 / self.num_deals)
        if self.small is not None:
            self.dealt, chances = self.small.deals()
            self.num_deals = len(chances)
        self.deals = list(enumerate(chances.tolist()))
        self.type = _game_type(game, rewards)

    def cut(self, row: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """A row without the actions that a small game bars."""
        if self.small is not None:
            row[self.size : self.size + self.game.actions.size] *= self.small.allowed
        return row

    def info(self) -> Any:
        """The bounds that OpenSpiel asks for."""
        cap = list(inspect.signature(self.game.make_params).parameters)[-1]
        each = self.num_players if self.game.simultaneous else DECISIONS_A_TURN.get(self.game.name, 1)
        return pyspiel.GameInfo(
            num_distinct_actions=self.game.actions.size,
            max_chance_outcomes=self.num_deals,
            num_players=self.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if self.type.utility == Utility.ZERO_SUM else None,
            max_game_length=int(self.params[cap][0]) * each,
        )


def _small_game(game: Game, given: Mapping[str, Any]) -> SmallGame | None:
    """The small game that is asked for, if any. Raises OptionError if it isn't of this game, or more is given."""
    if not given.get("small"):
        return None
    small, defaults = find_small(given["small"]), _defaults(game)
    others = sorted(name for name, value in given.items() if name != "small" and value != defaults[name])
    if small.rules is not game or others:
        what = f"is of {small.game}" if small.rules is not game else f"says all; {', '.join(others)} can't be given too"
        raise OptionError(f"small={small.name} {what}")
    return small


@functools.lru_cache(maxsize=64)
def _setup(name: str, given: frozenset[tuple[str, Any]]) -> _Setup:
    return _Setup(_registered[name], dict(given))


class RiverbedGame(pyspiel.Game):
    """A game of this library as OpenSpiel sees it.

    Args:
        params: by name: players; deals, how many deals there are (1 to 2**20, by default 1024); rewards and view as in
            the environments; the game's own options, "" for None. What is left out has its default. Or small alone, a
            name that `riverbed_env.small.find_small` takes.

    Raises:
        OptionError: a parameter isn't known, or a value isn't allowed.
        PackError: a content pack can't be read or breaks a rule.
    """

    name: ClassVar[str]  # of its rules

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        setup = _setup(self.name, frozenset((params or {}).items()))
        super().__init__(setup.type, setup.info(), setup.given)

    @property
    def setup(self) -> _Setup:
        """Found by the parameters, for OpenSpiel keeps its own part of a game and may drop the attributes of ours."""
        return _setup(self.name, frozenset(self.get_parameters().items()))

    def new_initial_state(self) -> RiverbedState:
        """The chance node of the deal."""
        return RiverbedState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RiverbedObserver | None:
        """An observer of what one seat sees.

        Args:
            iig_obs_type: OpenSpiel's kind of observation; None: what one seat sees now, without perfect recall.
            params: none, or an empty mapping.

        Returns:
            The observer; None for kinds that don't hold both public information and one player's own, since what is
            public isn't kept apart.

        Raises:
            OptionError: for any params.
        """
        check_names(f"an observer of {self.name}", params or {}, [])
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return RiverbedObserver(self.setup, perfect_recall=bool(kind.perfect_recall))


class _Position:
    """The record of a game in play and what its current seat sees; cheap to copy.

    memories: for each seat a digest of what it saw and did at each of its decisions so far.
    """

    __slots__ = ("asked", "games", "memories", "row", "setup")

    def __init__(self, setup: _Setup) -> None:
        self.setup = setup
        self.games, self.row = setup.no_games, setup.no_row  # OpenSpiel makes a new state for each copy too
        self.asked = _CHANCE
        self.memories = [b""] * setup.num_players

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = object.__new__(type(self))
        twin.setup, twin.asked = self.setup, self.asked
        twin.games, twin.row = copy_records(self.games), self.row
        twin.memories = list(self.memories)
        return twin

    def deal(self, number: int) -> None:
        """Deal game `number`. Raises IllegalActionError if there is no such deal."""
        if not 0 <= number < self.setup.num_deals:
            raise IllegalActionError(f"the deal must be from 0 to {self.setup.num_deals - 1}, not {number}")
        if self.setup.small is not None:
            self.games = take_records(self.setup.dealt, np.array([number]))
            _, self.asked = self.row_of(0)
            self.row, _ = self.row_of(self.asked)
            return
        self.games = np.zeros(1, self.setup.game.dtype)
        self._serve(number, DEAL)

    def take(self, action: int) -> None:
        """Take the current seat's action. Raises IllegalActionError, with nothing changed, if it is illegal."""
        seat, row = self.asked, self.row
        if self.setup.small is not None and not self.setup.small.allowed[action]:
            raise IllegalActionError(f"{self.setup.small.name} bars action {action}; legal: {self.legal()}")
        self._serve(0, action)
        what = self.memories[seat] + row.tobytes() + action.to_bytes(4, "little")
        self.memories[seat] = hashlib.blake2b(what, digest_size=16).digest()

    def _serve(self, number: int, action: int) -> None:
        setup = self.setup
        row = np.zeros(setup.row_length, np.int8)  # copies share a row, so it never changes
        serve = setup.game.loops.serve
        asked = serve(self.games, setup.params, setup.views, SEED, number, action, row, setup.size)
        if asked <= REFUSED:
            reason = setup.game.words.describe_refusal(REFUSED - asked)
            legal = ", ".join(map(str, self.legal()))
            raise IllegalActionError(f"seat {self.asked} can't take action {action}: {reason}; legal: {legal}")
        self.row, self.asked = setup.cut(row), (_TERMINAL if asked == OVER else int(asked))

    def row_of(self, seat: int) -> tuple[npt.NDArray[np.int8], int]:
        """A seat's row, and who is asked; `setup.views` then holds what the seat may know."""
        setup, row = self.setup, np.zeros(self.setup.row_length, np.int8)
        asked = int(setup.game.loops.row_of(self.games, setup.params, setup.views, seat, row, setup.size))
        return setup.cut(row), asked

    def legal(self) -> list[int]:
        """The legal actions of the current seat, ascending."""
        size = self.setup.size
        legal: list[int] = np.flatnonzero(self.row[size : size + self.setup.game.actions.size]).tolist()
        return legal

    def see(self, seat: int) -> npt.NDArray[np.int8]:
        """A seat's observation, (D,); zeros before the deal."""
        if seat == self.asked:
            return self.row[: self.setup.size]
        row = self.setup.no_row if self.asked == _CHANCE else self.row_of(seat)[0]
        return row[: self.setup.size]

    def returns(self) -> list[float]:
        """Every seat's return; zeros before the end.

        Each is 0, 1/n or -1/n. OpenSpiel wants sums nearer to 0 than those of float32 are, so n is found again.
        """
        returns = np.zeros(self.setup.num_players, np.float32)
        if self.asked == _TERMINAL:
            self.setup.game.loops.returns_of_one(self.games, self.setup.zero_sum, returns)
        return [1 / round(1 / float(each)) if each else 0.0 for each in returns]


class RiverbedState(pyspiel.State):
    """A state of a game; made by `RiverbedGame.new_initial_state`."""

    def __init__(self, game: RiverbedGame) -> None:
        super().__init__(game)
        self.position = _Position(game.setup)

    def current_player(self) -> int:
        """The acting seat; the chance node's before the deal, the terminal one's after the end."""
        return self.position.asked

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal() if player == self.position.asked else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the deals with their probabilities."""
        return list(self.position.setup.deals)

    def _apply_action(self, action: int) -> None:
        if self.position.asked == _CHANCE:
            self.position.deal(int(action))
        else:
            self.position.take(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        """The action's name and argument, or the number of the deal."""
        if player == _CHANCE:
            return f"deal {action}"
        actions = self.position.setup.game.actions
        name, argument = actions.split(action)
        alone = next(block for block in actions.blocks if block.name == name).size == 1
        return name if alone else f"{name} {argument}"

    def is_terminal(self) -> bool:
        """Whether the game is over, or truncated by its cap."""
        return self.position.asked == _TERMINAL

    def returns(self) -> list[float]:
        """Every seat's return; zeros before the end and after truncation."""
        return self.position.returns()

    def information_state_string(self, player: int | None = None) -> str:
        """Digests of all that a seat saw and did at its decisions, and of what it sees now: perfect recall.

        Args:
            player: the seat; None: the one that is asked.

        Returns:
            The seat's number and both digests, as text.

        Raises:
            OptionError: there is no such seat.
        """
        seat = self.position.asked if player is None else player
        if not 0 <= seat < self.num_players():
            raise OptionError(f"players are 0 to {self.num_players() - 1}, not {seat}")
        now = hashlib.blake2b(self.position.see(seat).tobytes(), digest_size=16).hexdigest()
        return f"player {seat}, past {self.position.memories[seat].hex() or 'none'}, now {now}"

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> RiverbedState:
        """A state drawn from those that look the same to a player, future chance included; see `worlds.resample`.

        The copy plays on, but its history names the true deal: don't show or save it.

        Args:
            player: the seat.
            rng: draws from 0 to 1.

        Returns:
            The state; before the deal and after the end a plain copy.

        Raises:
            OptionError: the game can't be resampled.
        """
        twin: RiverbedState = self.clone()
        position = twin.position
        if position.asked >= 0:
            setup = position.setup
            position.row_of(player)
            position.games = resample(setup.game, copy_records(setup.views), setup.params, int(rng() * MAX_SEED))
            _, asked = position.row_of(player)  # a seat with a question is asked in a drawn game
            position.row, position.asked = position.row_of(asked)
        return twin

    def __str__(self) -> str:
        """The whole table in plain English, what is hidden included."""
        position = self.position
        setup = position.setup
        if position.asked == _CHANCE:
            return f"{setup.game.title}, not dealt yet"
        words: str = setup.game.words.describe_state(setup.pack, position.games, setup.params, None)
        return words


class RiverbedObserver:
    """An OpenSpiel observer of one seat's observation.

    `tensor` (D,) float32 is the environments' observation and `dict` has its pieces by name; with perfect recall there
    is only a string.
    """

    def __init__(self, setup: _Setup, *, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[Any]] = {}
        if not perfect_recall:
            self.tensor = np.zeros(setup.size, np.float32)
            self.dict = dict(setup.game.observation.named(self.tensor))

    def set_from(self, state: RiverbedState, player: int) -> None:
        """Write a player's observation of a state.

        Args:
            state: the state.
            player: the seat.
        """
        if self.tensor is not None:
            self.tensor[:] = state.position.see(player)

    def string_from(self, state: RiverbedState, player: int) -> str:
        """The pieces that aren't all 0, with their values; with perfect recall the information state.

        Args:
            state: the state.
            player: the seat.

        Returns:
            The text, a line for each piece.
        """
        if self.perfect_recall:
            return state.information_state_string(player)
        pieces = state.position.setup.game.observation.named(state.position.see(player))
        shown = [f"{name}: {' '.join(map(str, piece.ravel()))}" for name, piece in pieces.items() if piece.any()]
        return "\n".join([f"player {player}", *shown])


class RiverbedPolicy(Policy):
    """An agent of this library as OpenSpiel's policy, for every seat.

    The probabilities of a saved policy are exact, if no agent that draws advises it. Any other agent is asked `draws`
    times in each state, with random words that are the same in all states, and its probabilities are the shares of its
    answers; those of a policy with such an adviser are the means over as many pieces of advice.

    Args:
        game: the loaded game, with `view=history`.
        agent: an agent that remembers nothing, or its spec, like "path/policy.npz" or "greedy".
        draws: how often it is asked; 1 is enough if neither the agent nor its adviser draws.

    Raises:
        OptionError: there is no such agent, it has a memory, or the game has another view.
    """

    def __init__(self, game: RiverbedGame, agent: str | Agent, draws: int = 1) -> None:
        super().__init__(game, list(range(game.num_players())))
        rules = game.setup.game
        self.agent = find_agent(agent, rules) if isinstance(agent, str) else agent
        if self.agent.memory_size or game.setup.size < rules.observation.size:
            raise OptionError(f"a policy needs view=history and an agent without memory, not {self.agent.name}")
        self.streams = np.zeros(check_whole("draws", draws, 1, MOST_DEALS), STREAM)
        for number, stream in enumerate(self.streams):
            open_stream(stream, SEED, number, AGENTS)

    def action_probabilities(self, state: RiverbedState, player_id: int | None = None) -> dict[int, float]:
        """The probability of each legal action of a seat.

        Args:
            state: a state in which the seat is asked.
            player_id: the seat; None: the one that is asked.

        Returns:
            Probabilities by action.
        """
        setup, streams = state.position.setup, self.streams.copy()
        row, _ = state.position.row_of(state.position.asked if player_id is None else player_id)
        seen, mask = row[: setup.size], row[setup.size : setup.size + setup.game.actions.size]
        rows = np.tile(seen, (len(streams), 1)), np.tile(mask, (len(streams), 1))
        views: dict[str, Any] = {"views": np.repeat(setup.views, len(streams)), "params": setup.params}
        sight = views if getattr(self.agent, "by_view", False) else {}
        if isinstance(self.agent, SavedPolicy):
            shares = self.agent.probabilities(*rows, streams, **sight).mean(axis=0)
        else:
            answers = self.agent.act(*rows, np.zeros((len(streams), 0), np.int32), streams, **sight)
            shares = np.bincount(answers, minlength=len(mask)).astype(np.float64)
        return {action: float(shares[action] / shares.sum()) for action in np.flatnonzero(mask).tolist()}


def resampler(seed: int) -> Callable[[RiverbedState, int], RiverbedState]:
    """A resampler for `ISMCTSBot.set_resampler`: each call draws a state that looks the same to the player.

    Args:
        seed: of NumPy's generator, which all calls draw from.

    Returns:
        `draw(state, player)`; see `RiverbedState.resample_from_infostate`.
    """
    draws = np.random.default_rng(seed)
    return lambda state, player: state.resample_from_infostate(player, draws.random)


def register(game_id: str) -> None:
    """Register a game with OpenSpiel under its name without the version.

    The library's own games, and those registered before this module was imported, are registered already.

    Args:
        game_id: the game's versioned name.

    Raises:
        OptionError: there is no such game, or another version of it is registered.
    """
    game = find_game(game_id)
    if _registered.setdefault(game.name, game) is not game:
        raise OptionError(f"OpenSpiel has a game {game.name!r} already, of another version than {game_id}")
    if game.name not in pyspiel.registered_names():
        # A class, as OpenSpiel lets go of what it registered after Python's end, which only a class survives.
        pyspiel.register_game(_game_type(game, "win"), type(game.name, (RiverbedGame,), {"name": game.name}))


for _each in tuple(ENTRIES):
    register(_each)
