"""Paths, addresses and command lines of each system, wherever the tests run."""

from __future__ import annotations

import ntpath
import posixpath
from types import ModuleType

import pytest

from lanewise.core.file_list import listed
from lanewise.core.paths import beside, join_command, path_of_uri, split_command, uri_of


@pytest.mark.parametrize(
    ("paths", "path", "name", "found"),
    [
        (posixpath, "a/b.vsh", "c.inc", "a/c.inc"),
        (posixpath, "b.vsh", "c.inc", "c.inc"),
        (posixpath, "a/b.vsh", "lib\\c.inc", "a/lib/c.inc"),
        (posixpath, "a/b.vsh", "/lib/c.inc", "/lib/c.inc"),
        (ntpath, "C:\\a\\b.vsh", "c.inc", "C:\\a\\c.inc"),
        (ntpath, "C:/a/b.vsh", "lib\\c.inc", "C:/a\\lib/c.inc"),
        (ntpath, "C:b.vsh", "c.inc", "C:c.inc"),
        (ntpath, "\\\\host\\share\\b.vsh", "c.inc", "\\\\host\\share\\c.inc"),
        (ntpath, "C:\\a\\b.vsh", "D:\\c.inc", "D:/c.inc"),
    ],
)
def test_a_file_that_another_one_names(paths: ModuleType, path: str, name: str, found: str):
    assert beside(path, name, paths) == found


def test_lists_of_sources_on_each_system():
    assert listed("shaders/light.shlist", b"a.v.pica b.g.pica\r\n") == ("shaders/a.v.pica", "shaders/b.g.pica")
    assert listed("light.shlist", b"part\\a.v.pica") == ("part/a.v.pica",)
    assert listed("C:\\x\\light.shlist", b"a.v.pica", ntpath) == ("C:\\x\\a.v.pica",)


@pytest.mark.parametrize(
    ("windows", "path", "uri"),
    [
        (False, "/home/a b/x#1.pica", "file:///home/a%20b/x%231.pica"),
        (False, "/a/ä%20.pica", "file:///a/%C3%A4%2520.pica"),
        (True, "C:\\Users\\a b\\x.pica", "file:///C:/Users/a%20b/x.pica"),
        (True, "\\\\host\\share\\x.pica", "file://host/share/x.pica"),
    ],
)
def test_addresses_of_files(windows: bool, path: str, uri: str):
    assert uri_of(path, windows=windows) == uri
    assert path_of_uri(uri, windows=windows) == path


def test_addresses_that_editors_write():
    assert path_of_uri("file:///c%3A/x.pica", windows=True) == "c:\\x.pica"
    assert path_of_uri("C:\\x.pica", windows=True) == "C:\\x.pica"
    assert path_of_uri("/x%20.pica", windows=False) == "/x%20.pica"


@pytest.mark.parametrize(
    ("windows", "text", "words"),
    [
        (True, '"C:\\Program Files\\emu\\answer.exe" --fast', ["C:\\Program Files\\emu\\answer.exe", "--fast"]),
        (True, "C:\\emu\\answer.exe it's", ["C:\\emu\\answer.exe", "it's"]),
        (False, "'./my unit' a\\ b #1", ["./my unit", "a b", "#1"]),
    ],
)
def test_command_lines(windows: bool, text: str, words: list[str]):
    assert split_command(text, windows=windows) == words
    assert split_command(join_command(words, windows=windows), windows=windows) == words
    with pytest.raises(ValueError, match="quotation"):
        split_command('"open', windows=windows)
