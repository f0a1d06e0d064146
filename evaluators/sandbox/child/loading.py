"""Loads modules of ours with builtins of their own: who replaces `set` replaces another one.

Not here: what else of ours a candidate can reach; see `docs/security.md`.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

OURS = frozenset({"evaluators", "se_agent"})
"""Packages whose code runs beside a candidate's."""


class _Loader(SourceFileLoader):
    """Loads a module whose functions look names up in a copy of the builtins."""

    copy = vars(builtins).copy()

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self.copy
        super().exec_module(module)


class _Finder:
    """Finds our modules where Python's own finder does."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] not in OURS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


@contextmanager
def apart() -> Iterator[None]:
    """Within it, modules of ours are loaded with builtins of their own."""
    sys.meta_path.insert(0, _Finder)
    try:
        yield
    finally:
        sys.meta_path.remove(_Finder)
