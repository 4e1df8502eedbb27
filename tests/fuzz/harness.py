"""One mutant, one command, in this process; what a command must never do is a `Fault`."""

from __future__ import annotations

import io
import os
import random
import re
import resource
import shutil
import signal
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from fuzz.commands import DATA, FILE, FOLDER, INPUTS, OUT, STDIN
from fuzz.seeds import write_support
from fuzz.servers import serve
from lanewise.core.diagnostics import InputError
from lanewise.tools import cli, picasso, shadertest

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path
    from types import FrameType

    from fuzz.kinds import Kind
    from fuzz.mutation import Seed

CPU_SECONDS = 5
WALL_SECONDS = 300  # for what waits for something that never comes; a busy machine takes long for all else
MEMORY = 3 << 29  # bytes of address space beyond what the process has
PLANTED = b"an output of an earlier command"
# What a terminal may obey: C0 without tab and line end, DEL, C1, and marks that turn the direction of text.
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_DETAILS = re.compile(r"0x[0-9A-Fa-f]+|\d+|'[^']*'|\"[^\"]*\"")


class Fault(NamedTuple):
    """What went wrong, the command line, what it printed, and a text that faults with one cause share."""

    what: str
    arguments: tuple[str, ...]
    printed: str
    signature: str


class Mutant(NamedTuple):
    kind: Kind
    number: int
    name: str
    data: bytes
    arguments: tuple[str, ...]


class TooSlow(BaseException):
    """The command has used its processor time. Not an Exception: no handler of a command takes it."""

    def __str__(self) -> str:
        return f"takes more than {CPU_SECONDS} s of processor time"


class Waiting(BaseException):
    """The command waits for something that does not come."""

    def __str__(self) -> str:
        return f"does not end within {WALL_SECONDS} s"


def mutant(kind: Kind, seed: int, number: int) -> Mutant:
    """Mutant `number` of a kind: the same for a seed on every machine."""
    rng = random.Random(f"{seed} {kind.name} {number}")
    seeds = kind.seeds()
    chosen = rng.choice(seeds)
    data = kind.mutate(rng, chosen, seeds)
    while rng.random() < 0.25:
        data = kind.mutate(rng, chosen._replace(data=data), seeds)
    suffix = chosen.name.rpartition(".")[2]
    return Mutant(kind, number, kind.file.replace("*", suffix), data, command(rng.choice(kind.commands), chosen))


def command(template: Sequence[str], seed: Seed) -> tuple[str, ...]:
    """A command line with the data for the inputs of a seed."""
    return tuple([argument for word in template for argument in (seed.context if word == INPUTS else (word,))])


