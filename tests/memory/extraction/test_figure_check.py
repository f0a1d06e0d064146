"""A model may word what was measured, and never invent a number."""

from __future__ import annotations

import pytest

from se_agent.memory.extraction.figure_check import supported_line, supported_sentences

GIVEN = "Old Runtime: 150 ms, New Runtime: 120.4 ms (Improved by 20%), 1,024 kB, 95.5x"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("A set answers at once.", "A set answers at once."),
        ("It gained 20%. Sets are fast.", "It gained 20%. Sets are fast."),
        ("It gained 35%. Sets are fast.", "Sets are fast."),
        ("About 120 ms, or 96x in all.", "About 120 ms, or 96x in all."),
        ("It is 10x faster", ""),
        ("Down to 7.5ms; holds for lists", "holds for lists"),
        ("Goes from O(n^2) to O(n) in 3 steps.", "Goes from O(n^2) to O(n) in 3 steps."),
        ("Handles 1024 kilobytes", "Handles 1024 kilobytes"),
        ("It took 20 ms", ""),
        ("It took 150 milliseconds", "It took 150 milliseconds"),
        ("A twofold gain, two times the speed", "A twofold gain, two times the speed"),
        ("`x % 7` becomes `x2s`", "`x % 7` becomes `x2s`"),
        ("", ""),
    ],
)
def test_sentences_with_figures_of_nobody_are_left_out(text: str, left: str) -> None:
    assert supported_sentences(text, GIVEN) == left


def test_a_text_fills_the_width_that_it_has() -> None:
    assert supported_line("a sentence", "", 10) == "a sentence"
    assert supported_line("a sentence", "", 9) == "a senten…"
