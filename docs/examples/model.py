"""A chat endpoint with a scripted model, for trying a language model's seat without a model or a key.

Run it with `python docs/examples/model.py`, and play with
riverbed watch --agent "llm:model=scripted,base_url=http://127.0.0.1:8080/v1" --players 4 --set talk=text
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from zlib import crc32

LIKED = ("uncover", "reveal", "nothing", "is with the merchants")  # words of choices


def listed(prompt, title):
    """The lines under a title of the prompt."""
    lines = prompt.partition(f"\n{title}")[2].partition("\n\n")[0].splitlines()[1:]
    return [line.removeprefix("- ") for line in lines]


def answer(prompt):
    """A choice with words it likes, else any, always the same for a prompt; and the news, where it may say a text."""
    choices = listed(prompt, prompt.rpartition(". The choices")[0].rpartition("\n")[2])
    liked = [each for each in choices if any(word in each for word in LIKED)] or choices
    best = liked[crc32(prompt.encode()) % len(liked)]
    said = {"choice": int(best.partition(".")[0])}
    news = [event for event in listed(prompt, "What happened so far") if "looks at" in event or "reveals" in event]
    if "You may say up to" in prompt and news:
        said["text"] = f"Remember: {news[-1][:200]}."
    return f"I take this: {best}\n{json.dumps(said)}"


class Endpoint(BaseHTTPRequestHandler):
    """Answers POST /v1/chat/completions."""

    def do_POST(self):
        """A completion, with its words and what it would have cost."""
        messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
        prompt, words = messages[1]["content"], self.say(messages)
        choice = {"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1 + len(prompt) // 4, "completion_tokens": 1 + len(words) // 4}
        usage["total_tokens"] = sum(usage.values())
        about = {"id": f"chatcmpl-{crc32(prompt.encode())}", "object": "chat.completion", "created": int(time.time())}
        body = json.dumps({**about, "model": "scripted", "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def say(self, messages):
        """What the model says to a chat."""
        return answer(messages[1]["content"])

    def log_message(self, *words):
        """Nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Endpoint)
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()
