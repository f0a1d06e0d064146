"""The judge of searches that are not ours: an endpoint that tells what programs are worth.

It takes the text of a program and answers with what was recorded of it. On the way it notes how
many calls the market had answered by then: that is how a search's course is known. Not here:
what was recorded (`recorded`), nor the models that are asked (`server`).
"""

from __future__ import annotations

import contextlib
import json
import math
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from experiments.arena.recorded import Recorded
from experiments.arena.server import Market
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution

_PAIRS = 12  # of the block that a program would be judged by
_LARGEST = 1 << 20  # bytes of a program


class Judge:
    """Tells what programs of a lot are worth, one at a time."""

    def __init__(self, recorded: Recorded, market: Market) -> None:
        self.course: list[tuple[int, float]] = []
        self.cpu: list[tuple[int, float]] = []
        self._recorded, self._market = recorded, market
        self._guard = threading.Lock()

    def verdict(self, text: str) -> dict[str, object]:
        """Return the gain, ln(initial / program), and what went wrong; not right: no gain."""
        solution = Solution(id="Gen1_Sol_0", files={self._recorded.lot.problem.path: text})
        with self._guard:
            record = self._recorded.of(solution)
            right = record.evaluation.status is Status.AC
            calls = self._market.calls.total()
            self.course.append((calls, record.gain if right else 0.0))
            times = 1 + math.exp(-record.gain) if right else 1.0  # of both, or until it failed
            self.cpu.append((calls, _PAIRS * record.seconds * times))
        cases = [
            f"input {case.input}: expected {case.expected}, got {case.got}"
            for case in record.evaluation.failing
        ]
        return {
            "right": right,
            "gain": record.gain if right else 0.0,
            "feedback": "\n".join([record.evaluation.feedback, *cases]).strip(),
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    judge: Judge

    def do_POST(self) -> None:
        size = min(int(self.headers.get("Content-Length") or 0), _LARGEST)
        body = json.dumps(self.judge.verdict(self.rfile.read(size).decode())).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the course holds it."""


@contextlib.contextmanager
def judging(judge: Judge) -> Iterator[str]:
    """Serve on loopback and give the URL."""
    handler = type("Handler", (_Handler,), {"judge": judge})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()
