"""What a model reads of the large outputs of its run, on record before it is sent.

Not here: what a request looks like (`chat.reading_requests`), and how many there may be
(`chat.retry`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from se_agent.chat.escaping import inline
from se_agent.chat.events import Replied
from se_agent.chat.messages import family_of
from se_agent.chat.reading_requests import ROUND, ReadingRequest, refusal, slice_told
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.judging.kept_outputs import KeptOutputs
from se_agent.errors import MemoryFileError
from se_agent.memory_events import Fetched
from se_agent.store.blobs import digest_of
from se_agent.wire.spelling import encodable

_NAME = 64


@dataclass(frozen=True)
class OutputReader:
    """Answers requests; what is on record of an answer is the answer."""

    record: Recorder
    outputs: KeptOutputs

    def fetch(self, reply: Replied, requests: Sequence[ReadingRequest]) -> list[str]:
        """Return what a model is told of each slice that its reply asks for.

        Raises:
            JournalError: It cannot be recorded, or what was recorded is damaged.
        """
        told = list(fetched_texts(self.record, reply))
        for request in requests[len(told) :]:
            told.append(encodable(self._told(request, ROUND // len(requests))))
            event = Fetched(
                slot=reply.slot,
                role=reply.role,
                attempt=reply.attempt,
                artifact=inline(request.artifact)[:_NAME],
                start=request.start,
                text=digest_of(told[-1]),
            )
            self.record(event, [told[-1]])
        return told

    def _told(self, request: ReadingRequest, size: int) -> str:
        output = self.record.state.outputs.named(request.artifact)
        if output is None:
            return refusal(request)
        try:
            return slice_told(request, self.outputs.read(output, request.start, size))
        except MemoryFileError:
            return refusal(request)


def fetched_texts(record: Recorder, reply: Replied) -> list[str]:
    """Return what is on record of the slices that a reply asked for.

    Raises:
        JournalError: It is damaged.
    """
    stages = record.state.open.of(reply.slot)
    digests = stages.fetched.get((family_of(reply.role), reply.attempt), [])
    return [record.text(digest) for digest in digests]
