"""The door: what is opened, how much is read of it, which files a folder and a source may name."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lanewise.core import files

if TYPE_CHECKING:
    from collections.abc import Callable

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
SPARSE = 3 << 30


def sparse(path: Path) -> Path:
    with path.open("wb") as file:
        file.truncate(SPARSE)
    return path


def fifo(path: Path) -> None:
    os.mkfifo(path)


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))


def endless(path: Path) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("the system has no /dev/zero")
    path.symlink_to("/dev/zero")


@POSIX
@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (fifo, "it is a pipe (FIFO), expected a regular file"),
        (bound, "it is a socket, expected a regular file"),
        (Path.mkdir, "it is a folder, expected a file"),
        (endless, "it is a device, which may have no end"),
        (sparse, "the file is larger than 256 MiB, the limit for a program"),
    ],
    ids=["pipe", "socket", "folder", "device", "3 GB"],
)
def test_what_is_not_a_regular_file_of_some_size_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object], sentence: str
):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "a.v.pica"
    make(place)
    with pytest.raises(OSError) as caught:
        files.read(place, "program")
    assert caught.value.strerror == sentence
    assert caught.value.filename in (None, str(place))


def test_a_command_of_this_folder_is_told_from_one_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("peer").touch()
    missing = FileNotFoundError(errno.ENOENT, "No such file or directory", "peer")
    assert files.reason(missing).endswith(f"(did you mean .{os.sep}peer?)")
    missing.filename = f".{os.sep}peer"  # its interpreter is missing
    assert files.reason(missing) == "No such file or directory"
    missing.filename = "peer:0:4,b=peer"
    assert files.reason(missing).endswith("(did you mean peer?)")


@POSIX
def test_an_open_descriptor_of_this_process_may_be_a_pipe():
    reading, writing = os.pipe()
    if not Path(f"/dev/fd/{reading}").exists():
        pytest.skip("the system has no /dev/fd")
    os.write(writing, b"nop")
    os.close(writing)
    try:
        assert files.read(f"/dev/fd/{reading}", "source") == b"nop"
    finally:
        os.close(reading)


@POSIX
def test_a_link_to_a_descriptor_is_a_device_of_its_folder(tmp_path: Path):
    """A file of a folder does not become standard input by a link."""
    (tmp_path / "lanewise.toml").symlink_to("/dev/stdin")
    run = subprocess.run(
        [sys.executable, "-c", "from lanewise.core import files; files.read('lanewise.toml', 'configuration')"],
        cwd=tmp_path,
        input=b"",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"it is a pipe (FIFO)" in run.stderr


def test_the_null_device_is_empty():
    assert files.read(os.devnull, "source") == b""


def test_a_file_is_read_up_to_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    place = tmp_path / "a"
    place.write_bytes(b"abcd")
    monkeypatch.setitem(files.KINDS, "source", files.Kind(limit=4, title="a source", reason=""))
    assert files.read(place, "source") == b"abcd"
    place.write_bytes(b"abcde")
    with pytest.raises(OSError, match="larger than"):
        files.read(place, "source")


def test_an_open_file_over_its_limit_is_not_read(tmp_path: Path):
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(3 << 30)
    with path.open("rb") as file:
        with pytest.raises(OSError, match="larger than 1024 MiB, the limit for a record"):
            files.read_stream(file, "record")
        assert file.tell() == 0


def test_a_text_among_programs_has_the_limit_of_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    place = tmp_path / "a"
    monkeypatch.setitem(files.KINDS, "program", files.Kind(limit=3 << 20, title="a program", reason="", text=1 << 20))
    for size, zero, fits in (
        (1 << 20, 0, True),
        ((1 << 20) + 1, 0, False),
        (2 << 20, 1, True),
        (3 << 20, 1, True),
        ((3 << 20) + 1, 1, False),
    ):
        data = b"\0" * zero + b"a" * (size - zero)
        place.write_bytes(data)
        for given in (place, None):
            with place.open("rb") as stream:
                if fits:
                    assert (files.read(given, "program") if given else files.read_stream(stream)) == data
                else:
                    with pytest.raises(
                        OSError, match=f"larger than {3 if zero else 1} MiB, the limit for a {'program' if zero else 'source'}"
                    ):
                        _ = files.read(given, "program") if given else files.read_stream(stream)


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="the system has no /proc")
def test_a_file_without_a_size_is_read_whole(monkeypatch: pytest.MonkeyPatch):
    whole = files.read("/proc/cpuinfo", "system")
    assert whole.count(b"\n") > 5
    monkeypatch.setitem(files.KINDS, "system", files.Kind(limit=100, title="a file of the system", reason=""))
    with pytest.raises(OSError, match="larger than"):
        files.read("/proc/cpuinfo", "system")


def test_text_that_must_be_utf8_is_refused_with_its_place(tmp_path: Path):
    place = tmp_path / "a"
    place.write_bytes("ä = 1\nb = ü".encode() + b"\xff")
    with pytest.raises(OSError) as caught:
        files.read_text(place, "configuration")
    assert caught.value.strerror == "it is not text in UTF-8: byte 0xFF in line 2, column 6"
    assert files.read_text(place, "source").endswith("\xff")


@pytest.mark.skipif(sys.maxsize < 1 << 32, reason="3 GB are more than the addresses of this processor")
def test_a_file_of_any_size_is_mapped(tmp_path: Path):
    data = files.map_file(sparse(tmp_path / "a"))
    assert len(data) == SPARSE
    (tmp_path / "empty").touch()
    assert files.map_file(tmp_path / "empty") == b""


@POSIX
def test_a_walk_follows_no_link_that_leaves_its_folder(tmp_path: Path):
    top, outside = tmp_path / "top", tmp_path / "outside"
    for folder in (top / "inner", outside / "more"):
        folder.mkdir(parents=True)
    for path in (top / "a.sc", top / "inner" / "b.sc", outside / "c.sc", outside / "more" / "d.sc"):
        path.touch()
    (top / "folder").symlink_to(outside)
    (top / "loop").symlink_to(top)
    (top / "file.sc").symlink_to(outside / "c.sc")
    (top / "same.sc").symlink_to("inner/b.sc")
    (top / "gone.sc").symlink_to("nothing")
    (top / "self.sc").symlink_to("self.sc")
    fifo(top / "pipe.sc")
    fifo(top / "pipe.txt")
    left: dict[str, str] = {}
    found = list(files.walk(str(top), wanted=lambda path: path.endswith(".sc"), left=left.__setitem__))
    assert [os.path.relpath(path, top) for path in found] == ["a.sc", "same.sc", str(Path("inner", "b.sc"))]
    assert sorted(map(os.path.basename, left)) == ["file.sc", "gone.sc", "pipe.sc", "self.sc"]
    assert "leaves" in left[str(top / "file.sc")] and "FIFO" in left[str(top / "pipe.sc")]
    assert list(files.walk(str(top), wanted=lambda path: path.endswith("b.sc"), deep=False)) == []


def test_a_project_is_the_nearest_folder_with_a_mark_below_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = tmp_path / "home" / "project" / "inner" / "a.sc"
    source.parent.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    own = os.path.realpath(source.parent)
    (tmp_path / "home" / ".git").mkdir()
    assert files.project_of(str(source)) == own
    (tmp_path / "home" / "project" / "lanewise.toml").touch()
    assert files.project_of(str(source)) == str(Path(own).parent)


def test_a_scope_reads_its_project_and_folders_and_the_rest_when_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("project/src/a.sc", "project/common.sc", "shared/far.sc", "other.sc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "project" / ".git").touch()
    (tmp_path / "project" / "link.sc").symlink_to(tmp_path / "other.sc")
    scope = files.Scope([str(tmp_path / "project/src/a.sc")], [str(tmp_path / "shared")])
    assert scope.included(str(tmp_path / "project/src/../common.sc")) == "project/common.sc"
    assert scope.included(str(tmp_path / "shared/far.sc")) == "shared/far.sc"
    for name in ("other.sc", "project/link.sc", "project/../other.sc"):
        with pytest.raises(OSError, match=r"outside of the project .*--follow"):
            scope.included(str(tmp_path / name))
    assert files.Scope([str(tmp_path / "project/src/a.sc")], follow=True).included(str(tmp_path / "other.sc")) == "other.sc"


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../a",
        "a/../../b",
        "a//b",
        "/a",
        "\\a",
        "a\\b",
        "C:a",
        "C:/a",
        "//host/a",
        "a/b:c",
        "CON",
        "a/nul.txt",
        "com1 .x",
        "a./b",
        "b ",
        "a\nb",
        "a\x1bb",
    ],
)
def test_a_name_from_outside_stays_in_its_folder(tmp_path: Path, name: str):
    with pytest.raises(ValueError, match="name "):
        files.inside(str(tmp_path), name)


def test_other_names_are_paths_below_the_folder(tmp_path: Path):
    for name in ("a", "a/b.shbin", "...a", "console.txt", "ä b"):
        assert files.inside(str(tmp_path), name) == str(tmp_path.joinpath(*name.split("/")))


@POSIX
def test_a_name_does_not_leave_by_a_link(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "out").symlink_to(tmp_path)
    with pytest.raises(ValueError, match="link"):
        files.inside(str(tmp_path / "in"), "out/a")


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("blak.ctf", "black.ctf"),
        ("blak.ctf:0/vertex", "black.ctf:0/vertex"),
        ("tmp/../blak.ctf:12", "tmp/../black.ctf:12"),
        ("blak.ctf.d/a", ""),  # its folder is missing
        ("blak.ctf.d/black.ctf:1", "black.ctf:1"),
        ("folder/black.ctf", "black.ctf"),
        ("deep.json", "folder/in/deep.json"),
        ("in/deep.json", "folder/in/deep.json"),
        ("twice.json", ""),
        ("long.json", "long-azahar.json"),
        ("lon.json", ""),  # short names begin many
        ("something", ""),
        ("fold", ""),  # a folder is not a file
        ("", ""),
        (":0", ""),
        ("bad\tname", ""),  # a name that a terminal would not show is not suggested
    ],
)
def test_a_missing_file_has_the_name_that_is_meant(path: str, near: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "black.ctf").touch()
    (tmp_path / "long-azahar.json").touch()
    (tmp_path / "folder" / "in").mkdir()
    for name in ("folder/in/deep.json", "folder/in/twice.json", "tmp/twice.json"):
        (tmp_path / name).touch()
    if sys.platform != "win32":
        (tmp_path / "bad\nname").touch()
    assert files.meant(path).replace(os.sep, "/") == near
    with pytest.raises(OSError) as error:
        files.read(path, "source")
    told = files.reason(error.value).replace(os.sep, "/")
    assert told.endswith(f" (did you mean {near}?)" if near else told)
    assert ("did you mean" in told) is bool(near)


def test_a_large_folder_is_not_searched_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "_MOST_LISTED", 0)
    (tmp_path / "black.ctf").touch()
    assert files.meant(str(tmp_path / "blak.ctf")) == ""


def test_an_example_that_the_wheel_has_not_is_said_to_be_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError) as caught:
        files.read("examples/toon.v.pica", "source")
    assert files.reason(caught.value).endswith(
        "(the examples are in the repository and the source distribution of lanewise, not in its wheel)"
    )
    (tmp_path / "examples").mkdir()
    assert files.reason(caught.value) == "No such file or directory"


def test_a_file_that_a_redirection_emptied_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    empty, other = tmp_path / "a.shbin", tmp_path / "b.shbin"
    empty.touch()
    other.touch()
    there, written = os.fstat, empty.stat()

    def fstat(number: int) -> os.stat_result:
        return written if number == 1 else there(number)

    monkeypatch.setattr(os, "fstat", fstat)
    assert files.read(other, "program") == b""
    with pytest.raises(OSError, match="standard output writes to it"):
        files.read(empty, "program")
    with empty.open("rb") as stream, pytest.raises(OSError, match="standard output writes to it"):
        files.read_stream(stream)
    empty.write_bytes(b"x")  # appended to
    assert files.read(empty, "program") == b"x"
