"""Everything that reads files, with files that are none, that are too large, that lie elsewhere or have a hostile name.

Each command ends within 2 s of processor time and 200 MB of memory, with a sentence, and serves the other files of a folder.
`nox -s hostile` runs it all, on two cores in ten minutes; POSIX only.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corpus import REPOSITORY
from lanewise.core.vectors.lines import SCHEMA
from pica200_frames import FLOAT, TRIANGLE, Recorder, assembled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

SECONDS, MEGABYTES = 2.0, 200
SPARSE = 3 << 30
ODD = "a\nb\x1b[31m"  # what a hostile name begins with

# The names by which each kind of `core.files.KINDS` is looked for.
NAMES = {
    "source": "a.v.pica a.vsh a.sc a.vsa a.vert a.hlsl",
    "include": "a.inc",
    "list": "a.shlist",
    "program": "a.shbin a.vkch a.json",
    "binary": "a.vso a.fxo a.scb a.spv a.mif",
    "scan": "a.bin",
    "configuration": "lanewise.toml pyproject.toml",
    "profile": "profile.toml",
    "test": "a.shadertest.toml",
    "script": "a.debug",
    "table": "uniforms.toml",
    "data": "a.csv a.npy a.npz data.json",
    "mesh": "a.obj a.glb a.ply",
    "picture": "a.png a.dds",
    "log": "a.log",
    "vectors": "results.json",
    "evidence": "kit.json",
    "frame": "a.ctf",
    "record": "a.record",
}
NOT_OF_USERS = {"system": "/proc and /sys"}

# What is run with a hostile file of some kinds: {f} is the file, {d} its folder, {c} the folder of `write_clean`, {o} a place
# for outputs.
LINES = {
    "asm {f} -o {o}": "source list",
    "asm {d}/includes.v.pica -o {o}": "include",
    "build --config {f}": "configuration",
    "dis {f} -o {o}": "program binary",
    "check {f}": "source program binary list",
    "check {d}/good.v.pica": "configuration",
    "check --config {f} {c}/good.v.pica": "configuration",
    "check --scan {f}": "scan",
    "check --words {f}": "binary",
    "check --words {c}/good.v.pica --descriptors {f}": "binary",
    "check --data {f}": "program",
    "convert {f} --to nihstro -o {o}": "source program",
    "opt {f} -o {o}": "source program",
    "opt --record {f} --resume": "record",
    "translate {f} --to c -o {o}": "source program",
    "fmt --check {f}": "source list",
    "inspect {f}": "source program binary",
    "inspect --scan {f}": "scan",
    "run {f} --default 0": "source program binary",
    "run {c}/good.v.pica --mesh {f} --default 0": "mesh",
    "run {c}/good.v.pica --data {f}": "program",
    "run {c}/good.v.pica --uniforms {f} --default 0": "table data",
    "run {c}/good.v.pica --uniform u={f} --default 0": "data",
    "run {c}/good.v.pica --input position={f}": "data",
    "run {c}/good.v.pica --mesh {c}/tetra.obj --indices {f}": "data",
    "run {c}/good.v.pica --buffer {f} --attribute position=float*3": "data",
    "run {c}/good.v.pica --profile {f} --default 0": "profile",
    "run {c}/good.v.pica --default 0 --trace 0 --against {f}": "log data",
    "run {c}/cutout.psa --sampler s0={f} --default 0": "picture data",
    "run {c}/transform.sc --stream position=f32x3:{f} --default 0": "data",
    "run {c}/transform.sc --device {f} --default 0": "profile",
    "test {f}": "test",
    "test {c}/good.shadertest.toml --program {f}": "source program binary",
    "test {d}/good.shadertest.toml": "configuration",
    "PYTEST {d}/good.shadertest.toml": "configuration",
    "debug {c}/good.v.pica --default 0 --headless {f}": "script",
    "debug {f} --default 0 --headless {c}/empty.debug": "source program",
    "diff {f} {c}/good.v.pica": "source program",
    "graph {f}": "source program",
    "fuzz --record {f} --resume --programs 1": "record",
    "vectors --report {f}": "vectors",
    "vectors --report {c}/answers.json --cases {f}": "vectors",
    "vectors pica200 --profile {f} -o {o}": "profile",
    "bench --profile {f} --case branchy": "profile",
    "compile {f} --target pica200 -o {o}": "source binary",
    "time {f}": "source binary",
    "rtl {f} --default 0 --bench {o}": "source binary",
    "rtl {c}/transform.sc --default 0 --bench {o} --entity {f}": "profile",
    "evidence import {f}": "evidence",
    "frame {f}": "frame",
    "frame {c}/good.ctf --against {f}": "profile",
    "run {c}/good.ctf:0 --source {f} --default 0": "source",
}
# Commands that read no file that a user names; servers have functions below.
WITHOUT_FILES = {"cache", "isa", "schema", "completions", "man"}
SERVERS = {"lsp", "dap", "studio"}
# What serves a whole folder: the line, and what shows that the good files were served.
WALKS = {
    "check --level note {d}": "good.v.pica",
    "fmt --check {d}": "would format",
    "test {d}": "1 passed",
    "PYTEST {d}": "1 passed",
    "LSP {d}": "good.v.pica",
    "frame {c}/good.ctf --sources {d} --format json": 'good.v.pica"',
}
# Settings that cannot be known: nothing is served, as an answer without them might be taken for the right one.
NOT_SERVED = {"lanewise.toml", "pyproject.toml"}
GOOD = ".fvec u[1]\n.in position\n.out o position\n.proc main\n  mov o, position\n    end\n.end\n"
TEST = 'program = "good.v.pica"\n[[test]]\nname = "a"\ninputs.position = [1, 2, 3, 4]\noutputs."o.x" = 1\n'
ANSWERS = {
    "schema": SCHEMA,
    "isa": "pica200",
    "suite": "quick",
    "seed": 1,
    "variant": "hardware",
    "bits": 24,
    "lanewise": "1",
    "sha256": "",
    "cases": 1,
}


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made, tempfile.TemporaryDirectory() as short:
        made.bind(f"{short}/s")
        Path(short, "s").rename(path)


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(SPARSE)


def _odd(path: Path) -> None:
    path.with_name(ODD + path.name).write_text("nonsense\n")


def _unreadable(path: Path) -> None:
    path.write_text(GOOD)
    path.chmod(0)


KINDS: dict[str, Callable[[Path], None]] = {
    "fifo": _fifo,
    "socket": _socket,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "dangling": lambda path: path.symlink_to("nowhere"),
    "outside": lambda path: path.symlink_to("/etc/passwd"),
    "itself": lambda path: path.symlink_to(path.name),
    "folder": lambda path: path.mkdir(),
    "huge": _huge,
    "unreadable": _unreadable,
    "odd": _odd,
}


def write_clean(folder: Path) -> None:
    """Files that nothing is wrong with."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "good.v.pica").write_text(GOOD)
    (folder / "good.shadertest.toml").write_text(TEST)
    (folder / "answers.json").write_text(json.dumps(ANSWERS) + "\n")
    (folder / "empty.debug").write_text("quit\n")
    recorder = Recorder().state().program(assembled(GOOD)).attributes((FLOAT, 3)).vertices(TRIANGLE).arrays(3).submit()
    (folder / "good.ctf").write_bytes(recorder.citrace())
    for name in ("tetra.obj", "cutout.psa", "transform.sc"):
        shutil.copy(REPOSITORY / "examples" / name, folder)


