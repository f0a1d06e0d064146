"""What every index of vectors does, whatever keeps it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from se_agent.errors import EmbedderError
from se_agent.memory.retrieval.vectors import VectorIndex, VectorRow

DIMENSIONS = 8

Open = Callable[[str, int], VectorIndex]
"""Opens the index of an embedder, by its name and number of dimensions, in one place."""


def drawn(n: int, seed: int = 0) -> NDArray[np.float16]:
    """Return n vectors of length 1."""
    made = np.random.default_rng(seed).normal(size=(n, DIMENSIONS))
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    return np.asarray(made / lengths, dtype=np.float16)


class VectorIndexContract:
    """Fixture: `open_index`, of type `Open`."""

    @pytest.fixture
    def index(self, open_index: Open) -> VectorIndex:
        return open_index("one", DIMENSIONS)

    @pytest.fixture
    def filled(self, index: VectorIndex) -> VectorIndex:
        rows = enumerate(drawn(60))
        index.add(
            VectorRow(f"L{n:02}", vector, {"kind": "fix" if n % 3 else "lesson"})
            for n, vector in rows
        )
        return index

    def test_an_empty_index_finds_nothing(self, index: VectorIndex) -> None:
        assert index.query(drawn(1)[0], 5) == []
        assert index.about() == {}

    @pytest.mark.row("AM-16")
    def test_the_nearest_by_cosine_come_first(self, filled: VectorIndex) -> None:
        vectors = drawn(60).astype(np.float64)
        asked = drawn(1, seed=1)[0]
        near = vectors @ asked.astype(np.float64)
        best = [f"L{n:02}" for n in np.argsort(-near)[:5]]
        found = filled.query(asked, 5)
        assert [id_ for id_, _ in found] == best
        assert [score for _, score in found] == pytest.approx(np.sort(near)[::-1][:5], abs=5e-3)

    def test_length_changes_nothing(self, filled: VectorIndex) -> None:
        asked = drawn(1, seed=2)[0].astype(np.float32)
        longer = [id_ for id_, _ in filled.query(asked * 7, 5)]
        assert longer == [id_ for id_, _ in filled.query(asked, 5)]

    @pytest.mark.row("AM-47")
    def test_a_query_can_be_narrowed(self, filled: VectorIndex) -> None:
        found = filled.query(drawn(1)[0], 60, {"kind": "lesson"})
        assert {id_ for id_, _ in found} == {f"L{n:02}" for n in range(0, 60, 3)}
        assert filled.query(drawn(1)[0], 5, {"kind": "policy"}) == []

    def test_more_than_there_are_can_be_asked_for(self, filled: VectorIndex) -> None:
        assert len(filled.query(drawn(1)[0], 1000)) == 60
        assert filled.query(drawn(1)[0], 0) == []

    def test_a_vector_that_is_added_again_takes_the_place_of_the_old_one(
        self, filled: VectorIndex
    ) -> None:
        vector = drawn(1, seed=3)[0]
        filled.add([VectorRow("L00", vector, {"kind": "policy"})])
        ((id_, score),) = filled.query(vector, 1)
        assert id_ == "L00"
        assert score == pytest.approx(1.0, abs=5e-3)
        assert filled.about()["L00"] == {"kind": "policy"}
        assert len(filled.about()) == 60

    @pytest.mark.parametrize("id_", ["a\nb", "a\0b", "'; DROP TABLE vectors; --", '"$ne"', "ü"])
    def test_ids_and_texts_are_never_read_as_anything_else(
        self, index: VectorIndex, id_: str
    ) -> None:
        index.add([VectorRow(id_, drawn(1)[0], {"kind": id_})])
        assert [found for found, _ in index.query(drawn(1)[0], 1, {"kind": id_})] == [id_]
        assert index.about() == {id_: {"kind": id_}}

    def test_another_number_of_dimensions_is_refused(self, filled: VectorIndex) -> None:
        longer = np.ones(DIMENSIONS + 1, dtype=np.float16)
        with pytest.raises(EmbedderError, match=r"9 numbers in an index of 8") as told:
            filled.query(longer, 1)
        assert "two embedders" in told.value.hint
        with pytest.raises(EmbedderError, match=r"9 numbers in an index of 8"):
            filled.add([VectorRow("L99", longer)])
        assert "L99" not in filled.about()

    @pytest.mark.parametrize("number", [0.0, float("nan"), float("inf")])
    def test_what_is_no_direction_is_refused(self, index: VectorIndex, number: float) -> None:
        with pytest.raises(EmbedderError, match="a vector of length"):
            index.add([VectorRow("L1", np.full(DIMENSIONS, number, dtype=np.float16))])
        assert index.about() == {}

    def test_vectors_of_another_embedder_are_never_compared(
        self, filled: VectorIndex, open_index: Open
    ) -> None:
        other = open_index("two", DIMENSIONS)
        other.add([VectorRow("M1", drawn(1)[0])])
        assert [id_ for id_, _ in other.query(drawn(1)[0], 99)] == ["M1"]
        assert len(filled.query(drawn(1)[0], 99)) == 60

    def test_what_was_added_is_there_when_it_is_opened_again(
        self, filled: VectorIndex, open_index: Open
    ) -> None:
        asked = drawn(1, seed=4)[0]
        found, about = filled.query(asked, 60), filled.about()
        again = open_index("one", DIMENSIONS)
        assert again.query(asked, 60) == found
        assert again.about() == about
