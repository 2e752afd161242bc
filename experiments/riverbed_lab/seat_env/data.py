"""Recorded games as examples in words: chats for fine-tuning, and preferences between choices."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch, options_by_deal
from riverbed_env.core.files import write_whole
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice
from riverbed_env.corpus.corpus import Corpus
from riverbed_env.corpus.games import Games
from riverbed_env.errors import OptionError
from riverbed_env.players.arena import Arena
from riverbed_env.rollouts.action_values import ActionValues, Numbers, Rollouts
from riverbed_env.rollouts.hooks import NO_HOOKS, find_hooks
from riverbed_env.seats import Talk, seat_message

from ..llm.prompt import Chat, chat_of
from .beside import find_reference

CHAT, PREFERENCES = KINDS = ("chat", "preferences")
AT_ONCE = 64  # games
WORLDS = 8  # drawn for each decision, where the game has a value network

Example = dict[str, Any]


def write_examples(
    corpus: Corpus, kind: str, gap: float = 5.0, seed: int = 0, progress: Callable[[int], None] = lambda lines: None
) -> tuple[Path, int]:
    """Write the decisions of a corpus as JSON lines, as TRL reads them: `chat.jsonl` or `preferences.jsonl` in it.

    Each line has the seat's messages, the choices with their values in points, the agent, its role and what it got.

    Args:
        corpus: the games.
        kind: "chat": with the agent's choice as the answer. "preferences": the best choice before the next that is
            worth `gap` points less; decisions without one are left out.
        gap: in points, percent of a win.
        seed: of the worlds in which choices are valued.
        progress: gets the number of lines written so far.

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

    def write(partial: Path) -> None:
        nonlocal lines
        with partial.open("w", encoding="utf-8") as file:
            for decision in decisions(corpus, seed):
                example = made(decision, gap)
                if example is not None:
                    file.write(json.dumps(example, ensure_ascii=False) + "\n")
                    lines += 1
                    progress(lines)

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


def decisions(corpus: Corpus, seed: int) -> Iterator[Example]:
    """The decisions of a corpus in which there was a choice, with the value of each choice."""
    how = rollouts_of(corpus.game)
    for part in corpus.parts:
        games = corpus.part(part)
        for count in np.unique(games.num_players).tolist():
            places = np.flatnonzero(games.num_players == count)
            tables = None
            for first in range(0, len(places), AT_ONCE):
                some = games.take(places[first : first + AT_ONCE])
                tables = tables or _tables(corpus, count)
                yield from _of_games(corpus, some, tables, how, seed)


def rollouts_of(game: Game) -> Rollouts:
    """How choices are valued: the reference plays on for everybody, for a turn where there is a value network."""
    reference, hooks = find_reference(game), find_hooks(game)
    turns, worlds = ((0,), 0) if hooks is NO_HOOKS else ((1,), WORLDS)
    return Rollouts(turns, worlds, reference, reference, hooks)


def _tables(corpus: Corpus, num_players: int) -> Arena:
    """Room for games; nobody plays, as all actions are known."""
    options = {**corpus.manifest.options, "num_players": num_players}
    size = max(AT_ONCE, len(options_by_deal(corpus.game, options)))  # so that each pack of a split has its params
    return Arena(corpus.game, [], size, seed=corpus.manifest.seed, **options)


def _of_games(corpus: Corpus, games: Games, tables: Arena, how: Rollouts, seed: int) -> Iterator[Example]:
    """The decisions of some games of one player count, which are played again side by side."""
    batch, count, size = tables.batch, tables.num_players, len(games)
    estimator = ActionValues(tables, how, "history", ())
    indices = np.arange(size)
    batch.which[indices] = games.number % len(batch.params)
    tables.deal(indices, games.number)
    tables.play_on(indices)  # shows who is asked
    roles = corpus.game.roles_of(batch.games[:size])
    starts, told = games.starts, np.zeros((size, count), np.int64)
    for step in range(int(games.lengths.max())):
        left = indices[games.lengths > step]
        taken = batch.action_mask.argmax(axis=1).astype(np.int64)
        taken[left] = games.actions[starts[left] + step]
        several = left[batch.action_mask[left].sum(axis=1) > 1]
        values = estimator.estimate(several, None, seed, step * size)[:, :, 0] if len(several) else ()
        for index, worth in zip(several.tolist(), values):
            seat = int(batch.seat[index])
            example, told[index, seat] = _decision(batch, index, int(told[index, seat]), worth)
            yield {
                **example,
                "choice": int(taken[index]),
                "agent": corpus.manifest.agents[games.agents[index, seat]],
                "role": corpus.game.roles[roles[index, seat]],
                "seat": seat,
                "game": int(games.number[index]),
                "return": float(games.returns[index, seat]),
            }
        tables.play_on(left, taken)


def _decision(batch: Batch, index: int, since: int, worth: Numbers) -> tuple[Example, int]:
    """The messages and values of a decision, and how many events the seat has been told of then."""
    which, seat = int(batch.which[index]), int(batch.seat[index])
    params, legal = batch.params[which : which + 1], np.flatnonzero(batch.action_mask[index]).tolist()
    view = batch.look(seat, np.array([index]))[0]
    talk = Talk.at(batch.game, view, params[0], batch.notes(index))
    message = seat_message(batch.game, batch.packs[which], view, params, legal, since=since, talk=talk)
    values = {str(action): round(float(worth[action]), 2) for action in legal}
    return {"messages": chat_of(message), "values": values}, int(message["event_count"])
