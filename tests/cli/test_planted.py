"""Secrets are planted all around a project, and a model writes programs that ask for them.

The programs read whatever they can, garble it, and print, raise or return it: nothing of it
comes into a prompt, a journal, a file of the run, or onto the screen.
"""

from __future__ import annotations

import base64
import codecs
import json
import os
import random
import re
import string
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.cli.calls import Called, call
from tests.cli.folders import problem_folder
from tests.cli.shop import QUICK, STOCK
from tests.engine.models.test_keys import left_of
from tests.llm.endpoint import Answer, Endpoint, Request, completion, says, serving

LETTERS = string.ascii_letters + string.digits
DRAWN = random.Random(40)
SECRETS = tuple("".join(DRAWN.choices(LETTERS, k=28)) + "7x" for _ in range(40))
ENVIRONMENT = (
    "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_URL", "STRIPE_KEY",
    "SMTP_PASSWORD", "PRIVATE_CREDENTIAL", "SESSION_AUTH",
)  # fmt: skip
FILES = {
    ".env": "API_KEY=<>\nexport DB_PASSWORD='<>'\nMAGIC=<>\nURL=postgres://me:<>@db/x\nX_KEY=<>\n",
    ".env.local": "TOKEN=<>\n",
    "prod.env": "TOKEN=<>\n",
    ".git/config": '[remote "o"]\nurl = https://me:<>@example.com/x\n[http]\nheader = <>\n',
    ".netrc": "machine a login b password <>\nmachine c login d password <>\n",
    ".npmrc": "//registry.example/:_authToken=<>\n",
    ".pypirc": "[x]\nusername = me\npassword = <>\n",
    ".aws/credentials": "[default]\naws_secret_access_key = <>\naws_session_token = <>\n",
    ".kube/config": "users:\n- user:\n    token: <>\n",
    "server.pem": "-----BEGIN PRIVATE KEY-----\n<>\n<>\n-----END PRIVATE KEY-----\n",
    "id_rsa": "-----BEGIN OPENSSH PRIVATE KEY-----\n<>\n-----END OPENSSH PRIVATE KEY-----\n",
    "service-account.json": '{"private_key_id": "<>", "client_secret": "<>"}\n',
    "token.txt": "<>\n",
    "htpasswd": "me:<>\n",
    "secrets.yaml": "password: <>\nother: <>\n",
    "shop/local.py": 'API_TOKEN = "<>"\nPASSWORD = "<>"\n',
    "shop/config.py": (
        'API_KEY = "<>"\nDB = "https://me:<>@db.example/"\nTOKENS = {"token": "<>"}\n'
    ),
    "shop/names.py": (
        'AUTH_TOKEN: str = "<>"\nSECRET = "<>"\n\ndef clean(name): return name.strip()\n'
    ),
}
GARBLED = (
    "text", "text[::-1]", "' '.join(text)", "'-'.join(text)", "text.swapcase()",
    "text.encode().hex()", "base64.b64encode(text.encode()).decode()",
    "base64.b32encode(text.encode()).decode()", "codecs.encode(text, 'rot13')",
    "str(list(text.encode()))", "' / '.join(text[n:n + 12] for n in range(0, len(text), 12))",
)  # fmt: skip
SHORT = tuple(
    each.replace("operators=set_membership", "seed=1").replace(
        "budget.evaluations=2", "workers=1"
    )
    for each in QUICK
)
TOLD = (
    "raise ValueError(text)",
    "return [text]",
    "print(text, flush=True)\n    raise KeyError(text)",
)
ASKED = """\
    import base64, codecs, glob, os, sys
    text = ""
    here = vars(sys.modules[__name__]).get("__file__", "/x/y")
    root = os.path.dirname(os.path.dirname(here))
    for path in {paths!r}:
        try:
            text += open(os.path.join(root, path)).read()
        except (OSError, NameError):
            pass
    text += "".join(os.environ.values())
    text = text[{start}:{start} + 90]
    text = {garbled}
    {told}
"""  # fmt: skip


