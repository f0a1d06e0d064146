"""The document says of every program what the suite states of it."""

from __future__ import annotations

import pytest

from tests.hostile import table
from tests.hostile.attack import Attack
from tests.hostile.programs import ATTACKS, LEVELS


def test_there_are_enough_programs_and_no_two_of_a_name() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 45


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_every_program_has_its_row(attack: Attack) -> None:
    row = table.row(attack, [attack.ending(level) for level in LEVELS])
    assert row in table.DOCUMENT.read_text(encoding="utf-8").splitlines()


def test_writing_replaces_the_table_and_nothing_else() -> None:
    text = table.DOCUMENT.read_text(encoding="utf-8")
    once = table.written(text, "new\n")
    assert "new\n" in once
    assert table.written(once, "newer\n") == table.written(text, "newer\n")
    assert text.partition("<!--")[0] == once.partition("<!--")[0]
