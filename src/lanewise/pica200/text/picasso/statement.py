"""One instruction as a picasso statement, with the names of a source."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Uniform
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.text.picasso.printer import Names, Printer, word_of

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Interface, Operation


def statement(interface: Interface | None, operation: Operation) -> str:
    """The text of an instruction that has no target; empty where the language, or these names, cannot express it."""
    names = Names(geometry=interface is not None and interface.geometry)
    if interface is not None:
        for alias in interface.aliases:
            if not alias.whole:
                continue
            if alias.written or alias.register >= TEMPORARY:
                names.written.setdefault(alias.register, alias.name)
            if not alias.written:
                names.declare(alias.name, Uniform(name=alias.name, first=alias.first, last=alias.last))
        for uniform in (*interface.inputs, *interface.uniforms, *interface.private):
            names.declare(uniform.name, uniform)
        for output in interface.outputs:
            names.written.setdefault(output.register, output.name)
    plain = operation._replace(descriptor=-1)
    text = Printer(names, lambda target: "", lambda address: "").expressible(plain, word_of(plain), block=False)
    return "" if names.aliases else text
