"""Paths, addresses and command lines of each system, wherever the tests run."""

from __future__ import annotations

import ntpath
import os
import posixpath
from pathlib import Path
from types import ModuleType

import pytest

from lanewise.core import writing
from lanewise.core.file_list import listed
from lanewise.core.members import split
from lanewise.core.paths import beside, is_device, join_command, path_of_uri, split_command, unwritable, uri_of
from together import together


@together(
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


def test_addresses_of_paths_of_any_length():
    assert uri_of("\\\\?\\C:\\x.pica", windows=True) == "file:///C:/x.pica"
    assert uri_of("\\\\?\\UNC\\host\\share\\x.pica", windows=True) == "file://host/share/x.pica"


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


# What exists where the programs below are named: a file of one letter too, which is not meant by a drive.
FILES = (
    "C",
    "C:x.vsa",
    "C:\\dir\\x.shbin",
    "\\\\server\\share\\x.shbin",
    "//server/share/x.shbin",
    "\\\\?\\C:\\x.shbin",
    "x.shbin",
    "out\\x.shbin",
)


@together(
    ("text", "file", "name"),
    [
        ("C:x.vsa", "C:x.vsa", ""),
        ("C:x.vsa:main", "C:x.vsa", "main"),
        ("C:missing.vsa", "C:missing.vsa", ""),
        ("C:main", "C:main", ""),
        ("C:\\dir\\x.shbin", "C:\\dir\\x.shbin", ""),
        ("C:\\dir\\x.shbin:main", "C:\\dir\\x.shbin", "main"),
        ("C:\\dir\\x.shbin:a:b", "C:\\dir\\x.shbin", "a:b"),
        ("C:\\dir\\none.shbin:main", "C:\\dir\\none.shbin:main", ""),
        ("\\\\server\\share\\x.shbin:main", "\\\\server\\share\\x.shbin", "main"),
        ("//server/share/x.shbin:0", "//server/share/x.shbin", "0"),
        ("\\\\?\\C:\\x.shbin:main", "\\\\?\\C:\\x.shbin", "main"),
        ("\\\\?\\C:\\none.shbin", "\\\\?\\C:\\none.shbin", ""),
        ("x.shbin:main", "x.shbin", "main"),
        ("out\\x.shbin:main", "out\\x.shbin", "main"),
        ("-:main", "-", "main"),
        ("-", "-", ""),
    ],
)
def test_programs_in_files_beside_drives(text: str, file: str, name: str):
    assert split(text, FILES.__contains__, ntpath) == (file, name)


def test_a_file_of_one_letter_has_programs_where_there_are_no_drives():
    assert split("C:main", FILES.__contains__, posixpath) == ("C", "main")


@together(
    "path",
    [
        "NUL",
        "nul",
        "CON",
        "\\\\.\\NUL",
        "\\\\?\\C:\\x",
        "out\\x.shbin",
        "..\\x.bin",
        "C:x.vsa",
        "C:\\dir\\x.shbin",
        "\\\\server\\share\\x.vsa",
        "nulls.bin",
        "com.bin",
        "a.con",
    ],
)
def test_names_that_windows_writes_to(path: str):
    assert unwritable(path) == ""


@together(
    ("path", "sentence"),
    [
        ("CON.shbin", "'CON.shbin' is a device"),
        ("nul.bin", "'nul.bin' is a device"),
        ("out\\aux.vsa", "'aux.vsa' is a device"),
        ("aux\\x.vsa", "'aux' is a device"),
        ("C:/out/com1 .txt", "'com1 .txt' is a device"),
        ("LPT\N{SUPERSCRIPT ONE}.c", "is a device"),
        ("x.bin.", "ends with a dot"),
        ("out \\x.bin", "ends with a dot or a blank"),
        ("x.shbin:main", "has ':'"),
        ("nul:", "has ':'"),
        ("a?.bin", "has '?'"),
        ("a\nb", "has '\\n'"),
    ],
)
def test_names_that_windows_does_not_write_to(path: str, sentence: str):
    assert sentence in unwritable(path)


@pytest.mark.skipif(not hasattr(ntpath, "isreserved"), reason="Python knows the names of devices from 3.13 on")
def test_devices_are_those_of_python():
    ports = [
        f"{port}{number}"
        for port in ("com", "LPT")
        for number in ("", 0, 1, 9, 10, "\N{SUPERSCRIPT TWO}", "\N{SUPERSCRIPT FOUR}")
    ]
    for name in ("con", "PRN", "Aux", "nul", "conin$", "conout$", "conin", "clock$", *ports):
        for suffix in ("", ".vsa", ".v.pica", " .txt"):
            assert is_device(name + suffix) == ntpath.isreserved(name + suffix), name + suffix  # pyright: ignore


def test_an_output_of_such_a_name_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        with pytest.raises(OSError, match="is a device on Windows") as caught:
            writing.write_files([("fine.bin", b"fine"), ("NUL.shbin", b"lost")])
    assert caught.value.filename == "NUL.shbin" and not list(tmp_path.iterdir())
