"""An OpenAI-compatible chat endpoint on loopback that answers as it is told, rightly or not.

A real server for the official client: only what it says is made up.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
USAGE: Json = {
    "prompt_tokens": 20,
    "completion_tokens": 7,
    "total_tokens": 27,
    "prompt_tokens_details": {"cached_tokens": 15},
    "completion_tokens_details": {"reasoning_tokens": 4},
}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What is sent back.

    Attributes:
        pieces: Pieces of the body, in order.
        status: HTTP status.
        headers: Besides those that a body needs.
        pause: Seconds before each piece, the first one too.
        then: After the last piece: "end", "stall" (send no more, and wait) or "cut" (close
            the connection although the body is not complete).
    """

    pieces: Sequence[bytes] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0
    then: str = "end"


@dataclass(frozen=True)
class Request:
    """What was asked; names of headers are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Json


def completion(
    text: str | None = "x = 1", *, usage: Json | None = USAGE, **choice: Any
) -> Json:
    message = {"role": "assistant", "content": text, **choice.pop("message", {})}
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 0,
        "model": "fake-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
        "usage": usage,
    }


def says(value: object, *, status: int = 200, **more: Any) -> Answer:
    """JSON, in one piece."""
    return text(json.dumps(value), status=status, kind="application/json", **more)


def text(body: str, *, kind: str = "text/html", **more: Any) -> Answer:
    headers = {"Content-Type": kind, **more.pop("headers", {})}
    pieces = (body.encode(),) if body else ()  # an empty chunk would end the answer twice
    return Answer(pieces=pieces, headers=headers, **more)


def fails(status: int, message: str = "", *, code: str | None = None, **more: Any) -> Answer:
    return says({"error": {"message": message, "code": code}}, status=status, **more)


def streams(*texts: str, usage: Json | None = USAGE, end: str = "stop", **more: Any) -> Answer:
    """Server-sent events: a chunk for each text, one for the end, one for the usage."""
    deltas: list[tuple[Json, str | None]] = [({"content": each}, None) for each in texts]
    chunks: list[Json] = [
        {"model": "fake-1", "choices": [{"index": 0, "delta": d, "finish_reason": reason}]}
        for d, reason in [*deltas, ({}, end or None)]
    ]
    if usage:
        chunks.append({"model": "fake-1", "choices": [], "usage": usage})
    return events(*(json.dumps(chunk) for chunk in chunks), "[DONE]", **more)


def events(*lines: str, **more: Any) -> Answer:
    headers = {"Content-Type": "text/event-stream"}
    pieces = tuple(f"data: {line}\n\n".encode() for line in lines)
    return Answer(pieces=pieces, headers=headers, **more)


Say = Answer | Callable[[Request], Answer]


class Endpoint:
    """Where it is, what it was asked, and what it will answer; the last answer is repeated."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[Request] = []
        self.answers: list[Say] = [says(completion())]
        self.over = threading.Event()
        self._lock = threading.Lock()

    def will(self, *answers: Say) -> None:
        self.answers = list(answers)

    def answer(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            say = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return say if isinstance(say, Answer) else say(request)


@contextmanager
def serving() -> Iterator[Endpoint]:
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                self.send(endpoint.answer(Request(self.path, headers, json.loads(raw))))
            except (OSError, ValueError):  # the client has gone, as it may
                self.close_connection = True

        def send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in answer.pieces:
                endpoint.over.wait(answer.pause)
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                self.wfile.flush()
            if answer.then == "stall":
                endpoint.over.wait(60)
            if answer.then == "end":
                self.wfile.write(b"0\r\n\r\n")
            else:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

    with Server(("127.0.0.1", 0), Handler) as server:
        endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.over.set()
            server.shutdown()
            thread.join()
