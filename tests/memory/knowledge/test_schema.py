"""A pack is read from folders: what is dropped in is found, and what is wrong is named."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from se_agent.errors import PackError
from se_agent.memory import KnowledgeRetriever
from se_agent.memory.knowledge.retrieval import DATA
from se_agent.memory.knowledge.schema import SECTIONS, load_pack, sections_of

DOCUMENT = "# New\n\n" + "".join(f"## {head}\n\nText.\n\n" for head in SECTIONS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a pack."""
    return Path(shutil.copytree(DATA / "code_opt", tmp_path / "code_opt"))


def refused(folder: Path) -> PackError:
    with pytest.raises(PackError, match=re.escape(str(folder))) as caught:
        load_pack(folder)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    return caught.value


class TestDroppingIn:
    @pytest.mark.row("LF-107")
    def test_a_document_in_a_folder_of_ones_own_adds_an_archetype(self, tmp_path: Path) -> None:
        path = tmp_path / "fuzz_api" / "archetypes" / "callback_driven.md"
        path.parent.mkdir(parents=True)
        path.write_text(DOCUMENT)
        made = KnowledgeRetriever("fuzz_api", [tmp_path])
        assert made.ARCHETYPES[-1] == "callback_driven"
        assert made.ARCHETYPES[:-1] == KnowledgeRetriever.ARCHETYPES
        bundle = {"archetype": DOCUMENT, "skeleton": "", "pitfalls": {}}
        assert made.get_bundle("callback_driven") == bundle

    def test_a_table_and_a_skeleton_may_come_with_it(self, tmp_path: Path) -> None:
        own = tmp_path / "fuzz_api"
        for kind in ("archetypes", "skeletons"):
            (own / kind).mkdir(parents=True)
        (own / "archetypes/callback_driven.md").write_text(DOCUMENT)
        (own / "skeletons/callback_driven_skeleton.c").write_text("int x;\n")
        (own / "pack.toml").write_text(
            '[archetypes.callback_driven]\npitfalls = ["resource_management"]\n'
        )
        made = KnowledgeRetriever("fuzz_api", [tmp_path])
        assert made.get_skeleton("callback_driven") == "int x;\n"
        assert set(made.get_relevant_pitfalls("callback_driven")) == {"resource_management"}

    def test_a_document_of_the_same_name_takes_the_place_of_ours(self, tmp_path: Path) -> None:
        path = tmp_path / "fuzz_api" / "archetypes" / "round_trip.md"
        path.parent.mkdir(parents=True)
        path.write_text(DOCUMENT)
        made = KnowledgeRetriever("fuzz_api", [tmp_path])
        assert made.get_archetype("round_trip") == DOCUMENT
        assert made.pack.digest != KnowledgeRetriever().pack.digest

    def test_a_whole_pack_of_ones_own_is_found_by_name(self, folder: Path) -> None:
        renamed = folder.rename(folder.with_name("mine"))
        made = KnowledgeRetriever("mine", [renamed.parent])
        assert made.ARCHETYPES == KnowledgeRetriever("code_opt").ARCHETYPES


class TestDigest:
    def test_it_changes_with_any_file_and_with_nothing_else(self, folder: Path) -> None:
        before = load_pack(folder).digest
        assert load_pack(folder).digest == before
        path = folder / "skeletons" / "array_scan_skeleton.py"
        path.write_text(path.read_text() + "\n")
        assert load_pack(folder).digest != before


class TestWhatIsRefused:
    @pytest.mark.parametrize("heading", SECTIONS)
    def test_a_missing_section_is_named_with_its_file(self, folder: Path, heading: str) -> None:
        path = folder / "archetypes" / "dp_table.md"
        path.write_text(path.read_text().replace(f"## {heading}\n", "## Other\n"))
        err = refused(folder)
        assert str(path) in str(err)
        assert heading in str(err)
        assert f"## {heading}" in err.hint

    def test_an_empty_section_counts_as_missing(self, folder: Path) -> None:
        path = folder / "pitfalls" / "complexity_trap.md"
        path.write_text("## Error Pattern\n\n## Real Case\nA.\n## Detection\nB.\n## Fix\nC.\n")
        assert "'Error Pattern' is missing or empty" in str(refused(folder))

    def test_a_heading_inside_of_a_code_block_is_none(self) -> None:
        text = "## One\n\n```\n## Two\n```\n\n## Three\n\nx\n"
        assert list(sections_of(text)) == ["One", "Three"]
        assert "## Two" in sections_of(text)["One"]

    def test_a_link_is_refused_wherever_it_leads(self, folder: Path) -> None:
        (folder / "archetypes" / "loop.md").symlink_to("loop.md")
        assert "loop.md: a link" in str(refused(folder))

    def test_a_link_to_a_folder_is_refused(self, folder: Path) -> None:
        shutil.rmtree(folder / "skeletons")
        (folder / "skeletons").symlink_to(folder)
        assert "a link or a file stands" in str(refused(folder))

    def test_a_file_above_5_mb_is_refused(self, folder: Path) -> None:
        (folder / "archetypes" / "large.md").write_bytes(b"x" * (5 * 2**20 + 1))
        assert "large.md: larger than 5 MB" in str(refused(folder))

    @pytest.mark.parametrize("data", [b"\x00\x01", b"\xff\xfe text"])
    def test_a_binary_file_is_refused(self, folder: Path, data: bytes) -> None:
        (folder / "skeletons" / "dp_table_skeleton.py").write_bytes(data)
        err = refused(folder)
        assert "dp_table_skeleton.py" in str(err)
        assert "texts only" in err.hint

    def test_a_pipe_is_refused_and_nobody_waits(self, folder: Path) -> None:
        os.mkfifo(folder / "archetypes" / "pipe.md")
        assert "pipe.md" in str(refused(folder))

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("name = [", "line 1"),
            ('title = "x"', "title"),
            ("[archetypes.dp_table]\nrules = { a = 2 }", "archetypes.dp_table.rules.a"),
            ("[archetypes.dp_table.features]\nx = nan", "archetypes.dp_table.features.x"),
            ('[pitfalls.complexity_trap]\nstatuses = ["LATE"]', "statuses[0]"),
            ("[archetypes.nowhere]", "archetypes.nowhere has no document"),
            ('[archetypes.dp_table]\npitfalls = ["haste"]', "there is no pitfall 'haste'"),
        ],
    )
    def test_what_a_pack_toml_cannot_say_is_named_by_its_place(
        self, folder: Path, text: str, told: str
    ) -> None:
        head = 'name = "x"\nversion = "1"\nlanguage = "python"\n'
        (folder / "pack.toml").write_text(text if "name =" in text else head + text)
        err = refused(folder)
        assert "pack.toml" in str(err)
        assert told in str(err)

    def test_a_pack_without_a_name_says_what_to_add(self, folder: Path) -> None:
        (folder / "pack.toml").write_text("")
        assert 'name = "..."' in refused(folder).hint

    def test_a_folder_that_is_none_is_refused(self, tmp_path: Path) -> None:
        assert "no folder of a pack" in str(refused(tmp_path / "missing"))
