"""Names that edits make up, and what makes two operators the same."""

from __future__ import annotations

import pytest

from operators.editing.edits import Editing, fresh
from operators.rewrite.set_membership import SetMembership
from se_agent.values.brief import Brief
from se_agent.values.solution import Solution
from se_agent.values.step import Slot


class One(Editing):
    name = "one"


class Other(Editing):
    name = "other"


@pytest.mark.parametrize(
    ("taken", "found"),
    [((), "seen"), (("seen",), "seen_2"), (("seen", "seen_2", "seen_3", "seen_5"), "seen_4")],
)
def test_a_fresh_name_has_the_first_number_that_is_free(
    taken: tuple[str, ...], found: str
) -> None:
    assert fresh("seen", taken) == found


def test_operators_of_one_class_are_equal() -> None:
    assert One() == One()
    assert One() != Other()
    assert len({One(), One(), Other()}) == 2


def test_equal_functions_of_two_files_are_changed_each_in_its_own() -> None:
    text = "def f(xs, ys):\n    ys = list(ys)\n    return [x for x in xs if x not in ys]\n"
    files = {"a.py": text, "b.py": text}
    rule = SetMembership()
    parent = Solution(id="Gen0_Sol_0", files=files)
    slot = Slot(number=0, generation=1, child="Gen1_Sol_0", parents=(parent,), operator="")
    found = [offer.edit for offer in rule.offers(Brief(problem="", slot=slot))]
    assert [edit.function for edit in found] == ["a.py:f", "b.py:f"]
    for edit, path in zip(found, files, strict=True):
        made = rule.replay(files, edit)
        assert made is not None
        assert [name for name in files if made[name] != files[name]] == [path]
