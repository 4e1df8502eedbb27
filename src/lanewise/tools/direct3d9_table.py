"""Generate docs/direct3d9-table.md from the specification's table.

For each row: whether its program is read, written, checked, run and compiled, and the cost. Each cell is measured when the page
is generated.
"""

from __future__ import annotations

import numpy as np

from lanewise.compile.shadercore.comparing import compare
from lanewise.compile.shadercore.direct3d9 import TABLE, Compiled, Options, compile_shader
from lanewise.compile.shadercore.random_cases import uses_routines
from lanewise.compile.shadercore.table import ROWS, TableRow
from lanewise.compile.shadercore.tracer import Array
from lanewise.core.diagnostics import InputError, has_errors
from lanewise.core.document import Heading, Paragraph, Table, as_markdown
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.check.rules import check
from lanewise.direct3d9.container.stream import read_stream, write_stream
from lanewise.direct3d9.engine.data import Data
from lanewise.direct3d9.engine.run import run_shader
from lanewise.direct3d9.isa.interface import kills, outputs
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.direct3d9.sem.tree import resolve
from lanewise.direct3d9.text.printer import print_shader
from lanewise.direct3d9.text.reader import read_source_text
from lanewise.shadercore.isa.devices import DOCUMENT, RTL

if TYPE_CHECKING:
    from lanewise.core.document import Block
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.isa.devices import Device

LANES = 32
OPTIONS = Options(arrays=(Array(10, 8),))
HEAD = ("instruction", "supported, by the specification", "read", "write", "check", "run", "document", "rtl", "table", "result")
# How far a routine's result can be from the true value, in every lane (docs/compiler-routines.md shows it).
# A whole nrm is less exact than its root, 2^-22: on `rtl` the dot product and the last MUL round by themselves.
NORMAL_BOUND = "2^-21"
BOUNDS = {
    "rcp": "2^-22",
    "rsq": "2^-22",
    "nrm": NORMAL_BOUND,
    "exp": "2^-21",
    "log": "2^-21",
    "pow": "2^-15",
    "lit": "2^-15",
    "expp": "2^-10",
    "logp": "2^-10",
}


class Cells(Record):
    """A row of the page."""

    row: TableRow
    "Instruction or form, with a shader."
    read: str
    "`yes` where its words are the same after they were written and read, else `no`."
    write: str
    "`yes` where its words are the same after disassembly and assembly, else `no`."
    check: str
    "`legal`, or the codes of errors."
    run: str
    "Engines that run it, with what it needs for that."
    document: str
    "Slots of the shader compiled for the documented device, or why it is refused."
    rtl: str
    "Slots of the shader compiled for the device of the RTL, or why it is refused."
    table: str
    "Slots of the shader compiled by a table of instructions; `none` where there is no such code."
    result: str
    "`exact` where all lanes have the bits of the run under the rule of the device, else the bound."

    @property
    def texts(self) -> tuple[str, ...]:
        row = self.row
        return (
            f"`{row.name}`",
            "yes" if row.supported else "no",
            self.read,
            self.write,
            self.check,
            self.run,
            self.document,
            self.rtl,
            self.table,
            self.result,
        )


def cells(row: TableRow) -> Cells:
    """The results of a row's program."""
    shader = shader_of(row)
    flow, _ = resolve(shader, row.name)
    assert flow is not None
    compiled = {device: _compiled(shader, device) for device in (DOCUMENT, RTL)}
    table = compile_shader(shader, RTL, OPTIONS, strategy=TABLE).compiled
    return Cells(
        row=row,
        read=_read(shader),
        write=_written(shader),
        check=_checked(shader, row.name),
        run=_run(shader, flow),
        document=_cost(compiled[DOCUMENT]),
        rtl=_cost(compiled[RTL]),
        table="none" if table is None else _cost(table),
        result=_result(shader, flow, compiled),
    )


def shader_of(row: TableRow) -> Shader:
    """The shader of a row. Raises InputError."""
    result = read_source_text(row.source, row.name)
    if result.shader is None or has_errors(result.diagnostics):
        raise InputError(result.diagnostics)
    return result.shader


def _read(shader: Shader) -> str:
    data = write_stream(shader)
    again = read_stream(data).shader
    return "yes" if again is not None and write_stream(again) == data else "no"


def _written(shader: Shader) -> str:
    again = read_source_text(print_shader(shader), "again").shader
    return "yes" if again is not None and again.words == shader.words else "no"


