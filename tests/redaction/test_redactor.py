"""Secrets are found in texts however they are spelled, and nothing else is."""

from __future__ import annotations

import base64
import codecs
import json
import random
from collections.abc import Callable
from urllib.parse import quote

import pytest

from se_agent.redaction.redactor import Redactor
from tests.house import modules

SECRET = "Zq7+wLp2/vXk9=mTr4_Bc"
redact = Redactor([SECRET, "hunter22", "swordfish", "correcthorsebatterystaple", "short"])
DATA = SECRET.encode()


@pytest.mark.parametrize(
    "spelled",
    [
        SECRET,
        SECRET[::-1],
        SECRET.upper(),
        SECRET.swapcase(),
        " ".join(SECRET),
        "-".join(SECRET),
        "\n".join(SECRET),
        repr(list(SECRET)),
        base64.b64encode(DATA).decode(),
        base64.urlsafe_b64encode(b"x" + DATA + b"yz").decode(),
        base64.b64encode(DATA[::-1]).decode(),
        base64.b64encode(DATA).decode()[::-1],
        base64.b32encode(b"key=" + DATA).decode(),
        DATA.hex(),
        DATA.hex(" "),
        repr([hex(code) for code in DATA]),
        "".join(f"\\x{code:02x}" for code in DATA),
        codecs.encode(SECRET, "rot13"),
        quote(SECRET, safe=""),
        repr(list(DATA)),
        " ".join(f"{code:03d}" for code in DATA),
    ],
)
def test_a_secret_is_found_in_every_spelling(spelled: str) -> None:
    said = redact(f"before {spelled} after")
    assert "***" in said
    assert len(said) <= len("before *** after") + 8, "of bytes beside it a few letters stay"
    assert said.startswith("before ")
    assert said.endswith(" after")


@pytest.mark.parametrize("secret", ["пароль-от-базы", "line one\nline two", "gr\xfc\xdfe-an-7"])
def test_a_secret_is_found_as_json_has_it(secret: str) -> None:
    said = Redactor([secret])(json.dumps({"a": f"{secret}!"}))
    assert said.replace("\\", "") == '{"a": "***!"}'


@pytest.mark.parametrize("length", [8, 10, 13])
def test_a_piece_of_a_secret_is_found(length: int) -> None:
    for start in range(0, len(SECRET) - length, length):
        piece = SECRET[start : start + length]
        if sum(map(str.isalnum, piece)) >= 8:
            assert redact(f"part: {piece}.") == "part: ***."


@pytest.mark.parametrize(
    "shape",
    [
        "sk-proj-Ab3dEf6hIj9kLm2nOp5q",
        "ghp_" + "a1B2" * 9,
        "AKIA" + "ABCD1234" * 2,
        "eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\ndef\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_what_has_the_shape_of_a_key_is_taken_out(shape: str) -> None:
    assert Redactor()(f"it is {shape}, so") == "it is ***, so"


def test_a_word_is_found_as_it_is_and_not_in_programs() -> None:
    assert redact("password swordfish, catchswordfishing") == "password ***, catchswordfishing"
    assert redact("swordfish = 1", words=False) == "swordfish = 1"
    assert redact("hunter22 = 1", words=False) == "*** = 1"
    assert redact("correct horses, battery staples") == "correct horses, battery staples"
    assert redact("correct horse battery staple!") == "***!"
    assert redact("short") == "short"


def test_of_a_secret_nothing_stays_that_is_beside_a_shorter_one() -> None:
    nested = Redactor(["correct horse battery", "correct horse battery staple"])
    assert nested("correct horse battery staple!") == "***!"


def test_it_is_the_same_the_second_time() -> None:
    text = f"{SECRET} and {DATA.hex()}"
    assert redact(redact(text)) == redact(text) == "*** and ***"


@pytest.mark.tier("runs")
def test_a_text_full_of_secrets_is_cleaned_at_once() -> None:
    rows = [f"{n} {SECRET.upper()} " for n in range(20_000)]
    assert redact("".join(rows)) == "".join(f"{n} *** " for n in range(20_000))


@pytest.mark.tier("runs")
def test_a_secret_of_one_letter_is_found_at_once() -> None:
    dull = Redactor(["0" * 500 + "a1"])
    assert "***" in dull("0" * 10_000)


@pytest.mark.tier("runs")
def test_ordinary_texts_are_left_as_they_are() -> None:
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    drawn = ["".join(rng.choices(letters, k=rng.choice([8, 20, 40]))) for _ in range(100)]
    many = Redactor([*drawn, "4111111111111111", "2718281828", "correcthorsebatterystaple"])
    texts = [text for where, text in modules("problems", "se_agent", "tests")
             if where != "tests/redaction/test_redactor.py"]  # fmt: skip
    texts += [repr([rng.randrange(-(10**6), 10**6) for _ in range(20_000)])]
    texts += [repr([rng.random() for _ in range(9_000)])]
    shaped = [text for text in texts if Redactor()(text) != text]
    keys = ("sk-", "ghp_", "PRIVATE KEY-----")
    assert all(any(key in text for key in keys) for text in shaped), "keys of tests"
    rest = [text for text in texts if text not in shaped]
    assert [text for text in rest if many(text, words=False) != text] == []


@pytest.mark.parametrize(
    "encode", [base64.b64encode, base64.b32encode], ids=["base 64", "base 32"]
)
def test_no_digit_of_a_base_is_left_beside_the_mark(encode: Callable[[bytes], bytes]) -> None:
    value = "Zq7+wLp2/vXk9=m"  # of 15 bytes, which end where a digit of both bases ends
    spelled = encode(value.encode()).decode()
    assert "=" not in spelled
    assert Redactor([value])(f"<{spelled}>") == "<***>"
    assert Redactor([value])(f"<{spelled[::-1]}>") == "<***>"
