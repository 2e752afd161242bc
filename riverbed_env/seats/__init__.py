"""Seats for players from outside: programs in any language, services, language models, people's own clients.

Each is asked by one versioned message (`message.py`, published as `seat.schema.json`) and answers with a choice. The
message is made from the seat's view alone.
"""

from .agent import FIGURES, Channel, SeatAgent, Usage
from .answer import Answer, Failure, SeatFailureError, read_answer
from .beliefs import belief_message, read_beliefs
from .message import PROTOCOL, Message, Talk, as_line, rules_digest, schema, seat_message

__all__ = [
    "FIGURES",
    "PROTOCOL",
    "Answer",
    "Channel",
    "Failure",
    "Message",
    "SeatAgent",
    "SeatFailureError",
    "Talk",
    "Usage",
    "as_line",
    "belief_message",
    "read_answer",
    "read_beliefs",
    "rules_digest",
    "schema",
    "seat_message",
]
