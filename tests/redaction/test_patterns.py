"""What looks like a secret goes from a text that is kept beside a run; a program stays."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.redaction.patterns import free_of_secrets, json_free_of_secrets
from tests.redaction.planted import PLANTED

_SEEN = """\
assert key == sorted_keys[3]
for token in tokens: print(token)
  File "solve.py", line 12, in tokenize
token: 'identifier' at 3:4
E   KeyError: 'alpha'
password: str = ""
secret = None
expected key=alpha, got key=beta
see https://example.org/path?page=2 and mailto:me@example.org
int passes = 0; int bypass = 1;
author: somebody
"""


_TOLD = st.lists(
    st.sampled_from(
        [
            *("password", "token=", "api_key", ": ", "=", '"', "'", "\\", " ", "\n", "é"),
            *("hunter22", "abc123def4567", "bearer ", "account ", "://u:pw1234@h"),
        ]
    ),
    max_size=8,
).map("".join)


class TestJson:
    @given(
        value=st.dictionaries(_TOLD, _TOLD | st.integers() | st.lists(_TOLD, max_size=2)),
        more=st.sampled_from([{}, {"indent": 2, "ensure_ascii": False}]),
    )
    def test_it_is_json_still_and_free_of_secrets(
        self, value: dict[str, object], more: dict[str, Any]
    ) -> None:
        found = json.loads(json_free_of_secrets(value, ("hunter22hunter22",), **more))
        assert len(found) <= len(value)
        for text in (one for one in found.values() if isinstance(one, str)):
            assert free_of_secrets(text) == text

    def test_what_a_name_tells_of_goes_whatever_is_around_it(self) -> None:
        said = {"at": 'GET "/x?token=abc123def4567" ok', "password": 'hun"ter', "n": [1, None]}
        assert json.loads(json_free_of_secrets(said)) == {
            "at": 'GET "/x?token=***" ok',
            "password": "***",
            "n": [1, None],
        }


class TestFreeOfSecrets:
    @pytest.mark.parametrize("kind", PLANTED)
    def test_each_kind_goes_and_what_is_around_it_stays(self, kind: str) -> None:
        for secret, text in PLANTED[kind]:
            left = free_of_secrets(f"before\n{text}\nafter 17\n")
            assert secret not in left
            assert "***" in left
            assert left.startswith("before\n")
            assert left.endswith("\nafter 17\n")

    def test_what_programs_say_stays(self) -> None:
        assert free_of_secrets(_SEEN) == _SEEN

    def test_known_secrets_go_however_they_are_spelled(self) -> None:
        secret = "Correct4Horse7Staple"
        coded = b64encode(secret.encode()).decode()
        left = free_of_secrets(
            f"{secret} {secret[::-1]} {coded} {secret.encode().hex()}", [secret]
        )
        assert left.replace("*", "").split() == ["U="]  # what the base ends with

    def test_a_user_of_an_address_stays(self) -> None:
        assert free_of_secrets("postgres://me:pw1@host/db") == "postgres://me:***@host/db"

    @given(st.text())
    def test_twice_is_once(self, text: str) -> None:
        assert free_of_secrets(free_of_secrets(text)) == free_of_secrets(text)

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("part", ["secret=", "key:", "://a:", "bearer ", "password "])
    def test_a_long_line_of_names_ends(self, part: str) -> None:
        assert len(free_of_secrets(part * 50_000)) >= 3
