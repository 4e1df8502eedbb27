"""Included files: where they are looked for, what is refused, and that all languages agree."""

from __future__ import annotations

import ntpath
import os
import posixpath
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from lanewise.compile.outside.includes import resolve
from lanewise.core.files import Scope
from lanewise.core.including import CHECK_NAME, Found, Includes, NotIncluded, places
from lanewise.direct3d9.text.preprocess import Setting
from lanewise.direct3d9.text.reader import read_source_text
from lanewise.pica200.api.assembling import assemble_sources
from together import together

Read = Callable[[str], str]


@together(
    ("paths", "file", "name", "found"),
    [
        (posixpath, "a/b.vsh", "c.inc", ["a/c.inc", "lib/c.inc"]),
        (posixpath, "b.vsh", "c.inc", ["c.inc", "lib/c.inc"]),
        (posixpath, "", "c.inc", ["c.inc", "lib/c.inc"]),
        (posixpath, "a/b.vsh", "part\\c.inc", ["a/part/c.inc", "lib/part/c.inc"]),
        (posixpath, "a/b.vsh", "../lib/./c.inc", ["lib/c.inc"]),
        (posixpath, "a/b.vsh", "/lib/c.inc", ["/lib/c.inc"]),
        (ntpath, "C:\\a\\b.vsh", "c.inc", ["C:\\a\\c.inc", "lib\\c.inc"]),
        (ntpath, "C:/a/b.vsh", "part\\c.inc", ["C:\\a\\part\\c.inc", "lib\\part\\c.inc"]),
        (ntpath, "C:b.vsh", "c.inc", ["C:c.inc", "lib\\c.inc"]),
        (ntpath, "\\\\host\\share\\b.vsh", "c.inc", ["\\\\host\\share\\c.inc", "lib\\c.inc"]),
        (ntpath, "C:\\a\\b.vsh", "D:\\c.inc", ["D:\\c.inc"]),
    ],
)
def test_places_of_a_name(paths: ModuleType, file: str, name: str, found: list[str]):
    assert places(name, file, ["lib"], paths=paths) == found
    assert places(name, file, ["lib"], angled=True, paths=paths) == found[::-1]


def test_the_first_place_with_a_file_is_taken_and_others_are_named():
    texts = {"two/a": "of two", "own/b": "own"}

    def read(path: str) -> str:
        path = path.replace(os.sep, "/")
        if path == "one/a":
            raise PermissionError(13, "Permission denied")
        if path not in texts:
            raise FileNotFoundError(2, "No such file")
        return texts[path]

    includes = Includes(read, ("one", "two"))
    assert includes.find("a", ["own/x"]) == Found(os.path.normpath("two/a"), "of two")
    assert includes.find("b", ["own/x"]) == Found(os.path.normpath("own/b"), "own")
    with pytest.raises(NotIncluded, match=r"^cannot read c: No such file$") as absent:
        includes.find("c", ["own/x"])
    assert (absent.value.missing, absent.value.looked) == (True, tuple(map(os.path.normpath, ("own/c", "one/c", "two/c"))))
    del texts["two/a"]
    with pytest.raises(NotIncluded, match=r"^cannot read one.a: Permission denied$") as refused:
        includes.find("a", ["own/x"])
    assert not refused.value.missing


@pytest.mark.parametrize("once", [False, True])
def test_circles(once: bool):
    includes = Includes(lambda path: path, once=once)
    if once:
        assert includes.find("b", ["a", "b", "c"]) == Found("b", "b")
        return
    with pytest.raises(NotIncluded, match=r"^this file includes itself: b includes c includes b$") as raised:
        includes.find("b", ["a", "b", "c"])
    assert raised.value.limit


def test_a_file_that_is_read_once_is_not_counted_again():
    read: list[str] = []

    def text(path: str) -> str:
        read.append(path)
        return path

    includes = Includes(text, once=True)
    for _ in range(3000):
        includes.find("a", ["x"])
    assert read == ["a"]
    with pytest.raises(NotIncluded, match=r"^more than 1,000 files"):
        for number in range(1001):
            includes.find(f"b{number}", ["x"])


def test_names_of_files_that_are_missing_count_too():
    def read(_path: str) -> str:
        raise FileNotFoundError(2, "No such file")

    includes, found = Includes(read), list[str]()
    for number in range(1002):
        with pytest.raises(NotIncluded) as raised:
            includes.find(f"a{number}", ["x"])
        found.append(raised.value.reason)
    assert found[999:] == ["No such file", "more than 1,000 files are included", "more than 1,000 files are included"]


