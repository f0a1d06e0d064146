"""`optimize --tests` on a function of a published package, fetched when this is run.

Nothing of the package is kept here but its name and version. The package and pytest are
installed into temporary folders; the tests below are ours. Run it from a checkout:
`python -m experiments.figures.optimize_package`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = "pylev==1.4.0"
FUNCTION = "pylev/classic.py:classic_levenshtein"
TESTS = """\
import random

import pytest
from pylev.classic import classic_levenshtein as distance


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [("kitten", "sitting", 3), ("", "abc", 3), ("same", "same", 0), ("flaw", "lawn", 2)],
)
def test_known_distances(one, other, steps):
    assert distance(one, other) == steps


def test_it_is_symmetric_and_bounded():
    rng = random.Random(1)
    for _ in range(60):
        one, other = (
            "".join(rng.choice("abc") for _ in range(rng.randrange(5, 8))) for _ in range(2)
        )
        assert distance(one, other) == distance(other, one) <= max(len(one), len(other))
"""


def main() -> int:
    """Fetch, optimize, print; return the exit code of `optimize`."""
    with tempfile.TemporaryDirectory(prefix="se-agent-package-") as name:
        folder = Path(name)
        venv, project = folder / "venv", folder / "project"
        run(sys.executable, "-m", "venv", venv)
        run(venv / "bin" / "python", "-m", "pip", "install", "-q", "pytest")
        pip = (venv / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps")
        run(*pip, "--target", project, PACKAGE)
        (project / "tests").mkdir()
        (project / "tests" / "test_distance.py").write_text(TESTS, encoding="utf-8")
        command = [sys.executable, "-m", "se_agent", "optimize", FUNCTION]
        options = ["--tests", "tests", "--python", str(venv), "--write"]
        print(f"{PACKAGE}: {FUNCTION}", flush=True)
        return subprocess.run([*command, *options], cwd=project, check=False).returncode


def run(*command: object) -> None:
    """Run a command that has to succeed."""
    subprocess.run([str(part) for part in command], check=True)


if __name__ == "__main__":
    sys.exit(main())
