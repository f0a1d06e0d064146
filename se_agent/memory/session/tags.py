"""Tags of a reply: what it says for all roles to know (HS-03 to 07, HS-21 to 24, HS-43 to 45).

Tolerant: values in double, single or no quotes, with backslashes or entities; tags alone or in
pairs. What stands in a fenced block or in a change block is code, and no tag is read there. A
reply never makes anything sure: `high` counts as `medium` (S5). Not here: what is merged.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from se_agent.memory.session.entries import ARCHETYPES
from se_agent.values.session import (
    ArchetypeRecord,
    Confidence,
    Constraint,
    CoverageStrategy,
    Decision,
    Header,
    KnownFix,
    OrderedStep,
    ParamConstruction,
    SessionUpdates,
    SkeletonComponents,
    ValidationRule,
)

MOST_TAGS = 64
"""Tags of a reply that are read."""

LONGEST_TAG = 600
"""Characters of a text of a tag."""

_READ = 1_000_000  # characters of a reply; no model writes more
_NAMES = (
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
_TAG = re.compile(rf"<(/?)\s*({'|'.join(_NAMES)})(?=[\s/>])", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"\s*([A-Za-z_][\w-]{0,40})\s{0,9}=\s{0,9}"
    r"(\"\s*#\s*include\s*\"[^\"\n]{0,600}\"\s*\"|\"(?:\\.|[^\"\\]){0,2400}\"|'(?:\\.|[^'\\]){0,2400}'|[^\s\"'<>/][^\s<>]{0,2400}?(?=[\s>]|/>))",
    re.DOTALL,
)
_END = re.compile(r"\s{0,99}(/?)>")
_ESCAPED = re.compile(r"\\([\"'\\<>])")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_BEGUN, _ENDED = re.compile(r"[ \t]*<{5,}"), re.compile(r"[ \t]*>{5,}")
_PROSE = re.compile(r"archetype:\s{0,9}(\w{1,60})", re.IGNORECASE)
_ORDER = re.compile(r"\d{1,6}")


class Tag(NamedTuple):
    """A tag of a reply, as it was written."""

    name: str
    values: Mapping[str, str]
    text: str

    def of(self, name: str) -> str:
        """Return a value of it, and its text where the value is not given."""
        return self.values.get(name) or self.text


class _Said(NamedTuple):
    """The role that says it, and its generation."""

    source: str
    iteration: int


def extract_session_memory_updates_from_response(
    response: str,
    agent_name: str,
    current_iteration: int,
    *,
    known: Collection[str] = ARCHETYPES,
) -> SessionUpdates:
    """Return what the tags of a reply say (HS-07).

    Args:
        response: The reply, and nothing that a program printed.
        agent_name: Role that gave it: the source of all entries.
        current_iteration: Generation.
        known: Names of archetypes that a document exists of (X-14).
    """
    text = prose(response[:_READ])
    tags, dropped = _tags(text)
    said = _Said(agent_name, current_iteration)
    found: dict[str, list[object]] = {name: [] for name in _NAMES}
    for tag in tags:
        entry = _READERS[tag.name](tag, said)
        if entry is not None:
            found[tag.name].append(entry)
    shapes = _shapes(found["archetype"]) or _told_in_prose(text, said)
    return SessionUpdates.model_validate(
        {
            "api_constraints": found["api_constraint"],
            "archetype": _with_known(shapes[-1], known) if shapes else None,
            "known_fixes": found["known_fix"],
            "decisions": found["decision"],
            "coverage_strategies": found["coverage_strategy"],
            "skeleton_components": _components(found),
            "dropped": dropped,
        }
    )


def extract_skeleton_components_from_response(
    response: str, agent_name: str = "function_analyzer", current_iteration: int = 0
) -> SkeletonComponents:
    """Return the parts of a program that a reply names by tags (HS-24)."""
    return extract_session_memory_updates_from_response(
        response, agent_name, current_iteration
    ).skeleton_components


def prose(reply: str) -> str:
    """Return a reply without its fenced blocks and its change blocks; unclosed ones go on."""
    kept, fence, change = [], "", False
    for line in reply.splitlines(keepends=True):
        begun = _FENCE.match(line)
        if change:
            change = _ENDED.match(line) is None
        elif fence:
            if (
                begun
                and begun[1].startswith(fence)
                and not line[begun.end() :].strip("`~ \t\r\n")
            ):
                fence = ""
        elif begun:
            fence = begun[1]
        elif _BEGUN.match(line):
            change = True
        else:
            kept.append(line)
            continue
        kept.append("\n")  # a tag that began before it does not go on after it
    return "".join(kept)


def _tags(text: str) -> tuple[list[Tag], int]:
    """Return the tags that are read, and how many are too many or too long."""
    found, dropped = list[Tag](), 0
    for tag in _written(text):
        values = (tag.text, *tag.values.values())
        if len(found) == MOST_TAGS or any(len(value) > LONGEST_TAG for value in values):
            dropped += 1
        else:
            found.append(tag)
    return found, dropped


def _written(text: str) -> Iterator[Tag]:
    """Give all tags; of nested ones the inner ones, and of an unclosed one nothing."""
    opened: tuple[str, dict[str, str], int] | None = None
    at = 0
    while (mark := _TAG.search(text, at)) is not None:
        name, at = mark[2].lower(), mark.end()
        if mark[1]:
            end = _END.match(text, at)
            if opened is not None and opened[0] == name and end is not None:
                yield Tag(name, opened[1], _plain(text[opened[2] : mark.start()]))
            opened = None
            continue
        values, at, closed = _head(text, at)
        if at < 0:
            at, opened = mark.end(), None
        elif closed or name == "skeleton_header" or _whole(name, values):
            yield Tag(name, values, "")
            opened = None
        else:
            opened = (name, values, at)


def _whole(name: str, values: Mapping[str, str]) -> bool:
    """Say whether a tag needs no text after it."""
    return name == "archetype" and bool(values.get("type"))


def _head(text: str, at: int) -> tuple[dict[str, str], int, bool]:
    """Return the values of an opening tag, where it ends (or -1), and if it stands alone."""
    values: dict[str, str] = {}
    while (found := _ATTRIBUTE.match(text, at)) is not None:
        values.setdefault(found[1].lower(), _value(found[2]))
        at = found.end()
    end = _END.match(text, at)
    return (values, end.end(), bool(end[1])) if end else (values, -1, False)


def _value(written: str) -> str:
    if written[0] in "\"'":
        written = _ESCAPED.sub(r"\1", written[1:-1])
    return html.unescape(written).strip()


def _plain(text: str) -> str:
    return html.unescape(text).strip()


def _capped(confidence: str) -> Confidence:
    """Return the confidence that a reply may claim: it never makes anything sure (X-53)."""
    return "low" if confidence.strip().lower() == "low" else "medium"


def _constraint(tag: Tag, said: _Said) -> Constraint | None:
    text = tag.of("constraint")
    sure = _capped(tag.values.get("confidence", ""))
    return Constraint(constraint=text, confidence=sure, **said._asdict()) if text else None


def _fix(tag: Tag, said: _Said) -> KnownFix | None:
    error, solution = tag.values.get("error", ""), tag.of("solution")
    if not (error and solution):
        return None
    return KnownFix(error_pattern=error, solution=solution, **said._asdict())


def _decision(tag: Tag, said: _Said) -> Decision | None:
    text, reason = tag.of("decision"), tag.values.get("reason", "")
    return Decision(decision=text, reason=reason, **said._asdict()) if text else None


def _strategy(tag: Tag, said: _Said) -> CoverageStrategy | None:
    text, target = tag.of("strategy"), tag.values.get("target", "")
    return CoverageStrategy(strategy=text, target=target, **said._asdict()) if text else None


def _shape(tag: Tag, said: _Said) -> ArchetypeRecord | None:
    name = tag.of("type")
    phases = re.split(r"\s*(?:,|;|->|→)\s*", tag.values.get("phases", ""))
    return _archetype(name, tuple(filter(None, phases)), said) if name else None


def _archetype(
    name: str, phases: tuple[str, ...], said: _Said, confidence: Confidence = "medium"
) -> ArchetypeRecord:
    return ArchetypeRecord(
        type=name,
        lifecycle_phases=phases,
        confidence=confidence,
        **said._asdict(),
    )


def _shapes(found: Iterable[object]) -> list[ArchetypeRecord]:
    return [shape for shape in found if isinstance(shape, ArchetypeRecord)]


def _with_known(shape: ArchetypeRecord, known: Collection[str]) -> ArchetypeRecord:
    return shape.model_copy(update={"known": shape.type in known})


def _told_in_prose(text: str, said: _Said) -> list[ArchetypeRecord]:
    """Return the archetype that a reply names without a tag: the last resort (HS-19, X-44)."""
    found = _PROSE.search(text)
    return [_archetype(found[1], (), said, "low")] if found else []


def _step(tag: Tag, said: _Said) -> OrderedStep | None:
    order, text = tag.values.get("order", ""), tag.of("step")
    if not (text and _ORDER.fullmatch(order)):
        return None
    return OrderedStep(order=int(order), step=text, **said._asdict())


def _param(tag: Tag, said: _Said) -> ParamConstruction | None:
    param, method = tag.values.get("param", ""), tag.of("method")
    if not (param and method):
        return None
    return ParamConstruction(param=param, method=method, **said._asdict())


def _rule(tag: Tag, said: _Said) -> ValidationRule | None:
    rule, reason = tag.of("rule"), tag.values.get("reason", "")
    return ValidationRule(rule=rule, reason=reason, **said._asdict()) if rule else None


def _header(tag: Tag, said: _Said) -> Header | None:
    path, sure = tag.of("path"), _capped(tag.values.get("confidence", ""))
    return Header(path=path, confidence=sure, **said._asdict()) if path else None


_READERS: Mapping[str, Callable[[Tag, _Said], object | None]] = {
    "api_constraint": _constraint,
    "known_fix": _fix,
    "decision": _decision,
    "coverage_strategy": _strategy,
    "archetype": _shape,
    "setup_step": _step,
    "cleanup_step": _step,
    "param_construction": _param,
    "validation_rule": _rule,
    "skeleton_header": _header,
}


def _components(found: Mapping[str, list[object]]) -> dict[str, list[object]]:
    return {
        "headers": found["skeleton_header"],
        "input_validation": found["validation_rule"],
        "setup_sequence": found["setup_step"],
        "cleanup_sequence": found["cleanup_step"],
        "parameter_construction": found["param_construction"],
    }
