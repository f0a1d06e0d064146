"""The document says of every program what the suite states of it."""

from __future__ import annotations

from tests.hostile import table
from tests.hostile.programs import ATTACKS, LEVELS


def test_there_are_enough_programs_and_no_two_of_a_name() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 45


def test_every_program_has_its_row() -> None:
    lines = set(table.DOCUMENT.read_text(encoding="utf-8").splitlines())
    rows = {
        each.name: table.row(each, [each.ending(level) for level in LEVELS]) for each in ATTACKS
    }
    assert [name for name, row in rows.items() if row not in lines] == []


def test_writing_replaces_the_table_and_nothing_else() -> None:
    text = table.DOCUMENT.read_text(encoding="utf-8")
    once = table.written(text, "new\n")
    assert "new\n" in once
    assert table.written(once, "newer\n") == table.written(text, "newer\n")
    assert text.partition("<!--")[0] == once.partition("<!--")[0]
