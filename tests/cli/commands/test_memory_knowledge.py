"""`memory knowledge`: packs, what is in them, and their documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.memory import KnowledgeRetriever
from se_agent.memory.knowledge.schema import SECTIONS
from tests.cli.calls import call, two_lines

DOCUMENT = "".join(f"## {head}\n\nText.\x1b[2J\n\n" for head in SECTIONS)


def test_packs_are_listed_with_the_number_of_their_parts(tmp_path: Path) -> None:
    lines = call("memory", "knowledge", "--results", tmp_path).out.splitlines()
    assert [line.split() for line in lines[1:]] == [
        ["code_opt", "1", "python", "6", "4"],
        ["fuzz_api", "1", "c", "6", "4"],
    ]


@pytest.mark.row("LF-07", "LF-29")
def test_a_pack_is_shown_with_its_mapping(tmp_path: Path) -> None:
    told = call("memory", "knowledge", "fuzz_api", "--results", tmp_path).out
    for name, pitfalls in KnowledgeRetriever.ARCHETYPE_PITFALLS.items():
        (line,) = [row for row in told.splitlines() if row.startswith(f"{name} ")]
        assert line.split(maxsplit=1)[1] == ", ".join(pitfalls)


def test_a_document_is_shown_whole_with_its_skeleton_and_pitfalls(tmp_path: Path) -> None:
    known = KnowledgeRetriever()
    told = call("memory", "knowledge", "fuzz_api", "round_trip", "--results", tmp_path).out
    assert known.get_archetype("round_trip").rstrip() in told
    assert known.get_skeleton("round_trip").rstrip() in told
    for pitfall in known.get_relevant_pitfalls("round_trip").values():
        assert pitfall.rstrip() in told


@pytest.mark.row("LF-33")
def test_as_json_it_is_the_bundle(tmp_path: Path) -> None:
    asked = ("memory", "knowledge", "fuzz_api", "round_trip", "--json", "--results", tmp_path)
    told = json.loads(call(*asked).out)
    bundle = KnowledgeRetriever().get_bundle("round_trip")
    assert {name: told[name] for name in bundle} == bundle


def test_a_document_of_ones_own_is_listed_and_cannot_draw_on_the_screen(tmp_path: Path) -> None:
    path = tmp_path / ".se_agent" / "knowledge" / "fuzz_api" / "archetypes" / "odd.md"
    path.parent.mkdir(parents=True)
    path.write_text(DOCUMENT)
    assert "odd" in call("memory", "knowledge", "fuzz_api", "--results", tmp_path).out
    told = call("memory", "knowledge", "fuzz_api", "odd", "--results", tmp_path).out
    assert "## Real Examples" in told
    assert "\x1b" not in told


def test_a_broken_pack_is_named_with_its_file_and_hides_no_other(tmp_path: Path) -> None:
    folder = tmp_path / ".se_agent" / "knowledge" / "fuzz_api"
    (folder / "archetypes").mkdir(parents=True)
    (folder / "archetypes" / "odd.md").write_text(DOCUMENT)
    (folder / "pack.toml").write_text("[archetypes.odd]\npitfalls = ['nothing']\n")
    told = call("memory", "knowledge", "--results", tmp_path)
    assert told.code == 1
    assert "code_opt" in told.out
    shown = " ".join(told.out.split())
    why = f"{folder / 'pack.toml'}: archetypes.odd.pitfalls: there is no pitfall 'nothing'"
    assert f"fuzz_api cannot be read: {why}" in shown
    found = json.loads(call("memory", "knowledge", "--results", tmp_path, "--json").out)
    assert [("error" in each) for each in found] == [False, True]


def test_json_has_the_same(tmp_path: Path) -> None:
    told = call("memory", "knowledge", "--results", tmp_path, "--json").out
    packs = {one["pack"]: one for one in json.loads(told)}
    assert packs["fuzz_api"]["pitfalls"] == list(KnowledgeRetriever.PITFALLS)
    assert set(packs) == {"code_opt", "fuzz_api"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("knowledge", "code_op"), "there is no pack 'code_op'"),
        (("knowledge", "code_opt", "dp_tabel"), "has no archetype 'dp_tabel'"),
        (("knowledge", "code_opt", "dp_table", "more"), "unexpected extra argument(s) (more)"),
        (("seen_set", "more"), "unexpected extra argument(s) (more)"),
    ],
)
def test_what_is_not_there_is_told_in_two_lines(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    error, hint = two_lines(call("memory", *words, "--results", tmp_path))
    assert told in error
    assert hint
