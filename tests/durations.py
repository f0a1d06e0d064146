"""What the tests of a run took, from the file that `make test` leaves.

`python -m tests.durations [FILE] [--files N]` prints seconds by tier, and the dearest files.
CPU seconds are those of a test's process and of the children that it waited for: a server that
is shared by the tests of a file counts where it ends.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.tiers import ROOT


@dataclass(frozen=True, kw_only=True)
class Duration:
    """What one test took.

    Attributes:
        file: Path of its file, from the root of the project.
        tier: Its tier.
        seconds: Wall time.
        cpu_seconds: CPU time of its process and of ended children.
    """

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what the tests of one run took."""
    parser = argparse.ArgumentParser(prog="python -m tests.durations")
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "results" / "tests.xml")
    parser.add_argument("--files", type=int, default=12, help="dearest files to show (12)")
    asked = parser.parse_args(arguments)
    found = durations(asked.file)
    print("   CPU s   wall s   tests tier", *table(found, lambda each: each.tier), sep="\n")  # noqa: T201
    print("   CPU s   wall s   tests file", sep="\n")  # noqa: T201
    print(*table(found, lambda each: each.file, asked.files), sep="\n")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
