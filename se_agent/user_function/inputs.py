"""Where inputs come from: `--inputs MODULE:GENERATOR` and `--example "f(...)"`. Texts only.

The user's code is read here and runs in the jail: what it gives is found out by the survey
(`survey`).
"""

from __future__ import annotations

import ast
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.program.parsing import expression_tree
from se_agent.user_function.context import loaded, loader
from se_agent.user_function.function import UserFunction
from se_agent.user_function.module import Module, read

MOST = 2000
"""Inputs that are taken of an iterable; the rest is left."""

SHARES = 4
"""Shares of the made-up inputs. The search has one of them. The confirmation has the others,
and deals them out to the pairs of a block."""

_EXAMPLES = """\
def _example(code):
    return eval(code, dict(vars(_target)))


"""

_RECORDED = """\
def _recorded(index):
    import io
    import pickle

    class Reader(pickle.Unpickler):
        def find_class(self, module, name):
            if module == "se_agent.wire.records":
                return {"WireRecord": _data, "Named": _named, "RecordMember": _member}[name]
            return super().find_class(module, name)

    return Reader(io.BytesIO(_CALLS[index])).load()


_CLASSES = {}


def _named(module, name, fields, values):
    own = {"_fields": fields}
    return _class("tuple", module, name, fields, lambda: type("_", (tuple,), own))(values)


def _data(module, name, fields, values):
    import dataclasses
    made = lambda: dataclasses.make_dataclass("_", fields, init=False, eq=False)
    found = _class("data", module, name, fields, made)()
    vars(found).update(zip(fields, values))
    return found


def _member(module, enum, name):
    import enum as enums
    flag = name.lstrip("-").isdecimal()
    made = lambda: enums.IntFlag("_", {"_": 1 << 99}) if flag else enums.Enum("_", {name: name})
    kind = _class("enum", module, enum, name, made)
    return kind(int(name)) if flag else kind[name]


def _class(what, module, name, parts, made):
    key = what, module, name, parts
    if key not in _CLASSES:
        kind = _CLASSES[key] = made()
        kind.__module__, kind.__qualname__ = module, name
    return _CLASSES[key]


"""
"""Text that gives recorded arguments; the user's classes are made up, by name and fields."""

_MADE = f"""\
import functools as _functools


def _tuple(value):
    if type(value) is not tuple:
        kind = type(value).__name__
        raise TypeError(f"the generator gives {{kind}}, not a tuple of arguments")
    return value


@_functools.cache
def _all():
    import itertools
    return list(itertools.islice(_made() if callable(_made) else _made, {MOST}))


def _listed(index):
    return _tuple(_all()[index])


def _survey():
    import inspect
    if not callable(_made):
        return "listed", len(_all())
    needed = [
        p.name
        for p in inspect.signature(_made).parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    if len(needed) > 2:
        raise TypeError(f"the generator takes {{', '.join(needed)}}, not (rng, size) or (rng)")
    kind = ("listed", "seeded", "sized")[len(needed)]
    return kind, len(_all()) if kind == "listed" else 0


"""


@dataclass(frozen=True, kw_only=True)
class Source:
    """What the user said of inputs.

    Attributes:
        text: Source in whose namespace the expressions of inputs are evaluated. With a
            generator it defines `_survey()`, `_made` and `_listed(index)`.
        examples: Expressions of single inputs, each with the words that it was given in.
        generator: What was given as `--inputs`; empty without.
        modules: Files that the text loads.
        recorded: How many recorded inputs `_recorded(index)` gives.
        made_up: How many it gives after these that were made up, like them.
        sizes: Sizes that the generator is asked for, ascending; none: some are tried.
    """

    text: str
    examples: tuple[tuple[str, str], ...] = ()
    generator: str = ""
    modules: tuple[Module, ...] = ()
    recorded: int = 0
    made_up: int = 0
    sizes: tuple[int, ...] = ()

    @property
    def only_recorded(self) -> bool:
        """Whether calls that were recorded are all that was said of inputs."""
        return bool(self.recorded) and not self.generator and not self.examples


