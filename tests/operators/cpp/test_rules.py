"""The rules for C++: what they change, and what they must leave alone."""

from __future__ import annotations

import pytest

from operators.cpp.append_in_place import AppendInPlace
from operators.cpp.compiler_flags import CompilerFlags
from operators.cpp.container_choice import ContainerChoice
from operators.cpp.fast_io import FastIo
from operators.cpp.loop_interchange import LoopInterchange
from operators.cpp.newline import Newline
from operators.cpp.pass_by_reference import PassByReference
from operators.cpp.reserve_space import ReserveSpace
from operators.cpp.rule import TextRule
from tests.contracts.operator import TextRuleContract

MAIN = "#include <iostream>\nint main() {{\n    {}\n}}\n"
NEST = "for (int i = 0; i < n; i++) {{ for (int j = 0; j < m; j++) {{ {} }} }}"


def rewritten(rule: TextRule, text: str) -> list[str]:
    return [candidate.text for candidate in rule.candidates(text)]


def within(rule: TextRule, statements: str) -> list[str]:
    """Return what a rule makes of the statements of a `main`."""
    before, after = MAIN.split("{}")[0].replace("{{", "{"), "\n}\n"
    made = rewritten(rule, MAIN.format(statements))
    return [text.removeprefix(before).removesuffix(after) for text in made]


class TestFastIo(TextRuleContract):
    rule = FastIo
    slow = MAIN.format("int n; std::cin >> n; std::cout << n;")

    def test_the_switch_is_the_first_thing(self) -> None:
        (text,) = within(FastIo(), "std::cout << 1;")
        assert text.split() == [
            "std::ios_base::sync_with_stdio(false);", "std::cin.tie(nullptr);",
            "std::cout", "<<", "1;",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        "statements",
        [
            'printf("%d", 1); std::cout << 1;',
            "std::ios::sync_with_stdio(false); std::cout << 1;",
            "return 0;",
        ],
    )
    def test_must_not_fire(self, statements: str) -> None:
        assert within(FastIo(), statements) == []


class TestNewline(TextRuleContract):
    rule = Newline
    slow = MAIN.format("std::cout << 1 << std::endl;")

    def test_all_at_once(self) -> None:
        (text,) = within(Newline(), "std::cout << 1 << std::endl << 2 << endl;")
        assert text == r"std::cout << 1 << '\n' << 2 << '\n';"

    def test_a_function_that_is_passed_on_is_left(self) -> None:
        assert within(Newline(), "apply(std::endl);") == []


class TestPassByReference(TextRuleContract):
    rule = PassByReference
    slow = "int f(std::string s, std::vector<std::pair<int, int>> v) { return s.size(); }\n"

    def test_one_at_a_time(self) -> None:
        texts = rewritten(PassByReference(), self.slow)
        assert [text.partition(")")[0] for text in texts] == [
            "int f(const std::string& s, std::vector<std::pair<int, int>> v",
            "int f(std::string s, const std::vector<std::pair<int, int>>& v",
        ]

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("for (auto x : xs) f(x);", "for (const auto& x : xs) f(x);"),
            ("for (auto [a, b] : xs) f(a);", "for (const auto& [a, b] : xs) f(a);"),
            ("for (std::string s : xs) f(s);", "for (const std::string& s : xs) f(s);"),
            ("for (const auto x : xs) f(x);", "for (const auto& x : xs) f(x);"),
            ("auto g = [](string s) { };", "auto g = [](const string& s) { };"),
        ],
    )
    def test_loops_and_lambdas(self, old: str, new: str) -> None:
        assert within(PassByReference(), old) == [new]

    def test_own_types(self) -> None:
        text = "struct Row { int x; };\nint f(Row row, int n) { return row.x; }\n"
        assert rewritten(PassByReference(), text) == [text.replace("(Row", "(const Row&")]

    @pytest.mark.parametrize(
        "text",
        [
            "int f(std::string& s, int n, std::string *p, const string& q) { }",
            "int f(std::string s);",
            "void f() { g(string(s)); for (int x : xs) { } for (auto& x : xs) { } }",
            "int f(std::function<int(int)> g) { }",
        ],
    )
    def test_must_not_fire(self, text: str) -> None:
        assert rewritten(PassByReference(), text) == []


