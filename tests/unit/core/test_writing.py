"""Writing: all files or none, and through no link that leaves its folder."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from lanewise.core import writing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are made as on POSIX")


def test_a_link_within_its_folder_stays_and_one_that_leaves_is_refused(tmp_path: Path):
    (tmp_path / "in").mkdir()
    inner, outer = tmp_path / "in" / "target", tmp_path / "victim"
    inner.write_text("old")
    outer.write_text("old")
    link = tmp_path / "in" / "link"
    link.symlink_to("target")
    writing.write(link, b"new")
    assert link.is_symlink() and inner.read_bytes() == b"new"
    for end, sentence in (("../victim", "leaves its folder"), ("../none", "leaves its folder"), ("none", "does not exist")):
        link.unlink()
        link.symlink_to(end)
        with pytest.raises(OSError, match=sentence) as caught:
            writing.write(link, b"new")
        assert caught.value.filename == str(link)
    assert outer.read_text() == "old" and not (tmp_path / "none").exists() and not (tmp_path / "in" / "none").exists()
    link.unlink()
    link.symlink_to("../victim")
    writing.write(link, b"new", force=True)
    assert outer.read_bytes() == b"new" and sorted(path.name for path in link.parent.iterdir()) == ["link", "target"]


def test_all_files_or_none(tmp_path: Path):
    first = tmp_path / "first"
    first.write_text("old")
    with pytest.raises(OSError, match="folder not found"):
        writing.write_files([(str(first), b"new"), (str(tmp_path / "none" / "second"), b"new")])
    assert first.read_text() == "old" and list(tmp_path.iterdir()) == [first]


def test_a_pipe_without_a_reader_is_not_waited_for(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="nothing reads from it"):
        writing.write(pipe, b"new")


@pytest.mark.parametrize("kind", ["pipe", "folder", "link"])
def test_logs_and_records_are_regular_files(tmp_path: Path, kind: str):
    place = tmp_path / "a"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to("none")
    for opening in (writing.open_log, writing.open_new, partial(writing.open_record, new=False)):
        with pytest.raises(OSError):
            opening(place)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_record_grows_at_its_end_and_a_log_begins_again(tmp_path: Path):
    place = tmp_path / "a"
    for new in (True, False):
        with writing.open_record(place, new=new) as file:
            file.seek(0)
            file.write(b"line\n")
    assert place.read_bytes() == b"line\nline\n"
    with pytest.raises(FileExistsError):
        writing.open_record(place, new=True)
    with writing.open_log(place) as file:
        file.write(b"x")
    assert place.read_bytes() == b"x"


def test_files_are_replaced_where_the_system_has_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    names = [str(tmp_path / name) for name in ("a", "b")]
    writing.write_files([(name, b"old") for name in names])
    monkeypatch.delattr(os, "link", raising=False)
    writing.write_files([(name, b"new") for name in names])
    assert [Path(name).read_bytes() for name in names] == [b"new", b"new"]
