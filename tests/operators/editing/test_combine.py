"""Polish makes several changes together; what finds no place any more is dropped."""

from __future__ import annotations

import dataclasses

import pytest

from operators.editing.combine import Polish
from operators.editing.genome import replayed
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit
from tests.contracts.operator import OperatorContract, brief
from tests.operators.editing.test_crossover import BASE
from tests.operators.rewrite.cases import edits_of

BESIDE, KEYS = edits_of("seen_set", BASE)
(HASHED,) = edits_of("set_membership", BASE)


def named(*edits: Edit, text: str = BASE, own: tuple[Edit, ...] = ()) -> Brief:
    """Return a brief of a slot that names changes."""
    made = brief(text)
    parent = dataclasses.replace(made.slot.parents[0], edits=own, base="B" if own else "")
    slot = dataclasses.replace(made.slot, parents=(parent,), edits=edits)
    return dataclasses.replace(made, slot=slot)


class TestContract(OperatorContract):
    @pytest.fixture
    def operator(self) -> Operator:
        return Polish()

    @pytest.fixture
    def given(self) -> Brief:
        return named(HASHED, BESIDE)


def test_all_changes_are_in_the_child_in_their_order() -> None:
    proposal = Polish().propose(named(HASHED, BESIDE))
    assert proposal
    assert proposal.solution.edits == (HASHED, BESIDE)
    assert proposal.solution.base == "Gen1_Sol_0"
    assert (
        proposal.solution.text == replayed({"main.py": BASE}, [HASHED, BESIDE]).files["main.py"]
    )
    assert "b_set = set(b)" in proposal.solution.text
    assert "seen_set.add(x)" in proposal.solution.text
    assert "2 changes together: `set_membership` in `solve`, `seen_set`" in proposal.direction


def test_they_join_what_the_parent_has() -> None:
    earlier = Edit(rule="loop_invariant", function="solve", node="before")
    proposal = Polish().propose(named(HASHED, BESIDE, own=(earlier,)))
    assert proposal
    assert (proposal.solution.base, proposal.solution.edits) == ("B", (earlier, HASHED, BESIDE))


_AT_ANOTHER_PLACE = "`set_membership` in `solve` at another place"


def test_they_are_made_on_the_last_parent_and_what_is_compared_with_comes_first() -> None:
    given = named(HASHED, BESIDE)
    (initial,) = given.slot.parents
    other = dataclasses.replace(initial, id="Gen2_Sol_0", files={"main.py": "x = 1"})
    slot = dataclasses.replace(given.slot, parents=(other, initial))
    proposal = Polish().propose(dataclasses.replace(given, slot=slot))
    plain = Polish().propose(given)
    assert proposal
    assert plain
    assert proposal.solution.parents == ("Gen2_Sol_0", initial.id)
    assert proposal.solution.content == plain.solution.content
    assert proposal.direction.startswith("Make the program anew with `set_membership` in")
    less = dataclasses.replace(other, edits=(*plain.solution.edits, KEYS))
    slot = dataclasses.replace(slot, parents=(less, initial))
    told = Polish().propose(dataclasses.replace(given, slot=slot))
    assert told
    assert told.direction == "Make the program anew without `seen_set` in `solve`"
    elsewhere = tuple(dataclasses.replace(one, node="0") for one in plain.solution.edits[:1])
    moved = dataclasses.replace(less, edits=(*elsewhere, *plain.solution.edits[1:]))
    slot = dataclasses.replace(slot, parents=(moved, initial))
    told = Polish().propose(dataclasses.replace(given, slot=slot))
    assert told
    assert told.direction == f"Make the program anew with {_AT_ANOTHER_PLACE}"
    again = dataclasses.replace(slot, parents=(plain.solution, initial))
    assert Polish().propose(dataclasses.replace(given, slot=again)) is None, "nothing new"


def test_what_finds_no_place_is_dropped_and_told() -> None:
    proposal = Polish().propose(named(BESIDE, KEYS, HASHED))
    assert proposal
    assert proposal.solution.edits == (BESIDE, HASHED)
    assert proposal.notes == ("dropped: `seen_set` in `solve`",)


@pytest.mark.parametrize("edits", [(), (HASHED,), (BESIDE, KEYS)], ids=len)
def test_there_must_be_two(edits: tuple[Edit, ...]) -> None:
    assert Polish().propose(named(*edits)) is None


def test_what_may_not_change_stays() -> None:
    given = dataclasses.replace(named(HASHED, BESIDE), editable="elsewhere")
    assert Polish().propose(given) is None
