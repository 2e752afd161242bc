"""The door to verifiers (v1): the taskset `riverbed-verifiers`, its environment and harness; tasks are deals.

verifiers finds it by its name: `vf-eval riverbed-verifiers -m MODEL`.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from openai import AsyncOpenAI
from pydantic import Field
from verifiers.v1.dialects.chat import message_to_wire

from riverbed_lab.seat_env.env import CHANGES, SeatEnv

__all__ = ["SeatHarness", "SeatRollouts", "SeatTaskset"]


class SeatConfig(vf.TasksetConfig):
    """What is played: settings of `SeatEnv`, like `--env.taskset.seat.players 7`."""

    seat: dict[str, Any] = Field(default_factory=dict)

    def env(self) -> SeatEnv:
        """An environment whose chat grows."""
        return SeatEnv(**{"split": "train", **self.seat}, history=CHANGES)


class SeatData(vf.TaskData):
    """A deal, by its index, and what it is played with."""

    index: int
    settings: SeatConfig


class SeatTask(vf.Task[SeatData]):
    """A game to play."""


class SeatTaskset(vf.Taskset[SeatTask, SeatConfig]):
    """The deals of a split, without end."""

    INFINITE = True

    def load(self) -> Iterator[SeatTask]:
        """Yield each deal with its first question as the prompt."""
        env = self.config.env()
        for place in itertools.count():
            system, asked = env.reset(place)
            about = {"name": f"{env.split}-{place}", "system_prompt": system["content"]}
            yield SeatTask(
                SeatData(prompt=asked["content"], index=env.index, settings=self.config, **about), self.config.task
            )


class SeatRolloutsConfig(vf.EnvConfig):
    """Who plays."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class SeatRollouts(vf.Env[SeatRolloutsConfig]):
    """A game as an episode: the environment is the player's user."""

    async def run(self, task: SeatTask, agents: Any) -> None:
        """Play the task's game."""
        env = task.data.settings.env()
        await env.areset(task.data.index)
        rewards, info = [], dict[str, Any]()
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                messages, reward, done, info = await env.astep(segment.last_reply)
                rewards.append(reward)
                if done:
                    break
                segment = await interaction.turn(messages[-1]["content"])
        trace = interaction.trace
        trace.record_reward(env.reward, sum(rewards))
        usual = info.get("reference") or {}
        met = {"won": info.get("won"), "forfeited": info.get("forfeited"), "reference_won": usual.get("won")}
        trace.record_metrics({name: float(value or 0) for name, value in met.items()})
        trace.info["game"] = {**info, "rewards": rewards, "record": env.record().to_json()}


class SeatHarness(vf.Harness[vf.HarnessConfig]):
    """A chat without tools in this process; it needs no sandbox."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: Any, data: vf.TaskData
    ) -> vf.ProgramResult:
        """Ask the model once; verifiers keeps what it says."""
        system, asked = self.resolve_prompt(data)
        turns = [{"role": "user", "content": asked}] if isinstance(asked, str) else map(message_to_wire, asked or [])
        chat = [{"role": "system", "content": system}, *turns] if system else list(turns)
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:
            await client.chat.completions.create(model=ctx.model, messages=chat)
        return vf.ProgramResult(0, "", "")
