"""What a claim rests on is what was measured, not what was asked for."""

from __future__ import annotations

import pytest

from se_agent.report.words.basis import basis, doubt
from se_agent.values.evaluation import Block


def block(pairs: int, inputs: int, searched: int = 0, distinct: int = 0) -> Block:
    return Block(
        number=0,
        effect=1.0,
        reference=1.0,
        candidate=0.5,
        pairs=pairs,
        inputs=inputs,
        searched=searched,
        distinct=distinct,
    )


@pytest.mark.parametrize(
    ("blocks", "rests", "but"),
    [
        pytest.param(
            [block(8, 1)] * 6,
            "99 % interval, 6 fresh blocks of 8 pairs on 8 unseen inputs",
            "",
            id="as-wanted",
        ),
        pytest.param(
            [block(8, 3), block(8, 2)],
            "99 % interval, 2 fresh blocks of 8 pairs on 16 to 24 unseen inputs",
            "",
            id="several-a-run",
        ),
        pytest.param(
            [block(1, 1)] * 6,
            "99 % interval, 6 fresh blocks of 1 pair on 1 unseen input",
            "; but only 1 distinct final input was there: other inputs may gain less",
            id="one",
        ),
        pytest.param(
            [block(9, 1, distinct=3)] * 6,
            "99 % interval, 6 fresh blocks of 9 pairs on 3 unseen inputs",
            "; but only 3 distinct final inputs were there: other inputs may gain less",
            id="few-in-turns",
        ),
        pytest.param(
            [block(1, 1, 1)] * 6,
            "99 % interval, 6 fresh blocks of 1 pair on 1 input",
            "; but only 1 distinct final input was there, and the search may have had it, too: "
            "other inputs may gain less",
            id="one-that-the-search-had",
        ),
        pytest.param(
            [block(5, 1, 2), block(5, 1, 3)],
            "99 % interval, 2 fresh blocks of 5 pairs on 5 inputs",
            "; but only 5 distinct final inputs were there, and the search may have had 3 of "
            "them, too: other inputs may gain less",
            id="few-that-the-search-had",
        ),
        pytest.param(
            [block(8, 1), block(8, 1, 2)],
            "99 % interval, 2 fresh blocks of 8 pairs on 8 inputs",
            "; but the search may have had 2 of 8 final inputs, too: "
            "other inputs may gain less",
            id="some-that-the-search-had",
        ),
    ],
)
def test_it_tells_pairs_and_inputs_and_what_the_search_had(
    blocks: list[Block], rests: str, but: str
) -> None:
    assert basis(blocks, exact=False) == rests
    assert doubt(blocks, wanted=8) == but


def test_a_count_has_no_pairs() -> None:
    assert basis([block(1, 4)], exact=True) == "counted once, on 4 unseen inputs"
