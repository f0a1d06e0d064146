"""What an exception of a candidate means: a status, and words in the candidate's terms.

Runs in the child. Only frames of the candidate's own text are shown: ours are no business
of whoever reads the feedback.
"""

from __future__ import annotations

import builtins
import errno
import re
import sys
import traceback
from types import ModuleType, TracebackType

from evaluators.sandbox.isolation import ordinary

_LINE_END = re.compile(r"\r\n|[\r\n]")  # as Python counts; `splitlines` knows others
_LONGEST = 500
_MARK = 40  # half the bytes of the mark between two ends
_ALL = 1 << 16  # letters of names that are compared, and so must not end before they differ
_FRAMES = 3
_BUILT_IN = frozenset(
    id(kind)
    for kind in vars(builtins).values()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)
"""By identity, and as Python began: a class may claim any name, and to equal any other."""

# A class of a candidate may have a class of its own, which answers as it likes.
_NAME, _MODULE, _QUALIFIED, _MRO = (
    type.__dict__[name].__get__
    for name in ("__name__", "__module__", "__qualname__", "__mro__")
)


def status_of(error: BaseException, *, jailed: bool) -> str:
    """Return REJECTED when the jail caused it, RE otherwise."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        if jailed and _refused(link):
            return "REJECTED"
        link = link.__cause__ or link.__context__
    return "RE"


def _refused(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in (errno.EPERM, errno.EACCES, errno.EROFS)
    return isinstance(error, RuntimeError) and "start new thread" in brief(error)


def brief(error: BaseException) -> str:
    """Return "ValueError: text", cut; the text is whatever the candidate made it.

    A class that is not built in is named with its module: "json.decoder.JSONDecodeError". That
    of the program is called "main".
    """
    kind = type(error)
    name = _NAME(kind)
    if id(kind) not in _BUILT_IN:
        # Whoever compares types reads up to the first colon.
        name = f"{_home(kind)}.{name}"[:_LONGEST].replace(":", "?")
    try:
        text = str(error)[:_LONGEST]
    except BaseException:  # noqa: BLE001  (the candidate's own __str__)
        text = ""
    return f"{name}: {text}" if text else name


def whole_text(error: BaseException, most: int) -> str:
    """Return the text of an exception, where `brief` cuts it: all, or both ends of it.

    Args:
        error: An exception of the program.
        most: Bytes.
    """
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001  (the candidate's own __str__)
        return ""
    data = text.encode("utf-8", "backslashreplace")
    if len(text) <= _LONGEST or len(data) <= most:
        return text if len(text) > _LONGEST else ""
    half = most // 2 - _MARK
    head, tail = (part.decode("utf-8", "ignore") for part in (data[:half], data[-half:]))
    return f"{head}\n[... {len(data) - 2 * half} bytes are left out here ...]\n{tail}"


def lineage(error: BaseException) -> str:
    """Return the names of the class of an exception and of those that it inherits from.

    A class is named by where it is defined if it is found there, and marked if it is not: one
    that only calls itself like another is another.
    """
    return " < ".join(map(_named, _MRO(type(error))))[:_ALL]


def _named(kind: type) -> str:
    name = f"{_home(kind)}.{_QUALIFIED(kind)}"
    if id(kind) in _BUILT_IN or kind is object:
        return _NAME(kind)  # type: ignore[no-any-return]
    found: object = sys.modules.get(str(_MODULE(kind)))
    for step in str(_QUALIFIED(kind)).split("."):
        found = vars(found).get(step) if isinstance(found, type | ModuleType) else None
    return name if found is kind else f"~{name}"


def _home(kind: type) -> str:
    """Return the name of the module of a class.

    The module of a program is named alike in all: two files that define the same class of an
    exception raise the same.
    """
    name, main = str(_MODULE(kind)), sys.modules.get(ordinary.MODULE)
    own = (main, vars(main).get("_own")) if isinstance(main, ModuleType) else ()
    found = sys.modules.get(name)
    return ordinary.MODULE if any(one is found is not None for one in own) else name


def feedback(error: BaseException, *, path: str, source: str) -> str:
    """Return the exception and the candidate's innermost frames, one a line.

    Args:
        error: What was raised.
        path: File name of the candidate's code objects.
        source: Its text, for the lines shown.
    """
    if isinstance(error, SyntaxError) and error.filename == path:
        return f"{type(error).__name__}: {error.msg} ({path}:{error.lineno})"
    sources = _sources() or {path: source}
    frames = list(_frames(error.__traceback__, sources))[-_FRAMES:]
    lines = {file: _LINE_END.split(sources[file]) for file, _, _ in frames}
    places = [f"  {f}:{n} in {name}: {_line(lines[f], n)}" for f, n, name in frames]
    return "\n".join([brief(error), *places])


def _sources() -> dict[str, str]:
    """Return the texts by path of the modules that a program is made of, if it is."""
    main = sys.modules.get(ordinary.MODULE)
    found = vars(main).get("_sources") if isinstance(main, ModuleType) else None
    if type(found) is not dict or not all(type(v) is str for kv in found.items() for v in kv):
        return {}
    return found


def _frames(trace: TracebackType | None, sources: dict[str, str]) -> list[tuple[str, int, str]]:
    return [
        (frame.f_code.co_filename, number, frame.f_code.co_qualname.replace(".<locals>", ""))
        for frame, number in traceback.walk_tb(trace)
        if frame.f_code.co_filename in sources
    ]


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1].strip()[:100] if 0 < number <= len(lines) else ""
