"""Edits are replayed by whoever made them, and dropped where their place is gone."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import pytest

from operators.editing.genome import replayed
from operators.rewrite import rule as rules
from se_agent.values.solution import Edit
from tests.contracts.operator import brief
from tests.operators.rewrite.cases import RULES, answer, edits_of, rule

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


class Shout:
    """An operator of someone else, whose edits are no rewrite rule's."""

    name = "tests.operators.editing.test_genome:Shout"

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Put a line at the end, once."""
        (path,) = files
        if "# hey" in files[path]:
            return None
        return {path: files[path] + "# hey\n"}


class Mute:
    """An operator that replays nothing."""

    name = "tests.operators.editing.test_genome:Mute"


def replay(text: str, edits: Sequence[Edit]) -> tuple[str, tuple[Edit, ...]]:
    files, dropped = replayed({"main.py": text}, edits)
    return files["main.py"], dropped


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_registered_under_its_name(name: str) -> None:
    made = rule(name)
    assert (made.name, made.arity) == (name, 1)
    assert type(made).__doc__
    assert type(made).__doc__ != rules.Rule.__doc__


def test_an_operator_of_someone_else_replays_its_own() -> None:
    shout = Edit(rule=Shout.name, function="", node="0")
    mute = Edit(rule=Mute.name, function="", node="0")
    (hashed,) = edits_of("set_membership", SLOW)
    text, dropped = replay(SLOW, [shout, mute, hashed, shout])
    assert dropped == (mute, shout)
    assert text.endswith("# hey\n")
    assert "b_set = set(b)" in text


def test_edits_of_several_rules_replay_in_any_order() -> None:
    edits = [
        *edits_of("set_membership", SLOW),
        *edits_of("seen_set", SLOW)[:1],
        *edits_of("string_building", SLOW),
    ]
    assert [edit.function for edit in edits] == ["common", "solve", "solve"]
    (there, none), (back, neither) = replay(SLOW, edits), replay(SLOW, edits[::-1])
    assert none == neither == ()
    args = ([3, 1, 3, 2], [2, 3])
    assert answer(there, args) == answer(SLOW, args)
    assert sorted(there.splitlines()) == sorted(back.splitlines())


def test_an_edit_whose_node_is_gone_is_dropped() -> None:
    edits = edits_of("seen_set", SLOW)
    _, dropped = replay(SLOW, edits)
    assert dropped == tuple(edits[1:])  # both of them want the same list


@pytest.mark.parametrize("name", ["no_such_rule", "no.such:Module", "tests.fakes:NoSuch"])
def test_an_edit_of_an_operator_that_is_gone_is_dropped(name: str) -> None:
    strange = Edit(rule=name, function="solve", node="0")
    assert replay(SLOW, [strange]) == (SLOW, (strange,))


def test_equal_nodes_are_told_apart() -> None:
    twice = "def f(a, b):\n    for x in a:\n        x in b\n    for x in a:\n        x in b\n"
    first, second = edits_of("set_membership", twice)
    assert (first.occurrence, second.occurrence) == (0, 1)
    assert first.node == second.node
    assert replay(twice, [first]) != replay(twice, [second])


def test_edits_of_a_child_follow_those_of_its_parent() -> None:
    proposal = rule("set_membership").propose(brief(SLOW))
    assert proposal
    assert proposal.direction == "Replace list membership tests by a set in `common`"
    assert proposal.solution.edits[0].function == "common"


def test_only_one_function_may_change() -> None:
    made = rule("seen_set")
    assert made.propose(brief(SLOW, editable="common")) is None
    assert made.propose(brief(SLOW, editable="solve")) is not None
    files, (edit, *_) = {"main.py": SLOW}, edits_of("seen_set", SLOW)
    assert made.replay(files, edit, editable="common") is None
    assert made.replay(files, edit, editable="solve") is not None


@pytest.mark.tier("library")
def test_proposing_is_cheap() -> None:
    texts = [SLOW * 3 + f"\nz = {i}\n" for i in range(3)]
    start = time.process_time()
    for text in texts:
        for name in RULES:
            rule(name).propose(brief(text))
    assert (time.process_time() - start) / len(texts) / len(RULES) < 0.3
