"""Rows that come with the repository: they come back as they were, and the later one counts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from experiments.figures.packed import FOLDER, LARGEST, pack, unpack, unpacked
from experiments.figures.rows import Row, fill, kept, lines


def dated(key: str, n: int, at: str) -> str:
    return json.dumps({"key": key, "n": n, "made": {"at": at, "code": "c", "settings": {}}})


def numbers(home: Path) -> dict[str, int]:
    return {key: row["n"] for key, row in kept("x", home=home).items()}


class Places:
    """A repository, and two machines with rows of their own."""

    def __init__(self, root: Path) -> None:
        self.folder, self.here, self.there = (root / name for name in ("rows", "a", "b"))

    def write(self, home: Path, *lines: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        (home / "x.jsonl").write_text("".join(f"{line}\n" for line in lines))


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


def test_another_machine_goes_on_where_the_rows_end(places: Places) -> None:
    made: list[str] = []

    def row(key: str, n: int) -> Row:
        made.append(key)
        return {"n": n, "course": [0.5, None, "ä"]}

    with unpacked(folder=places.folder, home=places.here):
        first = fill("x", {"a": lambda: row("a", 1)}, home=places.here)
    with unpacked(folder=places.folder, home=places.there):
        tasks = {"a": lambda: row("a", 9), "b": lambda: row("b", 2)}
        second = fill("x", tasks, home=places.there)
    assert made == ["a", "b"]
    assert second["a"] == first["a"]
    unpack(folder=places.folder, home=places.here)
    assert kept("x", home=places.here) == second


def test_rows_are_packed_when_a_figure_breaks_off(places: Places) -> None:
    def broken_off() -> None:
        with unpacked(folder=places.folder, home=places.here):
            fill("x", {"a": lambda: {"n": 1}}, home=places.here)
            raise KeyboardInterrupt("enough")

    with pytest.raises(KeyboardInterrupt, match="enough"):
        broken_off()
    unpack(folder=places.folder, home=places.there)
    assert numbers(places.there) == {"a": 1}


def test_of_two_rows_the_later_counts_whichever_was_packed(places: Places) -> None:
    places.write(places.there, dated("a", 1, "2026-01-02"), dated("b", 1, "2026-01-01"))
    pack(folder=places.folder, home=places.there)
    places.write(places.here, dated("a", 2, "2026-01-01"), dated("b", 2, "2026-01-02"))
    unpack(folder=places.folder, home=places.here)
    assert numbers(places.here) == {"a": 1, "b": 2}


def test_a_row_without_a_date_is_the_oldest(places: Places) -> None:
    places.write(places.there, dated("a", 1, "2026-01-02"), '{"key": "b", "n": 1}')
    pack(folder=places.folder, home=places.there)
    places.write(places.here, '{"key": "a", "n": 2}', '{"key": "b", "n": 2}')
    unpack(folder=places.folder, home=places.here)
    assert numbers(places.here) == {"a": 1, "b": 2}


def test_a_torn_last_line_is_neither_packed_nor_run_into_another(places: Places) -> None:
    places.write(places.there, dated("a", 1, "2026-01-01"), dated("b", 2, "2026-01-01"))
    pack(folder=places.folder, home=places.there)
    places.here.mkdir()
    (places.here / "x.jsonl").write_text(dated("b", 3, "2026-01-02") + '\n{"key": "c", "n')
    unpack(folder=places.folder, home=places.here)
    pack(folder=places.folder, home=places.here)
    assert numbers(places.here) == {"a": 1, "b": 3}
    assert b"c" not in {json.loads(line)["key"].encode() for line in packed_lines(places)}


def packed_lines(places: Places) -> list[str]:
    return gzip.decompress((places.folder / "x.jsonl.gz").read_bytes()).decode().splitlines()


def test_superseded_rows_are_not_packed_and_equal_ones_not_again(places: Places) -> None:
    places.write(places.here, '{"key": "a", "n": 1}', '{"key": "a", "n": 2}')
    pack(folder=places.folder, home=places.here)
    assert packed_lines(places) == ['{"key": "a", "n": 2}']
    other = gzip.compress(b'{"key": "a", "n": 2}\n', 1, mtime=7)
    (places.folder / "x.jsonl.gz").write_bytes(other)
    pack(folder=places.folder, home=places.here)
    assert (places.folder / "x.jsonl.gz").read_bytes() == other


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f():\n    return 1", id="of-several-lines"),
        pytest.param("x" * 301, id="long"),
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_content_is_not_packed(places: Places, text: str, nested: bool) -> None:
    places.write(places.here, json.dumps({"key": "a", "n": [{"m": text}] if nested else text}))
    with pytest.raises(ValueError, match=f"x, a: a text of {len(text)} characters"):
        pack(folder=places.folder, home=places.here)
    assert not list(places.folder.iterdir())


def test_what_is_packed_has_a_bound(places: Places) -> None:
    values = [pow(3, n, 10**18 + 9) for n in range(200_000)]  # as good as random
    places.write(places.here, json.dumps({"key": "a", "n": values}))
    with pytest.raises(ValueError, match=f"bytes packed, and {LARGEST} are allowed"):
        pack(folder=places.folder, home=places.here)


def test_the_rows_of_the_repository_come_back(tmp_path: Path) -> None:
    names = [file.name.removesuffix(".jsonl.gz") for file in FOLDER.glob("*")]
    one, other = tmp_path / "one", tmp_path / "other"
    unpack(folder=FOLDER, home=one)
    pack(folder=tmp_path / "again", home=one)
    unpack(folder=tmp_path / "again", home=other)
    assert names
    for name in names:
        assert lines(one / f"{name}.jsonl")
        assert lines(other / f"{name}.jsonl") == lines(one / f"{name}.jsonl")
