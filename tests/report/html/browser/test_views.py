"""A report in a browser: its parts open, keys move them, and no text of a run is markup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from experiments.docs.browser import open_view, set_window
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.engine.journal.journal import Journal
from se_agent.events import Observed
from se_agent.report.html.report import report_text
from se_agent.report.html.text_pool import TextPool
from se_agent.values.observation import HotLine, Observation
from tests.analysis.arms import run_in
from tests.report.html.runs import asked_run, written_report

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver
    from selenium.webdriver.remote.webelement import WebElement

VIEWS = ("summary", "steps", "solution", "memory")


def _all(browser: WebDriver, css: str) -> list[WebElement]:
    found: list[WebElement] = browser.find_elements("css selector", css)
    return found


def _one(browser: WebDriver, css: str) -> WebElement:
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, 30, 0.05).until(lambda d: d.find_element("css selector", css))


def _shows(browser: WebDriver, css: str, text: str) -> None:
    """Wait until an element shows a text."""
    from selenium.webdriver.support.ui import WebDriverWait

    def found(driver: WebDriver) -> bool:
        return any(text in str(each.get_property("textContent")) for each in _all(driver, css))

    WebDriverWait(browser, 30, 0.05).until(found)


def _press(browser: WebDriver, css: str, *keys: str) -> None:
    element = _one(browser, css)
    browser.execute_script("arguments[0].focus()", element)
    for key in keys:
        browser.switch_to.active_element.send_keys(key)


def _press_tab(browser: WebDriver, name: str) -> None:
    browser.find_element("xpath", f"//button[@role='tab'][contains(., '{name}')]").click()


def _value(browser: WebDriver, script: str) -> object:
    found: object = browser.execute_script(f"return {script}")
    return found


class TestKeys:
    """Everything can be reached without a mouse."""

    def test_arrow_keys_open_and_close_the_tree(self, browser: WebDriver, asked: str) -> None:
        from selenium.webdriver.common.keys import Keys

        open_view(browser, asked, "solution")
        rows = len(_all(browser, "[role=treeitem]"))
        _press(browser, "[role=tree]", Keys.HOME, Keys.ARROW_LEFT)
        assert len(_all(browser, "[role=treeitem]")) == 1
        _shows(browser, "#solution h2", "Gen0_Sol_0")
        _press(browser, "[role=tree]", Keys.ARROW_RIGHT)
        assert len(_all(browser, "[role=treeitem]")) == rows
        _press(browser, "[role=tree]", Keys.ARROW_RIGHT)
        _shows(browser, "#solution h2", "Gen1_Sol_0")
        active = _one(browser, "[role=tree]").get_attribute("aria-activedescendant")
        assert _one(browser, f"#{active}").get_attribute("aria-selected") == "true"

    def test_arrow_keys_move_the_slider_from_step_to_step(
        self, browser: WebDriver, asked: str
    ) -> None:
        from selenium.webdriver.common.keys import Keys

        open_view(browser, asked, "memory")
        _press(browser, "#moment", Keys.HOME)
        _shows(browser, ".moment", "after step 0 of 23")
        _shows(browser, ".changes", "new")
        first = len(_all(browser, ".pair .entry"))
        _press(browser, "#moment", *[Keys.ARROW_RIGHT] * 6)
        _shows(browser, ".moment", "after step 6 of 23")
        assert len(_all(browser, ".pair .entry")) > first
        _press(browser, "#moment", Keys.END)
        _shows(browser, ".moments", "stood in its prompt. What came of it:")
        _shows(browser, ".pair", "shown to ")
        _shows(browser, ".gone", "no more in memory")

    def test_arrow_keys_go_through_tabs_and_steps(self, browser: WebDriver, asked: str) -> None:
        from selenium.webdriver.common.keys import Keys

        open_view(browser, asked, "solution/Gen2_Sol_1")
        _press(browser, "[role=tab]", Keys.ARROW_RIGHT)
        assert _one(browser, "[role=tab][aria-selected=true]").text == "Program"
        open_view(browser, asked, "steps")
        _press(browser, "[role=listbox]", Keys.END, Keys.ENTER)
        _shows(browser, "#solution h2", "Gen3_Sol_7")

    def test_the_first_key_offers_to_skip_what_stands_above(
        self, browser: WebDriver, asked: str
    ) -> None:
        from selenium.webdriver.common.keys import Keys

        open_view(browser, asked)
        browser.execute_script("document.activeElement.blur()")
        _one(browser, "body").send_keys(Keys.TAB)
        assert browser.switch_to.active_element.get_attribute("class") == "skip"
        assert browser.switch_to.active_element.location["x"] >= 0

    def test_what_has_the_focus_is_outlined(self, browser: WebDriver, asked: str) -> None:
        from selenium.webdriver.common.keys import Keys

        open_view(browser, asked)
        _one(browser, "body").send_keys(Keys.TAB, Keys.TAB, Keys.TAB)
        style = "getComputedStyle(document.activeElement).outlineStyle"
        assert _value(browser, style) == "solid"


class TestParts:
    """What each part shows."""

    def test_a_page_of_a_solution_has_its_change_and_its_conversation(
        self, browser: WebDriver, asked: str
    ) -> None:
        open_view(browser, asked, "solution/Gen2_Sol_1")
        _shows(browser, ".line.gone code", "x = 8")
        _shows(browser, ".line.added code", "x = 10")
        _press_tab(browser, "Prompt")
        _shows(browser, ".call .code", "Make x large.")
        _shows(browser, ".call .code", "x = 10")

    def test_a_page_of_a_solution_shows_its_hot_lines(
        self, browser: WebDriver, tmp_path: Path
    ) -> None:
        folder = run_in(tmp_path, "watched")
        best = RecordedRun(folder).solution("best").solution
        hot = HotLine(function="solve", line=1, text=best.text, share=0.75, hits=1200)
        with Journal(folder / "run.db") as journal:
            seen = Observation(hot=(hot,))
            journal.append(Observed(slot=1, solution=best.id, observation=seen))
        file = written_report(folder, tmp_path / "report.html")
        open_view(browser, file.as_uri(), f"solution/{best.id}")
        _press_tab(browser, "Program")
        _shows(browser, ".line.hot code", best.text)
        (heat,) = _all(browser, ".line.hot .heat")
        assert heat.text == "75%"
        assert heat.get_attribute("title") == "75 % of the cost, reached 1,200 times"
        _press_tab(browser, "Measurements")
        _shows(browser, "#tab-panel h3", "Lines that cost most")
        cells = [each.text for each in _all(browser, "#tab-panel .scroll:last-child tbody td")]
        assert cells == ["1", "solve", best.text, "75 %", "1,200"]

    def test_the_summary_says_what_each_operator_brought_and_cost(
        self, browser: WebDriver, asked: str
    ) -> None:
        open_view(browser, asked)
        card = browser.find_element("xpath", "//section[h2='Operators']")
        head = [each.text for each in card.find_elements("css selector", "th")]
        assert head == ["operator", "tries", "proven gains", "share of CPU"]
        rows = card.find_elements("css selector", "tbody tr")
        assert sum(int(row.find_elements("css selector", "td")[1].text) for row in rows) == 24

    def test_what_a_full_bank_lost_is_compressed_away(
        self, browser: WebDriver, tmp_path: Path
    ) -> None:
        small = {"prior": False, "local": {"token_limit": 400}}
        folder = run_in(tmp_path, "small", memory=small)
        memory = RecordedRun(folder).memory().set_index("end")
        lost = memory.loc[["compressed"]].iloc[0]
        after = RecordedRun(folder).steps().set_index("memory_version").slot[lost.to_version]
        file = written_report(folder, tmp_path / "report.html")
        open_view(browser, file.as_uri(), f"memory/{after}")
        _shows(browser, ".changes .gone .label", "compressed away")
        _shows(browser, ".changes .gone", lost.entry.replace("`", ""))
        _shows(browser, ".note", "rules compressed it in this step")
        _shows(browser, ".entry.faded", "then compressed away")

    def test_a_step_that_failed_shows_the_case(self, browser: WebDriver, asked: str) -> None:
        open_view(browser, asked, "solution/Gen1_Sol_6")
        _shows(browser, ".reason", "gave a wrong answer")
        _press_tab(browser, "Failing")
        _shows(browser, ".case .code", "no multiple")

    def test_steps_are_found_by_words_and_by_how_they_ended(
        self, browser: WebDriver, asked: str
    ) -> None:
        open_view(browser, asked, "steps/failed")
        _shows(browser, ".filters", "3 of 24 steps")
        open_view(browser, asked, "steps")
        _one(browser, "input[type=search]").send_keys("Say x = 13")
        _shows(browser, ".filters", "1 of 24 steps")

    def test_a_folder_of_runs_shows_arms_and_seeds(self, browser: WebDriver, grid: str) -> None:
        open_view(browser, grid)
        _shows(browser, "#view", "Problems by arms")
        assert len(_all(browser, ".heat-cell")) == 4
        assert _all(browser, ".interval")
        pill, cell = (_one(browser, f".effect-cell{part}") for part in (" .pill", ""))
        assert pill.size["width"] < cell.size["width"]
        _one(browser, ".heat-cell button").click()
        _shows(browser, ".command", "se-agent report ")
        open_view(browser, grid, "runs")
        assert len(_all(browser, "[role=option]")) == 8

    def test_packed_texts_are_shown_as_plain_ones_are(
        self, browser: WebDriver, tmp_path: Path
    ) -> None:
        file, pool = tmp_path / "packed.html", TextPool(plain=0, part=2000)
        text = report_text(asked_run(tmp_path, evaluations=9), pool)
        file.write_text(text, encoding="utf-8")
        assert 'id="texts-0"' in file.read_text(encoding="utf-8")
        open_view(browser, file.as_uri(), "solution/Gen2_Sol_0")
        _shows(browser, ".line.added code", "x = ")
        open_view(browser, file.as_uri(), "memory")
        assert _all(browser, ".entry")


class TestLooks:
    """Light and dark, wide and narrow."""

    @pytest.mark.parametrize("view", VIEWS)
    def test_a_narrow_window_needs_no_scrolling_to_the_side(
        self, view: str, browser: WebDriver, asked: str
    ) -> None:
        set_window(browser, width=400, height=800)
        open_view(browser, asked, view)
        assert _value(browser, "document.documentElement.scrollWidth") == 400

    def test_a_narrow_window_shows_a_grid_too(self, browser: WebDriver, grid: str) -> None:
        set_window(browser, width=400, height=800)
        open_view(browser, grid)
        assert _value(browser, "document.documentElement.scrollWidth") == 400

    def test_colours_follow_the_system_and_the_button(
        self, browser: WebDriver, asked: str
    ) -> None:
        paper = "getComputedStyle(document.body).backgroundColor"
        open_view(browser, asked)
        light = _value(browser, paper)
        set_window(browser, theme="dark")
        dark = _value(browser, paper)
        assert light != dark
        _one(browser, "#theme").click()
        assert _value(browser, paper) == light
        _one(browser, "#theme").click()
        assert _value(browser, paper) == dark
        browser.execute_script("localStorage.clear()")

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_words_stand_out_from_what_is_behind_them(
        self, theme: str, browser: WebDriver, asked: str
    ) -> None:
        set_window(browser, theme="dark" if theme == "dark" else "light")
        for view in VIEWS:
            open_view(browser, asked, view)
            assert _value(browser, _FAINT) == []


class TestHostile:
    """Texts that would be scripts stay texts."""

    @pytest.mark.parametrize("view", VIEWS)
    def test_none_is_run(self, view: str, browser: WebDriver, hostile: str) -> None:
        open_view(browser, hostile, view)
        assert _value(browser, "window.hacked === undefined")
        assert _value(browser, "document.querySelectorAll('img, iframe, object').length") == 0

    def test_every_part_of_every_solution_shows_them_as_texts(
        self, browser: WebDriver, hostile: str
    ) -> None:
        for slot in range(9):
            name = f"Gen{slot // 8 + 1}_Sol_{slot % 8}"
            open_view(browser, hostile, f"solution/{name}")
            _shows(browser, "#solution h2", name)
            for tab in _all(browser, "[role=tab]"):
                tab.click()
            assert _value(browser, "window.hacked === undefined")
            assert _value(browser, "document.querySelectorAll('#view img').length") == 0
            seen = str(_value(browser, "document.getElementById('view').textContent"))
            assert not set(seen) & set("\x00\x1b\u202e\u2066\u2028\ufeff")

    def test_what_nobody_sees_is_spelled_out(self, browser: WebDriver, hostile: str) -> None:
        open_view(browser, hostile, "solution/Gen0_Sol_0")
        for text in ("\\x1b[31mred", "null \\x00 byte", "\\u202etfel ot thgir", "</script>"):
            _shows(browser, ".code", text)

    def test_a_direction_told_by_a_person_is_a_text_in_the_timeline(
        self, browser: WebDriver, hostile: str
    ) -> None:
        open_view(browser, hostile, "memory")
        _shows(browser, "#view", "onerror='window.hacked=1'>")
        _shows(browser, "#view", "\\x1b[31mred")
        assert _value(browser, "window.hacked === undefined")

    def test_a_line_of_ten_million_characters_is_cut(
        self, browser: WebDriver, hostile: str
    ) -> None:
        open_view(browser, hostile, "solution/Gen1_Sol_0")
        _shows(browser, ".line.added", "more characters")


_FAINT = """(() => {
  const light = (c) => {
    const [r, g, b] = c.map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const over = (colours) => {
    paint.clearRect(0, 0, 1, 1);
    for (const colour of colours) { paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const faint = [];
  for (const node of document.querySelectorAll('#top *, #view *')) {
    const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const box = node.getBoundingClientRect();
    if (!own || !box.width || node.closest('svg') || !node.checkVisibility()) continue;
    const behind = [];
    for (let at = node; at; at = at.parentElement) {
      behind.unshift(getComputedStyle(at).backgroundColor);
    }
    const below = light(over(behind));
    const above = light(over([...behind, getComputedStyle(node).color]));
    const ratio = (Math.max(above, below) + 0.05) / (Math.min(above, below) + 0.05);
    const told = [node.className, node.textContent.slice(0, 20), ratio.toFixed(2)];
    if (ratio < 4.5) faint.push(told.join(' '));
  }
  return [...new Set(faint)].slice(0, 8);
})()"""
"""Elements whose words have less than the contrast that WCAG 2 asks for (AA, 4.5 to 1)."""