def _checked(shader: Shader, name: str) -> str:
    """`legal`, or the codes of what the version does not allow."""
    return ", ".join(sorted({found.code for found in check(shader, name) if found.is_error})) or "legal"


def data_for(flow: Flow, shader: Shader, *, samplers: bool = False) -> Data:
    """Numbers for a run: a lane has others than its neighbours."""
    rng = np.random.default_rng(9)
    inputs = {
        (source.file, source.number): rng.uniform(-3, 3, (LANES, 4)).astype(np.float32).view(np.uint32)
        for inst in shader.insts
        for source in inst.sources
        if source.file in (1, 3)
    }
    inputs |= {
        (d.file, d.number): rng.uniform(-3, 3, (LANES, 4)).astype(np.float32).view(np.uint32)
        for d in flow.declared
        if d.file in (1, 3)
    }
    constants = {
        n: tuple(map(int, rng.uniform(-3, 3, 4).astype(np.float32).view(np.uint32))) for n in (*range(6), *range(10, 18))
    }
    given = {0: np.array([[0.25, 0.5, 0.75, 1.0]], np.float32)} if samplers else {}
    return Data(
        lanes=LANES,
        inputs=inputs,
        constants=constants | dict(flow.constants),
        integers={},
        booleans={0: True},
        bumps={},
        samplers=dict(given),
    )


def _run(shader: Shader, flow: Flow) -> str:
    """The engines that run it, and what it needs for that."""
    wanted = tuple(dict.fromkeys((port.file, port.number) for port in outputs(shader)))
    found: list[str] = []
    needs = ""
    for engine in ("reference", "llvm"):
        for samplers in (False, True):
            data = data_for(flow, shader, samplers=samplers)
            try:
                _, used, _ = run_shader(flow, rule_of("ieee"), data, wanted, kills=kills(shader), engine=engine)
            except InputError as failure:
                needs = f" ({failure.diagnostics[0].code} without samplers)"
                continue
            if used not in found:
                found.append(used)
            break
    return ", ".join(found) + needs


def _compiled(shader: Shader, device: Device) -> Compiled | str:
    """The program, or the code of the diagnostic that it is refused with."""
    result = compile_shader(shader, device, OPTIONS)
    return result.diagnostics[0].code if result.compiled is None else result.compiled


def _cost(found: Compiled | str) -> str:
    return found if isinstance(found, str) else f"{found.slots} slots"


def _result(shader: Shader, flow: Flow, compiled: dict[Device, Compiled | str]) -> str:
    """`exact` where all lanes have the bits of the run under the device's rule, else the bound."""
    found: list[str] = []
    for device, one in compiled.items():
        if isinstance(one, str):
            found.append(f"{device.name}: refused, {one}")
        elif uses_routines(shader, device):
            worst = max((BOUNDS[inst.op.name] for inst in shader.insts if inst.op.name in BOUNDS), default="2^-22")
            found.append(f"{device.name}: within {worst}")
        else:
            found.append(f"{device.name}: {'other bits' if compare(one, flow, data_for(flow, shader)) else 'exact'}")
    kinds = {text.partition(": ")[2] for text in found}
    return kinds.pop() if len(kinds) == 1 else "; ".join(found)


def page() -> str:
    """The page."""
    slips = [(row.name, row.slip) for row in ROWS if row.slip]
    blocks: list[Block] = [
        Heading(1, "The specification's table of Direct3D 9 instructions"),
        Paragraph(
            "Each row is a small program with the instruction, in the first or simplest version that has it. `read` and "
            "`write`: tokens and text give the same words again. `check`: the result of `lanewise check`. `run`: the engines "
            "that run it. `document` and `rtl`: the slots of the whole program on each device, END included, or the "
            "diagnostic that it is refused with; `table`: the slots of the specification's sequence, with its errors fixed, "
            "on `rtl`. `result`: `exact` where every lane has the bits of the shader run under the device's own rule, else "
            "how far a routine's result may be from the true value. This page is generated by running all of it: `python -m "
            "lanewise.tools.pages`."
        ),
        Table(HEAD, tuple(cells(row).texts for row in ROWS)),
        Heading(2, "Errors in the specification's table"),
        Table(("instruction", "error"), tuple((f"`{name}`", text) for name, text in slips)),
    ]
    return as_markdown(blocks, links=True)
