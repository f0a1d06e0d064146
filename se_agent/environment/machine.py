"""The machine in words: figures of one machine say little of another one's.

No name and no address of it is told: what is on record may be shown to anyone.
"""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from functools import cache
from pathlib import Path

_PROCESSORS = Path("/proc/cpuinfo")
_LONGEST = 200


@cache
def machine_words() -> str:
    """Return such as `AMD EPYC 7B13, 2 cores, Linux 6.1 x86_64, Python 3.11`."""
    kernel = ".".join(platform.release().split(".")[:2])
    version = ".".join(platform.python_version_tuple()[:2])
    words = (
        processor() or platform.machine(),
        f"{os.cpu_count() or 1} cores",
        f"{platform.system()} {kernel} {platform.machine()}",
        f"Python {version}",
    )
    return ", ".join(words)[:_LONGEST]


def processor(source: Path = _PROCESSORS) -> str:
    """Return the name of the processor; empty where the kernel does not tell.

    Args:
        source: What the kernel tells of its processors.
    """
    with suppress(OSError):
        for line in source.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return " ".join(value.split())
    return ""
