"""A machine in words: told from others, and not by its name."""

from __future__ import annotations

import platform
from pathlib import Path

from se_agent.environment.machine import machine_words, processor


def test_the_processor_is_the_first_that_the_kernel_names(tmp_path: Path) -> None:
    source = tmp_path / "cpuinfo"
    source.write_text("processor\t: 0\nmodel name\t: Some  CPU @ 2 GHz\nmodel name\t: B\n")
    assert processor(source) == "Some CPU @ 2 GHz"
    assert processor(tmp_path / "none") == ""


def test_words_say_what_matters_and_not_who_it_is() -> None:
    words = machine_words()
    assert platform.machine() in words
    assert "cores" in words
    assert words.startswith(f"{processor() or platform.machine()}, ")
    assert platform.node() not in words.split(", ")
