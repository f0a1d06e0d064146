"""Makes `pairs.jsonl.gz`: pairs of messages of real runs, and whether they are the same error.

Each cause of `causes.json` has programs that fail by it and differ in names, numbers, paths and literals.
They are run: by Python, by the house's own report of an error, by pytest, by gcc and with its
sanitizers. Pairs of one cause are the same error, pairs of two causes are not; half of the
latter are causes of one class of exception, which are the hardest to tell apart.

Not run by the tests: they read the data, which was looked through and written before the code
that it judges. To make it anew: `python -m tests.program.error_templates.make_pairs`.
"""

from __future__ import annotations

import gzip
import itertools
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evaluators.sandbox.child.error_status import feedback

HERE = Path(__file__).parent
PAIRS = HERE / "pairs.jsonl.gz"
NUMBER = 200

Message = tuple[str, str]
"""A cause, and what was printed."""
MessagePair = tuple[Message, Message]

CAUSES: dict[str, dict[str, list[str]]] = json.loads((HERE / "causes.json").read_text("utf-8"))


def run(command: list[str], folder: Path) -> str:
    """Return all that a command prints."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout + done.stderr


def without_places(text: str) -> str:
    """Return a text without where this Python is installed."""
    return text.replace(sys.prefix, "/home/user/.venv").replace(sys.base_prefix, "/usr")


def messages() -> Iterator[Message]:
    """Yield each cause with the messages of its programs."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        deep = Path(other) / "deep" / "er"
        deep.mkdir(parents=True)
        folders = itertools.cycle([Path(one), deep])
        for name, messages_of in PRINTING.items():
            for cause, texts in CAUSES[name].items():
                for number, text in enumerate(texts):
                    for message in messages_of(text, next(folders), number, cause):
                        yield cause, without_places(message)


def of_python(text: str, folder: Path, number: int, cause: str) -> Iterator[str]:
    """Yield what Python prints of a program, and what the house says of it."""
    (folder / f"run_{number}.py").write_text(text + "\n", "utf-8")
    yield run([sys.executable, str(folder / f"run_{number}.py")], folder)
    path = ("main.py", "solution.py", "candidate_3.py")[(number + len(cause)) % 3]
    try:
        exec(compile(text, path, "exec"), {"__name__": "solution"})
    except BaseException as err:  # noqa: BLE001
        yield feedback(err, path=path, source=text)


def of_compiler(text: str, folder: Path, number: int, cause: str) -> Iterator[str]:
    """Yield what gcc says of a text."""
    (folder / f"part{number}.c").write_text(text, "utf-8")
    flags = ["-Werror=implicit-function-declaration", "-c", "-o", "x.o"]
    yield run(["gcc", *flags, f"part{number}.c"], folder)


def of_sanitizer(text: str, folder: Path, number: int, cause: str) -> Iterator[str]:
    """Yield what the linker says of a program, or else the sanitizer that it runs with."""
    (folder / f"prog{number}.c").write_text(text, "utf-8")
    kind = "undefined" if cause.startswith("ubsan") else "address"
    flags = [f"-fsanitize={kind}", "-g", "-o", f"prog{number}"]
    made = run(["gcc", *flags, f"prog{number}.c"], folder)
    yield made or run([str(folder / f"prog{number}")], folder)


def of_pytest(text: str, folder: Path, number: int, cause: str) -> Iterator[str]:
    """Yield what pytest prints of a file of tests."""
    (folder / f"test_{number}.py").write_text(text, "utf-8")
    flags = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    yield run([sys.executable, "-m", "pytest", *flags, f"test_{number}.py"], folder)


def of_house(text: str, folder: Path, number: int, cause: str) -> Iterator[str]:
    """Yield a text of an evaluator as it is."""
    yield text


PRINTING = {
    "python": of_python,
    "c": of_compiler,
    "linked": of_sanitizer,
    "pytest": of_pytest,
    "house": of_house,
}


def pairs(found: list[Message]) -> Iterator[dict[str, object]]:
    """Yield as many pairs of one error as of two, without order, drawn by a fixed seed."""
    rng = random.Random(20)
    every = list(itertools.combinations(found, 2))
    rng.shuffle(every)
    same = [pair for pair in every if pair[0][0] == pair[1][0]]
    apart = [pair for pair in every if pair[0][0] != pair[1][0]]
    near = [pair for pair in apart if family(pair[0][0]) == family(pair[1][0])]
    far = [pair for pair in apart if family(pair[0][0]) != family(pair[1][0])]
    for one, other in [*spread(same, NUMBER), *near[: NUMBER // 2], *far[: NUMBER // 2]]:
        yield {
            "same": one[0] == other[0],
            "causes": [one[0], other[0]],
            "texts": [one[1], other[1]],
        }


def family(cause: str) -> str:
    """Return what causes that are hard to tell apart have in common."""
    return cause.partition(":")[0]


def spread(every: list[MessagePair], number: int) -> list[MessagePair]:
    """Return some pairs, from as many causes as there are: of each in its turn."""
    by_cause: dict[str, list[MessagePair]] = {}
    for pair in every:
        by_cause.setdefault(pair[0][0], []).append(pair)
    turns = itertools.zip_longest(*by_cause.values())
    return [pair for turn in turns for pair in turn if pair is not None][:number]


if __name__ == "__main__":
    lines = [json.dumps(pair, sort_keys=True) for pair in pairs(list(messages()))]
    PAIRS.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
