"""Crossover unites the edits of two programs of one base, in the order that keeps most."""

from __future__ import annotations

import dataclasses

import pytest

from operators.editing.crossover import Crossover
from operators.editing.genome import replayed
from operators.tuning.tune import Tune
from se_agent.program.features import node_hash
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal
from tests.contracts.operator import OperatorContract, brief
from tests.operators.rewrite.cases import edits_of

BASE = """
def solve(xs, b):
    seen = []
    for x in xs:
        if x not in seen:
            seen.append(x)  # once
    count = 0
    for x in seen:
        if x in b:
            count += 1
    return count
"""


BESIDE, KEYS = edits_of("seen_set", BASE)
(HASHED,) = edits_of("set_membership", BASE)


def applied(edits: list[Edit]) -> str:
    return replayed({"main.py": BASE}, edits).files["main.py"]


def pair(
    first: list[Edit], second: list[Edit], *, bases: tuple[str, str] = ("B", "B")
) -> Brief:
    texts = [applied(own) for own in (first, second)]
    made = brief(*texts)
    parents = tuple(
        dataclasses.replace(parent, base=base, edits=tuple(own))
        for parent, base, own in zip(made.slot.parents, bases, (first, second), strict=True)
    )
    return dataclasses.replace(made, slot=dataclasses.replace(made.slot, parents=parents))


class TestContract(OperatorContract):
    @pytest.fixture
    def operator(self) -> Operator:
        return Crossover()

    @pytest.fixture
    def given(self) -> Brief:
        return pair([BESIDE], [HASHED])


def test_both_edits_are_in_the_child() -> None:
    proposal = Crossover().propose(pair([BESIDE], [HASHED]))
    assert proposal
    assert proposal.solution.edits == (BESIDE, HASHED)
    assert proposal.solution.base == "B"
    assert proposal.solution.text == applied([BESIDE, HASHED])
    assert "b_set = set(b)" in proposal.solution.text
    assert "seen_set.add(x)" in proposal.solution.text
    assert "`set_membership` in `solve`" in proposal.direction


def test_a_conflict_goes_to_the_first_parent() -> None:
    proposal = Crossover().propose(pair([BESIDE], [KEYS, HASHED]))
    assert proposal
    assert proposal.solution.edits == (BESIDE, HASHED)
    assert proposal.notes == ("dropped: seen_set in `solve`",)


WALK = """
def solve(links, closed):
    queue = [0]
    found = []
    while queue:
        port = queue.pop(0)
        found.append(port)
        for other in links[port]:
            if other not in closed:
                queue.append(other)
    return found
"""


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_in_which_more_edits_find_a_place_is_taken(turned: bool) -> None:
    queue = next(e for e in edits_of("deque_popleft", WALK) if "walk" in str(e.parameters))
    (closed,) = edits_of("set_membership", WALK)
    whole = replayed({"main.py": WALK}, [queue, closed])
    assert not whole.dropped
    assert replayed({"main.py": WALK}, [closed, queue]).dropped == (queue,)
    both = [
        Solution(
            id=edit.rule,
            files=replayed({"main.py": WALK}, [edit]).files,
            base="B",
            edits=(edit,),
        )
        for edit in (queue, closed)
    ]
    proposal = united(*(both[::-1] if turned else both))
    assert proposal
    assert proposal.solution.files == whole.files
    assert proposal.solution.edits == (queue, closed)
    assert proposal.notes == ()


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(pair([BESIDE], [BESIDE]), id="the-same"),
        pytest.param(pair([BESIDE], [KEYS]), id="only-a-conflict"),
        pytest.param(pair([BESIDE], []), id="the-base"),
        pytest.param(pair([BESIDE], [HASHED], bases=("B", "C")), id="another-base"),
        pytest.param(pair([], [HASHED]), id="the-second-parent"),
    ],
)
def test_nothing_to_unite(given: Brief) -> None:
    assert Crossover().propose(given) is None


def test_the_base_itself_may_be_a_parent() -> None:
    initial = Solution(id="B", files={"main.py": BASE})
    made = pair([BESIDE], [HASHED])
    slot = dataclasses.replace(made.slot, parents=(made.slot.parents[0], initial))
    assert Crossover().propose(dataclasses.replace(made, slot=slot)) is None


TUNED = "LIMIT = 8  # tune: int 1..64\nOTHER = 1  # tune: int 1..9\n" + BASE


def tuned(*values: tuple[str, int]) -> Solution:
    """Return a child of `TUNED`, its constants changed one after the other."""
    text, edits = TUNED, list[Edit]()
    for name, value in values:
        old = "8" if name == "LIMIT" else "1"
        node = node_hash(f"{name} = {old}")
        edit = Edit(rule="tune", function="", node=node, parameters=((name, str(value)),))
        text = text.replace(f"{name} = {old} ", f"{name} = {value} ")
        edits.append(edit)
    return Solution(id="T", files={"main.py": text}, base="B", edits=tuple(edits))


def united(first: Solution, second: Solution) -> Proposal | None:
    made = brief(first.text, second.text)
    slot = dataclasses.replace(made.slot, parents=(first, second))
    return Crossover().propose(dataclasses.replace(made, slot=slot))


def test_a_tuned_constant_is_taken_over() -> None:
    (hashed,) = edits_of("set_membership", TUNED)
    files = replayed({"main.py": TUNED}, [hashed]).files
    rewritten = Solution(id="R", files=files, base="B", edits=(hashed,))
    for first, second in ((rewritten, tuned(("LIMIT", 40))), (tuned(("LIMIT", 40)), rewritten)):
        proposal = united(first, second)
        assert proposal
        assert "LIMIT = 40  # tune: int 1..64" in proposal.solution.text
        assert "b_set = set(b)" in proposal.solution.text
        assert set(proposal.solution.edits) == {*first.edits, *second.edits}


def test_a_constant_that_both_have_tuned_stays_as_the_first_has_it() -> None:
    proposal = united(tuned(("LIMIT", 40)), tuned(("LIMIT", 16), ("OTHER", 5)))
    assert proposal
    assert proposal.solution.text.startswith("LIMIT = 40 ")
    assert "OTHER = 5 " in proposal.solution.text
    assert proposal.notes == ("dropped: tune at module level",)
    assert united(tuned(("LIMIT", 40)), tuned(("LIMIT", 16))) is None


def test_an_edit_of_the_tuner_replays_to_what_it_made() -> None:
    made = Tune().propose(brief(TUNED))
    assert made
    assert replayed({"main.py": TUNED}, made.solution.edits) == (made.solution.files, ())


def test_of_programs_that_a_model_wrote_files_are_united() -> None:
    old = {"a.py": "x = 1\n", "b.py": "y = 1\n"}
    first = Solution(id="Gen1_Sol_0", files={**old, "a.py": "x = 2\n"})
    second = Solution(id="Gen1_Sol_1", files={**old, "b.py": "y = 2\n"})
    made = brief("")
    tried = frozenset({Solution(id="", files=old).content})
    slot = dataclasses.replace(made.slot, parents=(first, second))
    proposal = Crossover().propose(dataclasses.replace(made, slot=slot, tried=tried))
    assert proposal
    assert proposal.solution.files == {"a.py": "x = 2\n", "b.py": "y = 2\n"}
