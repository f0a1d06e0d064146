"""A live page in a browser: it shows newer steps without being asked."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.docs.browser import open_view
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.engine.journal.journal import Journal
from se_agent.report.html.server import LiveReport, LiveServer
from tests.finished import finished, recorded, unfinished

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

_STEPS = "return document.querySelector('.filters .quiet').textContent"
_STATE = "return document.getElementById('live').textContent"


def test_newer_steps_appear_and_the_end_is_told(browser: WebDriver, tmp_path: Path) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    folder, whole = unfinished(tmp_path, 20), finished(tmp_path / "whole_one", timed=True)
    with LiveServer(LiveReport(folder)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        wait = WebDriverWait(browser, 60, 0.1)
        with Journal(folder / "run.db") as journal:
            open_view(browser, server.address, "steps")
            before = browser.execute_script(_STEPS)
            wait.until(lambda d: d.execute_script(_STATE) == "live")
            journal.append(*list(recorded(whole))[20:])
            wait.until(lambda d: d.execute_script(_STEPS) != before)
        wait.until(lambda d: d.execute_script(_STATE) == "ended")
        steps = len(RecordedRun(whole).rows("steps"))
        assert browser.execute_script(_STEPS) == f"{steps} of {steps} steps"
        browser.find_element("id", "words").send_keys("Add 3")
        found = browser.execute_script(_STEPS)
        with Journal(folder / "run.db"):
            wait.until(lambda d: d.execute_script(_STATE) == "live")
        wait.until(lambda d: d.execute_script(_STATE) == "ended")
        assert browser.execute_script(_STEPS) == found, "what was looked for stays"
        assert browser.switch_to.active_element.get_attribute("id") == "words"
        browser.get("about:blank")
        server.shutdown()
        thread.join()
