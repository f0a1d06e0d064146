"""The program in a reply: a diff of another, or whole; read, held against what may change.

Every error is written for the model, which is told once. Not here: what it declares
(`declaration`), nor whether the program is right, which only a sandbox can say.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from unicodedata import category

from operators.written.blocks import FencedBlock, blocks
from operators.written.cited import cited
from operators.written.diffs import diff_in
from operators.written.marks import within_marks
from operators.written.replacing import replaced
from se_agent.errors import ReplyError
from se_agent.program.editable import in_words
from se_agent.program.features import changed_outside, content_address
from se_agent.program.normal_form import parse
from se_agent.program.parsing import tree_of
from se_agent.program.source_check import defined_names
from se_agent.values.brief import Brief, MendedText
from se_agent.values.solution import Solution

_HIDDEN = {"Cc", "Cf", "Zl", "Zp"}  # control, format, separators
_CUT = "the program is cut off at the end of the reply: write less around it"
_SAME = "the program is the same as one that was given, layout and names aside"


@dataclass(frozen=True)
class Found:
    """A program, what is left of the reply without it, and how its syntax was put right."""

    text: str
    rest: str
    mended: str = ""


def program_in(reply: str, base: Solution, brief: Brief) -> Found | None:
    """Return the program in a reply, or None where it holds no code at all.

    Args:
        reply: A model's.
        base: The program that a diff changes; where there are marks, what is outside of them.
        brief: Says what the program has to be.

    Raises:
        ReplyError: It holds code that cannot be used.
    """
    diff = diff_in(reply, base.text)
    if diff is not None:
        text = replaced(base.text, diff.replacements)
        made = _put_right(text, base, brief)
        return Found(made.text, diff.rest, made.change)
    return _whole(reply, base, brief)


def _whole(reply: str, base: Solution, brief: Brief) -> Found | None:
    """Return the one block that is a whole program; parts of one may stand beside it."""
    given = list(_programs(reply))
    found, errors = _found_in(given, base, brief, _plain)
    if not found:  # only then: another block may be a sketch of what stands beside it
        found, _ = _found_in(given, base, brief, _put_right)
    if len(found) > 1:
        raise ReplyError(
            f"{len(found)} blocks of the reply hold a whole program: write one of them only"
        )
    if not found:
        if errors:
            raise errors[-1]
        return None
    ((made, block),) = found.items()
    return Found(made.text, reply[: block.start] + reply[block.end :], made.change)


_Check = Callable[[str, Solution, Brief], MendedText]


def _found_in(
    given: list[FencedBlock], base: Solution, brief: Brief, check: _Check
) -> tuple[dict[MendedText, FencedBlock], list[ReplyError]]:
    """Return the blocks that are a program, by its text, and why others are none."""
    found, errors = dict[MendedText, FencedBlock](), list[ReplyError]()
    for block in given:
        try:
            found.setdefault(_from(block, base, brief, check), block)
        except ReplyError as err:
            errors.append(err)
    return found, errors


def _programs(reply: str) -> Iterator[FencedBlock]:
    for block in blocks(reply):
        if block.label != "json" and not block.text.lstrip().startswith("{") and block.text:
            yield block


def _from(block: FencedBlock, base: Solution, brief: Brief, check: _Check) -> MendedText:
    if not block.closed:
        raise ReplyError(_CUT)
    return check(block.text, base, brief)


def _plain(text: str, base: Solution, brief: Brief) -> MendedText:
    return MendedText(_checked(text, base, brief), "")


def _put_right(text: str, base: Solution, brief: Brief) -> MendedText:
    """Return a program that may be tried, its syntax put right where that is known how.

    Raises:
        ReplyError: It may not; the message speaks of the text as it was written.
    """
    try:
        return _plain(text, base, brief)
    except ReplyError:
        made = within_marks(base.text, text)
        mended = brief.mended_text(made, base.text) if brief.language == "python" else None
        if mended is not None:
            with suppress(ReplyError):
                return MendedText(_checked(mended.text, base, brief), mended.change)
        raise


def _checked(text: str, base: Solution, brief: Brief) -> str:
    """Return a program that may be tried, with what has to stay as it was.

    Raises:
        ReplyError: It may not; the message says why.
    """
    made = within_marks(base.text, text)
    _require_seen(made, base.text)
    if brief.language == "python":
        _require_python(made, brief)
    (path,) = base.files
    same = content_address({path: made})
    if same in {base.content, *(parent.content for parent in brief.slot.parents)}:
        raise ReplyError(_SAME)
    return made


def _require_seen(text: str, base: str) -> None:
    """Refuse characters that nobody sees, unless the program had them.

    Later prompts hold the program as it is, so that its lines can be repeated exactly.
    """
    new = set(text) - {*base, "\n", "\t"}
    if odd := sorted(character for character in new if category(character) in _HIDDEN):
        raise ReplyError(
            f"the program holds the character U+{ord(odd[0]):04X}, which nobody sees: write it "
            "as an escape"
        )


def _require_python(text: str, brief: Brief) -> None:
    tree = _parsed(text)
    if brief.entry_point and brief.entry_point.partition(".")[0] not in defined_names(tree):
        raise ReplyError(
            f"the program has to define {brief.entry_point!r} at its top level: write all of "
            "it, not only what is new"
        )
    kept = brief.slot.parents[0].text
    if brief.editable and _changed_outside(kept, text, brief.editable):
        raise ReplyError(
            f"only {in_words(brief.editable)} may change, or get a cache of functools. "
            "Imports, constants and functions may come, of new names, those of functions with "
            "an underscore: leave the rest, other decorators and defaults included, as it is"
        )


def _changed_outside(kept: str, text: str, function: str) -> bool:
    try:
        return changed_outside(kept, text, function)
    except (RecursionError, ValueError) as err:
        raise ReplyError(f"the program cannot be read: {err}") from None


def _parsed(text: str) -> ast.Module:
    if (tree := parse(text)) is not None:
        return tree
    try:  # once more, for what is wrong
        return tree_of(text)
    except SyntaxError as err:
        if err.lineno is None:  # such as of one that is nested too deep
            raise ReplyError(f"the program cannot be read: {err}") from None
        line = text.split("\n")[err.lineno - 1 : err.lineno] or [""]
        raise ReplyError(
            f"line {err.lineno} of the program is not valid Python: {err.msg}\n{cited(line)}"
        ) from None
    except (ValueError, RecursionError, MemoryError) as err:
        raise ReplyError(f"the program cannot be read: {err}") from None