def source(
    target: UserFunction,
    generator: str,
    examples: Sequence[str],
    recorded: Sequence[bytes] = (),
) -> Source:
    """Return where the inputs of a function come from.

    Args:
        target: The function.
        generator: `MODULE:GENERATOR`, the module as a path or an importable name; or empty.
        examples: Calls of the function, as text.
        recorded: Arguments of calls that were recorded, in wire form.

    Raises:
        ProblemError: There is neither, a file is missing, or an example is no such call.
    """
    if not generator and not examples and not recorded:
        raise ProblemError(
            f"{target.function}: there are no inputs to call it with",
            hint=f'add --inputs MODULE:GENERATOR, or --example "{target.function}(...)"',
        )
    parts, modules = [loader()], []
    if examples:
        parts.append(f"_target = {loaded(target.module)}\n\n\n{_EXAMPLES}")
        modules.append(target.module)
    if generator:
        module, expression = _generator(target, generator)
        parts.append(f"_made = {expression}\n\n\n{_MADE}")
        modules += [module] if module else []
    if recorded:
        # The jail knows none of our modules; what is pickled here are values from the wire.
        parts.append(f"_CALLS = {_pickled(recorded)!r}\n\n\n{_RECORDED}")
    return Source(
        text="".join(parts),
        recorded=len(recorded),
        examples=tuple((_arguments(target.function, text), text) for text in examples),
        generator=generator,
        modules=tuple(modules),
    )


def with_made_up(given: Source, inputs: Sequence[bytes]) -> Source:
    """Return a source of recorded inputs that gives others, in wire form, after them."""
    more = f"_CALLS += {_pickled(inputs)!r}\n\n\n"
    return replace(given, text=given.text + more, made_up=len(inputs))


def _pickled(inputs: Sequence[bytes]) -> list[bytes]:
    return [pickle.dumps(wire.loads(data)) for data in inputs]


def _arguments(function: str, text: str) -> str:
    """Return the expression that gives the arguments of a call."""
    try:
        call = expression_tree(text.strip())
    except (SyntaxError, ValueError) as err:
        why = err.msg if isinstance(err, SyntaxError) else err
        why = f"not a Python expression: {why}{_odd(text)}"
        raise _no_example(function, text, why) from err
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != function:
        raise _no_example(function, text, f"not a call of {function!r}")
    if call.keywords:
        raise _no_example(function, text, "arguments are given by position, without keywords")
    arguments = ast.unparse(ast.Tuple(elts=call.args, ctx=ast.Load()))
    return f"_example({arguments!r})"


def _no_example(function: str, text: str, why: str) -> ProblemError:
    return ProblemError(
        f"--example {text!r}: {why}",
        hint=f"such as --example '{function}(1, [2, 3])', in single quotes: within double ones "
        "the shell replaces what follows $ and `",
    )


def _odd(text: str) -> str:
    """Name the first character that means nothing in Python outside of a text."""
    found = next((sign for sign in text if sign in "$?`"), "")
    return f" ({found!r} means nothing in Python)" if found else ""


def _generator(target: UserFunction, spec: str) -> tuple[Module | None, str]:
    """Return the file of a generator, if it is one of the user's, and its expression."""
    place, colon, name = spec.rpartition(":")
    if not colon or not place or not name.isidentifier():
        raise ProblemError(
            f"--inputs {spec}: not MODULE:GENERATOR", hint="such as --inputs cases.py:generate"
        )
    path = _file(target, place)
    if path is not None:
        module = read(path)
        _require(module, name, spec)
        return module, f"{loaded(module)}.{name}"
    return None, f"__import__('importlib').import_module({place!r}).{name}"


def _file(target: UserFunction, place: str) -> Path | None:
    """Return the file of a module; None when it can only be an installed one."""
    if place.endswith(".py") or "/" in place:
        return Path(place)
    relative = Path(*place.split("."))
    for folder in (Path.cwd(), target.module.root):
        for path in (folder / relative.with_suffix(".py"), folder / relative / "__init__.py"):
            if path.is_file():
                return path
    return None


def _require(module: Module, name: str, spec: str) -> None:
    from se_agent.program import source_check

    starred = any(
        isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        for node in module.tree.body
    )
    if not starred:
        source_check.require(name, [module.tree], module.path, f"--inputs {spec}:")
