"""What every operator must do, and every rule besides. Inherit and give the fixtures."""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterator

import pytest

from operators.cpp.rule import TextRule
from operators.editing.genome import replayed
from operators.rewrite.rule import Rule
from se_agent.abilities.optional import Offering
from se_agent.program.features import content_address
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal, Slot
from tests.contracts.layout import spread

_ROUNDS = 6  # more than any text here has sites


def brief(
    *texts: str,
    variant: int = 0,
    tried: frozenset[str] = frozenset(),
    editable: str = "",
    path: str = "main.py",
) -> Brief:
    """Return a brief whose parents have these texts."""
    parents = tuple(
        Solution(id=f"Gen1_Sol_{i}", files={path: text}) for i, text in enumerate(texts)
    )
    slot = Slot(
        number=7,
        generation=2,
        child="Gen2_Sol_0",
        parents=parents,
        operator="any",
        variant=variant,
    )
    return Brief(problem="Make it fast.", slot=slot, tried=tried, editable=editable)


class OperatorContract:
    """Inherited by the tests of every operator, ours and a third party's."""

    @pytest.fixture
    def operator(self) -> Operator:
        raise NotImplementedError

    @pytest.fixture
    def given(self) -> Brief:
        """A brief on which the operator has something to propose."""
        raise NotImplementedError

    @pytest.fixture
    def proposal(self, operator: Operator, given: Brief) -> Proposal:
        proposal = operator.propose(given)
        assert proposal is not None
        return proposal

    def test_the_child_takes_its_id_and_parents_from_the_slot(
        self, proposal: Proposal, given: Brief
    ) -> None:
        assert proposal.solution.id == given.slot.child
        assert proposal.solution.parents == tuple(p.id for p in given.slot.parents)

    def test_the_child_is_signed_and_its_direction_declared(
        self, proposal: Proposal, operator: Operator
    ) -> None:
        assert proposal.solution.operator == operator.name
        assert proposal.direction
        assert proposal.expected_effect

    def test_the_child_differs_from_its_parents(self, proposal: Proposal, given: Brief) -> None:
        assert proposal.solution.content not in {p.content for p in given.slot.parents}
        assert proposal.solution.files.keys() == given.slot.parents[0].files.keys()

    def test_same_brief_same_proposal_and_the_brief_is_left_alone(
        self, operator: Operator, given: Brief
    ) -> None:
        before = copy.deepcopy(given)
        assert operator.propose(given) == operator.propose(given)
        assert given == before

    def test_what_was_tried_is_not_proposed_again(
        self, operator: Operator, given: Brief, proposal: Proposal
    ) -> None:
        tried = frozenset({proposal.solution.content})
        again = operator.propose(
            Brief(problem=given.problem, slot=given.slot, tried=tried, editable=given.editable)
        )
        assert again is None or again.solution.content not in tried

    def test_what_is_on_offer_is_what_is_proposed_by_variant(
        self, operator: Operator, given: Brief, proposal: Proposal
    ) -> None:
        if not isinstance(operator, Offering):
            return
        content = proposal.solution.content
        for tried in (frozenset[str](), frozenset({content})):
            now = dataclasses.replace(given, tried=tried)
            offers = operator.offers(now)
            if offers is None:
                continue
            for variant in range(len(offers) + 1):
                slot = dataclasses.replace(given.slot, number=9, variant=variant)
                made = operator.propose(dataclasses.replace(now, slot=slot))
                assert (made is None) == (variant == len(offers))
                if made is not None:
                    assert made.solution.content == offers[variant].content
                    assert made.solution.edits[-1] == offers[variant].edit
        whole = operator.offers(dataclasses.replace(given, tried=frozenset()))
        if whole is None:
            return
        left = [offer for offer in whole if offer.content != content]
        assert list(operator.offers(dataclasses.replace(given, tried={content})) or ()) == left

    @pytest.mark.parametrize("text", ["x = 1\n", "", "def f(:\n", "# only a comment\n"])
    def test_nothing_to_propose_is_none(self, operator: Operator, text: str) -> None:
        assert operator.propose(brief(text)) is None
        assert not isinstance(operator, Offering) or not operator.offers(brief(text))


