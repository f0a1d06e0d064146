"""JSON out of replies: what is found, what is mended, and what the model is told."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from se_agent.chat.structured import schema_of, validated, value_of
from se_agent.errors import ReplyError
from se_agent.wire.spelling import encodable


class Item(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str
    count: int = 1


class Plan(BaseModel):
    model_config = ConfigDict(extra="forbid")

    items: list[Item] = Field(description="in order")
    note: str | None = None
    best: Item | None = Field(default=None, description="of them")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        pytest.param('{"a": 1}', {"a": 1}, id="bare"),
        pytest.param('```json\n{"a": 1}\n```', {"a": 1}, id="fenced"),
        pytest.param('  ```JSON5\n  {"a": 1}\n  ```', {"a": 1}, id="fenced-in-a-list"),
        pytest.param("~~~\n[1, 2]\n~~~", [1, 2], id="array-between-tildes"),
        pytest.param('```json\n{"a": 1}', {"a": 1}, id="a-fence-that-is-not-closed"),
        pytest.param('Sure!\n{"a": 1}\nI hope that helps.', {"a": 1}, id="text-around"),
        pytest.param(
            '{"a": [1, 2,], "b": {"c": 1,},}', {"a": [1, 2], "b": {"c": 1}}, id="commas"
        ),
        pytest.param('{"a": "x,]", "b": [1,]}', {"a": "x,]", "b": [1]}, id="comma-in-a-string"),
        pytest.param('{"a": "{[\\"}", "b": 1} }', {"a": '{["}', "b": 1}, id="braces-in-text"),
        pytest.param(
            '{"a": [1, // one\n 2, // two\n], "b": null} // or "x"',
            {"a": [1, 2], "b": None},
            id="comments",
        ),
        pytest.param('{"a": "http://x", "b": [1,]}', {"a": "http://x", "b": [1]}, id="url"),
        pytest.param('{"a": "x\ny\tz"}', {"a": "x\ny\tz"}, id="raw-line-break"),
        pytest.param(
            '{"code": "```\nx = {1}\n```"}',
            {"code": "```\nx = {1}\n```"},
            id="fence-in-text",
        ),
        pytest.param('for x in [0, 1) as {a, b}: {"a": 1}', {"a": 1}, id="prose-with-brackets"),
        pytest.param('As [1] says: {"a": [1, 2]}', {"a": [1, 2]}, id="a-citation-is-smaller"),
        pytest.param(
            '```python\nd = {"much": "longer", "than": "it"}\n```\n```json\n{"a": 1}\n```',
            {"a": 1},
            id="labelled-before-others",
        ),
        pytest.param('```\n[1]\n```\nlike {"a": "b"}', [1], id="fenced-before-others"),
        pytest.param('{"a": "\\ud83d\\ude00 \\ud83d"}', {"a": "😀 \\ud83d"}, id="half-a-pair"),
        pytest.param("{}", {}, id="empty-object"),
        pytest.param("[]", [], id="empty-array"),
    ],
)
def test_a_value_is_found(reply: str, value: object) -> None:
    assert value_of(reply) == value


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        pytest.param("", "no JSON object", id="nothing"),
        pytest.param("I cannot do that.", "no JSON object", id="prose"),
        pytest.param("“a”: {“b”: 1}", "no JSON object", id="smart-quotes"),
        pytest.param('{"a": [1, 2], "b": {"c"', "line 1: it ends too soon", id="truncated"),
        pytest.param('{"a": "x', "Unterminated string", id="truncated-string"),
        pytest.param(
            'So:\n{"a": 1\n "b": [2]}',
            "line 3: Expecting ',' delimiter",
            id="comma-missing",
        ),
        pytest.param("{\"a\": 'b'}", "Expecting value", id="single-quotes"),
        pytest.param('{"a": NaN}', "NaN is no number", id="not-a-number"),
        pytest.param("[" * 60 + "]" * 60, "nested more than 50 deep", id="deep"),
        pytest.param("[" * 99999 + "]" * 99999, "cannot be read", id="very-deep"),
        pytest.param('{"a": ' + "9" * 9999 + "}", "cannot be read", id="a-huge-number"),
    ],
)
def test_what_is_broken_is_said(reply: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        value_of(reply)


def test_the_place_is_shown() -> None:
    with pytest.raises(ReplyError, match="JSON of the reply") as raised:
        value_of('{"a": 1,\n "b" 2}')
    assert str(raised.value).splitlines()[1:] == [' "b" 2}', "     ^"]


def test_a_part_is_never_taken_for_the_whole() -> None:
    with pytest.raises(ReplyError, match="broken"):
        value_of('{"items": [{"title": "x"}], "note": oops, "best": {"title": "y"}}')


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    "reply",
    [
        pytest.param('["' * 500_000, id="brackets"),
        pytest.param("[1," * 300_000, id="lists"),
        pytest.param('```json\n{"a": ' * 70_000, id="fences"),
        pytest.param('{"a": "' + r"\"" * 90_000, id="quotes"),
        pytest.param('{"a": "' + r"\"" * 90_000 + "\\", id="half-an-escape"),
    ],
)
def test_a_long_reply_of_openings_is_soon_put_aside(reply: str) -> None:
    with pytest.raises(ReplyError, match="JSON"):
        value_of(reply)


class TestValidated:
    def test_it_has_the_type_that_was_asked_for(self) -> None:
        plan = validated(Plan, 'Here:\n{"items": [{"title": "x"},], "note": null}')
        assert plan == Plan(items=[Item(title="x")])

    def test_json_of_another_shape_is_passed_over(self) -> None:
        reply = 'I read {"config": {"much": ["longer"], "than": "it"}}.\n{"items": []}'
        assert validated(Plan, reply) == Plan(items=[])

    def test_each_wrong_field_is_named(self) -> None:
        with pytest.raises(ReplyError, match="JSON of the reply") as raised:
            validated(Plan, '{"items": [{"title": 2}, {}], "nots": "y"}')
        assert str(raised.value).splitlines()[1:] == [
            "- items[0].title: Input should be a valid string; it is 2",
            "- items[1].title: Field required",
            '- nots: Extra inputs are not permitted; it is "y"',
        ]

    def test_a_hundred_errors_are_not(self) -> None:
        reply = json.dumps({"items": [{}] * 100})
        with pytest.raises(ReplyError, match="and 95 more"):
            validated(Plan, reply)

    def test_without_json_the_fields_are_named(self) -> None:
        with pytest.raises(ReplyError, match='one that has "items", "note", "best"'):
            validated(Plan, "no")


class TestSchema:
    def test_it_is_strict(self) -> None:
        schema = schema_of(Plan)
        item = {
            "type": "object",
            "properties": {"title": {"type": "string"}, "count": {"type": "integer"}},
            "required": ["title", "count"],
            "additionalProperties": False,
        }
        assert schema == {
            "title": "Plan",
            "$defs": {"Item": item},
            "type": "object",
            "properties": {
                "items": {
                    "type": "array",
                    "items": {"$ref": "#/$defs/Item"},
                    "description": "in order",
                },
                "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "best": {
                    "anyOf": [{"$ref": "#/$defs/Item"}, {"type": "null"}],
                    "description": "of them",
                },
            },
            "required": ["items", "note", "best"],
            "additionalProperties": False,
        }

    def test_a_reference_stands_alone(self) -> None:
        class One(BaseModel):
            item: Item = Field(description="the one")

        assert schema_of(One)["properties"]["item"]["properties"]["count"] == {
            "type": "integer"
        }

    def test_sizes_are_not_said_for_some_endpoints_refuse_them(self) -> None:
        class Sized(BaseModel):
            names: list[Annotated[str, Field(min_length=1)]] = Field(min_length=1, max_length=3)

        assert schema_of(Sized)["properties"]["names"] == {
            "type": "array",
            "items": {"type": "string"},
        }
        with pytest.raises(ReplyError, match="at least 1 item"):
            validated(Sized, '{"names": []}')

    def test_free_keys_cannot_be_said(self) -> None:
        class Free(BaseModel):
            counts: dict[str, int]

        with pytest.raises(TypeError, match="free keys"):
            schema_of(Free)


PLAIN = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PLAIN, inner, max_size=3),
    max_leaves=10,
)


class TestLaws:
    @given(st.dictionaries(PLAIN, VALUES, max_size=3), st.booleans(), st.none() | st.just(2))
    def test_what_was_written_is_read(
        self, value: dict[str, Any], escaped: bool, indent: int | None
    ) -> None:
        written = json.dumps(value, ensure_ascii=escaped, indent=indent)
        assert value_of(written) == value
        assert value_of(f"So it is:\n\n```json\n{written}\n```\nor {{}}, or [0].") == value

    @given(st.text(alphabet='{}[]",:\\ \n`1ajson', max_size=80) | st.text())
    def test_any_text_gives_a_value_or_an_error_for_the_model(self, reply: str) -> None:
        try:
            found = value_of(reply)
        except ReplyError as err:
            assert str(err)  # noqa: PT017 (either outcome is fine)
        else:
            assert isinstance(found, dict | list)
            json.dumps(found, ensure_ascii=False).encode()

    @given(st.text(st.characters() | st.sampled_from("\ud83d\ude00")))
    @example("\ud83dx")
    def test_every_text_can_be_encoded(self, text: str) -> None:
        assert encodable(text).encode("utf-8").decode("utf-8") == encodable(text)
        if not any(0xD800 <= ord(each) < 0xE000 for each in text):
            assert encodable(text) == text

    @pytest.mark.parametrize("blanks", [" ", "\t", " \t", "\n", " \n"])
    def test_a_long_run_of_blanks_is_read_in_a_moment(self, blanks: str) -> None:
        begin = time.process_time()
        for text in (f"```{blanks * 90_000}x\n", f"```json{blanks * 90_000}x\n"):
            with pytest.raises(ReplyError, match="no JSON object"):
                value_of(text)
        assert time.process_time() - begin < 5
