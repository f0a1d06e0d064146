"""The page of a run of 5,000 programs: small enough to send, and the summary is there first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from experiments.docs.browser import open_view
from tests.report.html.large_run import large_run
from tests.report.html.runs import island_of, texts_of, written_report

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

PROGRAMS = 5_000
MOST = 20_000_000
"""Bytes."""

COUNT_UNPACKED = """
  window.unpacked = 0;
  window.DecompressionStream = new Proxy(DecompressionStream, {
    construct: (made, given) => { window.unpacked += 1; return new made(...given); },
  });
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("large")
    return written_report(large_run(home, programs=PROGRAMS), home / "report.html")


def test_it_holds_all_programs_and_is_below_20_mb(large: Path) -> None:
    page = large.read_text(encoding="utf-8")
    run, texts = island_of(page)["run"], texts_of(page)
    place = run["steps"]["fields"].index("text")
    programs = {texts[row[place]] for row in run["steps"]["rows"]}
    assert len(programs) == PROGRAMS
    assert min(map(len, programs)) > 3_000
    assert large.stat().st_size < MOST


def test_the_summary_is_painted_before_any_text_is_unpacked_or_a_tree_is_built(
    browser: WebDriver, large: Path
) -> None:
    script = {"source": COUNT_UNPACKED}
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    try:
        open_view(browser, large.as_uri())
        assert browser.find_element("css selector", ".hero .big").is_displayed()
        assert _count(browser, "performance.getEntriesByType('paint').length") > 0
        assert _count(browser, "window.unpacked") == 0
        assert _count(browser, "document.querySelectorAll('[role=treeitem]').length") == 0
        assert _count(browser, "document.querySelectorAll('*').length") < PROGRAMS / 2
        open_view(browser, large.as_uri(), "solution")
        assert _count(browser, "window.unpacked") > 0
        assert 0 < _count(browser, "document.querySelectorAll('[role=treeitem]').length") < 200
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def _count(browser: WebDriver, script: str) -> float:
    return float(str(browser.execute_script(f"return {script}")))
