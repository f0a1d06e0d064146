"""Keys never leave."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.redaction.keys import of_program, redacted_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("no secrets", "no secrets", id="nothing"),
        pytest.param("key-1234 key-1234", "*** ***", id="known"),
        pytest.param("Incorrect: sk-proj-ab12****wxyz.", "Incorrect: ***", id="in-part"),
        pytest.param("Bearer abc.def", "Bearer ***", id="bearer"),
        pytest.param('"Authorization": "Basic"', '"Authorization": "***"', id="header"),
        pytest.param("Authorization: Basic bWU6eA== no", "Authorization: *** no", id="basic"),
        pytest.param("https://me:word@host/v1", "https://***host/v1", id="url"),
        pytest.param("/v1?api-key=word&v=2", "/v1?api-key=***&v=2", id="query"),
        pytest.param("task-force, risk-based", "task-force, risk-based", id="no-key"),
    ],
)
def test_what_is_taken_out(text: str, shown: str) -> None:
    assert redacted_text(text, ["key-1234", "ab"]) == shown


@pytest.mark.tier("runs")
@given(st.text(), st.text(min_size=4).filter(lambda text: "*" not in text), st.text())
def test_a_known_secret_is_never_in_it(before: str, secret: str, after: str) -> None:
    assert secret not in redacted_text(f"{before}{secret}{after}", [secret])


SECRET = "sk_SECRET/of+many=letters"


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(quote(SECRET, safe=""), id="in-a-url"),
        pytest.param(quote_plus(SECRET).lower().replace("sk_secret", "sk_SECRET"), id="lower"),
        pytest.param(json.dumps(SECRET).replace("/", "\\/"), id="in-json-of-php"),
        pytest.param(SECRET.encode().hex(), id="hexadecimal"),
        pytest.param(SECRET.encode().hex().upper(), id="in-capitals"),
        pytest.param(b64encode(SECRET.encode()).decode(), id="base64"),
        pytest.param(urlsafe_b64encode(SECRET.encode()).decode(), id="base64-for-urls"),
        pytest.param(b64encode(f"Bearer {SECRET}".encode()).decode(), id="header-in-base64"),
        pytest.param(b64encode(f"me:{SECRET}:you".encode()).decode(), id="amid-others"),
    ],
)
def test_a_secret_is_found_in_other_forms(form: str) -> None:
    assert "***" in redacted_text(f"said: {form}.", [SECRET])
    assert len(redacted_text(form, [SECRET])) < len(form) / 2


@given(st.binary(max_size=8), st.text("abcXYZ012-_/+", min_size=16, max_size=60), st.binary())
def test_of_base64_no_third_byte_of_it_stays(before: bytes, secret: str, after: bytes) -> None:
    packed = b64encode(before + secret.encode() + after).decode()
    left, mark, right = redacted_text(f"said: {packed}", [secret]).partition("***")
    assert mark
    assert len(left) - len("said: ") <= 4 * (len(before) / 3 + 1)
    assert len(right) <= 4 * (len(after) / 3 + 2)


def test_a_name_in_a_program_is_no_secret() -> None:
    program = "greatest = max(values)  # of a test"
    assert of_program(program, ["test"]) == program
    assert redacted_text(program, ["test"]) == "grea*** = max(values)  # of a ***"
    assert of_program(f"key = '{SECRET}'", [SECRET]) == "key = '***'"
    assert of_program("pass = 'c0de-5678'", ["c0de-5678"]) == "pass = '***'"


def test_bytes_that_are_no_text_can_be_a_secret() -> None:
    """An environment holds bytes; Python has those that are no UTF-8 as lone surrogates."""
    secret = b"p\xe4ssword-1234".decode("utf-8", "surrogateescape")
    assert redacted_text(f"{secret} and p%E4ssword-1234", [secret]) == "*** and ***"


KEY = "zq9-SECRETKEY/abc+def%12345"


@pytest.mark.parametrize("cut", [KEY[:-3], KEY[4:], KEY[4:-3], KEY[:12], KEY[:9]])
def test_a_key_that_was_cut_is_taken_out(cut: str) -> None:
    assert redacted_text(f"bad key {cut}... given", [KEY]) == "bad key ***... given"


def test_a_key_is_found_however_json_spells_it() -> None:
    spelled = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    assert redacted_text(f'{{"key": "{spelled}"', [KEY]) == '{"key": "***"'


def test_a_short_piece_may_be_a_word_and_stays() -> None:
    assert redacted_text(f"no model {KEY[:8]} here", [KEY]) == f"no model {KEY[:8]} here"
