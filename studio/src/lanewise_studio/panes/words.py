"""The pane of machine words: each with its place in the source, and operand descriptors with the words that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lanewise.core.diagnostics import InputError
from lanewise.core.service import InputFailure, UsageError
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import Descriptor, mask_text, selector_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.debugging import Debuggee
    from lanewise.core.package import Loaded
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.isa.table import Op

    from lanewise_studio.program import Program
    from lanewise_studio.reading import Reading

_DIGITS = {"pica200": 8, "shadercore": 16, "direct3d9": 8}


def words(evaluation: Reading) -> dict[str, object]:
    """The machine words of the program as plain values."""
    try:
        debuggee: Debuggee = evaluation.session.debuggee
    except (InputError, InputFailure, UsageError):
        return inspected(evaluation)
    return _listed(evaluation, debuggee.what, debuggee.instruction, debuggee.encoding)


def inspected(evaluation: Reading) -> dict[str, object]:
    """The same of a program that may lack data, as the listing of `lanewise inspect` has its instructions."""
    service = evaluation.loaded.inspect
    rows: Sequence[Mapping[str, Any]] = ()
    if service is not None:
        plain = service(evaluation.program.request("inspect", {"listing": True, "format": "json"})).data
        rows = cast("Sequence[Mapping[str, Any]]", plain.get("listing", ()))
    texts = {_address(row): row for row in rows}
    what = "token" if evaluation.loaded.isa == "direct3d9" else "word"

    def encoding(address: int) -> str:
        number = texts.get(address, {}).get("descriptor")
        return "" if number is None else f"descriptor {number}"

    return _listed(evaluation, what, lambda address: str(texts.get(address, {}).get("text", "")), encoding)


def _address(row: Mapping[str, Any]) -> int:
    """The number of the first word of an instruction in a listing, whichever way it counts."""
    return int(row["offset"]) // 4 if "offset" in row else int(row.get("address", row.get("slot", -1)))


def _listed(
    evaluation: Reading, what: str, instruction: Callable[[int], str], encoding: Callable[[int], str]
) -> dict[str, object]:
    """The rows: `what` one of the words is called, the instruction at an address, its bits in detail."""
    loaded = evaluation.loaded
    digits = _DIGITS[loaded.isa]
    rows: list[dict[str, object]] = []
    for address, word in enumerate(loaded.words):
        place = evaluation.span(address)
        rows.append(
            {
                "address": address,
                "bits": f"{word:0{digits}x}",
                "instruction": instruction(address),
                "encoding": encoding(address),
                "file": place.file if place is not None else "",
                "line": place.line if place is not None else 0,
                "column": place.column if place is not None else 0,
                "length": place.length if place is not None else 0,
            }
        )
    return {
        "what": what,
        "digits": digits,
        "rows": rows,
        "descriptors": _descriptors(loaded),
        "cost": _cost(loaded, evaluation.program),
    }


def _descriptors(loaded: Loaded) -> list[dict[str, object]]:
    if loaded.isa != "pica200":
        return []
    file = cast("ShaderFile", loaded.program)
    used: dict[int, list[int]] = {}
    insts = [decode(word) for word in file.words]
    for address, inst in enumerate(insts):
        if inst.has("desc"):
            used.setdefault(inst.field("desc"), []).append(address)
    return [
        {
            "number": number,
            "bits": f"{bits:08x}",
            "text": _meaning(bits, [insts[address].op for address in used.get(number, [])]),
            "words": used.get(number, []),
        }
        for number, bits in enumerate(file.programs[0].descriptors)
    ]


def _meaning(bits: int, users: Sequence[Op]) -> str:
    """`.x, xyzw, -wwww`: the write mask and the selectors that the instructions with a descriptor use; all of one that none
    has."""
    parts = [f".{mask_text(Descriptor.MASK.extract(bits))}"] if not users or any(_writes(op) for op in users) else []
    for number in range(max([op.source_count for op in users], default=len(Descriptor.SELECTOR))):
        sign = "-" if Descriptor.NEGATE[number].extract(bits) else ""
        parts.append(sign + selector_text(Descriptor.SELECTOR[number].extract(bits)))
    return ", ".join(parts)


def _writes(op: Op) -> bool:
    return "dst" in op.operands or "adr" in op.operands


def _cost(loaded: Loaded, program: Program) -> str:
    """The cost of the program in a few lines; empty where none is known."""
    service = loaded.check
    if service is None:
        return ""
    try:
        report = service(program.request("check", {"stats": True}))
    except (InputFailure, UsageError):
        return ""
    return "\n".join([stats.text for stats in report.stats])


__all__ = ["inspected", "words"]
