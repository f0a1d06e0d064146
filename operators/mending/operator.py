"""The operator that mends a failing program by a known fix, without a model (LF-41, LF-90).

It reads what the evaluator saw of the program, and what mended the same error in this run.
Whether the mended program is right is for the evaluator to say, as of any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from operators.mending.failing import FailingProgram, is_same_outside, parsed
from operators.mending.syntax import mended_syntax
from operators.mending.table import mended
from se_agent.program.editable import in_file
from se_agent.program.error_template import ErrorTemplate, error_template
from se_agent.program.features import content_address
from se_agent.program.language import Language
from se_agent.values.brief import Brief, MendedText
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.search_context import Failure
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal

if TYPE_CHECKING:
    from se_agent.abilities.optional import FailureMending, TextMending
    from se_agent.protocols import Operator

_MOST = 8  # texts that are made of one failing program
_LONGEST = 60_000  # letters of a program that is mended: a longer one takes seconds
_TOLD = (Status.RE, Status.CE)


class _Made(NamedTuple):
    """A mended text, and what was done."""

    text: str
    change: str


class Mend:
    """Mends a failed candidate by a known fix; the child is compared with that one's parent."""

    name = "mend"
    arity = 1
    language = Language.PYTHON
    mends: ClassVar[bool] = True

    def can_mend(self, brief: Brief) -> bool:
        """Say whether it has something new for the failure of a brief; see `FailureMending`."""
        return next(self._new(brief), None) is not None

    def propose(self, brief: Brief) -> Proposal | None:
        """Return text number `brief.slot.variant` that was not tried yet."""
        made = next(islice(self._new(brief), brief.slot.variant, None), None)
        if made is None or brief.search.failure is None:
            return None
        failed = brief.search.failure.solution
        path = _changed(failed, brief.slot.parents[0])
        error = _error(brief.search.failure.evaluation)
        return Proposal(
            solution=brief.child({**failed.files, path: made.text}, operator=self.name),
            direction=made.change,
            expected_effect=f"right where it said: {error.words or 'a wrong answer'}",
        )

    def mended_text(self, text: str, parent: str) -> MendedText | None:
        """Return a text that is no Python as Python, by what is known of syntax errors.

        It may not be what was meant; whether it is right is for the evaluator to say.
        """
        if len(text) > _LONGEST or parsed(text) is not None:
            return None
        program = FailingProgram(text=text, parent=parent, error=error_template(""))
        found = (new for new in mended_syntax(program) if parsed(new.text) is not None)
        made = next(found, None)
        return None if made is None else MendedText(*made)

    def _new(self, brief: Brief) -> Iterator[_Made]:
        """Yield what was not tried yet, neither the failed text nor its parent's."""
        failure, parents = brief.search.failure, brief.slot.parents
        if failure is None or not (path := _changed(failure.solution, parents[0])):
            return
        failed, own = failure.solution, in_file(brief.editable, path) or ""
        known = {failed.content, *(parent.content for parent in parents)}
        program = _failing(brief, failure, path)
        for made in _made(program):
            content = content_address({**failed.files, path: made.text})
            if content in known or content in brief.tried:
                continue
            known.add(content)
            if not own or is_same_outside(made.text, program.parent, own):
                yield made


def _changed(failed: Solution, parent: Solution) -> str:
    """Return the file in which a failed program differs; empty: none that can be mended."""
    paths = [path for path, text in failed.files.items() if text != parent.files.get(path)]
    paths = paths or list(failed.files)
    is_python = len(paths) == 1 and paths[0].endswith(Language.PYTHON.suffix)
    return paths[0] if is_python and len(failed.files[paths[0]]) <= _LONGEST else ""


def _failing(brief: Brief, failure: Failure, path: str) -> FailingProgram:
    seen, parent = failure.evaluation, brief.slot.parents[0].files.get(path, "")
    got = seen.failing[0].got.strip() if seen.failing else ""
    return FailingProgram(
        text=failure.solution.files[path],
        parent=parent if len(parent) <= _LONGEST else "",
        error=_error(seen),
        told=seen.feedback,
        is_none=seen.status is Status.WA and got == "None",
        entry_point=brief.entry_point,
        imports=brief.imports,
        fixes=brief.session.known_fixes,
    )


def _error(seen: Evaluation) -> ErrorTemplate:
    """Return what a program says itself; of a wrong answer there is no word."""
    return error_template(seen.feedback if seen.status in _TOLD else "")


@lru_cache(maxsize=32)  # asked when the slot is chosen, and again when it is filled
def _made(program: FailingProgram) -> tuple[_Made, ...]:
    """Return what a program may become; its path plays no part."""
    return tuple(_Made(*one) for one in islice(mended(program), _MOST))


if TYPE_CHECKING:
    _: Operator = Mend()
    _mending: FailureMending = Mend()
    _texts: TextMending = Mend()
