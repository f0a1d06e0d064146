"""What is secret in an environment and in the files of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.redaction.secret_values import is_token, secrets_in

DRAWN = "hG7kq2Wz9LmX4tRb"


@pytest.mark.parametrize(
    ("variables", "secrets"),
    [
        ({"API_KEY": DRAWN}, [DRAWN]),
        ({"HOMEPAGE": DRAWN}, []),
        ({"API_KEY": "changeme"}, []),
        ({"DATABASE": f"postgres://anna:{DRAWN}@host/table"}, [DRAWN]),
        ({"DATABASE": f"postgres://{DRAWN}x:{DRAWN}@host/table"}, [DRAWN, f"{DRAWN}x"]),
        ({"KEY_FILE": "/etc/hosts"}, []),
    ],
    ids=["key", "no-key", "example", "url", "user-of-a-url", "place"],
)
def test_variables_that_tell_of_a_secret_hold_one(
    variables: dict[str, str], secrets: list[str]
) -> None:
    assert sorted(secrets_in([], variables)) == sorted(secrets)


def test_a_variable_that_is_named_holds_one_whatever_its_name_tells() -> None:
    assert secrets_in([], {"HOMEPAGE": DRAWN}, ["HOMEPAGE"]) == (DRAWN,)


def test_files_of_a_project_hold_secrets_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"TOKEN={DRAWN}\n", encoding="utf-8")
    (tmp_path / "main.py").write_text("size = 12\n", encoding="utf-8")
    assert secrets_in([str(tmp_path)], {}) == (DRAWN,)


@pytest.mark.parametrize(
    ("value", "drawn"),
    [
        (DRAWN, True),
        (DRAWN[:11], False),
        ("onlylettershere", False),
        ("123456789012345", False),
        ("/srv/data/2024/tables", False),
        ("print(x1) and more", False),
    ],
    ids=["drawn", "short", "letters", "digits", "place", "code"],
)
def test_what_is_drawn_has_letters_and_digits_and_is_no_place(value: str, drawn: bool) -> None:
    assert is_token(value) == drawn
