"""Tags of a reply: read tolerantly, from prose alone, and never more than a reply may say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.session.tags import (
    MOST_TAGS,
    extract_session_memory_updates_from_response,
    extract_skeleton_components_from_response,
)
from se_agent.values.session import SessionUpdates

NAMES = (
    "api_constraint",
    "known_fix",
    "decision",
    "coverage_strategy",
    "archetype",
    "setup_step",
    "cleanup_step",
    "param_construction",
    "validation_rule",
    "skeleton_header",
)


def read(reply: str) -> SessionUpdates:
    return extract_session_memory_updates_from_response(reply, "prototyper", 7)


@pytest.mark.row("HS-03", "HS-07", "HS-45")
def test_a_constraint() -> None:
    (one,) = read("so\n<api_constraint>Init\nfirst</api_constraint>").api_constraints
    assert (one.constraint, one.confidence) == ("Init\nfirst", "medium")
    assert (one.source, one.iteration, one.verified) == ("prototyper", 7, False)


@pytest.mark.row("HS-04")
def test_a_fix() -> None:
    (one,) = read('<known_fix error="missing header: a.h">Add b.h</known_fix>').known_fixes
    assert (one.error_pattern, one.solution) == ("missing header: a.h", "Add b.h")
    assert not one.verified


@pytest.mark.row("HS-05")
def test_a_decision() -> None:
    (one,) = read('<decision reason="3 failed">Start again</decision>').decisions
    assert (one.decision, one.reason) == ("Start again", "3 failed")


@pytest.mark.row("HS-06")
def test_a_strategy() -> None:
    reply = '<coverage_strategy target="line 45">Add NULL</coverage_strategy>'
    (one,) = read(reply).coverage_strategies
    assert (one.strategy, one.target) == ("Add NULL", "line 45")


@pytest.mark.row("HS-21", "HS-22", "HS-23", "HS-24", "HS-44")
def test_parts_of_a_program() -> None:
    parts = extract_skeleton_components_from_response(
        '<setup_step order="2">b\n  c</setup_step><setup_step order="1">a</setup_step>'
        '<cleanup_step order="1">free(x)</cleanup_step>'
        '<param_construction param="w">int w</param_construction>'
        '<validation_rule reason="two ints">size >= 8</validation_rule>'
    )
    assert [(s.order, s.step) for s in parts.setup_sequence] == [(2, "b\n  c"), (1, "a")]
    assert [(s.order, s.step) for s in parts.cleanup_sequence] == [(1, "free(x)")]
    assert [(p.param, p.method) for p in parts.parameter_construction] == [("w", "int w")]
    assert [(v.rule, v.reason) for v in parts.input_validation] == [("size >= 8", "two ints")]


@pytest.mark.row("HS-43")
@pytest.mark.parametrize(
    "path",
    [
        '"#include &quot;a.h&quot;"',
        r'"#include \"a.h\""',
        "'#include \"a.h\"'",
        '"#include "a.h""',
    ],
)
@pytest.mark.parametrize("end", [">", "/>", " />", "></skeleton_header>"])
def test_a_header_however_it_is_quoted_and_closed(path: str, end: str) -> None:
    reply = f'<skeleton_header path={path} confidence="low"{end} and more'
    (one,) = read(reply).skeleton_components.headers
    assert (one.path, one.confidence) == ('#include "a.h"', "low")


@pytest.mark.row("HS-19")
def test_an_archetype_by_tag_and_else_as_prose_names_it() -> None:
    tagged = read(
        'Archetype: other\n<archetype type="round_trip" phases="a, b -> c"/>'
    ).archetype
    assert tagged is not None
    assert (tagged.type, tagged.lifecycle_phases, tagged.known) == (
        "round_trip",
        ("a", "b", "c"),
        True,
    )
    told = read("I think. ARCHETYPE:  stateful_decoder, surely").archetype
    assert told is not None
    assert (told.type, told.known, told.confidence) == ("stateful_decoder", False, "low")


@pytest.mark.parametrize("order", ["x", "-1", "", "1e3", "9" * 5000])
def test_a_step_without_a_place_is_none(order: str) -> None:
    reply = f'<setup_step order="{order}">a</setup_step>'
    assert not read(reply).skeleton_components.setup_sequence


@pytest.mark.parametrize(
    "reply",
    [
        "```\n<decision>no</decision>\n```",
        "~~~~ text\n```\n<decision>no</decision>\n~~~~",
        "```python\n<decision>no</decision>",
        "> ```\n> <decision>no</decision>\n> ```",
        "<<<<<<< SEARCH\n<decision>no</decision>\n=======\n>>>>>>> REPLACE",
        "<decision>begun\n```\nno</decision>\n```",
        '<decision reason="\n```\n">no</decision>\n```',
    ],
)
def test_nothing_is_read_in_code(reply: str) -> None:
    assert read(reply).decisions == ()


def test_what_follows_code_is_read_again() -> None:
    found = read("```\nx\n```\n<decision>yes</decision>").decisions
    assert [one.decision for one in found] == ["yes"]


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ("<decision>a <decision>b</decision> c</decision>", ["b"]),
        ("<decision>a <decision>b</decision>", ["b"]),
        ("<decision>a</api_constraint></decision>", []),
        ("<decision>", []),
        ("</decision><decision>a</decision>", ["a"]),
        ("<decisions>a</decisions><DECISION >b</Decision >", ["b"]),
        ("<decision reason='it''s'>a</decision>", []),
        ("<decision/>", []),
        ('<decision decision="a"/>', ["a"]),
    ],
)
def test_nested_unclosed_and_strange_tags(reply: str, kept: list[str]) -> None:
    assert [one.decision for one in read(reply).decisions] == kept


@pytest.mark.row("HS-61")
def test_a_reply_has_so_many_tags_and_each_so_much_to_say() -> None:
    found = read("<decision>x</decision>" * (MOST_TAGS + 5))
    assert (len(found.decisions), found.dropped) == (MOST_TAGS, 5)
    long = read(f"<decision>{'x' * 601}</decision><decision>{'y' * 600}</decision>")
    assert ([one.decision[0] for one in long.decisions], long.dropped) == (["y"], 1)


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    "piece",
    ["<decision>", '<decision reason="', "<decision a=", "</decision", "```\n", "<", "<<<<<\n"],
)
def test_a_megabyte_is_read_to_its_end(piece: str) -> None:
    assert read(piece * (1_000_000 // len(piece))).decisions == ()


_QUOTES = st.sampled_from(['"', "'", ""])
_PIECES = st.one_of(
    st.sampled_from(["```\n", "\n", "<<<<<<< SEARCH\n", ">>>>>>> REPLACE\n", ">", "/>", "\\"]),
    st.sampled_from(NAMES).flatmap(
        lambda n: st.sampled_from([f"<{n}>", f"</{n}>", f"<{n} ", f"<{n}/>"])
    ),
    st.tuples(st.sampled_from(["confidence", "path", "reason", "order", "type"]), _QUOTES).map(
        lambda p: f"{p[0]}={p[1]}high{p[1]} "
    ),
    st.text(max_size=9),
)


@given(st.lists(_PIECES, max_size=60).map("".join))
def test_no_tag_makes_anything_sure(reply: str) -> None:
    found = read(reply)
    trusted = [*found.api_constraints, *found.skeleton_components.headers]
    trusted += [found.archetype] if found.archetype else []
    assert all(one.confidence != "high" and not one.verified for one in trusted)
    assert found == read(reply)


@pytest.mark.row("LF-45")
@pytest.mark.parametrize(
    ("said", "counts"),
    [("high", "medium"), (" HIGH ", "medium"), ("", "medium"), ("Low", "low")],
)
def test_a_guess_is_low_and_all_else_that_is_said_counts_as_inferred(
    said: str, counts: str
) -> None:
    reply = f'<api_constraint confidence="{said}">a</api_constraint>'
    assert read(reply).api_constraints[0].confidence == counts


@pytest.mark.row("LF-46")
def test_an_archetype_is_known_if_a_pack_in_use_has_a_document_of_it() -> None:
    reply = '<archetype type="dp_table"/>'
    assert read(reply).archetype is not None
    for known in (("array_scan",), ("array_scan", "dp_table")):
        found = extract_session_memory_updates_from_response(reply, "analyse", 1, known=known)
        assert found.archetype is not None
        assert found.archetype.known is ("dp_table" in known)
