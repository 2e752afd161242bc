"""A learner in one seat of every game, agents in the others: the core of the Gymnasium and SB3 environments."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch, Vectors, are_legal, read_actions
from riverbed_env.core.game import Game, put_records, rows_of, take_records
from riverbed_env.core.options import check_choice, check_flag, check_known, check_view
from riverbed_env.errors import IllegalActionError, OptionError, StateError
from riverbed_env.kernels.loops import TRUNCATED
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.players.arena import OUTSIDE, Arena, check_arrays
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.lineups import NOBODY, drawn_holders, lineups, seating_uniforms
from riverbed_env.registry import find_game

Whole = npt.NDArray[np.int64]

ON_ILLEGAL = ("raise", "terminate")
AUTORESET = ("same_step", "off")
ILLEGAL_REWARD = -1.0
TRIED = 512  # games dealt before giving up on a role that is never dealt or never asked
_KEPT = ("seat", "_next", "_over", "final_observation", "final_mask")


class LearnerBatch:
    """`num_envs` games with a learner in one seat of each; `step` returns at the learner's next decision.

    A step's reward is what the learner earned in it, whichever seat's move ended the game. Games are numbered, and
    environment i plays games `first_game + i`, `first_game + i + n`, …: the deal, the learner's seat and the others'
    agents depend on the seed and the number alone. Games in which nobody has the learner's role, or which end before
    the learner is asked, are skipped; `passed_over` counts them.

    The arrays below are written by each call. They change in place; copy what you keep. What a game was that ended
    tells `ended_columns()`.

    Args:
        game: The game, as `find_game` gives it.
        num_envs: How many games, n, 1 or more.
        role: The learner's, one of `game.roles`; if several seats have it, one is drawn. None draws any seat.
        opponents: Who plays the other seats; see `players.lineups.lineups`.
        seed: The seed of all games, 0 to 2**63 - 1; None draws one.
        view: The learner's: "history", or "now", one of `game.views`. Others see "history".
        features: Names of feature sets whose numbers follow the observation, see `players.features`.
        secrets: Whether observations end with the full state's secret pieces, the learner's seat first (`num_secrets`
            numbers), for a critic that is dropped after training; an agent must not see them.
        on_illegal: "raise", or "terminate" (the game ends, terminated, and the reward is ILLEGAL_REWARD, which is -1).
        autoreset: "same_step" deals the next game in the step that ends one, "off" never.
        first_game: The number of environment 0's first game, 0 to 2**62.
        options: Those of `Batch` but for `auto_reset`, and the game's own.

    Attributes:
        observation: (n, D) int8, what the learner sees: the view, then features, then secrets.
        action_mask: (n, A) int8, 1 for each action that is legal.
        seat: (n,) int64, the learner's seat.
        reward: (n,) float32, what the learner earned in the last step.
        terminated: (n,) bool, the last step ended the game.
        truncated: (n,) bool, the cap on its length ended the game in the last step.
        final_observation: (n, D) int8, what the learner saw last of a game that ended.
        final_mask: (n, A) int8, its mask.
        ended_game: (n,) int64, the number of the game that ended.
        pieces: What the numbers of an observation are: `pieces.named(observation[i])`. A feature set's begin with its
            name, like "outlook.asks".
        low: (D,) the least values of an observation.
        high: (D,) the greatest values of an observation.
        num_secrets: How many numbers at the end of an observation are secrets.
        illegal: How many illegal actions there were.
        passed_over: How many games were skipped.

    Raises:
        OptionError: An option isn't known, its value isn't allowed, the role is never dealt, or the learner isn't asked
            in 512 games in a row.
        SeedError: The seed isn't an integer or is out of range.
        PackError: The content pack can't be read or breaks a rule.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        role: str | None = None,
        opponents: Any = "random",
        seed: int | None = None,
        view: str = "history",
        features: Sequence[str] = (),
        secrets: bool = False,
        on_illegal: str = "raise",
        autoreset: str = "same_step",
        first_game: int = 0,
        **options: Any,
    ) -> None:
        check_learner_options(game, options)
        check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        check_choice("autoreset", autoreset, AUTORESET)
        if role is not None:
            check_choice("role", role, game.roles)
        check_flag("secrets", secrets)
        self.game, self.role, self.view = game, role, view
        self.on_illegal, self.autoreset = on_illegal, autoreset
        self.features = find_feature_sets(features, game)
        self.view_size = check_view(game, view)
        self.lineups = lineups(game, opponents)
        options |= {"seed": seed, "first_game": first_game, "features": self.features}
        self.tables = Arena(game, self.lineups.agents, num_envs, **options)
        self.num_envs, self.num_players = num_envs, self.tables.num_players
        self._secret_places = self._places_of_secrets(secrets)
        self._allocate()
        self._begun = False
        self.reset(first_game=first_game)

    def _places_of_secrets(self, wanted: bool) -> Whole:
        """Where each seat's secrets are in a full state, (sets of options, seats, secrets); none if not wanted."""
        counts, seats = self.tables.batch.params["num_players"].tolist(), range(self.num_players)
        places = self.game.state.secret_places
        of_seats = [[places(min(seat, count - 1), count) for seat in seats] for count in counts]
        return np.array(of_seats, np.int64)[:, :, : None if wanted else 0]

    def _allocate(self) -> None:
        """The bounds of an observation's numbers, and the arrays that every call writes."""
        game, size, num_envs = self.game, self.view_size, self.num_envs
        self.num_secrets = self._secret_places.shape[-1]
        secrets, derived = game.state.secrets if self.num_secrets else (), self.tables.batch.feature_pieces.pieces
        self.pieces = PieceTable((*game.observation.within(size), *derived, *secrets))
        self.low, self.high = self.pieces.low(), self.pieces.high()
        self.observation = np.zeros((num_envs, len(self.low)), np.int8)
        self.action_mask = np.zeros((num_envs, game.actions.size), np.int8)
        self.final_observation = np.zeros_like(self.observation)
        self.final_mask = np.zeros_like(self.action_mask)
        self.reward = np.zeros(num_envs, np.float32)
        self.terminated, self.truncated, self._over = (np.zeros(num_envs, np.bool_) for _ in range(3))
        self.seat, self.ended_game, self._next = (np.zeros(num_envs, np.int64) for _ in range(3))
        self._last = np.zeros(num_envs, game.dtype)  # the last game that ended in each place
        self.illegal = self.passed_over = 0

    def _forget_step(self) -> None:
        """Clear the results of the last step."""
        self.reward[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False

    @property
    def seed(self) -> int:
        """The seed of the games."""
        return self.tables.batch.seed

    @property
    def game_number(self) -> Whole:
        """The number of the game in each environment, (n,)."""
        return self.tables.batch.game_number

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which environments hold a game that is over and not yet replaced, (n,) bool."""
        return self._over

    def begin(self, seed: int | None = None, first_game: int | None = None) -> None:
        """`reset`, except that a first call without arguments keeps the games that the constructor dealt.

        Args:
            seed: As in `reset`.
            first_game: As in `reset`.

        Raises:
            SeedError: The seed isn't an integer or is out of range.
            OptionError: `first_game` isn't an integer or is out of range.
        """
        if seed is not None or first_game is not None or self._begun:
            self.reset(seed, first_game)
        self._begun = True

    def reset(self, seed: int | None = None, first_game: int | None = None) -> None:
        """Deal all games again.

        Args:
            seed: The seed of the games, whose numbers then start at 0; it also sets the counts of illegal actions and
                of skipped games to 0. None keeps the seed, and the numbers follow those dealt so far.
            first_game: The number of environment 0's game, 0 to 2**62; environment i gets `first_game + i`.

        Raises:
            SeedError: The seed isn't an integer or is out of range.
            OptionError: `first_game` isn't an integer or is out of range, or the learner isn't asked in 512 games in a
                row.
        """
        checked, start = self.tables.batch.first_of(seed, first_game)
        self.tables.batch.seed = checked
        if seed is not None:
            self.illegal = self.passed_over = 0
        self._next[:] = start + np.arange(self.num_envs)
        self._over[:] = False
        self._forget_step()
        self._deal(np.arange(self.num_envs))
        self._show()

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """The exact state.

        Returns:
            Copies of arrays by name.
        """
        counters = np.array([self.seed, self.illegal, self.passed_over], np.int64)
        kept = {name: getattr(self, name).copy() for name in _KEPT}
        return {**self.tables.get_state(), **kept, "counters": counters}

    def set_state(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Restore what `get_state` gave.

        Args:
            state: What `get_state` gave.

        Raises:
            StateError: It doesn't fit or isn't sound; nothing has changed.
        """
        check_arrays(state, self.get_state())
        before = self.tables.get_state()
        self.tables.set_state(state)
        wrong = [name for name, sound in self._soundness(state).items() if not sound]
        if wrong:
            self.tables.set_state(before)
            raise StateError(f"the state's {wrong[0]} doesn't fit its games, or isn't that of such a learner")
        self.tables.batch.seed, self.illegal, self.passed_over = (int(each) for each in state["counters"])
        for name in _KEPT:
            getattr(self, name)[:] = state[name]
        self._forget_step()
        self._begun = True
        self._show()

    def _soundness(self, state: Mapping[str, npt.NDArray[Any]]) -> dict[str, bool]:
        """Which parts of a state fit the games at the tables, by name."""
        tables, seat, over = self.tables, state["seat"], state["_over"]
        seed, indices = int(state["counters"][0]), np.arange(self.num_envs)
        uniforms = seating_uniforms(seed, self.game_number, self.num_players)
        drawn = drawn_holders(self.game, tables.batch.roles(), self.role, uniforms[:, 0])
        outside = tables.lineups == OUTSIDE
        may_be_over = self.autoreset != "same_step" and ((tables.batch.seat < 0) | (self.on_illegal == "terminate"))
        return {
            "counters": bool((tables.batch.games["seed"] == seed).all() and (state["counters"] >= 0).all()),
            "seat": bool((drawn == seat).all()),
            "lineups": bool((outside.sum(axis=1) == 1).all() and outside[indices, drawn].all()),
            "_next": bool((state["_next"] == self.game_number + self.num_envs).all()),
            "_over": bool(np.where(over, may_be_over, tables.batch.seat == seat).all()),
        }

    def step(self, actions: npt.ArrayLike) -> None:
        """Take the learner's action in every environment and play to its next decision.

        Args:
            actions: (n,) integers; those of games that are over are ignored.

        Raises:
            IllegalActionError: An action is illegal and `on_illegal="raise"`, or these aren't n integers; nothing has
                changed.
            OptionError: The learner isn't asked in 512 games in a row.
        """
        playing = np.flatnonzero(~self._over)
        chosen = read_actions(actions, self.num_envs)
        offending = np.flatnonzero(~are_legal(self.action_mask, chosen) & ~self._over)
        if len(offending) and self.on_illegal == "raise":
            index = int(offending[0])
            raise IllegalActionError(self.tables.batch.explain(index, int(chosen[index]), len(offending)))
        self.illegal += len(offending)
        self._forget_step()
        continuing = playing[~np.isin(playing, offending)] if len(offending) else playing
        self.tables.play_on(continuing, chosen)
        self._pay(continuing)
        self.reward[offending] = ILLEGAL_REWARD
        self.terminated[offending] = True
        ended = np.flatnonzero(self.terminated | self.truncated)
        self._over[ended] = self.autoreset != "same_step"
        self._note_ends(ended)
        if self.autoreset == "same_step":
            self._deal(ended)
        self._show()

    def _pay(self, indices: Whole) -> None:
        endings = self.tables.batch.arrays.ended
        ended = indices[endings[indices] != 0]
        self.reward[ended] = self.tables.batch.returns[ended, self.seat[ended]]
        self.truncated[ended] = endings[ended] == TRUNCATED
        self.terminated[ended] = ~self.truncated[ended]

    def _note_ends(self, indices: Whole) -> None:
        """Keep what the learner saw last of the games that ended."""
        if len(indices):
            observation, mask = self.tables.batch.observe(self.seat[indices], indices)
            more = self._more(observation, mask, indices)
            self.final_observation[indices] = np.concatenate([observation[:, : self.view_size], more], axis=1)
            self.final_mask[indices] = mask
            self.ended_game[indices] = self.game_number[indices]
            put_records(self._last, self.tables.batch.games, indices)

    def ended_columns(self) -> dict[str, npt.NDArray[np.generic]]:
        """The columns of the games that the last step ended; see `Batch.ended_columns`.

        Returns:
            Arrays by name, a row for each game in the order of the environments.
        """
        ended = np.flatnonzero(self.terminated | self.truncated)
        return self.game.ended_columns(take_records(self._last, ended))

    def ended_rows(self) -> list[dict[str, Any]]:
        """`ended_columns` as one dictionary for each game.

        Returns:
            The dictionaries, in the order of the environments.
        """
        return rows_of(self.ended_columns())

    def _more(self, observations: Vectors, masks: Vectors, indices: Whole) -> Vectors:
        """What observations end with in these environments: features, then secrets."""
        batch = self.tables.batch
        derived = batch.features_of(self.seat[indices], indices, (observations, masks))
        if not self.num_secrets:
            return derived
        places = self._secret_places[batch.which[indices], self.seat[indices]]
        secret = np.take_along_axis(batch.states(indices), places, axis=1)
        return np.concatenate([derived, secret], axis=1)

    def _show(self) -> None:
        """Write what the learner sees in each environment; what it saw last if the game is over."""
        size, batch = self.view_size, self.tables.batch
        self.observation[:, :size] = batch.observation[:, :size]
        self.action_mask[:] = batch.action_mask
        self.observation[:, size:] = self._more(batch.observation, batch.action_mask, np.arange(self.num_envs))
        over = np.flatnonzero(self._over)
        if len(over):
            self.observation[over] = self.final_observation[over]
            self.action_mask[over] = self.final_mask[over]

    def _deal(self, indices: Whole) -> None:
        """Deal these environments their next games and play until the learner is asked.

        Raises OptionError if it isn't asked in TRIED games in a row.
        """
        for _ in range(TRIED):
            if not len(indices):
                return
            numbers = self._next[indices]
            self._next[indices] += self.num_envs
            roles = self.tables.deal(indices, numbers)
            uniforms = seating_uniforms(self.seed, numbers, self.num_players)
            learners = drawn_holders(self.game, roles, self.role, uniforms[:, 0])
            seats = self.lineups.draw(roles, uniforms[:, 1:])
            there = learners != NOBODY
            seats[np.flatnonzero(there), learners[there]] = OUTSIDE
            self.seat[indices] = np.maximum(learners, 0)
            self.tables.seat_agents(indices, seats)
            self.tables.play_on(indices[there])
            asked = there & (self.tables.batch.seat[indices] >= 0)
            self.passed_over += int(np.sum(~asked))
            indices = indices[~asked]
        if len(indices):
            count = int(self.tables.batch.players[indices[0]])
            raise OptionError(
                f"with {count} players nobody with the role {self.role!r} was dealt or asked in {TRIED} games in a row"
            )


def check_learner_options(
    game: Game, options: Collection[str], *takers: Callable[..., Any], fixed: Collection[str] = ()
) -> None:
    """Raise OptionError for an option that nobody takes: see `check_known`. takers: who passes options to a learner."""
    check_known(game, options, *takers, LearnerBatch.__init__, Batch.__init__, fixed=("auto_reset", *fixed))


def make_learner(game_id: str | Game, num_envs: int = 1, **options: Any) -> LearnerBatch:
    """Make many games with a learner in one seat of each and agents in the others.

    Args:
        game_id: The game's name, as `find_game` takes it.
        num_envs: How many, 1 or more.
        options: Those of `LearnerBatch`, `Batch` and the game's own, like role="chief", opponents="simple".

    Returns:
        The batch, in which the learner is asked everywhere.

    Raises:
        OptionError: The game or an option isn't known, or an option's value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """
    return LearnerBatch(find_game(game_id), num_envs, **options)
