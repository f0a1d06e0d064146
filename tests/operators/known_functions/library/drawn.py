"""Arguments that the laws of the library draw most often: short, small, full of ties.

Not here: arguments of a special shape, which stand beside their laws.
"""

from __future__ import annotations

from hypothesis import strategies as st

small = st.integers(-6, 6)
natural = st.integers(0, 8)
few = st.integers(-1, 7)
ints = st.lists(small, max_size=9)
naturals = st.lists(natural, max_size=9)
wide_ints = st.lists(st.integers(-200, 200), max_size=9)
ascending = ints.map(sorted)
bits = st.lists(st.integers(0, 1), max_size=12)
word = st.text("abcA", max_size=7)
words = st.lists(word, max_size=7)
some_words = st.lists(st.text("abcA", min_size=1, max_size=4), max_size=7)
rows = st.lists(st.lists(small, min_size=2, max_size=3), max_size=6)
