"""The template of an error: its words, with slots for what differs from run to run (AM-64).

A program that fails prints a traceback, a diagnostic, a report or a page of tests. One line of
it says why: that one is found, and numbers, names, paths, addresses and literals are taken out.
What is left is equal for one error wherever it happens, so it can be counted and looked up.
Pure. Not here: what mends an error (`operators.mending`), nor who remembers that
(`se_agent.memory`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

SLOT = "<*>"
"""What stands for a value in a template."""

_LONGEST = 400  # letters of the line that says why: no message has its cause further behind
_DEEPEST = 8  # brackets within each other that are one literal
_NEAR = 400  # letters behind a sanitizer's line in which it says whether that was a read

_RAISED = re.compile(r"(?:\w+\.){0,9}\w*(?:Error|Exception|Interrupt|Exit|StopIteration)\b")
_UNINDENTED = re.compile(r"\n(?=[^\s~^|])")
_MODULE = re.compile(r"^(?:\w+\.)+(?=\w+(?::|$))")
_ACCESS = re.compile(r"\b(?:READ|WRITE)\b")
_HINTS = re.compile(
    r"[.;] [Dd]id you (?:mean|forget)\b.*"  # Python's and gcc's guesses
    r"| \[-W[^\]]*\]"  # the flag that asks for a warning
    r"| \(detected at line \d+\)"
    r"| \([^()]*(?::|, line )\d+\)$"  # the place of a syntax error
    r"| while calling a Python object$| in comparison$| in __\w+__$"
)
_PLURAL = re.compile(r"\b(argument|byte|character|element|item|line|time|value)s\b")
_SLOTS = re.compile(
    r"<\*>"
    r"|(?<!\w)'(?:[^'\\]|\\.)*'"
    r'|(?<!\w)"(?:[^"\\]|\\.)*"'
    r"|\u2018[^\u2019]*\u2019|`[^'`]*['`]"
    r"|<(?=[A-Za-z_])[^<>]*>"  # <__main__.Node object at 0x7f3a>
    r"|(?<![\w./~-])[\w.~-]*/[\w./~+-]*(?::\d+)*"  # a path, and a line of its file
    r"|(?<!\w)[-+]?\.?(?=\w*\d)\w[\w.]*(?:(?<=[eE])[-+]\d+)?"  # a number, or a name with one
    r"|(?<!\w)(?=\w*_)\w+(?:\.\w+)*"  # snake_case
    r"|(?<![\w.])[A-Za-z]\w*(?:\.\w+)+"  # dotted.name
    r"|(?<!\w)[A-Za-z]\w*(?=\()"  # called()
    r"|(?<=\bnot )(?:bool|bytes|dict|float|int|list|set|str|tuple)\b"
    r"|(?<=\bfor )[-+*/%&|^<>=@~]+(?=:)"  # an operator between operands of wrong types
    r"|(?<!\w)[-+]?(?:True|False|None|inf|nan)\b"
)
_LITERAL = re.compile(
    r"\((?:<\*>|[\s,:+*/%-])*\)|\[(?:<\*>|[\s,:+*/%-])*\]|\{(?:<\*>|[\s,:])*\}"
)
_ROW = re.compile(r"<\*>(?:(?:,? and|,)? *<\*>)+")
_UNPARSED = ("SyntaxError", "IndentationError", "TabError")
_TELLS_BY_SIGNS = ("SyntaxError", "error:")  # "expected ':'" is not "expected ')'"
_TELLS_BY_TYPE = "NoneType"  # where no value came back, that is the cause


@dataclass(frozen=True)
class ErrorTemplate:
    """What an error says, apart from what it says it of.

    Attributes:
        words: The message with `<*>` in its slots; templates are equal if their words are.
        slots: What stood in them, in this order, without quotes.
    """

    words: str
    slots: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Sixteen hex digits, the same in each process and version of the house."""
        return hashlib.sha256(self.words.encode("utf-8", "replace")).hexdigest()[:16]


@lru_cache(maxsize=64)  # a failure is looked up by several readers, one after the other
def error_template(text: str) -> ErrorTemplate:
    """Return the template of the error that a text tells of; of an empty text an empty one.

    Args:
        text: Whatever a program, its compiler or its tests printed, of any length.
    """
    line = _MODULE.sub("", _HINTS.sub("", cause_line(text)[:_LONGEST].strip()))
    if line.startswith("AssertionError: assert "):
        line = line.partition(" ")[2]  # as pytest says it where it has no message
    slots: list[str] = []
    words = _SLOTS.sub(_slot_filler(slots, line.startswith(_TELLS_BY_SIGNS)), line)
    for _ in range(_DEEPEST):
        words, found = _LITERAL.subn(SLOT, words)
        if not found:
            break
    words = _PLURAL.sub(r"\1", _ROW.sub(SLOT, words)).replace(" were ", " was ")
    return ErrorTemplate(" ".join(words.split()), tuple(slots))


def _slot_filler(slots: list[str], by_signs: bool) -> Callable[[re.Match[str]], str]:
    """Return what puts a slot in place of a value, and adds the value to a list."""

    def fill(found: re.Match[str]) -> str:
        whole = found[0]
        value = whole[1:-1] if whole[0] in "'\"\u2018`" else whole
        is_sign = bool(value) and not any(letter.isalnum() for letter in value)
        if value == _TELLS_BY_TYPE or (by_signs and is_sign and whole != SLOT):
            return whole
        if whole != SLOT:
            slots.append(value)
        return SLOT

    return fill


def cause_line(text: str) -> str:
    """Return the line of a report that says why, from where it begins to.

    Each kind of report is found by words that are searched for in all of the text: a regular
    expression would take ten times as long.
    """
    first = text.lstrip()
    if _RAISED.match(first[:_LONGEST]):
        return _line(first, 0)
    for find in (_of_sanitizer, _of_pytest, _of_traceback, _of_compiler):
        found = find(text)
        if found:
            return found
    return _line(first, 0)


def _of_sanitizer(text: str) -> str:
    place = text.find("Sanitizer: ")
    if place >= 0:
        start = text.rfind("\n", 0, place) + 1
        start = max(
            start, text.rfind(" ", start, place) + 1
        )  # behind the number of the process
        line = _line(text, start)
        access = _ACCESS.search(text, start, start + len(line) + _NEAR)
        return f"{line} {access[0]}" if access and access[0] not in line else line
    place = text.find("runtime error: ")
    return _line(text, place) if place >= 0 else ""


def _of_pytest(text: str) -> str:
    place = text.find("\nE   ")
    return _line(text, place + 2).strip() if place >= 0 else ""


def _of_traceback(text: str) -> str:
    """Return the exception of the last traceback; one of a syntax error may have no head."""
    start = text.rfind("Traceback (most recent call last)")
    if start >= 0:
        found = _UNINDENTED.search(text, start)
        return _line(text, found.end()) if found else ""
    for name in _UNPARSED:
        place = text.find(f"\n{name}: ")
        if place >= 0:
            return _line(text, place + 1)
    return ""


def _of_compiler(text: str) -> str:
    """Return the first error, which others may come of; a warning only where there is none."""
    for sign in ("error: ", "undefined reference to ", "warning: "):
        place = text.find(sign)
        if place >= 0:
            return _line(text, place)
    return ""


def _line(text: str, start: int) -> str:
    """Return the rest of a line."""
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]
