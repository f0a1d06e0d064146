"""A third-party gateway with mocked replies, where one is installed (`litellm[proxy]`).

Neither end of the wire is ours: the official client talks to a server that many people use.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.config.sections import Endpoint
from se_agent.errors import ModelError
from se_agent.llm.openai import OpenAIModel
from tests.contracts.model import ASKED

# An environment that is not activated has its scripts beside its interpreter.
_PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
GATEWAY = shutil.which("litellm", path=_PATH)
KEY = "sk-of-this-test-only-0123456789"
MODELS = """
model_list:
  - model_name: fake
    litellm_params: {model: openai/fake, api_key: none, mock_response: "x = 1"}
  - model_name: busy
    litellm_params: {model: openai/busy, api_key: none, mock_response: "litellm.RateLimitError"}
router_settings: {num_retries: 0, disable_cooldowns: true}
"""

pytestmark = [
    pytest.mark.skipif(GATEWAY is None, reason="no gateway is installed"),
    pytest.mark.timeout(300),
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("gateway")
    (folder / "models.yaml").write_text(MODELS, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(GATEWAY), "--config", "models.yaml", "--host", "127.0.0.1"]
    own = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MASTER_KEY": KEY}  # no download
    with (folder / "log").open("wb") as log:
        gateway = subprocess.Popen(
            [*command, "--port", str(port)],
            cwd=folder,
            env=os.environ | own,
            stdout=log,
            stderr=log,
        )
        try:
            _wait(f"http://127.0.0.1:{port}/health/liveliness", gateway)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            gateway.terminate()
            gateway.wait()


def _wait(url: str, gateway: subprocess.Popen[bytes]) -> None:
    for _ in range(1000):
        assert gateway.poll() is None, "the gateway has ended"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)


def model(url: str, name: str, key: str = KEY, **more: object) -> closing[OpenAIModel]:
    endpoint = Endpoint.model_validate({"name": name, "base_url": url, **more})
    return closing(OpenAIModel(endpoint, {"OPENAI_API_KEY": key}))


@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_comes_through(url: str, stream: bool) -> None:
    with model(url, "fake", stream=stream) as asked:
        reply = asked.complete(ASKED)
    assert reply.text == "x = 1"
    assert reply.complete
    assert reply.usage.total > 0


@pytest.mark.parametrize(
    ("name", "key", "status"),
    [
        pytest.param("none", KEY, "40[034]: ", id="unknown-model"),
        pytest.param("fake", "sk-of-somebody-else", "40[013]: ", id="wrong-key"),
    ],
)
def test_what_is_wrong_is_said_at_once(url: str, name: str, key: str, status: str) -> None:
    with (
        model(url, name, key) as asked,
        pytest.raises(ModelError, match=f"{name} at http://127.0.0.1.*{status}") as raised,
    ):
        asked.complete(ASKED)
    assert key not in str(raised.value)


def test_a_busy_one_is_asked_again_until_the_time_is_up(url: str) -> None:
    with (
        model(url, "busy", total_seconds=12.0) as asked,
        pytest.raises(ModelError, match=r"429: .* attempts") as raised,
    ):
        asked.complete(ASKED)
    assert not raised.value.fatal
