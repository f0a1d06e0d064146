"""How far runs go beyond their limits of time: `python -m experiments.bench.limits [N ...]`.

Each run is a process that is looked at from outside: the clock on the wall, and what the kernel
says of its CPU time and of all that it waited for. A small server on loopback stands for a
model: it takes a second, and writes the program that it was shown, with another comment.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

MOST_SHARE, MOST_SECONDS = 0.05, 2.0
"""Overshoot that is allowed: the larger of a share of the limit, and of seconds."""

_SHOWN = re.compile(r"```python\n(.*?)```", re.DOTALL)

_FILES = {
    "problem.toml": 'kind = "function"\nentry_point = "pairs"\n\n'
    "[inputs]\nsizes = [20, 100, {small}, {size}]\nfinal = {size}\nsearch = {small}\n",
    "generator.py": "def generate(rng, size):\n"
    "    return ([rng.randrange(size) for _ in range(size)],)\n",
    "initial.py": "def pairs(numbers):\n"
    '    """Pairs of places of which the numbers add up to an even square."""\n'
    "    squares = [n * n for n in range(0, 200, 2)]\n"
    "    found = 0\n"
    "    for i in range(len(numbers)):\n"
    "        for j in range(i):\n"
    "            if numbers[i] + numbers[j] in squares:\n"
    "                found = found + 1\n"
    "    return found\n",
}
"""A problem whose program takes longer as `size` grows: 300 some 50 ms, 900 half a second."""


class Case(NamedTuple):
    """One run.

    Attributes:
        problem: Shipped, or a size of the problem above.
        limit: Limit that the run file sets, in seconds.
        seconds: The limit.
        model: Whether one is asked.
    """

    problem: str
    limit: str
    seconds: float
    model: bool = False


class Seen(NamedTuple):
    """What came of a run: its exit code, its status, and the seconds that it took."""

    code: int
    status: str
    cpu_seconds: float
    wall_seconds: float


CASES = (
    Case("number_census", "cpu_seconds", 20),
    Case("number_census", "wall_seconds", 30),
    Case("order_report", "cpu_seconds", 40),
    Case("order_report", "wall_seconds", 60),
    Case("300", "cpu_seconds", 45),
    Case("300", "wall_seconds", 60),
    Case("900", "cpu_seconds", 70),
    Case("900", "wall_seconds", 60),
    Case("900", "cpu_seconds", 300),
    Case("number_census", "cpu_seconds", 30, model=True),
    Case("number_census", "wall_seconds", 40, model=True),
    Case("300", "wall_seconds", 90, model=True),
)


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = "\n".join(str(message["content"]) for message in body["messages"])
        shown = _SHOWN.findall(text)
        number = next(_numbers)
        reply = f"```python\n# {number}\n{shown[-1] if shown else 'pass'}```"
        time.sleep(1.0)
        usage = {"prompt_tokens": len(text) // 4, "completion_tokens": len(reply) // 4}
        choice = {"message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}
        answer = json.dumps({"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


_numbers = iter(range(1_000_000))


@contextmanager
def served() -> Iterator[str]:
    """Yield the base URL of an endpoint."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()


def problem(name: str, folder: Path) -> str:
    """Return a problem: a shipped one, or one of a size that is made in a folder."""
    if not name.isdigit():
        return name
    made = folder / name
    made.mkdir(exist_ok=True)
    for file, text in _FILES.items():
        size = {"size": name, "small": str(int(name) * 2 // 3)}
        filled = text.format(**size) if file == "problem.toml" else text
        (made / file).write_text(filled, encoding="utf-8")
    return str(made)


def ran(case: Case, folder: Path, url: str) -> Seen:
    """Make one run, and look at it from outside."""
    settings = [f"budget.{case.limit}={case.seconds}", "budget.evaluations=none"]
    settings += [f"results={folder}", "name=run"]
    if case.model:
        settings += ["models.main.name=echo", f"models.main.base_url={url}"]
    command = [sys.executable, "-m", "se_agent", "run", problem(case.problem, folder)]
    command += [word for setting in settings for word in ("--set", setting)]
    begun, log = time.monotonic(), folder / "log"
    with log.open("wb") as file:
        actions = [(os.POSIX_SPAWN_DUP2, file.fileno(), n) for n in (1, 2)]
        environ = {**os.environ, "OPENAI_API_KEY": "none", "CI": "1"}
        pid = os.posix_spawn(sys.executable, command, environ, file_actions=actions)
        _, code, used = os.wait4(pid, 0)
    wall = time.monotonic() - begun
    lines = log.read_text(encoding="utf-8").splitlines()
    told = [
        line for line in lines if line.startswith(("proven", "not proven", "nothing", "err"))
    ]
    cpu = used.ru_utime + used.ru_stime
    return Seen(os.waitstatus_to_exitcode(code), told[-1] if told else "", cpu, wall)


def line(case: Case, seen: Seen) -> str:
    """Return a row of the table."""
    taken = seen.cpu_seconds if case.limit == "cpu_seconds" else seen.wall_seconds
    over = max(taken - case.seconds, 0.0)
    allowed = max(MOST_SHARE * case.seconds, MOST_SECONDS)
    verdict = "kept" if over <= allowed else "BROKEN"
    model = "model" if case.model else "-"
    return (
        f"| {case.problem} | {model} | {case.limit} | {case.seconds:g} | {taken:.1f} "
        f"| {over:.1f} | {verdict} | {seen.code} | {seen.status[:70]} |"
    )


def main(words: Sequence[str]) -> None:
    """Make the runs of these numbers, or all, and print a row for each."""
    chosen = [CASES[int(word)] for word in words] or CASES
    print("| program | model | limit | s | taken | over | verdict | code | said |")
    print("|---|---|---|---|---|---|---|---|---|")
    with served() as url:
        for case in chosen:
            with tempfile.TemporaryDirectory() as folder:
                print(line(case, ran(case, Path(folder), url)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
