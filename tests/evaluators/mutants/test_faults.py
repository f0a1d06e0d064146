from __future__ import annotations

import pytest

from evaluators.mutants.faults import Fault
from evaluators.mutants.mutants import sample

TABLE = [
    (Fault.COMPARISON, "f = a < b", ["f = a <= b"]),
    (Fault.COMPARISON, "f = a in b", ["f = a not in b"]),
    (Fault.COMPARISON, "f = (a) is b  # why", ["f = (a) is not b  # why"]),
    (Fault.COMPARISON, "f = 0.0 < a <= b", ["f = 0.0 <= a <= b", "f = 0.0 < a < b"]),
    (Fault.OFF_BY_ONE, "f = a[3]", ["f = a[2]", "f = a[4]"]),
    (Fault.OFF_BY_ONE, "f = 0", ["f = 1"]),
    (Fault.OFF_BY_ONE, "f = 0x10", ["f = 15", "f = 17"]),
    (Fault.OFF_BY_ONE, "f = 0.5", ["f = 1.5"]),
    (Fault.ARITHMETIC, "f = a  +  b", ["f = a  -  b"]),
    (Fault.ARITHMETIC, "f **= b", ["f *= b"]),
    (Fault.DROPPED, "f.append(a)  # all", ["pass  # all"]),
    (Fault.DROPPED, "f += a", ["pass"]),
    (Fault.DROPPED, "f[a] = b", ["pass"]),
    (Fault.DROPPED, "raise f", ["pass"]),
    (Fault.DROPPED, "f = a", []),
    (Fault.CONDITION, "f = a if b else c", ["f = a if not b else c"]),
    (Fault.CONDITION, "f = a if not b else c", ["f = a if b else c"]),
    (Fault.CONDITION, "f = a if b < 1 else c", ["f = a if not (b < 1) else c"]),
    (Fault.CONDITION, "f = [a for a in b if a]", ["f = [a for a in b if not a]"]),
    (Fault.CONDITION, "f = a if b == c else d", []),  # the swapped comparison is the same
    (Fault.BOUNDARY, "f = a[b:]", ["f = a[b + 1:]", "f = a[b:-1]"]),
    (Fault.BOUNDARY, "f = a[:b+c]", ["f = a[1:b+c]", "f = a[:(b+c) - 1]"]),
    (Fault.BOUNDARY, "f = range(a)", ["f = range(a - 1)"]),
    (Fault.BOUNDARY, "f = range(a, 7)", ["f = range(a + 1, 7)"]),
    (Fault.BOUNDARY, "f = range(2, b, c)", ["f = range(2, b - 1, c)"]),
    (Fault.LOGIC, "f = a and b or c", ["f = a or b or c", "f = a and b and c"]),
    (Fault.ARGUMENTS, "f = g(a, b, c)", ["f = g(b, a, c)"]),
    (Fault.ARGUMENTS, "f = max(a, b)", []),
    (Fault.ARGUMENTS, "f = g(a, key=b)", []),
    (Fault.ARGUMENTS, "f = g(a, a)", []),
    (Fault.RETURN, "def f(): return [a]", ["def f(): return []"]),
    (Fault.RETURN, "def f() -> int: return a", ["def f() -> int: return 0"]),
    (Fault.RETURN, "def f() -> list[int]: return a", ["def f() -> list[int]: return []"]),
    (Fault.RETURN, "def f(): return a", ["def f(): return None"]),
    (Fault.RETURN, "def f(): return None", []),
]


@pytest.mark.parametrize(("fault", "text", "mutants"), TABLE, ids=[row[1] for row in TABLE])
def test_each_fault_at_its_place(fault: Fault, text: str, mutants: list[str]) -> None:
    found = sample(text + "\n", "f", count=100).mutants
    assert sorted(each.text for each in found if each.fault is fault) == sorted(
        f"{mutant}\n" for mutant in mutants
    )


def test_a_loop_that_goes_on_where_it_should_end() -> None:
    text = "for a in b:\n    if a: break\n    else: continue\n    c()\n"
    found = sample(text, "", count=100).mutants
    loops = {each.text for each in found if each.fault is Fault.LOOP}
    assert loops == {
        text.replace("break", "continue"),
        text.replace("continue", "break"),
    }


def test_what_is_written_for_people_is_left_alone() -> None:
    text = 'def f(a: "list[3]" = None) -> "x < 3":\n    """Up to 7."""\n'
    assert sample(text, "f", count=100).mutants == ()
