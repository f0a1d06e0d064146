"""Objects that may lie at any byte: their code asks for no alignment of its own."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.languages.placing import PLACES, loosened, room_before

X86, ARM = 62, 183
CODE, DATA = 0x6, 0x3


def elf(*sections: tuple[int, int], machine: int = X86, many: bool = False) -> bytes:
    """Return an object of such flags and alignments; `many`: their number lies elsewhere."""
    head = bytearray(64)
    head[:6] = b"\x7fELF\x02\x01"
    struct.pack_into("<H", head, 18, machine)
    struct.pack_into("<Q", head, 40, len(head))
    struct.pack_into("<HH", head, 58, 64, 0 if many else len(sections))
    first = len(sections) if many else 0
    made = [
        struct.pack("<IIQQQQIIQQ", 0, 1, flags, 0, 0, first if not n else 9, 0, 0, aligned, 0)
        for n, (flags, aligned) in enumerate(sections)
    ]
    return bytes(head) + b"".join(made)


def alignments(compiled: bytes) -> list[int]:
    return [struct.unpack_from("<Q", compiled, n + 48)[0] for n in range(64, len(compiled), 64)]


@pytest.mark.parametrize(("machine", "least"), [(X86, 2), (ARM, 4)])
@pytest.mark.parametrize("many", [False, True])
def test_code_asks_for_no_more_than_code_needs(machine: int, least: int, many: bool) -> None:
    given = elf((CODE, 64), (DATA, 64), (CODE, 1), (CODE, 16), machine=machine, many=many)
    found = loosened(given)
    assert alignments(found) == [least, 64, 1, least]
    assert len(found) == len(given)
    assert loosened(found) == found


@given(st.binary(max_size=300), st.integers(0, 300))
def test_whatever_bytes_there_are_only_alignments_change(noise: bytes, cut: int) -> None:
    """A program's own assembly may write into its object what it likes."""
    whole = elf((CODE, 64), (CODE, 32))
    for data in (noise, whole[:cut], whole[:6] + noise, whole + noise):
        assert len(loosened(data)) == len(data)
    assert loosened(noise) == noise or noise.startswith(b"\x7fELF\x02\x01")


def test_places_lie_evenly_in_a_line_and_in_half_of_one() -> None:
    begins = [int(room_before(n).split(b".skip ")[1].split(b",")[0]) for n in range(PLACES)]
    assert all(1 <= begin <= 64 for begin in begins)
    for line in (32, 64):
        lying = sorted({begin % line for begin in begins})
        assert len(lying) == PLACES
        around = zip(lying, [*lying[1:], lying[0] + line], strict=True)
        assert max(after - before for before, after in around) <= 10
