"""SIGINT at several moments of every long command: each ends within a second, with a sentence. `nox -s interrupts`, on a quiet
machine.

The moments are parts of the time that a command takes, so that each stage is met: its start, its libraries, its work, its
output.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from corpus import REPOSITORY
from engines.interrupted import ENDLESS, YEARS

LIMIT = 1.0  # seconds from the signal to the end
LONGEST = 8.0  # seconds of a command that are looked at
PARTS = (0.05, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
ENDED = 130
REFUSED = 2

_RUN = f"run endless.v.pica -i place=1,2,3,4 -u one=1,1,1,1 -u again=true --budget {YEARS} --count 500"
COMMANDS = (
    f"{_RUN} --engine reference",
    f"{_RUN} --engine llvm --threads 2",
    f"{_RUN} --timeout 1000",
    "translate long.v.pica --to cpp -o out.cpp",
    "diff long.v.pica other.v.pica",
    "time {examples}/direct3d9/toon.vsa",
    "vectors pica200 --suite full -o vectors",
    "opt long.v.pica -O3 -o small.shbin",
    "opt --each long.v.pica other.v.pica -O3 -o small --record {record}",
    "fuzz --minutes 5 --seed 7 -o found",
    "fuzz --minutes 5 --seed 7 -o found --workers 2",
    "fuzz --minutes 5 --target shadercore --seed 7 -o found",
    "compile light.vert --target shadercore -o light.sc",
    "check .",
    "test {examples}",
    "asm long.v.pica -o long.shbin",
    "build --all --config built.toml",
    "run long.v.pica --default 0 --trace 0 --against long.log",
    "run long.v.pica --default 0 --trace 0 --against others.log --format json",
    "vectors pica200 --suite state --supervise ./silent --answer-timeout 100",
    "fuzz --against ./silent --timeout 100",
)


class Found(NamedTuple):
    """How a command ended after a signal."""

    after: float  # seconds from its start to the signal
    seconds: float
    code: int
    wrong: str


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what a shell runs in the background, and its children
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="lanewise-") as folder:
        _write(Path(folder))
        for number, line in enumerate(COMMANDS):
            examples = REPOSITORY / "examples"
            filled = [part.format(examples=examples, record=f"record-{number}-{{count}}") for part in line.split()]
            whole = _seconds(folder, _arguments(filled, 0))
            found = [_interrupted(folder, _arguments(filled, count), part * whole) for count, part in enumerate(PARTS, 1)]
            met = [one for one in found if one is not None]
            worst = max([one.seconds for one in met], default=0.0)
            print(
                f"{line}: {len(met)} of {len(PARTS)} moments of {whole:.1f} s, at most {worst:.2f} s until its end", flush=True
            )
            for one in met:
                if one.wrong:
                    wrong += 1
                    print(f"  after {one.after:.2f} s: exit code {one.code}, {one.seconds:.2f} s: {one.wrong}", flush=True)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


def _arguments(filled: list[str], count: int) -> list[str]:
    return [sys.executable, "-m", "lanewise", *[part.format(count=count) for part in filled]]


def _write(folder: Path) -> None:
    """Inputs that take seconds."""
    (folder / "endless.v.pica").write_text(ENDLESS)
    lines = [f"    mad r{n % 12}, v0, r{(n + 1) % 12}, v0.{'xyzw'[n % 4]}{'wxyz'[n % 4]}yy" for n in range(120)]
    start = [f"    mov r{n}, v0" for n in range(13)]
    text = ".out pos position\n.proc main\n{}\n    add pos, r0, r1\n    end\n.end\n"
    (folder / "long.v.pica").write_text(text.format("\n".join([*start, *lines])))
    (folder / "built.toml").write_text('[build]\nsources = ["long.v.pica", "other.v.pica"]\n')
    (folder / "other.v.pica").write_text(text.format("\n".join([*start, *lines[:-1], "    mul r0, r0, v0.x"])))
    log = [json.dumps({"pc": n, "dst": f"r{n}", "x": 0.0}) for n in range(13)]
    (folder / "long.log").write_text("\n".join([*log, json.dumps({"pc": 13, "dst": "r0", "x": 0.5})]) + "\n")  # wrong
    others = json.dumps({"pc": 0, "vertex": 1, "values": [1.5, 2.5, 3.5, 4.5]}) + "\n"
    (folder / "others.log").write_text(others * 400_000 + "\n".join(log) + "\n")
    (folder / "silent").write_text(f"#!{sys.executable}\nimport sys\nsys.stdin.buffer.read()\n")  # answers nothing
    (folder / "silent").chmod(0o755)
    body = "".join([f"  p = p * (v + {n}.0) + normalize(p.yzwx);\n" for n in range(60)])
    (folder / "light.vert").write_text(
        f"#version 330\nin vec4 v;\nvoid main() {{\n  vec4 p = v;\n{body}  gl_Position = p;\n}}\n"
    )


def _seconds(folder: str, command: list[str]) -> float:
    """How long a command takes, as far as that is looked at. Raises ValueError for one that is refused."""
    start = time.monotonic()
    process = _started(folder, command)
    try:
        _, err = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        _kill(process)
    else:
        if process.returncode == REFUSED:
            raise ValueError(err)
    return time.monotonic() - start


def _interrupted(folder: str, command: list[str], after: float) -> Found | None:
    """What a signal does after so many seconds; None if the command has ended before."""
    process = _started(folder, command)
    try:
        process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        pass
    else:
        return None
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=10 * LIMIT)
    except subprocess.TimeoutExpired:
        _kill(process)
        return Found(after, time.monotonic() - start, process.returncode, "it does not end")
    seconds = time.monotonic() - start
    return Found(after, seconds, process.returncode, _wrong(process.returncode, seconds, out, err, command))


def _wrong(code: int, seconds: float, out: str, err: str, command: list[str]) -> str:
    early = not err or err.rstrip().endswith("KeyboardInterrupt")
    if early and code in (1, -signal.SIGINT) and "cli.py" not in err:  # the interpreter had not come to the command
        return ""
    if "Traceback" in out + err or "internal error" in out + err or "Exception ignored" in err:
        return err.strip().rpartition("\n")[2]
    if seconds > LIMIT:
        return "too late"
    summary = "fuzz" in command and ", interrupted" in out
    if code != ENDED and not summary and code not in (0, 1):  # it may have ended at that moment
        return f"exit code {code}"
    return "" if code != ENDED or err.rstrip().endswith("error: interrupted") else f"standard error ends with {err[-80:]!r}"


def _started(folder: str, command: list[str]) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def _kill(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


if __name__ == "__main__":
    sys.exit(main())
