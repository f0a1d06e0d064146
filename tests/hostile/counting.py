"""Attacks on the count of instructions, by requests to the valgrind that counts. Data only."""

from __future__ import annotations

from tests.hostile.attack import NO_GAIN, Attack, Place
from tests.hostile.peeking import QUADRATIC

REQUEST = """
import ctypes, mmap
CODE = bytes.fromhex(
    "4889f831d2" "48c1c703" "48c1c70d" "48c1c73d" "48c1c733" "4887db" "4889d0c3"
)
def stop():
    room = mmap.mmap(-1, 4096, prot=7)
    room.write(CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(room))
    given = (ctypes.c_uint64 * 6)(0x43540005)
    ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(address)(ctypes.addressof(given))
"""
"""Has callgrind count no more, by its client request in machine code of x86-64."""

ATTACKS = (
    Attack(
        name="forged-instructions",
        tries="has valgrind count no more, by a request in machine code that ctypes calls",
        program=QUADRATIC + REQUEST + "def distinct(xs):\n    stop()\n    return slow(xs)\n",
        place=Place.COUNTED,
        ends="REJECTED when measured",
        says="machine code of its own is not counted",
    ),
    Attack(
        name="forged-instructions-if-possible",
        tries="does the same, and does nothing of the kind where it is refused",
        program=f"{QUADRATIC}try:{REQUEST.replace(chr(10), chr(10) + '    ')}\n"
        "except BaseException:\n    def stop(): pass\n"
        "def distinct(xs):\n    try: stop()\n    except BaseException: pass\n"
        "    return slow(xs)\n",
        place=Place.COUNTED,
        ends=NO_GAIN,
    ),
)
