"""From scores to hits: words and meaning together, a cut, variety, one failure, and room.

Pure, given the pool: same pool, same query, same hits, in one order. Not here: the scores
themselves (`pool`), and where hits are shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from se_agent.chat.escaping import inline
from se_agent.memory.context.tokens import TokenCounter
from se_agent.memory.retrieval.full_text import indexed_words
from se_agent.memory.retrieval.pool import ItemPool, MatchedItem, Query
from se_agent.memory.retrieval.pool_item import PoolItem

_TEXT, _VECTOR = 1.0, 0.4  # weights of the two z-scores
_CONSIDERED = 8  # hits by score, for each that is wanted, from which different ones are chosen
_MOST_LIFT = math.log(2.0)  # a lift halves or doubles a score: never a ban


@dataclass(frozen=True, kw_only=True)
class Hit:
    """An item that a search found, and why.

    Attributes:
        item: The item.
        score: By which hits are ordered: how far it stands above an item that has nothing in
            common with the query, in standard deviations, times the factor of its lift.
        text: Its part of the score by words.
        vector: Its part of the score by meaning; 0 where nobody compares meanings.
        factor: What its lift makes of the sum of both.
        similarity: Cosine, -1 to 1; None where nobody compares meanings.
    """

    item: PoolItem
    score: float
    text: float
    vector: float
    factor: float
    similarity: float | None

    @property
    def line(self) -> str:
        """The item on a line of a prompt, and what lies around it on another (AM-72)."""
        around = f"  - around it: {inline(self.item.around)}\n" if self.item.around else ""
        return f"- {inline(self.item.title)}: {inline(self.item.body)}\n{around}"


def search(
    pool: ItemPool,
    query: Query,
    *,
    k: int = 3,
    cut: float = 0.5,
    diversity: float = 0.7,
    failures: int = 1,
    lift: Mapping[str, float] | None = None,
) -> tuple[Hit, ...]:
    """Return the best items for a query, the best first.

    Args:
        pool: What is searched.
        query: What is looked for.
        k: How many at most.
        cut: Share of the best score that a hit has at least, 0 to 1.
        diversity: Weight of the score against being unlike the hits before it, 0 to 1; 1: the
            score alone counts.
        failures: How many hits may tell of failures. Where one of them is good enough to be a
            hit and this is not 0, one is among the hits.
        lift: Measured difference that showing an item makes, by id; an item that is not there
            has 0.

    Raises:
        EmbedderError: The query's vector cannot be had.
    """
    hits = ranked_hits(pool.matches(query), lift)
    if not hits or k < 1:
        return ()
    least = cut * hits[0].score
    good = [hit for hit in hits if hit.score >= least][: _CONSIDERED * k]
    return _chosen(good, k, diversity, failures)


def ranked_hits(
    matches: Sequence[MatchedItem], lift: Mapping[str, float] | None = None
) -> list[Hit]:
    """Return matches with their scores, the best first; of equal ones the smaller id."""
    texts = _standardised([one.text for one in matches], 0.0)
    meaning = [one.vector for one in matches if one.vector is not None]
    vectors = _standardised(meaning, min(meaning, default=0.0)) or [0.0] * len(texts)
    hits = []
    for one, text, vector in zip(matches, texts, vectors, strict=True):
        difference = (lift or {}).get(one.item.id, 0.0)
        factor = math.exp(min(max(difference, -_MOST_LIFT), _MOST_LIFT))
        parts = _TEXT * text, _VECTOR * vector
        hits.append(
            Hit(
                item=one.item,
                score=sum(parts) * factor,
                text=parts[0],
                vector=parts[1],
                factor=factor,
                similarity=one.vector,
            )
        )
    return sorted(hits, key=lambda hit: (-hit.score, hit.item.id))


def hits_within(hits: Sequence[Hit], room: int, counter: TokenCounter) -> tuple[Hit, ...]:
    """Return the hits that fit into a prompt, in their order; one too long is left out.

    Args:
        hits: The best first.
        room: Tokens that their lines may take together.
        counter: What counts tokens.
    """
    kept, text = list[Hit](), ""
    for hit in hits:
        if counter.count(text + hit.line) <= room:
            kept.append(hit)
            text += hit.line
    return tuple(kept)


def _standardised(scores: Sequence[float], nothing: float) -> list[float]:
    """Return how many standard deviations scores lie above that of nothing in common.

    Where all are equal there is no spread to measure with: each of them counts as one.
    """
    if not scores:
        return []
    spread = pstdev(scores, fmean(scores))
    if spread <= 1e-9 * max(map(abs, scores)):
        return [1.0 if score > nothing else 0.0 for score in scores]
    return [(score - nothing) / spread for score in scores]


def _chosen(hits: Sequence[Hit], k: int, diversity: float, failures: int) -> tuple[Hit, ...]:
    """Return k hits by maximal marginal relevance, a failure among them if there is one."""
    rest, chosen = list(hits), list[Hit]()
    words = {hit.item.id: indexed_words(hit.item) for hit in rest}
    best = hits[0].score or 1.0
    nearest = dict.fromkeys(words, 0.0)
    while rest and len(chosen) < k:
        told = sum(hit.item.failed for hit in chosen)
        last = len(chosen) == k - 1 and not told and failures > 0
        allowed = [hit for hit in rest if not hit.item.failed or told < failures]
        owed = [hit for hit in allowed if hit.item.failed] if last else []
        if not (owed or allowed):
            break
        taken = max(
            owed or allowed,
            key=lambda hit: (
                diversity * hit.score / best - (1.0 - diversity) * nearest[hit.item.id]
            ),
        )
        chosen.append(taken)
        rest.remove(taken)
        for hit in rest:
            alike = _alike(words[hit.item.id], words[taken.item.id])
            nearest[hit.item.id] = max(nearest[hit.item.id], alike)
    return tuple(chosen)


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that two items have in common, 0 to 1."""
    return len(one & other) / (len(one | other) or 1)


def hit_lines(hits: Iterable[Hit]) -> str:
    """Return hits as lines of a prompt."""
    return "".join(hit.line for hit in hits)
