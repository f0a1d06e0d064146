"""The document of results: sections come and go with their rows, and no other is touched."""

from __future__ import annotations

import pytest

from experiments.figures.__main__ import FIGURES, TITLES, asked, origin, page


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


def test_a_section_says_when_and_by_which_code_its_rows_were_made() -> None:
    def row(at: str, code: str, hour: int = 9) -> dict[str, object]:
        made = {"at": f"{at}T{hour:02}:00:00+00:00", "code": code, "settings": {}}
        return {"made": made}

    one, two, old = row("2026-01-02", "b"), row("2026-01-01", "a"), {"key": "old"}
    assert origin({"x": old}) == ""
    assert origin({"x": one, "y": old}) == "\n\nRows of 2026-01-02, by the code of b."
    assert origin({"x": one, "y": two}).endswith(
        "Rows of 2026-01-01 to 2026-01-02, by the code of a to b."
    )
    later = row("2026-01-02", "a", hour=10)  # names of commits have no order
    assert origin({"x": later, "y": one}).endswith("by the code of b to a.")


def test_all_are_made_unless_some_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked([]) == asked(["all"]) == [*FIGURES]
    assert asked(["slow", "kills"]) == ["slow", "kills"]
    with pytest.raises(SystemExit, match="2"):
        asked(["slwo"])
    assert "invalid choice: 'slwo'" in capsys.readouterr().err
