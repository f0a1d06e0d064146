"""What earlier runs give to a run that begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from se_agent.config.experience_section import ExperienceSection
from se_agent.memory import Items
from se_agent.memory.experience.champions import form_of
from se_agent.memory.experience.harvest import Harvest
from se_agent.memory.experience.item_rows import ItemKind, ItemRow, ItemStatus
from se_agent.memory.experience.long_term import FixRow, KnownTest, LongTerm
from se_agent.memory.experience.promotion import promote
from se_agent.memory.experience.recall import recall
from se_agent.memory.experience.schema import KIND
from se_agent.memory.graph.ontology import EntityType, entity_name
from se_agent.memory.graph.shapes import Edge, Triple
from se_agent.memory.graph.writing import Graph, put_derived
from se_agent.memory_events import Recalled
from se_agent.problem.loading import fingerprint
from se_agent.problem.model import ProblemKind
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database
from se_agent.values.evaluation import Counterexample, FailedCase
from tests.fakes import number_problem, solution
from tests.memory.experience.journals import finished, harvested, numbered

AT = "2026-11-28T10:00:00+00:00"
ALL = ExperienceSection(edits=True, lessons=True)
PROBLEM, INITIAL = number_problem(), solution("x = 0")
TEST = Counterexample(
    arguments="[1]", failed=FailedCase(name="found", expected="1", got="2", input="f(1)")
)


@pytest.fixture
def items() -> Iterator[Items]:
    with Database(IN_MEMORY, KIND) as db:
        yield Items(db)


@pytest.fixture(scope="module")
def harvest(tmp_path_factory: pytest.TempPathFactory) -> Harvest:
    found = harvested(numbered(finished(tmp_path_factory.mktemp("runs"))))
    test = KnownTest(fingerprint=fingerprint(PROBLEM), test=TEST)
    fix = FixRow(
        id="F1",
        error_pattern="E",
        solution="Mend it",
        language="python",
        verified=True,
        last_run=found.run.run,
    )
    return replace(found, tests=(test,), fixes=(fix,))


def recalled(items: Items, section: ExperienceSection = ALL, **changes: object) -> Recalled:
    found = recall(items, PROBLEM, INITIAL, section, **changes)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_an_empty_workspace_gives_nothing(items: Items) -> None:
    assert recall(items, PROBLEM, INITIAL, ALL) is None


@pytest.mark.row("LF-97", "LF-99", "SQ-07")
def test_the_same_program_gets_all_that_was_found_out(items: Items, harvest: Harvest) -> None:
    promote(harvest, items, at=AT)
    found = recalled(items)
    (program,) = found.programs
    (known,) = harvest.solutions
    assert program.files == known.files
    assert program.edits == found.edits == known.edits
    assert found.tests == (TEST,)
    assert [(fix.solution, fix.verified, fix.source) for fix in found.fixes] == [
        ("Mend it", True, "earlier run")
    ]
    assert {item.outcome for item in found.items} >= {"Success"}
    assert "1 earlier run" in found.source
    assert found.words.startswith("1 program, ")
    assert ", 1 test, 1 repair, " in found.words


@pytest.mark.parametrize("switch", ["programs", "edits", "tests", "executions", "lessons"])
def test_each_part_has_a_switch(items: Items, harvest: Harvest, switch: str) -> None:
    promote(harvest, items, at=AT)
    parts = {"executions": "fixes", "lessons": "items"}
    without = ALL.model_copy(update={switch: False})
    whole, found = recalled(items), recalled(items, without)
    part = parts.get(switch, switch)
    assert getattr(whole, part)
    assert not getattr(found, part)
    assert whole.model_copy(update={part: (), "at": found.at}) == found


def test_the_same_text_gets_its_program_whatever_it_is_tested_on(
    items: Items, harvest: Harvest
) -> None:
    promote(harvest, items, at=AT)
    other = replace(PROBLEM, rel_tol=0.5)
    assert fingerprint(other) != fingerprint(PROBLEM)
    found = recall(items, other, INITIAL, ExperienceSection())
    assert found is not None
    assert [one.edits for one in found.programs] == [harvest.solutions[0].edits]
    elsewhere = recall(items, replace(other, entry_point="g"), INITIAL, ExperienceSection())
    assert elsewhere is None or elsewhere.programs == ()


def test_a_solution_of_an_older_file_needs_the_same_problem(
    items: Items, harvest: Harvest
) -> None:
    promote(harvest, items, at=AT)
    items.db.execute("UPDATE solutions SET initial = NULL")
    other = replace(PROBLEM, rel_tol=0.5)
    assert recalled(items).programs
    found = recall(items, other, INITIAL, ExperienceSection())
    assert found is None or found.programs == ()


OLD = "def f(xs):\n    return [x for x in xs if x in xs]\n"
BETTER = "def f(xs):\n    known = set(xs)\n    return [x for x in xs if x in known]\n"
MOVED = "import os\n\n\ndef unlike(each):\n    return [y for y in each if y in each]\n"


def test_a_function_that_was_renamed_and_moved_gets_its_program_under_its_names(
    items: Items, harvest: Harvest
) -> None:
    first = solution(OLD)
    known = replace(
        harvest.solutions[0],
        function="f",
        files={"main.py": BETTER},
        initial=dict(first.files),
        entry_content=first.content,
        form=form_of(replace(PROBLEM, entry_point="f"), first),
    )
    promote(replace(harvest, solutions=(known,)), items, at=AT)
    found = recall(
        items, replace(PROBLEM, entry_point="unlike"), solution(MOVED), ExperienceSection()
    )
    assert found is not None
    (program,) = found.programs
    (text,) = program.files.values()
    assert text.startswith("import os\n\n\ndef unlike(each):\n    known = set(each)\n")
    assert program.edits == ()
    commented = MOVED.replace("\n    return", "\n    # as the order is\n    return")
    asked = replace(PROBLEM, entry_point="unlike")
    kept = recall(items, asked, solution(commented), ExperienceSection())
    assert kept is not None
    assert kept.programs == ()
    assert kept.edits == known.edits  # they leave the comment alone


def test_a_solution_that_a_person_took_out_is_not_recalled(
    items: Items, harvest: Harvest
) -> None:
    promote(harvest, items, at=AT)
    kept, (known,) = LongTerm(items.db), harvest.solutions
    assert kept.set_status(known.id, "retired", "it is slower at noon")
    promote(harvest, items, at=AT)  # the run is written again
    found = recalled(items)
    assert (found.programs, found.edits) == ((), ())
    (row,) = kept.solutions()
    assert (row.status, row.why) == ("retired", "it is slower at noon")
    assert kept.set_status(known.id, "active", "")
    assert recalled(items).programs
    assert not kept.set_status("Snothing", "retired", "")


def test_tests_that_refuted_most_come_first_and_newer_ones_before_older(
    items: Items, harvest: Harvest
) -> None:
    def test_of(name: str, programs: int, at: str) -> KnownTest:
        test = replace(TEST, arguments=name)
        known = fingerprint(PROBLEM)
        return KnownTest(fingerprint=known, test=test, programs=programs, at=at)

    told = (
        test_of("[1]", 1, "2026-01"),
        test_of("[2]", 3, "2026"),
        test_of("[3]", 1, "2026-02"),
    )
    promote(replace(harvest, tests=told), items, at=AT)
    later = replace(harvest.run, run="later")
    promote(replace(harvest, run=later, tests=(test_of("[1]", 3, "2026-03"),)), items, at=AT)
    assert [test.arguments for test in recalled(items).tests] == ["[1]", "[2]", "[3]"]


def test_another_text_of_the_same_program_gets_the_changes_only(
    items: Items, harvest: Harvest
) -> None:
    promote(harvest, items, at=AT)
    other = replace(PROBLEM, programs={"a": "x = 0  # with a comment"})
    found = recall(items, other, solution("x = 0  # with a comment"), ALL)
    assert found is not None
    assert found.programs == ()
    assert found.edits == harvest.solutions[0].edits
    assert found.tests == (TEST,)


def test_a_like_program_gets_changes_and_lessons(items: Items, harvest: Harvest) -> None:
    promote(harvest, items, at=AT)
    found = recall(items, replace(PROBLEM, programs={"a": "y = 1"}), solution("y = 1"), ALL)
    assert found is not None
    assert found.programs == ()
    assert found.edits
    assert found.items
    unlike = recall(items, PROBLEM, solution("for y in range(9):\n    print(y)"), ALL)
    assert unlike is None or not unlike.edits


def test_changes_of_rules_that_the_run_has_not_are_left_out(
    items: Items, harvest: Harvest
) -> None:
    promote(harvest, items, at=AT)
    assert recalled(items, operators=["another"]).edits == ()


def test_a_family_that_is_left_out_gives_nothing(items: Items, harvest: Harvest) -> None:
    promote(harvest, items, at=AT)
    assert recall(items, PROBLEM, INITIAL, ALL, exclude_families=["numbers"]) is None


def test_programs_whose_scores_are_not_trusted_get_nothing(
    items: Items, harvest: Harvest
) -> None:
    promote(harvest, items, at=AT)
    boasting = replace(PROBLEM, kind=ProblemKind.COMMAND)
    assert recall(items, boasting, INITIAL, ALL) is None


def test_only_sure_and_valid_lessons_are_recalled(items: Items) -> None:
    words = {"words": ("straight line",), "language": "python"}
    sure = ItemRow(title="one", outcome="Success", significant=True, **words)  # type: ignore[arg-type]
    once = ItemRow(title="two", outcome="Failed", **words)  # type: ignore[arg-type]
    twice = ItemRow(title="three", outcome="Failed", merged=2, **words)  # type: ignore[arg-type]
    retired = replace(sure, title="four")
    for row in (sure, once, twice):
        items.add(row, at=AT)
    items.status(items.add(retired, at=AT), ItemStatus.RETIRED, why="a test", at=AT)
    assert {item.title for item in recalled(items).items} == {"one", "three"}


@pytest.mark.row("AM-61")
def test_a_policy_is_recalled_where_its_words_match(items: Items) -> None:
    for title in ("Keep to a straight line", "Never use threads"):
        items.add(ItemRow(kind=ItemKind.POLICY, title=title, status="active"), at=AT)
    for section in (ALL, ExperienceSection()):  # what people ask for has no switch of lessons
        found = recalled(items, section)
        assert [one.title for one in found.items] == ["Keep to a straight line"]
        assert found.words == "1 policy"


@pytest.mark.row("SQ-14")
def test_a_preference_is_recalled_by_its_family_whatever_its_words(items: Items) -> None:
    for title, family in (("Quite so", "numbers"), ("Not so", "graphs")):
        row = ItemRow(
            kind=ItemKind.PREFERENCE,
            title=title,
            operator="plan",
            family=family,
            status="active",
        )
        items.add(row, at=AT)
    found = recalled(items, ExperienceSection())
    assert [(one.title, one.operator) for one in found.items] == [("Quite so", "plan")]
    assert found.words == "1 preference"
    off = ExperienceSection(preferences=False)
    assert recall(items, PROBLEM, INITIAL, off) is None


def test_inputs_that_refuted_this_function_elsewhere_are_recalled(
    items: Items, harvest: Harvest
) -> None:
    promote(harvest, items, at=AT)
    others = replace(PROBLEM, scorer="def score(args, output): return 2 * output")
    assert fingerprint(others) != fingerprint(PROBLEM)
    found = recall(items, others, INITIAL, ALL)
    assert found is not None
    assert found.tests == (TEST,)
    elsewhere = recall(items, others, solution("x = 99"), ALL)
    assert elsewhere is None or not elsewhere.tests


@pytest.mark.row("AM-72")
def test_a_lesson_brings_what_the_graph_has_around_it(items: Items) -> None:
    words = {"words": ("straight line",), "language": "python"}
    id_ = items.add(
        ItemRow(title="one", outcome="Success", significant=True, operator="a", **words),  # type: ignore[arg-type]
        at=AT,
    )
    lesson, rule = entity_name(EntityType.LESSON, id_), entity_name(EntityType.RULE, "a")
    total = entity_name(EntityType.FUNCTION, "shop", "main.py", "total")
    edges = (Edge(lesson, rule, "mentions"), Edge(rule, total, "improves"))
    triples = [Triple(one, ("lesson", "rule"), AT) for one in edges]
    put_derived(Graph(db=items.db, run="first"), triples, ())
    (found,) = recalled(items, with_neighbours=True).items
    assert found.related == "`a` improves `total`"
    (alone,) = recalled(items).items
    assert alone.related == ""


def test_a_recall_comes_back_from_a_journal(items: Items, harvest: Harvest) -> None:
    from se_agent.events import dumps, loads

    promote(harvest, items, at=AT)
    found = recalled(items)
    assert loads(dumps(found)) == found


def test_nothing_is_written_by_a_recall(tmp_path: Path, harvest: Harvest) -> None:
    with Database(tmp_path / "memory.db", KIND) as db:
        promote(harvest, Items(db), at=AT)
    before = (tmp_path / "memory.db").read_bytes()
    with Database(tmp_path / "memory.db", KIND, write=False) as db:
        recalled(Items(db))
        assert LongTerm(db).runs()
    assert (tmp_path / "memory.db").read_bytes() == before
