"""Rows of the requirements that tests show: `make requirements` runs those that are marked.

A test says with `@pytest.mark.row("SQ-08", ...)` which rows it shows. A row counts as covered
where at least one of its tests passed, and none failed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

_BUILT = {
    *(
        *range(1, 5),
        *range(6, 10),
        11,
        13,
        *range(15, 43),
        44,
        46,
        *range(47, 52),
    ),
    *range(54, 81),
}
_LATER = {
    "LF": (92, 93, 105),
    "SQ": (),
    "HS": (*range(26, 34), *range(50, 54), 55, 56, 65, 67),
    "AM": tuple(n for n in range(1, 84) if n not in _BUILT),
}
"""Rows of what is not built yet: experience across runs, the graph, the fuzz kind."""

_LAST = {"LF": 108, "SQ": 63, "HS": 68, "AM": 83}
ASKED = {
    f"{seed}-{number:02}"
    for seed, last in _LAST.items()
    for number in range(1, last + 1)
    if number not in _LATER[seed]
}
"""Rows that what is built has to cover."""


@dataclass(eq=False)  # plugins are told apart by what they are
class RowReport:
    """Collects what became of the tests of each row, from all workers.

    Attributes:
        passed: Rows of tests that passed.
        failed: Rows of tests that did not, with their names.
    """

    passed: set[str] = field(default_factory=set)
    failed: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the rows of a test that ended."""
        rows = [str(value) for name, value in report.user_properties if name == "row"]
        if report.failed:
            for row in rows:
                self.failed[row].append(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed.update(rows)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print rows covered and rows asked for, by seed."""
        terminalreporter.section("requirements")
        for line in self.lines():
            terminalreporter.line(line)

    def lines(self) -> Iterator[str]:
        """Yield a line for each seed, and the rows that no passing test shows."""
        covered = self.passed - self.failed.keys()
        for seed in _LAST:
            asked = sorted(row for row in ASKED if row.startswith(seed))
            missing = [row for row in asked if row not in covered]
            told = f"; not shown: {', '.join(missing)}" if missing else ""
            yield f"{seed}  {len(asked) - len(missing)} of {len(asked)} rows{told}"
        for row, names in sorted(self.failed.items()):
            yield f"{row}  failed: {', '.join(names)}"


def rows_of(item: pytest.Item) -> list[str]:
    """Return the rows that a test shows, by all its markers."""
    return [str(row) for marker in item.iter_markers("row") for row in marker.args]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--row", help="run only the tests of this row")


def pytest_configure(config: pytest.Config) -> None:
    """Report, once: workers hand on what their tests say of themselves."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(RowReport(), "row-report")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of other rows than the one asked for; write the rows into each report."""
    if row := config.getoption("--row"):
        config.hook.pytest_deselected(items=[one for one in items if row not in rows_of(one)])
        items[:] = [one for one in items if row in rows_of(one)]
    for item in items:
        item.user_properties += [("row", row) for row in rows_of(item)]