class TestContainerChoice(TextRuleContract):
    rule = ContainerChoice
    slow = "#include <map>\nstd::map<int, int> f(std::map<int, int> m) { return m; }\n"

    def test_a_type_changes_everywhere_with_its_header(self) -> None:
        first, *_ = rewritten(ContainerChoice(), self.slow)
        assert first == (
            "#include <map>\n#include <unordered_map>\n"
            "std::unordered_map<int, int> f(std::unordered_map<int, int> m) { return m; }\n"
        )

    def test_or_for_one_variable_alone(self) -> None:
        text = "#include <bits/stdc++.h>\nstd::set<int> a;\nstd::set<int> b;\n"
        every, first, second = rewritten(ContainerChoice(), text)
        assert every.count("unordered_set") == 2
        assert first == text.replace("std::set<int> a", "std::unordered_set<int> a")
        assert second == text.replace("std::set<int> b", "std::unordered_set<int> b")

    def test_brackets_in_a_type_hide_no_comma_behind_it(self) -> None:
        text = "#include <bits/stdc++.h>\nstd::map<decltype(key(0)), int> m;\n"
        assert rewritten(ContainerChoice(), text) == [text.replace("map<", "unordered_map<")]

    @pytest.mark.parametrize(
        ("old", "new"),
        [("list<int>", "vector<int>"), ("deque<pair<int, int>>", "vector<pair<int, int>>")],
    )
    def test_linked_ones_become_contiguous(self, old: str, new: str) -> None:
        assert rewritten(ContainerChoice(), f"#include <vector>\nstd::{old} x;\n") == [
            f"#include <vector>\nstd::{new} x;\n"
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "std::map<int, int, std::greater<int>> m;",
            "std::set<int, Order> s;",
            "mine::map<int, int> m;",
            "bool b = map < 3;",
            "std::vector<int> v;",
        ],
    )
    def test_must_not_fire(self, text: str) -> None:
        assert rewritten(ContainerChoice(), text) == []


class TestReserveSpace(TextRuleContract):
    rule = ReserveSpace
    slow = (
        "void f(int n) {\n    std::vector<int> v;\n"
        "    for (int i = 0; i < n; i++) {\n        v.push_back(i);\n    }\n}\n"
    )

    def test_before_the_loop(self) -> None:
        (text,) = rewritten(ReserveSpace(), self.slow)
        line = "    if (n > 0) v.reserve(v.size() + static_cast<std::size_t>(n));\n    for"
        assert text == self.slow.replace("    for", line)

    @pytest.mark.parametrize(
        "statements",
        [
            "for (int i = 0; i < n; i++) v.push_back(i);",
            "std::vector<int> v; if (x) for (int i = 0; i < n; i++) v.push_back(i);",
            "std::vector<int> v; for (int i = 0; i < n; i++) { v[i] = i; }",
            "for (int i = 0; i < n; i++) { std::vector<int> v; v.push_back(i); }",
        ],
    )
    def test_must_not_fire(self, statements: str) -> None:
        assert within(ReserveSpace(), statements) == []

    def test_once(self) -> None:
        (text,) = rewritten(ReserveSpace(), self.slow)
        assert rewritten(ReserveSpace(), text) == []

    def test_what_is_filled_again_and_again_is_reserved_before_all_of_it(self) -> None:
        inner = "for (int i = 0; i < n; i++) { v.push_back(i); }"
        loops = f"std::vector<int> v; for (int j = 0; j < m; j++) {{ {inner} }}"
        (text,) = within(ReserveSpace(), loops)
        assert text.index("reserve") < text.index("for (int j")


