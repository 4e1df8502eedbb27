"""The premises of a compiled program: facts about the application that it was compiled for, and that proofs about it rest
on."""

from __future__ import annotations

from lanewise.compile.vector.code import Row, Table
from lanewise.compile.vector.walk import statements
from lanewise.core.document import Heading, Items
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.direct3d9 import Options as VectorOptions
    from lanewise.compile.shadercore.direct3d9 import Compiled
    from lanewise.compile.shadercore.direct3d9 import Options as ScalarOptions
    from lanewise.compile.shadercore.tracer import Array
    from lanewise.compile.shadercore.vector import VectorCompiled
    from lanewise.compile.vector.code import Program
    from lanewise.core.document import Block
    from lanewise.core.source import Span
    from lanewise.direct3d9.sem.tree import Flow

ARRAY, COUNT, VALUE, ELEMENT, ORDER = "array", "count", "value", "element", "order"


class Premise(Record):
    """A premise: what it is about (`ARRAY`, `COUNT`, `VALUE`, `ELEMENT`, `ORDER`), the register or name, and the sentence."""

    kind: str
    name: str
    text: str


def of_vector(program: Program) -> list[Premise]:
    """The extents of the arrays that a vector program addresses, and the most that its counts can be."""
    found = list(statements(program.body))
    addressed = sorted({row.uniform for row in found if isinstance(row, Row) and row.offset is not None})
    sizes = [(program.uniforms[n].name, program.uniforms[n].rows) for n in addressed]
    tables = sorted({len(row.rows) for row in found if isinstance(row, Table)})
    return [
        *[_within(name, f"{name} stay within its {size} registers") for name, size in sizes],
        *[_within("", f"numbers of the source stay within their {size} rows") for size in tables],
        *[Premise(COUNT, count.name, f"{count.name} counts to at most {count.most}") for count in program.counts],
    ]


def listed(places: Sequence[Span]) -> str:
    """Places in a source, with their lines."""
    return ", ".join([f"{span.file}:{span.line}" if span.line else span.file for span in places])


def of_vector_compiled(premises: Sequence[Premise], compiled: VectorCompiled) -> list[Premise]:
    """The premises of a vector program that was compiled for ShaderCore with bounds, which has `premises` without them."""
    most = [(setting.name, setting.most) for setting in compiled.settings if not setting.is_flag]
    return [
        *[premise for premise in premises if premise.kind != COUNT],
        *[Premise(COUNT, name, f"{name} counts to at most {count}") for name, count in most],
    ]


def of_values(options: VectorOptions | ScalarOptions) -> list[Premise]:
    """The values of i# and b# that a Direct3D 9 shader was compiled for."""
    return [
        *[
            Premise(VALUE, f"i{n}", f"i{n} is {', '.join([str(each or 0) for each in row])}")
            for n, row in options.integers.items()
        ],
        *[Premise(VALUE, f"b{n}", f"b{n} is {str(value).lower()}") for n, value in options.booleans.items()],
        *[
            Premise(COUNT, f"i{n}", f"aL of loops over i{n} starts at {bound.start} and steps by {bound.step}")
            for n, bound in options.bounds.items()
            if bound.start is not None and bound.step is not None
        ],
    ]


def of_shadercore(compiled: Compiled, flow: Flow) -> list[Premise]:
    """The premises of a Direct3D 9 shader that was compiled for ShaderCore."""
    from lanewise.compile.shadercore.direct3d9 import addresses

    options = compiled.options
    return [
        *[
            _within(f"c{array.first}", f"c{array.first} stay within its {array.size} registers{_steps(array)}")
            for array in options.arrays
            if addresses(flow, array)
        ],
        *[Premise(COUNT, name, f"{name} counts to at most {bound.most}") for name, bound in compiled.most.items()],
        *of_values(options),
        *[Premise(ELEMENT, f"v{n}", f"v{n} comes from a {element}") for n, element in options.elements.items()],
    ]


def _steps(array: Array) -> str:
    return f", in steps of {array.stride}" if array.stride > 1 else ""


def _within(name: str, text: str) -> Premise:
    return Premise(ARRAY, name, f"relative addresses of {text}")


def premises_page(premises: Sequence[Premise]) -> list[Block]:
    """The premises as text."""
    rows = tuple([("", premise.text) for premise in premises])
    return [Heading(2, "Premises"), Items(rows)] if rows else []


def premises_json(premises: Sequence[Premise]) -> list[dict[str, str]]:
    """The premises as the key `premises` of a document."""
    return [premise._asdict() for premise in premises]
