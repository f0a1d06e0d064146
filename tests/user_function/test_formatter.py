"""What a project tells its formatter is read from its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.program.style.layout import UNTOLD, FormatterSettings
from se_agent.program.style.passes import restyled_files
from se_agent.user_function.formatter import formatter_of


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("[tool.ruff]\nline-length = 100\n", FormatterSettings(100)),
        (
            '[tool.ruff]\nline-length = 100\n[tool.ruff.format]\nquote-style = "single"\n',
            FormatterSettings(100, "'"),
        ),
        ("[tool.black]\nline-length = 79\n", FormatterSettings(79, '"')),
        ("[tool.black]\nskip-string-normalization = true\n", FormatterSettings()),
        ("[tool.black]\npreview = true\n[tool.ruff]\nfix = true\n", UNTOLD),
        ('[tool.ruff]\nline-length = "wide"\n', UNTOLD),
        ("[tool.ruff\n", UNTOLD),
        ("tool = 3\n", UNTOLD),
    ],
)
def test_settings_are_those_of_ruff_or_black(
    tmp_path: Path, settings: str, told: FormatterSettings
) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pyproject.toml").write_text(settings)
    assert formatter_of(tmp_path / "pkg" / "mod.py") == told


def test_the_nearest_project_that_tells_something_counts(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 100\n")
    (inner / "pyproject.toml").write_text('[project]\nname = "inner"\n')
    assert formatter_of(inner / "mod.py") == FormatterSettings(100)


def test_new_lines_are_laid_out_as_told() -> None:
    old = {"a.py": "def f(a):\n    return a\n"}
    new = {"a.py": f'def f(a):\n    return g(a, "{"b" * 50}", "{"c" * 20}")\n'}
    told = FormatterSettings(100, "'")
    assert restyled_files(old, new, ("layout",), told) == {
        "a.py": f"def f(a):\n    return g(a, '{'b' * 50}', '{'c' * 20}')\n"
    }
    assert "\n    )" in restyled_files(old, new, ("layout",))["a.py"]
