"""Seats for players from outside: programs in any language, services, language models, people's own clients.

Each is asked by one versioned message (`message.py`, published as `seat.schema.json`) and answers with a choice. The
message is made from the seat's view alone.
"""

from .agent import FIGURES, Channel, Conversation, SeatAgent, Usage
from .answer import Answer, Failure, SeatFailureError, read_answer
from .message import PROTOCOL, Message, Talk, as_line, rules_digest, schema, seat_message

__all__ = [
    "FIGURES",
    "PROTOCOL",
    "Answer",
    "Channel",
    "Conversation",
    "Failure",
    "Message",
    "SeatAgent",
    "SeatFailureError",
    "Talk",
    "Usage",
    "as_line",
    "read_answer",
    "rules_digest",
    "schema",
    "seat_message",
]
