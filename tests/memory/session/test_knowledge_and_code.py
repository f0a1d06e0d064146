"""Knowledge and code are two things: session memory says why, a skeleton says what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.memory.knowledge.retrieval import KnowledgeRetriever
from se_agent.memory.session.entries import add_api_constraint, add_decision
from se_agent.memory.session.injector import build_prompt_with_session_memory, footer, header
from se_agent.memory.session.merge import merge_session_memory_updates
from se_agent.memory.session.render import format_session_memory_for_prompt
from se_agent.memory.session.skeleton import add_skeleton_header
from se_agent.memory.session.tags import extract_session_memory_updates_from_response
from se_agent.values.session import SessionMemory, SessionUpdates

GOLDEN = Path(__file__).with_name("golden")
SECTIONS = (
    "## Confirmed Headers",
    "## Input Validation Rules",
    "## Setup Sequence",
    "## Cleanup Sequence",
    "## Parameter Construction",
)
REPLY = """<setup_step order="3">fb->resize(w, h)</setup_step>
<api_constraint confidence="medium">resize before draw</api_constraint>
```c
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return 0; }
```
"""


def agreed() -> SessionMemory:
    """Return what is agreed on in the seed's third iteration, with a decision."""
    text = (GOLDEN / "iteration_3.json").read_text("utf-8")
    state = SessionMemory.model_validate(json.loads(text))
    return add_decision(
        state, "One object is enough", "calls are cheap", "function_analyzer", 2
    )


def skeleton(name: str = "object_lifecycle") -> str:
    return KnowledgeRetriever("fuzz_api").get_skeleton(name)


@pytest.mark.row("HS-10")
def test_what_is_known_grows_and_what_is_written_is_made_anew() -> None:
    """Entries stay that a reply agrees on; its program is nobody's knowledge."""
    state, sizes = agreed(), []
    for iteration in (4, 5):
        reply = REPLY.replace("resize before draw", f"rule {iteration}")
        said = extract_session_memory_updates_from_response(reply, "analyse", iteration)
        state = merge_session_memory_updates(state, said)
        sizes.append(len(state.api_constraints))
        assert "LLVMFuzzerTestOneInput" not in state.model_dump_json()
    assert sizes == [len(agreed().api_constraints) + 1, len(agreed().api_constraints) + 2]
    assert {c.iteration for c in state.api_constraints} >= {1, 4, 5}
    with pytest.raises(AttributeError, match="code"):
        state.skeleton_components.code  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.row("HS-11")
def test_session_memory_says_why_and_a_skeleton_says_what() -> None:
    text, state = format_session_memory_for_prompt(agreed()), agreed()
    assert "**Reason**: calls are cheap" in text
    (rule,) = state.skeleton_components.input_validation
    assert f"`{rule.rule}` - {rule.reason}" in text
    for entry in (*state.api_constraints, *state.known_fixes, *state.decisions):
        assert f"source: {entry.source}, iteration: {entry.iteration}" in text
    assert "LLVMFuzzerTestOneInput" not in text
    assert "LLVMFuzzerTestOneInput" in skeleton()
    assert "source:" not in skeleton()


@pytest.mark.row("HS-68")
@pytest.mark.row("LF-100")
def test_who_writes_is_given_code_and_all_that_was_agreed_about_it() -> None:
    """Template of the pack, agreed parts and the program's own text, in one prompt."""
    task = f"{skeleton()}\n\nvoid resize(int width, int height);"
    state = agreed()
    prompt = build_prompt_with_session_memory(state, task, "whoever writes")
    assert skeleton() in prompt
    assert "void resize(int width, int height);" in prompt
    parts = state.skeleton_components
    for said in (
        *(c.constraint for c in state.api_constraints),
        *(d.decision for d in state.decisions),
        *(f.solution for f in state.known_fixes),
        *(h.path for h in parts.headers),
        *(v.rule for v in parts.input_validation),
        *(s.step for s in (*parts.setup_sequence, *parts.cleanup_sequence)),
        *(p.method for p in parts.parameter_construction),
    ):
        assert said in prompt
    assert {h.source for h in parts.headers} == {"header_extraction"}
    assert {s.source for s in parts.setup_sequence} == {"function_analyzer", "enhancer"}


@pytest.mark.row("HS-25")
def test_the_prompt_of_the_final_summary_has_the_agreement_before_its_task() -> None:
    prompt = build_prompt_with_session_memory(agreed(), "# Your Task", "function_analyzer")
    places = [prompt.index(part) for part in (header(empty=False), *SECTIONS, "# Your Task")]
    assert places == sorted(places)
    assert prompt.index("### API Usage Constraints") < places[1]
    hidden = build_prompt_with_session_memory(agreed(), "# Your Task", "crash_analyzer")
    assert [one for one in SECTIONS if one in hidden] == []


@pytest.mark.row("HS-12")
def test_a_failure_changes_what_the_next_prompt_is_made_of() -> None:
    """Template, constraints and parts of several sources; then what mended the failure."""
    first = build_prompt_with_session_memory(agreed(), skeleton(), "function_analyzer")
    state = add_api_constraint(agreed(), "free the buffer", "call_sites", "high", 2)
    state = add_skeleton_header(state, "agreed.h", "header_extraction", "high", 2)
    reply = '<known_fix error="double free">free it once</known_fix>'
    failed: SessionUpdates = extract_session_memory_updates_from_response(reply, "enhancer", 3)
    later = merge_session_memory_updates(state, failed)
    second = build_prompt_with_session_memory(later, skeleton(), "function_analyzer")
    mending = build_prompt_with_session_memory(later, skeleton(), "enhancer")
    for said in ("free the buffer", "agreed.h"):
        assert said not in first
        assert said in second
    assert "double free" in mending
    assert skeleton() in first
    assert skeleton() in second


@pytest.mark.row("HS-66")
def test_each_prompt_of_the_plan_asks_for_tags_uses_the_memory_and_names_what_binds() -> None:
    """Iteration asks for tags, the summary uses what is agreed on, the writer keeps to it."""
    asked = footer(["constraints", "skeleton"])
    for tag in ("skeleton_header", "validation_rule", "setup_step", "cleanup_step"):
        assert f"<{tag}" in asked
    assert "<param_construction" in asked
    state = add_api_constraint(agreed(), "width > 0", "evaluator", "high", 3, verified=True)
    for role in ("function_analyzer", "prototyper"):
        prompt = build_prompt_with_session_memory(state, "Task.", role)
        assert "[HIGH] **binding** width > 0" in prompt
        assert "Entries marked **binding** were found true: keep to them." in prompt
