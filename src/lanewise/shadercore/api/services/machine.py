"""The page of one ShaderCore device: `lanewise isa shadercore --device FILE`, and the file to start from."""

from __future__ import annotations

from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, UsageError
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.isa.parameters import GROUPS, PARAMETERS, value_text
from lanewise.shadercore.isa.table import LANES, QUADS
from lanewise.shadercore.sem.functions import described, is_opaque, rounds_often

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.document import Block
    from lanewise.core.service import Request
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.table import Op

_TITLES = {"time": "Time", "registers": "Registers", "meaning": "Results"}


def machine(request: Request, instruction: str) -> Answer | None:
    """The page of the device of a request, or of an instruction on it; with `--device-template` the file.

    None where the request names no device. Raises UsageError, InputFailure.
    """
    if request.flag("device-template"):
        from lanewise.shadercore.api.services.device_files import template

        if instruction or request.as_json:
            text = "--device-template writes the file of a whole device: leave out OPCODE and --format json"
            if instruction.endswith(".toml"):
                text = f"--device-template prints: write `lanewise isa shadercore --device-template > {instruction}`"
            raise UsageError(text)
        return Answer(text=template(device_of(request), "mycore"))
    if not request.has("device") and not request.has("set"):
        return None
    device = device_of(request)
    if instruction:
        op = _found(device, instruction)
        return Answer(data=_op_data(device, op), page=tuple(machine_op_page(device, op)))
    return Answer(data=_data(device), page=tuple(_page(device)))


def _found(device: Device, text: str) -> Op:
    """Raises UsageError."""
    name = text.lower()
    for op in device.ops:
        if name in (op.name, *op.aliases, str(op.opcode), hex(op.opcode)):
            return op
    raise UsageError(f"unknown instruction '{text}' of {device.name}: it has {', '.join([op.name for op in device.ops])}")


def _syntax(op: Op) -> str:
    return " ".join((op.name, ", ".join(("dest", "a", "b", "c")[: op.dests + op.sources]))).strip()


def _page(device: Device) -> list[Block]:
    rows = [
        (str(op.opcode), f"`{_syntax(op)}`", device.pipe(op), str(device.latency(op)), str(device.interval(op)), op.summary)
        for op in device.ops
    ]
    blocks: list[Block] = [
        Heading(1, f"{device.name}: {device.describe()}"),
        Paragraph(
            f"{LANES} lanes in waves of {QUADS} quads, {device.cycles('slots')} slots. Pipes: {', '.join(device.pipes)}. A "
            "parameter that neither shipped device has is marked."
        ),
        Heading(2, "Instructions"),
        Table(("opcode", "syntax", "pipe", "latency", "interval", "meaning"), tuple(rows)),
    ]
    if device.added:
        blocks.append(
            Paragraph(
                f"Added by the device: {', '.join([op.name for op in device.added])}. Bits 58 to 63 of the word are the upper "
                "bits of the opcode, bits 43 to 57 the third source: modifier, file, number and component, from the lowest bit."
            )
        )
    for group in GROUPS:
        listed = [parameter for parameter in PARAMETERS if parameter.group == group]
        values = [(parameter, device.setting(parameter.key)) for parameter in listed]
        rows_of_group = tuple(
            [
                (
                    f"`{parameter.key}`",
                    value_text(value) + (" (own)" if value not in (parameter.document, parameter.rtl) else ""),
                    f"{parameter.topic}: {parameter.describe(value)}",
                )
                for parameter, value in values
            ]
        )
        blocks += [Heading(2, _TITLES[group]), Table(("parameter", "value", "meaning"), rows_of_group)]
    return blocks


def machine_op_page(device: Device, op: Op) -> Sequence[Block]:
    return (
        Heading(1, op.name),
        Items(
            (
                ("meaning", op.summary),
                *((("expression", _expression(op)),) if op in device.added else ()),
                *((("rounding", "after each operation"),) if op in device.added and rounds_often(op) else ()),
                ("syntax", f"`{_syntax(op)}`"),
                ("opcode", str(op.opcode)),
                ("pipe", device.pipe(op)),
                ("latency", f"{device.latency(op)} cycles"),
                ("interval", f"{device.interval(op)} cycles"),
                ("device", device.describe()),
            )
        ),
    )


def _expression(op: Op) -> str:
    return described(op) if is_opaque(op) else f"`{op.operation}`"


def _op_data(device: Device, op: Op) -> dict[str, object]:
    return {
        "name": op.name,
        "opcode": op.opcode,
        "syntax": _syntax(op),
        "pipe": device.pipe(op),
        "latency": device.latency(op),
        "interval": device.interval(op),
        "sources": op.sources,
        "destinations": op.dests,
        "meaning": op.summary,
        "expression": op.operation if op in device.added and not is_opaque(op) else None,
    }


def _data(device: Device) -> dict[str, object]:
    return {
        "device": device.name,
        "described": device.describe(),
        "lanes": LANES,
        "slots": device.cycles("slots"),
        "pipes": list(device.pipes),
        "instructions": [_op_data(device, op) for op in device.ops],
        "parameters": {parameter.key: value_text(device.setting(parameter.key)) for parameter in PARAMETERS},
    }