@contextmanager
def limited_memory() -> Generator[None]:
    """Limit the address space of this process."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            used = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # no Linux
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


class Harness:
    """A folder with the files of command lines. `run` runs a mutant there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inputs, self.outputs, self.data = folder / "in", folder / "out", folder / "data"
        for place in (self.inputs, self.outputs, self.data):
            place.mkdir()
        write_support(self.data)
        (folder / "lanewise.toml").touch()  # one project: sources of `data` include what is mutated
        self._beside: dict[str, bytes] = {}

    def run(self, mutant: Mutant) -> tuple[int, Fault | None]:
        """The exit code of the command, and its fault."""
        for name in self._beside.keys() - mutant.kind.beside.keys():
            (self.inputs / name).unlink()
        for name, data in mutant.kind.beside.items():
            if self._beside.get(name) != data:
                (self.inputs / name).write_bytes(data)
        self._beside = dict(mutant.kind.beside)
        file = self.inputs / mutant.name
        file.write_bytes(mutant.data)
        arguments = [self._placed(argument, file) for argument in mutant.arguments]
        places = {argument for argument in arguments if argument.startswith(f"{self.outputs}/out")}
        for place in places:
            _write(place, PLANTED)
        stdin = mutant.data if STDIN in mutant.arguments else b""
        code, text, all_text, error = self._called(arguments, stdin)
        what = error or _printed(code, text, all_text) or self._left(mutant, file, places, code)
        self._clean()
        if not what:
            return code, None
        signature = f"{mutant.kind.name} {arguments[0]} {_DETAILS.sub('N', what.partition(' after ')[0])}"
        return code, Fault(what, mutant.arguments, text, signature)

    def _placed(self, argument: str, file: Path) -> str:
        for placeholder, text in (
            (FILE, str(file)),
            (OUT, f"{self.outputs}/out"),
            (FOLDER, f"{self.outputs}/folder"),
            (DATA, str(self.data)),
            ("{in}", str(self.inputs)),
            (STDIN, "-"),
        ):
            argument = argument.replace(placeholder, text)
        return argument

    def _called(self, arguments: Sequence[str], stdin: bytes) -> tuple[int, str, str, str]:
        """(exit code, messages, all that was printed, what went wrong or "")"""
        streams = sys.stdin, sys.stdout, sys.stderr
        kept = [io.BytesIO(), io.BytesIO()]
        out, err = (io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape", write_through=True) for stream in kept)
        sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(stdin)), out, err
        code, error = 1, ""
        handlers = {how: signal.signal(how, stop) for how, stop in ((signal.SIGPROF, _stop), (signal.SIGALRM, _wake))}
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
        _slow.clear()
        warned: list[warnings.WarningMessage] = []
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                code = _main(arguments)
        except (TooSlow, Waiting) as stopped:
            error = str(stopped)
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
        except BaseException as raised:
            if isinstance(raised, KeyboardInterrupt):
                raise
            error = f"raises {type(raised).__name__}: {raised} in {_place(raised)}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            for how, handler in handlers.items():
                signal.signal(how, handler)
            sys.stdin, sys.stdout, sys.stderr = streams
        if not error and _slow:
            error = str(TooSlow())
        printed = [stream.getvalue().decode("utf-8", "replace") for stream in kept]
        if warned and not error:  # Python would print it, with a line of source
            first = warned[0]
            error = f"warns: {first.category.__name__}: {first.message} in {os.path.basename(first.filename)}"  # noqa: PTH119
        shown = printed[1] if prints_sources(arguments) else "".join(printed)
        return code, shown, "".join(printed), error

    def _left(self, mutant: Mutant, file: Path, places: set[str], code: int) -> str:
        """What is wrong with the files."""
        changes = arguments_change_input = mutant.arguments[0] == "fmt"
        resumes = "--resume" in mutant.arguments  # it goes on writing the record
        if file.read_bytes() != mutant.data and not (changes and code == 0) and not resumes:
            return "an input was changed" if not arguments_change_input else "a source was changed after an error"
        names = {entry.name for entry in os.scandir(self.inputs)} - self._beside.keys() - {mutant.name}
        left = {entry.name for entry in os.scandir(self.outputs)} - {"folder", *(os.path.basename(place) for place in places)}  # noqa: PTH119
        left -= {"out.json"} if mutant.arguments[0] == "compile" and code == 0 else set()
        if names or left:
            return f"left files: {', '.join(sorted(_DETAILS.sub('N', name) for name in names | left))}"
        # A program that hangs still gives the results and the times of what ran.
        if code and mutant.arguments[0] not in ("run", "time") and any(_read(place) != PLANTED for place in places):
            return "an output was changed after an error"
        return ""

    def _clean(self) -> None:
        for folder in (self.inputs, self.outputs):
            for entry in list(os.scandir(folder)):
                if entry.is_dir():
                    shutil.rmtree(entry.path)
                elif folder is self.outputs or entry.name not in self._beside:
                    os.remove(entry.path)  # noqa: PTH107


def _main(arguments: Sequence[str]) -> int:
    if arguments[0] == "serve":
        return serve(*arguments[1:])
    if arguments[0] == "picasso":
        return picasso.main(list(arguments[1:]))
    if arguments[0] != "shadertest":
        return cli.main(list(arguments))
    from pathlib import Path

    try:
        failed = [shadertest.failure(test) for test in shadertest.read(Path(arguments[1]))]
    except (InputError, OSError) as error:  # what the pytest plugin shows
        failed = [str(error)]
    print("\n".join(failed), file=sys.stderr)
    return int(any(failed))


def prints_sources(arguments: Sequence[str]) -> bool:
    """Whether standard output has the user's text or bytes, unchanged."""
    return arguments[0] in ("fmt", "asm")


def _printed(code: int, text: str, all_text: str) -> str:
    """What is wrong with an exit code and what was printed."""
    if code not in (0, 1, 2):
        return f"exit code {code}"
    internal = re.search(r"internal error \((.*?)\): please", text, re.DOTALL)
    if internal:
        return f"internal error: {internal[1]}"
    if "Traceback (most recent call last)" in text:
        return "prints a traceback"
    if "not enough memory" in text:
        return "needs more memory than the limit"
    control = CONTROL.search(text)
    if control:
        return (
            f"prints a control character after {text[max(0, control.start() - 40) : control.start()]!r}: "
            f"U+{ord(control[0]):04X}"
        )
    return "" if code == 0 or all_text.strip() else f"exit code {code} without a message"


def _place(error: BaseException) -> str:
    frame, found = error.__traceback__, ""
    while frame is not None:
        code = frame.tb_frame.f_code
        if "lanewise" in code.co_filename:
            found = f"{os.path.basename(code.co_filename)}:{code.co_name}"  # noqa: PTH119
        frame = frame.tb_next
    return found


_slow: list[int] = []  # the signals of this run: an event loop goes on after any exception


def _stop(number: int, frame: FrameType | None) -> None:
    _slow.append(number)
    raise TooSlow


def _wake(number: int, frame: FrameType | None) -> None:
    raise Waiting


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(data)
