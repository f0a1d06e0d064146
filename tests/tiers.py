"""Tiers of the tests: what each holds, and which changes make it run.

`make test` runs the fast tier, `make test-all` all of them, and `.ci/run` the fast one and
those that a change touches: `python -m tests.tiers` prints their names. A whole folder or file
is in the tier that names it here; the marker `tier` places a single test or class, such as one
that takes more than 0.7 s on an idle machine. A changed test counts as a change of what it
mirrors.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FAST = "fast"
DAY = 24 * 60 * 60
"""Seconds; commits of the last day decide on `main`, where there is no other base."""


@dataclass(frozen=True, kw_only=True)
class Tier:
    """Tests that cost much, and what they are about.

    Attributes:
        name: As in `--tier=NAME`.
        holds: What it tests, in words.
        tests: Folders and files of its tests, from the root of the project.
        sources: Folders and files whose change makes it run; its own tests do as well.
    """

    name: str
    holds: str
    tests: tuple[str, ...]
    sources: tuple[str, ...]


ALL_TIERS_RUN_FOR = ("pyproject.toml", "Makefile", ".ci", "tests/conftest.py", "tests/tiers.py")
"""Files that each test depends on."""

TIERS = (
    Tier(
        name="isolation",
        holds="attacks, and what each level of isolation promises",
        tests=(
            "tests/hostile/test_attacks.py",
            "tests/evaluators/sandbox/isolation",
            "tests/evaluators/sandbox/server/test_container.py",
            "tests/evaluators/counting",
        ),
        sources=(
            "evaluators/counting",
            "evaluators/sandbox",
            "evaluators/measure",
            "evaluators/running",
            "tests/hostile",
        ),
    ),
    Tier(
        name="languages",
        holds="real compilers and run times",
        tests=(
            "tests/evaluators/languages",
            "tests/evaluators/mutants/test_compiled.py",
            "tests/problems/test_cpp.py",
        ),
        sources=(
            "evaluators/languages",
            "evaluators/mutants",
            "operators/cpp",
            "problems",
            "se_agent/program/clike",
        ),
    ),
    Tier(
        name="library",
        holds="known functions, their oracles, and rules under several hash seeds",
        tests=("tests/operators/known_functions/library", "tests/operators/test_hash_seeds.py"),
        sources=("operators", "se_agent/program"),
    ),
    Tier(
        name="hunts",
        holds="real searches for counterexamples, preflights and gates; evaluators that run",
        tests=(
            "tests/evaluators/counterexample/function/test_further.py",
            "tests/evaluators/counterexample/function/test_repeated.py",
            "tests/evaluators/counterexample/stdin/test_bounded.py",
            "tests/evaluators/counterexample/stdin/test_search.py",
            "tests/evaluators/counterexample/stdin/test_shipped.py",
            "tests/evaluators/counterexample/test_ends.py",
            "tests/evaluators/counterexample/test_loading.py",
        ),
        sources=(
            "evaluators/answers",
            "evaluators/counterexample",
            "evaluators/kinds",
            "evaluators/mutants",
            "evaluators/observing",
            "evaluators/suite",
        ),
    ),
    Tier(
        name="runs",
        holds="real runs: proven, killed, resumed; what else of se_agent takes long",
        tests=(
            "tests/cli/commands/test_problem_set.py",
            "tests/cli/test_bad_problems.py",
            "tests/cli/test_crafted_problems.py",
            "tests/cli/test_crafted_results.py",
            "tests/cli/test_open.py",
            "tests/cli/test_optimize_resumed.py",
            "tests/cli/test_planted.py",
            "tests/mcp_server/test_bridge.py",
            "tests/mcp_server/test_server.py",
        ),
        sources=(
            "se_agent",
            "problems",
        ),
    ),
    Tier(
        name="browser",
        holds="reports in a headless Chromium; skipped, with the reason, where there is none",
        tests=("tests/report/html/browser",),
        sources=(
            "experiments/docs",
            "se_agent/analysis",
            "se_agent/report",
        ),
    ),
    Tier(
        name="experiments",
        holds="the experiments, in small",
        tests=("tests/experiments",),
        sources=("docs/experiments.md", "experiments", "se_agent/analysis", "se_agent/stats"),
    ),
)
NAMES = (FAST, *(tier.name for tier in TIERS))

MEASURING = (
    "tests/cli/commands/test_advise.py",
    "tests/cli/commands/test_check.py",
    "tests/cli/commands/test_new.py",
    "tests/cli/commands/test_noise.py",
    "tests/cli/commands/test_optimize.py",
    "tests/cli/commands/test_optimize_files.py",
    "tests/cli/commands/test_optimize_workload.py",
    "tests/cli/commands/test_patch.py",
    "tests/cli/commands/test_problem_set.py",
    "tests/cli/commands/test_prove.py",
    "tests/cli/commands/test_run.py",
    "tests/cli/test_docs.py",
    "tests/cli/test_drive.py",
    "tests/cli/test_hosted.py",
    "tests/cli/test_models.py",
    "tests/cli/test_open.py",
    "tests/cli/test_optimize_resumed.py",
    "tests/cli/test_planted.py",
    "tests/cli/test_progress.py",
    "tests/cli/test_unlocked.py",
    "tests/cli/test_untried.py",
    "tests/engine/test_known_inputs.py",
    "tests/engine/test_proven_ends.py",
    "tests/evaluators/counterexample",
    "tests/evaluators/counting",
    "tests/evaluators/kinds",
    "tests/evaluators/languages",
    "tests/evaluators/measure",
    "tests/evaluators/observing",
    "tests/evaluators/sandbox",
    "tests/evaluators/suite",
    "tests/experiments",
    "tests/hostile/test_attacks.py",
    "tests/noise/test_trials.py",
    "tests/problems",
    "tests/user_function/test_filling.py",
    "tests/user_function/test_gate.py",
    "tests/user_function/test_referee.py",
)
"""Tests that compare times or end what takes too long, of real processes. On a busy machine
such a test has an error rate of its own, so it is asked up to three times; others are not."""


@cache
def measures(path: str) -> bool:
    """Say whether the tests of a file compare times, by its path from the root."""
    return _is_below(path, MEASURING)


@cache
def tier_of(path: str) -> str:
    """Return the tier of a test file, by its path from the root of the project."""
    return next((tier.name for tier in TIERS if _is_below(path, tier.tests)), FAST)


def tiers_for(changed_files: Iterable[str]) -> list[str]:
    """Return which tiers a change of some files makes run, by name, the fast one first."""
    files = [place for path in changed_files for place in _places(path)]
    touched = [tier.name for tier in TIERS if any(_is_about(tier, path) for path in files)]
    return [FAST, *touched]


def _places(path: str) -> Iterator[str]:
    """Yield a path and, for a test, where the folder lies that it mirrors."""
    yield path
    top, _, inside = path.partition("/")
    if top == "tests":
        room = inside.partition("/")[0]
        yield from (
            f"{home}{inside}" for home in ("", "se_agent/") if (ROOT / home / room).is_dir()
        )


def _is_about(tier: Tier, path: str) -> bool:
    return _is_below(path, (*ALL_TIERS_RUN_FOR, *tier.sources, *tier.tests))


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def changed_files(root: Path = ROOT) -> list[str] | None:
    """Return what differs from where the branch left `main`; None: that is not known.

    On `main` itself the commits of the last day count, by the date of the newest one.
    """
    base = _base(root)
    if not base:
        return None
    committed = _git(root, "diff", "--name-only", base).splitlines()
    return committed + _git(root, "ls-files", "--others", "--exclude-standard").splitlines()


def _base(root: Path) -> str:
    head = _git(root, "rev-parse", "HEAD")
    for name in ("origin/main", "main"):
        base = _git(root, "merge-base", "HEAD", name)
        if base and base != head:
            return base
    newest = _git(root, "show", "-s", "--format=%ct", "HEAD")
    if not newest:
        return ""
    return _git(root, "rev-list", "-1", f"--min-age={int(newest) - DAY}", "HEAD")


def _git(root: Path, *command: str) -> str:
    """Return what git prints, and nothing where it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", *command], cwd=root, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return "" if done.returncode else done.stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the names of the tiers that this checkout has to pass."""
    parser = argparse.ArgumentParser(prog="python -m tests.tiers", description=__doc__)
    parser.add_argument("--all", action="store_true", help="all tiers, whatever changed")
    changed = None if parser.parse_args(arguments).all else changed_files()
    print(*(NAMES if changed is None else tiers_for(changed)))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
