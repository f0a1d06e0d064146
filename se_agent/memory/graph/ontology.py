"""What the knowledge graph speaks of: kinds of entities, kinds of relations, and names.

A name says what it names: `function:PROBLEM:PATH:NAME` maps back to a function of a file, and
`error:KEY` to the template of an error (AM-78). Whoever adds to the graph by hand may use kinds
of their own. Not here: what of a run becomes part of the graph (`triples`).
"""

from __future__ import annotations

import enum
import re
from urllib.parse import unquote


class EntityType(enum.StrEnum):
    """What an entity is (AM-56)."""

    AGENT = "agent"
    RUN = "run"
    PROBLEM = "problem"
    FUNCTION = "function"
    FILE = "file"
    TEST = "test"
    ERROR = "error"
    SOLUTION = "solution"
    LESSON = "lesson"
    RULE = "rule"
    MODEL = "model"
    HEADER = "header"
    FINDING = "finding"


class RelationType(enum.StrEnum):
    """What one entity does to another, in active voice (AM-57, AM-78)."""

    DEPENDS_ON = "depends_on"
    TESTS_COVERS = "tests_covers"
    RAISES_ERROR = "raises_error"
    LOCATES = "locates"
    FIXES = "fixes"
    IMPROVES = "improves"
    SLOWS = "slows"
    DERIVES_FROM = "derives_from"
    WRITTEN_BY = "written_by"
    MENTIONS = "mentions"
    INCLUDES = "includes"
    CALLS = "calls"


_E = EntityType
_PROGRAMS = (_E.SOLUTION, _E.RULE)

JOINS = {
    RelationType.DEPENDS_ON: ((_E.AGENT, _E.RUN), (_E.AGENT, _E.PROBLEM)),
    RelationType.TESTS_COVERS: ((_E.TEST,), (_E.FUNCTION,)),
    RelationType.RAISES_ERROR: (_PROGRAMS, (_E.ERROR,)),
    RelationType.LOCATES: ((_E.ERROR, _E.FINDING), (_E.FUNCTION, _E.FILE)),
    RelationType.FIXES: ((*_PROGRAMS, _E.LESSON), (_E.ERROR, _E.FINDING)),
    RelationType.IMPROVES: (_PROGRAMS, (_E.FUNCTION, _E.PROBLEM)),
    RelationType.SLOWS: (_PROGRAMS, (_E.FUNCTION,)),
    RelationType.DERIVES_FROM: ((_E.SOLUTION, _E.LESSON), (_E.SOLUTION, _E.RUN)),
    RelationType.WRITTEN_BY: ((_E.SOLUTION,), (_E.RULE, _E.AGENT, _E.MODEL)),
    RelationType.MENTIONS: ((_E.LESSON,), (_E.FUNCTION, _E.RULE, _E.ERROR)),
    RelationType.INCLUDES: ((_E.FILE, _E.PROBLEM), (_E.FUNCTION, _E.HEADER, _E.FILE)),
    RelationType.CALLS: ((_E.FUNCTION,), (_E.FUNCTION,)),
}
"""The kinds of entities that a relation may lead from, and those that it may lead to. It holds
for what is derived from journals."""

_ESCAPED = re.compile(r"[^\w !-$&-9;-~]")
"""What may not stand in a part as it is: `%`, `:`, and most of what is not plain. Letters of
all languages stay."""


def entity_name(kind: EntityType, *parts: str) -> str:
    """Return the name of an entity; no two lists of parts have the same one.

    Args:
        kind: What it is.
        parts: What tells it from others of its kind. They may hold anything.
    """
    return ":".join((kind.value, *(_escaped(part) for part in parts)))


def entity_parts(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind and the parts of which `entity_name` made a name.

    A name that somebody chose by hand may be anything: its first part is taken for the kind.
    """
    kind, *parts = name.split(":")
    return kind, tuple(unquote(part, errors="surrogatepass") for part in parts)


def _escaped(part: str) -> str:
    return _ESCAPED.sub(_in_percent, part)


def _in_percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass"))
