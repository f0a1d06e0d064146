"""Functions with one slow idiom each: is a file that `optimize --write` wrote ever wrong?

Each function of `patterns.toml` gets a folder of its own, and `optimize --write` changes its
file, if it proves a gain and has no serious doubt. Then the file is compared with what it was
on 10,000 small inputs in and around the range that the generator shows: the answer with its
types, the type of an exception, and what becomes of the arguments. Answers are emptied after
that, as a caller may do, so that one that is handed out twice is noticed. Some of the functions
look like a known one and differ at an edge that no input seen shows.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from experiments.figures import fuzz
from experiments.figures.rows import Row, figures, fill, se_agent
from se_agent.values.doubts import SERIOUS

EVALUATIONS = 10
CPU_SECONDS = 60
FUZZED = 10_000
_SHORT = ("measure.fast_seconds=0.005", "measure.slow_seconds=0.05", "judge.pairs=6")
"""Runs are shorter than by default: gains are large, and the figure is about right files."""
SETTINGS = {
    "evaluations": EVALUATIONS,
    "cpu_seconds": CPU_SECONDS,
    "fuzzed": FUZZED,
    "short": list(_SHORT),
}
_NOTHING = "would have nothing to try"
"""Words of the error that no operator has a change to propose."""
_HELPERS = """\
def ints(rng, low, high, number):
    return [rng.randint(low, high) for _ in range(number)]


def text(rng, letters, number):
    return "".join(rng.choice(letters) for _ in range(number))


def words(rng, letters, longest, number):
    return [text(rng, letters, rng.randint(1, longest)) for _ in range(number)]


def few(rng):
    return rng.randrange(9)
"""


@dataclass(frozen=True)
class Pattern:
    """A function with a slow idiom.

    Attributes:
        name: Name of the function.
        idiom: What is slow in it.
        most: Size of the largest inputs, on which a call takes some milliseconds.
        source: Text of its module.
        make: Expression for the arguments of a call, of `rng` and `size`.
        fuzz: The same for small inputs in and around the range that `make` shows, of `rng`.
        edge: Where it differs from the known function that it looks like; empty: it does not.
    """

    name: str
    idiom: str
    most: int
    source: str
    make: str
    fuzz: str
    edge: str = ""

    def write(self, folder: Path) -> None:
        """Write the module, as `code.py` and `before.py`, and the makers of inputs."""
        made = "def generate(rng, size):\n"
        made += f"    size = min(size, {self.most})\n    return ({self.make})\n"
        fuzzed = f"def fuzz(rng):\n    return ({self.fuzz})\n"
        source, cases = self.source.lstrip(), f"{_HELPERS}\n\n{made}\n\n{fuzzed}"
        fuzz.write(folder, before=source, after=source, cases=cases)


def patterns() -> tuple[Pattern, ...]:
    """Return all of `patterns.toml`."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(Pattern(name, **values) for name, values in data.items())


def rows() -> dict[str, Row]:
    """Try what is missing and return a row a function."""
    tasks = {pattern.name: partial(tried, pattern) for pattern in patterns()}
    return fill("patterns", tasks, settings=SETTINGS)


def tried(pattern: Pattern) -> Row:
    """Return what became of a function: its gain, what was written, and where that is wrong."""
    with tempfile.TemporaryDirectory(prefix="se-agent-patterns-") as name:
        folder = Path(name)
        pattern.write(folder)
        found = optimized(pattern.name, folder)
        row = figures(found)
        if _NOTHING in found.get("error", ""):
            row["status"] = "nothing_to_try"
        if row["status"] == "proven" and not row.get("written"):
            names = (doubt["name"] for doubt in found.get("doubts", ()))
            row["why_not"] = ", ".join(name for name in names if name in SERIOUS)
        if row.get("written"):
            row["wrong"] = fuzz.differing_in(folder, pattern.name, FUZZED)
        return row


def optimized(function: str, folder: Path) -> Row:
    """Run `optimize --write` on the file in a folder and return its `--json` row."""
    settings = (
        f"results={folder / 'results'}",
        "memory.prior=false",
        *_SHORT,
        f"budget.evaluations={EVALUATIONS}",
        f"budget.cpu_seconds={CPU_SECONDS}",
    )
    sets = [part for setting in settings for part in ("--set", setting)]
    inputs = f"{folder / 'cases.py'}:generate"
    file = f"{folder / 'code.py'}:{function}"
    return se_agent("optimize", file, "--inputs", inputs, "--write", *sets)


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure."""
    ends = Counter(end(row) for row in found.values())
    about = {pattern.name: pattern for pattern in patterns()}
    lines = [
        f"{len(found)} of {len(about)} functions: "
        + ", ".join(f"{n} {what}" for what, n in ends.most_common()),
        "",
        "| function | idiom | gain | end |",
        "|---|---|--:|---|",
    ]
    for name, row in sorted(found.items()):
        idiom = about[name].idiom if name in about else ""
        lines.append(f"| {name} | {idiom} | {_gain(row)} | {end(row)}{_more(row)} |")
    return "\n".join(lines)


def end(row: Row) -> str:
    """Say how a function ended."""
    if row["status"] != "proven":
        return str(row["status"]).replace("_", " ")
    if not row.get("written"):
        return "proven, not written for a doubt"
    return "written, wrong" if row["wrong"] else "written, right"


def _more(row: Row) -> str:
    told = row.get("wrong") or row.get("why_not") or ""
    return f": `{told}`".replace("|", "\\|") if told else ""


def _gain(row: Row) -> str:
    return f"{row['gain']:.2f}x" if row["status"] == "proven" else "-"
