"""New lines that are too long are broken as formatters do it."""

from __future__ import annotations

import pytest

from se_agent.program.style.layout import FileLayout
from se_agent.program.style.wrapping import laid_out

NAMES = "first_name_of_all", "second_name_of_all"


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        pytest.param(
            "self.rules: dict[str, int] = {0}.copy() if rules is {0} else "
            "{{n: {1}(p) for n, p in rules.items()}}",
            [
                "self.rules: dict[str, int] = (",
                "    {0}.copy()",
                "    if rules is {0}",
                "    else {{n: {1}(p) for n, p in rules.items()}}",
                ")",
            ],
            id="a-choice-that-is-assigned",
        ),
        pytest.param(
            "total += {0} and {1} and {0} == {1} and {0}",
            ["total += (", "    {0}", "    and {1}", "    and {0} == {1}", "    and {0}", ")"],
            id="added",
        ),
        pytest.param(
            "found[{0}] = other({1}, {0}, {1})",
            ["found[{0}] = other(", "    {1}, {0}, {1}", ")"],
            id="within-brackets-first",
        ),
    ],
)
def test_values_are_broken_in_parentheses(line: str, rows: list[str]) -> None:
    new = line.format(*NAMES) + "\n"
    wanted = "\n".join(row.format(*NAMES) for row in rows) + "\n"
    assert laid_out("", new, FileLayout(line_length=72)) == wanted
