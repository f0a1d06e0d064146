"""What the tests of a run took, from the file that `make test` leaves.

`python -m tests.durations [FILE] [--files N]` prints seconds by tier, and the dearest files. It
fails where a test of the fast tier takes more than MOST. CPU seconds are those of a test's
process and of the children that it waited for: a server that is shared by the tests of a file
counts where it ends, and what a test is the first to load or make counts there.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.tiers import FAST, ROOT

MOST = 10.0
"""CPU seconds that a test of the fast tier may take. The rule is 0.7 s on an idle
machine; beside a load the same work was seen to count for four times as much."""


@dataclass(frozen=True, kw_only=True)
class Duration:
    """What one test took.

    Attributes:
        test: Its name.
        file: Path of its file, from the root of the project.
        tier: Its tier.
        seconds: Wall time.
        cpu_seconds: CPU time of its process and of ended children.
    """

    test: str
    file: str
    tier: str
    seconds: float
    cpu_seconds: float


def durations(path: Path) -> list[Duration]:
    """Return what each test took, from a file of `--junitxml`."""
    cases = ElementTree.parse(path).iter("testcase")
    return [_duration(case) for case in cases]


def _duration(case: ElementTree.Element) -> Duration:
    kept = {each.get("name"): each.get("value", "") for each in case.iter("property")}
    return Duration(
        test=case.get("name", ""),
        file=kept.get("file", ""),
        tier=kept.get("tier", ""),
        seconds=float(case.get("time", 0)),
        cpu_seconds=float(kept.get("cpu_seconds", 0)),
    )


def table(
    found: Iterable[Duration], key: Callable[[Duration], str], most: int = 99
) -> list[str]:
    """Return lines of CPU seconds, seconds and number of tests by a key, the dearest first."""
    groups: dict[str, list[Duration]] = defaultdict(list)
    for each in found:
        groups[key(each)].append(each)
    cost = {name: sum(each.cpu_seconds for each in group) for name, group in groups.items()}
    dearest = sorted(groups, key=lambda name: (-cost[name], name))[:most]
    return [
        f"{cost[name]:8.1f} {sum(each.seconds for each in groups[name]):8.1f} "
        f"{len(groups[name]):7} {name}"
        for name in dearest
    ]


def too_dear(found: Iterable[Duration]) -> list[Duration]:
    """Return the tests of the fast tier that take more than MOST, the dearest first."""
    dear = [one for one in found if one.tier == FAST and one.cpu_seconds > MOST]
    return sorted(dear, key=lambda one: -one.cpu_seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what the tests of one run took; return 1 where one of the fast tier is too dear."""
    parser = argparse.ArgumentParser(prog="python -m tests.durations")
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "results" / "tests.xml")
    parser.add_argument("--files", type=int, default=12, help="dearest files to show (12)")
    asked = parser.parse_args(arguments)
    found = durations(asked.file)
    print("   CPU s   wall s   tests tier", *table(found, lambda each: each.tier), sep="\n")  # noqa: T201
    print("   CPU s   wall s   tests file", sep="\n")  # noqa: T201
    print(*table(found, lambda each: each.file, asked.files), sep="\n")  # noqa: T201
    dear = too_dear(found)
    for one in dear:
        print(f"error: {one.file}: {one.test}: {one.cpu_seconds:.1f} CPU s", file=sys.stderr)  # noqa: T201
    if dear:
        hint = (
            f"a test of the fast tier takes at most {MOST:g}: make it cheaper, or mark its tier"
        )
        print(f"hint:  {hint}", file=sys.stderr)  # noqa: T201
    return 1 if dear else 0


if __name__ == "__main__":
    sys.exit(main())
