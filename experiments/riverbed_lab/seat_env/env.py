"""A seat in words: `reset` and `step` give messages, and whoever calls them plays."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from typing import Any

import numpy as np

from riverbed_env.core.batch import options_by_deal
from riverbed_env.core.options import check_choice, check_known, check_whole
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.players.agents import Agent, CompiledAgent
from riverbed_env.players.lineups import lineups, seating_uniforms
from riverbed_env.registry import find_game
from riverbed_env.seats import Answer, SeatFailureError, read_answer
from riverbed_env.seats.agent import MOST_RETRIES

from ..judging.run import Settings
from ..llm.prompt import Chat
from ..playing.play import deal
from ..seat_tools.hosted import HostedGame
from .beside import USUAL, Beside, ask_beliefs, find_reference, score_beliefs
from .chat import SeatChat
from .splits import ALL, game_number

WIN, WORTH, BELIEF = REWARDS = ("win", "worth", "belief")
COMPLETE, CHANGES = HISTORIES = ("complete", "changes")
TRIED = 512  # deals looked at for a role

Info = dict[str, Any]
Step = tuple[Chat, float, bool, Info]

_compiling = threading.Lock()
_compiled = set[tuple[Any, ...]]()


class SeatEnv:
    """A game in which the caller plays one seat in words, or every seat.

    Environments share nothing that changes: several threads may step several of them. The first one of a kind compiles
    what its games need. For many at once, gather `areset` and `astep`.

    Args:
        game: the game's id.
        players: how many play; None: as many as usual.
        opponents: who plays the other seats, as `players.lineups.lineups` reads it; None: the caller plays all seats.
        talk: "none", "claims" or "text".
        role: the caller's role; None: any seat.
        split: "train" or "test", which share no deal; None: all deals.
        reward: "win": 1 if the seat wins, else 0, at the end. "worth": after each choice how much more often its seat
            wins than after the reference's, by rollouts in worlds that the seat can't exclude. "belief": after each
            choice the log score of the roles stated with it, less that of deduction.
        history: "complete": each question is a chat of two messages. "changes": the chat grows by what changed.
        retries: how often a question is asked again after an answer that can't be taken. Then the seat forfeits: the
            reference plays it to the end.
        forfeit: the reward of the step in which a seat forfeits.
        reference: the compiled agent that choices are compared with; None: rule_based or the game's plainest.
        name: what the caller is called in records.
        seed: of the numbered games.
        worlds: for each choice that is valued.
        moves: exchanges tried from one world to the next, see `riverbed judge`.
        options: those of the game; `pack` also names a split of packs, which deals take in turn.

    Raises:
        OptionError: an option isn't known or allowed.
        PackError: a content pack can't be read or breaks a rule.
    """

    def __init__(
        self,
        game: str = "riverbed_hunt_v1",
        players: int | None = None,
        opponents: Any = USUAL,
        talk: str = "none",
        role: str | None = None,
        split: str | None = None,
        reward: str = WIN,
        *,
        history: str = COMPLETE,
        retries: int = 2,
        forfeit: float = -1.0,
        reference: str | None = None,
        name: str = "policy",
        seed: int = 0,
        worlds: int = 128,
        moves: int = 16,
        **options: Any,
    ) -> None:
        self.game = find_game(game)
        check_choice("reward", reward, REWARDS)
        check_choice("history", history, HISTORIES)
        if reward == BELIEF and self.game.deduction is None:
            raise OptionError(f"beliefs are about hidden roles, which {self.game.id} doesn't have")
        self.players = self.game.default_players if players is None else players
        self.role, self.split, self.reward, self.history = role, split or ALL, reward, history
        self.retries, self.forfeit = check_whole("retries", retries, 0, MOST_RETRIES), forfeit
        self.name, self.seed = name, check_seed(seed)
        found = self._reference = find_reference(self.game, reference)
        how = Settings(self.game.id, found.name, worlds=worlds, moves=moves)
        self._how = how if reward == WORTH else None
        self._lineups = None if opponents is None else lineups(self.game, opponents)
        seated = () if self._lineups is None else self._lineups.agents
        self._pool: list[Agent] = list({agent.name: agent for agent in (*seated, found)}.values())
        options = options if talk == "none" else {**options, "talk": talk}
        check_known(self.game, options, SeatEnv.__init__)
        self._options = {"num_players": self.players, **options}
        self.game.make_params(**options_by_deal(self.game, self._options)[0])
        self._hosted: HostedGame | None = None
        self._lock, self._next = threading.RLock(), 0
        self._check_role(role)
        game_number(0, self.split)
        self._warm()

    # --- playing ------------------------------------------------------------------------------------------------------

    def reset(self, index: int | None = None, role: str | None = None) -> Chat:
        """Deal a game and play on to the caller's first decision.

        Args:
            index: the deal's place in its split, 0 to 2**50; None: the one after the last. If nobody has the role
                there, or the game ends before the seat is asked, the next deal that fits is taken; see `index`.
            role: the caller's role in this game; None: the environment's.

        Returns:
            The messages that ask the seat, each with `role` and `content`.

        Raises:
            OptionError: the index or the role doesn't exist, or no deal fits.
        """
        with self._lock:
            wanted, first = role or self.role, self._next if index is None else index
            self._check_role(wanted)
            for place in range(first, first + TRIED):
                self._next = place + 1
                if self._deal(place, wanted):
                    return self._ask()
            raise OptionError(f"none of {TRIED} deals from {first} asks a {wanted or 'seat'}")

    def step(self, answer: str) -> Step:
        """Take an answer.

        Args:
            answer: what the player says; the last JSON object in it counts, `{"choice": NUMBER}`.

        Returns:
            The messages that ask next, the reward of the seat that answered, whether the game is over for the caller,
            and what else is known of it; see `docs/guides/post_training.md`. None of that is for the player.

        Raises:
            IllegalActionError: no game is under way.
        """
        with self._lock:
            hosted, seat, chat = self._dealt(), self.seat, self._chats[self.seat]
            if self._over:
                raise IllegalActionError("the game is over: call reset()")
            chat.answer(answer)
            try:
                taken = read_answer(answer, chat.asked, numbered=True)
            except SeatFailureError as failure:
                return self._fail(seat, failure)
            return self._take(hosted, seat, taken, answer)

    async def areset(self, index: int | None = None, role: str | None = None) -> Chat:
        """`reset` in a thread; see there."""
        return await asyncio.to_thread(self.reset, index, role)

    async def astep(self, answer: str) -> Step:
        """`step` in a thread; see there."""
        return await asyncio.to_thread(self.step, answer)

    @property
    def done(self) -> bool:
        """Whether no game is under way."""
        return self._hosted is None or self._over

    @property
    def messages(self) -> Chat:
        """The messages that ask now; once the game is over, those that asked last."""
        self._dealt()
        return self._chats[self.seat].messages

    def record(self) -> RecordedGame:
        """The game so far, as `riverbed judge` and `riverbed replay` read it: `record().to_json()`.

        Returns:
            The recorded game.

        Raises:
            IllegalActionError: no game was dealt yet.
        """
        return self._dealt().record(self.name)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _deal(self, index: int, role: str | None) -> bool:
        """Deal a game and seat everybody; whether the caller's seat is asked."""
        number = game_number(index, self.split)
        sets = options_by_deal(self.game, self._options)
        options = dict(sets[number % len(sets)])
        numbers, count = np.array([number]), self.players
        roles = self.game.roles_of(deal(self.game, numbers, self.seed, **options))
        uniforms = seating_uniforms(self.seed, numbers, count)
        own = np.arange(count) if role is None else np.flatnonzero(roles[0] == self.game.roles.index(role))
        if not len(own):
            return False
        agents: list[Agent | None] = [None] * count
        self.seat = int(own[int(uniforms[0, 0] * len(own))])
        if self._lineups is not None:
            drawn = self._lineups.draw(roles, uniforms[:, 1:])[0]
            agents = [self._lineups.agents[each] for each in drawn.tolist()]
            agents[self.seat] = None
        del options["num_players"]
        self._hosted = HostedGame(self.game, agents, self.seed, number=number, pool=self._pool, **options)
        self._beside = Beside(self._hosted, self._reference, self._pool, self._how)
        self._roles = [self.game.roles[each] for each in roles[0].tolist()]
        self._chats = {seat: SeatChat(self.history == CHANGES) for seat in self._hosted.outside}
        self._failures, self._failed, self._decisions = Counter[str](), 0, 0
        self._forfeited, self._over, self.index = False, self._hosted.asked is None, index
        return not self._over

    def _ask(self) -> Chat:
        """Ask whoever has to choose."""
        hosted = self._dealt()
        self.seat = hosted.asked or 0
        chat = self._chats[self.seat]
        message = hosted.message(self.seat)
        chat.ask(ask_beliefs(message, self.game.roles) if self.reward == BELIEF else message)
        self._failed = 0
        return chat.messages

    def _take(self, hosted: HostedGame, seat: int, taken: Answer, answer: str) -> Step:
        chat, more, reward = self._chats[seat], dict[str, Any](), 0.0
        if self.reward == BELIEF:
            more = dict(score_beliefs(hosted, answer, chat.asked))
            reward = more["log_score"] - more["deduction"]
        self._beside.worth = 0.0
        hosted.take(seat, taken.choice, taken.text, self._beside.before)
        self._decisions += 1
        self._over = hosted.asked is None
        if self.reward == WORTH:
            reward = more["worth"] = self._beside.worth
        if not self._over:
            return self._ask(), reward, False, self._info(seat, more)
        more |= self._ended(hosted, seat)
        reward = float(more["won"]) if self.reward == WIN else reward
        return chat.messages, reward, True, self._info(seat, more)

    def _fail(self, seat: int, failure: SeatFailureError) -> Step:
        """Ask again after an answer that can't be taken, or let the reference play on."""
        self._failures[failure.kind] += 1
        self._failed += 1
        more = {"problem": str(failure)}
        if self._failed <= self.retries:
            self._chats[seat].ask_again(str(failure.kind), str(failure))
            return self.messages, 0.0, False, self._info(seat, more)
        hosted, self._forfeited, self._over = self._dealt(), True, True
        while (asked := hosted.asked) is not None:
            hosted.take(asked, self._beside.choose())
        return self.messages, self.forfeit, True, self._info(seat, more | self._ended(hosted, seat))

    def _ended(self, hosted: HostedGame, seat: int) -> Info:
        """How the game ended, and how it would have ended with the reference in the caller's place."""
        returns, instead = hosted.batch.returns[0], self._beside.instead()
        usual = None if instead is None else {"won": bool(instead[seat] > 0), "returns": instead.tolist()}
        return {"won": bool(returns[seat] > 0), "returns": returns.tolist(), "reference": usual}

    def _info(self, seat: int, more: Info) -> Info:
        """What is known of the game besides what its seat is told."""
        return {
            "index": self.index,
            "seat": seat,
            "role": self._roles[seat],
            "camp": self.game.camp_of_role[self._roles[seat]],
            "decisions": self._decisions,
            "failures": dict(self._failures),
            "forfeited": self._forfeited,
            **more,
        }

    def _dealt(self) -> HostedGame:
        if self._hosted is None:
            raise IllegalActionError("no game was dealt: call reset() first")
        return self._hosted

    def _check_role(self, role: str | None) -> None:
        if role is not None:
            check_choice("role", role, self.game.roles)

    # --- compiling ----------------------------------------------------------------------------------------------------

    def _warm(self) -> None:
        """Play a game once for each kind of environment, so that what it compiles is compiled by one thread alone.

        Others than compiled agents aren't asked; what is missing then is compiled in the first game.
        """
        names = tuple(sorted(agent.name for agent in self._pool))
        kind = (self.game.id, names, self._reference.name, self._how is not None)
        with _compiling:
            if kind in _compiled or not all(isinstance(agent, CompiledAgent) for agent in self._pool):
                return
            self.reset()
            ids = [each["id"] for each in self._chats[self.seat].asked["choices"]]
            other = 2 if len(ids) > 1 and ids[0] == self._beside.choose() else 1
            while not self.done:  # a choice that is valued, then the reference plays on
                self.step(f'{{"choice": {other}}}')
                other = 0
            self._next, self._hosted = 0, None
            _compiled.add(kind)
