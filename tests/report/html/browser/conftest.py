"""A browser, and the pages that it opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from experiments.docs.browser import missing, opened_browser, set_window
from tests.analysis.arms import arm_in
from tests.report.html.runs import asked_run, hostile_run, written_report

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver


@pytest.fixture(scope="session")
def one_browser() -> Iterator[WebDriver]:
    if lacking := missing():
        pytest.skip(lacking)
    with opened_browser() as driver:
        yield driver


@pytest.fixture
def browser(one_browser: WebDriver) -> Iterator[WebDriver]:
    """A browser whose page must not have complained of anything by the end."""
    set_window(one_browser)
    one_browser.get_log("browser")
    yield one_browser
    assert one_browser.get_log("browser") == []


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the report of a run with a model."""
    home = tmp_path_factory.mktemp("asked")
    return written_report(asked_run(home), home / "report.html").as_uri()


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the report of a run full of hostile texts."""
    home = tmp_path_factory.mktemp("hostile")
    return written_report(hostile_run(home), home / "report.html").as_uri()


@pytest.fixture(scope="session")
def grid(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the report of two arms."""
    home: Path = tmp_path_factory.mktemp("grid")
    for arm, policy in (("first", "portfolio"), ("random", "random")):
        arm_in(home / "runs" / arm, problems=["numbers", "digits"], policy=policy)
    return written_report(home / "runs", home / "report.html").as_uri()
