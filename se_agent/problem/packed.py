"""A package, some of whose modules are replaced, and the workload that calls it, in one text.

The text is a program like any other: a sandbox runs it, and its entry point is the workload.
The modules are replaced as they are imported, each in its turn and under its own name. So who
takes a function of theirs by name, in the package or in the workload, gets the new one. Pure:
the texts are put together here, and nothing is imported.

Not here: which folders a sandbox may read, and how its limits are chosen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from se_agent.problem.model import Problem, Workload
from se_agent.program.parsing import tree_of

_LOADERS = """\
def _replace(rows):
    import importlib.util
    import sys

    class Loader:
        def __init__(self, path, file, text):
            self.path, self.file, self.text = path, file, text

        def create_module(self, spec):
            return None

        def get_source(self, name):
            return self.text

        def get_filename(self, name):
            return self.file

        def exec_module(self, module):
            exec(compile(self.text, self.path, "exec", dont_inherit=True), module.__dict__)

    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name not in known:
                return None
            where, file, inner, text = known[name]
            return importlib.util.spec_from_file_location(
                name, file, loader=Loader(where, file, text), submodule_search_locations=inner
            )

    known = {name: row for name, *row in rows}
    if there := [name for name in known if name in sys.modules]:
        raise ImportError(f"{there[0]} was imported before the program was there")
    sys.meta_path.insert(0, Finder())


def _import(modules, names):
    import importlib

    for name in modules:
        importlib.import_module(name)
    # What the workload imports as it runs is loading, too: a call that is timed pays for none.
    for name, inner in names:
        try:
            module = importlib.import_module(name)
            if inner and not hasattr(module, inner):
                importlib.import_module(f"{name}.{inner}")
        except Exception:
            pass


def _workload(name, package, file, text):
    import importlib
    import sys
    import types

    module = importlib.import_module(name) if package else types.ModuleType(name)
    module.__file__ = file
    sys.modules[name] = module
    exec(compile(text, file, "exec", dont_inherit=True), module.__dict__)
    return module


"""


def packed_text(workload: Workload, files: Mapping[str, str], entry_point: str) -> str:
    """Return the program that runs a workload on these files.

    Args:
        workload: The workload.
        files: Texts by path; those that are no module of the program are left out.
        entry_point: The name that the workload's function gets.
    """
    rows = [
        (module.name, path, module.file, _inner(path, module.file), files[path])
        for path, module in workload.modules.items()
        if path in files
    ]
    names = [row[0] for row in rows]
    home = (workload.name, workload.package, workload.file, workload.text)
    return (
        f"{_LOADERS}_sources = {{path: text for _, path, _, _, text in {rows!r}}}\n"
        f"_replace({rows!r})\n"
        f"_import({names!r}, {_imported(workload.text)!r})\n"
        f"{entry_point} = _workload{home!r}.{workload.function}\n"
    )


def packed_program(problem: Problem, files: Mapping[str, str]) -> str:
    """Return the program that runs the workload of a problem on these files.

    Args:
        problem: A `workload` problem.
        files: Texts by path.
    """
    assert problem.workload is not None
    return packed_text(problem.workload, files, problem.entry_point)


_LOADED = """

def {entry_point}():
    import os
    import sys

    home, library, files = os.path.dirname(os.__file__) + os.sep, [], []
    clash = False
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None) or home
        is_own = not file.startswith(home) or "-packages" in file
        if name.partition(".")[0] in sys.stdlib_module_names:
            library.append(name)
            clash = clash or is_own
        if is_own:
            files.append(file)
    return "" if clash else " ".join(library), files
"""


def loaded_program(program: str, entry_point: str) -> str:
    """Return a program that answers what it loaded: of the library, and of other folders.

    Of the library it is a text with the names of modules; with nothing, where a module of the
    project has the name of one of the library: whoever loads the latter first would have it in
    the place of the project's. Of other folders it is a list of files.

    Args:
        program: What it loads.
        entry_point: Name of the function that answers.
    """
    return program + _LOADED.format(entry_point=entry_point)


def _inner(path: str, file: str) -> list[str] | None:
    """Return where the modules of a package are looked for; None for a module."""
    if path.rpartition("/")[2] != "__init__.py":
        return None
    return [file.rpartition("/")[0]]


@lru_cache(maxsize=8)
def _imported(text: str) -> tuple[tuple[str, str], ...]:
    """Return what a text imports, wherever it does: modules, and names that may be modules."""
    return tuple(dict.fromkeys(_imports(tree_of(text))))


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, alias.name.strip("*")) for alias in node.names)
