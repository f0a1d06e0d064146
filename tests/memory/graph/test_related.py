"""What earlier runs relate to an error, as a run takes it with it, and as prompts show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from se_agent.config.memory_sections import GraphSection
from se_agent.events import Evaluated
from se_agent.memory.experience.long_term import KnownRun, LongTerm
from se_agent.memory.experience.test_runs import guide_text
from se_agent.memory.graph.ontology import EntityType, entity_name
from se_agent.memory.graph.related import MOST_ERRORS, related_errors
from se_agent.memory.graph.shapes import Edge, Fact, Triple
from se_agent.memory.graph.tier import GraphTier
from se_agent.memory.graph.triples import error_entity
from se_agent.memory.graph.writing import Graph, put_derived
from se_agent.memory_events import Recalled
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.recall import RelatedFacts
from se_agent.values.session import NOTHING_AGREED
from se_agent.values.step import Slot
from tests.fakes import solution
from tests.memory.graph.graphs import empty_graph

AT = "2026-01-01T00:00:00+00:00"
FAILED = Evaluation(status=Status.RE, feedback="KeyError: 'apple'")
ERROR, _ = error_entity(FAILED)
KEY = ERROR.partition(":")[2]
PRICE, TOTAL = (
    entity_name(EntityType.FUNCTION, "shop", "main.py", name) for name in ("price", "total")
)
MENDED = entity_name(EntityType.SOLUTION, "abc")
EDGES = (
    Edge(entity_name(EntityType.RULE, "memoize"), ERROR, "raises_error"),
    Edge(ERROR, PRICE, "locates"),
    Edge(TOTAL, PRICE, "calls"),
    Edge(MENDED, ERROR, "fixes"),
    Edge(entity_name(EntityType.TEST, "shop", "t1"), PRICE, "tests_covers"),
)


def write(graph: Graph, run: KnownRun, edges: Sequence[Edge]) -> None:
    LongTerm(graph.db).put_run(run)
    triples = [
        Triple(edge, (edge.source.partition(":")[0], edge.target.partition(":")[0]), AT)
        for edge in edges
    ]
    facts = [
        Fact(MENDED, "solution", "Ask before it is read", AT),
        Fact(entity_name(EntityType.TEST, "shop", "t1"), "test", "case 3", AT),
    ]
    put_derived(replace(graph, run=run.run), triples, facts)


@pytest.fixture
def graph() -> Iterator[Graph]:
    with empty_graph() as made:
        run = KnownRun(run="first", problem="shop", language="python", family="shops")
        write(made, run, EDGES)
        yield made


def related(graph: Graph, **changes: object) -> list[RelatedFacts]:
    asked = {"problem": "shop", "language": "python", **changes}
    return list(related_errors(graph, **asked))  # type: ignore[arg-type]


@pytest.mark.row("AM-60", "AM-75", "AM-77")
def test_an_error_leads_to_functions_their_callers_fixes_and_inputs(graph: Graph) -> None:
    (found,) = related(graph)
    assert found.error == KEY
    assert found.lines == (
        "It was seen in `price`, which `total` calls",
        'It was mended before by "Ask before it is read"',
        "Inputs that show faults there: `case 3`",
    )


def test_other_languages_and_families_that_are_left_out_give_nothing(graph: Graph) -> None:
    assert related(graph, language="cpp") == []
    assert related(graph, exclude_families=["shops"]) == []
    assert related(graph, exclude_families=["others"])


def test_a_run_takes_those_of_its_problem_first_and_as_many_as_it_has_room_for(
    graph: Graph,
) -> None:
    other = KnownRun(run="second", problem="else", language="python")
    for number in range(MOST_ERRORS):
        error = entity_name(EntityType.ERROR, f"{number:016x}")
        rule = entity_name(EntityType.RULE, "x")
        write(graph, other, [Edge(rule, error, "raises_error"), Edge(error, TOTAL, "locates")])
    found = related(graph)
    assert len(found) == MOST_ERRORS
    assert found[0].error == KEY
    assert related(graph, problem="else")[0].error != KEY


SLOT = Slot(
    number=2,
    generation=1,
    child="Gen1_Sol_2",
    parents=(solution("x = 0"),),
    operator="repair",
    subject="Gen1_Sol_1",
)


@pytest.mark.row("AM-71", "AM-75")
def test_a_prompt_shows_what_is_related_to_the_error_it_mends_where_that_is_asked_for() -> None:
    lines = RelatedFacts(error=KEY, lines=("It was seen in `price`",))
    recall = Recalled(related=(lines,), facts=("shop (problem): prices\nare integers",))
    failed = Evaluated(solution="Gen1_Sol_1", content="", evaluation=FAILED)
    hidden, tier = GraphTier(), GraphTier(section=GraphSection(shown=True))
    assert tier.empty
    for event in (recall, failed):
        hidden, tier = hidden.apply(event), tier.apply(event)
    text = tier.context(SLOT, "repair")
    assert text == "## Related to this error, in earlier runs\n- It was seen in `price`\n"
    assert tier.context(replace(SLOT, subject=""), "repair") == ""
    told = tier.context(replace(SLOT, subject=""), "rewrite")
    assert told.endswith("which nobody checked\n- shop (problem): prices are integers\n")
    assert (hidden.empty, hidden.token_limit, hidden.context(SLOT, "repair")) == (True, 0, "")


def test_the_guide_of_a_repair_has_it_too() -> None:
    tier = GraphTier().apply(Recalled(related=(RelatedFacts(error=KEY, lines=("In `f`",)),)))
    assert tier.lines_of(FAILED) == ("In `f`",)
    text = guide_text(FAILED, (), NOTHING_AGREED, related=tier.lines_of(FAILED))
    assert "Earlier runs: In `f`" in text
