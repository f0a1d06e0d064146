"""Texts that make a user's module run in the jail as it would run at home. Texts only.

A module needs its name, its package and its neighbours: relative imports, data classes and
its own globals then work. Not here: which folders the jail may read (`site`).
"""

from __future__ import annotations

from se_agent.user_function.function import UserFunction
from se_agent.user_function.module import Module

_ENTER = """\
def _enter(name, package, path):
    import importlib
    import sys

    module = sys.modules[__name__]
    if package:
        # The package is loaded first, in its own order: it may import this module back.
        former = importlib.import_module(name)
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, module)
        if hasattr(former, "__path__"):
            module.__path__ = former.__path__
    module.__name__, module.__package__, module.__file__ = name, package, path
    sys.modules[name] = module


"""

_LOAD = """\
def _load(name, package, path, text):
    import importlib
    import sys
    import types

    module = importlib.import_module(name) if package else types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
    return module


"""


def prelude(module: Module) -> str:
    """Return the source that a program runs after, so that it is taken for the module."""
    return f"{_ENTER}_enter({_address(module)})\ndel _enter\n"


def program(target: UserFunction, entry_point: str) -> str:
    """Return a program that is the target's module, whole, with its function as entry point."""
    return (
        # By this name the jail knows that its classes are those of the program.
        f"{_LOAD}_own = {loaded(target.module)}\n{entry_point} = _own.{target.function}\n"
    )


def loader() -> str:
    """Return the source of `_load`, for expressions made by `loaded`."""
    return _LOAD


def loaded(module: Module) -> str:
    """Return the expression that loads a module, in a text that begins with `loader()`."""
    return f"_load({_address(module)}, {module.text!r})"


def _address(module: Module) -> str:
    return f"{module.name!r}, {module.package!r}, {str(module.path)!r}"
