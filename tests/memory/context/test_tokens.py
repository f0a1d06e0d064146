"""Token counters: exact where a vocabulary is at hand, never a download, else an estimate."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.errors import ConfigError
from se_agent.memory.context import tokens
from se_agent.memory.context.estimate import estimate
from se_agent.memory.context.tokens import (
    CachedCounter,
    TokenCounter,
    counter,
    definition,
    ranks,
)
from se_agent.memory.local.rendering import lines
from se_agent.values.lesson import Direction, Item
from tests.contracts.token_counter import TokenCounterContract
from tests.memory.examples import DIRECTIONS, ITEMS, at

HERE = Path(__file__)
ENGLISH = (
    "Programs spend most of their time in few places. Measure before you change anything, and "
    "measure again afterwards: an improvement nobody can reproduce is not an improvement."
)
CHINESE = (
    "程序的大部分时间花在少数几个地方。修改之前先测量、修改之后再测量。不能复现的改进不是改进。"
)
RUSSIAN = (
    "Программы проводят большую часть времени в немногих местах, поэтому сначала измеряйте."
)
JAPANESE = (
    "プログラムは時間の大部分を少数の場所で使う。変更する前に測定し、変更した後も測定する。"
)
KOREAN = "프로그램은 대부분의 시간을 몇 군데에서 보낸다. 바꾸기 전에 먼저 측정하라."
RECORDS = [
    {"id": n, "value": n * 1.37, "ok": n % 2 == 0, "name": f"case_{n}", "tags": ["a", "b"]}
    for n in range(30)
]
SAMPLES = {
    "code": HERE.read_text("utf-8").split("SAMPLES")[0].split("ENGLISH")[0],
    "code of the estimator": (
        HERE.parents[3] / "se_agent/memory/context/estimate.py"
    ).read_text(),
    "code of the laws": (HERE.parents[1] / "local" / "test_memory.py").read_text("utf-8"),
    "english": ENGLISH,
    "chinese": CHINESE,
    "russian": RUSSIAN,
    "japanese": JAPANESE,
    "korean": KOREAN,
    "json": json.dumps(RECORDS),
    "indented json": json.dumps(RECORDS, indent=2),
    "numbers": "\n".join(f"{n}, {n * n}, ({n % 7}, {n % 11})" for n in range(40)),
    "emoji": "😀 🚀 🎉 ✅ ❌ 🔥 👍 🧠 💡 👨\u200d👩\u200d👧 done ✅",
    "emoji only": "😀🚀🎉✅❌🔥👍🧠💡" * 3,
    "lesson": "- **`set_membership` in `solve`: 10.5 ms -> 0.11 ms** (set_membership, "
    "Gen1_Sol_2 from Gen0_Sol_0) Ask a set. WA on case 3: expected `[1]`, "
    "got `[2]`. +2 -2 in `solve`.\n",
}


class TestEstimator(TokenCounterContract):
    @pytest.fixture
    def counter(self) -> TokenCounter:
        return counter(name="estimator")


class TestRsBpe(TokenCounterContract):
    @pytest.fixture
    def counter(self) -> TokenCounter:
        pytest.importorskip("rs_bpe")
        return counter(name="rs-bpe:o200k_base")


class TestTiktoken(TokenCounterContract):
    """Over a vocabulary of single bytes: the real tables are not ours to ship."""

    @pytest.fixture
    def counter(self, bytes_only: bytes) -> TokenCounter:
        from tiktoken import Encoding

        encoding = Encoding(**definition("o200k_base", ranks(bytes_only)))
        return CachedCounter(
            "bytes", lambda text: len(encoding.encode_ordinary(text.replace("\ud800", "?")))
        )


@pytest.fixture
def bytes_only() -> bytes:
    pairs = (base64.b64encode(bytes([n])) + b" %d" % n for n in range(256))
    return b"\n".join(pairs) + b"\n"


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_estimate_seldom_counts_too_few_and_never_far_too_many(sample: str) -> None:
    openai = pytest.importorskip("rs_bpe.bpe").openai
    true = openai.o200k_base().count(SAMPLES[sample])
    assert 0.97 * true <= estimate(SAMPLES[sample]) <= 1.6 * true


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("one  two\n three 4 56", 10),
        ("漢字\u3000漢字 漢\u3000\u3000 \n字", 9),
        (" \t\u3000\n", 2),
        ("- **`a_b`**: 1.5 ms -> 0.25 ms (3 tries)\n", 26),
    ],
)
def test_what_was_estimated_once_stays_so(text: str, tokens: int) -> None:
    """A resumed run asks for the estimator by its name, and must cut where it did."""
    assert estimate(text) == tokens


@given(st.text(), st.text())
def test_a_longer_text_never_has_a_smaller_estimate(first: str, second: str) -> None:
    assert estimate(first + "\n" + second) >= max(estimate(first), estimate(second))


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_tiktokens_definition_is_made_without_its_loader(name: str, bytes_only: bytes) -> None:
    made = definition(name, ranks(bytes_only))
    assert made["name"] == name
    assert len(made["mergeable_ranks"]) == 256
    assert r"\p{N}{1,3}" in made["pat_str"]


def test_tiktoken_and_rs_bpe_count_alike() -> None:
    """On ASCII, whose merges need no token that is not a text of its own."""
    theirs = pytest.importorskip("rs_bpe.bpe").openai.o200k_base()
    from tiktoken import Encoding

    words = ((theirs.decode([rank]), rank) for rank in range(199_000))
    table = {word.encode(): rank for word, rank in words if word and word.isascii()}
    for n in range(256):
        table.setdefault(bytes([n]), 300_000 + n)
    ours = Encoding(**definition("o200k_base", table))
    ascii_only = [text for text in SAMPLES.values() if text.isascii()]
    assert len(ascii_only) >= 5
    for text in ascii_only:
        assert len(ours.encode_ordinary(text)) == theirs.count(text)


@given(st.lists(DIRECTIONS, max_size=3), st.lists(ITEMS, max_size=3))
def test_exact_counts_of_rendered_lines_add_up(
    directions: list[Direction], items: list[Item]
) -> None:
    """What entries hold may not make a token span two lines."""
    pytest.importorskip("rs_bpe")
    exact = counter(name="rs-bpe:o200k_base")
    rendered = list(lines(at(), directions, items))
    assert sum(map(exact.count, rendered)) >= exact.count("".join(rendered))


def test_a_vocabulary_is_known_by_its_hash(tmp_path: Path) -> None:
    other = tmp_path / "o200k_base.tiktoken"
    other.write_bytes(b"x" * 2_000_000)
    with pytest.raises(ConfigError, match="has another SHA-256") as error:
        counter(str(other))
    assert "o200k_base" in error.value.hint
    assert other.exists()
    with pytest.raises(ConfigError, match="No such file"):
        counter(str(tmp_path / "missing"))


def test_a_known_vocabulary_is_found_in_a_cache_folder(
    tmp_path: Path, bytes_only: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of the right hash is used wherever it lies; a wrong one is passed over."""
    padded = bytes_only + b"\n" * 1_000_000
    digest = hashlib.sha256(padded).hexdigest()
    monkeypatch.setitem(tokens.VOCABULARIES, "cl100k_base", digest)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    (tmp_path / "another").write_bytes(b"y" * 1_500_000)
    (tmp_path / "9b5ad71b").write_bytes(padded)
    found = counter(name="tiktoken:cl100k_base")
    assert found.name == "tiktoken:cl100k_base"
    assert found.count("abc 1") == 5


def test_a_run_resumes_with_the_counter_that_it_began_with() -> None:
    chosen = counter()
    assert counter(name=chosen.name).name == chosen.name
    with pytest.raises(ConfigError, match="not on this machine") as error:
        counter(name="tiktoken:unheard_of")
    assert "tokens" in error.value.hint
