"""Options of compiling a Direct3D 9 shader, which its words leave open, and the result."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.vector.code import Program
    from lanewise.core.diagnostics import Diagnostic

# Count, start and step of an i#; the last two are None where only the count is known.
Three = tuple[int, "int | None", "int | None"]
NOWHERE = "none"  # the semantic of an output that is left out


class Bound(NamedTuple):
    """A count that the application sets: at most `most` iterations; aL starts at `start` and grows by `step`, if they are
    known."""

    most: int
    start: int | None = None
    step: int | None = None


class Array(NamedTuple):
    """Constants that a relative address may name: `size` registers from c`first`, of which each `stride` are an element."""

    first: int
    size: int
    stride: int = 1


class Options(Record):
    """Facts about a shader that its words do not contain."""

    integers: Mapping[int, Three] = MappingProxyType({})
    "Values of i# that the shader does not define."
    bounds: Mapping[int, Bound] = MappingProxyType({})
    "The most that the count of an i# can be, with start and step of its aL."
    booleans: Mapping[int, bool] = MappingProxyType({})
    "Values of b# that the shader does not define."
    arrays: tuple[Array, ...] = ()
    "Constants that relative addresses may reach."
    outputs: Mapping[str, str] = MappingProxyType({})
    "The semantics of outputs by usage or register; `none` leaves one out."


class Sources(Record):
    """The parts of the shader that the parts of a vector program come from, in the order of the program."""

    uniforms: tuple[int, ...]
    "The first c# of each uniform."
    flags: tuple[int, ...]
    "The number of the b# of each flag."
    counts: tuple[int, ...]
    "The number of the i# of each count."
    outputs: tuple[tuple[int, int, tuple[int, ...]], ...]
    "File and number of a register for each output, with the component of it in each lane of the semantic."
    reach: Mapping[int, tuple[int, int]]
    "By c#, the first constant and the one after the last that a relative address from there may mean."


class Lowered(NamedTuple):
    """The vector program, None if the shader was refused, the findings, and what the program's parts are in the shader."""

    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    sources: Sources | None = None


class Refused(PortableError):
    """A shader that cannot be compiled: the code of a finding, the message, the fix, and the index of the instruction (-1:
    none)."""

    code: str
    message: str
    fix: str
    line: int

    def __init__(self, code: str, message: str, fix: str, line: int = -1) -> None:
        super().__init__(message)
        self.code, self.message, self.fix, self.line = code, message, fix, line