class RuleContract(OperatorContract):
    """Inherited by the tests of every rule; `slow` is a text that the rule can change."""

    rule: type[Rule]
    slow: str
    others: tuple[str, ...] = ()
    """More texts on which the rule must come to an end."""

    @pytest.fixture
    def operator(self) -> Rule:
        return self.rule()

    @pytest.fixture
    def given(self) -> Brief:
        return brief(self.slow)

    def test_every_variant_is_new_until_there_are_no_more(self, operator: Rule) -> None:
        contents = [p.solution.content for p in self._all(operator, self.slow)]
        assert contents
        assert len(set(contents)) == len(contents)
        assert content_address({"main.py": self.slow}) not in contents

    def test_children_are_programs_and_edits_replay_to_them(self, operator: Rule) -> None:
        for proposal in self._all(operator, self.slow):
            ast.parse(proposal.solution.text)
            assert proposal.solution.base == "Gen1_Sol_0"
            assert len(proposal.solution.edits) == 1
            again = replayed({"main.py": self.slow}, proposal.solution.edits)
            assert again == (proposal.solution.files, ())

    def test_what_is_left_to_the_tests_is_told_with_a_patch(self, operator: Rule) -> None:
        told = " ".join((operator.__doc__ or "").split())
        assert "left to the tests" not in told or operator.relies_on
        assert operator.relies_on == operator.relies_on.strip(" .")

    def test_on_what_it_made_it_comes_to_an_end(self, operator: Rule) -> None:
        for text in (self.slow, *self.others):
            seen, new = set[str](), {text}
            for _ in range(_ROUNDS):
                seen |= new
                new = {c.text for each in new for c in operator.candidates(each)} - seen
            assert not new, "a search would try copies of its own that are no faster"

    def test_untouched_code_stays_byte_for_byte(self, operator: Rule) -> None:
        other = "def  other( a,b ):  # why\n    return (a+  b)\n"
        head = f'"""Doc."""\nimport os  # kept\n\n\n{other}\n\n'
        tail = "\n# a last   word\nclass  A : pass\n"
        for proposal in self._all(operator, head + self.slow + tail):
            assert '"""Doc."""\n' in proposal.solution.text
            assert "import os  # kept\n" in proposal.solution.text
            assert other in proposal.solution.text
            assert proposal.solution.text.endswith(tail)

    def test_where_lines_end_does_not_matter(self, operator: Rule) -> None:
        for text in (self.slow, *self.others):
            one, other = operator.candidates(text), operator.candidates(spread(text))
            assert [candidate.edit for candidate in one] == [made.edit for made in other]
            for candidate, made in zip(one, other, strict=True):
                contents = {content_address({"main.py": c.text}) for c in (candidate, made)}
                assert len(contents) == 1, made.text

    def test_only_the_editable_function_changes(self, operator: Rule) -> None:
        assert operator.propose(brief(self.slow, editable="another")) is None

    def test_code_outside_the_marks_is_left_alone(self, operator: Rule) -> None:
        marked = f"{self.slow}\n# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n"
        assert operator.propose(brief(marked)) is None

    def test_inside_the_marks_the_rule_works(self, operator: Rule) -> None:
        head, tail = "import os\n# EVOLVE-BLOCK-START\n", "\n# EVOLVE-BLOCK-END\nprint(1)\n"
        proposal = operator.propose(brief(head + self.slow + tail))
        assert proposal is not None
        assert proposal.solution.text.startswith(head)
        assert proposal.solution.text.endswith(tail)

    def _all(self, operator: Rule, text: str) -> Iterator[Proposal]:
        for variant in range(100):
            proposal = operator.propose(brief(text, variant=variant))
            if proposal is None:
                return
            yield proposal


class TextRuleContract(OperatorContract):
    """Inherited by the tests of every rule for C++; `slow` is a text that it can change."""

    rule: type[TextRule]
    slow: str

    @pytest.fixture
    def operator(self) -> TextRule:
        return self.rule()

    @pytest.fixture
    def given(self) -> Brief:
        return brief(self.slow, path="main.cpp")

    def test_every_variant_is_new_and_its_edit_replays_to_it(self, operator: TextRule) -> None:
        files = {"main.cpp": self.slow}
        proposals = list(self._all(operator, self.slow))
        contents = {proposal.solution.content for proposal in proposals}
        assert len(contents) == len(proposals) > 0
        assert content_address(files) not in contents
        for proposal in proposals:
            assert proposal.solution.base == "Gen1_Sol_0"
            assert replayed(files, proposal.solution.edits) == (proposal.solution.files, ())

    def test_comments_and_strings_are_no_code(self, operator: TextRule) -> None:
        quiet = "".join(f"// {line}\n" for line in self.slow.splitlines())
        quiet += f'const char *s = R"x({self.slow})x";\n/*{self.slow}*/\n'
        known = {c.parameters for c in self._edits(operator, "int x;\n")}
        assert {c.parameters for c in self._edits(operator, quiet)} <= known

    def test_code_outside_the_marks_is_left_alone(self, operator: TextRule) -> None:
        marked = f"{self.slow}\n// EVOLVE-BLOCK-START\nint x;\n// EVOLVE-BLOCK-END\n"
        assert operator.propose(brief(marked, path="main.cpp")) is None

    def test_nothing_changes_where_only_a_function_of_python_may(
        self, operator: TextRule
    ) -> None:
        assert operator.propose(brief(self.slow, path="main.cpp", editable="f")) is None

    @pytest.mark.parametrize("text", ["", "int f( {", "}", "#include <map", "'", '"', "/*"])
    def test_any_text_will_do(self, operator: TextRule, text: str) -> None:
        for broken in (text, self.slow + text, self.slow[: len(self.slow) // 2]):
            found = operator.propose(brief(broken, path="main.cpp"))
            assert found is None or found.solution.files["main.cpp"] != broken

    def _edits(self, operator: TextRule, text: str) -> list[Edit]:
        return [candidate.edit for candidate in operator.candidates(text)]

    def _all(self, operator: TextRule, text: str) -> Iterator[Proposal]:
        for variant in range(100):
            proposal = operator.propose(brief(text, variant=variant, path="main.cpp"))
            if proposal is None:
                return
            yield proposal
