"""Sources to bytes: read, lay out, encode, put into a container."""

from __future__ import annotations

from lanewise.container.shbin import write_shbin
from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, has_errors
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.isa import layout as policies
from lanewise.isa.encoder import Encoded, encode_program
from lanewise.isa.layout import lay_out
from lanewise.text.picasso.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanewise.container.shbin import Shbin
    from lanewise.isa.module import Module
    from lanewise.isa.program import Program


class Assembly(Record):
    """What came out of assembling. `data` is None if any diagnostic is an error; the rest is as far as it got.

    `notes` are of no consequence: constants that were rounded, padding that was inserted. What the hardware makes of the program
    is for `api.checking` to say.
    """

    data: bytes | None
    program: Program
    encoded: Encoded
    module: Module
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[Diagnostic, ...] = ()


def assemble_sources(sources: Iterable[tuple[str, str]], *, compatible: bool = False, padding: bool = True) -> Assembly:
    """Assemble (name, text) pairs in the picasso language into one SHBIN.

    `compatible`: take what picasso takes, as it takes it. `padding=False`: insert no NOPs (picasso's --no-nop).
    """
    reader = Reader(compatible=compatible)
    for name, text in sources:
        reader.read(name, text)
    module = reader.finish()
    diagnostics = list(reader.diagnostics)
    policy = policies.PICASSO_COMPATIBLE if compatible else policies.PICASSO
    program, findings = lay_out(module._replace(padding=module.padding and padding), policy)
    # Names that a broken line failed to define would be reported as missing too: they come when the lines are mended.
    unfinished = has_errors(diagnostics)
    diagnostics += [finding for finding in findings if not (unfinished and finding.code in ("V042", "V043", "V044"))]
    diagnostics += _misnamed(module)
    if not has_errors(diagnostics):
        diagnostics += _lost_constants(module)
    encoded, findings = encode_program(program, module.descriptors)
    diagnostics += findings
    data = None
    if not has_errors(diagnostics):
        shbin, findings = contain(program, encoded, module)
        diagnostics += findings
        if shbin is not None:
            data = write_shbin(shbin)
    notes = tuple([finding for finding in diagnostics if finding.severity == NOTE])
    told = tuple([finding for finding in diagnostics if finding.severity != NOTE]) if notes else tuple(diagnostics)
    return Assembly(data, program, encoded, module, told, notes)


def _misnamed(module: Module) -> list[Diagnostic]:
    """Shaders whose stage is not what the file's name says."""
    found: list[Diagnostic] = []
    for unit in module.units:
        name = unit.name.lower()
        if not unit.library and unit.geometry and name.endswith(".v.pica"):
            found.append(Diagnostic("V091", WARNING, "this file makes a geometry shader, but its name says vertex shader", unit.span, (),
                                    "name it .g.pica, or remove setemit and .gsh"))  # fmt: skip
        elif not unit.library and not unit.geometry and name.endswith(".g.pica"):
            found.append(Diagnostic("V091", WARNING, "this file makes a vertex shader, but its name says geometry shader", unit.span, (),
                                    "add .gsh MODE at its top, or name it .v.pica"))  # fmt: skip
    return found


def _lost_constants(module: Module) -> list[Diagnostic]:
    """Constants of a library are in no shader's table, so nobody loads them."""
    message = "a .nodvle file has no constant table: its constants are loaded by no shader"
    fix = "move them to the file of the shader, or pass a uniform"
    return [
        Diagnostic("V089", WARNING, message, unit.span, (), fix) for unit in module.units if unit.library and unit.constants
    ]


def contain(program: Program, encoded: Encoded, module: Module) -> tuple[Shbin | None, list[Diagnostic]]:
    """The container for a program, with the `.shbin` fields of its sources applied."""
    from lanewise.container.build import build
    from lanewise.container.layout import LAYOUTS, PICASSO

    changes = dict(module.container)
    layout = changes.get("layout")
    named = layout.decode("latin-1") if isinstance(layout, bytes) else PICASSO
    shbin = build(program, encoded.words, encoded.descriptors, named if named in LAYOUTS else PICASSO)
    units = [unit for unit in module.units if not unit.library]
    for n, unit in enumerate(units):
        changes |= {f"dvle{n}{key.removeprefix('dvle')}": value for key, value in unit.container.items()}
    if not changes:
        return shbin, []
    from lanewise.container.flat import apply

    try:
        return apply(shbin, changes), []
    except (KeyError, ValueError) as error:
        text = str(error.args[0])
        key = next((key for key in module.places if key.removeprefix("dvle") in text), "")
        message = f"a .shbin field cannot be set: {text}"
        return None, [
            Diagnostic(
                "P057", ERROR, message, module.places.get(key, module.end), (), "see the keys that `lanewise dis` prints"
            )
        ]
