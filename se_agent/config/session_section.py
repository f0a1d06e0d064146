"""The table `[memory.session]` of a run file, and who reads and writes what by default.

Not here: what is done with it (`se_agent.memory.session`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field

from se_agent.chat.messages import ROLE_NAME, family_of
from se_agent.config.section import Section

Category = Literal[
    "constraints", "archetype", "fixes", "decisions", "strategies", "failures", "skeleton"
]
CATEGORIES: tuple[str, ...] = get_args(Category)

_WRITING = ("prototyper", "mutate", "rewrite", "refine", "cross_over")
_PLANNING = ("plan", "replan")
_MENDING = ("enhancer", "repair", "mend", "enhance", "enrich")
_ANALYSING = ("function_analyzer", "analyse", "function_analysis")
_COVERING = ("coverage_analyzer", "cover", "coverage_analysis", "profiler")
_CRASHING = ("crash_analyzer", "crash", "crash_analysis")
_PLACING = ("context_analyzer", "context", "context_analysis", "judge")
_LEARNING = ("extract", "compress", "header_extraction", "survey")


def _by_role(
    *rows: tuple[tuple[str, ...], tuple[Category, ...]],
) -> Mapping[str, tuple[Category, ...]]:
    return {role: categories for roles, categories in rows for role in roles}


READERS: Mapping[str, tuple[Category, ...]] = _by_role(
    (_WRITING, ("constraints", "archetype", "skeleton")),
    (_PLANNING, ("constraints", "archetype", "skeleton", "decisions")),
    (_MENDING, ("constraints", "fixes", "strategies")),
    (_ANALYSING, ("constraints", "archetype", "skeleton")),
    (_PLACING, ("constraints", "failures")),
    (_CRASHING, ("failures",)),
    (("supervisor",), ("decisions",)),
    ((*_COVERING, *_LEARNING), ()),
)
"""Categories that a role is shown (LF-63 to LF-66)."""

WRITERS: Mapping[str, tuple[Category, ...]] = _by_role(
    ((*_WRITING, *_PLANNING), ("decisions",)),
    (_MENDING, ("fixes", "constraints", "skeleton", "decisions")),
    (_ANALYSING, ("constraints", "archetype", "skeleton", "decisions")),
    (_PLACING, ("constraints", "decisions")),
    (_CRASHING, ("failures", "decisions")),
    (_COVERING, ("strategies", "decisions")),
    (("header_extraction", "survey"), ("skeleton", "decisions")),
    (("supervisor",), ("decisions",)),
    (("extract", "compress"), ()),
)
"""Categories that a role's tags may change (LF-44 to LF-52)."""

_OTHERS: tuple[Category, ...] = ("constraints", "archetype")  # a role that nobody named

Positive = Annotated[int, Field(gt=0)]
_Listed = BeforeValidator(
    lambda v: tuple(filter(None, v.split(","))) if isinstance(v, str) else _as_tuple(v)
)
Categories = Annotated[tuple[Category, ...], _Listed]
RoleName = Annotated[str, Field(pattern=ROLE_NAME)]


def _as_tuple(value: Any) -> Any:  # whatever a run file holds
    return tuple(value) if isinstance(value, list) else value


class SessionSection(Section):
    """Session memory: what all roles agree on, how much of it, and what a prompt shows."""

    enabled: bool = True
    """It is kept; false: nothing is agreed on, and nobody reads any."""
    shown: bool = False
    """Prompts show it, each role what `roles` says."""
    tags: bool = True
    """Tags of replies are read, and asked for where it is shown."""
    constraints: bool = True
    """What a right program has to keep to."""
    archetype: bool = True
    """The pattern that the program follows."""
    fixes: bool = True
    """What mended an error."""
    decisions: bool = True
    """Turning points with their reasons."""
    strategies: bool = True
    """What to try next, and where."""
    failures: bool = True
    """How programs failed."""
    skeleton: bool = True
    """Parts of a program."""
    token_limit: Annotated[int, Field(ge=100)] = 800
    """Tokens of it in a prompt, with the words above it."""
    entry_limit: Positive = 20
    """Constraints, and entries of each class of parts, that stay."""
    fixes_limit: Positive = 10
    """Fixes, and analyses of failures, that stay: the latest."""
    decisions_limit: Positive = 10
    """Decisions that stay: the latest."""
    strategies_limit: Positive = 10
    """Strategies that stay: the latest."""
    roles: dict[RoleName, Categories] = Field(default_factory=dict)
    """Categories that a role is shown, such as `repair = ["fixes"]`; others as by default."""

    @property
    def kept(self) -> tuple[str, ...]:
        """Categories that are on."""
        return tuple(name for name in CATEGORIES if getattr(self, name))

    def read_by(self, role: str) -> tuple[str, ...]:
        """Return the categories that a role is shown, of those that are on."""
        usual = READERS.get(role, _OTHERS)
        wanted = self.roles.get(role, self.roles.get(family_of(role), usual))
        return tuple(name for name in self.kept if name in wanted)

    def written_by(self, role: str) -> Collection[str]:
        """Return the categories that a role's tags may change, of those that are on."""
        wanted = WRITERS.get(role, ("decisions",))
        return tuple(name for name in self.kept if name in wanted)