def planted(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the environment and the files that hold the secrets, each a few."""
    left = iter(SECRETS)
    around = dict(zip(ENVIRONMENT, left, strict=False))
    around["DATABASE_URL"] = f"postgres://me:{around['DATABASE_URL']}@db/x"
    files = {name: re.sub("<>", lambda _: next(left), text) for name, text in FILES.items()}
    assert not [*left], "all are planted"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return around, files


def asking(paths: Iterable[str], head: str, tail: str = "") -> Iterator[str]:
    """Yield programs that ask for what is in the files, each in another way."""
    names = [*paths]
    for number in count():
        told, garbled = TOLD[number % 3], GARBLED[number % len(GARBLED)]
        some = [names[number % len(names)], *(["shop/config.py"] if number % 2 else [])]
        body = ASKED.format(paths=some, start=40 * (number % 2), garbled=garbled, told=told)
        yield f"{head}{body}    # {number}\n{tail}"


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


def leaked(texts: Iterable[str]) -> set[str]:
    """Return the secrets of which a text has twelve characters, in a spelling of `GARBLED`."""
    spelled = {
        form: secret
        for secret in SECRETS
        for form in _forms(secret)
    }  # fmt: skip
    found = set[str]()
    for text in texts:
        plain = re.sub(r"[^a-z0-9]", "", text.lower())
        found |= {secret for form, secret in spelled.items() if form in plain}
    return found


def _forms(secret: str) -> Iterator[str]:
    low = secret.lower()
    pieces = [low[n : n + 12] for n in range(len(low) - 11)]
    yield from (form for piece in pieces for form in (piece, piece[::-1]))
    yield from (codecs.encode(piece, "rot13") for piece in pieces)
    data = secret.encode()
    yield from (data.hex(), "".join(map(str, data)))
    for before in range(3):
        yield base64.b64encode(b"0" * before + data).decode()[4:32].lower()
    for before in range(5):
        yield base64.b32encode(b"0" * before + data).decode()[8:40].lower()


def seen(server: Endpoint, called: Called, results: Path) -> dict[str, set[str]]:
    """Return the secrets that are to be seen, by place."""
    prompts = [
        message["content"] for each in server.requests for message in each.body["messages"]
    ]
    return {
        "prompts": leaked(prompts),
        "disk": leaked(data.decode("utf-8", "replace") for data in left_of(results)),
        "screen": leaked([called.out, called.err]),
    }  # fmt: skip


def model(server: Endpoint, programs: Iterator[str]) -> list[str]:
    """Have the server write these programs, and return the settings that ask it."""

    def writes(request: Request) -> Answer:
        declared = json.dumps({"direction": "ask", "expected_effect": "", "lessons_used": []})
        return says(completion(f"```json\n{declared}\n```\n```python\n{next(programs)}```"))

    server.will(writes)
    settings = (
        'operators=["rewriting", "repair"]',
        f"models.main.base_url={server.url}",
        "budget.calls=26",
        "budget.evaluations=26",
        "memory.enabled=false",
        "generation_size=2",
        "name=asked",
    )
    return ["--model", "fake", *(part for each in settings for part in ("--set", each))]


def test_optimize_shows_no_secret_to_a_model(
    server: Endpoint, stock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    around, files = planted(stock.parents[1])
    for name, value in around.items():
        monkeypatch.setenv(name, value)
    (stock.parents[1] / ".gitignore").write_text("local.py\nresults\n", encoding="utf-8")
    head = STOCK[: STOCK.index("    # Names")]
    tail = STOCK[STOCK.index("\n\ndef untouched") :]
    asked = model(server, asking(files, head, tail))
    called = call(
        "optimize", "shop/stock.py:missing", "--inputs", "inputs.py:lists", *SHORT, *asked
    )
    assert len(server.requests) >= 20, called
    assert seen(server, called, Path("results")) == {
        "prompts": set(), "disk": set(), "screen": set()
    }  # fmt: skip
    assert any("***" in json.dumps(each.body) for each in server.requests), "some were read"


def test_run_shows_no_secret_to_a_model(
    server: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = problem_folder(tmp_path)
    around, files = planted(folder)
    for name, value in around.items():
        monkeypatch.setenv(name, value)
    paths = [*(str(folder / name) for name in files), f"/proc/{os.getpid()}/environ"]
    asked = model(server, asking(paths, "def pairs(numbers, total):\n"))
    called = call("run", folder, *SHORT, *asked)
    assert len(server.requests) >= 20, called
    assert seen(server, called, Path("results")) == {
        "prompts": set(), "disk": set(), "screen": set()
    }  # fmt: skip
