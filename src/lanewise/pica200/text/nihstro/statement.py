"""One instruction as a nihstro statement, with the names of a source."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Uniform
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.text.nihstro.printer import OURS, Names, Printer

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Interface, Operation


def statement(interface: Interface | None, operation: Operation) -> str:
    """The text of an instruction that has no target; empty where the language cannot express it."""
    names = Names()
    if interface is not None:
        for alias in interface.aliases:
            if not alias.whole:
                continue
            if alias.written or alias.register >= TEMPORARY:
                names.written.setdefault(alias.register, (alias.name, 0xF))
            if not alias.written:
                names.declare(alias.name, Uniform(name=alias.name, first=alias.first, last=alias.last))
        for uniform in (*interface.inputs, *interface.uniforms, *interface.private):
            names.declare(uniform.name, uniform)
    return Printer(names, lambda address: "", lambda address: "").operation(operation).removesuffix(OURS).rstrip()
