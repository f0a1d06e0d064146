"""What was learned in a run, and what of it a prompt may hold: the door of the memory stack.

Other packages import from here, from `se_agent.memory.extraction` and `se_agent.memory.graph`,
and from no room behind these. A name is imported when it is asked for (PEP 562): whoever only
counts tokens should not wait for numpy or pydantic. `LocalMemory` is the working part; the
`Ledger` beneath it forgets nothing; counts of operators are kept across runs.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # `typing` itself would be imported for this one name
if TYPE_CHECKING:
    from se_agent.memory.artifacts.artifact_store import ArtifactStore
    from se_agent.memory.artifacts.garbage import GarbageCollector
    from se_agent.memory.artifacts.offload import offload
    from se_agent.memory.artifacts.schema import EPHEMERAL, PERSISTENT, ArtifactRow
    from se_agent.memory.artifacts.schema import FILE as ARTIFACTS_FILE
    from se_agent.memory.artifacts.spare_room import give_room
    from se_agent.memory.context.builder import ContextBuilder
    from se_agent.memory.context.digest import PastTurn
    from se_agent.memory.context.tokens import ESTIMATOR, TokenCounter, counter
    from se_agent.memory.experience.executions import ExecutionLog
    from se_agent.memory.experience.explanation import Explanation, explanation_of
    from se_agent.memory.experience.harvest import Harvest, harvest_of
    from se_agent.memory.experience.item_rows import ItemKind, ItemRow, ItemSource, ItemStatus
    from se_agent.memory.experience.items import Items
    from se_agent.memory.experience.operator_counts import OperatorCounts
    from se_agent.memory.experience.operator_counts import prior as prior_of
    from se_agent.memory.experience.promotion import promote, set_standing
    from se_agent.memory.experience.recall import recall
    from se_agent.memory.experience.schema import FILE as MEMORY_FILE
    from se_agent.memory.experience.schema import read as read_memory
    from se_agent.memory.experience.schema import write as write_memory
    from se_agent.memory.experience.test_runs import guide_text
    from se_agent.memory.experience.traits import traits as traits_of
    from se_agent.memory.knowledge.choice import archetype_of
    from se_agent.memory.knowledge.excerpt import excerpt_of
    from se_agent.memory.knowledge.retrieval import KnowledgeRetriever, found_pack, pack_names
    from se_agent.memory.knowledge.schema import Pack
    from se_agent.memory.local.directions import TABU, approach, replaced_list
    from se_agent.memory.local.edit_credit import UNKNOWN
    from se_agent.memory.local.evidence import (
        MeasuredChange,
        outcome_of,
        ratio,
        result_phrase,
        score_change,
    )
    from se_agent.memory.local.ledger import Ledger
    from se_agent.memory.local.ledger import search as search_items
    from se_agent.memory.local.memory import LocalMemory, MemoryUpdate
    from se_agent.memory.local.rendering import direction_lines, entry_line, render_markdown
    from se_agent.memory.local.tier import LocalTier
    from se_agent.memory.messages.agents import agents_of
    from se_agent.memory.messages.contexts import (
        AgentContexts,
        open_errors,
        suggest_next_actions,
    )
    from se_agent.memory.messages.fold import Threads
    from se_agent.memory.messages.shown import EarlierTurns
    from se_agent.memory.retrieval.embedders import Embedder
    from se_agent.memory.retrieval.query_words import text_words
    from se_agent.memory.session.injector import session_updates_of, updates_within
    from se_agent.memory.session.merge import contradicts
    from se_agent.memory.session.render import format_session_memory_for_prompt, headings_of
    from se_agent.memory.session.seed_form import seed_form
    from se_agent.memory.session.versions import SessionVersion
    from se_agent.memory.session.versions import versions_of as versions_of_sessions
    from se_agent.memory.stack import MemoryStack
    from se_agent.memory.workspace.backup import back_up_all
    from se_agent.memory.workspace.backup import restore as restore_all
    from se_agent.memory.workspace.doctor import examine
    from se_agent.memory.workspace.encoder_files import sentence_encoder
    from se_agent.memory.workspace.kv_store import write_preferences
    from se_agent.memory.workspace.layout import memory_path
    from se_agent.memory.workspace.listing import MemoryManager
    from se_agent.memory.workspace.maintain import maintain
    from se_agent.memory.workspace.memory_rows import KINDS as MEMORY_KINDS
    from se_agent.memory.workspace.memory_rows import MemoryHit, MemoryQuery, MemoryRow, Suiting
    from se_agent.memory.workspace.rebuild import JournalOutput
    from se_agent.memory.workspace.rebuild import rebuild as rebuild_index
    from se_agent.memory.workspace.rebuild_memory import RebuiltMemory, rebuild_memory
    from se_agent.memory.workspace.runs import RunRegister
    from se_agent.memory.workspace.workspace import Workspace, group_of, workspace_folder
else:

    def __getattr__(name: str) -> object:
        """Return a name of the memory stack, out of the room that has it."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        room, _, attribute = _PLACES[name].partition(":")
        return getattr(import_module(f"{__name__}.{room}"), attribute or name)


