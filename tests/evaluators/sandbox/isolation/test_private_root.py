"""What a root of one's own shows: links that read as those of the host."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.sandbox.isolation.private_root import Covered


@pytest.mark.tier("fast")
def test_a_link_reads_as_it_did_and_one_that_is_there_stays(tmp_path: Path) -> None:
    link, there = tmp_path / "folder" / "link", tmp_path / "there"
    there.symlink_to("as it was")
    links = ((str(link), str(tmp_path / "target")), (str(there), "elsewhere"))
    Covered(paths=(), links=links).uncover()
    assert link.readlink() == tmp_path / "target"
    assert str(there.readlink()) == "as it was"
    assert not (tmp_path / "target").exists()
