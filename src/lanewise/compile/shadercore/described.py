"""The interface of a compiled program as plain data: the file beside it that says what its registers are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.shadercore.code import COMPONENTS
from lanewise.compile.shadercore.comparing import limits_of
from lanewise.core.record import Record
from lanewise.direct3d9.isa.constants import COLUMNS
from lanewise.shadercore.api.interface import INTERFACE, VERSION, digest_of
from lanewise.shadercore.sem.steps import exports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.shadercore.constants import Upload
    from lanewise.compile.shadercore.direct3d9 import Compiled
    from lanewise.compile.shadercore.interface import Place
    from lanewise.compile.shadercore.vector import Port, VectorCompiled
    from lanewise.direct3d9.isa.constants import Constant


def interface(compiled: Compiled, named: Sequence[Constant] = ()) -> dict[str, object]:
    """The interface of a program: registers by meaning, constants to upload with their purpose.

    Components of inputs that the vertex data has not are (0, 0, 0, 1). `named` are the constants of the shader's constant
    table.
    """
    return _head(compiled, list(map(_of_place, compiled.inputs)), list(map(_of_place, compiled.outputs))) | {
        "uniforms": [f"c{number}" for number in compiled.uniforms],
        "names": _names(compiled, named),
        "matrices": {
            row.name: {"rows": row.type.rows, "columns": row.type.columns, "registers": "columns"}
            for row in named
            if row.type.kind == COLUMNS and row.register_name[0] == "c"
        },
        "numbers": {
            name: {"register": f"c{number}.{COMPONENTS[component]}", "is": _number(compiled, name)}
            | (_limits(compiled, int(name[1:])) if name[0] == "i" else {})
            for name, (number, component) in compiled.counts.items()
        },
        "known": _known(compiled),
        "constants": _constants(compiled.uploads),
    }


def vector_interface(compiled: VectorCompiled) -> dict[str, object]:
    """The interface of a program of a front end: registers by the names of the source."""
    spans = list(dict.fromkeys([span for span in compiled.spans if span is not None and span.line]))
    numbers = {span: n for n, span in enumerate(spans)}
    names: dict[str, str] = {}
    for row in compiled.uniforms:
        names |= {f"c{n}": row.name if row.rows == 1 else f"{row.name}[{n - row.first}]" for n in row.read}
    return _head(compiled, list(map(_of_port, compiled.inputs)), list(map(_of_port, compiled.outputs))) | {
        "uniforms": list(names),
        "names": names,
        "numbers": {
            setting.name: {
                "register": f"c{setting.register}.{COMPONENTS[setting.component]}",
                "is": "1.0 or 0.0" if setting.is_flag else f"the count, as a number, at most {setting.most}",
                "kind": "flag" if setting.is_flag else "count",
            }
            | ({} if setting.is_flag else {"most": setting.most})
            for setting in compiled.settings
        },
        "known": {},
        "constants": _constants(compiled.uploads),
        "lines": [{"file": span.file, "line": span.line, "text": span.text} for span in spans],
        "places": [-1 if span is None else numbers.get(span, -1) for span in compiled.spans],
    }


class _Row(Record):
    """An input or output."""

    register: int
    "The number of its v# or o#."
    source: str
    "Its name in the source."
    meaning: str
    "Its usage, or its name where it has none."
    mask: int
    "Its components; x is bit 0."
    element: str = ""
    "The type of the vertex element (`ELEMENTS`); empty: not given."


def _of_place(place: Place) -> _Row:
    return _Row(register=place.register, source=place.name, meaning=place.meaning, mask=place.mask, element=place.element)


def _of_port(port: Port) -> _Row:
    return _Row(register=port.register, source=port.name, meaning=port.usage or port.name, mask=port.mask)


def _head(compiled: Compiled | VectorCompiled, inputs: Sequence[_Row], outputs: Sequence[_Row]) -> dict[str, object]:
    """The head of every interface: the program it is of, its inputs and outputs."""
    leaving = set(exports(compiled.device))
    return {
        "kind": INTERFACE,
        "version": VERSION,
        "program": digest_of(compiled.program.words),
        "device": compiled.device.describe(),
        "slots": compiled.slots,
        "inputs": [_row(row, "v") for row in inputs],
        "outputs": [
            _row(row, "o") | {"exported": all(("o", row.register, c) in leaving for c in range(4) if row.mask >> c & 1)}
            for row in outputs
        ],
    }


def _row(row: _Row, file: str) -> dict[str, object]:
    found: dict[str, object] = {
        "register": f"{file}{row.register}",
        "source": row.source,
        "meaning": row.meaning,
        "components": "".join([COMPONENTS[c] for c in range(4) if row.mask >> c & 1]),
    }
    return found | ({"element": row.element} if row.element else {})


def _constants(uploads: Sequence[Upload]) -> list[dict[str, object]]:
    return [
        {"register": f"c{upload.number}", "bits": [f"0x{bits or 0:08X}" for bits in upload.values], "why": list(upload.why)}
        for upload in uploads
    ]


def _names(compiled: Compiled, named: Sequence[Constant]) -> dict[str, str]:
    """Return the names in the constant table of the constants that the application sets, by register: `World[2]`."""
    found: dict[str, str] = {}
    for constant in named:
        for n in range(constant.registers if constant.register_name[0] == "c" else 0):
            if constant.register + n in compiled.uniforms:
                text = constant.name if constant.registers == 1 else f"{constant.name}[{n}]"
                found.setdefault(f"c{constant.register + n}", text)
    return found


def _limits(compiled: Compiled, number: int) -> dict[str, int]:
    """Return the values that an i# may have in a run: the largest count or the only one, and start and step of aL where the
    program depends on them."""
    limits = limits_of(compiled, number)
    return {key: value for key, value in limits._asdict().items() if value is not None} if limits is not None else {}


def _known(compiled: Compiled) -> dict[str, dict[str, int] | dict[str, bool]]:
    """The i# and b# whose values are compiled in."""
    integers, booleans = compiled.options.integers, compiled.options.booleans
    return {f"i{number}": _limits(compiled, number) for number in sorted(integers)} | {
        f"b{number}": {"value": booleans[number]} for number in sorted(booleans)
    }


def _number(compiled: Compiled, name: str) -> str:
    """The expected value of a component that replaces an i# or b#."""
    if name[0] == "b":
        return "1.0 or 0.0"
    bound = compiled.most[name]
    text = f"the count, as a number, at most {bound.most}"
    return (
        text if bound.start is None or bound.step is None else f"{text}; aL starts at {bound.start}, by steps of {bound.step}"
    )