_PLACES = {
    "ArtifactStore": "artifacts.artifact_store",
    "GarbageCollector": "artifacts.garbage",
    "ARTIFACTS_FILE": "artifacts.schema:FILE",
    "EPHEMERAL": "artifacts.schema",
    "PERSISTENT": "artifacts.schema",
    "ArtifactRow": "artifacts.schema",
    "give_room": "artifacts.spare_room",
    "ContextBuilder": "context.builder",
    "PastTurn": "context.digest",
    "ESTIMATOR": "context.tokens",
    "TokenCounter": "context.tokens",
    "counter": "context.tokens",
    "ExecutionLog": "experience.executions",
    "Harvest": "experience.harvest",
    "harvest_of": "experience.harvest",
    "promote": "experience.promotion",
    "recall": "experience.recall",
    "ItemKind": "experience.item_rows",
    "ItemRow": "experience.item_rows",
    "ItemSource": "experience.item_rows",
    "ItemStatus": "experience.item_rows",
    "Explanation": "experience.explanation",
    "explanation_of": "experience.explanation",
    "Items": "experience.items",
    "OperatorCounts": "experience.operator_counts",
    "prior_of": "experience.operator_counts:prior",
    "MEMORY_FILE": "experience.schema:FILE",
    "read_memory": "experience.schema:read",
    "write_memory": "experience.schema:write",
    "traits_of": "experience.traits:traits",
    "set_standing": "experience.promotion",
    "guide_text": "experience.test_runs",
    "archetype_of": "knowledge.choice",
    "excerpt_of": "knowledge.excerpt",
    "KnowledgeRetriever": "knowledge.retrieval",
    "Pack": "knowledge.schema",
    "found_pack": "knowledge.retrieval",
    "pack_names": "knowledge.retrieval",
    "TABU": "local.directions",
    "approach": "local.directions",
    "replaced_list": "local.directions",
    "UNKNOWN": "local.edit_credit",
    "MeasuredChange": "local.evidence",
    "result_phrase": "local.evidence",
    "score_change": "local.evidence",
    "outcome_of": "local.evidence",
    "ratio": "local.evidence",
    "Ledger": "local.ledger",
    "search_items": "local.ledger:search",
    "LocalMemory": "local.memory",
    "LocalTier": "local.tier",
    "MemoryUpdate": "local.memory",
    "AgentContexts": "messages.contexts",
    "agents_of": "messages.agents",
    "open_errors": "messages.contexts",
    "suggest_next_actions": "messages.contexts",
    "Threads": "messages.fold",
    "EarlierTurns": "messages.shown",
    "MemoryStack": "stack",
    "session_updates_of": "session.injector",
    "updates_within": "session.injector",
    "contradicts": "session.merge",
    "format_session_memory_for_prompt": "session.render",
    "headings_of": "session.render",
    "seed_form": "session.seed_form",
    "SessionVersion": "session.versions",
    "versions_of_sessions": "session.versions:versions_of",
    "direction_lines": "local.rendering",
    "entry_line": "local.rendering",
    "offload": "artifacts.offload",
    "render_markdown": "local.rendering",
    "back_up_all": "workspace.backup",
    "restore_all": "workspace.backup:restore",
    "examine": "workspace.doctor",
    "MEMORY_KINDS": "workspace.memory_rows:KINDS",
    "MemoryManager": "workspace.listing",
    "MemoryHit": "workspace.memory_rows",
    "MemoryQuery": "workspace.memory_rows",
    "MemoryRow": "workspace.memory_rows",
    "Suiting": "workspace.memory_rows",
    "maintain": "workspace.maintain",
    "JournalOutput": "workspace.rebuild",
    "rebuild_index": "workspace.rebuild:rebuild",
    "RebuiltMemory": "workspace.rebuild_memory",
    "rebuild_memory": "workspace.rebuild_memory",
    "write_preferences": "workspace.kv_store",
    "memory_path": "workspace.layout",
    "RunRegister": "workspace.runs",
    "Workspace": "workspace.workspace",
    "workspace_folder": "workspace.workspace",
    "group_of": "workspace.workspace",
    "Embedder": "retrieval.embedders",
    "sentence_encoder": "workspace.encoder_files",
    "text_words": "retrieval.query_words",
}
"""Where each name is defined: a room, and the attribute where that is called otherwise."""

