"""The chat with one seat: complete messages, or a chat that grows by what changed since the seat was last asked."""

from typing import Any

from riverbed_env.seats import Message
from riverbed_env.seats.message import with_problem

from ..llm.prompt import Chat, changes_of, chat_of, problem_of
from ..llm.story import Story


class SeatChat:
    """What a seat is asked and answers. All in it follows from what the seat was asked and what it said.

    Args:
        grows: whether the chat goes on; else each question is a chat of its own.
    """

    def __init__(self, grows: bool) -> None:
        self._grows = grows
        self._chat: Chat = []
        self._help: list[str] = []
        self._story = Story()
        self.asked: Message = {}

    @property
    def messages(self) -> Chat:
        """The chat that ends with the question, in new objects."""
        return [dict(each) for each in self._chat]

    def ask(self, message: Message) -> None:
        """Put the seat's next question."""
        if self._grows and self._chat:
            turn = changes_of(message, self.asked, "\n".join([message["rules"], *self._help]), self._story)
            self._chat.append({"role": "user", "content": turn})
        else:
            self._chat = chat_of(message, story=self._story)
        helps: list[dict[str, Any]] = message["choices"]
        self._help += [*message["knows"]["help"], *(each["help"] for each in helps)]
        self.asked = message

    def answer(self, words: str) -> None:
        """Note what the seat said."""
        if self._grows:
            self._chat.append({"role": "assistant", "content": words})

    def ask_again(self, kind: str, words: str) -> None:
        """Ask again, with what was wrong with the answer."""
        message = with_problem(self.asked, kind, words)
        if self._grows:
            self._chat.append({"role": "user", "content": problem_of(message)})
        else:
            self._chat = chat_of(message, story=self._story)
