"""What rules look for, in plain words: each shipped rule has its place."""

from __future__ import annotations

from se_agent import registry
from se_agent.engine.models.endpoints import is_written
from se_agent.report.words.searched import families, nothing_found, without_rule


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


def test_what_has_no_rule_is_said_with_the_reason_and_what_a_model_would_be_asked() -> None:
    text = "def f(xs, i):\n    while i < len(xs):\n        xs.pop(i)\n"
    first, line = without_rule(text, "f")
    assert first == "seen, and no rule is there for it:"
    assert line.startswith(
        "  - line 3: `xs.pop(i)` moves all that stand behind it, in each pass;"
    )
    assert line.endswith("; a model would be asked for a new list that is built in one pass")
    assert list(without_rule("def f(xs):\n    return xs\n")) == []
