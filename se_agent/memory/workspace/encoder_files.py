"""A sentence encoder from a folder on this machine: nothing is ever downloaded.

The folder has `config.json`, `tokenizer.json` and `model.safetensors`, as such models are
published. Vectors are told apart by the hash of the weights, so those of another model, or of
another version of it, are never compared. Not here: how it computes (`retrieval`).
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from se_agent.errors import EmbedderError, reason
from se_agent.files import plain
from se_agent.memory.retrieval.subwords import Subwords, Unigram, WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from se_agent.memory.retrieval.sentence_encoder import SentenceEncoder

_CONFIG, _PIECES, _WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
_LIMITS = "sentence_bert_config.json"
_LARGEST = {_CONFIG: 1 << 20, _LIMITS: 1 << 20, _PIECES: 64 << 20, _WEIGHTS: 2 << 30}  # bytes
_KINDS = {"F32": "<f4", "F16": "<f2"}
_MOST = 256  # subwords of a text, where the folder does not say
_DAMAGE = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError),
    *(struct.error, RecursionError),
)
_HINT = (
    "give a folder with config.json, tokenizer.json and model.safetensors of a BERT encoder,"
    " such as all-MiniLM-L6-v2 or paraphrase-multilingual-MiniLM-L12-v2"
)


def sentence_encoder(folder: Path) -> SentenceEncoder:
    """Return the encoder whose files lie in a folder.

    Raises:
        EmbedderError: A file is missing or damaged, or is of another kind of model.
    """
    with _readable(folder):
        from se_agent.memory.retrieval.sentence_encoder import SentenceEncoder

        config = json.loads(_bytes(folder, _CONFIG))
        if config["model_type"] != "bert" or config.get("hidden_act", "gelu") != "gelu":
            raise ValueError(f"a model of type {str(config['model_type'])[:40]!r}, not 'bert'")
        limits = folder / _LIMITS
        most = (
            json.loads(_bytes(folder, _LIMITS))["max_seq_length"] if limits.exists() else _MOST
        )
        data = _bytes(folder, _WEIGHTS)
        encoder = SentenceEncoder(
            name=f"minilm:{hashlib.sha256(data).hexdigest()[:12]}",
            weights=_weights(data),
            subwords=_subwords(json.loads(_bytes(folder, _PIECES))),
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            epsilon=float(config["layer_norm_eps"]),
            most=min(int(most), int(config["max_position_embeddings"])),
        )
        encoder.embed([""])  # what is missing in its weights shows here, and not in a search
        return encoder


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as err:
        raise EmbedderError(f"{folder}: {reason(err)}", hint=_HINT) from err
    except _DAMAGE as err:
        raise EmbedderError(
            f"{folder}: no encoder that can be used: {err}", hint=_HINT
        ) from err


def _bytes(folder: Path, name: str) -> bytes:
    return plain.content(folder / name, most=_LARGEST[name])


def _weights(data: bytes) -> dict[str, NDArray[np.float32]]:
    """Read the format `safetensors`: a length, a table in JSON, and numbers."""
    import numpy as np

    (length,) = struct.unpack("<Q", data[:8])
    table: dict[str, Any] = json.loads(data[8 : 8 + length])
    body, found = memoryview(data)[8 + length :], {}
    for name, entry in table.items():
        if name == "__metadata__" or entry["dtype"] not in _KINDS:
            continue  # numbers of places are integers, and not needed
        start, end = entry["data_offsets"]
        numbers = np.frombuffer(body[start:end], dtype=_KINDS[entry["dtype"]])
        shaped = numbers.reshape(entry["shape"]).astype(np.float32)
        found[name.removeprefix("bert.")] = shaped
    return found


def _subwords(told: dict[str, Any]) -> Subwords:
    model = told["model"]
    if model.get("type", "WordPiece") == "WordPiece":
        lower = (told.get("normalizer") or {}).get("lowercase", True)
        return WordPiece(pieces=model["vocab"], unknown=model["unk_token"], lower=bool(lower))
    if model["type"] == "Unigram":
        pieces = [(str(piece), float(score)) for piece, score in model["vocab"]]
        return Unigram(pieces=pieces, unknown=int(model["unk_id"]))
    raise ValueError(f"a tokenizer of type {str(model['type'])[:40]!r}")
