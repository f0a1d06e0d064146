"""What a fork server in a container finds of the host: Python, packages, our own code.

Values only: which paths, and which symbolic links lead to them. Who shows them is `bubblewrap`
or `container`.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from evaluators.sandbox.isolation.landlock import python_paths
from evaluators.sandbox.isolation.private_root import DEVICES, Shown, collapsed, resolved

_OURS = Path(__file__).resolve().parents[3]
_PACKAGES = ("evaluators", "se_agent")  # what a fork server is made of


class RootView(NamedTuple):
    """Where the host's files are seen, at the same paths, to be read only.

    Attributes:
        places: Files and folders, parents first; devices come by other means.
        links: Target of each symbolic link, as it reads.
    """

    places: tuple[Shown, ...]
    links: Mapping[str, str]


def view(folders: Iterable[str]) -> RootView:
    """Return what a fork server needs to see.

    Args:
        folders: Where the packages that programs may import lie.
    """
    wanted = [*python_paths(_library()), sys.executable, *folders]
    wanted += [str(_OURS / name) for name in _PACKAGES]
    found = [resolved(path) for path in wanted if os.path.exists(path)]  # noqa: PTH110
    real = [path for path, _ in found if path not in DEVICES]
    links = dict(link for _, passed in found for link in passed)
    return RootView(tuple(collapsed(real)), links)


def _library() -> list[str]:
    """Return where Python's own library lies, without packages."""
    folder = sysconfig.get_path("stdlib")
    return list(
        dict.fromkeys((folder, sysconfig.get_path("platstdlib"), f"{folder}/lib-dynload"))
    )
