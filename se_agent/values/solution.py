"""A program of a run, and the changes it is made of: what operators make and the judge gets.

Not here: how changes are made and replayed (`operators.editing.genome`), nor what was measured
of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One exact change of a rule-made genome.

    Attributes:
        rule: Registered name of the rule.
        function: Qualified name of the function it changes; empty at module level. Where the
            program has several files it begins with that of the file: `pkg/mod.py:solve`.
        node: Hash of the code that it replaces; an edit whose node is gone is dropped.
        occurrence: Its place among the equal nodes of that function, from 0.
        parameters: Choices of the rule, in its own terms.
    """

    rule: str
    function: str
    node: str
    occurrence: int = 0
    parameters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A program and where it came from.

    Attributes:
        id: Place in the run, such as `Gen3_Sol_4`.
        files: Complete text by relative path, never a diff; one entry for a single program.
        parents: Ids of the solutions it was derived from (empty for the initial one).
        operator: Registered name of the operator that made it.
        strategy: The strategy it follows, if a plan named one.
        base: Id of the solution that `edits` start from; empty for a program of its own.
        edits: The genome, in the order of application.
    """

    id: str
    files: Mapping[str, str]
    parents: tuple[str, ...] = ()
    operator: str = "initial"
    strategy: str = ""
    base: str = ""
    edits: tuple[Edit, ...] = ()

    @cached_property
    def content(self) -> str:
        """Content address: equal up to layout, comments and the names of locals."""
        from se_agent.program.features import content_address

        return content_address(self.files)

    @property
    def root(self) -> str:
        """Id of the solution that its edits, and those of its children, start from."""
        return self.base or self.id

    @property
    def approach(self) -> str:
        """Its strategy, or the rules behind it, each once (LM-11); else its operator."""
        counts = Counter(edit.rule.rpartition(":")[2] for edit in self.edits)
        rules = " + ".join(f"{rule} x{n}" if n > 1 else rule for rule, n in counts.items())
        return self.strategy or rules or (self.operator if self.parents else "")

    @property
    def text(self) -> str:
        """The text of a single program."""
        (text,) = self.files.values()
        return text

    @property
    def all_text(self) -> str:
        """The texts of all its files, one after the other: to be searched or counted."""
        return "\n".join(text for _, text in sorted(self.files.items()))
