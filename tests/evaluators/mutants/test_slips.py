"""Faults that are planted at the tokens of programs in C-like languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.mutants.faults import Fault
from evaluators.mutants.mutants import sample
from evaluators.mutants.slips import patches
from se_agent.problem.loading import find_problems, load_problem
from se_agent.program.clike.tokens import source
from se_agent.program.language import Language

PIECES = [*"(){};a1[]<>=&+-.,\n", "for", "if", "++", "::", "return"]


def planted(text: str, language: Language = Language.CPP) -> list[tuple[Fault, str]]:
    """Return what becomes of a text, each fault by itself."""
    parsed = source(text, language)
    assert parsed is not None
    return [
        (patch.fault, text[: patch.start] + patch.new + text[patch.end :])
        for patch in patches(parsed, language)
    ]


def inside(body: str, language: Language = Language.CPP) -> dict[str, Fault]:
    """Return what becomes of the body of a function."""
    head = "void f() { "
    found = planted(f"{head}{body} }}", language)
    return {text.removeprefix(head).removesuffix(" }"): fault for fault, text in found}


@pytest.mark.parametrize(
    ("body", "becomes", "fault"),
    [
        ("return a < b;", "return a <= b;", Fault.COMPARISON),
        ("return a <= b;", "return a < b;", Fault.COMPARISON),
        ("return a>=b;", "return a>b;", Fault.COMPARISON),
        ("return a > b;", "return a >= b;", Fault.COMPARISON),
        ("return a==b;", "return a!=b;", Fault.COMPARISON),
        ("return i<n;", "return i<=n;", Fault.COMPARISON),
        ("return a + b;", "return a - b;", Fault.ARITHMETIC),
        ("return v[0]*b;", "return v[0]/b;", Fault.ARITHMETIC),
        ("return a % m;", "return a * m;", Fault.ARITHMETIC),
        ("a += b;", "a -= b;", Fault.ARITHMETIC),
        ("i++;", "i--;", Fault.ARITHMETIC),
        ("return a && b;", "return a || b;", Fault.LOGIC),
        ("return 7;", "return 8;", Fault.OFF_BY_ONE),
        ("return 7;", "return 6;", Fault.OFF_BY_ONE),
        ("return 7LL;", "return 8LL;", Fault.OFF_BY_ONE),
        ("return 1.5f;", "return 2.5f;", Fault.OFF_BY_ONE),
        ("while (x) break;", "while (x) continue;", Fault.LOOP),
        ("while (x) continue;", "while (x) break;", Fault.LOOP),
        ("if (ok(a)) b();", "if (!(ok(a))) b();", Fault.CONDITION),
        ("while (a < b) c();", "while (!(a < b)) c();", Fault.CONDITION),
        ("for (; i < n; i++) g();", "for (; i < n - 1; i++) g();", Fault.BOUNDARY),
        ("for (; i >= n; i--) g();", "for (; i >= n + 1; i--) g();", Fault.BOUNDARY),
        ("g(x);", ";", Fault.DROPPED),
        ("if (y) v[3] = x; else z();", "if (y) ; else z();", Fault.DROPPED),
        ("std::sort(v.begin(), v.end());", ";", Fault.DROPPED),
        ("a.b->c(x);", ";", Fault.DROPPED),
    ],
)
def test_a_fault(body: str, becomes: str, fault: Fault) -> None:
    assert inside(body)[becomes] is fault


@pytest.mark.parametrize(
    "body",
    [
        "return vector<map<int, set<long>>>();",
        "int *p; int& q; auto&& r; char** s;",
        "return -x;",
        "return *p;",
        "return &x;",
        "return x >> y;",
        'return "a + b && c < d";',
        "return 0x1F;",
        "int table[100];",
        "int n; vector<int> v; std::string s; Point p(x); auto y = x;",
        'std::cin >> n; scanf("%d", &n);',
        "std::ios::sync_with_stdio(false); std::cin.tie(nullptr); v.reserve(n);",
        "for (auto x : xs) { }",
        "if (int n = g(); ok(n)) { }",
        "// a < b\n/* a + b */",
    ],
)
def test_what_is_left_alone(body: str) -> None:
    assert inside(body) == {}


@pytest.mark.parametrize(
    ("language", "text", "becomes"),
    [
        (Language.RUST, "fn f() { if a < b { g(x); } }", "fn f() { if !(a < b) { g(x); } }"),
        (Language.RUST, "fn f() { for i in 0..n { g(i); } }", "for i in 0..n - 1 {"),
        (Language.RUST, "fn f() { for i in 0..=n { g(i); } }", "for i in 0..=n - 1 {"),
        (Language.RUST, "fn f<'a>(x: &'a str) { g(7u64); }", "g(8u64);"),
        (Language.RUST, 'fn f() { println!("{}", x); }', "fn f() { ; }"),
        (Language.GO, "func f() {\n\tif ok(a) {\n\t\tg(x)\n\t}\n}", "if !(ok(a)) {"),
        (Language.GO, "func f() {\n\tg(x)\n\th(y)\n}", "func f() {\n\t;\n\th(y)\n}"),
        (Language.GO, "func f() {\n\tfor i := 0; i < n; i++ {\n\t}\n}", "i < n - 1; i++ {"),
        (Language.JAVASCRIPT, "function f() { return a === b }", "return a !== b"),
        (Language.JAVASCRIPT, "function f() {\n  g(x)\n  return 1\n}", "{\n  ;\n  return 1\n}"),
        (Language.JAVA, "class M { int f() { return a % b; } }", "return a * b;"),
        (Language.C, "int f(void) { return a->b + c; }", "return a->b - c;"),
    ],
)
def test_other_languages(language: Language, text: str, becomes: str) -> None:
    assert [new for _, new in planted(text, language) if becomes in new] != []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Language.RUST, "fn f() { let x = |a| a; match y { _ => z, } }"),
        (Language.RUST, "#[derive(Debug)]\nfn f() { if let Some(x) = y { } }"),
        (Language.JAVASCRIPT, "const f = (x) => `a < ${x + 1}`\n"),
        (Language.GO, "func f() { x := <-c\n c <- y\n}"),
    ],
)
def test_what_is_left_alone_elsewhere(language: Language, text: str) -> None:
    assert planted(text, language) == []


@given(
    text=st.lists(st.sampled_from(PIECES), max_size=25),
    language=st.sampled_from([each for each in Language if each is not Language.PYTHON]),
)
def test_whatever_a_text_is_its_faults_lie_within_it(
    text: list[str], language: Language
) -> None:
    joined = " ".join(text)
    parsed = source(joined, language)
    for patch in patches(parsed, language) if parsed else ():
        assert 0 <= patch.start <= patch.end <= len(joined)
        assert joined[patch.start : patch.end] != patch.new


class TestSample:
    """Mutants that are drawn of a whole program."""

    @pytest.mark.parametrize("name", ["tide_table", "guard_walks", "field_sums"])
    def test_all_differ_from_the_program_in_one_place(self, name: str) -> None:
        assert name in find_problems()
        problem = load_problem(name)
        text = problem.initial().text
        found = sample(text, "", count=500, seed=3, language=problem.language)
        assert len(found.mutants) > 20
        assert len({each.text for each in found.mutants} | {text}) == len(found.mutants) + 1
        assert {each.function for each in found.mutants} > {"main"}
        for each in found.mutants:
            before, after = text.splitlines(), each.text.splitlines()
            assert sum(a != b for a, b in zip(before, after, strict=True)) == 1

    def test_the_same_seed_draws_the_same(self) -> None:
        text = load_problem("guard_walks").initial().text
        draws = [
            sample(text, "", count=5, seed=seed, language=Language.CPP) for seed in (1, 1, 2)
        ]
        assert draws[0] == draws[1] != draws[2]
        assert len(draws[0].mutants) == 5

    def test_nothing_is_planted_where_brackets_do_not_match(self) -> None:
        assert sample("int main() {", "", count=9, language=Language.CPP).mutants == ()
