"""What models of a run were asked, many conversations in one reading of its journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from se_agent.chat.messages import Message
from se_agent.engine.journal.folder import JOURNAL
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.transcript import unpacked_messages
from se_agent.errors import JournalError


def conversations(
    folder: Path, requests: Iterable[str]
) -> Iterator[tuple[str, tuple[Message, ...], str]]:
    """Yield each request with its messages; without any it says what is wrong with them.

    Args:
        folder: Folder of a run.
        requests: Digests of what was asked, as the column `request` of calls has them.

    Raises:
        JournalError: The folder holds no journal that can be read.
    """
    with Journal(folder / JOURNAL, write=False) as journal:
        for request in requests:
            try:
                yield request, unpacked_messages(request, journal.text), ""
            except JournalError as err:
                yield request, (), str(err)
