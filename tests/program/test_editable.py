from __future__ import annotations

import pytest

from se_agent.program import editable


@pytest.mark.parametrize(
    ("name", "names", "found"),
    [
        pytest.param("solve", "", True, id="all"),
        pytest.param("solve", "solve", True, id="the-one"),
        pytest.param("solve.inner", "solve", True, id="within"),
        pytest.param("solver", "solve", False, id="begins-alike"),
        pytest.param("Reader.next", "Reader", True, id="of-the-class"),
        pytest.param("Reader.next", "Reader.peek solve", False, id="another-method"),
        pytest.param("solve", "Reader.peek solve", True, id="the-second"),
        pytest.param("", "solve", False, id="module-level"),
    ],
)
def test_what_is_named_may_change_with_what_is_inside(
    name: str, names: str, found: bool
) -> None:
    assert editable.may_change(name, names) is found


@pytest.mark.parametrize(
    ("names", "path", "found"),
    [
        pytest.param("", "a.py", "", id="all"),
        pytest.param("f C.g", "a.py", "f C.g", id="names-without-a-file"),
        pytest.param("p/a.py:f p/b.py:g", "p/a.py", "f", id="one-file"),
        pytest.param("p/a.py:f p/b.py:g", "p/c.py", None, id="a-file-that-is-not-named"),
        pytest.param("p/a.py: p/b.py:g", "p/a.py", "", id="a-whole-file"),
    ],
)
def test_each_file_has_its_own(names: str, path: str, found: str | None) -> None:
    assert editable.in_file(names, path) == found


def test_names_are_told_in_words() -> None:
    assert editable.in_words("f C.g") == "`f`, `C.g`"
    assert editable.in_words("p/a.py:") == "`p/a.py`"


def test_what_is_written_is_read() -> None:
    assert editable.names_of(editable.joined_names(["f", "C.g"])) == ("f", "C.g")