__all__ = [
    "ARTIFACTS_FILE",
    "EPHEMERAL",
    "ESTIMATOR",
    "MEMORY_FILE",
    "MEMORY_KINDS",
    "PERSISTENT",
    "TABU",
    "UNKNOWN",
    "AgentContexts",
    "ArtifactRow",
    "ArtifactStore",
    "ContextBuilder",
    "EarlierTurns",
    "Embedder",
    "ExecutionLog",
    "Explanation",
    "GarbageCollector",
    "Harvest",
    "ItemKind",
    "ItemRow",
    "ItemSource",
    "ItemStatus",
    "Items",
    "JournalOutput",
    "KnowledgeRetriever",
    "Ledger",
    "LocalMemory",
    "LocalTier",
    "MeasuredChange",
    "MemoryHit",
    "MemoryManager",
    "MemoryQuery",
    "MemoryRow",
    "MemoryStack",
    "MemoryUpdate",
    "OperatorCounts",
    "Pack",
    "PastTurn",
    "RebuiltMemory",
    "RunRegister",
    "SessionVersion",
    "Suiting",
    "Threads",
    "TokenCounter",
    "Workspace",
    "agents_of",
    "approach",
    "archetype_of",
    "back_up_all",
    "contradicts",
    "counter",
    "direction_lines",
    "entry_line",
    "examine",
    "excerpt_of",
    "explanation_of",
    "format_session_memory_for_prompt",
    "found_pack",
    "give_room",
    "group_of",
    "guide_text",
    "harvest_of",
    "headings_of",
    "maintain",
    "memory_path",
    "offload",
    "open_errors",
    "outcome_of",
    "pack_names",
    "prior_of",
    "promote",
    "ratio",
    "read_memory",
    "rebuild_index",
    "rebuild_memory",
    "recall",
    "render_markdown",
    "replaced_list",
    "restore_all",
    "result_phrase",
    "score_change",
    "search_items",
    "seed_form",
    "sentence_encoder",
    "session_updates_of",
    "set_standing",
    "suggest_next_actions",
    "text_words",
    "traits_of",
    "updates_within",
    "versions_of_sessions",
    "workspace_folder",
    "write_memory",
    "write_preferences",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
