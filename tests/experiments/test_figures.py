"""The document of results: sections come and go with their rows, and no other is touched."""

from __future__ import annotations

from experiments.figures.__main__ import TITLES, page


def test_a_section_is_replaced_and_the_others_are_kept() -> None:
    first = page({TITLES["kills"]: "ten", TITLES["shipped"]: "eight"}, "")
    second = page({TITLES["kills"]: "thirty"}, first)
    assert "thirty" in second
    assert "ten" not in second
    assert second.index("eight") < second.index("thirty")
    assert page({}, second) == second


def test_a_section_of_an_older_title_stays() -> None:
    old = "# Results\n\nx\n\n## Of a former figure\n\n| a |\n\nb\n"
    assert "## Of a former figure\n\n| a |\n\nb\n" in page({}, old)
