"""What stands beside a player: the reference at each of its decisions, the worth of its choices, and deduction."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent, CompiledAgent, answers
from riverbed_env.players.installed import list_agents, usual_agent
from riverbed_env.players.specs import find_agent
from riverbed_env.seats import SeatFailureError, read_beliefs
from riverbed_env.seats.message import Message
from riverbed_env.worlds import beliefs

from ..judging.beliefs import SMALLEST, unknown_roles
from ..judging.run import OPEN, REFERENCE, Settings, Valuer
from ..playing.play import play_seated
from ..seat_tools.hosted import ONLY, HostedGame

USUAL = "rule_based"


def find_reference(game: Game, spec: str | None = None) -> CompiledAgent:
    """The agent of a spec; None: rule_based, or the game's plainest. Raises OptionError unless it is compiled."""
    usual = USUAL if USUAL in list_agents(game.name) else usual_agent(game.name)
    found = find_agent(spec or usual, game)
    if not isinstance(found, CompiledAgent):
        raise OptionError(f"the reference plays games on, and {found.name} isn't compiled")
    return found


class Beside:
    """The reference beside the players from outside: what it would choose, with a memory of its own for each seat.

    Args:
        hosted: the game.
        reference: the agent.
        pool: the agents that may sit in the game.
        how: settings by which choices are valued; None: they aren't.
    """

    def __init__(
        self, hosted: HostedGame, reference: CompiledAgent, pool: Sequence[Agent], how: Settings | None
    ) -> None:
        self._hosted, self._reference, self._pool = hosted, reference, pool
        self._memories = np.zeros((len(hosted.names), 1, reference.memory_size), np.int32)
        known = [each for each in pool if isinstance(each, CompiledAgent) and each.name != reference.name]
        numbers = {reference.name: REFERENCE} | {each.name: place for place, each in enumerate(known, 1)}
        lineup = np.array([numbers.get(name, OPEN) for name in hosted.names])
        deciding = (reference, *known)
        self._valuer = None if how is None else Valuer(how, deciding, hosted.batch, hosted.dealt, lineup)
        self.worth = 0.0  # of the last choice

    def choose(self) -> int:
        """What the reference does in the place of the seat that is asked; call it once a decision."""
        batch = self._hosted.batch
        memory, streams = self._memories[int(batch.seat[0])], batch.agent_streams()
        return int(answers(self._reference, batch, ONLY, memory, streams)[0])

    def before(self, action: int) -> None:
        """Value an action that is about to be taken."""
        usual, taken = self.choose(), self._hosted.actions
        if self._valuer is None or usual == action:
            return
        choice = [[len(taken), int(self._hosted.batch.seat[0]), action, usual]]
        self.worth += float(self._valuer.effects(np.array([*taken, action]), np.array(choice))[0])

    def instead(self) -> npt.NDArray[np.float32] | None:
        """What each seat gets with the reference in the players' place; None unless all agents are compiled."""
        batch, agents = self._hosted.batch, self._pool
        if not all(isinstance(each, CompiledAgent) for each in agents):
            return None
        numbers = {each.name: place for place, each in enumerate(agents)}
        seats = [numbers[name or self._reference.name] for name in self._hosted.names]
        played = play_seated(batch.game, agents, np.array([seats]), batch.game_number, batch.seed, **batch.options)
        return np.asarray(batch.game.returns(played.games, len(seats))[0])


def ask_beliefs(message: Message, roles: Sequence[str]) -> Message:
    """The same question, which also asks for beliefs."""
    own = message["you"]["name"]
    names = [f"player_{seat}" for seat in range(message["game"]["players"])]
    return {**message, "beliefs": {"players": [name for name in names if name != own], "roles": list(roles)}}


def score_beliefs(hosted: HostedGame, words: str, message: Message) -> Mapping[str, float]:
    """The mean log score of stated beliefs about the roles that the seat doesn't know, and that of deduction.

    An answer without beliefs that can be read counts as one that holds all roles for equally likely.

    Args:
        hosted: the game, in which the seat is asked.
        words: the answer.
        message: the question.

    Returns:
        `log_score` and `deduction`, in nats, 0 at best; both 0 if the seat knows all roles.
    """
    batch, game = hosted.batch, hosted.game
    view = batch.look(int(message["you"]["seat"]))
    truth = unknown_roles(batch, view)
    try:
        told = read_beliefs(words, message)
    except SeatFailureError:
        told = np.full((batch.num_players, len(game.roles)), 1 / len(game.roles))
    seats = list(truth), list(truth.values())
    given = {"log_score": told, "deduction": beliefs(game, view, batch.params)[0]}
    return {
        name: float(np.log(np.maximum(chances[seats], SMALLEST)).mean()) if truth else 0.0
        for name, chances in given.items()
    }
