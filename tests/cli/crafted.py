"""Crafted problem folders, run files, sets and modules; and bounds for what meets them.

Each is made of a harmless one: one of its files becomes something that hangs, grows without
end, leads elsewhere or drives a terminal.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from se_agent.environment.process_files import SELF, address_bytes
from tests.cli.folders import GENERATOR, INITIAL, PROBLEM, problem_folder

SECONDS = 10
MEMORY = 1 << 31
SECRET = "ab5e3c-this-is-nobodys-business"
OBEYED = "\x1b[31mred\x9b\a\u202e"
"""What a terminal obeys, in a name or a text."""

Odd = Callable[[Path], object]


class HangError(BaseException):
    """A command was not done in time; no command may catch it."""


@contextmanager
def bounded() -> Iterator[None]:
    """Raise HangError in the body after ten seconds, MemoryError beyond two more gigabytes.

    The seconds are of this process, and three times as many on the wall: who waits for a
    pipe uses none, and who shares the machine is slow.
    """

    def stop(*_: object) -> None:
        raise HangError

    before = resource.getrlimit(resource.RLIMIT_AS)
    most = address_bytes(SELF) + MEMORY
    handlers = {name: signal.signal(name, stop) for name in (signal.SIGALRM, signal.SIGPROF)}
    timer = signal.setitimer(signal.ITIMER_REAL, 3 * SECONDS)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for name, handler in handlers.items():
            signal.signal(name, handler)
        signal.setitimer(signal.ITIMER_REAL, *timer)


def outside(home: Path) -> Path:
    """Make a folder that no command has any business in."""
    folder = home / "outside"
    folder.mkdir()
    (folder / "secret").write_text(f"KEY = '{SECRET}'\n", encoding="utf-8")
    (folder / "writable.py").write_text(f"# {SECRET}\n", encoding="utf-8")
    return folder


def seen(folder: Path) -> dict[str, tuple[str, float, int]]:
    """Return what lies in a folder, to compare it with what lay there before."""
    return {
        path.name: (path.read_text("utf-8"), path.stat().st_mtime, path.stat().st_mode)
        for path in sorted(folder.iterdir())
    }


def _link(target: str) -> Odd:
    return lambda path: path.symlink_to(target)


def _device_or_link(path: Path) -> None:
    try:
        os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5))
    except PermissionError:  # not root
        path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(path.name)
    os.chdir(before)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def _bytes(data: bytes) -> Odd:
    return lambda path: path.write_bytes(data)


SPECIAL: dict[str, Odd] = {
    "link-to-the-environment": _link("/proc/self/environ"),
    "link-to-passwords": _link("/etc/passwd"),
    "link-to-a-secret": _link("../outside/secret"),
    "link-through-a-folder": _link("/proc/self/cwd/outside/secret"),
    "link-to-endless-zeros": _link("/dev/zero"),
    "link-to-a-terminal": _link("/dev/tty"),
    "circle": lambda path: path.symlink_to(path.name),
    "pipe": os.mkfifo,
    "socket": _socket,
    "device": _device_or_link,
    "folder": lambda path: path.mkdir(),
    "terabyte-of-nothing": _sparse,
    "no-text": _bytes(b"caf\xe9\n"),
}
"""What may stand in the place of a file of a folder: none of it is read."""

UNNAMED = {name: odd for name, odd in SPECIAL.items() if "secret" not in name}
"""What is not read either where the user named it: a link to a text may be named."""

ROLES = {
    "problem.toml": "",
    "statement.md": "",
    "initial.py": "",
    "generator.py": "",
    "cases.toml": "",
    "prelude.py": 'prelude = "prelude.py"\n',
    "other.py": '[programs]\ninitial = "other.py"\n',
    "valid.py": 'inputs.valid = "valid.py"\n',
    "checker.py": '[check]\nfile = "checker.py"\n',
}
"""Files of a problem folder, with what names them in problem.toml."""


def problem_with(home: Path, role: str, odd: Odd) -> Path:
    """Write a problem folder in which something odd stands in the place of a file."""
    named = ROLES[role]
    whole = f"{PROBLEM}\n{named}" if named.startswith("[") else f"{named}{PROBLEM}"
    if named.startswith("inputs."):
        whole = f"{PROBLEM}\n{named.removeprefix('inputs.')}"
    folder = problem_folder(home, problem=whole)
    (folder / role).unlink(missing_ok=True)
    odd(folder / role)
    return folder


NESTED = "x = " + "-" * 100_000 + "1"
SOURCES = {
    "nested": NESTED,
    "sum": "x = 0" + " + 1" * 5_000,
    "attributes": "x = a" + ".a" * 5_000,
    "else-if": "if 1:\n    pass\n" + "elif 1:\n    pass\n" * 5_000,
    "lambdas": "x = " + "lambda: " * 50_000 + "1",
    "number": "x = 1" + "0" * 5_000,
    "nul": "x = '\0'",
    "brackets": "x = " + "[" * 10_000,
    "many-lines": "x = 1\n" * 400_000,
}
"""Texts that Python does not take, or not in time."""

RUNS = {
    "dotted": ".".join(["a"] * 50_000) + " = 1",
    "dotted-table": "[" + ".".join(["a"] * 50_000) + "]",
    "nested": "seed = " + "[" * 50_000,
    "nested-tables": "seed = " + "{a=" * 5_000,
    "number": "seed = 1" + "0" * 5_000,
    "long-number": "seed = 1" + "0" * 1_000_000,
    "large-number": f"seed = {10**900}",
    "key-twice": "seed = 1\nseed = 2",
    "key-that-is-obeyed": f"{json.dumps(OBEYED)} = 1",
    "value-that-is-obeyed": f"seed = {json.dumps(OBEYED)}",
    "nul-in-the-problem": 'problem = "a\\u0000b"',
    "nul-in-the-results": 'problem = "NAMED"\nresults = "a\\u0000b"',
    "long-problem": f'problem = "{"a" * 900}"',
    "vocabulary-of-zeros": 'problem = "NAMED"\nmemory.vocabulary = "/dev/zero"',
    "vocabulary-is-a-pipe": 'problem = "NAMED"\nmemory.vocabulary = "pipe"',
    "vocabulary-without-end": 'problem = "NAMED"\nmemory.vocabulary = "sparse"',
    "extends-itself": 'extends = "run.toml"',
    "extends-zeros": 'extends = "/dev/zero"',
    "extends-a-pipe": 'extends = "pipe"',
    "extends-a-terabyte": 'extends = "sparse"',
    "extends-the-environment": 'extends = "/proc/self/environ"',
    "extends-a-secret": 'extends = "outside/secret"',
    "extends-without-end": 'extends = "chain/0.toml"',
}
"""Run files; NAMED stands for a harmless problem folder."""


def run_file(home: Path, text: str) -> Path:
    """Write a run file with what it may name beside it."""
    folder = problem_folder(home)
    os.mkfifo(home / "pipe")
    _sparse(home / "sparse")
    (home / "chain").mkdir()
    for number in range(3_000 if "chain" in text else 0):
        path = home / "chain" / f"{number}.toml"
        path.write_text(f'extends = "{number + 1}.toml"\n', encoding="ascii")
    path = home / "run.toml"
    path.write_text(text.replace("NAMED", str(folder)) + "\n", encoding="utf-8")
    return path


ROW: dict[str, object] = {
    "id": "pairs",
    "entry_point": "pairs",
    "slow": {"code": INITIAL},
    "input_generator": GENERATOR,
    "perf_inputs": [{"expr": "generate(rng, 5)"}, {"expr": "generate(rng, 9)", "seed": 1}],
}


def row(**changes: object) -> str:
    """Return the line of a harmless row, with changes."""
    return json.dumps(ROW | changes)


LINES = {
    "nested": '{"id": ' + "[" * 100_000,
    "number": row().replace('"seed": 1', '"seed": 1' + "0" * 5_000),
    "half-of-a-pair": '{"id": "\\ud800"}',
    "no-object": "NaN",
    "nul": "\0",
    "twice": f"{row()}\n{row()}",
    "key-twice": '{"id": "a", "id": ["b"]}',
    "blank": "\n" * 100_000,
    "value-that-is-obeyed": json.dumps({"id": [OBEYED]}),
    "id-without-end": row(id="a" * 100_000),
    "id-that-is-obeyed-twice": f"{row(id=OBEYED)}\n{row(id=OBEYED)}",
}
"""Lines of sets that cannot be used."""

ROWS = {
    "id-that-is-obeyed": row(id=OBEYED),
    "id-that-leads-out": row(id="../../outside/secret"),
    "id-of-a-folder": row(id=".."),
    "id-with-a-nul": row(id="a\0b"),
    "statement-that-is-obeyed": row(statement=OBEYED),
    "nested-input": row(perf_inputs=[{"expr": NESTED[4:]}, {"expr": "(1,)"}]),
}
"""Rows that are listed as they are, or as what cannot start."""