class TestAppendInPlace(TextRuleContract):
    rule = AppendInPlace
    slow = 'void f() { text = text + name + ":"; }\n'

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("s = s + x;", "s += x;"),
            ('s = s + a.b(1, 2) + " ";', '{ s += a.b(1, 2); s += " "; }'),
            ("if (x) s = s + a + b;", "if (x) { s += a; s += b; }"),
        ],
    )
    def test_appends(self, old: str, new: str) -> None:
        assert within(AppendInPlace(), old) == [new]

    @pytest.mark.parametrize(
        "statements",
        [
            "s = x + s;", "s = s + s;", "s = s + x * 2;", "s = s + x ? a : b;", "s = s;",
            "string s = s + x;", "a.s = s + x;", "s = s + f(s);", "s = s + x, t = 1;",
        ],
    )  # fmt: skip
    def test_must_not_fire(self, statements: str) -> None:
        assert within(AppendInPlace(), statements) == []


class TestLoopInterchange(TextRuleContract):
    rule = LoopInterchange
    slow = "void f() { " + NEST.format("sum += a[j][i];") + " }\n"

    @pytest.mark.parametrize(
        "body",
        ["sum += a[j][i];", "t[j][i] = a[i][j] + 1;", "x ^= a[j][i] * (unsigned)(j + 1);"],
    )
    def test_the_heads_change_places(self, body: str) -> None:
        swapped = "for (int j = 0; j < m; j++) {{ for (int i = 0; i < n; i++) {{ {} }} }}"
        assert within(LoopInterchange(), NEST.format(body)) == [swapped.format(body)]

    def test_a_product_has_two_pairs(self) -> None:
        inner = "for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];"
        deepest, other = LoopInterchange().candidates(MAIN.format(NEST.format(inner)))
        assert deepest.direction == "Interchange the loops over `j` and `k` in `main`"
        assert other.direction == "Interchange the loops over `i` and `j` in `main`"

    @pytest.mark.parametrize(
        "body",
        [
            "x = a[j][i];",
            "b[i + j] = a[j][i];",
            "a[i][j] = a[j][i];",
            "sum += next();",
            "sum += a[j][i]; k++;",
            "sum += sum * a[j][i];",
            "n += a[j][i];",
            "sum += i++;",
            "for (int k = 0; k < n; k++) { m += c[k]; }",
        ],
    )
    def test_must_not_fire(self, body: str) -> None:
        assert within(LoopInterchange(), NEST.format(body)) == []

    def test_a_bound_that_hangs_on_the_other_loop_stays(self) -> None:
        nest = NEST.replace("j < m", "j < i").format("sum += a[i][j];")
        assert within(LoopInterchange(), nest) == []


class TestCompilerFlags(TextRuleContract):
    rule = CompilerFlags
    slow = "int main() {}\n"

    def test_they_go_to_the_first_line(self) -> None:
        first, *others = rewritten(CompilerFlags(), self.slow)
        assert first == "// flags: -O3 -march=native\nint main() {}\n"
        assert all(text.endswith(self.slow) for text in others)

    def test_others_take_their_place_and_those_of_the_program_stay(self) -> None:
        text = "// flags: -std=gnu++17 -O3 -fwhole-program\nint main() {}\n"
        texts = rewritten(CompilerFlags(), text)
        assert "// flags: -std=gnu++17 -O3 -march=native\nint main() {}\n" in texts
        assert all(text.count("-O") == text.count("flags") == 1 for text in texts)

    def test_the_compiler_takes_every_choice(self) -> None:
        from evaluators.languages.table import TABLE
        from se_agent.program.language import Language

        for text in rewritten(CompilerFlags(), self.slow):
            assert set(TABLE[Language.CPP].asked(text)) <= TABLE[Language.CPP].flags
