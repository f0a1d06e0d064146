"""A program of several files, as who writes one text sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from se_agent.engine.models.one_file import one_file_of, whole_proposal
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.observation import HotLine, Observation
from se_agent.values.search_context import Failure, SearchContext
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot

FILES = {"pkg/a.py": "def f():\n    return 1\n", "pkg/b.py": "def g():\n    return 2\n"}
HOT = Observation(
    hot=(HotLine(function="pkg/b.py:g", line=2, text="return 2", share=0.9, hits=3),)
)


def brief(number: int = 0, *, failed: Solution | None = None) -> Brief:
    parent = Solution(id="Gen0_Sol_0", files=FILES)
    slot = Slot(number=number, generation=1, child="Gen1_Sol_0", parents=(parent,), operator="")
    wrong = Evaluation(status=Status.WA)
    return Brief(
        problem="Faster.",
        slot=slot,
        editable="pkg/a.py:f pkg/b.py:g",
        observed=HOT,
        search=SearchContext(
            failure=Failure(solution=failed, evaluation=wrong) if failed else None
        ),
    )


@pytest.mark.parametrize(
    ("number", "path", "name"),
    [
        pytest.param(0, "pkg/b.py", "g", id="hot"),
        pytest.param(1, "pkg/a.py", "f", id="next"),
    ],
)
def test_files_take_turns_the_hottest_first(number: int, path: str, name: str) -> None:
    part = one_file_of(brief(number))
    (parent,) = part.slot.parents
    assert (part.path, part.editable, part.entry_point) == (path, name, name)
    assert parent.text == FILES[path]
    assert [line.function for line in part.observed.hot] == (["g"] if name == "g" else [])


def test_what_failed_is_mended_in_the_file_that_was_changed_and_the_others_stay() -> None:
    files = {"pkg/a.py": "def f():\n    return 3\n", "pkg/b.py": FILES["pkg/b.py"]}
    whole = brief(failed=Solution(id="Gen1_Sol_0", files=files))
    part = one_file_of(whole)
    assert part.path == "pkg/a.py"
    mended = part.child({"pkg/a.py": "def f():\n    return 1 + 0\n"}, operator="repair")
    made = whole_proposal(whole, Proposal(solution=mended, direction=""))
    assert made is not None
    assert made.solution.files == {**files, **mended.files}


def test_a_program_of_one_file_is_seen_as_it_is() -> None:
    alone = brief()
    parent = Solution(id="Gen0_Sol_0", files={"main.py": "x = 1\n"})
    alone = replace(alone, slot=replace(alone.slot, parents=(parent,)))
    assert one_file_of(alone) is alone
