"""The part of an error report that says most, for whoever has room for a line. Pure.

Not here: what makes two errors the same (`error_template`).
"""

from __future__ import annotations

import re

from se_agent.program.error_template import cause_line

_OURS = re.compile(r"^  (?P<path>\S.*?):(?P<line>\d+) in (?P<name>\S+): ?(?P<code>.*)", re.M)
_PYTHON = re.compile(
    r"^  File \"(?P<path>[^\"\n]{1,300})\", line (?P<line>\d+)(?:, in (?P<name>\S+))?"
    r"(?:\n    (?P<code>.*))?",
    re.M,
)
_FOREIGN = re.compile(r"^<frozen |(?:^|/)(?:site|dist)-packages/|(?:^|/)lib/python\d")


def telling_part(text: str, width: int) -> str:
    """Return all of a report if it has at most `width` letters, else what says most of it.

    That is the exception, which stands last in a traceback, or the first error of a compiler,
    and the innermost frame of the program. A long message is cut, the frame stays.

    Args:
        text: Whatever a program, its compiler or its tests printed, of any length.
        width: Letters of one line, at most; spaces in a row count once.
    """
    if len(text) <= 4 * width and len(whole := " ".join(text.split())) <= width:
        return whole
    frame = _cut(_innermost_frame(text), width // 2)
    room = width - len(frame) - 2 if frame else width
    why = _cut(" ".join(cause_line(text).split()), room)
    return f"{why}, {frame}" if frame else why


def _innermost_frame(text: str) -> str:
    """Return place and code of the program's last frame; empty: no frame is told."""
    found = sorted((*_OURS.finditer(text), *_PYTHON.finditer(text)), key=re.Match.start)
    own = [frame for frame in found if not _FOREIGN.search(frame["path"])]
    if not own:
        return ""
    path, line, name, code = own[-1].group("path", "line", "name", "code")
    where = f"{path.rpartition('/')[2]}:{line}{f' in {name}' if name else ''}"
    return " ".join(f"{where}: {code}".split()) if code else where


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
