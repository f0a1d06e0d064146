"""What a repository's own settings may do while a file in it is changed: nothing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from se_agent.user_function.change import FileChange
from se_agent.user_function.repository.committed import committed
from tests.user_function.test_change import NEW, OLD, git

HOOKS = (
    *("applypatch-msg", "fsmonitor-watchman", "post-checkout", "post-index-change"),
    *("pre-auto-gc", "pre-commit", "query-watchman", "reference-transaction"),
)


class Hostile:
    """A repository with one committed file, and a program that notes that it ran."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.own = self.folder / ".git"
        self.path = self.folder / "tools.py"
        self.noted = folder / "noted"
        self.program = folder / "program"
        self.folder.mkdir()
        self.path.write_text(OLD, encoding="utf-8")
        self.program.write_text(
            f"#!/bin/sh\nenv >> '{self.noted}'\ncat > /dev/null\n", encoding="utf-8"
        )
        self.program.chmod(0o755)
        git(self.folder, "init", "-q", "-b", "main")
        self.commit()

    def commit(self) -> None:
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "--allow-empty", "-m", "all")

    def set(self, **values: str) -> None:
        """Set `section_key` of its own settings; `{}` is the program."""
        for name, value in values.items():
            key = name.replace("_", ".").format(self.program)
            git(self.folder, "config", key, value.format(self.program))

    def hooks(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to(self.program)

    def blob(self) -> Path:
        """Return the object that holds the file."""
        held = ["git", "hash-object", self.path.name]
        env = {"PATH": os.environ["PATH"]}
        done = subprocess.run(held, cwd=self.folder, env=env, capture_output=True, check=True)
        name = done.stdout.decode().strip()
        return self.own / "objects" / name[:2] / name[2:]

    def lose(self, **values: str) -> None:
        """Lose the object, and name a server that has it."""
        self.blob().unlink()
        self.set(
            core_repositoryformatversion="1",
            extensions_partialClone="origin",
            remote_origin_promisor="true",
            **values,
        )

    def attribute(self, text: str) -> None:
        (self.folder / ".gitattributes").write_text(f"*.py {text}\n", encoding="utf-8")

    def change(self) -> Path | None:
        """Change the file as `optimize --write` does."""
        return FileChange(self.path, self.path.read_bytes().decode(), NEW).write()


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return Hostile(tmp_path)


def filtered(one: Hostile, name: str, **values: str) -> None:
    one.attribute(f"{name}=x")
    one.set(**values)
    one.path.touch()


def included(one: Hostile, name: str) -> None:
    other = one.folder.parent / "more"
    other.write_text(f"[core]\nfsmonitor = {one.program}\n", encoding="utf-8")
    one.set(**{name: str(other)})


def of_a_worktree(one: Hostile) -> None:
    one.set(core_repositoryformatversion="1", extensions_worktreeConfig="true")
    text = f"[core]\nfsmonitor = {one.program}\n"
    (one.own / "config.worktree").write_text(text, encoding="utf-8")


def elsewhere(one: Hostile, *, link: bool) -> None:
    one.set(core_fsmonitor="{}")
    other = one.folder.parent / "elsewhere"
    one.own.rename(other)
    if link:
        one.own.symlink_to(other)
    else:
        one.own.write_text(f"gitdir: {other}\n", encoding="utf-8")


def server(url: str, **more: str) -> Callable[[Hostile], None]:
    return lambda one: one.lose(remote_origin_url=url, **more)


def submodule(one: Hostile) -> None:
    text = '[submodule "x"]\npath = x\nurl = ../x\nupdate = !true\n'
    (one.folder / ".gitmodules").write_text(text, encoding="utf-8")
    one.set(submodule_x_update="!{}", submodule_x_active="true", status_submoduleSummary="1")


def hooked(one: Hostile) -> None:
    one.hooks(one.folder / "hooks")
    one.set(core_hooksPath=str(one.folder / "hooks"))


def another_git(one: Hostile) -> None:
    (one.folder / "git").symlink_to(one.program)


NAMES: Mapping[str, Callable[[Hostile], None]] = {
    "a monitor of files": lambda one: one.set(core_fsmonitor="{}"),
    "a monitor of files, asked twice": lambda one: one.set(
        core_fsmonitor="{}", core_fsmonitorHookVersion="1", core_untrackedCache="true"
    ),
    "hooks": lambda one: one.hooks(one.own / "hooks"),
    "hooks in the project": hooked,
    "a pager": lambda one: one.set(core_pager="{}"),
    "a pager of one command": lambda one: one.set(
        **{"pager.cat-file": "{}", "pager_status": "{}"}
    ),
    "an editor": lambda one: one.set(core_editor="{}", sequence_editor="{}"),
    "an alias": lambda one: one.set(**{"alias.cat-file": "!{}", "alias_status": "!{}"}),
    "a filter that cleans": lambda one: filtered(one, "filter", filter_x_clean="{}"),
    "a filter that smudges": lambda one: filtered(one, "filter", filter_x_smudge="{}"),
    "a filter that stays": lambda one: filtered(
        one, "filter", filter_x_process="{}", filter_x_required="true"
    ),
    "a text of binary files": lambda one: filtered(one, "diff", diff_x_textconv="{}"),
    "a program for differences": lambda one: filtered(one, "diff", diff_x_command="{}"),
    "differences of all files": lambda one: one.set(diff_external="{}"),
    "a merge": lambda one: filtered(one, "merge", merge_x_driver="{}"),
    "signatures": lambda one: one.set(gpg_program="{}", log_showSignature="true"),
    "other references": lambda one: one.set(core_alternateRefsCommand="{}"),
    "packing": lambda one: one.set(uploadpack_packObjectsHook="{}", gc_auto="1"),
    "a password": lambda one: one.set(core_askPass="{}", credential_helper="!{}"),
    "a submodule": submodule,
    "other settings": lambda one: included(one, "include_path"),
    "other settings for its place": lambda one: included(one, "includeIf.gitdir:**.path"),
    "settings of a work tree": of_a_worktree,
    "a repository elsewhere": lambda one: elsewhere(one, link=False),
    "a linked repository": lambda one: elsewhere(one, link=True),
    "a program called git": another_git,
}

FETCHES: Mapping[str, Callable[[Hostile], None]] = {
    "by ssh": server("ssh://nowhere.invalid/x", core_sshCommand="{}", ssh_variant="simple"),
    "by git": server("git://nowhere.invalid/x", core_gitProxy="{}"),
    "by a command": server("ext::{}", protocol_ext_allow="always", protocol_allow="always"),
    "by http": server("http://127.0.0.1:9/x", credential_helper="!{}", core_askPass="{}"),
    "from a folder": server(".", remote_origin_uploadpack="{}", protocol_allow="always"),
    "by another name": server(
        "x:y", **{"url_ext::{}_insteadOf": "x:y", "protocol_ext_allow": "always"}
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_no_program_that_a_repository_names_runs(
    hostile: Hostile, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    NAMES[name](hostile)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    monkeypatch.setenv("A_KEY", "planted")
    kept = hostile.change()
    assert not hostile.noted.exists(), hostile.noted.read_text(encoding="utf-8")
    assert kept is None
    assert hostile.path.read_text(encoding="utf-8") == NEW


@pytest.mark.parametrize("name", FETCHES)
def test_a_lost_object_is_not_fetched_and_the_file_is_kept(hostile: Hostile, name: str) -> None:
    FETCHES[name](hostile)
    kept = hostile.change()
    assert not hostile.noted.exists(), hostile.noted.read_text(encoding="utf-8")
    assert kept is not None
    assert kept.read_text(encoding="utf-8") == OLD


def replaced(one: Hostile) -> None:
    """Have git show another object in place of the one that was committed."""
    one.path.write_text("precious = 1\n", encoding="utf-8")
    git(one.folder, "hash-object", "-w", "tools.py")
    old, new = f"HEAD:{one.path.name}", one.blob()
    git(one.folder, "replace", "-f", old, new.parent.name + new.name)


def hidden(one: Hostile, flag: str) -> None:
    git(one.folder, "update-index", flag, "tools.py")
    one.path.write_text("precious = 1\n", encoding="utf-8")


def cleaned(one: Hostile) -> None:
    """Have a filter of the repository turn any text into the committed one."""
    one.attribute("filter=x")
    one.commit()
    text = one.folder.parent / "committed"
    text.write_text(OLD, encoding="utf-8")
    one.set(filter_x_clean=f"cat '{text}'")
    one.path.write_text("precious = 1\n", encoding="utf-8")


def linked(one: Hostile) -> None:
    real = one.folder.parent / "real.py"
    one.path.rename(real)
    one.path.symlink_to(real)
    one.commit()


def line_ends(one: Hostile) -> None:
    one.set(core_autocrlf="true")
    one.path.write_bytes(OLD.replace("\n", "\r\n").encode())


def swollen(one: Hostile) -> None:
    one.path.write_bytes(b"#" * 50_000_000)
    one.commit()
    one.path.write_text(OLD, encoding="utf-8")


def broken(one: Hostile) -> None:
    one.blob().chmod(0o644)
    one.blob().write_bytes(b"x")


def emptied(one: Hostile) -> None:
    one.path.write_bytes(b"")
    one.set(core_worktree=str(one.folder.parent))


OTHERS: Mapping[str, Callable[[Hostile], None]] = {
    "replaced": replaced,
    "assumed unchanged": lambda one: hidden(one, "--assume-unchanged"),
    "left out of the work tree": lambda one: hidden(one, "--skip-worktree"),
    "made the same by a filter": cleaned,
    "a link to what git has not": linked,
    "other line ends": line_ends,
    "fifty megabytes": swollen,
    "no bytes, and git fails": emptied,
    "lost": lambda one: one.blob().unlink(),
    "broken": broken,
    "no repository": lambda one: (one.own / "HEAD").unlink(),
}


@pytest.mark.tier("runs")
@pytest.mark.parametrize("name", OTHERS)
def test_the_file_is_kept_where_git_has_not_the_very_bytes(hostile: Hostile, name: str) -> None:
    OTHERS[name](hostile)
    before = hostile.path.read_bytes()
    kept = hostile.change()
    assert kept is not None
    assert kept.read_bytes() == before


PIPES = (
    "",
    "HEAD",
    "config",
    "commondir",
    "refs/heads/main",
    "objects/info/alternates",
    "blob",
)


@pytest.mark.parametrize("name", PIPES)
def test_a_pipe_in_place_of_a_file_keeps_nobody(hostile: Hostile, name: str) -> None:
    place = hostile.blob() if name == "blob" else hostile.own / name
    if name:
        place.unlink(missing_ok=True)
    else:
        hostile.own.rename(hostile.folder.parent / "elsewhere")
    os.mkfifo(place)
    assert not committed(hostile.path, OLD.encode(), patience=0.5)


def test_what_is_asked_of_git_has_no_key_and_no_setting_of_the_user(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program in the place of git writes down what it is given."""
    folder = hostile.folder.parent / "bin"
    folder.mkdir()
    (folder / "git").symlink_to(hostile.program)
    planted = {"A_KEY": "planted", "GIT_DIR": "planted", "HTTPS_PROXY": "http://a:planted@b"}
    for name, value in planted.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    assert hostile.change() is not None
    assert "planted" not in hostile.noted.read_text(encoding="utf-8")
