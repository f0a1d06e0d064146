"""What a function does besides answering, read off its module."""

from __future__ import annotations

import pytest

from se_agent.program.side_effects import listed_effects, lost_effects, side_effects

HEAD = (
    "import sys, logging, operator\nfrom heapq import heappush\nlogger = logging.getLogger()\n"
)
HELD = (
    "LOG, COUNTS, _own, fib_cache, dp, MEMORY, TABLE = [], {}, {}, {}, {}, [], []\n"
    "class Stats:\n    calls, rows, memo = 0, [], {}\n"
    "    @staticmethod\n    def add(x, y): return x\n"
    "def told(): return Stats.memo\n"
)


def effects(body: str, *, more: str = "") -> tuple[str, ...]:
    return side_effects(f"{HEAD}{HELD}def f(xs):\n    {body}\n{more}", "f")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("LOG.append(xs)", "changes `LOG`"),
        ("LOG[0] = xs", "changes `LOG`"),
        ("LOG[0].left.append(xs)", "changes `LOG`"),
        ("del COUNTS[xs]", "changes `COUNTS`"),
        ("COUNTS['x'] += 1", "changes `COUNTS`"),
        ("global COUNTS; COUNTS = {}", "changes `COUNTS`"),
        ("heappush(LOG, xs)", "changes `LOG`"),
        ("log = LOG; log.append(xs)", "changes `LOG`"),
        ("note = LOG.append; note(xs)", "changes `LOG`"),
        ("print(xs)", "prints"),
        ("say = print; say(xs)", "prints"),
        ("sys.stdout.write(xs)", "prints"),
        ("return next(LOG)", "changes `LOG`"),
        ("logger.info(xs)", "logs"),
        ("logging.warning(xs)", "logs"),
        ("logging.getLogger(xs).info(xs)", "logs"),
        ("xs.app_logger.info(xs)", "logs"),
        ("global NEW; NEW = xs", "changes `NEW`"),
        ("MEMORY.append(xs)", "changes `MEMORY`"),
        ("TABLE.rows.append(xs)", "changes `TABLE`"),
        ("return [LOG.append(x) for x in xs]", "changes `LOG`"),
        ("log: list = LOG; log.append(xs)", "changes `LOG`"),
        ("row = TABLE[0]; row.append(xs)", "changes `TABLE`"),
        ("row = TABLE[0]; cell = row.cells[1]; cell[0] = xs", "changes `TABLE`"),
        ("for row in TABLE: row.seen = True", "changes `TABLE`"),
        ("Stats.calls += 1", "changes `Stats.calls`"),
        ("Stats.rows[0].append(xs)", "changes `Stats.rows`"),
        ("found = Stats.rows; found.append(xs)", "changes `Stats.rows`"),
        ("Stats.memo[xs[0]] = xs", "changes `Stats.memo`"),
        ("f.calls = 1", "changes `f.calls`"),
    ],
)
def test_what_is_changed_or_said_is_told(body: str, told: str) -> None:
    assert effects(body) == (told,)


@pytest.mark.parametrize(
    "body",
    [
        "xs.append(1)",
        "xs[0] = 1",
        "found = []; found.append(xs)",
        "LOG = []; LOG.append(xs)",
        "return LOG[0], COUNTS.get(xs)",
        "found = list(LOG); found.append(1)",
        "_own[xs[0]] = xs",
        "fib_cache[xs[0]] = xs",
        "dp[xs[0]] = xs",
        "operator.add(xs, 1)",
        "node = xs\n    while node: node = node.parent; node.seen.add(1)",
        "def a(y): x = y.left; x.add(1)\n    def b(x): y = x.right; y.add(1)\n    return a, b",
        "a = b; b = a; a.add(1)",
        "for w in xs: w = w.text; w.strip()",
        "def total(x): return x\n    return total(xs)",
        "print = xs.append; print(1)",
        "return sorted(LOG)",
        "xs = LOG; xs = [1]; xs.append(2)",
        "part = LOG[1:]; part.append(xs)",
        "row = xs[0]; row.append(1)",
        "for row in sorted(TABLE): row.append(xs)",
        "f.cache[xs[0]] = xs",
        "f._known = xs",
        "found = Stats(); found.calls = 1",
        "return Stats.add(xs, 1)",
    ],
)
def test_answers_arguments_and_caches_are_none(body: str) -> None:
    assert effects(body) == ()


