"""Offloading: what stands in the place of a large text, and how long it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from se_agent.chat.references import language_of, reference, size_words
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.offload import HEAD, LIMIT, TAIL, OffloadedText, offload
from se_agent.memory.workspace.workspace import Workspace
from se_agent.values.artifact import ArtifactRef

REF = ArtifactRef(
    digest="3f9c2b81e07d" + "0" * 52, size=15 << 10, title="x", head="head", tail="tail"
)
ANY = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ArtifactStore]:
    with Workspace.open(tmp_path / "workspace") as workspace:
        yield workspace.artifacts()


def kept(text: str, store: ArtifactStore | None, **more: Any) -> OffloadedText:
    return offload(text, title="the log", author="evaluator", store=store, **more)


@pytest.mark.row("SQ-21")
def test_a_text_of_2000_characters_stays_and_a_longer_one_does_not(
    store: ArtifactStore,
) -> None:
    assert kept("a" * 2000, store) == OffloadedText("a" * 2000)
    assert store.find() == []
    longer = kept("a" * 2001, store)
    assert longer.artifact is not None
    assert longer.text != "a" * 2001
    assert [row.size for row in store.find()] == [2001]


@pytest.mark.row("SQ-22")
def test_it_is_kept_whole_as_ephemeral(store: ArtifactStore) -> None:
    text = "".join(f"line {n}\n" for n in range(900))
    found = kept(text, store)
    assert found.artifact is not None
    assert store.content_of(found.artifact.digest).decode() == text
    (row,) = store.find(tag="sys:ephemeral")
    assert (row.title, row.author) == ("the log", "evaluator")


@pytest.mark.row("SQ-23", "SQ-58")
def test_the_preview_has_the_first_500_and_the_last_200_characters(
    store: ArtifactStore,
) -> None:
    text = "".join(chr(97 + n % 26) for n in range(5000))
    found = kept(text, store)
    assert found.artifact is not None
    assert (found.artifact.head, found.artifact.tail) == (text[:500], text[-200:])
    assert f"Preview: {text[:500]}...{text[-200:]}..." in found.text
    assert (LIMIT, HEAD, TAIL) == (2000, 500, 200)


@pytest.mark.row("SQ-24")
def test_the_reference_is_the_seeds_word_for_word_in_chinese() -> None:
    assert reference(REF, language="zh") == (
        "[输出过大 (15KB)。已保存为制品: 3f9c2b81e07d。预览: head...tail... "
        "使用 read_artifact('3f9c2b81e07d') 查看完整内容。]"
    )
    assert reference(REF) == (
        "[Output too large (15KB). Saved as artifact: 3f9c2b81e07d. Preview: head...tail... "
        "Use read_artifact('3f9c2b81e07d') to see the whole.]"
    )


def test_the_language_is_that_of_the_problem() -> None:
    assert language_of("给定一个整数数组 nums, 返回其中的最大值。") == "zh"
    assert language_of("Return the largest of `nums` (最大值).") == "en"
    assert language_of("") == "en"


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0B"), (1023, "1023B"), (15 << 10, "15KB"), (3 << 20, "3MB")]
)
def test_a_size_is_told_in_its_unit(size: int, words: str) -> None:
    assert size_words(size) == words


@ANY
@given(
    st.text(min_size=1, max_size=4000),
    st.integers(1000, 2500),
    st.integers(0, 500),
    st.integers(0, 200),
    st.booleans(),
)
def test_what_stands_in_its_place_is_never_longer_than_the_limit(
    store: ArtifactStore, text: str, limit: int, head: int, tail: int, keeps: bool
) -> None:
    found = kept(text, store if keeps else None, limit=limit, head=head, tail=tail)
    assert len(found.text) <= limit
    assert (found.artifact is not None) == (keeps and len(text) > limit)
    if found.artifact:
        assert len(found.artifact.head) <= head
        assert len(found.artifact.tail) <= tail


def test_without_a_store_its_beginning_stays() -> None:
    assert kept("a" * 3000, None) == OffloadedText("a" * 2000)


def test_a_secret_is_in_no_preview(store: ArtifactStore) -> None:
    secret = "sk-abcdefgh1234567890abcdefgh"
    found = kept(f"key: {secret}\n" + "a" * 3000 + f"\n{secret}", store)
    assert found.artifact is not None
    assert secret not in found.text
    assert secret not in store.read_artifact(found.artifact.name)
