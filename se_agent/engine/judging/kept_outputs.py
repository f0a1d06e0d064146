"""What evaluators saw of failures, kept whole: a program's output, a compiler's complaints.

The journal gets a name and a preview; the whole lies beside the run. Where nothing can be kept,
the run goes on with the texts that are cut. Not here: how it is kept (`se_agent.memory`), and
what a model asks to read of it (`models.reading`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING

from se_agent.errors import MemoryFileError
from se_agent.memory import offload
from se_agent.values.artifact import ArtifactRef
from se_agent.values.evaluation import Evaluation

if TYPE_CHECKING:
    from se_agent.memory import ArtifactStore

_AUTHOR = "evaluator"


def _silent(told: str) -> None:
    del told


@dataclass
class KeptOutputs:
    """The large outputs of one run; any thread may use it.

    Attributes:
        store: Where they are kept; None: nowhere.
        group: Name of the run.
        limit: Characters of an output that is not kept whole.
        head: Characters of its beginning that are shown.
        tail: Characters of its end that are shown.
        tell: Is told in a sentence, once, why nothing can be kept any more.
    """

    store: ArtifactStore | None = None
    group: str = ""
    limit: int = 2000
    head: int = 500
    tail: int = 200
    tell: Callable[[str], None] = _silent
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    def kept(self, evaluation: Evaluation, who: str) -> Evaluation:
        """Return an evaluation as it goes on record: it names its output, and has none.

        Args:
            evaluation: With all that was seen, if an evaluator saw more than it tells.
            who: Id of the solution.
        """
        text = evaluation.full_output
        if not text:
            return evaluation
        bare = replace(evaluation, full_output="")
        store = self.store  # once: another thread may lose it meanwhile
        if store is None:
            return bare
        try:
            found = offload(
                text,
                title=f"{who}, {evaluation.status}",
                author=_AUTHOR,
                store=store,
                group_id=self.group,
                limit=self.limit,
                head=self.head,
                tail=self.tail,
            )
        except MemoryFileError as err:
            self._lose(err)
            return bare
        return replace(bare, output=found.artifact)

    def read(self, output: ArtifactRef, start: int, size: int) -> str:
        """Return characters of an output of this run, or what is left of it: its preview.

        Raises:
            MemoryFileError: It cannot be read.
        """
        store = self.store
        if store is None:
            raise MemoryFileError(f"artifact {output.name}: nothing is kept beside this run")
        return store.read_artifact(output.digest, start=start, size=size)

    def _lose(self, err: MemoryFileError) -> None:
        with self._lock:
            is_first, self.store = self.store is not None, None
        if is_first:
            self.tell(f"large outputs are cut from here on: {err}")
