"""The packs of the package: what they hold, under which names, and how much of it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent import registry
from se_agent.errors import PackError
from se_agent.memory import ESTIMATOR, KnowledgeRetriever, counter, excerpt_of
from se_agent.memory.knowledge.retrieval import DATA, found_pack, pack_names
from se_agent.memory.knowledge.schema import PITFALL_SECTIONS, SECTIONS, sections_of
from se_agent.values.evaluation import Status
from se_agent.values.knowledge import pitfalls_led_to

PACKS = ("code_opt", "fuzz_api")
ARCHETYPES = (
    *("stateless_parser", "object_lifecycle", "state_machine"),
    *("stream_processor", "round_trip", "file_based"),
)
PITFALLS = (
    *("initialization_errors", "data_argument_errors"),
    *("call_sequence_errors", "resource_management"),
)
MAP = {
    "stateless_parser": ("data_argument_errors",),
    "object_lifecycle": PITFALLS,
    "state_machine": ("initialization_errors", "call_sequence_errors", "resource_management"),
    "stream_processor": ("call_sequence_errors", "resource_management"),
    "round_trip": ("data_argument_errors", "resource_management"),
    "file_based": ("resource_management",),
}


def files(pack: str, kind: str) -> set[str]:
    return {path.name for path in (DATA / pack / kind).iterdir()}


class TestTheSeedsPack:
    @pytest.mark.row("LF-07", "LF-08", "LF-09")
    def test_the_files_are_those_that_the_seed_lists(self) -> None:
        assert files("fuzz_api", "archetypes") == {f"{name}.md" for name in ARCHETYPES}
        assert files("fuzz_api", "skeletons") == {f"{n}_skeleton.c" for n in ARCHETYPES}
        assert files("fuzz_api", "pitfalls") == {f"{name}.md" for name in PITFALLS}

    @pytest.mark.row("LF-10", "LF-29")
    def test_names_and_mapping_are_those_of_the_seed(self) -> None:
        made = KnowledgeRetriever()
        assert type(made).__module__.endswith("knowledge.retrieval")
        for known in (KnowledgeRetriever, made):
            assert known.ARCHETYPES == ARCHETYPES
            assert known.PITFALLS == PITFALLS
            assert dict(known.ARCHETYPE_PITFALLS) == MAP
        assert (len(ARCHETYPES), len(PITFALLS)) == (6, 4)

    @pytest.mark.parametrize(
        ("name", "calls"),
        [
            pytest.param("stateless_parser", ["parse", "free"], marks=pytest.mark.row("LF-11")),
            pytest.param(
                "object_lifecycle",
                ["create", "use", "destroy"],
                marks=pytest.mark.row("LF-12"),
            ),
            pytest.param(
                "state_machine",
                ["init", "open", "process", "close"],
                marks=pytest.mark.row("LF-13"),
            ),
            pytest.param(
                "stream_processor", ["write", "finalize"], marks=pytest.mark.row("LF-14")
            ),
            pytest.param("round_trip", ["encode", "decode"], marks=pytest.mark.row("LF-15")),
            pytest.param(
                "file_based",
                ["load_file", "process", "save_file"],
                marks=pytest.mark.row("LF-16"),
            ),
        ],
    )
    def test_the_signature_names_the_calls_in_the_order_of_the_seed(
        self, name: str, calls: list[str]
    ) -> None:
        signature = KnowledgeRetriever().pack.archetypes[name].sections["Pattern Signature"]
        drawn = signature.split("`")[1]
        places = [drawn.index(call) for call in calls]
        assert places == sorted(places)

    @pytest.mark.row("LF-27")
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("initialization_errors", ("before it was initialised", "twice")),
            ("data_argument_errors", ("NULL", "too small", "null byte")),
            ("call_sequence_errors", ("read before open", "close twice")),
            ("resource_management", ("not given back", "twice")),
        ],
    )
    def test_a_pitfall_names_the_mistakes_of_its_category(
        self, name: str, words: tuple[str, ...]
    ) -> None:
        pattern = KnowledgeRetriever().pack.pitfalls[name].sections["Error Pattern"]
        told = " ".join(pattern.split())
        assert [word for word in words if word not in told] == []

    @pytest.mark.row("LF-26")
    def test_the_skeleton_of_a_stateless_parser_has_the_four_steps_and_ends_with_0(
        self,
    ) -> None:
        text = KnowledgeRetriever().get_skeleton("stateless_parser")
        steps = [
            "if (size < MIN_SIZE || size > MAX_SIZE) return 0;",
            "text[size] = '\\0';",
            "target_parse(text, size)",
            "free(text);",
            "return 0;\n}",
        ]
        places = [text.index(step) for step in steps]
        assert places == sorted(places)


@pytest.mark.parametrize("pack", PACKS)
class TestEveryPack:
    @pytest.mark.row("LF-17", "LF-18", "LF-19", "LF-20", "LF-21", "LF-22", "LF-23", "LF-24")
    def test_each_archetype_has_the_eight_sections_in_their_order(self, pack: str) -> None:
        known = KnowledgeRetriever(pack)
        for name in known.ARCHETYPES:
            assert tuple(sections_of(known.get_archetype(name))) == SECTIONS, name

    @pytest.mark.row("LF-28")
    def test_each_pitfall_has_the_four_sections_in_their_order(self, pack: str) -> None:
        known = KnowledgeRetriever(pack)
        for name in known.PITFALLS:
            assert tuple(sections_of(known.get_pitfall(name))) == PITFALL_SECTIONS, name

    @pytest.mark.row("LF-21")
    def test_the_pattern_of_each_archetype_shows_code(self, pack: str) -> None:
        for each in KnowledgeRetriever(pack).pack.archetypes.values():
            assert each.sections["Driver Pattern"].count("```") == 2, each.name

    @pytest.mark.row("LF-02", "LF-30", "LF-31", "LF-32", "LF-33", "LF-34")
    def test_the_five_functions_return_the_texts_of_the_files(self, pack: str) -> None:
        known, folder = KnowledgeRetriever(pack), DATA / pack
        ending = ".c" if pack == "fuzz_api" else ".py"
        for name in known.ARCHETYPES:
            document = (folder / f"archetypes/{name}.md").read_text()
            skeleton = (folder / f"skeletons/{name}_skeleton{ending}").read_text()
            pitfalls = {
                pitfall: (folder / f"pitfalls/{pitfall}.md").read_text()
                for pitfall in known.ARCHETYPE_PITFALLS[name]
            }
            assert known.get_archetype(name) == document
            assert known.get_skeleton(name) == skeleton
            assert known.get_relevant_pitfalls(name) == pitfalls
            assert {n: known.get_pitfall(n) for n in pitfalls} == pitfalls
            assert known.get_bundle(name) == {
                "archetype": document,
                "skeleton": skeleton,
                "pitfalls": pitfalls,
            }

    @pytest.mark.row("LF-36")
    @pytest.mark.parametrize("name", [ESTIMATOR, ""])
    def test_each_bundle_fits_700_tokens_with_its_skeleton(self, pack: str, name: str) -> None:
        counted = counter("", name=name)
        known = KnowledgeRetriever(pack)
        for archetype in known.ARCHETYPES:
            bundle = excerpt_of(known.pack, archetype, limit=700, counter=counted).bundle
            lines = bundle.removesuffix("\n").split("\n")
            assert sum(counted.count(f"{line}\n") for line in lines) <= 700
            assert known.get_skeleton(archetype).strip() in bundle, archetype
            assert all(f"**{p}**" in bundle for p in known.ARCHETYPE_PITFALLS[archetype])

    def test_rules_name_operators_that_there_are(self, pack: str) -> None:
        known = set(registry.names("operator"))
        for each in KnowledgeRetriever(pack).pack.archetypes.values():
            assert set(each.rules) <= known, each.name


class TestNames:
    @pytest.mark.parametrize("wrong", ["round-trip", "", "stateful_decoder"])
    def test_an_unknown_name_is_refused_with_those_that_are_known(self, wrong: str) -> None:
        known = KnowledgeRetriever()
        for call in (known.get_archetype, known.get_skeleton, known.get_relevant_pitfalls):
            with pytest.raises(PackError, match="has no archetype") as caught:
                call(wrong)
            assert "round_trip" in caught.value.hint

    def test_an_unknown_pack_is_refused(self) -> None:
        with pytest.raises(PackError, match="there is no pack 'code_top'") as caught:
            KnowledgeRetriever("code_top")
        assert "code_opt" in caught.value.hint

    def test_the_package_brings_two_packs(self, tmp_path: Path) -> None:
        assert pack_names() == PACKS
        assert pack_names([tmp_path / "missing"]) == PACKS


class TestPitfallsOfAFailure:
    @pytest.mark.row("LF-37")
    @pytest.mark.parametrize(
        ("pack", "template", "status", "expected"),
        [
            ("fuzz_api", "ERROR: LeakSanitizer: detected", Status.RE, "resource_management"),
            ("fuzz_api", "AddressSanitizer: heap-use-after-free", Status.RE, "call_sequence"),
            ("fuzz_api", "unknown type name 'tiny'", Status.CE, "initialization_errors"),
            ("code_opt", "RecursionError: maximum depth", Status.RE, "resource_limits"),
            ("code_opt", "IndexError: list index", Status.RE, "correctness_regression"),
            ("code_opt", "", Status.TLE, "complexity_trap"),
            ("code_opt", "", Status.WA, "correctness_regression"),
        ],
    )
    def test_the_error_decides_and_without_a_known_one_the_status(
        self, pack: str, template: str, status: Status, expected: str
    ) -> None:
        (found,) = _led_to(pack, template, status)
        assert found.startswith(expected)

    def test_a_right_program_points_to_none(self) -> None:
        assert _led_to("code_opt", "", Status.AC) == ()


def _led_to(pack: str, told: str, status: Status) -> tuple[str, ...]:
    documents = KnowledgeRetriever(pack).pack.pitfalls
    leads = {name: each.leads for name, each in documents.items()}
    return pitfalls_led_to(leads, told, status)


@pytest.mark.row("LF-106")
def test_the_docs_say_how_the_three_memories_differ() -> None:
    text = (Path(__file__).parents[3] / "docs" / "memory.md").read_text(encoding="utf-8")
    table = text.partition("## Three memories")[2].partition("\n#")[0]
    rows = {cells[0]: cells[1:] for cells in map(_cells, table.splitlines()) if len(cells) == 4}
    assert rows["lifetime"] == ["permanent", "one run", "one run"]
    assert rows["changes"] == ["by hand", "as the run learns", "by itself"]
    assert {"scope", "content", "tokens", "purpose"} <= set(rows)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_folder_that_cannot_be_entered_holds_no_packs(tmp_path: Path) -> None:
    folders = (tmp_path / ("x" * 300),)
    assert pack_names(folders) == pack_names()
    assert found_pack("code_opt", folders).name == "code_opt"


@pytest.mark.parametrize("text", ["", "# Title alone\n", "words\n"])
def test_a_document_without_headings_has_no_sections(text: str) -> None:
    assert sections_of(text) == {}