def test_a_cache_that_others_read_is_none() -> None:
    assert effects("_own[0] = xs", more="def g():\n    return _own\n") == ("changes `_own`",)


def test_what_is_called_counts_and_what_is_not_does_not() -> None:
    assert effects("return g(xs)", more="def g(x):\n    LOG.append(x)\n") == ("changes `LOG`",)
    assert effects("return xs", more="def g(x):\n    LOG.append(x)\n") == ()
    inner = "def g(x):\n        LOG.append(x)\n    return g(xs)"
    assert effects(inner) == ("changes `LOG`",)


CLASS = """

class Stack:
    def __init__(self):
        self.held = []
    def push(self, x):
        self.held.append(x)
    def show(self):
        print(self.held)
"""


@pytest.mark.parametrize(("used", "told"), [("push(1)", ()), ("show()", ("prints",))])
def test_of_a_class_the_methods_count_that_are_named(used: str, told: tuple[str, ...]) -> None:
    assert effects(f"return Stack().{used}", more=CLASS) == told


def test_an_exception_without_a_name_is_nothing_that_a_module_holds() -> None:
    guarded = "try:\n    import json\nexcept ImportError:\n    json = None\n"
    assert effects("g(xs)[0] = 1", more=guarded) == ()


def test_of_a_method_it_counts_what_it_does_itself() -> None:
    assert side_effects(CLASS, "Stack.push") == ()
    assert side_effects(CLASS, "Stack.show") == ("prints",)


def test_a_private_list_that_a_reader_returns_is_no_cache() -> None:
    reader = "def history():\n    return list(_own)\n"
    assert effects("_own[0] = xs; return history()", more=reader) == ("changes `_own`",)


@pytest.mark.parametrize(
    "body",
    [
        "log = LOG; log += xs",
        "log, n = LOG, 0; log.extend(xs)",
        "log: list = LOG",
        "list(map(LOG.append, xs))",
        "global LOG; LOG = LOG + xs",
        "return helper(xs)",
    ],
)
def test_what_is_done_in_another_way_is_not_lost(body: str) -> None:
    more = "if True:\n    def helper(x):\n        LOG.append(x)\n"
    old, new = (f"{HEAD}{HELD}def f(xs):\n    {b}\n{more}" for b in ("LOG.append(xs)", body))
    assert lost_effects(old, new, "f") == []


def test_what_is_named_nowhere_is_lost() -> None:
    old = f"{HEAD}{HELD}def f(xs):\n    LOG.append(xs); print(xs); logger.info(xs)\n"
    assert lost_effects(old, f"{HELD}def f(xs):\n    return xs\n", "f") == [
        "changes `LOG`",
        "prints",
        "logs",
    ]
    streamed = "from sys import stdout\n\ndef f(xs):\n    stdout.write(xs); my_log(LOG)\n"
    assert lost_effects(old, streamed, "f") == []
    assert lost_effects(old, "def f(", "f") == []
    assert lost_effects("def f(xs):\n    return xs\n", "def f(xs):\n    return 1\n", "f") == []
    counts = f"{HELD}def f(xs):\n    Stats.calls += 1\n    return f(xs)\n"
    assert lost_effects(counts, f"{HELD}def f(xs):\n    return f(Stats)\n", "f") == [
        "changes `Stats.calls`"
    ]
    assert lost_effects(counts, counts.replace("+= 1", "= Stats.calls + 1"), "f") == []
    assert lost_effects(counts, counts.replace("Stats.calls", "type(xs).calls"), "f") == []


def test_a_method_of_that_name_is_no_trace_of_it() -> None:
    old = "count = 0\ndef f(s):\n    global count; count += 1\n"
    assert lost_effects(old, "count = 0\ndef f(s):\n    return s.count('a')\n", "f") == [
        "changes `count`"
    ]
    assert lost_effects(
        "def f(s):\n    f.count += 1\n", "def f(s):\n    return s.count('a')\n", "f"
    ) == ["changes `f.count`"]


def test_several_are_said_in_order() -> None:
    found = effects("print(xs); COUNTS[0] = 1; LOG.pop()")
    assert found == ("prints", "changes `COUNTS`", "changes `LOG`")
    assert listed_effects(found) == "prints, changes `COUNTS` and changes `LOG`"


@pytest.mark.parametrize("text", ["def f(", "", "f = 1"])
def test_without_a_function_to_read_there_are_none(text: str) -> None:
    assert side_effects(text, "f") == ()
