"""The contract of an index of vectors, by a real Chroma where the package is there."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest

from se_agent.errors import EmbedderError
from se_agent.memory.retrieval.vectors import VectorIndex, VectorRow
from se_agent.memory.workspace.chroma_vectors import (
    EXECUTIONS,
    MOST_HITS,
    WORKFLOWS,
    ChromaVectors,
)
from tests.contracts.vector_index import DIMENSIONS, Open, VectorIndexContract, drawn


def needs_chroma() -> None:
    pytest.importorskip("chromadb")


@pytest.mark.row("AM-01", "AM-15", "AM-17")
@pytest.mark.filterwarnings("ignore")  # those of the package and what it brings are its own
class TestChromaVectors(VectorIndexContract):
    @pytest.fixture
    def open_index(self, tmp_path: Path) -> Iterator[Open]:
        needs_chroma()
        opened: dict[str, ChromaVectors] = {}

        def open_one(embedder: str, dimensions: int) -> VectorIndex:
            if embedder in opened:
                opened[embedder].close()
            opened[embedder] = ChromaVectors(tmp_path, embedder, dimensions)
            return opened[embedder]

        yield open_one
        for one in opened.values():
            one.close()

    def test_a_database_is_open_in_one_place_at_a_time(
        self, index: VectorIndex, tmp_path: Path
    ) -> None:
        del index
        with pytest.raises(EmbedderError, match="open in another process"):
            ChromaVectors(tmp_path, "one", DIMENSIONS)

    def test_a_threshold_leaves_out_what_is_less_alike(self, tmp_path: Path) -> None:
        needs_chroma()
        vector = drawn(1)[0]
        with ChromaVectors(tmp_path, "one", DIMENSIONS, score_threshold=0.5) as index:
            index.add([VectorRow("L1", vector), VectorRow("L2", -vector)])
            assert [id_ for id_, _ in index.query(vector, 2)] == ["L1"]

    def test_collections_are_apart(self, tmp_path: Path) -> None:
        needs_chroma()
        with ChromaVectors(tmp_path, "one", DIMENSIONS) as index:
            index.add([VectorRow("L1", drawn(1)[0])])
        with ChromaVectors(tmp_path, "one", DIMENSIONS, collection=WORKFLOWS) as index:
            assert index.about() == {}


@pytest.mark.row("AM-16", "AM-17", "AM-51")
def test_many_executions_and_few_patterns_are_asked_for_and_no_score_is_too_low() -> None:
    assert MOST_HITS == {EXECUTIONS: 50, WORKFLOWS: 3}
    given = signature(ChromaVectors).parameters
    assert given["score_threshold"].default == 0.0
    assert given["collection"].default == EXECUTIONS
