"""A compiled form fits where Python itself would take it."""

from __future__ import annotations

import os
import py_compile
from pathlib import Path

import pytest

from se_agent.files.compiled_form import fits

_MODES = py_compile.PycInvalidationMode


@pytest.mark.parametrize("mode", [_MODES.TIMESTAMP, _MODES.CHECKED_HASH])
def test_one_that_was_made_of_what_the_file_is_now(
    tmp_path: Path, mode: py_compile.PycInvalidationMode
) -> None:
    source = tmp_path / "part.py"
    source.write_text("x = 1\n", encoding="utf-8")
    assert not fits(source)
    form = py_compile.compile(str(source), invalidation_mode=mode)
    assert form is not None
    assert fits(source)
    os.utime(source, (1, 1))  # as after `cp -r`
    assert fits(source) == (mode is _MODES.CHECKED_HASH)
    Path(form).write_bytes(b"of another Python")
    assert not fits(source)
