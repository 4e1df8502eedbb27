"""Sessions of shader tests: a failing test starts at the instruction that wrote the first wrong component."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.api.cases import mismatches, service_of
from lanewise.api.testing import read_tests
from lanewise.core.files import reason
from lanewise.core.service import STDIO, InputFailure, Request, SourceFile, UsageError
from lanewise.debugger.breakpoints import written
from lanewise.debugger.launching import Launch
from lanewise.debugger.session import GOTO, Hit, Session, Stop
from lanewise.packages import common_language, recognise, unknown_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.arrays.expecting import Mismatch
    from lanewise.core.debugging import Debuggee
    from lanewise.core.package import Loaded
    from lanewise.core.service import Files
    from lanewise.core.shadertests import ShaderTest


def session_of_test(
    path: str,
    name: str,
    files: Files,
    read_included: Callable[[str], str] | None = None,
    read: Callable[[Path], Sequence[ShaderTest]] = read_tests,
) -> Session:
    """The session of a test by its name; without one of the first that fails. `read` gives the tests of a file. Raises
    UsageError, InputFailure, InputError."""
    try:
        tests = read(Path(path))
    except OSError as error:
        raise InputFailure(f"cannot read {path}: {reason(error)}") from None
    if name:
        tests = [test for test in tests if test.name == name]
        if not tests:
            raise UsageError(f"{path} has no test '{name}': it has {_names(read(Path(path)))}")
    for test in tests:
        loaded, request = _loaded(test, files, read_included)
        wrong = mismatches(loaded.program, test.case)
        if wrong:
            return _at_mismatch(test, loaded, request, wrong[0])
    if len(tests) > 1:
        raise UsageError(f"no test of {path} fails: choose one with `--test NAME`: {_names(tests)}")
    loaded, request = _loaded(tests[0], files, read_included)
    return _started(tests[0], loaded, request, 0, "the test passes")[0]


def _names(tests: Sequence[ShaderTest]) -> str:
    return ", ".join([test.name for test in tests])


def _loaded(test: ShaderTest, files: Files, read_included: Callable[[str], str] | None) -> tuple[Loaded, Request]:
    """The program of a test with the options that it is read with."""
    sources = tuple(
        [SourceFile(name, text.encode("utf-8", "surrogatepass"), name) for name, text in test.sources]
        or [_source(os.fspath(path), files) for path in test.programs]
    )
    match = recognise(sources[0].path, sources[0].data)
    if match is None:
        raise unknown_file(sources[0].name, sources[0].data)
    language = common_language(match.package, sources) if len(sources) > 1 else ""
    request = match.with_member(
        Request("debug", sources, dict(test.options), language=language, files=files, read_included=read_included)
    )
    return (match.package.load(request) if len(sources) > 1 else match.read(request)), request


def _source(path: str, files: Files) -> SourceFile:
    from lanewise.core.members import split

    name, member = split(path, os.path.exists)
    return SourceFile(name, files.read(name) if name != STDIO else b"", name, member)


def _started(test: ShaderTest, loaded: Loaded, request: Request, lane: int, remark: str) -> tuple[Session, int]:
    tests = service_of(loaded.program)
    if tests.debug is None:
        raise UsageError(f"shader tests of {loaded.isa} cannot be debugged")
    case = tests.filled(loaded.program, test.case)
    debug = tests.debug
    debuggee, thread = debug(tests.chosen(loaded.program, case), case, lane)

    def under(option: str, variant: str) -> Debuggee:
        value = tests.checked(option, variant) if tests.checked is not None else variant
        other = replace(case, **{option: value})
        return debug(tests.chosen(loaded.program, other), other, lane)[0]

    launch = Launch(loaded, request, (thread,), debuggee, under)
    launch.remarks.append(f"test '{test.name}': {remark}")
    return Session(launch), thread


def _at_mismatch(test: ShaderTest, loaded: Loaded, request: Request, wrong: Mismatch) -> Session:
    session, thread = _started(test, loaded, request, wrong.lane, str(wrong))
    tests = service_of(loaded.program)
    names: Mapping[str, str] = tests.names(tests.chosen(loaded.program, test.case)) if tests.names is not None else {}
    key = names.get(wrong.key.partition(".")[0], wrong.key.partition(".")[0])
    name = f"{key}.{wrong.component}" if wrong.component in "xyzw" else key
    place = session.debuggee.results.get(name, name)
    recording = session.recording(thread)
    recording.extend(MOST_STEPS)
    step = _writer(session, thread, place, wrong.got)
    if step is not None:
        session.arrive(Stop(GOTO, thread, step, (Hit("test", f"step {step} writes {name}: {wrong}"),)))
    return session


MOST_STEPS = 1_000_000


def _writer(session: Session, thread: int, place: str, bits: int) -> int | None:
    """The last step that wrote a place with a pattern, or the last that wrote it at all."""
    recording = session.recording(thread)
    found: int | None = None
    for number in range(len(recording) - 1, -1, -1):
        places = recording.machine.may_write(recording.addresses[number])
        if places is not None and place not in places:
            continue
        mine: Sequence[int] = [each.new.bits for each in written(recording.step(number)) if each.place == place]
        if bits in mine:
            return number
        if mine and found is None:
            found = number
    return found
