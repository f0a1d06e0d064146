"""Secrets are not in our environment while a command runs, and come back afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from se_agent.environment import own
from se_agent.environment.own import given, is_secret, secrets_apart, set_apart, show_secrets

ROOT = Path(__file__).parents[2]
SECRETS = {
    "OPENAI_API_KEY": "planted-1",
    "github_token": "planted-2",
    "AWS_SECRET_ACCESS_KEY": "planted-3",
    "PGPASSWORD": "planted-4",
    "MYSQL_PWD": "planted-5",
    "OPENAI_CUSTOM_HEADERS": "X-Auth: planted-6",
    "DATABASE_URL": "postgres://user:planted-7@host/base",
    "HTTPS_PROXY": "http://user:planted-8@proxy:3128",
    "SENTRY_DSN": "planted-9",
    "GOOGLE_CREDENTIALS": "planted-10",
    "STRIPE_KEYS": "planted-11",
    "API_KEY_2": "planted-12",
}
PLAIN = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/nowhere",
    "PWD": "/nowhere",
    "LANG": "C.UTF-8",
    "TIKTOKEN_CACHE_DIR": "/nowhere",
    "TOKENIZERS_PARALLELISM": "false",
    "KEYBOARD": "us",
    "XDG_SESSION_ID": "1",
    "http_proxy": "http://proxy:3128",
    "COLUMNS": "80",
}


def python(code: str, **more: str) -> str:
    """Return what a Python prints that has all of that in its environment."""
    script = f"from se_agent.environment.own import *\nimport os, subprocess, sys\n{code}"
    env = {**PLAIN, **SECRETS, "MY_LLM": "planted-13", "PYTHONPATH": str(ROOT), **more}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_known_by_its_name_or_as_a_url_with_a_user(name: str) -> None:
    assert is_secret(name, SECRETS[name])


@pytest.mark.parametrize("name", PLAIN)
def test_what_programs_need_is_no_secret(name: str) -> None:
    assert not is_secret(name, PLAIN[name])


LOOKS = {
    "os.environ": "print(dict(os.environ))",
    "the C library": "import ctypes; c = ctypes.CDLL(None); c.getenv.restype = ctypes.c_char_p"
    "; print([c.getenv(name.encode()) for name in given()])",
    "the kernel": "print(open('/proc/self/environ', 'rb').read())",
    "a child": "print(subprocess.check_output(['env']))",
    "a child that looks at its parent": "print(subprocess.check_output("
    "['/bin/sh', '-c', 'cat /proc/$PPID/environ']))",
}


@pytest.mark.parametrize("name", LOOKS)
def test_nobody_sees_a_secret_while_a_command_runs(name: str) -> None:
    told = python(
        f"with secrets_apart():\n    set_apart(['MY_LLM', 'NOT_SET'])\n    {LOOKS[name]}\n"
    )
    assert "planted" not in told
    assert "C.UTF-8" in told  # what is no secret is where it was


def test_the_secrets_can_be_read_meanwhile_and_are_back_afterwards() -> None:
    told = python(
        "known = dict(os.environ)\n"
        "with secrets_apart():\n    set_apart(['MY_LLM'])\n    print(given() == known)\n"
        "    with secrets_apart():\n        pass\n    print('OPENAI_API_KEY' in os.environ)\n"
        "print(dict(os.environ) == known, given() == known)\n"
        "print(subprocess.check_output(['env'], text=True).count('planted'))\n"
    )
    assert told.split() == ["True", "False", "True", "True", "13"]


def test_code_of_others_finds_them_where_it_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "planted")
    with secrets_apart():
        with show_secrets():
            with show_secrets():
                pass
            assert os.environ["OTHER_API_KEY"] == "planted"
        assert "OTHER_API_KEY" not in os.environ
    assert os.environ["OTHER_API_KEY"] == "planted"


def test_they_are_back_when_a_command_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "planted")
    with pytest.raises(SystemExit, match="2"), secrets_apart():
        raise SystemExit(2)
    assert os.environ["OTHER_API_KEY"] == "planted"


def test_who_uses_us_as_a_library_keeps_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MY_LLM", "planted")
    set_apart(["MY_LLM"])
    assert os.environ["MY_LLM"] == given()["MY_LLM"] == "planted"


def test_a_variable_that_is_set_meanwhile_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "old")
    with secrets_apart():
        os.environ["OTHER_API_KEY"] = "new"
        assert given()["OTHER_API_KEY"] == "new"
    assert os.environ["OTHER_API_KEY"] == "new"
    assert own.given()["OTHER_API_KEY"] == "new"


def test_secrets_stay_apart_until_the_last_thread_has_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted-1")
    first, second = secrets_apart(), secrets_apart()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert "OPENAI_API_KEY" not in os.environ
    second.__exit__(None, None, None)
    assert os.environ["OPENAI_API_KEY"] == "planted-1"
