"""The choice of an archetype, on sixty labelled programs of which half was never tuned on."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory import KnowledgeRetriever, archetype_of
from se_agent.memory.knowledge.schema import Pack
from se_agent.program.features import features
from se_agent.program.shape import shape

LABELLED = Path(__file__).parent / "labelled"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return KnowledgeRetriever("code_opt").pack


def programs(*, held_out: bool) -> list[tuple[str, str]]:
    """Return label and text of one half: even numbers are held out, odd ones develop."""
    return [
        (path.stem, text)
        for path in sorted(LABELLED.glob("*.toml"))
        for number, text in enumerate(tomllib.loads(path.read_text())["programs"], start=1)
        if (number % 2 == 0) is held_out
    ]


def chosen(text: str, pack: Pack) -> str:
    found = archetype_of(features(text), shape(text), pack)
    return found.type if found else ""


class TestAccuracy:
    @pytest.mark.row("LF-35")
    @pytest.mark.parametrize("held_out", [True, False])
    def test_four_of_five_programs_get_the_right_archetype(
        self, held_out: bool, pack: Pack
    ) -> None:
        half = programs(held_out=held_out)
        right = sum(chosen(text, pack) == label for label, text in half)
        assert len(half) == 30
        assert right >= 24

    def test_the_skeletons_of_the_pack_are_recognised(self, pack: Pack) -> None:
        right = [n for n, each in pack.archetypes.items() if chosen(each.skeleton, pack) == n]
        assert len(right) >= 4


class TestChoice:
    @pytest.mark.parametrize("text", ["", "x = 1\n", "def f(:", "int main() { return 0; }"])
    def test_of_a_program_that_says_nothing_nothing_is_chosen(
        self, text: str, pack: Pack
    ) -> None:
        assert archetype_of(features(text), shape(text), pack) is None

    def test_the_record_has_the_phases_of_the_pack_and_claims_no_proof(
        self, pack: Pack
    ) -> None:
        _, text = programs(held_out=False)[5]
        found = archetype_of(features(text), shape(text), pack)
        assert found is not None
        assert found.lifecycle_phases == pack.archetypes[found.type].phases
        assert (found.source, found.known, found.verified) == ("survey", True, False)
        assert found.confidence in ("low", "medium")

    def test_a_pack_without_features_chooses_nothing(self) -> None:
        fuzz = KnowledgeRetriever("fuzz_api").pack
        _, text = programs(held_out=False)[0]
        assert archetype_of(features(text), shape(text), fuzz) is None

    @given(text=st.text(max_size=60))
    def test_any_text_is_read_without_an_error(self, text: str) -> None:
        shape(text)
