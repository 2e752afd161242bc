"""A seat in plain Python, without Riverbed: it reads a request a line and answers with the boldest choice it knows.

Play it with: riverbed watch --agent "stdio:cmd=python docs/examples/seat.py"
"""

import json
import sys

LIKED = ("dive", "reveal", "look at", "uncover", "play", "swim")  # words of choices, the best first


def rank(choice):
    """How much a choice is liked: the place of the first liked word in it."""
    return next((place for place, word in enumerate(LIKED) if word in choice["words"]), len(LIKED))


for line in sys.stdin:
    request = json.loads(line)
    best = min(request["choices"], key=rank)
    print(json.dumps({"choice": best["id"]}), flush=True)
