"""The tables of `memory.db`, by the version that made them: plain SQL, and nothing else.

All text is free of secrets before it is written, all times are UTC, and lists and mappings are
JSON. There is no full-text table among them: a file may be a stranger's, and only plain tables
of it are ever queried. An index over words is made in memory by whoever searches.
"""

from __future__ import annotations

VERSION_1 = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE trials (
    run TEXT NOT NULL, rule TEXT NOT NULL, family TEXT NOT NULL, traits TEXT NOT NULL,
    tries INTEGER NOT NULL, wins INTEGER NOT NULL, credit REAL NOT NULL, gain REAL NOT NULL,
    cpu_seconds REAL NOT NULL, PRIMARY KEY (run, rule)
)""",
)

_RUNS = (
    """CREATE TABLE runs (
    run TEXT PRIMARY KEY, problem TEXT, fingerprint TEXT, family TEXT, kind TEXT, language TEXT,
    entry TEXT, entry_content TEXT, traits TEXT, words TEXT, status TEXT, gain REAL, low REAL,
    high REAL, evaluations INTEGER, calls INTEGER, tokens INTEGER, seed INTEGER, code TEXT,
    trusted INTEGER, started TEXT, ended TEXT
)""",
    "CREATE INDEX runs_of_a_problem ON runs(fingerprint)",
)
_ITEMS = (
    """CREATE TABLE items (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, outcome TEXT, title TEXT, description TEXT,
    content TEXT, operator TEXT, direction_key TEXT, words TEXT, language TEXT, family TEXT,
    scope TEXT, effect REAL, low REAL, high REAL, significant INTEGER, verified INTEGER,
    merged INTEGER, status TEXT NOT NULL DEFAULT 'candidate', valid_from TEXT, valid_to TEXT,
    superseded_by TEXT, created_at TEXT, last_used_at TEXT
)""",
    "CREATE INDEX items_of_a_key ON items(kind, direction_key)",
    "CREATE INDEX items_of_an_operator ON items(kind, operator)",
    """CREATE TABLE item_sources (
    item TEXT, run TEXT, solution TEXT, parent TEXT, slot INTEGER, event INTEGER, request TEXT,
    reply TEXT, model TEXT, diff TEXT, PRIMARY KEY (item, run, solution)
)""",
    """CREATE TABLE item_versions (
    item TEXT, version INTEGER, body TEXT, why TEXT, at TEXT, PRIMARY KEY (item, version)
)""",
)
_LONG_TERM = (
    """CREATE TABLE fixes (
    id TEXT PRIMARY KEY, error_pattern TEXT, solution TEXT, frequency INTEGER, language TEXT,
    verified INTEGER, last_run TEXT
)""",
    "CREATE INDEX fixes_of_an_error ON fixes(error_pattern)",
    """CREATE TABLE solutions (
    id TEXT PRIMARY KEY, project TEXT, function TEXT, code TEXT, success_rate REAL,
    coverage REAL, entry_content TEXT, effect REAL, low REAL, high REAL, edits TEXT, run TEXT
)""",
    "CREATE INDEX solutions_of_a_program ON solutions(entry_content)",
    """CREATE TABLE archetypes (
    id TEXT PRIMARY KEY, project TEXT, function TEXT, archetype_type TEXT, phases TEXT,
    confidence TEXT, source TEXT
)""",
    """CREATE TABLE tests (
    fingerprint TEXT, arguments TEXT, links TEXT, calls TEXT, body TEXT, run TEXT,
    PRIMARY KEY (fingerprint, arguments, links, calls)
)""",
)
_EPISODES = (
    """CREATE TABLE executions (
    run TEXT, slot INTEGER, agent_name TEXT, task_type TEXT, task_description TEXT,
    execution_result TEXT, success INTEGER, timestamp TEXT, duration REAL, context TEXT,
    words TEXT, PRIMARY KEY (run, slot, agent_name)
)""",
    """CREATE TABLE test_runs (
    run TEXT, slot INTEGER, attempt INTEGER, solution TEXT, success INTEGER, raw TEXT,
    parsed TEXT, analysis TEXT, failures_count INTEGER, errors_count INTEGER,
    test_files_count INTEGER, timestamp TEXT, PRIMARY KEY (run, slot, attempt)
)""",
    """CREATE TABLE exposures (
    run TEXT, slot INTEGER, item TEXT, shown INTEGER, declared INTEGER, operator TEXT,
    generation INTEGER, parent_effect REAL, valid INTEGER, gain REAL, outcome INTEGER,
    PRIMARY KEY (run, slot, item)
)""",
    "CREATE INDEX exposures_of_an_item ON exposures(item)",
)
_GRAPH = (
    """CREATE TABLE entities (
    id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, entity_type TEXT NOT NULL, run TEXT,
    valid_from TEXT, valid_to TEXT
)""",
    """CREATE TABLE relations (
    src INTEGER, dst INTEGER, relation_type TEXT, run TEXT, commit_id TEXT, valid_from TEXT,
    valid_to TEXT, PRIMARY KEY (src, dst, relation_type)
)""",
    "CREATE INDEX relations_to_an_entity ON relations(dst)",
    """CREATE TABLE observations (
    entity INTEGER, hash TEXT, content TEXT, run TEXT, at TEXT, valid_to TEXT,
    PRIMARY KEY (entity, hash)
)""",
)
_DERIVED = (
    """CREATE TABLE vectors (
    item TEXT, embedder TEXT, dim INTEGER, v BLOB, about TEXT, PRIMARY KEY (item, embedder)
)""",
    "CREATE TABLE derived (what TEXT PRIMARY KEY, upto INTEGER, checksum TEXT)",
)

VERSION_2 = (*_RUNS, *_ITEMS, *_LONG_TERM, *_EPISODES, *_GRAPH, *_DERIVED)
"""What lies beside the counts of operators: runs, items, episodes, graph, indexes."""

VERSION_3 = (
    "DROP TABLE derived",
    "ALTER TABLE solutions ADD COLUMN initial TEXT",
    "ALTER TABLE solutions ADD COLUMN form TEXT",
    "ALTER TABLE solutions ADD COLUMN status TEXT NOT NULL DEFAULT 'active'",
    "ALTER TABLE solutions ADD COLUMN why TEXT",
    """CREATE TABLE refutations (
    fingerprint TEXT, arguments TEXT, links TEXT, calls TEXT, run TEXT, programs INTEGER,
    at TEXT, PRIMARY KEY (fingerprint, arguments, links, calls, run)
)""",
)
"""The program that a solution began as, where a solution stands, and what tests refuted."""
