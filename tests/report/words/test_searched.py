"""What rules look for, in plain words: each shipped rule has its place."""

from __future__ import annotations

from se_agent import registry
from se_agent.engine.models.endpoints import is_written
from se_agent.report.words.searched import families, nothing_found


def test_each_shipped_rule_is_in_one_family_with_words_of_its_own() -> None:
    names = [
        name
        for name in registry.names("operator")
        if not is_written(registry.make("operator", name))
    ]
    found = list(families(names))
    assert not [what for what, _ in found if what.startswith("what ")]
    rules = [name for _, mine in found for name in mine]
    assert sorted([*rules, "crossover", "mend", "polish"]) == sorted(names)


def test_an_operator_of_another_package_is_named() -> None:
    (line,) = [line for line in nothing_found(["counter", "mine:Own"]) if "mine:Own" in line]
    assert line == "  - what mine:Own would change (1 rule)"
