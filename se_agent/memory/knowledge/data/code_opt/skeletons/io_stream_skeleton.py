"""Input and output stream: the sum of each line's numbers."""

from typing import TextIO


def slow(source: TextIO, sink: TextIO) -> None:
    """Make a call to each stream for every line, and a step for every number."""
    while line := source.readline():
        total = 0
        for word in line.split():
            total += int(word)
        sink.write(f"{total}\n")


def fast(source: TextIO, sink: TextIO) -> None:
    """Read once, write once, and leave the loops to the library."""
    lines = source.read().splitlines()
    sums = [sum(map(int, line.split())) for line in lines]
    sink.write("".join(map("{}\n".format, sums)))
