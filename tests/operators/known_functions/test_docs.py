"""The page of archetypes says what the library holds."""

from __future__ import annotations

from experiments.docs.archetypes import PAGE, page


def test_the_page_of_archetypes_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "run: python -m experiments.docs.archetypes"
    )
