"""What is said with a child, where a test of a whole job could not tell the difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.sandbox.frames import JOB, SCALARS
from evaluators.sandbox.server.exchange import described
from se_agent.wire import IMMUTABLE
from tests.contracts.sandbox import call

_scalars = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.binary(), st.text()),
    *(st.dates(), st.datetimes(), st.times(), st.timedeltas(), st.decimals()),
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner)
        | st.dictionaries(st.text(), inner)
        | st.sets(st.integers())
        | st.binary().map(bytearray)
    ),
)


def _scalar(*inputs: tuple[object, ...]) -> bool:
    flags = JOB.unpack_from(described(call("", *inputs), bytes(8)))[1]
    return bool(flags & SCALARS)


class TestArgumentsThatNoCallCanChange:
    @pytest.mark.tier("isolation")
    @given(st.lists(st.lists(_values, max_size=3).map(tuple), min_size=1, max_size=3))
    def test_are_scalars_and_nothing_else(self, inputs: list[tuple[object, ...]]) -> None:
        if _scalar(*inputs):
            types = {type(value) for arguments in inputs for value in arguments}
            assert types <= IMMUTABLE

    @given(st.lists(_scalars, min_size=0).map(tuple))
    def test_are_found_unless_a_text_looks_like_more(self, given: tuple[object, ...]) -> None:
        texts = "".join(value for value in given if isinstance(value, str))
        assert _scalar(given) or set(texts) & set("[]{}")
