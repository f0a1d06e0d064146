"""The fixes of an error, by the words of its template: verified ones of this run first.

To add one, write what yields the mended text, and name it here with the template's words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from operators.mending.failing import FailingProgram, Fix, Mended, parsed, with_top_lines
from operators.mending.names import (
    mended_entry,
    mended_members,
    mended_names,
    mended_scope,
    unbound,
    with_words,
)
from operators.mending.syntax import mended_syntax
from operators.mending.values import (
    mended_half,
    mended_key,
    mended_method,
    mended_return,
    mended_self,
)
from se_agent.program.error_template import error_template
from se_agent.values.session import KnownFix

_ADDED = re.compile(r"\b[Aa]dd `((?:import|from) [^`\n]{1,200})`")
_REPLACED = re.compile(r"\b[Rr]eplace `([^`\n]{1,200})` by `([^`\n]{0,200})`")

_BY_WORDS: tuple[tuple[str, Fix], ...] = (
    ("SyntaxError: ", mended_syntax),
    ("IndentationError: ", mended_syntax),
    ("TabError: ", mended_syntax),
    ("the program defines no <*>", mended_entry),
    ("NameError: name <*> is not defined", mended_names),
    ("NameError: cannot access free variable <*>", mended_scope),
    ("UnboundLocalError: ", mended_scope),
    ("AttributeError: module <*> has no attribute <*>", mended_members),
    ("AttributeError: <*> object has no attribute <*>", mended_method),
    ("TypeError: <*> takes <*> positional argument but <*> was given", mended_self),
    ("TypeError: list indices must be integers or slices, not <*>", mended_half),
    ("TypeError: <*> object cannot be interpreted as an integer", mended_half),
    ("TypeError: can't multiply sequence by non-int of type <*>", mended_half),
    ("TypeError: slice indices must be integers", mended_half),
    ("TypeError: unhashable type: <*>", mended_key),
)
_NONE = "NoneType"


def mended(program: FailingProgram) -> Iterator[Mended]:
    """Yield what may mend a program, the likeliest first; each text is Python."""
    for fix in (_known, *_fixes(program)):
        for new in fix(program):
            if new.text != program.text and parsed(new.text) is not None:
                yield new._replace(text=with_words(new.text))


def _fixes(program: FailingProgram) -> Iterator[Fix]:
    words = program.error.words
    for start, fix in _BY_WORDS:
        if words.startswith(start):
            yield fix
    if program.is_none or (words.startswith("TypeError: ") and _NONE in words):
        yield mended_return


def _known(program: FailingProgram) -> Iterator[Mended]:
    """Yield what verified fixes of this run make of it: an import, or other words."""
    for known in program.fixes:
        if not known.verified or not _is_of(known, program):
            continue
        text = program.text
        for old, new in _REPLACED.findall(known.solution):
            text = _with_words_replaced(text, old, new)
        missing = unbound(program.tree) if program.tree else []
        lines = [line for line in _ADDED.findall(known.solution) if _binds_one(line, missing)]
        yield Mended(with_top_lines(text, lines), known.solution)


def _with_words_replaced(text: str, old: str, new: str) -> str:
    """Return a text with some words replaced, where they are no part of a longer one."""
    first = r"\b" if re.match(r"\w", old) else ""
    last = r"\b" if re.search(r"\w$", old) else ""
    return re.sub(f"{first}{re.escape(old)}{last}", lambda _: new, text)


def _is_of(known: KnownFix, program: FailingProgram) -> bool:
    words = program.error.words
    return bool(words) and error_template(known.error_pattern).words == words


def _binds_one(line: str, names: list[str]) -> bool:
    tree = parsed(line)
    aliases = [n for n in ast.walk(tree) if isinstance(n, ast.alias)] if tree else []
    return any((a.asname or a.name).partition(".")[0] in names for a in aliases)
