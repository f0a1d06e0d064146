"""A sentence encoder of our own making in a folder: the real reader and the real arithmetic."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from se_agent.errors import EmbedderError
from se_agent.memory.workspace.encoder_files import sentence_encoder

_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "set", "list", "##s", "a", "!", "é", "e"]
_WIDE, _INNER, _LAYERS = 8, 16, 2


def weights(seed: int = 0) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """Return drawn weights with the names that the family's files have."""
    rng = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(_WORDS), _WIDE),
        "embeddings.position_embeddings.weight": (32, _WIDE),
        "embeddings.token_type_embeddings.weight": (2, _WIDE),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(_LAYERS):
        at = f"encoder.layer.{layer}"
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
        dense = {
            f"{at}.attention.self.query": (_WIDE, _WIDE),
            f"{at}.attention.self.key": (_WIDE, _WIDE),
            f"{at}.attention.self.value": (_WIDE, _WIDE),
            f"{at}.attention.output.dense": (_WIDE, _WIDE),
            f"{at}.intermediate.dense": (_INNER, _WIDE),
            f"{at}.output.dense": (_WIDE, _INNER),
        }
        for name, shape in dense.items():
            shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    for name in norms:
        shapes |= {f"{name}.weight": (_WIDE,), f"{name}.bias": (_WIDE,)}
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def packed(found: dict[str, np.ndarray[Any, np.dtype[np.float32]]]) -> bytes:
    """Return weights as `safetensors` has them."""
    table, body = dict[str, object](), b""
    for name, numbers in found.items():
        data = numbers.tobytes()
        table[name] = {
            "dtype": "F32",
            "shape": numbers.shape,
            "data_offsets": [len(body), len(body) + len(data)],
        }
        body += data
    head = json.dumps({"__metadata__": {"format": "pt"}, **table}).encode()
    return struct.pack("<Q", len(head)) + head + body


