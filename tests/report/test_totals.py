"""What a set came to, in words: several figures in every line."""

from __future__ import annotations

from se_agent.report import totals
from se_agent.report.words import phrases
from se_agent.stats.summary import summary


def test_no_mean_stands_alone() -> None:
    gains, shares = summary([1.0, 1.2, 4.0]), summary([0.5, 1.0])
    assert gains is not None
    assert shares is not None
    assert [*totals.lines({"gain": gains, "mp": shares})] == [
        (
            "gain over 3: 1.44x harmonic mean, 1.69x geometric mean, 1.20x median; "
            "67% reach 1.1x, 33% reach 2x"
        ),
        (
            "MP (memory) over 2: 66.7% harmonic mean, 70.7% geometric mean, 75.0% median of "
            "the reference"
        ),
        (
            "ET, MP and MI, as in EffiBench-X: min(1, reference / best); the reference is the "
            "program that a problem names, else its initial one: 100 % is no worse, and gains "
            "do not show here"
        ),
    ]


def test_there_is_no_mean_of_one() -> None:
    one, two = summary([1.4]), summary([0.5, 1.0])
    assert one is not None
    assert two is not None
    assert [*totals.lines({"gain": one, "et": one, "mi": one})] == []
    told = [line.partition(":")[0] for line in totals.lines({"gain": one, "mi": two})]
    assert told == ["MI (memory over time) over 2", "ET, MP and MI, as in EffiBench-X"]


def test_a_mean_says_what_it_is_made_without() -> None:
    shares = summary([0.5, 1.0], unknown=3)
    assert shares is not None
    first, _ = totals.lines({"mp": shares})
    assert first.startswith("MP (memory) over 2, 3 more not known: 66.7% harmonic mean")


def test_what_a_share_is_is_told_only_where_there_is_one() -> None:
    gains = summary([1.0, 1.2])
    assert gains is not None
    (only,) = totals.lines({"gain": gains})
    assert only.startswith("gain over 2: ")


def test_nothing_is_told_of_nothing() -> None:
    assert [*totals.lines({})] == []


def test_a_gain_in_a_table_says_in_what() -> None:
    assert phrases.unless_cpu({}) == phrases.unless_cpu({"cpu": 1.0}) == ""
    assert phrases.unless_cpu({"wall": 1.0}) == " of wall time"
