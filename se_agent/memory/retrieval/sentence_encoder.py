"""A small sentence encoder of the BERT family, computed by numpy alone: no torch, no download.

The means of the last layer's vectors, of length 1, as `all-MiniLM-L6-v2` and
`paraphrase-multilingual-MiniLM-L12-v2` (AM-15) define them. Not here: where weights come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from se_agent.memory.retrieval.subwords import Subwords

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_AT_ONCE = 16  # texts of like length that are worked on together


@dataclass(frozen=True, kw_only=True)
class SentenceEncoder:
    """Texts as vectors.

    Attributes:
        name: What it is, down to its weights.
        weights: float32 by the names that the family's files have.
        subwords: Cuts the texts.
        layers: Number of layers.
        heads: Attention heads of each layer.
        epsilon: Least variance in a layer norm.
        most: Subwords of a text; the rest is not read.
    """

    name: str
    weights: Mapping[str, Floats]
    subwords: Subwords
    layers: int
    heads: int
    epsilon: float = 1e-12
    most: int = 256

    @property
    def dimensions(self) -> int:
        """Numbers in each vector."""
        return int(self.weights["embeddings.word_embeddings.weight"].shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float16]:
        """Return one row of length 1 for each text."""
        numbers = [self.subwords.numbers(text, self.most) for text in texts]
        made = np.zeros((len(numbers), self.dimensions), dtype=np.float16)
        order = sorted(range(len(numbers)), key=lambda place: len(numbers[place]))
        for start in range(0, len(order), _AT_ONCE):
            part = order[start : start + _AT_ONCE]
            made[part] = self._vectors([numbers[place] for place in part])
        return made

    def _vectors(self, numbers: Sequence[Sequence[int]]) -> Floats:
        longest = max(map(len, numbers))
        ids = np.zeros((len(numbers), longest), dtype=np.int64)
        mask = np.zeros((len(numbers), longest), dtype=np.float32)
        for row, one in enumerate(numbers):
            ids[row, : len(one)] = one
            mask[row, : len(one)] = 1.0
        hidden = self._embedded(ids)
        for layer in range(self.layers):
            hidden = self._layer(hidden, mask, f"encoder.layer.{layer}.")
        mean = (hidden * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), dtype=np.float32)

    def _embedded(self, ids: NDArray[np.int64]) -> Floats:
        table = "embeddings.{}_embeddings.weight"
        words = self.weights[table.format("word")][ids]
        places = self.weights[table.format("position")][: ids.shape[1]]
        kind = self.weights[table.format("token_type")][0]
        return self._norm(words + places + kind, "embeddings.LayerNorm.")

    def _layer(self, hidden: Floats, mask: Floats, name: str) -> Floats:
        seen = self._attention(hidden, mask, f"{name}attention.")
        hidden = self._norm(hidden + seen, f"{name}attention.output.LayerNorm.")
        wide = _gelu(self._dense(hidden, f"{name}intermediate.dense."))
        narrow = self._dense(wide, f"{name}output.dense.")
        return self._norm(hidden + narrow, f"{name}output.LayerNorm.")

    def _attention(self, hidden: Floats, mask: Floats, name: str) -> Floats:
        rows, length, width = hidden.shape
        parts = [
            self._dense(hidden, f"{name}self.{part}.")
            .reshape(rows, length, self.heads, width // self.heads)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        ]
        query, key, value = parts
        scores = query @ key.swapaxes(-1, -2) / np.float32(np.sqrt(width // self.heads))
        scores = scores + (1.0 - mask[:, None, None, :]) * np.float32(-1e9)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed = (shares @ value).transpose(0, 2, 1, 3).reshape(rows, length, width)
        return self._dense(mixed, f"{name}output.dense.")

    def _dense(self, hidden: Floats, name: str) -> Floats:
        return np.asarray(
            hidden @ self.weights[f"{name}weight"].T + self.weights[f"{name}bias"],
            dtype=np.float32,
        )

    def _norm(self, hidden: Floats, name: str) -> Floats:
        middle = hidden - hidden.mean(axis=-1, keepdims=True)
        spread = np.sqrt((middle**2).mean(axis=-1, keepdims=True) + np.float32(self.epsilon))
        scaled = middle / spread * self.weights[f"{name}weight"] + self.weights[f"{name}bias"]
        return np.asarray(scaled, dtype=np.float32)


def _gelu(x: Floats) -> Floats:
    """Return x times the share of a normal distribution below it.

    The error function is the rational approximation 7.1.26 of Abramowitz and Stegun, which is
    right to 1.5e-7: as much as float32 holds.
    """
    z = np.abs(x) / np.float32(np.sqrt(2.0))
    t = 1.0 / (1.0 + 0.3275911 * z)
    powers = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
    below = 1.0 - sum(a * t ** (n + 1) for n, a in enumerate(powers)) * np.exp(-z * z)
    return np.asarray(0.5 * x * (1.0 + np.sign(x) * below), dtype=np.float32)
