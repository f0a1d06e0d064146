"""Whether Python would take the compiled form that lies beside a module, or compile anew."""

from __future__ import annotations

import struct
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

from se_agent.files import plain

_WORD = 0xFFFF_FFFF  # of what a compiled file tells of its source


def fits(source: Path) -> bool:
    """Say whether a source file has a compiled form of this Python, made of what it is now."""
    try:
        about = source.stat()
        head = plain.content(Path(cache_from_source(source)))[:16]
    except OSError:
        return False
    if head[:4] != MAGIC_NUMBER or len(head) < 16:
        return False
    flags, changed, size = struct.unpack("<III", head[4:])
    if flags:  # it is told by its content, or trusted
        return True
    return bool(changed == int(about.st_mtime) & _WORD and size == about.st_size & _WORD)