def nihstro(path: str, name: str, folders: Sequence[str], read: Read) -> list[str]:
    text = f'.include "{name}"\nmain:\n    end\n'
    found = assemble_sources([(path, text)], dialect="nihstro", read=read, folders=folders).diagnostics
    return [each.message for each in found if each.is_error]


def direct3d9(path: str, name: str, folders: Sequence[str], read: Read) -> list[str]:
    found = read_source_text(f'vs_2_0\n#include "{name}"\n', path, read, Setting(folders=tuple(folders)))
    return [each.message for each in found.diagnostics]


def glsl(path: str, name: str, folders: Sequence[str], read: Read) -> list[str]:
    return [each.reason for each in resolve(f'#include "{name}"\n', path, "glsl", folders, read).missing]


def slang(path: str, name: str, folders: Sequence[str], read: Read) -> list[str]:
    return [each.reason for each in resolve(f'__include "{name}";\n', path, "slang", folders, read).missing]


@pytest.mark.parametrize("language", [nihstro, direct3d9, glsl, slang])
def test_one_rule_in_all_languages(language: Callable[[str, str, Sequence[str], Read], list[str]], tmp_path: Path):
    """Files of the project and of -I are read, others with --follow; the first place with a file that may be read counts."""
    for name in ("project/src/own.inc", "project/common.inc", "elsewhere/other.inc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("\n")
    (tmp_path / "project/lanewise.toml").touch()
    outside = ["../../elsewhere/other.inc", str(tmp_path / "elsewhere/other.inc")]
    if os.name != "nt":  # where links need a right
        (tmp_path / "project/src/link.inc").symlink_to(tmp_path / "elsewhere/other.inc")
        outside.append("link.inc")
    path, elsewhere = str(tmp_path / "project/src/main"), str(tmp_path / "elsewhere")
    opened: list[str] = []

    def found(name: str, *folders: str, follow: bool = False) -> list[str]:
        opened.clear()
        scope = Scope([path], folders, follow=follow, opened=lambda _, path: opened.append(Path(path).name))
        return language(path, name, folders, scope.included)

    for name in ("own.inc", "../common.inc", "..\\common.inc"):
        assert found(name) == [], name
    for name in outside:
        (message,) = found(name)
        assert "it is outside of the project" in message and not opened, name
        assert found(name, follow=True) == found(name, elsewhere) == [], name
    (message,) = found("other.inc")
    assert message.lower().count("no such file") == 1
    assert found("other.inc", elsewhere) == [] and opened == ["other.inc"]
    (tmp_path / "elsewhere/own.inc").mkdir()
    assert found("own.inc", elsewhere) == [] and opened == ["own.inc"], "the folder of the file comes first"


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("own.inc", "it is in {}/common: add `-I {}/common`"),
        ("part/deep.inc", "it is in {}/common: add `-I {}/common`"),
        ("other/own.inc", 'did you mean "common/own.inc"?'),
        ("beside.in", 'did you mean "beside.inc"?'),
        ("nothing.h", CHECK_NAME),
    ],
)
def test_a_file_that_is_near_is_the_fix(name: str, fix: str, tmp_path: Path):
    """What the fix says is followed, and the names that the file may define are not reported before."""
    for each in ("beside.inc", "common/own.inc", "common/part/deep.inc"):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_text("#define POSITION v0\n")
    path = str(tmp_path / "a.vsa")

    def found(name: str, *folders: str) -> list[str]:
        text = f'#include "{name}"\nvs_2_0\ndcl_position v0\nmov oPos, POSITION\n'
        read = Scope([path], folders).included
        return [each.fix for each in read_source_text(text, path, read, Setting(folders=folders)).diagnostics]

    assert found(name) == [fix.format(tmp_path, tmp_path).replace("/", os.sep) if "-I" in fix else fix]
    if "-I" in fix and fix != CHECK_NAME:
        assert found(name, fix.rpartition(" ")[2].rstrip("`").format(tmp_path)) == []
    elif fix != CHECK_NAME:
        assert found(fix.split('"')[1]) == []
    text = f'.include "{name}"\nmain:\n    mov position, r0\n    add_it r0\n    end\n'
    read = Scope([path]).included
    assert (
        len([each for each in assemble_sources([(path, text)], dialect="nihstro", read=read).diagnostics if each.is_error]) == 1
    )
