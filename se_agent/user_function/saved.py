"""An input on which two functions differ, as a Python file that `--inputs` reads back.

Not here: which input that is (`referee`), nor how it is shown.
"""

from __future__ import annotations

import math
import os
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any  # values of any type that may cross the wire

from se_agent import wire
from se_agent.errors import ProblemError, reason
from se_agent.files import plain
from se_agent.values.evaluation import Calls, Counterexample
from se_agent.wire.records import Named, RecordMember, WireRecord, parts

_HEAD = '''\
"""An input on which two functions differ; written by `se-agent prove --save-input`.

Each element of INPUTS is a tuple of arguments: f(*INPUTS[0]) calls a function with it, and
`se-agent prove OLD NEW --inputs {name}:INPUTS` compares two on it.{more}
"""
'''
_ONE_OBJECT = "\n\nArguments differ in what is one object, which is not written here: {places}."
_REPEATED = "\n\nThe difference shows when an answer is kept, changed, and asked for again."
_READABLE = "biufcUS"  # kinds of numpy elements that a list of values gives back


def require_free(path: Path) -> None:
    """Refuse a file that exists: what is there may be another input.

    Raises:
        ProblemError: There is such a file, or its folder is not there.
    """
    if os.path.lexists(path):
        raise ProblemError(f"--save-input {path}: exists already", hint="name a new file")
    if path.suffix != ".py" or not path.parent.is_dir():
        raise ProblemError(
            f"--save-input {path}: not the name of a Python file in a folder that exists",
            hint="give one such as counterexample.py",
        )


def save(path: Path, found: Counterexample) -> None:
    """Write an input into a new file.

    Raises:
        ProblemError: The file cannot be written.
    """
    try:
        plain.create(path, written(found, path.name))
    except OSError as err:
        raise ProblemError(
            f"--save-input {path}: cannot be written: {reason(err)}", hint="name another file"
        ) from err


def written(found: Counterexample, name: str) -> str:
    """Return the text of the file.

    Args:
        found: The input.
        name: Name of the file.
    """
    arguments = wire.loads(found.arguments.encode("utf-8", "surrogatepass"))
    links = wire.loads(found.links.encode())
    more = _ONE_OBJECT.format(places=_places(links)) if links else ""
    more += _REPEATED if found.calls is Calls.REPEATED else ""
    writer = _Writer()
    body = ",\n        ".join(writer.text(value) for value in arguments)
    head = _HEAD.format(name=name, more=more)
    imports = "".join(f"{line}\n" for line in sorted(writer.imports))
    return f"{head}\n{imports}\nINPUTS = [\n    (\n        {body},\n    ),\n]\n"


def _places(links: Any) -> str:
    return "; ".join(f"{_place(other)} is {_place(one)}" for one, other in links)


def _place(path: tuple[Any, ...]) -> str:
    return "".join(f"[{step!r}]" for step in ("INPUTS", 0, *path))[len("['INPUTS']") :]


class _Writer:
    """Writes values as expressions, and notes what these import."""

    def __init__(self) -> None:
        self.imports: set[str] = set()
        self._kinds: dict[type, Callable[[Any], str]] = {
            list: lambda x: f"[{self._row(x)}]",
            tuple: lambda x: f"({self._row(x)}{',' if len(x) == 1 else ''})",
            set: lambda x: f"{{{self._row(x)}}}" if x else "set()",
            frozenset: lambda x: f"frozenset([{self._row(x)}])",
            dict: self._dict,
            Counter: lambda x: self._of("collections", f"Counter({self._dict(x)})"),
            OrderedDict: lambda x: self._of("collections", f"OrderedDict({self._dict(x)})"),
            defaultdict: self._defaultdict,
            deque: lambda x: self._of("collections", f"deque([{self._row(x)}], {x.maxlen})"),
            float: _float,
            complex: lambda x: f"complex({_float(x.real)}, {_float(x.imag)})",
            int: lambda x: repr(x) if x.bit_length() < 10_000 else hex(x),
            WireRecord: self._record,
            Named: self._record,
            RecordMember: self._member,
        }

    def text(self, value: Any) -> str:
        """Return a value as an expression."""
        known = self._kinds.get(type(value))
        if known is not None:
            return known(value)
        module = type(value).__module__
        if module == "numpy":
            self.imports.add("import numpy")
            return (
                self._array(value) if type(value).__name__ == "ndarray" else self._scalar(value)
            )
        if module in ("datetime", "decimal"):
            self.imports.add(f"import {module}")
            return repr(value) if module == "datetime" else f"decimal.{value!r}"
        return repr(value)

    def _row(self, items: Any) -> str:
        return ", ".join(map(self.text, items))

    def _dict(self, items: Any) -> str:
        return f"{{{', '.join(f'{self.text(k)}: {self.text(v)}' for k, v in items.items())}}}"

    def _of(self, module: str, text: str) -> str:
        self.imports.add(f"import {module}")
        return f"{module}.{text}"

    def _defaultdict(self, value: Any) -> str:
        factory = getattr(value.default_factory, "__name__", "None")
        return self._of("collections", f"defaultdict({factory}, {self._dict(value)})")

    def _record(self, value: Any) -> str:
        module, name, fields, values = parts(value)
        self._class(module, name)
        held = zip(fields, values, strict=True)
        return f"{name}({', '.join(f'{field}={self.text(one)}' for field, one in held)})"

    def _member(self, value: RecordMember) -> str:
        self._class(value.module, value.enum)
        named = value.name.isidentifier()
        return f"{value.enum}.{value.name}" if named else f"{value.enum}({value.name})"

    def _class(self, module: str, name: str) -> None:
        self.imports.add(f"from {module} import {name.partition('.')[0]}")

    def _array(self, value: Any) -> str:
        if value.dtype.kind not in _READABLE or value.dtype.itemsize > 16:
            raw = f"numpy.frombuffer({value.tobytes()!r}, {value.dtype.str!r})"
            return f"{raw}.reshape({value.shape}).copy()"
        items = self.text(value.ravel().tolist())
        return f"numpy.array({items}, {value.dtype.str!r}).reshape({value.shape})"

    def _scalar(self, value: Any) -> str:
        return f"{self._array(value.reshape(1))}[0]"


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value!r}")'
