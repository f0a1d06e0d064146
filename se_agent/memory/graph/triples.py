"""What a run's journal gives to the knowledge graph: relations and facts, by rules (AM-58).

Pure, and without a model; what models say of headers is taken out of their tags, which the
journal has. A program is spoken of where it brought a proven gain, failed in a new way, or
mended what failed: a run of thousands of steps leads to some hundred relations. Not here: how
they are written (`writing`), and items of experience, whose ids only the harvest knows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime

from se_agent.chat.escaping import shortened_text
from se_agent.chat.events import Replied
from se_agent.events import (
    Challenged,
    Confirmed,
    Evaluated,
    Event,
    Learned,
    Proposed,
    Retested,
    Selected,
    Started,
)
from se_agent.memory.graph.ontology import EntityType, RelationType, entity_name
from se_agent.memory.graph.programs import Programs, function_entity
from se_agent.memory.graph.shapes import Derived, Edge, Fact, Triple
from se_agent.memory_events import Surveyed
from se_agent.program.call_graph import call_graph
from se_agent.program.error_template import ErrorTemplate, error_template
from se_agent.values.evaluation import Evaluation, FailedCase, Status, refuted_evaluation
from se_agent.values.session import SessionUpdates

_E, _R = EntityType, RelationType
_LONGEST = 1000  # characters of a name; what is longer is no name that anybody looks for
_FACT = 300  # characters of a fact


def derived_of(events: Iterable[Event], run: str = "") -> Derived:
    """Return the relations and the facts that a run's journal gives, each once.

    Args:
        events: All of the journal, or its beginning.
        run: What tells the run from all others; empty: nothing is said of the run itself.
    """
    reading = GraphReading(run)
    for event in events:
        reading.apply(event)
    return reading.graph_part


def error_entity(found: Evaluation) -> tuple[str, str]:
    """Return the name of the entity for how a program failed, and what the error says."""
    said = error_template(found.feedback)
    template = said if said.words else ErrorTemplate(found.status.value)
    return entity_name(_E.ERROR, template.key), template.words


class _Collected:
    """Relations and facts, each once, with the time of the event that gave them."""

    def __init__(self) -> None:
        self.triples: dict[Edge, Triple] = {}
        self.facts: dict[tuple[str, str], Fact] = {}
        self.moment = datetime.min.replace(tzinfo=UTC)

    @property
    def now(self) -> str:
        """The time of the event, as text; most events need none."""
        return self.moment.astimezone(UTC).isoformat(timespec="seconds")

    def add(self, source: str, kind: RelationType, target: str, commit: str = "") -> None:
        relation = Edge(source, target, kind.value)
        types = (source.partition(":")[0], target.partition(":")[0])
        if relation not in self.triples:
            self.triples[relation] = Triple(relation, types, self.now, commit)

    def say(self, entity: str, content: str) -> None:
        text, kind = shortened_text(content, _FACT), entity.partition(":")[0]
        if (entity, text) not in self.facts:
            self.facts[entity, text] = Fact(entity, kind, text, self.now)


class GraphReading:
    """One pass over a journal; for each slot it keeps what its later events refer to."""

    def __init__(self, run: str) -> None:
        self.found = _Collected()
        self._run = entity_name(_E.RUN, run) if run else ""
        self._problem = ""
        self._programs = Programs()
        self._subjects: dict[int, str] = {}  # what a slot repairs
        self._models: dict[int, Replied] = {}
        self._failed: dict[str, str] = {}  # error by id of the program
        self._seen: set[tuple[str, tuple[str, ...]]] = set()

    @property
    def graph_part(self) -> Derived:
        """What the events so far give."""
        triples, facts = self.found.triples.values(), self.found.facts.values()
        return Derived(
            tuple(one for one in triples if max(map(len, one.relation)) <= _LONGEST),
            tuple(one for one in facts if len(one.entity) <= _LONGEST),
        )

    def apply(self, event: Event) -> None:
        """Take in the next event."""
        self.found.moment = event.at
        match event:
            case Started():
                self._start(event)
            case Surveyed():
                self._headers(event.updates)
            case Selected():
                self._subjects[event.slot] = event.subject
            case Replied():
                self._models[event.slot] = event
            case Proposed() if event.proposal is not None:
                self._programs.add(event.proposal)
            case Evaluated():
                self._evaluated(event)
            case Challenged() if event.hunt.found is not None:
                refuted = refuted_evaluation(event.hunt.found)
                self._wrong(event.slot, event.solution, refuted)
            case Retested() if event.evaluation.status is not Status.AC:
                self._wrong(event.slot, event.solution, event.evaluation)
            case Learned():
                self._learned(event)
            case Confirmed() if event.status == "proven":
                improved = (_R.IMPROVES, self._problem)
                self._tell_of(event.slot, event.solution, improved)

    def _start(self, event: Started) -> None:
        self._problem = entity_name(_E.PROBLEM, event.name)
        self._programs.begin(event.name, event.initial)
        if self._run:
            self.found.add(self._run, _R.DEPENDS_ON, self._problem)
        for path, text in event.initial.files.items():
            file = entity_name(_E.FILE, event.name, path)
            self.found.add(self._problem, _R.INCLUDES, file)
            for function, called in call_graph(path, text).items():
                name = function_entity(event.name, path, function)
                self.found.add(file, _R.INCLUDES, name)
                for other in called:
                    self.found.add(name, _R.CALLS, function_entity(event.name, path, other))

    def _evaluated(self, event: Evaluated) -> None:
        self._programs.addresses[event.solution] = event.content
        if event.evaluation.status is not Status.AC:
            self._wrong(event.slot, event.solution, event.evaluation)
        elif error := self._failed.get(self._subjects.get(event.slot, "")):
            self._tell_of(event.slot, event.solution, (_R.FIXES, error))

    def _wrong(self, slot: int, solution: str, found: Evaluation) -> None:
        error, words = error_entity(found)
        self._failed[solution] = error
        functions = self._programs.touched_functions(solution)
        for case in found.failing:
            test = self._test(case)
            for function in functions:
                self.found.add(test, _R.TESTS_COVERS, function)
        if (error, functions) in self._seen:
            return
        self._seen.add((error, functions))
        self.found.say(error, words)
        for function in functions:
            self.found.add(error, _R.LOCATES, function)
        self._tell_of(slot, solution, (_R.RAISES_ERROR, error))

    def _learned(self, event: Learned) -> None:
        if event.session_updates is not None:
            self._headers(event.session_updates)
        verdict = event.verdict
        if verdict is None or verdict.status is not Status.AC:
            return
        functions = self._programs.touched_functions(event.child)
        if verdict.significant and event.best == event.child:
            self._tell_of(event.slot, event.child, *((_R.IMPROVES, one) for one in functions))
        elif verdict.interval[1] < 0:
            for rule in self._programs.rules(event.child):
                for function in functions:
                    self.found.add(rule, _R.SLOWS, function)

    def _tell_of(self, slot: int, solution: str, *done: tuple[RelationType, str]) -> None:
        """Say what a program did, what it derives from, and who wrote it."""
        name = self._programs.entity(solution)
        if not name:
            return  # the journal holds a part of a run only
        address, rules = self._programs.addresses[solution], self._programs.rules(solution)
        for kind, target in done:
            for who in (name, *rules):
                self.found.add(who, kind, target, address)
        parents = self._programs.parents(solution)
        for origin in (*parents, self._run):
            if origin:
                self.found.add(name, _R.DERIVES_FROM, origin, address)
        authors, reply = [*rules], self._models.get(slot)
        if reply is not None and parents:
            authors.append(entity_name(_E.AGENT, reply.role))
            authors.append(entity_name(_E.MODEL, reply.model))
        for author in authors:
            self.found.add(name, _R.WRITTEN_BY, author, address)
        if direction := self._programs.directions.get(solution):
            self.found.say(name, direction)

    def _headers(self, updates: SessionUpdates) -> None:
        headers = updates.skeleton_components.headers
        for header in headers if self._problem else ():
            name = entity_name(_E.HEADER, header.path)
            self.found.add(self._problem, _R.INCLUDES, name)

    def _test(self, case: FailedCase) -> str:
        asked = case.input or case.name
        key = hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()[:12]
        test = entity_name(_E.TEST, self._programs.problem, key)
        self.found.say(test, f"{case.name}: {case.input}" if case.input else case.name)
        return test