UNOPENED = {"fifo", "socket", "device", "dangling", "itself", "folder"}


class Case(NamedTuple):
    """A command line with a hostile file. `served` is what shows that the other files of its folder were served."""

    template: str
    line: list[str]
    kind: str
    folder: Path
    name: str  # of the file; empty for a folder of many
    served: str = ""


def cases(kind: str, top: Path, only: str = "") -> Iterator[Case]:
    """Every command with a file of each name that it looks for, then with a folder of all; those with the text `only`.

    Files are made below `top`, and outputs go there.
    """
    clean = top / "clean"
    write_clean(clean)
    for template, kinds in {**LINES, "DAP {f}": "source program", "STUDIO {f}": "source program mesh frame"}.items():
        for name in " ".join(NAMES[each] for each in kinds.split()).split():
            if only not in template or (
                kind == "odd" and name in NOT_SERVED and "{d}" in template
            ):  # another name is not looked for
                continue
            folder = _folder(top / kind / f"{name}.d", kind, (name,))
            file = str(folder / (ODD + name if kind == "odd" else name))
            (folder / "includes.v.pica").write_text(f'.include "{name}"\n{GOOD}')
            yield Case(template, _words(template, file, folder, clean, top), kind, folder, name)
    names = [name for each in NAMES.values() for name in each.split() if name not in NOT_SERVED]
    for template, served in WALKS.items():
        if only in template:
            folder = _folder(top / kind / "all", kind, names)
            yield Case(template, _words(template, "", folder, clean, top), kind, folder, "", served)


