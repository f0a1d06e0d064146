"""Messages are worked out where their level is on, and the logger says the same as before."""

from __future__ import annotations

import logging

import pytest

from operators.rewrite.lazy_log import LazyLog
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, dedented, rewritten

SLOW = """
import logging

log = logging.getLogger("lazy")

def show(request):
    return ", ".join(sorted(str(key) for key in request))

def solve(requests):
    total = 0
    for step, request in enumerate(requests):
        # what came
        log.debug(f"after {step}: {show(request)}")  # all of it
        log.debug("step %d", step)
        total += len(request)
    return total
"""
ASKED = """        if log.isEnabledFor(logging.DEBUG):
            log.debug(f"after {step}: {show(request)}")  # all of it
            log.debug("step %d", step)
"""
CLASS = """
from logging import getLogger
from json import dumps

class Shop:
    def __init__(self):
        self.logger = getLogger("lazy")

    def sell(self, goods):
        self.logger.info("sold %s" % dumps(goods))
        self.logger.debug("of %s", self.names(goods))
        return goods

    def names(self, goods):
        return [str(each) for each in goods]

def solve(goods):
    return Shop().sell(goods)
"""
LINE = '        log.debug("step %d", step)\n'
MESSAGE = "{show(request)}"


class TestContract(RuleContract):
    rule = LazyLog
    slow = SLOW
    others = (CLASS,)


def test_neighbouring_messages_share_a_question() -> None:
    head, comment, tail = dedented(SLOW).partition("        # what came\n")
    below = tail[tail.index("        total") :]
    assert rewritten(LazyLog(), SLOW) == [head + comment + ASKED + below]


def test_a_logger_of_an_object() -> None:
    info, debug, both = rewritten(LazyLog(), CLASS)
    assert "from logging import INFO, getLogger\n" in info or "import INFO\n" in info
    assert (
        "        if self.logger.isEnabledFor(INFO):\n"
        '            self.logger.info("sold %s" % dumps(goods))\n'
        '        self.logger.debug("of %s", self.names(goods))\n'
    ) in info
    assert "if self.logger.isEnabledFor(DEBUG):" in debug
    assert both.count("isEnabledFor") == 2
    assert "import DEBUG, INFO" in both


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import logging\n", "import logging as lg\n"),
        ("import logging\n", "from logging import getLogger\n"),
        ("import logging\n", "import logging.handlers\n"),
        (MESSAGE, "{request.describe()}"),
        ('f"after {step}: {show(request)}"', '"%s", show(request)'),
    ],
)
def test_other_forms(old: str, new: str) -> None:
    text = SLOW.replace(old, new)
    if "lg" in new or "getLogger" in new:
        text = text.replace("logging.get", "lg.get" if "lg" in new else "get")
    (found,) = rewritten(LazyLog(), text)
    assert "if log.isEnabledFor(" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("log.debug(f", "log.error(f", id="always-on"),
        pytest.param("log.debug(f", "logging.debug(f", id="of-the-module"),
        pytest.param("log = logging.getLogger", "log = make", id="no-logger"),
        pytest.param("def show", "log = None\ndef show", id="set-again"),
        pytest.param("def show", "logging.setLoggerClass(Mine)\ndef show", id="other-class"),
        pytest.param("def show", "log.debug = print\ndef show", id="patched"),
        pytest.param("import logging\n", "import mine as logging\n", id="other-module"),
        pytest.param("total = 0", "log = requests\n    total = 0", id="another-of-that-name"),
        pytest.param(MESSAGE, "{len(request)} {str(step)}", id="cheap"),
        pytest.param(MESSAGE, "{request.pop()}", id="changes"),
        pytest.param(MESSAGE, "{rng.sample(request, 1)}", id="draws"),
        pytest.param(MESSAGE, "{each(show)}", id="hands-a-function-on"),
        pytest.param(MESSAGE, "{grab(request)}", id="asks-a-variable"),
        pytest.param(MESSAGE, "{(x := show(request))}", id="binds"),
        pytest.param(MESSAGE, "{show((yield))}", id="waits"),
        pytest.param("    return ", "    request.clear()\n    return ", id="function-changes"),
        pytest.param("total = 0", "request = iter(requests)", id="used-up"),
        pytest.param("total = 0", "request = (x for x in requests)", id="generator"),
        pytest.param("# what came", "if log.level <= 10:\n            pass", id="nothing"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    text = SLOW.replace(LINE, "").replace(old, new)
    if "grab" in new:
        text = text.replace("def show", "grab = lambda each: each.pop()\n\ndef show")
    if "log.level" in new:
        text = text.replace("pass\n        log", "log")
    assert text != SLOW
    assert rewritten(LazyLog(), text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("= getLogger", "= given"),
        ("def names", "def reset(self): self.logger = 0\n    def names"),
        ("def names", "def logger(self): pass\n    def names"),
        ("return goods\n", "return goods\n\nShop.logger = None\n"),
        ("(self, goods):", "(self, goods):\n        self = goods"),
        ("    def sell", "    @staticmethod\n    def sell"),
    ],
)
def test_must_not_fire_for_attributes(old: str, new: str) -> None:
    assert rewritten(LazyLog(), CLASS.replace(old, new)) == []


@pytest.mark.parametrize("handler", ["except ValueError: pass", "finally: total -= 1"])
def test_errors_that_are_handled_stay(handler: str) -> None:
    line = f"try:\n            log.debug(show(request))\n        {handler}\n"
    text = SLOW.replace('log.debug(f"after {step}: {show(request)}")  # all of it\n', line)
    assert len(rewritten(LazyLog(), text)) == ("finally" in handler)


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO, logging.WARNING])
@pytest.mark.parametrize("text", [SLOW, CLASS], ids=["name", "attribute"])
def test_the_logger_says_the_same(
    caplog: pytest.LogCaptureFixture, level: int, text: str
) -> None:
    caplog.set_level(level, "lazy")
    expected = answer(text, ([[1, 2], ["a"]],)), list(caplog.messages)
    for candidate in rewritten(LazyLog(), text):
        caplog.clear()
        assert (answer(candidate, ([[1, 2], ["a"]],)), caplog.messages) == expected
