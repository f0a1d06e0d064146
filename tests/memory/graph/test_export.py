"""Whatever stands in the graph comes back from each language as it was."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.graph.export import as_cypher, as_json, as_mermaid, as_ntriples
from se_agent.memory.graph.shapes import Edge, Entity, GraphOut
from tests.memory.graph.graphs import ANY_TEXT

NAMES = st.lists(ANY_TEXT, min_size=1, max_size=4, unique=True)
_STRING = re.compile(r"'((?:[^'\\]|\\.)*)'")
_ESCAPE = re.compile(r"\\(?:u([0-9A-F]{4})|(.))", re.DOTALL)
_SHORT = {"n": "\n", "r": "\r", "t": "\t"}


@st.composite
def graphs(draw: st.DrawFn) -> GraphOut:
    names = [name.replace("\ud800", "?") for name in draw(NAMES)]
    names = list(dict.fromkeys(names))
    clean = ANY_TEXT.map(lambda text: text.replace("\ud800", "?"))
    entities = [Entity(n, draw(clean), tuple(draw(st.lists(clean, max_size=2)))) for n in names]
    pairs = st.builds(Edge, st.sampled_from(names), st.sampled_from(names), clean)
    return GraphOut(tuple(entities), tuple(draw(st.lists(pairs, max_size=3, unique=True))))


def plain(text: str) -> str:
    return _ESCAPE.sub(
        lambda found: chr(int(found[1], 16)) if found[1] else _SHORT.get(found[2], found[2]),
        text,
    )


def strings(line: str) -> list[str]:
    """Return the strings of a statement, those that are joined by `+` as one."""
    return [plain(found) for found in _STRING.findall(line.replace("' + '", ""))]


def read_early(text: str) -> str:
    r"""Return a statement as servers see it that read `\uXXXX` before anything else."""
    return re.sub(
        r"\\u([0-9A-Fa-f]{4})|\\\\", lambda f: chr(int(f[1], 16)) if f[1] else f[0], text
    )


@pytest.mark.row("AM-55")
class TestRoundTrip:
    @given(graphs())
    def test_json(self, graph: GraphOut) -> None:
        assert GraphOut.from_json(json.loads("\n".join(as_json(graph)))) == graph

    @given(graphs())
    def test_cypher(self, graph: GraphOut) -> None:
        lines = list(as_cypher(graph))
        entities = [strings(line) for line in lines if line.startswith("MERGE")]
        relations = [strings(line) for line in lines if line.startswith("MATCH")]
        assert len(lines) == len(entities) + len(relations)
        assert [Entity(one[0], one[1], tuple(one[2:])) for one in entities] == [*graph.entities]
        assert [Edge(*one) for one in relations] == [*graph.relations]

    @given(graphs())
    def test_no_text_gets_out_of_its_string_in_a_server_that_reads_letters_first(
        self, graph: GraphOut
    ) -> None:
        shape = re.compile(r"(?:[^'`]|`\w+`|'(?:[^'\\]|\\.)*')*", re.DOTALL)
        for line in as_cypher(graph):
            early = read_early(line)
            assert shape.fullmatch(early)
            bare = re.sub(r"'(?:[^'\\]|\\.)*'", "", early, flags=re.DOTALL)
            assert bare.count(";") == 1
            assert "DETACH" not in bare

    @given(graphs())
    def test_ntriples(self, graph: GraphOut) -> None:
        term = r'<urn:se_agent:(\w+):([^<>"\s]*)>|"((?:[^"\\\n\r]|\\.)*)"'
        found: list[list[str]] = []
        for line in as_ntriples(graph):
            assert re.fullmatch(rf"(?:(?:{term}) ){{3}}\.", line)
            terms = list(re.finditer(term, line))
            found.append([plain(m[3]) if m[2] is None else unquote(m[2]) for m in terms])
        wanted = []
        for entity in graph.entities:
            wanted.append([entity.name, "entityType", entity.entity_type])
            wanted += [[entity.name, "observation", fact] for fact in entity.observations]
        wanted += [[one.source, one.relation_type, one.target] for one in graph.relations]
        assert found == wanted

    @given(graphs())
    def test_mermaid(self, graph: GraphOut) -> None:
        first, *lines = as_mermaid(graph)
        assert first == "graph LR"
        safe = r"[\w .,/()=#;-]*"
        names, joins = {}, []
        for line in lines:
            node = re.fullmatch(rf'  n(\d+)\["({safe})"\]', line)
            join = re.fullmatch(rf'  n(\d+) -->\|"({safe})"\| n(\d+)', line)
            assert node or join
            if node:
                names[node[1]] = in_words(node[2])
            elif join:
                joins.append(Edge(names[join[1]], names[join[3]], in_words(join[2])))
        assert list(names.values()) == [entity.name for entity in graph.entities]
        assert joins == [*graph.relations]


def in_words(label: str) -> str:
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), label)
