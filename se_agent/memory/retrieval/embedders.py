"""What turns texts into vectors: the seam, and a small sentence encoder by numpy alone.

None is needed: without one, words alone decide. Not here: how weights are read from a folder
(`se_agent.memory.workspace.encoder_files`), nor vectors of an endpoint (`se_agent.llm`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors. Same text, same vector."""

    @property
    def name(self) -> str:
        """What it is, down to its weights: vectors of two names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in each vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float16]:
        """Return one row for each text.

        Raises:
            EmbedderError: They cannot be had.
        """
        ...
