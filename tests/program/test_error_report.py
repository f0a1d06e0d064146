"""The part of a long report that says most: the exception, and where in the program it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.program.error_report import telling_part

PYTHON = """Traceback (most recent call last):
  File "/srv/box/run.py", line 3, in <module>
    main()
  File "/srv/box/main.py", line 41, in main
    print(solve([int(word) for word in sys.stdin.read().split()]))
  File "/srv/box/main.py", line 17, in solve
    return heapq.heappop(rest)
  File "/usr/lib/python3.11/heapq.py", line 135, in heappop
    lastelt = heap.pop()
IndexError: index out of range
"""
OURS = """ValueError: 12 is not in list
  main.py:30 in solve: return [place(all_of_them, each) for each in all_of_them]
  main.py:31 in solve.<listcomp>: return [place(all_of_them, each) for each in all]
  main.py:7 in place: return everything.index(wanted)"""


def test_of_a_traceback_the_exception_and_the_last_frame_of_the_program_are_left() -> None:
    said = "IndexError: index out of range, main.py:17 in solve: return heapq.heappop(rest)"
    assert telling_part(PYTHON, 160) == said


def test_of_a_report_of_ours_the_innermost_frame_is_left() -> None:
    said = "ValueError: 12 is not in list, main.py:7 in place: return everything.index(wanted)"
    assert telling_part(OURS, 120) == said


def test_a_long_message_is_cut_and_the_frame_stays() -> None:
    text = PYTHON.replace("index out of range", "far " * 200)
    told = telling_part(text, 160)
    assert told.startswith("IndexError: far far")
    assert told.endswith("…, main.py:17 in solve: return heapq.heappop(rest)")
    assert len(told) == 160


def test_what_fits_is_left_as_it_is() -> None:
    assert telling_part("ZeroDivisionError\n  at line 3", 160) == "ZeroDivisionError at line 3"


def test_of_a_compiler_the_first_error_is_left() -> None:
    text = (
        "main.cpp: In function 'int f()':\n" * 9 + "main.cpp:3:5: error: 'x' was not declared\n"
    )
    assert telling_part(text * 9, 100) == "error: 'x' was not declared"


@given(text=st.text(max_size=3000), width=st.integers(20, 400))
@pytest.mark.row("AM-64")
def test_it_never_is_longer_than_it_may_be(text: str, width: int) -> None:
    assert len(telling_part(text, width)) <= width
    assert len(telling_part(PYTHON + text, width)) <= width
