"""Processes with other hash seeds propose the same: no order of a set reaches a proposal."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.operators.proposals import ROOT, texts

SEEDS = ("0", "1", "2")
PARTS = 6


@pytest.fixture(scope="module")
def known() -> list[tuple[str, str]]:
    return texts()


def proposed(part: list[tuple[str, str]], seed: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.operators.proposals"],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        input=json.dumps(part),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("part", range(PARTS))
def test_all_propose_the_same_in_the_same_order(
    part: int, known: list[tuple[str, str]]
) -> None:
    first, *others = (proposed(known[part::PARTS], seed) for seed in SEEDS)
    assert len(first) > 20
    assert all(other == first for other in others)
