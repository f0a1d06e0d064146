"""Texts that are no Python yet: a colon, a bracket, an indentation is put right.

The parser says where it stopped and why. Each of a few changes there is tried, and one that
lets it come further is built upon; what it says of the rest is then heard in its turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from operators.mending.failing import FailingProgram, Mended
from se_agent.program.parsing import tree_of

_ROUNDS = 5  # changes that a text may need
_TRIES = 80  # texts that are parsed
_WIDTH = 4  # texts that a round builds upon
_HEADER = re.compile(
    r"\s*(?:async |def |class |if |elif |else\b|for |while |try\b|except\b|finally\b|with )"
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_FOREIGN = (
    (re.compile(r"\s*&&\s*"), " and "),
    (re.compile(r"\s*\|\|\s*"), " or "),
    (re.compile(r"\belse if\b"), "elif"),
    (re.compile(r"!(?!=)\s*"), "not "),
    (re.compile(r"<>"), "!="),
    (re.compile(r"(\w+)\+\+"), r"\1 += 1"),
    (re.compile(r"(\w+)--"), r"\1 -= 1"),
    (re.compile(r";\s*$"), ""),
    (re.compile(r"\b(except\s+[\w.]+)\s*,\s*(\w+)"), r"\1 as \2"),
    (re.compile(r"\b(raise\s+[\w.]+)\s*,\s*(.+)$"), r"\1(\2)"),
)
_PRINT = re.compile(r"\bprint\s+(?!\()(.*?)(,?)\s*$")
_ENDS = re.compile(r" (?:or|and|==|!=|<=?|>=?) ")


def mended_syntax(program: FailingProgram) -> Iterator[Mended]:
    """Yield texts that parse, the fewest changes first."""
    level, left = [_without_fences(program.text).expandtabs(4)], _TRIES
    if _error(level[0]) is None:
        yield Mended(level[0], "Take out marks and tabs")
        return
    for _ in range(_ROUNDS):
        deeper: list[tuple[_Place, str]] = []
        for text, error in [(text, error) for text in level if (error := _error(text))]:
            for new in list(dict.fromkeys(_changed(text, error)))[:left]:
                left -= 1
                later = _error(new)
                if later is None:
                    yield Mended(new, f"Put right: {error.msg}")
                elif _place(later) > _place(error):
                    deeper.append((_place(later), new))
        deeper.sort(key=lambda one: one[0], reverse=True)
        level = [text for _, text in deeper[:_WIDTH]]


_Place = tuple[int, int]
"""Line and column at which the parser stops."""


def _place(error: SyntaxError) -> _Place:
    return error.lineno or 0, error.offset or 0


def _error(text: str) -> SyntaxError | None:
    try:
        tree_of(text)
    except SyntaxError as err:
        return err
    except ValueError:
        return SyntaxError("no text")
    return None


def _without_fences(text: str) -> str:
    """Return a text without the marks of a block of code."""
    return re.sub(r"^```.*\n?", "", text, flags=re.MULTILINE)


def _changed(text: str, error: SyntaxError) -> Iterator[str]:
    lines, row = text.split("\n"), (error.lineno or 1) - 1
    if not 0 <= row < len(lines):
        return
    said = error.msg
    for sign, changed in _BY_MESSAGE:
        if sign in said:
            yield from (_joined(lines, *new) for new in changed(lines, row, error))
    if said.startswith("invalid syntax") or "was never closed" in said:
        yield from (_joined(lines, *new) for new in _foreign(lines, row))
        yield from (_joined(lines, *new) for new in _closed(lines, row))
    if said.startswith("invalid syntax") and row:
        yield from (_joined(lines, *new) for new in _closed(lines, row - 1))


_New = tuple[int, list[str]]
"""A row from which on lines are replaced, and the new lines."""


def _joined(lines: list[str], row: int, new: list[str]) -> str:
    return "\n".join([*lines[:row], *new, *lines[row + len(new) :]])


def _with_colon(lines: list[str], row: int, error: SyntaxError) -> Iterator[_New]:
    code, comment = _code(lines[row])
    yield row, [f"{code}:{comment}"]
    place = (error.offset or 1) - 1
    yield row, [f"{lines[row][:place].rstrip()}: {lines[row][place:].lstrip()}".rstrip()]


def _without_bracket(lines: list[str], row: int, error: SyntaxError) -> Iterator[_New]:
    place = (error.offset or 1) - 1
    yield row, [lines[row][:place] + lines[row][place + 1 :]]


def _indented(lines: list[str], row: int, _: SyntaxError) -> Iterator[_New]:
    """Yield a line, or all that stand as it does, within the block before it."""
    header = next((r for r in range(row - 1, -1, -1) if lines[r].strip()), 0)
    wanted = _indent(lines[header]) + 4
    yield row, [" " * wanted + lines[row].strip()]
    yield row, _moved(lines, row, wanted)


def _aligned(lines: list[str], row: int, _: SyntaxError) -> Iterator[_New]:
    """Yield a block at each of the indentations before it, the nearest first."""
    now, levels = _indent(lines[row]), dict.fromkeys(map(_indent, filter(None, lines[:row])))
    for level in sorted(levels, key=lambda level: (abs(level - now), -level)):
        yield row, [" " * level + lines[row].strip()]
        yield row, _moved(lines, row, level)


def _as_before(lines: list[str], row: int, _: SyntaxError) -> Iterator[_New]:
    """Yield a line, or its block, as far to the right as the one before."""
    before = next((r for r in range(row - 1, -1, -1) if lines[r].strip()), 0)
    yield row, _moved(lines, row, _indent(lines[before]))
    yield row, [" " * _indent(lines[before]) + lines[row].strip()]


def _moved(lines: list[str], row: int, level: int) -> list[str]:
    """Return the lines from a row on that stand as far to the right, moved to a level."""
    now, out = _indent(lines[row]), list[str]()
    for line in lines[row:]:
        if line.strip() and _indent(line) < now:
            break
        out.append(" " * (level + _indent(line) - now) + line.strip() if line.strip() else line)
    return out


def _printed(lines: list[str], row: int, _: SyntaxError) -> Iterator[_New]:
    found = _PRINT.search(lines[row])
    if found:
        end = ", end=' '" if found[2] else ""
        yield row, [f"{lines[row][: found.start()]}print({found[1]}{end})"]


def _compared(lines: list[str], row: int, _: SyntaxError) -> Iterator[_New]:
    yield row, [re.sub(r"(?<![=!<>:])=(?!=)", "==", lines[row])]


def _with_comma(lines: list[str], row: int, error: SyntaxError) -> Iterator[_New]:
    """Yield a comma behind each part of what the parser shows."""
    first, last = (error.offset or 1) - 1, (error.end_offset or len(lines[row])) - 1
    for found in re.finditer(r"\s+", lines[row][first:last]):
        place = first + found.start()
        yield row, [f"{lines[row][:place]},{lines[row][place:]}"]


def _with_quote(lines: list[str], row: int, error: SyntaxError) -> Iterator[_New]:
    quote = lines[row][(error.offset or 1) - 1 : (error.offset or 1)]
    code = lines[row].rstrip()
    ends = len(code) - len(code.rstrip(")]}:,"))
    for end in range(ends, -1, -1):
        yield row, [code[: len(code) - end] + quote + code[len(code) - end :]]


def _foreign(lines: list[str], row: int) -> Iterator[_New]:
    """Yield a line in Python's words where it has another language's."""
    for pattern, new in _FOREIGN:
        changed = pattern.sub(new, lines[row])
        if changed != lines[row]:
            yield row, [changed]


def _closed(lines: list[str], row: int) -> Iterator[_New]:
    """Yield a line with its open brackets closed, in front of an operator or at its end."""
    code, comment = _code(lines[row])
    colon = ":" if _HEADER.match(code) and code.endswith(":") else ""
    code = code.removesuffix(colon) if colon else code
    left = _open_brackets(code)
    if not left:
        return
    place, sign = left[-1]
    if sign == "(" and place and (code[place - 1].isalnum() or code[place - 1] == "_"):
        for found in _ENDS.finditer(code, place):
            yield row, [f"{code[: found.start()]}){code[found.start() :]}{colon}{comment}"]
    closing = "".join(_CLOSING[sign] for _, sign in reversed(left))
    yield row, [f"{code.rstrip().removesuffix(',')}{closing}{colon}{comment}"]


def _open_brackets(code: str) -> list[tuple[int, str]]:
    """Return the brackets of a line that it does not close, with their places."""
    left: list[tuple[int, str]] = []
    quote = ""
    for place, sign in enumerate(code):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in _CLOSING:
            left.append((place, sign))
        elif left and sign == _CLOSING[left[-1][1]]:
            left.pop()
    return left


def _code(line: str) -> tuple[str, str]:
    """Return a line without its comment, and the comment with the room before it."""
    code = re.sub(r"\s*#[^'\"]*$", "", line).rstrip()
    return code, line[len(code) :].rstrip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


_BY_MESSAGE: tuple[tuple[str, Callable[[list[str], int, SyntaxError], Iterator[_New]]], ...] = (
    ("expected ':'", _with_colon),
    ("unmatched", _without_bracket),
    ("expected an indented block", _indented),
    ("unindent does not match", _aligned),
    ("unexpected indent", _as_before),
    ("call to 'print'", _printed),
    ("Maybe you meant '=='", _compared),
    ("forgot a comma", _with_comma),
    ("unterminated string", _with_quote),
)
