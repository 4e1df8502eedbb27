"""What a shader takes and gives, the budget of a run and its error."""

from __future__ import annotations

from lanewise.core.diagnostics import PortableError, render
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.table import BOOLEAN, INTEGER, SEMANTICS, register_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.isa.program import Interface, Uniform

_COMPONENTS = "xyzw"
BUDGET = 1_000_000  # steps of a vertex


class Binding(Record):
    """An input or a uniform: its name, its first register (`v0`, `c4`, `i0`, `b3`) and how many registers it has."""

    name: str
    register: str
    size: int


class OutputBinding(Record):
    """An output: the key of its array in a result, its register (`o0`) and its components (`xyz`). `name` is the source's, or
    empty."""

    semantic: str
    register: str
    components: str
    name: str


def binding(uniform: Uniform) -> Binding:
    """An input or a uniform of a file's table."""
    return Binding(uniform.name, register_name(uniform.first), uniform.size)


def wired(interface: Interface) -> tuple[OutputBinding, ...]:
    """The outputs that are wired to a semantic. One that has come before gets a number: `color`, `color_2`."""
    seen: dict[str, int] = {}
    found: list[OutputBinding] = []
    for output in interface.outputs:
        semantic = SEMANTICS[output.semantic]
        number = seen[semantic] = seen.get(semantic, 0) + 1
        components = "".join(letter for bit, letter in enumerate(_COMPONENTS) if output.mask >> bit & 1)
        key = semantic if number == 1 else f"{semantic}_{number}"
        found.append(OutputBinding(key, f"o{output.register}", components, output.name))
    return tuple(found)


def presets(interface: Interface) -> dict[str, tuple[float, ...] | tuple[int, ...] | bool]:
    """The values of constants, by register: four floats for c, four bytes for i, a truth value for b."""
    from lanewise.core.numbers.floats import float_from_float24

    found: dict[str, tuple[float, ...] | tuple[int, ...] | bool] = {}
    for register, values in interface.constants:
        if register >= BOOLEAN:
            found[register_name(register)] = bool(values[0])
        elif register >= INTEGER:
            found[register_name(register)] = tuple(values)
        else:
            found[register_name(register)] = tuple([float_from_float24(word) for word in values])
    return found


class RunError(PortableError):
    """Lanes stopped without `end`. `result` has what the other lanes gave, and all faults; `diagnostics` say them in words."""

    result: ShaderResult
    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, result: ShaderResult, diagnostics: Sequence[Diagnostic]) -> None:
        self.result = result
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))


def counted(number: int) -> str:
    """How many there are of what is counted from 0."""
    return f"there are {number}, 0 to {number - 1}" if number > 1 else "there is one, number 0"
