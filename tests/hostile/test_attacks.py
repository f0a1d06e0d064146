"""Every hostile program ends as it is stated, between neighbours that are not harmed."""

from __future__ import annotations

import pytest

from tests.hostile.attack import Attack
from tests.hostile.programs import ATTACKS
from tests.hostile.yard import Yard, possible

_FEW = [attack for attack in ATTACKS[::50] if not attack.name.startswith("cpp-")]
"""Run with the fast tests, too: is the sandbox there at all?"""


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(each, id=each.name, marks=[pytest.mark.tier("fast")] * (each in _FEW))
        for each in ATTACKS
    ],
)
def test_ends_as_stated_and_harms_nobody(yard: Yard, attack: Attack) -> None:
    if not possible(attack):
        pytest.skip("what it takes is not installed here")
    seen = yard.seen(attack)
    assert seen.ending == attack.ending(yard.level), seen.feedback
    assert attack.says in seen.feedback