def _folder(folder: Path, kind: str, names: tuple[str, ...] | list[str]) -> Path:
    if not folder.exists():
        write_clean(folder)
        for name in names:
            KINDS[kind](folder / name)
    return folder


def _words(template: str, file: str, folder: Path, clean: Path, top: Path) -> list[str]:
    out = str(top / "out" / "x")
    return [word.format(f=file, d=folder, c=clean, o=out) for word in shlex.split(template)]


def wrong_text(case: Case, code: int, text: str) -> str:
    """What is wrong with what a command has said; empty for nothing."""
    if code not in (0, 1, 2):
        return f"exit code {code}"
    if "Traceback" in text or "internal error" in text:
        return "a traceback"
    if any(not letter.isprintable() and letter not in "\n\t\r" for letter in text):
        return "a control character"
    if "daemon:" in text and not (
        case.kind == "outside" and "{f}" in case.template
    ):  # a file that is named is read wherever it is
        return "the contents of a file elsewhere"
    if code and not text.strip():
        return "no sentence"
    if "{f}" in case.template and case.kind in UNOPENED and ODD + case.name not in text and case.name not in text:
        return "the file is not named"
    if case.served and case.served not in text:
        return "the other files were not served"
    return ""


class Measured(NamedTuple):
    """How a command ended."""

    code: int
    seconds: float  # of the processor
    megabytes: float
    wrong: str
    text: str


