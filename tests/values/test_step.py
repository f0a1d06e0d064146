"""Values: what a solution calls itself."""

from __future__ import annotations

import pytest

from se_agent.values.solution import Edit, Solution


def edits(*rules: str) -> tuple[Edit, ...]:
    return tuple(Edit(rule=rule, function="f", node=str(n)) for n, rule in enumerate(rules))


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        pytest.param({}, "", id="initial"),
        pytest.param({"edits": edits("a", "b", "my.module:a", "b")}, "a x2 + b x2", id="rules"),
        pytest.param({"strategy": "a trie", "edits": edits("a")}, "a trie", id="strategy"),
        pytest.param({"operator": "mutation", "parents": ("g0s0",)}, "mutation", id="model"),
    ],
)
def test_the_approach_of_a_solution_lm_11(fields: dict[str, object], name: str) -> None:
    whole: dict[str, object] = {"id": "Gen1_Sol_0", "files": {"main.py": "x = 1"}} | fields
    assert Solution(**whole).approach == name  # type: ignore[arg-type]
