"""The search at a glance."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from se_agent.report.terminal.picture import ASCII, BARS, levels, sparkline

effects = st.floats(-5, 50)
curves = st.lists(effects, max_size=50).map(lambda values: [*enumerate(sorted(values), 1)])


def test_an_example() -> None:
    curve = [(1, 0.0), (2, 1.0), (3, 1.0), (4, 2.0)]
    assert levels(curve, 60) == [0.0, 1.0, 1.0, 2.0]
    assert sparkline(curve) == "▁▅▅█"
    assert sparkline(curve, plain=True) == "_++@"


def test_without_a_gain_it_is_flat() -> None:
    assert sparkline([(1, 0.0), (2, 0.0)]) == "▁▁"
    assert sparkline([]) == ""


@given(curves, st.integers(1, 80), st.booleans())
def test_it_fits_and_never_falls(
    curve: list[tuple[int, float]], width: int, plain: bool
) -> None:
    bars = ASCII if plain else BARS
    line = sparkline(curve, width=width, plain=plain)
    assert len(line) <= width
    heights = [bars.index(char) for char in line]
    assert heights == sorted(heights)


@given(curves, st.integers(1, 80))
def test_its_last_column_is_the_last_value(curve: list[tuple[int, float]], width: int) -> None:
    found = levels(curve, width)
    assert found[-1:] == [effect for _, effect in curve[-1:]]
