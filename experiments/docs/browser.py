"""A headless Chromium for pictures and tests of reports, where there is one.

It needs `selenium`, and Debian's `chromium` and `chromium-driver`; nothing is downloaded.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

Theme = Literal["light", "dark"]
_SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")


def missing() -> str:
    """Say what a browser lacks here; empty: nothing."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed"
    names = ("chromium", "chromedriver")
    return next((f"there is no {name} here" for name in names if not shutil.which(name)), "")


@contextmanager
def opened_browser() -> Iterator[WebDriver]:
    """Yield a browser that keeps what its pages complain of."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for switch in _SWITCHES:
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_script_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()


def set_window(
    driver: WebDriver, *, width: int = 1280, height: int = 900, theme: Theme = "light"
) -> None:
    """Give the page so much room, and the colours that a person prefers."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    wanted = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wanted)


def open_view(driver: WebDriver, address: str, view: str = "summary") -> None:
    """Open a part of a report and wait until it is drawn."""
    from selenium.webdriver.support.ui import WebDriverWait

    driver.get("about:blank")
    driver.get(f"{address}#{view}")
    name = view.partition("/")[0]
    drawn = "return document.getElementById('view').dataset.ready"
    WebDriverWait(driver, 60, 0.05).until(lambda d: d.execute_script(drawn) == name)
