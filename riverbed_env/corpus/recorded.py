"""One recorded game: its deal, its options and the actions taken, from which everything else can be made again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.files import parse_json
from riverbed_env.core.frame import TRUTH, Viewer, frame
from riverbed_env.core.options import check_whole
from riverbed_env.core.packs import pack_hash
from riverbed_env.core.picture import Picture, picture
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, Seed, of_kind
from riverbed_env.core.transcript import Transcript, most_characters, quoted, say
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.registry import find_game
from riverbed_env.version import __version__

FORMAT = 1


@dataclass(frozen=True)
class RecordedGame:
    """A game as it was played, in about as many bytes as it had decisions.

    A game may be recorded in the middle: its actions then stop before its end.

    Args:
        environment: The game's versioned name, like "riverbed_hunt_v1".
        seed: The seed, which with the number names the deal and all chance.
        number: The game's number under the seed.
        num_players: How many play.
        actions: The action ids in order, of whichever seat had to choose.
        options: What `make_params` takes beside `num_players`.
        agents: Who sat in each seat; () if it isn't known.
        pack: The hash of the content pack, "" for none.
        version: Of the library that played it.
        returns: What each seat got; () if it isn't known.
        transcript: What was said in words (RH-9.9).
    """

    __pydantic_config__ = NOTHING_ELSE

    environment: str
    seed: Seed
    number: Count
    num_players: Count
    actions: tuple[Count, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    agents: tuple[str, ...] = ()
    pack: str = ""
    version: str = __version__
    returns: tuple[Finite, ...] = ()
    transcript: Transcript = ()

    @classmethod
    def of(cls, batch: Batch, actions: Iterable[int], *, index: int = 0, agents: Iterable[str] = ()) -> RecordedGame:
        """Record the game in an environment of a batch from the actions taken since its deal.

        Args:
            batch: The batch.
            actions: The action ids in order, of whichever seat had to choose.
            index: The environment.
            agents: Who sits in each seat, if known.

        Returns:
            The record, without returns.
        """
        which = batch.which[index]
        options = {name: value for name, value in batch.sets[which].items() if name != "num_players"}
        return cls(
            environment=batch.game.id,
            seed=int(batch.seed),
            number=int(batch.game_number[index]),
            num_players=int(batch.players[index]),
            actions=tuple(int(action) for action in actions),
            options=options,
            agents=tuple(agents),
            pack=pack_hash(batch.packs[which]),
            transcript=batch.notes(index),
        )

    @classmethod
    def from_json(cls, text: str, name: str = "the recorded game") -> RecordedGame:
        """Read what `to_json` gives.

        Args:
            text: A JSON object.
            name: What error messages call it.

        Returns:
            The record.

        Raises:
            OptionError: The text is anything else.
        """
        return of_kind(cls, parse_json(text, name, FORMAT), name)

    def to_json(self) -> str:
        """The record as a JSON object on one line.

        Returns:
            The text, for `from_json`.

        Raises:
            OptionError: An option is one that JSON can't hold.
        """
        try:
            return json.dumps({"format": FORMAT, **asdict(self)}, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise OptionError(f"the options of a recorded game must be plain values: {error}") from error

    def deal(self, *, view: str = "history", rewards: str = "win") -> Batch:
        """A batch of this one game as dealt, before the first action; it stays as it is when the game ends.

        Args:
            view: The view of the observations: "history", or "now", one of `game.views`.
            rewards: "win" or "zero_sum", one of `game.rewards`.

        Returns:
            The batch, with one environment.

        Raises:
            OptionError: The environment or an option is unknown, or the content pack has changed since.
            PackError: The content pack can't be read or breaks a rule.
        """
        game = find_game(self.environment)
        batch = Batch(
            *(game, 1),
            seed=self.seed,
            first_game=self.number,
            auto_reset=False,
            view=view,
            rewards=rewards,
            num_players=self.num_players,
            **self.options,
        )
        check_pack(self.pack, pack_hash(batch.pack), "the game")
        return batch

    def replay(self, *, view: str = "history", rewards: str = "win") -> Iterator[Batch]:
        """Play the game again, action by action.

        Args:
            view: As in `deal`.
            rewards: As in `deal`.

        Yields:
            The batch of `deal` before each action, and once more after the last. It is the same object each time; clone
            it to keep a position.

        Raises:
            OptionError: An action or a text can't be taken, and the message names it; or `deal` raises it. It comes
                while the game is read.
        """
        batch = self.deal(view=view, rewards=rewards)
        texts = Texts(self.transcript)
        for place, action in enumerate(self.actions):
            yield batch
            texts.say(batch)
            if not batch.acting[0]:
                raise OptionError(f"the recorded game ends after {place} of its {len(self.actions)} actions")
            try:
                batch.step([action])
            except IllegalActionError as error:
                raise OptionError(f"action {place} of the recorded game can't be taken: {error}") from error
        texts.say(batch)
        texts.check_all_said()
        yield batch

    def picture(self, step: int, viewer: Viewer = TRUTH, **how: Any) -> Picture:
        """The picture that a viewer saw after a number of actions: `record.picture(40, 2).save("step.png")`.

        Args:
            step: How many actions were taken, 0 to all.
            viewer: A seat, "public" or "truth".
            how: Size, panels and ground, see `riverbed_env.core.picture.picture`.

        Returns:
            The picture.

        Raises:
            OptionError: A step that the game doesn't have, or a game that can't be played again.
        """
        check_whole("step", step, 0, len(self.actions))
        (batch,) = islice(self.replay(), step, step + 1)
        seen = frame(batch.game, batch.pack, batch.games, batch.params, viewer, transcript=batch.notes())
        return picture(seen, **how)


class Texts:
    """The texts of a recorded game, said again in a batch that plays it when their time has come."""

    def __init__(self, transcript: Transcript) -> None:
        self._left = list(transcript)

    def say(self, batch: Batch, index: int = 0) -> None:
        """Let the seat that is asked in an environment say its text, if the game is where it was said.

        Raises OptionError for a text that can't have been said there.
        """
        if not self._left or not batch.acting[index]:
            return
        record, params, said = batch.games[index], batch.params[0], self._left[0]
        if not most_characters(batch.game, record, params, batch.notes(index)):
            return
        here = int(record["table"]["turn"]), int(batch.seat[index]), int(batch.game.words.count_events(record))
        if said[:3] != here:
            return
        if say(batch, said.text, index) != said:
            raise OptionError("a text of the recorded game holds control characters")
        del self._left[0]

    def check_all_said(self) -> None:
        """Raise OptionError if a text was left over: nobody could say it."""
        if self._left:
            raise OptionError(f"nobody can have said this text of the recorded game: {quoted(self._left[0])}")


def check_pack(recorded: str, here: str, what: str) -> None:
    """Raise OptionError if a game was recorded with another content pack than the one found here."""
    if recorded != here:
        raise OptionError(f"{what} was recorded with content pack {recorded or 'none'}; it is {here or 'none'} now")
