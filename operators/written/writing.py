"""What the operators share whose reply is a program: they ask for it, and read it.

Not here: the words, which are templates (`operators/prompts`), nor operators that plan.
"""

from __future__ import annotations

from typing import ClassVar

from operators.written.declaration import Declaration, declared_in
from operators.written.diffs import marks_for
from operators.written.marks import marked
from operators.written.prompting import messages
from operators.written.reading import program_in
from se_agent.chat.fencing import guarded, unguarded
from se_agent.chat.messages import Message
from se_agent.errors import ReplyError
from se_agent.program.features import summary
from se_agent.values.brief import Brief
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from se_agent.wire.spelling import encodable

_NO_PROGRAM = (
    "the reply holds no program: after the JSON block write the change, or the whole program, "
    "in the form that was asked for"
)


class Writing:
    """Base of the model-written operators that make a program.

    Attributes:
        name: Registered name; also of its templates.
        role: What its calls are for.
        arity: How many parents it takes.
    """

    name: ClassVar[str]
    role: ClassVar[str]
    arity: ClassVar[int] = 1

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        """Return the messages, what never changes first; see `ModelWritten`."""
        base = self.base(brief)
        marks = marks_for(base.text)
        return messages(self.name, brief, base, marks=marks, marked=marked(base.text))

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        """Return the candidate in a reply; None: the model says that there is none.

        Raises:
            ReplyError: There is no program in it, or none that can be used.
        """
        written, base = encodable(reply).replace("\r\n", "\n"), self.base(brief)
        shown = (base, *brief.slot.parents)
        was_guarded = any(guarded(each.text) != each.text for each in shown)
        reply = unguarded(written) if was_guarded else written
        found = program_in(reply, base, brief)
        if found is None:
            declared = declared_in(reply)
            if declared is not None and declared.gives_up:
                return None
            raise ReplyError(_NO_PROGRAM)
        (path,) = base.files
        child = brief.child({path: found.text}, operator=self.name)
        declared = declared_in(found.rest)
        if declared is None and was_guarded:  # JSON has escapes of its own
            declared = declared_in(written)
        notes = () if declared else ("nothing was declared",)
        if found.mended:
            notes = (*notes, f"mended without a call: {found.mended}")
        declared = declared or _undeclared(base.text, found.text, brief)
        return Proposal(
            solution=child,
            direction=declared.direction,
            expected_effect=declared.expected_effect,
            lessons_used=declared.lessons_used,
            notes=notes,
        )

    def base(self, brief: Brief) -> Solution:
        """Return the program that is changed: the first parent."""
        return brief.slot.parents[0]


def _undeclared(old: str, new: str, brief: Brief) -> Declaration:
    strategy = brief.slot.strategy
    change = f"Change {summary(old, new)}"
    return Declaration(
        direction=f"{change}, for {strategy}" if strategy else change,
        expected_effect="not declared",
    )
