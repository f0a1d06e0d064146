"""Files of strangers: read whole and within bounds, or refused; nothing waits or leads out."""

from __future__ import annotations

import os
import socket
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from se_agent.environment.process_files import open_files
from se_agent.files.plain import content, create, resolved_path, text

LEADS_OUT = "a link that leads out of its folder"
SPECIAL = "not an ordinary file"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file, beside which there is another one."""
    (tmp_path / "outside").write_text("secret", encoding="utf-8")
    (tmp_path / "mine" / "inner").mkdir(parents=True)
    (tmp_path / "mine" / "file").write_text("text", encoding="utf-8")
    return tmp_path / "mine"


def linked(folder: Path, target: str | Path) -> Path:
    (folder / "link").symlink_to(target)
    return folder / "link"


def pipe(path: Path) -> None:
    os.mkfifo(path)


def bound_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


class TestContent:
    @pytest.mark.parametrize("target", ["file", "inner/../file", "../mine/file"])
    def test_a_link_within_the_folder_is_followed(self, folder: Path, target: str) -> None:
        link = linked(folder, target)
        assert content(link, inside=folder) == content(link) == b"text"

    def test_a_link_to_the_folder_itself_changes_nothing(self, folder: Path) -> None:
        alias = folder.parent / "alias"
        alias.symlink_to(folder)
        assert content(alias / "file", inside=alias) == b"text"
        assert content(alias / "file", inside=folder) == b"text"

    @pytest.mark.parametrize(
        "target", ["../outside", "/proc/self/environ", "/etc/passwd", "inner/../../outside"]
    )
    def test_a_link_out_of_the_folder_is_refused(self, folder: Path, target: str) -> None:
        link = linked(folder, target)
        with pytest.raises(OSError, match=LEADS_OUT) as caught:
            content(link, inside=folder)
        assert caught.value.filename == str(link)
        assert content(link)  # the user may name it

    def test_a_folder_on_the_way_that_leads_out_is_refused(self, folder: Path) -> None:
        linked(folder, "..")
        with pytest.raises(OSError, match=LEADS_OUT):
            content(folder / "link" / "outside", inside=folder)

    def test_a_folder_whose_name_begins_alike_is_another_one(self, folder: Path) -> None:
        (folder.parent / "mine-too").write_text("secret", encoding="utf-8")
        with pytest.raises(OSError, match=LEADS_OUT):
            content(linked(folder, "../mine-too"), inside=folder)

    @pytest.mark.parametrize("make", [pipe, bound_socket])
    @pytest.mark.parametrize("named", ["odd", "link"])
    def test_what_is_no_ordinary_file_is_not_waited_for(
        self, folder: Path, make: Callable[[Path], None], named: str
    ) -> None:
        make(folder / "odd")
        linked(folder, "odd")
        for inside in (None, folder):
            with pytest.raises(OSError, match=SPECIAL):
                content(folder / named, inside=inside)

    @pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/tty", "/dev/null"])
    def test_no_device_is_opened(self, folder: Path, device: str) -> None:
        with pytest.raises(OSError, match=SPECIAL):
            content(Path(device))
        with pytest.raises(OSError, match=SPECIAL):
            content(linked(folder, device), inside=folder)

    def test_whoever_writes_into_a_pipe_never_meets_a_reader(self, folder: Path) -> None:
        """To open a pipe for a moment would already let its writer go on."""
        os.mkfifo(folder / "pipe")
        met = threading.Event()

        def write() -> None:
            with (folder / "pipe").open("wb"):
                met.set()

        writer = threading.Thread(target=write)
        writer.start()
        for _ in range(200):
            with pytest.raises(OSError, match=SPECIAL):
                content(folder / "pipe")
        assert not met.is_set()
        with (folder / "pipe").open("rb"):
            writer.join()

    def test_a_folder_a_circle_and_nothing_say_what_they_are(self, folder: Path) -> None:
        with pytest.raises(IsADirectoryError, match="Is a directory"):
            content(folder)
        with pytest.raises(OSError, match="Too many levels of symbolic links"):
            content(linked(folder, "link"))
        with pytest.raises(FileNotFoundError, match="No such file") as caught:
            content(folder / "nothing", inside=folder)
        assert caught.value.filename == str(folder / "nothing")

    @pytest.mark.parametrize("name", ["a\0b", "\ud800"])
    def test_what_is_no_path_is_refused(self, name: str) -> None:
        with pytest.raises(OSError, match="no path: "):
            content(Path(name))

    def test_a_file_that_is_too_large_is_not_read(self, folder: Path) -> None:
        path = folder / "large"
        with path.open("wb") as file:
            file.truncate(1 << 40)
        with pytest.raises(OSError, match="larger than 64 MB"):
            content(path)
        with path.open("wb") as file:
            file.truncate(2 << 20)
        assert len(content(path, most=2 << 20)) == 2 << 20
        with pytest.raises(OSError, match="larger than 1 MB"):
            content(path, most=(2 << 20) - 1)

    def test_a_file_of_the_kernel_that_claims_no_size_is_read_whole_or_refused(self) -> None:
        path = Path("/proc/self/smaps")
        assert path.stat().st_size == 0
        assert len(content(path)) > 10_000
        with pytest.raises(OSError, match="larger than 0 MB"):
            content(path, most=10_000)

    def test_nothing_stays_open(self, folder: Path) -> None:
        before = len(open_files())
        content(folder / "file", inside=folder)
        for path in (folder, folder / "nothing", linked(folder, "../outside")):
            with pytest.raises(OSError, match=r"."):
                content(path, inside=folder)
        assert len(open_files()) == before


class TestText:
    def test_lines_end_in_one_way_and_an_editors_mark_is_left_out(self, folder: Path) -> None:
        (folder / "file").write_bytes(b"\xef\xbb\xbfx = 1\r\ny = 2\rz\n")
        assert text(folder / "file", inside=folder) == "x = 1\ny = 2\nz\n"

    def test_what_is_no_text_is_refused(self, folder: Path) -> None:
        (folder / "file").write_bytes(b"caf\xe9")
        with pytest.raises(UnicodeDecodeError, match="can't decode byte 0xe9"):
            text(folder / "file")


class TestCreate:
    def test_a_new_file_has_the_text_as_it_is(self, folder: Path) -> None:
        create(folder / "new", "a\r\nb\n")
        assert (folder / "new").read_bytes() == b"a\r\nb\n"
        assert stat.S_ISREG((folder / "new").stat().st_mode)

    @pytest.mark.parametrize("target", ["file", "../outside", "../not-there", "/dev/null"])
    def test_nothing_is_written_over_or_through_a_link(self, folder: Path, target: str) -> None:
        with pytest.raises(FileExistsError, match="File exists"):
            create(linked(folder, target), "lost")
        assert (folder / "file").read_text(encoding="utf-8") == "text"
        assert (folder.parent / "outside").read_text(encoding="utf-8") == "secret"
        assert not (folder.parent / "not-there").exists()


@pytest.mark.parametrize("path", ["a\0b", "~nobody-has-this-name/file"], ids=["nul", "home"])
def test_a_path_that_no_file_can_have_is_an_error_of_the_system(path: str) -> None:
    with pytest.raises(OSError, match="no path: ") as caught:
        resolved_path(Path(path))
    assert caught.value.filename == repr(path)
