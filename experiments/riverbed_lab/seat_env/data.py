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
from .beside import find_reference

CHAT, PREFERENCES = KINDS = ("chat", "preferences")
FIRST = np.zeros(1, np.int64)
MOST_STEPS = 1 << 20  # more than a game has
WORLDS = 8  # drawn for each decision, where the game has a value network

Example = dict[str, Any]


def write_examples(corpus: Corpus, kind: str, gap: float = 5.0, seed: int = 0) -> tuple[Path, int]:
    """Write the decisions of a corpus as JSON lines, as TRL reads them: `chat.jsonl` or `preferences.jsonl` in it.

    Each line has the seat's messages, the choices with their values in points, the agent, its role and what it got.

    Args:
        corpus: the games.
        kind: "chat": with the agent's choice as the answer. "preferences": the best choice before the next that is
            worth `gap` points less; decisions without one are left out.
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
    messages, values = decision.pop("messages"), decision["values"]
    answer = decision["choice"]
    return {"messages": [*messages, *_said(answer)], **decision, "value": values[str(answer)]}


def as_preference(decision: Example, gap: float) -> Example | None:
    """A decision as a prompt with a chosen and a rejected answer; None if no choice is so much worse than the best."""
    messages, values = decision.pop("messages"), decision["values"]
    best = max(values, key=values.__getitem__)
    worse = [name for name in values if values[best] - values[name] >= gap]
    if not worse:
        return None
    next_best = max(worse, key=values.__getitem__)
    return {"prompt": messages, "chosen": _said(int(best)), "rejected": _said(int(next_best)), **decision}


def _said(choice: int) -> Chat:
    return [{"role": "assistant", "content": json.dumps({"choice": choice})}]


def decisions(games: Iterable[RecordedGame], seed: int) -> Iterator[Example]:
    """The decisions of games in which there was a choice, with the value of each choice."""
    for number, game in enumerate(games):
        told = [0] * game.num_players
        for step, (batch, taken) in enumerate(zip(game.replay(), game.actions)):
            seat, legal = int(batch.seat[0]), np.flatnonzero(batch.action_mask[0]).tolist()
            if step == 0:
                roles, estimator, tables = batch.roles(FIRST)[0], *_estimator(game, batch)
            if len(legal) == 1:
                continue
            view, params = batch.look(seat)[0], batch.params
            talk = Talk.at(batch.game, view, params[0], batch.notes())
            message = seat_message(batch.game, batch.pack, view, params, legal, since=told[seat], talk=talk)
            told[seat] = message["event_count"]
            tables.batch.set_state(batch.get_state())
            worth = estimator.estimate(FIRST, None, seed, number * MOST_STEPS + step)[0, :, 0]
            yield {
                "messages": chat_of(message),
                "values": {str(action): round(float(worth[action]), 2) for action in legal},
                "choice": taken,
                "agent": game.agents[seat],
                "role": batch.game.roles[roles[seat]],
                "seat": seat,
                "game": game.number,
                "return": game.returns[seat],
            }


def _estimator(game: RecordedGame, batch: Batch) -> tuple[ActionValues, Arena]:
    """What values choices: the reference plays on for everybody, for a turn where there is a value network."""
    reference, hooks = find_reference(batch.game), find_hooks(batch.game)
    turns, worlds = ((0,), 0) if hooks is NO_HOOKS else ((1,), WORLDS)
    tables = Arena(batch.game, [], 1, seed=game.seed, num_players=game.num_players, **game.options)
    how = Rollouts(turns, worlds, reference, reference, hooks)
    return ActionValues(tables, how, "history", ()), tables