UNIGRAM = {
    "type": "Unigram",
    "unk_id": 3,
    "vocab": [
        *(["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0]),
        *(["\u2581set", -2.0], ["\u2581", -4.0], ["set", -5.0], ["s", -3.0], ["e", -3.0]),
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    config = {
        "model_type": "bert",
        "num_hidden_layers": _LAYERS,
        "num_attention_heads": 2,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": 32,
    }
    pieces = {word: number for number, word in enumerate(_WORDS)}
    tokenizer = {"model": {"type": "WordPiece", "vocab": pieces, "unk_token": "[UNK]"}}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer))
    (tmp_path / "model.safetensors").write_bytes(packed(weights()))
    return tmp_path


@pytest.mark.row("AM-15")
class TestEncoder:
    def test_vectors_have_length_one(self, folder: Path) -> None:
        encoder = sentence_encoder(folder)
        made = encoder.embed(["a set", "lists!", ""])
        assert made.shape == (3, encoder.dimensions) == (3, _WIDE)
        assert np.linalg.norm(made.astype(np.float32), axis=1) == pytest.approx(1.0, abs=2e-3)

    def test_a_text_has_one_vector_whatever_is_embedded_beside_it(self, folder: Path) -> None:
        encoder = sentence_encoder(folder)
        texts = ["a set", "a list of lists is a list, is a list!", "set", "a", ""] * 8
        together = encoder.embed(texts)
        for place, text in enumerate(texts[:5]):
            assert encoder.embed([text])[0] == pytest.approx(together[place], abs=2e-3)

    def test_order_of_words_counts(self, folder: Path) -> None:
        one, other = sentence_encoder(folder).embed(["a set list", "list set a"])
        assert one != pytest.approx(other, abs=1e-2)

    def test_one_layer_is_what_the_definition_says(self, folder: Path) -> None:
        """The arithmetic once more, number by number and without matrices."""
        from math import erf, exp, sqrt

        w = {name: numbers.astype(np.float64) for name, numbers in weights().items()}

        def norm(x: Any, name: str) -> Any:
            spread = sqrt(float(np.var(x)) + 1e-12)
            return (x - x.mean()) / spread * w[f"{name}.weight"] + w[f"{name}.bias"]

        def dense(x: Any, name: str) -> Any:
            return w[f"{name}.weight"] @ x + w[f"{name}.bias"]

        ids = [2, 7, 4, 3]  # [CLS] a set [SEP]
        table = "embeddings.{}_embeddings.weight"
        hidden = [
            norm(
                w[table.format("word")][id_]
                + w[table.format("position")][place]
                + w[table.format("token_type")][0],
                "embeddings.LayerNorm",
            )
            for place, id_ in enumerate(ids)
        ]
        for layer in range(_LAYERS):
            at, mixed = f"encoder.layer.{layer}", []
            q, k, v = (
                [dense(x, f"{at}.attention.self.{part}") for x in hidden]
                for part in ("query", "key", "value")
            )
            for asked in q:
                parts = []
                for head in (slice(0, 4), slice(4, 8)):
                    shares = [exp(float(asked[head] @ one[head]) / 2.0) for one in k]
                    parts.append(
                        sum(s * one[head] for s, one in zip(shares, v, strict=True))
                        / sum(shares)
                    )
                mixed.append(np.concatenate(parts))
            for place, x in enumerate(mixed):
                seen = dense(x, f"{at}.attention.output.dense")
                here = norm(hidden[place] + seen, f"{at}.attention.output.LayerNorm")
                wide = dense(here, f"{at}.intermediate.dense")
                active = np.array([0.5 * y * (1 + erf(y / sqrt(2))) for y in wide])
                out = dense(active, f"{at}.output.dense")
                hidden[place] = norm(here + out, f"{at}.output.LayerNorm")
        mean = sum(hidden) / len(hidden)
        expected = mean / np.linalg.norm(mean)
        assert sentence_encoder(folder).embed(["A set"])[0] == pytest.approx(expected, abs=2e-3)

    def test_the_name_changes_with_the_weights(self, folder: Path) -> None:
        before = sentence_encoder(folder).name
        (folder / "model.safetensors").write_bytes(packed(weights(seed=1)))
        assert sentence_encoder(folder).name != before

    def test_words_are_cut_as_bert_cuts_them(self, folder: Path) -> None:
        cut = sentence_encoder(folder).subwords.numbers
        assert cut("Sets, a\u00e9!\x00", 32) == [2, 4, 6, 1, 1, 8, 3]
        assert cut("\u00c9", 32) == [2, 10, 3]
        assert cut("a" * 101, 32) == [2, 1, 3]
        assert cut("a " * 99, 8) == [2, *[7] * 6, 3]

    def test_a_multilingual_tokenizer_takes_the_likeliest_pieces(self, folder: Path) -> None:
        (folder / "tokenizer.json").write_text(json.dumps({"model": UNIGRAM}))
        cut = sentence_encoder(folder).subwords.numbers
        assert cut("set", 32) == [0, 4, 2]
        assert cut("ses", 32) == [0, 5, 7, 8, 7, 2]
        assert cut("\u4e2d\u6587 set", 32) == [0, 5, 3, 4, 2]

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("model.safetensors", b""),
            ("model.safetensors", struct.pack("<Q", 1 << 60) + b"{}"),
            ("model.safetensors", struct.pack("<Q", 2) + b"[]"),
            ("config.json", b"{}"),
            ("config.json", b"\xff"),
            ("config.json", b'{"model_type": "gpt2"}'),
            ("config.json", b"[" * 100_000),
            ("tokenizer.json", b'{"model": {"type": "BPE", "vocab": {}}}'),
            ("tokenizer.json", b'{"model": []}'),
            ("model.safetensors", packed({"embeddings.LayerNorm.bias": np.zeros(8, "f4")})),
        ],
    )
    def test_a_damaged_folder_is_told_in_two_lines(
        self, folder: Path, name: str, content: bytes
    ) -> None:
        (folder / name).write_bytes(content)
        with pytest.raises(EmbedderError, match="no encoder that can be used") as told:
            sentence_encoder(folder)
        assert str(folder) in str(told.value)
        assert "config.json, tokenizer.json and model.safetensors" in told.value.hint

    def test_a_file_that_is_missing_or_no_file_is_told(self, folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        with pytest.raises(EmbedderError, match="No such file"):
            sentence_encoder(folder)
        (folder / "model.safetensors").mkdir()
        with pytest.raises(EmbedderError, match="directory"):
            sentence_encoder(folder)
