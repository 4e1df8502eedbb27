"""What lanewise logs, and that nobody pays for it who does not look."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.core import events

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SOURCE = ".out place position\n.in vertex\n.proc main\n    mul place, vertex, vertex\n    end\n.end\n"


class Kept(logging.Handler):
    """Keeps the records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def of(self, area: str) -> Sequence[str]:
        return [record.getMessage() for record in self.records if record.name == f"lanewise.{area}"]


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler, root = Kept(), logging.getLogger(events.ROOT)
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler
    root.setLevel(before)
    root.removeHandler(handler)


def test_kernels_and_their_files_are_logged(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("LANEWISE_CACHE", str(tmp_path))
    tmp_path.chmod(0o700)
    for _ in range(2):
        lw.assemble(SOURCE).vertex.run({"vertex": [[1, 2, 3]]}, engine="llvm")
    assert any("bytes of machine code" in text for text in kept.of("kernels"))
    assert any(text.startswith("kept: ") and ".kernel, " in text for text in kept.of("cache"))
    assert any(text.startswith("read: ") and ".kernel, " in text for text in kept.of("cache"))
    (path,) = tmp_path.glob("kernels-*/*.plan")
    path.write_bytes(bytes(len(path.read_bytes())))
    lw.assemble(SOURCE).vertex.run({"vertex": [[1, 2, 3]]}, engine="llvm")
    assert any(text.startswith("ignored, it is damaged") for text in kept.of("cache"))
    assert {record.module for record in kept.records} == {"cache", "target"}  # where it happens, not `events`


def test_a_program_that_is_not_compiled_is_logged_with_the_reason(kept: Kept):
    pytest.importorskip("llvmlite")
    shader = lw.assemble(SOURCE).vertex
    replaced = lw.pica200.profiles["hardware"]._replace(precision="float32")
    shader.run({"vertex": [[1, 2, 3]]}, engine="llvm", profile=replaced)
    (text,) = kept.of("engines")
    assert text.startswith("the reference engine runs a program that is not compiled: ")


def test_every_area_is_in_the_documentation():
    page = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
    assert {line.split("`")[1] for line in page.splitlines() if line.startswith("| `lanewise.")} == {
        f"lanewise.{area}" for area in events.AREAS
    }


def test_nothing_is_imported_or_shown_by_default(tmp_path: Path):
    """An event without `logging` imports nothing; one with it prints nothing, whatever its level."""
    code = (
        "import sys\nfrom lanewise.core import events\n"
        "events.warning('cache', 'first')\nprint('logging' in sys.modules)\n"
        "import logging\nevents.warning('cache', 'second')\nlogging.basicConfig()\nevents.warning('cache', '%s', 'third')\n"
    )
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(REPOSITORY / 'src')!r})\n{code}"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("False\n", "WARNING:lanewise.cache:third\n")
