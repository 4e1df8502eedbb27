"""Direct3D 9 shaders for the compilers: the shader of a file, and what a command line says of it."""

from __future__ import annotations

import re

from lanewise.compile.services.counts import count_meant
from lanewise.compile.shadercore.constants import CONSTANTS
from lanewise.compile.shadercore.direct3d9 import Options
from lanewise.compile.shadercore.interface import ELEMENTS
from lanewise.compile.shadercore.tracer import Array, Bound
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.core.source import Span
from lanewise.direct3d9.api.services.effect import LoadedEffect
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.isa.table import CONSTBOOL, CONSTINT, INPUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.shadercore.tracer import Three
    from lanewise.core.package import Loaded
    from lanewise.core.service import Request


def shader_of(loaded: Loaded) -> Direct3DShader:
    """The shader of a file, or the only one of an effect. Raises InputError."""
    program = loaded.only.program if isinstance(loaded, LoadedEffect) else loaded.program
    if not isinstance(program, Direct3DShader):
        raise TypeError(f"expected a Direct3D 9 shader, found a program of {loaded.isa}")
    return program


def facts_of(request: Request) -> Options:
    """Raises UsageError."""
    integers = _numbered(request.texts("int"), "i", "--int")
    bounds = {n: Bound(*v) for n, v in _numbered(request.texts("bound"), "i", "--bound").items()}
    for n, values in {**{n: (b.most, b.start, b.step) for n, b in bounds.items()}, **integers}.items():
        if not 0 <= values[0] <= 255:
            raise UsageError(f"i{n}: the count is {values[0]}, expected 0 to 255")
    booleans: dict[int, bool] = {}
    for text in request.texts("bool"):
        found = re.fullmatch(r"b(\d{1,4})=(0|1|true|false)", text.strip(), re.IGNORECASE)
        if not found:
            key = text.strip().lower().partition("=")[0]
            if re.fullmatch(r"b\d{1,4}", key):
                raise UsageError(f"--bool {text}: write {key}=1 for true, {key}=0 for false")
            raise UsageError(f"--bool {text}: write bN=0 or bN=1")
        booleans[int(found[1])] = found[2].lower() in ("1", "true")
    arrays: list[Array] = []
    for text in request.texts("array"):
        found = re.fullmatch(r"c(\d{1,3})=(\d{1,3})(?:/(\d{1,3}))?", text.strip(), re.IGNORECASE)
        if not found or not int(found[2]) or found[3] == "0" or int(found[1]) + int(found[2]) > 256:
            raise UsageError(f"--array {text}: {_array_meant(text)}")
        arrays.append(Array(int(found[1]), int(found[2]), int(found[3] or 1)))
    return Options(
        integers=integers, bounds=bounds, booleans=booleans, arrays=tuple(arrays), elements=_elements(request.text("decl"))
    )


def _array_meant(text: str) -> str:
    """The fix for an array that is not cN=COUNT or cN=COUNT/STRIDE."""
    name, equals, rest = (part.strip().lower() for part in text.partition("="))
    first = name.removeprefix("c").strip("[]")
    numbers = [each for each in re.split(r"[^0-9]+", rest) if each]
    if first.isdigit() and int(first) < CONSTANTS and numbers and int(numbers[0]):
        count = int(numbers[0])
        if re.fullmatch(r"c?\d+\s*(-|to|\.\.|:)\s*c?\d+", rest) and int(numbers[1]) >= int(first) == count:
            return f"write --array c{first}={int(numbers[1]) - count + 1}: the number counts registers"
        if int(first) + count > CONSTANTS:
            return f"{count} registers from c{first} on end after c255: use {CONSTANTS - int(first)} at most"
        stride = f"/{numbers[1]}" if len(numbers) > 1 and int(numbers[1]) else ""
        return f"write --array c{first}={count}{stride}"
    if first.isdigit() and not equals:
        return f"write --array c{first}=COUNT, the registers of the array, with /STRIDE those of an element"
    if not first.isdigit() and numbers:
        return f"name its first register: --array cN={numbers[0]}, or cN=COUNT/STRIDE for elements of several registers"
    return "write cN=COUNT or cN=COUNT/STRIDE, within c0 to c255, and COUNT from 1"


def _numbered(texts: Sequence[str], file: str, option: str) -> dict[int, Three]:
    """Count, start and step by the number of an i#; None where they are not given. Raises UsageError."""
    found: dict[int, Three] = {}
    for text in texts:
        match = re.fullmatch(
            rf"{file}(\d{{1,4}})=(-?\d{{1,4}})(?:,(-?\d{{1,4}}))?(?:,(-?\d{{1,4}}))?", text.strip(), re.IGNORECASE
        )
        if not match or int(match[1]) > 15:
            raise UsageError(f"{option} {text}: {count_meant(text, option, register=True)}")
        if int(match[1]) in found:
            raise UsageError(f"{option} {text}: {file}{match[1]} is given twice")
        found[int(match[1])] = int(match[2]), int(match[3]) if match[3] else None, int(match[4]) if match[4] else None
    return found


# Types of elements by the names of Direct3D, DXGI and shading languages.
_OTHER_ELEMENTS = {
    **{f"float{n}": f"float{n}" for n in range(1, 5)},
    **{f"vec{n}": f"float{n}" for n in range(2, 5)},
    **{f"{name}_float": f"float{n}" for n, name in enumerate(("r32", "r32g32", "r32g32b32", "r32g32b32a32"), 1)},
    **dict.fromkeys(("float", "f32"), "float1"),
    **dict.fromkeys(("d3dcolor", "color", "colour", "ubyte4n", "b8g8r8a8_unorm", "argb"), "d3dcolor"),
}


def _elements(text: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for part in filter(None, text.split(",")):
        match = re.fullmatch(r"v(\d{1,2})=(\w+)", part.strip(), re.IGNORECASE)
        if not match or match[2].lower() not in ELEMENTS:
            meant = _OTHER_ELEMENTS.get(match[2].lower().removeprefix("d3ddecltype_"), "") if match else ""
            hint = f"write --decl v{match[1]}={meant}" if match and meant else f"write vN=TYPE, of {', '.join(ELEMENTS)}"
            raise UsageError(f"--decl {part}: {hint}")
        if int(match[1]) in found:
            raise UsageError(f"--decl {part}: v{match[1]} is given twice")
        found[int(match[1])] = match[2].lower()
    return found


def unused(shader: Direct3DShader, known: Options, name: str) -> list[Diagnostic]:
    """L010: options that change nothing."""
    flow = shader.flow
    used = {(source.file, source.number) for inst in flow.insts for source in inst.sources}
    wrong = [f"i{n}" for n in {**known.integers, **known.bounds} if n in flow.integers or (CONSTINT, n) not in used]
    wrong += [f"b{n}" for n in known.booleans if n in flow.booleans or (CONSTBOOL, n) not in used]
    wrong += [f"v{n}" for n in known.elements if (INPUT, n) not in used]
    return [
        Diagnostic(
            code="L010",
            severity=ERROR,
            message=f"an option names {text}, which the shader does not read, or defines itself",
            span=Span(file=name),
            fix="leave it out, or name the register that is meant",
        )
        for text in wrong
    ]
