"""Edits are replayed on texts of their kind, and dropped where their node is gone."""

from __future__ import annotations

import time
from importlib.metadata import entry_points

import pytest

from operators.rewrite import genome
from operators.rewrite.genome import apply_edits
from operators.rewrite.rule import Rule
from se_agent.types import Edit
from tests.contracts.operator import brief
from tests.operators.rewrite.cases import answer

SLOW = """
def common(a, b):
    out = []
    for x in a:
        if x in b:
            out.append(x)
    return out

def solve(a, b):
    seen = []
    for x in common(a, b):
        if x not in seen:
            seen.append(x)
    text = ""
    for x in seen:
        text = str(x) + text
    return text
"""


def edits_of(rule: str, text: str) -> list[Edit]:
    found = genome.rule(rule)
    assert found
    return [candidate.edit for candidate in found.candidates(text)]


@pytest.mark.parametrize("name", genome.RULES)
def test_every_rule_is_registered_under_its_name(name: str) -> None:
    points = {point.name: point for point in entry_points(group="se_agent.operators")}
    rule = genome.rule(name)
    assert isinstance(rule, Rule)
    assert (rule.name, rule.arity) == (name, 1)
    assert points[name].load() is type(rule)
    assert type(rule).__doc__


def test_edits_of_several_rules_replay_in_any_order() -> None:
    edits = [
        *edits_of("set_membership", SLOW),
        *edits_of("seen_set", SLOW)[:1],
        *edits_of("string_building", SLOW),
    ]
    assert [edit.function for edit in edits] == ["common", "solve", "solve"]
    there, back = apply_edits(SLOW, edits), apply_edits(SLOW, edits[::-1])
    assert there.dropped == back.dropped == ()
    args = ([3, 1, 3, 2], [2, 3])
    assert answer(there.text, args) == answer(SLOW, args)
    assert sorted(there.text.splitlines()) == sorted(back.text.splitlines())


def test_an_edit_whose_node_is_gone_is_dropped() -> None:
    edits = edits_of("seen_set", SLOW)
    replayed = apply_edits(SLOW, edits)
    assert replayed.dropped == tuple(edits[1:])  # both of them want the same list
    strange = Edit(rule="no_such_rule", function="solve", node="0")
    assert apply_edits(SLOW, [strange]) == (SLOW, (strange,))


def test_equal_nodes_are_told_apart() -> None:
    twice = "def f(a, b):\n    for x in a:\n        x in b\n    for x in a:\n        x in b\n"
    first, second = edits_of("set_membership", twice)
    assert (first.occurrence, second.occurrence) == (0, 1)
    assert first.node == second.node
    assert apply_edits(twice, [first]).text != apply_edits(twice, [second]).text


def test_edits_of_a_child_follow_those_of_its_parent() -> None:
    rule = genome.rule("set_membership")
    assert rule
    proposal = rule.propose(brief(SLOW))
    assert proposal
    assert proposal.direction == "Replace list membership tests by a set in `common`"
    assert proposal.solution.edits[0].function == "common"


def test_only_one_function_may_change() -> None:
    rule = genome.rule("seen_set")
    assert rule
    assert rule.propose(brief(SLOW, editable="common")) is None
    assert rule.propose(brief(SLOW, editable="solve")) is not None


def test_proposing_is_cheap() -> None:
    texts = [SLOW * 3 + f"\nz = {i}\n" for i in range(3)]
    start = time.process_time()
    for text in texts:
        for name in genome.RULES:
            rule = genome.rule(name)
            assert rule
            rule.propose(brief(text))
    assert (time.process_time() - start) / len(texts) / len(genome.RULES) < 0.3
