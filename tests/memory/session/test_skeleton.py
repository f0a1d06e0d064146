"""Parts of a program in session memory, and the four states of the seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.memory.session.entries import add_api_constraint, add_known_fix, set_archetype
from se_agent.memory.session.precedence import steps_in_order
from se_agent.memory.session.seed_form import seed_form
from se_agent.memory.session.skeleton import (
    add_skeleton_cleanup_step,
    add_skeleton_header,
    add_skeleton_param_construction,
    add_skeleton_setup_step,
    add_skeleton_validation_rule,
)
from se_agent.values.session import SessionMemory

GOLDEN = Path(__file__).with_name("golden")
ANALYSER = "function_analyzer"
HEADER = '#include "src/terminal/terminalframebuffer.h"'


def _states() -> list[SessionMemory]:
    """Return the states of the seed's example, made as the seed says."""
    one = add_api_constraint(
        None, "Parameters must be positive (width > 0, height > 0)", ANALYSER, "high", 1
    )
    one = set_archetype(one, "object_lifecycle", ["create", "use", "destroy"], ANALYSER, 1)
    one = add_skeleton_header(one, HEADER, "header_extraction", "high", 1)
    why = "Need 2 x int32_t for width and height"
    one = add_skeleton_validation_rule(one, "size >= 8", why, ANALYSER, 1)
    made = "Terminal::Framebuffer *fb = new Terminal::Framebuffer(80, 24)"
    two = add_skeleton_setup_step(one, made, 1, ANALYSER, 2)
    two = add_skeleton_cleanup_step(two, "delete fb", 1, ANALYSER, 2)
    for param, method in (
        ("width", "int width = *((int32_t*)data)"),
        ("height", "int height = *((int32_t*)(data + 4))"),
    ):
        two = add_skeleton_param_construction(two, param, method, ANALYSER, 2)
    three = add_known_fix(
        two,
        "undefined reference to Terminal::Framebuffer::Framebuffer",
        "Add null check after new: if (!fb) return 0;",
        "enhancer",
        3,
    )
    three = add_skeleton_setup_step(three, "if (!fb) return 0", 2, "enhancer", 3)
    return [SessionMemory(), one, two, three]


@pytest.mark.row("HS-34", "HS-35", "HS-36", "HS-37", "HS-39", "HS-40", "HS-41", "HS-42")
@pytest.mark.row("HS-15", "HS-18", "HS-64")
@pytest.mark.parametrize("iteration", range(4))
def test_the_states_of_the_example_are_those_of_the_seed(iteration: int) -> None:
    kept = json.loads((GOLDEN / f"iteration_{iteration}.json").read_text("utf-8"))
    assert seed_form(_states()[iteration]) == kept


@pytest.mark.row("HS-14", "HS-57")
def test_a_header_is_one_however_it_is_quoted_and_says_who_found_it() -> None:
    state = add_skeleton_header(None, '#include "a.h"', "header_extraction", "high", 1)
    for path in ("a.h", "<a.h>", "#include <a.h>", ' # include "a.h" '):
        state = add_skeleton_header(state, path, "prototyper", "high", 2)
    (one,) = state.skeleton_components.headers
    assert (one.path, one.source, one.iteration) == ('#include "a.h"', "header_extraction", 1)
    assert add_skeleton_header(None, "b.h", "x").skeleton_components.headers[0].iteration == 0


@pytest.mark.row("HS-16", "HS-17", "HS-48")
def test_steps_of_two_sources_at_the_same_place_both_stay_and_are_counted_on() -> None:
    state = add_skeleton_setup_step(None, "check", 1, "enhancer", 3)
    state = add_skeleton_setup_step(state, "create", 1, ANALYSER, 2)
    state = add_skeleton_setup_step(state, "use", 2, ANALYSER, 2)
    found = steps_in_order(state.skeleton_components.setup_sequence)
    assert [(s.order, s.step) for s in found] == [(1, "create"), (2, "check"), (3, "use")]


@pytest.mark.row("HS-61")
def test_of_each_class_of_parts_twenty_stay() -> None:
    state = add_skeleton_header(None, "sure.h", "survey", "high", 0)
    for number in range(30):
        state = add_skeleton_header(state, f"{number}.h", "prototyper", "low", number)
        state = add_skeleton_param_construction(state, f"{number}", "m", ANALYSER, number)
    parts = state.skeleton_components
    assert len(parts.headers) == len(parts.parameter_construction) == 20
    assert parts.headers[0].path == "sure.h"
