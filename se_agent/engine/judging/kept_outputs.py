"""What evaluators saw of failures, kept whole: a program's output, a compiler's complaints.

The journal gets a name and a preview; the whole lies beside the run. What cannot be kept is
named in the journal, and the run goes on with the texts that are cut. Not here: how it is kept
(`se_agent.memory`), and what a model asks to read of it (`models.reading`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from se_agent.chat.references import size_words
from se_agent.errors import MemoryFileError
from se_agent.memory import offload
from se_agent.values.artifact import ArtifactRef
from se_agent.values.evaluation import Evaluation

if TYPE_CHECKING:
    from se_agent.memory import ArtifactStore

_AUTHOR = "evaluator"


@dataclass(frozen=True)
class KeptOutputs:
    """The large outputs of one run; any thread may use it.

    Attributes:
        store: Where they are kept; None: nowhere.
        group: Name of the run.
        limit: Characters of an output that is shown whole.
        head: Characters of the beginning of a longer one that are shown.
        tail: Characters of its end that are shown.
    """

    store: ArtifactStore | None = None
    group: str = ""
    limit: int = 2000
    head: int = 500
    tail: int = 200

    def kept(self, evaluation: Evaluation, who: str) -> tuple[Evaluation, str]:
        """Return an evaluation as it goes on record: it names its output, and has none.

        Args:
            evaluation: With all that was seen, if an evaluator saw more than it tells.
            who: Id of the solution.

        Returns:
            The evaluation, and in a sentence why its output is lost; empty: it is not.
        """
        text = evaluation.full_output
        if not text:
            return evaluation, ""
        bare = replace(evaluation, full_output="")
        if self.store is None:
            return bare, ""
        try:
            output = self._saved(self.store, text, f"{who}, {evaluation.status}")
        except MemoryFileError as err:
            size = size_words(len(text.encode("utf-8", "surrogatepass")))
            return bare, f"{who}: its output ({size}) is not kept: {err}"
        return replace(bare, output=output), ""

    def _saved(self, store: ArtifactStore, text: str, title: str) -> ArtifactRef:
        """Keep an output and return its name, with all of a short one."""
        found = offload(
            text,
            title=title,
            author=_AUTHOR,
            store=store,
            group_id=self.group,
            limit=self.limit,
            head=self.head,
            tail=self.tail,
        ).artifact
        if found is not None:
            return found
        short = store.save_artifact(text, title=title, author=_AUTHOR, group_id=self.group)
        return replace(short, head=store.read_artifact(short.digest), tail="")

    def read(self, output: ArtifactRef, start: int, size: int) -> str:
        """Return characters of an output of this run, or what is left of it: its preview.

        Raises:
            MemoryFileError: It cannot be read.
        """
        if self.store is None:
            raise MemoryFileError(f"artifact {output.name}: nothing is kept beside this run")
        return self.store.read_artifact(output.digest, start=start, size=size)
