"""Names that edits make up, and what makes two operators the same."""

from __future__ import annotations

import pytest

from operators.editing.edits import Editing, fresh


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
