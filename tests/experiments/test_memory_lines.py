"""Lines of the memory that are reached: how they are counted, and what the model says."""

from __future__ import annotations

import sys
from pathlib import Path

from experiments.memory_lines.__main__ import report
from experiments.memory_lines.model import Speaker, tags
from experiments.memory_lines.traced import MEMORY, Reached, functions_of, lines_of, read
from se_agent.memory.session import entries
from se_agent.memory.session.injector import footer
from se_agent.memory.session.tags import extract_session_memory_updates_from_response

ENTRIES = MEMORY / "session" / "entries.py"


def test_what_a_call_reaches_is_noted_and_what_nobody_reaches_is_named(tmp_path: Path) -> None:
    reached, before = Reached(), sys.gettrace()
    sys.settrace(reached.call)
    try:
        entries.add_decision(None, "Use a heap", "it is faster", "plan")
    finally:
        sys.settrace(before)
    reached.write(tmp_path / "some.lines")
    found = read(tmp_path / "some.lines")
    functions = {each.name: each for each in functions_of(ENTRIES)}
    assert functions["session.entries.add_decision"].lines <= found
    assert not functions["session.entries.add_known_fix"].lines & found
    told = "\n".join(report(found, frozenset()))
    assert "session.entries.add_known_fix" in told
    assert "session.entries.add_decision" not in told


def test_lines_for_types_alone_do_not_count() -> None:
    path = MEMORY / "retrieval" / "vectors.py"
    typed = path.read_text(encoding="utf-8").splitlines().index("if TYPE_CHECKING:") + 1
    numbers = {number for _, number in lines_of(path)}
    assert typed in numbers
    assert typed + 1 not in numbers


def test_each_tag_that_a_prompt_asks_for_is_said_and_understood() -> None:
    said = tags(footer(("constraints", "fixes", "decisions", "archetype", "skeleton")), 7)
    found = extract_session_memory_updates_from_response(said, "repair", 1)
    assert found.api_constraints[0].constraint == "fact 7"
    assert found.known_fixes
    assert found.decisions
    assert found.archetype
    assert found.skeleton_components.headers


def test_the_model_asks_for_each_output_once() -> None:
    asked = [{"content": "[Saved as artifact: 0123456789ab. Its beginning: x]"}]
    speaker = Speaker()
    assert speaker.reply(asked).startswith('{"read": ')
    assert not speaker.reply(asked).startswith('{"read": ')
