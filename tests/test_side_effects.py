"""What a function does besides answering, read off its module."""

from __future__ import annotations

import pytest

from se_agent.side_effects import listed, side_effects

HEAD = "import sys, logging\nfrom heapq import heappush\nlogger = logging.getLogger()\n"
HELD = "LOG, COUNTS, _own, fib_cache = [], {}, {}, {}\n"


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
        ("open(xs)", "opens files"),
        ("return [LOG.append(x) for x in xs]", "changes `LOG`"),
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
        "print = xs.append; print(1)",
        "return sorted(LOG)",
        "xs = LOG; xs = [1]; xs.append(2)",
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


def test_several_are_said_in_order() -> None:
    found = effects("print(xs); COUNTS[0] = 1; LOG.pop()")
    assert found == ("prints", "changes `COUNTS`", "changes `LOG`")
    assert listed(found) == "prints, changes `COUNTS` and changes `LOG`"


@pytest.mark.parametrize("text", ["def f(", "", "f = 1"])
def test_without_a_function_to_read_there_are_none(text: str) -> None:
    assert side_effects(text, "f") == ()