def measure(case: Case, prefix: list[str]) -> Measured:
    """Run a case as processes of its own."""
    first, *words = case.line
    python = [*prefix, sys.executable, "-m"]
    given = then = b""
    if first == "PYTEST":
        command = [
            *python,
            "pytest",
            "-q",
            "-p",
            "lanewise.tools.pytest_plugin",
            "-p",
            "no:cacheprovider",
            "--continue-on-collection-errors",
            "-c",
            "/dev/null",
            f"--rootdir={case.folder}",
            *words,
        ]
    elif first == "LSP":
        command, (given, then) = [*python, "lanewise", "lsp"], _lsp(case.folder)
    elif first == "DAP":
        command, given = [*python, "lanewise", "dap"], _dap(words[0])
    elif first == "STUDIO":
        command = [*python, "lanewise", "studio", "--no-browser", *words]
    else:
        command = [*python, "lanewise", *case.line]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY / "studio" / "src")]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command,
            cwd=case.folder if case.served else case.folder.parent,
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            env=environment,
        )
        assert process.stdin is not None
        process.stdin.write(given)  # less than a pipe holds
        process.stdin.flush()
        if not then:
            process.stdin.close()
        ended, stopped = time.monotonic() + 30, False
        while (found := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            time.sleep(0.005)
            if then and b'"id": 2' in os.pread(said.fileno(), 1 << 20, 0):
                process.stdin.write(then)
                process.stdin.close()
                then = b""
            if not stopped and ((first == "STUDIO" and os.pread(said.fileno(), 8, 0)) or time.monotonic() > ended):
                os.kill(
                    process.pid, signal.SIGINT if first == "STUDIO" else signal.SIGKILL
                )  # not send_signal, which may take its status
                stopped = True
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    process.returncode = code = os.waitstatus_to_exitcode(found[1])
    if first == "STUDIO" and stopped and code in (130, -signal.SIGINT):
        code = 0
    if first in ("LSP", "DAP"):
        text = text.replace("\r", "")
    seconds, megabytes = found[2].ru_utime + found[2].ru_stime, found[2].ru_maxrss / (1 << 10)
    wrong = wrong_text(case, code, text)
    if time.monotonic() > ended:
        wrong = "it did not end"
    elif seconds > SECONDS:
        wrong = f"{seconds:.1f} s of processor time"
    elif megabytes > MEGABYTES:
        wrong = f"{megabytes:.0f} MB"
    return Measured(code, seconds, megabytes, wrong, text)


def _framed(messages: Sequence[Mapping[str, object]]) -> bytes:
    texts = [json.dumps(message).encode() for message in messages]
    return b"".join([b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in texts])


def _lsp(folder: Path) -> tuple[bytes, bytes]:
    """What is sent to a language server: before, and after its second answer."""
    root = folder.as_uri()
    start: dict[str, object] = {
        "processId": None,
        "rootUri": root,
        "capabilities": {},
        "workspaceFolders": [{"uri": root, "name": "a"}],
    }
    asked: list[tuple[str, object, int]] = [
        ("initialize", start, 1),
        ("initialized", {}, 0),
        ("workspace/symbol", {"query": "main"}, 2),
        ("shutdown", None, 3),
        ("exit", None, 0),
    ]
    sent = [
        {"jsonrpc": "2.0", "method": name, "params": given, **({"id": number} if number else {})}
        for name, given, number in asked
    ]
    return _framed(sent[:3]), _framed(sent[3:])


def _dap(program: str) -> bytes:
    asked: list[tuple[str, object]] = [
        ("initialize", {"adapterID": "lanewise"}),
        ("launch", {"program": program}),
        ("disconnect", {}),
    ]
    return _framed(
        [
            {"seq": number, "type": "request", "command": name, "arguments": given}
            for number, (name, given) in enumerate(asked, 1)
        ]
    )


def without_powers() -> list[str] | None:
    """What runs a command as a user who may not read every file; None where that cannot be had."""
    if os.geteuid():
        return []
    program = shutil.which("setpriv")
    return [program, "--inh-caps=-all", "--bounding-set=-all"] if program else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", action="append", choices=[*KINDS], help="only this kind (may be repeated)")
    parser.add_argument("--only", default="", help="only commands with this text")
    parser.add_argument("-o", "--output", help="write the table here too")
    asked = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what a shell runs in the background, and its children
    prefix = without_powers()
    faults: list[str] = []
    cells: dict[str, dict[str, list[Measured]]] = {}
    with tempfile.TemporaryDirectory(prefix="hostile") as folder, ThreadPoolExecutor(2) as pool:
        for kind in asked.kind or KINDS:
            if kind == "unreadable" and prefix is None:
                print("unreadable: left out, as this user may read everything: apt-get install util-linux")
                continue
            given = [*cases(kind, Path(folder), asked.only)]
            for case, found in zip(given, pool.map(partial(measure, prefix=prefix or []), given), strict=True):
                cells.setdefault(case.template, {}).setdefault(kind, []).append(found)
                if found.wrong:
                    faults.append(f"{kind} {case.name or 'all'}: {case.template}: {found.wrong}: {found.text[-600:]!r}")
    table = [_row(template, row) for template, row in cells.items()]
    runs = sum([len(found) for row in cells.values() for found in row.values()])
    text = "\n".join(
        [
            "command | kind: exit codes, most seconds of the processor, most MB",
            *table,
            f"{runs} runs, {len(faults)} faults",
            *faults,
        ]
    )
    print(text)
    if asked.output:
        Path(asked.output).write_text(text + "\n")
    return bool(faults)


def _row(template: str, row: dict[str, list[Measured]]) -> str:
    shown: list[str] = []
    for kind, found in row.items():
        codes = "".join(str(code) for code in sorted({one.code for one in found}))
        most = f"{max(one.seconds for one in found):.2f} s {max(one.megabytes for one in found):.0f}"
        shown.append(f"{kind}: {codes} {most}")
    return f"{template} | {', '.join(shown)}"


if __name__ == "__main__":
    sys.exit(main())
