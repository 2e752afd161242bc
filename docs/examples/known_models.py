"""Four scripted models of known quality at a chat endpoint of their own, to try the judge on.

Name one like a file's agent: riverbed evaluate "liar=docs/examples/known_models.py:liar" --reference rule_based …

rules wants what the agent `rule_based` would do; clumsy wants the same, but its first answer to every prompt is an
illegal choice; liar wants what the personality `bold_liar` would do; dice wants any legal choice.
"""

import threading
from http.server import ThreadingHTTPServer

import numpy as np
from model import Endpoint

from riverbed_env import find_agent
from riverbed_env.kit import random_legal_action
from riverbed_env.seats import SeatAgent
from riverbed_lab.llm.seat import llm_agent

GAME = "riverbed_hunt_v1"
NO_CHOICE = 9999


class Scripted(SeatAgent):
    """A language model's seat and the model in one: the endpoint says in words what a policy wants.

    The endpoint sees the prompts alone; so the seat tells it beforehand what to want at the prompts that follow.
    """

    def __init__(self, name, policy, clumsy=False):
        model = type("Model", (Endpoint,), {"say": staticmethod(self.say)})
        server = ThreadingHTTPServer(("127.0.0.1", 0), model)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/v1"
        seat = llm_agent(GAME, name, model=name, base_url=address, concurrency=1, retries=1)
        super().__init__(name, seat.game, seat.channel, seat.retries, about=seat.about)
        self.policy, self.clumsy, self.wants = policy, clumsy, []

    def act(self, observations, masks, memory, rng, **extra):
        """Ask the model, one game after the other."""
        if self.policy is None:
            wants = [random_legal_action(mask, stream) for mask, stream in zip(masks, rng.copy())]
        else:
            sight = {"views": extra["views"], "params": extra["params"]}
            none = np.zeros((len(masks), 0), np.int32)
            wants = self.policy.act(observations, masks, none, rng.copy(), **sight).tolist()
        self.wants = [1 + int(mask[:want].sum()) for mask, want in zip(masks, wants)]  # as the prompt numbers them
        return super().act(observations, masks, memory, rng, **extra)

    def say(self, messages):
        """The choice, in a sentence; nonsense at first if it is clumsy."""
        if self.clumsy and "couldn't be taken" not in messages[-1]["content"]:
            return f'{{"choice": {NO_CHOICE}}}'
        return f'I choose {{"choice": {self.wants.pop(0)}}}'


def rules():
    """A model that plays like the rules' agent."""
    return Scripted("rules", find_agent("rule_based", GAME))


def clumsy():
    """A model that plays like the rules' agent, when it is asked again."""
    return Scripted("clumsy", find_agent("rule_based", GAME), clumsy=True)


def liar():
    """A model that turns up tiles for another camp while no end is near, and asks the chief as a merchant would."""
    return Scripted("liar", find_agent("bold_liar", GAME))


def dice():
    """A model that takes any legal choice."""
    return Scripted("dice", None)
