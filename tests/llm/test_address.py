"""Where an endpoint is, and the key to it."""

from __future__ import annotations

import pytest

from se_agent.config.sections import Endpoint
from se_agent.errors import ModelError
from se_agent.llm.address import (
    OFFICIAL,
    base_of,
    key_of,
    public_address,
    secrets_around,
    secrets_in,
    url_of,
)

AWAY = "https://example.com/v1"


def endpoint(base_url: str = "", key: str = "OPENAI_API_KEY") -> Endpoint:
    return Endpoint(name="gpt", base_url=base_url, key=key)


@pytest.mark.parametrize(
    ("base_url", "environ", "url"),
    [
        pytest.param(AWAY, {"OPENAI_BASE_URL": "http://other"}, AWAY, id="the-run-file"),
        pytest.param("", {"OPENAI_BASE_URL": "http://other"}, "http://other", id="environment"),
        pytest.param("", {}, OFFICIAL, id="official"),
    ],
)
def test_the_run_file_comes_first(base_url: str, environ: dict[str, str], url: str) -> None:
    assert url_of(endpoint(base_url), environ) == url


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "ftp://x/v1", "http://", "http://[x", "http://x:99999/v1"]
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(ModelError, match="no URL of a web server") as raised:
        url_of(endpoint(url), {})
    assert raised.value.fatal
    assert "http://localhost:8000/v1" in raised.value.hint


@pytest.mark.parametrize(
    ("base_url", "environ", "key"),
    [
        pytest.param(AWAY, {"OPENAI_API_KEY": " k1\n"}, "k1", id="there"),
        pytest.param("http://localhost:8000/v1", {}, "none", id="localhost"),
        pytest.param("http://127.0.0.5:1/v1", {"OPENAI_API_KEY": ""}, "none", id="loopback"),
        pytest.param("http://[::1]:1/v1", {"OPENAI_API_KEY": "k1"}, "k1", id="loopback-key"),
    ],
)
def test_a_key_is_found(base_url: str, environ: dict[str, str], key: str) -> None:
    assert key_of(endpoint(base_url), environ) == key


def test_the_variable_is_the_one_that_is_named() -> None:
    other = endpoint(AWAY, key="OTHER_KEY")
    assert key_of(other, {"OPENAI_API_KEY": "k1", "OTHER_KEY": "k2"}) == "k2"
    with pytest.raises(ModelError, match="no key in OTHER_KEY"):
        key_of(other, {"OPENAI_API_KEY": "k1"})


@pytest.mark.parametrize("key", ["two words", "clé", "a\nb", "a\x00b"])
def test_what_cannot_be_a_key_is_refused_unseen(key: str) -> None:
    with pytest.raises(ModelError, match="cannot be a key") as raised:
        key_of(endpoint(AWAY), {"OPENAI_API_KEY": key})
    assert key not in f"{raised.value} {raised.value.hint}"


@pytest.mark.parametrize(
    ("url", "text"),
    [
        pytest.param(AWAY, AWAY, id="as-it-is"),
        pytest.param("https://me:word@h:1/v1?key=x#y", "https://h:1/v1", id="secrets"),
        pytest.param("http://[::1]:8/v1", "http://::1:8/v1", id="address"),
    ],
)
def test_secrets_in_it_are_not_shown(url: str, text: str) -> None:
    assert public_address(url) == text


@pytest.mark.parametrize(
    ("url", "secrets"),
    [
        pytest.param(AWAY, set(), id="none"),
        pytest.param("https://me:word@h/v1", {"word", "bWU6d29yZA=="}, id="password"),
        pytest.param("https://me@h/v1", set(), id="user"),
        pytest.param("https://h/v1?sig=a%2fb%2Bc&v=2", {"a%2fb%2Bc", "a/b+c"}, id="query-raw"),
        pytest.param(
            "https://tok%2Den-of-sixteen@h",
            {"tok%2Den-of-sixteen", "tok-en-of-sixteen", "dG9rLWVuLW9mLXNpeHRlZW46"},
            id="token",
        ),
        pytest.param(
            "https://token-of-sixteen:@h",
            {"token-of-sixteen", "dG9rZW4tb2Ytc2l4dGVlbjo="},
            id="empty-password",
        ),
        pytest.param(
            "https://token-of-sixteen:x-auth@h",
            {"token-of-sixteen", "x-auth", "dG9rZW4tb2Ytc2l4dGVlbjp4LWF1dGg="},
            id="token-beside-a-word",
        ),
        pytest.param("https://h/v1?key=k1&v=2", {"k1"}, id="query"),
    ],
)
def test_what_is_secret_in_it(url: str, secrets: set[str]) -> None:
    """Also as it is sent; the name beside a password is none, for it may be a plain word."""
    assert set(secrets_in(url)) == secrets


def test_what_the_package_sends_besides_is_secret() -> None:
    headers = (
        "X-Corp-Token: t0ken-of-corp",
        "X-Auth: Bearer tok-Abcdef01",
        'Cookie: theme=dark; session="s3ss10nSecret"',
        "X-Title: minimum_spanning_tree",
        "X-Kind: maximum_spanning_tree",
        "X-Trace: 0123456789abcdef",
        "X-Max-Rows: 1000",
        "broken",
    )
    environ = {
        "OPENAI_ORG_ID": "org-1",
        "OPENAI_CUSTOM_HEADERS": "\n".join(headers),
        "OPENAI_BASE_URL": AWAY,
        "OPENAI_TIMEOUT": "1000",
        "OPENAI_MODEL": "gpt-of-a-long-name",
        "OTHER": "free",
    }
    assert secrets_around(environ) == [
        "org-1",
        "t0ken-of-corp",
        "Bearer tok-Abcdef01",
        "tok-Abcdef01",
        'theme=dark; session="s3ss10nSecret"',
        "s3ss10nSecret",
        "0123456789abcdef",
    ]


@pytest.mark.parametrize(
    ("url", "base"),
    [
        pytest.param(
            "https://me:word@x/v1/chat/completions?key=word", "https://x/v1", id="all"
        ),
        pytest.param("http://[::1]:80/v1/chat/completions/", "http://[::1]:80/v1", id="ipv6"),
        pytest.param("http://x/elsewhere", "http://x/elsewhere", id="another-path"),
    ],
)
def test_the_base_of_an_address_that_is_asked(url: str, base: str) -> None:
    assert base_of(url) == base
