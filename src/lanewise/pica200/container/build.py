"""A program's interface as the tables of an SHBIN, and back.

`build` writes what picasso writes for the same declarations, or what nihstro does: `layout.HABITS` has the differences.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.container import layout as at
from lanewise.pica200.container import tables
from lanewise.pica200.container.shbin import ConstantEntry, Dvle, LabelEntry, OutputEntry, Shbin, UniformEntry
from lanewise.pica200.isa.program import Interface, Uniform
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.pica200.isa.program import Constant, Program

VERTEX_TYPE, GEOMETRY_TYPE = 0, 1
MERGE_OUTPUTS = 1
VARIABLE_MODE, FIXED_MODE = 1, 2


def build(program: Program, words: Sequence[int], descriptors: Sequence[int], layout: str = at.PICASSO) -> Shbin:
    """Build the file of a program from its `words` and operand `descriptors`.

    `layout` is one of `layout.LAYOUTS`, with the properties in `layout.HABITS`. The entry is always the word at which a shader
    starts, also where the tool of a layout writes another value (`entry_of_tool`). Raises ValueError for another layout.
    """
    if layout not in at.LAYOUTS:
        raise ValueError(f"unknown layout {layout!r}: {', '.join(at.LAYOUTS)}")
    dvles = tuple([_object(interface, program, at.HABITS[layout]) for interface in program.interfaces])
    return Shbin(
        words=tuple(words), descriptors=tuple(descriptors), dvles=dvles, header=at.HABITS[layout].header, layout=layout
    )


def _object(interface: Interface, program: Program, habits: at.Habits) -> Dvle:
    labels: list[LabelEntry] = []
    symbols = b""
    for label, address in program.labels.items() if habits.labels else ():
        labels.append(LabelEntry(word=address, symbol=len(symbols)))
        symbols += _symbol(label)
    symbols, uniforms = _uniforms(_table(interface, habits), symbols)
    count = interface.vertex_count
    return Dvle(
        version=habits.version,
        type=GEOMETRY_TYPE if interface.geometry else VERTEX_TYPE,
        flags=MERGE_OUTPUTS if interface.merge_outputs else 0,
        main=interface.entry,
        endmain=interface.entry_end if habits.bounds else 0,
        input_mask=interface.input_mask if habits.bounds else 0,
        output_mask=interface.output_mask if habits.bounds else 0,
        geometry_mode=interface.geometry_mode,
        array_start=interface.array_start,
        variable_count=count if interface.geometry_mode == VARIABLE_MODE else 0,
        fixed_count=count if interface.geometry_mode == FIXED_MODE else 0,
        constants=_constants(interface),
        labels=tuple(labels),
        outputs=_outputs(interface),
        uniforms=uniforms,
        symbols=symbols,
    )


def _table(interface: Interface, habits: at.Habits) -> Sequence[Uniform]:
    """Inputs and uniforms in the order of the uniform table."""
    if not habits.sorted:
        return interface.declared or (*interface.uniforms, *interface.inputs)
    exported = [u for u in interface.uniforms if u.symbol is not None or not u.name.startswith("_")]
    return sorted((*interface.inputs, *exported), key=lambda uniform: uniform.first)


def entry_of_tool(program: Program, interface: Interface, layout: str) -> int:
    """The entry field that the tool of a layout writes.

    It is the word, or, by nihstro's mistake, the offset of the label's name.
    """
    entries = [label for label, address in program.labels.items() if address == interface.entry]
    entry = next((label for label in ("main", *entries) if label in entries), None)
    if at.HABITS[layout].entry == "word" or entry is None:
        return interface.entry
    before = list(program.labels)[: list(program.labels).index(entry)]
    return sum(len(_symbol(label)) for label in before)


def _symbol(name: str) -> bytes:
    return name.replace("$", ".").encode() + b"\0"


def _uniform_symbol(uniform: Uniform) -> bytes:
    return _symbol(uniform.name) if uniform.symbol is None else uniform.symbol + b"\0"


def _uniforms(table: Iterable[Uniform], symbols: bytes) -> tuple[bytes, tuple[UniformEntry, ...]]:
    """`symbols` with the names of the table after them, and the entries that point there."""
    entries: list[UniformEntry] = []
    for uniform in table:
        first, last = uniform.first, uniform.last
        shift = tables.INDEX_SHIFT if first >= FLOAT else 0
        entries.append(UniformEntry(len(symbols), first - shift, last - shift))
        symbols += _uniform_symbol(uniform)
    return symbols, tuple(entries)


def _outputs(interface: Interface) -> tuple[OutputEntry, ...]:
    return tuple([OutputEntry(output.semantic, output.register, output.mask) for output in interface.outputs])


def _constants(interface: Interface) -> tuple[ConstantEntry, ...]:
    return tuple([constant_entry(constant) for constant in interface.constants])


def constant_entry(constant: Constant) -> ConstantEntry:
    """A preset value as the entry of a table."""
    register, values = constant
    if register >= BOOLEAN:
        return ConstantEntry(0, register - BOOLEAN, tables.BOOL_VALUE.pack(*values))
    if register >= INTEGER:
        return ConstantEntry(1, register - INTEGER, tables.INT_VALUE.pack(*values))
    return ConstantEntry(2, register - FLOAT, tables.FLOAT_VALUE.pack(*values))


def interfaces(shbin: Shbin) -> tuple[Interface, ...]:
    """The shaders of a file: the inverse of `build`.

    The result has only what an `Interface` can express: invalid entries (`tables`) are left out, a missing name is `unnamed`
    with the entry's number, unknown modes are 0, undefined bits are dropped. `.` stays `.` in names. `flat.flatten` of both
    shows the difference between the file and the one built from this.
    """
    unsorted = shbin.layout in at.HABITS and not at.HABITS[shbin.layout].sorted
    return tuple([_interface(f"dvle{i}", dvle, unsorted) for i, dvle in enumerate(shbin.dvles)])


def _interface(name: str, dvle: Dvle, unsorted: bool) -> Interface:
    named: list[Uniform] = []
    for number, entry in enumerate(dvle.uniforms):
        span = tables.registers(entry)
        if span is not None:
            named_as = tables.name(dvle.symbols, entry.symbol) or f"unnamed{number}"
            named.append(Uniform(name=named_as, first=span[0], last=span[1]))
    mode = dvle.geometry_mode if dvle.geometry_mode in {VARIABLE_MODE, FIXED_MODE} else 0
    return Interface(
        name=name,
        geometry=dvle.type == GEOMETRY_TYPE,
        entry=dvle.main,
        entry_end=dvle.endmain,
        inputs=tuple([uniform for uniform in named if uniform.first < FLOAT]),
        uniforms=tuple([uniform for uniform in named if uniform.first >= FLOAT]),
        outputs=tuple([output for output in map(tables.output, dvle.outputs) if output is not None]),
        constants=tuple([constant for constant in map(tables.constant, dvle.constants) if constant is not None]),
        input_mask=dvle.input_mask,
        output_mask=dvle.output_mask,
        geometry_mode=mode,
        array_start=dvle.array_start if mode == FIXED_MODE else 0,
        vertex_count=(0, dvle.variable_count, dvle.fixed_count)[mode],
        merge_outputs=bool(dvle.flags & MERGE_OUTPUTS),
        declared=tuple(named) if unsorted else (),
    )
