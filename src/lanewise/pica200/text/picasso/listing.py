"""A plain listing: address, word, descriptor, text. For reading, not for assembling."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.text.picasso.printer import Names, Printer

if TYPE_CHECKING:
    from collections.abc import Sequence


def listing_lines(words: Sequence[int], descriptors: Sequence[int]) -> list[str]:
    """A line for each word, then one for each descriptor that the table has."""
    printer = Printer(Names(), lambda target: "", lambda address: "")
    lines = [" addr  word        n  desc      text"]
    for address, (word, operation) in enumerate(zip(words, lift(words, descriptors), strict=True)):
        number = operation.descriptor
        descriptor = f"{number:3}  {descriptors[number]:08x}" if number >= 0 else ""
        text = printer.describe(operation) or f".word {word:#010x}"
        lines.append(f"{address:5x}  {word:08x}  {descriptor:13}  {text}")
    if descriptors:
        lines += ["", "   n  descriptor"]
        lines += [f"{number:4}  {value:08x}" for number, value in enumerate(descriptors)]
    return lines
