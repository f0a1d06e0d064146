"""What goes through pipes comes whole, whatever comes between."""

from __future__ import annotations

import os
import signal
import threading

from evaluators.sandbox.frames import read_exactly, write_all

PARTS = (b"head", bytes(range(256)) * 4096, b"", b"tail")


def test_a_signal_in_the_midst_of_writing_loses_and_repeats_nothing() -> None:
    reading, writing = os.pipe()
    whole = b"".join(PARTS)
    got = bytearray()

    def read_by_and_by() -> None:
        """Have the writer stopped again and again where a part is not through."""
        main = threading.main_thread().ident
        assert main is not None
        while len(got) <= len(whole) and (piece := os.read(reading, 30_000)):
            got.extend(piece)
            signal.pthread_kill(main, signal.SIGUSR1)
        os.close(reading)  # who writes without end hears of it

    before = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    reader = threading.Thread(target=read_by_and_by)
    try:
        reader.start()
        write_all(writing, *PARTS)
    finally:
        os.close(writing)
        reader.join()
        signal.signal(signal.SIGUSR1, before)
    assert bytes(got) == whole


def test_as_much_is_read_as_was_asked_for() -> None:
    reading, writing = os.pipe()
    write_all(writing, b"first", b"second")
    assert [bytes(read_exactly(reading, count)) for count in (5, 0, 6)] == [
        b"first",
        b"",
        b"second",
    ]
    for descriptor in (reading, writing):
        os.close(descriptor)
