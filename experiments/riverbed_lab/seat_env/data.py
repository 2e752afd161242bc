"""Recorded games as examples in words: chats for fine-tuning, and preferences between choices."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.files import write_whole
from riverbed_env.core.options import check_choice
from riverbed_env.corpus.corpus import Corpus
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.players.arena import Arena
from riverbed_env.rollouts.action_values import ActionValues, Rollouts
from riverbed_env.rollouts.hooks import NO_HOOKS, find_hooks
from riverbed_env.seats import Talk, seat_message

from ..llm.prompt import Chat, chat_of
from ..llm.story import Story
from .beside import find_reference

CHAT, PREFERENCES = KINDS = ("chat", "preferences")
FIRST = np.zeros(1, np.int64)
MOST_STEPS = 1 << 20  # more than a game has
WORLDS = 8  # drawn for each decision, where the game has a value network
SURE = 2.0  # standard errors by which a gap is beyond chance

Example = dict[str, Any]


def write_examples(corpus: Corpus, kind: str, gap: float = 5.0, seed: int = 0) -> tuple[Path, int]:
    """Write the decisions of a corpus as JSON lines, as TRL reads them: `chat.jsonl` or `preferences.jsonl` in it.

    Each line has the seat's messages, the value of each choice in points, in their order, the number of the agent's
    choice, the agent, its role and what it got.

    Args:
        corpus: the games.
        kind: "chat": with the agent's choice as the answer. "preferences": the best choice before the next that is
            worth `gap` points less beyond chance, by SURE standard errors; decisions without one are left out.
        gap: in points, percent of a win.
        seed: of the worlds in which choices are valued.

    Returns:
        The file and the number of its lines.

    Raises:
        OptionError: the corpus is empty or damaged.
        WriteError: the file can't be written.
    """
    check_choice("--to", kind, KINDS)
    if not corpus.parts:
        raise OptionError(f"{corpus.folder} has no parts yet")
    path, made, lines = corpus.folder / f"{kind}.jsonl", as_chat if kind == CHAT else as_preference, 0
    games = (game for part in corpus.parts for game in corpus.records(part))

    def write(partial: Path) -> None:
        nonlocal lines
        with partial.open("w", encoding="utf-8") as file:
            for decision in decisions(games, seed):
                example = made(decision, gap)
                if example is not None:
                    file.write(json.dumps(example, ensure_ascii=False) + "\n")
                    lines += 1

    write_whole(path, write)
    return path, lines


def as_chat(decision: Example, gap: float) -> Example:
    """A decision as a chat that ends with the agent's choice."""
    messages, number = decision.pop("messages"), decision["choice"]
    del decision["draws"]
    return {"messages": [*messages, *_said(number)], **decision, "value": decision["values"][number - 1]}


def as_preference(decision: Example, gap: float) -> Example | None:
    """A decision as a prompt with a chosen and a rejected answer; None if no choice is so much worse than the best.

    All choices are valued in the same worlds, so the error of a gap is that of the differences in them.
    """
    messages, draws = decision.pop("messages"), decision.pop("draws")
    best = int(draws.mean(axis=0).argmax())
    differences = draws[:, [best]] - draws
    gaps = differences.mean(axis=0)
    errors = differences.std(axis=0) / max(1, len(draws) - 1) ** 0.5
    worse = np.flatnonzero((gaps > 0) & (gaps - SURE * errors >= gap))
    if not len(worse):
        return None
    other = int(worse[gaps[worse].argmin()])
    error = round(float(errors[other]), 2) if len(draws) > 1 else None  # of one world nothing is known
    pair = {"prompt": messages, "chosen": _said(best + 1), "rejected": _said(other + 1)}
    return {**pair, **decision, "gap": round(float(gaps[other]), 2), "error": error}


def _said(number: int) -> Chat:
    return [{"role": "assistant", "content": json.dumps({"choice": number})}]


def decisions(games: Iterable[RecordedGame], seed: int) -> Iterator[Example]:
    """The decisions of games in which there was a choice, with the values of the choices, also by world as `draws`."""
    for number, game in enumerate(games):
        stories = [Story() for _ in range(game.num_players)]
        for step, (batch, taken) in enumerate(zip(game.replay(), game.actions)):
            seat, legal = int(batch.seat[0]), np.flatnonzero(batch.action_mask[0]).tolist()
            if step == 0:
                roles, estimator, tables, count = batch.roles(FIRST)[0], *_estimator(game, batch)
            view, params = batch.look(seat)[0], batch.params
            talk = Talk.at(batch.game, view, params[0], batch.notes())
            message = seat_message(batch.game, batch.pack, view, params, legal, talk=talk)
            if len(legal) == 1:
                stories[seat].go_on(message)
                continue
            tables.batch.set_state(batch.get_state())
            first = (number * MOST_STEPS + step) * WORLDS
            worlds = range(first, first + max(1, count))
            draws = np.array([estimator.estimate(FIRST, None, seed, each)[0, legal, 0] for each in worlds], np.float64)
            yield {
                "messages": chat_of(message, story=stories[seat]),
                "draws": draws,
                "values": draws.mean(axis=0).round(2).tolist(),
                "choice": legal.index(taken) + 1,
                "agent": game.agents[seat],
                "role": batch.game.roles[roles[seat]],
                "seat": seat,
                "game": game.number,
                "return": game.returns[seat],
            }


def _estimator(game: RecordedGame, batch: Batch) -> tuple[ActionValues, Arena, int]:
    """What values choices in one world, and in how many, 0: the true state.

    The reference plays on for everybody, for a turn where there is a value network.
    """
    reference, hooks = find_reference(batch.game), find_hooks(batch.game)
    turns, worlds = ((0,), 0) if hooks is NO_HOOKS else ((1,), WORLDS)
    tables = Arena(batch.game, [], 1, seed=game.seed, num_players=game.num_players, **game.options)
    how = Rollouts(turns, min(1, worlds), reference, reference, hooks)
    return ActionValues(tables, how, "history", ()), tables, worlds
