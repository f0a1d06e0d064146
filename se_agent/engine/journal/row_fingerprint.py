"""The fingerprint of a row and its configuration: the same whatever keys a run file gets later.

It is made of the keys that the first fingerprints had, and of every other key that differs from
its default. So a key that is new has no part in it until somebody sets it. Not here: the note
that has the fingerprint (`cell_record`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Set

from se_agent.config.deviations import deviations

FREE_KEYS = ("problem", "name", "results", "workers")
"""Keys of the configuration that change no result."""
_WORDS = {
    "": "program policy operators without objective weights seed generation_size schedule lag",
    "memory": "enabled token_limit directions_limit item_token_limit keep_successes "
    "keep_failures extraction status status_only tabu recommended bank failures evidence "
    "compression prior exclude_families vocabulary",
    "judge": "margin min_blocks max_blocks pairs counterexample_seconds rel_tol abs_tol",
    "measure": "fast_seconds slow_seconds self_test_blocks confirm_blocks confirm_inputs",
    "budget": "evaluations proposals generations calls patience tokens money cpu_seconds "
    "wall_seconds",
    "sandbox": "isolation",
    "prompt": "contrast diverse profile cases room",
    "asking": "in_flight share polish",
    "models.NAME": "name provider base_url key weights context max_tokens temperature "
    "json_schema stream timeout_seconds total_seconds prompt_price cached_price "
    "completion_price",
}
"""Keys of the first fingerprints by table, `[memory]` in its order. No new key belongs here."""
_FIRST = {
    f"{table}.{key}".lstrip(".") for table, words in _WORDS.items() for key in words.split()
}


def fingerprint_of(facts: object, config: Mapping[str, object]) -> str:
    """Return the fingerprint of what a problem is under a configuration of `as_record`."""
    # Whether a row can be measured does not depend on its prior.
    settings = {**deciding_settings(config), "memory.prior": True}
    text = json.dumps([facts, *settings.items()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def deciding_settings(config: Mapping[str, object]) -> dict[str, object]:
    """Return what a fingerprint is made of: keys of two levels, as they were spelled first."""
    changed = deviations(config).keys()
    found: dict[str, object] = {}
    for key, value in _kept(with_flat_memory(config), changed, ""):
        if isinstance(value, Mapping):
            found |= {f"{key}.{inner}": v for inner, v in value.items()}
        elif key not in FREE_KEYS:
            found[key] = value
    return found


def _kept(
    table: Mapping[str, object], changed: Set[str], above: str
) -> Iterator[tuple[str, object]]:
    """Yield the keys of a table that a fingerprint has; those of the tables in it likewise.

    A table of which nothing is kept is left out: it may be newer than the fingerprint.
    """
    for key, value in table.items():
        path = f"{above}.{key}".lstrip(".")
        if {path, _of_today(path)} & changed or _generic(path) in _FIRST:
            yield key, value
        elif isinstance(value, Mapping) and (inner := dict(_kept(value, changed, path))):
            yield key, inner


def with_flat_memory(config: Mapping[str, object]) -> dict[str, object]:
    """Return a configuration whose `[memory]` is one table, as it was first."""
    memory = config["memory"]
    assert isinstance(memory, Mapping)
    flat = {key: value for key, value in memory.items() if key != "local"} | memory["local"]
    first = {key: flat.pop(key) for key in _WORDS["memory"].split()}
    return {**config, "memory": first | flat}


def _of_today(path: str) -> str:
    table, _, key = path.partition(".")
    return f"memory.local.{key}" if table == "memory" else path


def _generic(path: str) -> str:
    """Return a path with NAME in place of a model's name."""
    table, _, rest = path.partition(".")
    _, _, key = rest.partition(".")
    return f"models.NAME.{key}" if table == "models" and key else path
