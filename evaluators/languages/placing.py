"""Where code lies in memory, which is luck: an object is made to lie at any byte we like.

How fast a loop is depends on how it lies among the lines of the cache, and neither its author
nor its compiler chose that. So an object is linked behind some bytes that nobody executes, and
no alignment of its own takes that back. Pure: bytes in, bytes out.
"""

from __future__ import annotations

import struct

PLACES = 8
"""How many a program is linked at, in turn."""

_LINE = 64  # bytes of a line of the cache: where code begins modulo that is what counts
_STEP = 27  # from one place to the next: eight of them lie evenly in a line, and in half a one
_CODE = (".text.unlikely", ".text.startup", ".text.hot", ".text")

_ELF64 = b"\x7fELF\x02\x01"  # 64 bits, the least significant byte first
_AARCH64 = 183
_EXECUTED = 0x4  # flag of a section
_HEADER = 64  # bytes that describe a file, and a section


def room_before(place: int) -> bytes:
    """Return assembly that moves what is linked behind it to a place."""
    skipped = 1 + place * _STEP % _LINE
    room = f".p2align {_LINE.bit_length() - 1}\n.skip {skipped}, 0x90\n"
    sections = "".join(f'.section {name},"ax",@progbits\n{room}' for name in _CODE)
    return f'{sections}.section .note.GNU-stack,"",@progbits\n'.encode("ascii")


def loosened(compiled: bytes) -> bytes:
    """Return an object whose sections of code ask for no more alignment than code needs.

    A program may ask for more (`__attribute__((aligned(64)))`, `asm(".p2align 6")`): it would
    lie well at all places, where the one that it is held against lies well at some. Within a
    section all stays where it was. What is no object of 64 bits is returned as it is.
    """
    if not compiled.startswith(_ELF64) or len(compiled) < _HEADER:
        return compiled
    found = bytearray(compiled)
    (machine,) = struct.unpack_from("<H", found, 18)
    least = 4 if machine == _AARCH64 else 2  # there an instruction is, here a pointer to member
    (first,) = struct.unpack_from("<Q", found, 40)
    size, count = struct.unpack_from("<HH", found, 58)
    if size != _HEADER or first + size > len(found):
        return compiled
    count = count or struct.unpack_from("<Q", found, first + 32)[0]  # too many for 16 bits
    for begin in range(first, min(first + count * size, len(found) - size + 1), size):
        (flags,) = struct.unpack_from("<Q", found, begin + 8)
        (alignment,) = struct.unpack_from("<Q", found, begin + 48)
        if flags & _EXECUTED and alignment > least:
            struct.pack_into("<Q", found, begin + 48, least)
    return bytes(found)
