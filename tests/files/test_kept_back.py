"""What of a project is kept back from programs, by names and by the patterns of git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from se_agent.files.kept_back import KeptBack, ReadablePaths, hint, is_key


def files(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("", encoding="utf-8")


def readable(kept: KeptBack, root: Path) -> set[str]:
    """Return the files that lie in what may be read, relative."""
    granted = set(map(Path, kept.reach().paths))
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if path.is_file() and granted & {path, *path.parents}
    }


@pytest.mark.parametrize(
    "name",
    [
        ".env", ".env.local", ".git", ".netrc", ".aws", ".ssh", ".npmrc", ".pypirc", "prod.env",
        "server.pem", "Server.KEY", "id_rsa", "id_ed25519.pub", "bundle.p12", "store.jks",
        "vault.kdbx", "credentials", "credentials.json", "secrets.yaml", "secrets.py",
        "service-account-7.json", "token.txt", "api_token", "htpasswd", "local_settings.py",
        "env.bak", "prod.env~", "#prod.env#", "server.key.old", "server.pem~", "id_rsa.txt",
        "htpasswd.bak", "copy of id_rsa", "secrets.py~", "password", "db_password.txt",
        "aws_credentials", "prod.secrets.yaml", "secret-key.txt", "deploy_key", "github_rsa",
        "rootkey.csv", "terraform.tfvars.json.save",
    ],
)  # fmt: skip
def test_keys_are_kept_back_by_their_names(name: str) -> None:
    assert is_key(name)


@pytest.mark.parametrize(
    "name",
    [
        "token.py", "tokenizer.py", "secrets_of.py", "keys.py", "environment.py", "data.csv",
        "main.py~", "reset_password.py", "words.txt.bak", "~", "#",
    ],
)  # fmt: skip
def test_a_program_about_tokens_is_no_key(name: str) -> None:
    assert not is_key(name)


@pytest.mark.parametrize("name", ["reset_password", "crypto_rsa", "tokens", "secret_sharing"])
def test_a_package_has_names_that_no_file_has(name: str) -> None:
    assert is_key(name)
    assert not is_key(name, folder=True)


def test_a_project_without_secrets_is_one_folder(tmp_path: Path) -> None:
    files(tmp_path, "main.py", "package/__init__.py", "package/deep/part.py")
    assert KeptBack(str(tmp_path)).reach() == ReadablePaths((str(tmp_path),))


def test_of_a_folder_with_a_secret_the_rest_is_shown(tmp_path: Path) -> None:
    files(tmp_path, ".env", "main.py", "package/__init__.py", "package/.key", "other/a.py")
    kept = KeptBack(str(tmp_path))
    shown = {"main.py", "package/__init__.py", "other/a.py"}
    assert readable(kept, tmp_path) == shown
    assert set(kept.reach().listed) == {str(tmp_path), str(tmp_path / "package")}


@pytest.mark.parametrize(
    ("pattern", "ignored", "shown"),
    [
        ("*.log", ["a.log", "deep/b.log"], ["a.txt"]),
        ("/build", ["build/x.py"], ["deep/build/x.py"]),
        ("build/", ["build/x.py", "deep/build/x.py"], ["other/build"]),
        ("deep/*.py", ["deep/a.py"], ["a.py", "deep/er/a.py"]),
        ("**/er/x.py", ["deep/er/x.py", "er/x.py"], ["deep/x.py"]),
        ("deep/**/x.py", ["deep/x.py", "deep/er/st/x.py"], ["x.py"]),
        ("*.log\n!keep.log", ["a.log"], ["keep.log"]),
        ("# a.py\n\\#b.py", ["#b.py"], ["a.py"]),
        ("[a-c].py\n[^x]1.py", ["a.py", "y1.py"], ["d.py", "x1.py"]),
        ("?.py   ", ["a.py"], ["ab.py"]),
        ("a?b\\*.py", ["axb*.py"], ["axbc.py"]),
        ("\\!b.py\n\\^c.py", ["!b.py", "^c.py"], ["b.py", "c.py"]),
        ("\ufeffa.py", ["a.py"], ["b.py"]),
        ("data/**\n!data/keep.py", ["data/a.py"], ["data/keep.py"]),
        ("data/**\n!data/**/\n!*.py", ["data/a", "data/er/b"], ["data/a.py", "data/er/b.py"]),
        ("/**\n!/*.py", ["deep/a.py", "a.txt"], ["a.py"]),
        ("#" * 20_000 + "\na.py", ["a.py"], ["b.py"]),
        ("a" + " " * 15_000 + "b\na.py ", ["a.py"], ["b.py"]),
        ("a.py\\ ", ["a.py "], ["a.py"]),
    ],
)
def test_patterns_mean_what_they_mean_to_git(
    tmp_path: Path, pattern: str, ignored: list[str], shown: list[str]
) -> None:
    files(tmp_path, *ignored, *shown)
    (tmp_path / ".gitignore").write_text(pattern + "\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    asked = subprocess.run(
        ["git", "check-ignore", "--no-index", *ignored, *shown],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": "/dev/null"},
    ).stdout.splitlines()  # fmt: skip
    assert [line.strip('"').replace("\\\\", "\\") for line in asked] == ignored
    kept = KeptBack(str(tmp_path), outer=())
    assert [name for name in (*ignored, *shown) if kept.holds(str(tmp_path / name))] == ignored
    assert readable(kept, tmp_path) == set(shown)


def test_patterns_of_folders_above_and_of_the_repository_count(tmp_path: Path) -> None:
    files(tmp_path, "part/src/a.txt", "part/src/b.txt", "part/src/c.txt", ".git/config")
    (tmp_path / "part/.gitignore").write_text("a.txt\n", encoding="utf-8")
    (tmp_path / ".git/info").mkdir()
    (tmp_path / ".git/info/exclude").write_text("b.txt\n", encoding="utf-8")
    here = KeptBack(str(tmp_path / "part/src"))
    again = KeptBack(
        here.root, outer=here.outer
    )  # as a fork server has it, out of sight of them
    for kept in (here, again):
        assert readable(kept, tmp_path / "part/src") == {"c.txt"}


def test_a_pattern_made_to_take_for_ever_takes_no_time(tmp_path: Path) -> None:
    files(tmp_path, "a" * 200 + ".py", "/".join("a" * 40) + "/x")
    stars = "*a" * 60 + "*b\n" + "**/a/" * 30 + "b\n"
    (tmp_path / ".gitignore").write_text(stars, encoding="utf-8")
    assert "a" * 200 + ".py" in readable(KeptBack(str(tmp_path)), tmp_path)


def test_what_is_opened_is_shown_and_its_neighbours_are_not(tmp_path: Path) -> None:
    files(tmp_path, ".env", ".conf/a/x", ".conf/a/y", ".conf/b", "main.py")
    kept = KeptBack(str(tmp_path), [str(tmp_path / ".conf/a/x")])
    assert readable(kept, tmp_path) == {"main.py", ".conf/a/x"}
    whole = KeptBack(str(tmp_path), [str(tmp_path / ".conf")])
    assert readable(whole, tmp_path) == {"main.py", ".conf/a/x", ".conf/a/y", ".conf/b"}


def test_a_link_shows_nothing_that_is_kept_back_or_elsewhere(tmp_path: Path) -> None:
    project = tmp_path / "project"
    files(tmp_path, "project/.env", "project/main.py", "elsewhere")
    (project / "to_env").symlink_to(".env")
    (project / "out").symlink_to("../elsewhere")
    (project / "up").symlink_to("..")
    (project / "same").symlink_to("main.py")
    paths = KeptBack(str(project)).reach().paths
    assert paths == (str(project / "main.py"), str(project / "same"))
    assert KeptBack(str(project)).holds(str(project / "to_env"))


def test_a_cache_is_shown_of_modules_that_are(tmp_path: Path) -> None:
    files(tmp_path, "a.py", "secrets.py", *(f"__pycache__/{n}.x.pyc" for n in ("a", "secrets")))
    assert readable(KeptBack(str(tmp_path)), tmp_path) == {"a.py", "__pycache__/a.x.pyc"}


@pytest.mark.parametrize(
    "told",
    [
        "PermissionError: [Errno 13] Permission denied: '{root}/pkg/_version.py'",
        "ModuleNotFoundError: No module named 'pkg._version'",
        "ImportError: cannot import name '_version' from 'pkg' (unknown location)",
        "FileNotFoundError: [Errno 2] No such file or directory: 'pkg/_version.py'",
    ],
)
def test_the_hint_names_the_file_and_the_option(tmp_path: Path, told: str) -> None:
    files(tmp_path, "pkg/__init__.py", "pkg/_version.py")
    (tmp_path / ".gitignore").write_text("_version.py\n", encoding="utf-8")
    kept, path = KeptBack(str(tmp_path)), tmp_path / "pkg/_version.py"
    assert hint([kept], told.format(root=tmp_path)) == (
        f"{path} is kept back from programs; show it with --open {path}"
    )
    opened = KeptBack(str(tmp_path), [str(path)])
    assert hint([opened], told.format(root=tmp_path)) == ""


def test_the_hint_finds_a_module_of_a_package_below_the_project(tmp_path: Path) -> None:
    files(tmp_path, "src/pkg/__init__.py", "src/pkg/secrets.py")
    told, path = "No module named 'pkg.secrets'", tmp_path / "src/pkg/secrets.py"
    assert hint([KeptBack(str(tmp_path))], told, ["src"]) == (
        f"{path} is kept back from programs; show it with --open {path}"
    )


def test_the_hint_names_the_file_of_the_error_before_words_of_a_traceback(
    tmp_path: Path,
) -> None:
    files(tmp_path, "data/table.json")
    (tmp_path / ".gitignore").write_text("data/\n", encoding="utf-8")
    path = tmp_path / "data/table.json"
    told = f"""open(ROOT / "data" / "table.json")\nPermissionError: denied: '{path}'"""
    assert hint([KeptBack(str(tmp_path))], told).endswith(f"--open {path}")
