"""Names of entities map back to what they name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.graph.ontology import (
    JOINS,
    EntityType,
    RelationType,
    entity_name,
    entity_parts,
)
from tests.memory.graph.graphs import ANY_TEXT

PARTS = st.lists(ANY_TEXT | st.text(st.characters(codec=None), max_size=20), max_size=4)


@pytest.mark.row("AM-78")
@given(st.sampled_from(EntityType), PARTS)
def test_a_name_gives_back_its_parts(kind: EntityType, parts: list[str]) -> None:
    name = entity_name(kind, *parts)
    assert entity_parts(name) == (kind, tuple(parts))
    assert name.isprintable()
    name.encode()  # it has a UTF-8 form


def test_plain_names_stay_readable() -> None:
    name = entity_name(EntityType.FUNCTION, "shop", "src/shop/stock.py", "Größe.missing")
    assert name == "function:shop:src/shop/stock.py:Größe.missing"


@pytest.mark.row("AM-56", "AM-57")
def test_every_relation_joins_kinds_that_there_are() -> None:
    assert set(JOINS) == set(RelationType)
    joined = {kind for ends in JOINS.values() for end in ends for kind in end}
    assert joined == set(EntityType)
    assert all(kind.value.split("_")[0].endswith(("s", "n", "o", "from")) for kind in JOINS)
