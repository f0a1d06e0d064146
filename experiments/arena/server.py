"""A chat endpoint on loopback that answers from the corpus, blind to who asks.

It speaks as much of the protocol as clients need: chat completions, whole and streamed, and the
list of models. It sees the messages and nothing else; a prompt that comes again is answered
anew. Run it for others: `python -m experiments.arena.server --port 8100 --seed 0`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from experiments.arena.answer import answered
from experiments.arena.corpus import Lot, lots
from experiments.arena.prompt import read

MODEL = "market"
_CHARACTERS = 4  # of a token, about
_PIECE = 400  # characters of a streamed piece
_LARGEST = 4 << 20  # bytes of a request


class Market:
    """Answers prompts; the same prompts in the same order, the same answers.

    Attributes:
        calls: How often each prompt was answered, by digest.
        tokens: What each answer took, its prompt included, in their order.
    """

    def __init__(self, seed: int = 0, corpus: Sequence[Lot] | None = None) -> None:
        self.seed = seed
        self.calls: Counter[str] = Counter()
        self.tokens: list[int] = []
        self._lots = lots() if corpus is None else corpus
        self._guard = threading.Lock()

    def reply(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """Return the answer to a conversation."""
        text = "\n\n".join(_content(message) for message in messages)
        digest = hashlib.sha256(text.encode()).hexdigest()
        with self._guard:
            number = self.calls[digest]
            self.calls[digest] += 1
        told = answered(read(text, self._lots), f"{self.seed} {digest} {number}")
        with self._guard:
            self.tokens.append(_usage(messages, told)["total_tokens"])
        return told


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    market: Market

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        if not self.path.endswith("/chat/completions") or not 0 < size <= _LARGEST:
            self._send({"error": {"message": f"there is no {self.path} here"}}, status=404)
            return
        try:
            asked = json.loads(self.rfile.read(size))
            messages = asked["messages"]
            text = self.market.reply(messages)
        except (ValueError, KeyError, TypeError, AttributeError) as err:
            error = {"error": {"message": f"not a request for a chat: {err!r}"}}
            self._send(error, status=400)
            return
        usage = _usage(messages, text)
        if asked.get("stream"):
            self._stream(text, usage)
        else:
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._send(_envelope("chat.completion", [choice]) | {"usage": usage})

    def _send(self, value: Mapping[str, Any], status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, text: str, usage: Mapping[str, int]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for piece in _pieces(text, usage):
            self.wfile.write(f"data: {piece}\n\n".encode())
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: who asked is nobody's business."""


def _pieces(text: str, usage: Mapping[str, int]) -> Iterator[str]:
    kind = "chat.completion.chunk"
    for start in range(0, len(text), _PIECE):
        delta = {"role": "assistant", "content": text[start : start + _PIECE]}
        yield json.dumps(_envelope(kind, [{"index": 0, "delta": delta, "finish_reason": None}]))
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    yield json.dumps(_envelope(kind, [last]))
    yield json.dumps(_envelope(kind, []) | {"usage": usage})
    yield "[DONE]"


def _envelope(kind: str, choices: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"id": "market", "object": kind, "created": 0, "model": MODEL, "choices": choices}


def _usage(asked: Sequence[Mapping[str, Any]], told: str) -> dict[str, int]:
    characters = sum(len(_content(message)) for message in asked)
    prompt, completion = -(-characters // _CHARACTERS), -(-len(told) // _CHARACTERS)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


@contextlib.contextmanager
def serving(market: Market, port: int = 0) -> Iterator[str]:
    """Serve on loopback and give the base URL; port 0 is any free one."""
    handler = type("Handler", (_Handler,), {"market": market})
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
            thread.join()


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    try:
        with serving(Market(given.seed), given.port) as url:
            print(url, flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                threading.Event().wait()
    except OSError as err:
        sys.exit(f"error: port {given.port}: {err.strerror}\nhint:  take another --port")


if __name__ == "__main__":
    main()
