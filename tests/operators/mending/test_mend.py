"""Failing programs are mended without a model, and never into what was tried."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.mending.operator import Mend
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Evaluation, FailedCase, Status
from se_agent.values.search_context import Failure, SearchContext
from se_agent.values.session import KnownFix, SessionMemory
from se_agent.values.solution import Solution
from tests.contracts.operator import OperatorContract
from tests.contracts.operator import brief as any_brief
from tests.operators.mending.broken import ENTRY, Broken, every

RIGHT = "def solve(xs):\n    return sorted(xs)\n"


def brief(text: str, seen: Evaluation, *, parent: str = RIGHT, **more: object) -> Brief:
    failed = Failure(solution=Solution(id="F", files={"main.py": text}), evaluation=seen)
    told = SearchContext(failure=failed)
    return replace(any_brief(parent), search=told, entry_point=ENTRY, **more)  # type: ignore[arg-type]


def says(feedback: str, status: Status = Status.RE) -> Evaluation:
    return Evaluation(status=status, feedback=feedback)


def mended(text: str, seen: Evaluation, *, parent: str = RIGHT, **more: object) -> str:
    """Return what a failing text becomes; empty: nothing."""
    made = Mend().propose(brief(text, seen, parent=parent, **more))
    return made.solution.text if made else ""


def of(broken: Broken) -> str:
    return mended(broken.text, broken.seen, parent=broken.parent)


class TestMend(OperatorContract):
    @pytest.fixture
    def operator(self) -> Operator:
        return Mend()

    @pytest.fixture
    def given(self) -> Brief:
        text = "def solve(xs):\n    return heapq.nsmallest(9, xs)\n"
        return brief(text, says("NameError: name 'heapq' is not defined"))


@pytest.mark.row("LF-90")
def test_of_a_hundred_failing_programs_at_least_ninety_are_right_after_it() -> None:
    """Sixty are asked for; each kind is mended in most of its programs."""
    programs = every()
    right = Counter(one.kind for one in programs if (new := of(one)) and one.is_right(new))
    kinds = Counter(one.kind for one in programs)
    assert len(programs) == 100
    assert right.total() >= 90, right
    assert all(2 * right[kind] > kinds[kind] for kind in kinds), right


@pytest.mark.row("LF-41", "LF-90")
def test_a_verified_fix_of_this_run_mends_the_same_error_again() -> None:
    """No table knows the package: who had it mended before does."""
    text = "def solve(xs):\n    return fastsort(xs)\n"
    seen = says("NameError: name 'fastsort' is not defined\n  main.py:2 in solve: x")
    assert mended(text, seen) == ""
    fix = KnownFix(
        error_pattern="NameError: name <*> is not defined",
        solution="Add `from sorting import fastsort`",
        source="repair",
        verified=True,
    )
    known = SessionMemory(known_fixes=(fix,))
    assert mended(text, seen, session=known) == f"from sorting import fastsort\n{text}"
    claimed = SessionMemory(known_fixes=(fix.model_copy(update={"verified": False}),))
    assert mended(text, seen, session=claimed) == "", "a claim is no fix"
    other = says("KeyError: 'fastsort'")
    assert mended(text, other, session=known) == "", "another error"


def test_a_known_fix_may_replace_words() -> None:
    text = "def solve(xs):\n    return list(xs.arrange())\n"
    seen = says("AttributeError: 'list' object has no attribute 'arrange'")
    fix = KnownFix(
        error_pattern="AttributeError: 'list' object has no attribute 'order'",
        solution="replace `xs.arrange()` by `sorted(xs)`",
        source="mend",
        verified=True,
    )
    known = SessionMemory(known_fixes=(fix,))
    assert mended(text, seen, session=known) == text.replace("xs.arrange()", "sorted(xs)")


def test_it_never_proposes_what_was_tried() -> None:
    text = "def solve(xs):\n    return heapq.nsmallest(9, xs)\n"
    asked = brief(text, says("NameError: name 'heapq' is not defined"))
    made = Mend().propose(asked)
    assert made is not None
    assert Mend().propose(replace(asked, tried={made.solution.content})) is None
    assert Mend().can_mend(asked)
    assert not Mend().can_mend(replace(asked, tried={made.solution.content}))


def test_without_a_failure_it_has_nothing() -> None:
    asked = replace(any_brief(RIGHT), entry_point=ENTRY)
    assert Mend().propose(asked) is None
    assert not Mend().can_mend(asked)


def test_an_unknown_error_is_left_to_others() -> None:
    assert mended("def solve(xs):\n    return xs[9]\n", says("IndexError: list index")) == ""


def test_a_wrong_answer_is_mended_only_where_nothing_came_back() -> None:
    text = "def solve(xs):\n    out = sorted(xs)\n    out[:]\n"
    failed = FailedCase(name="a", expected="[1]", got="None")
    nothing = Evaluation(status=Status.WA, failing=(failed,))
    assert mended(text, nothing).endswith("    return out[:]\n")
    other = Evaluation(status=Status.WA, failing=(replace(failed, got="[2]"),))
    assert mended(text, other) == ""


def test_outside_of_what_may_be_changed_nothing_is_added() -> None:
    text = "def solve(xs):\n    return heapq.nsmallest(len(xs), xs)\n"
    seen = says("NameError: name 'heapq' is not defined")
    assert mended(text, seen).startswith("import heapq\n")
    assert mended(text, seen, editable="solve") == ""
    half = "def solve(xs):\n    return sorted(xs)[: len(xs) / 1]\n"
    told = says("TypeError: slice indices must be integers or None or have an __index__ method")
    assert "// 1" in mended(half, told, editable="solve")


def test_several_faults_of_syntax_are_mended_one_after_the_other() -> None:
    text = "def solve(xs)\n    if xs\n        return sorted(xs\n    return []\n"
    new = mended(text, says("SyntaxError: expected ':' (main.py:1)", Status.CE))
    space: dict[str, object] = {}
    exec(new, space)
    assert space["solve"]([2, 1]) == [1, 2]  # type: ignore[operator]


_PIECES = st.sampled_from(
    [piece for one in every()[::9] for piece in one.text.splitlines(keepends=True)]
)
_ERRORS = st.sampled_from(sorted({one.seen.feedback for one in every()}))


@pytest.mark.tier("library")
@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES | st.text(max_size=9), max_size=12).map("".join), _ERRORS)
def test_whatever_fails_and_says_whatever_it_makes_python_or_nothing(
    text: str, told: str
) -> None:
    for status in (Status.RE, Status.CE):
        new = mended(text, says(told, status))
        assert new != text or not new
        compile(new, "main.py", "exec")


@pytest.mark.tier("library")
def test_the_same_failure_is_mended_alike_in_any_order() -> None:
    programs = list(every())
    before = [of(one) for one in programs]
    places = list(range(len(programs)))
    random.Random(3).shuffle(places)
    assert [of(programs[place]) for place in places] == [before[place] for place in places]
