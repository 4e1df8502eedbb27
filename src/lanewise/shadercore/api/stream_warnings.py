"""Warnings about the memory of streams that is something else than little-endian float32, and of arrays that are a part of
another, cut within a wave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

from lanewise.arrays.lists import ndarray
from lanewise.arrays.value_warnings import warning
from lanewise.arrays.words import bytes_of
from lanewise.core.diagnostics import INPUT, WARNING, About, Diagnostic
from lanewise.core.source import Span
from lanewise.shadercore.api.stream_layouts import DWORD, KINDS
from lanewise.shadercore.isa.table import COMPONENTS, LANES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.shadercore.api.streams import Stream
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program

_FEW = 4  # DWORDs that say nothing
_TINY, _HUGE = 1e-4, 1e6  # what coordinates usually are between
_MOST = 0.75
_NONE = frozenset[tuple[int, int]]()
_MOST_INPUTS = 256
_parts: dict[tuple[str, str], tuple[ref[Any], frozenset[tuple[int, int]]]] = {}  # of the array that an input was last
_W = 3
_TEXT = bytes(range(32, 127)) + b"\t\r\n"


def not_float32(data: object, values: NDArray[np.uint32]) -> tuple[str, str]:
    """(what the values of a stream probably are, the fix); empty where they may be float32."""
    import numpy as np

    patterns = values[values != 0]
    if len(patterns) < _FEW:
        return "", ""
    head = bytes_of(data)[:4096]
    if len(head.translate(None, _TEXT)) * 50 <= len(head):
        return "text", "write the numbers as binary: `numpy.loadtxt(FILE, numpy.float32).tofile(NEW)`"
    words = np.frombuffer(head[: len(head) // 8 * 8], "<u4")
    low, high = words[0::2], words[1::2]
    upper = np.abs(high[high != 0].view(np.float32))  # a double from 1e-4 to 1e6 has an upper half from 0.5 to 10
    halves = bool((low == 0).mean() > _MOST and (high != 0).mean() > _MOST)
    if len(upper) >= _FEW and halves and bool(((upper > 0.5) & (upper < 10)).all()):
        return "doubles", "convert them: `numpy.fromfile(FILE, '<f8').astype('<f4').tofile(NEW)`"
    unlikely = not _likely(np.ascontiguousarray(patterns).view(np.float32))
    if unlikely and _likely(np.ascontiguousarray(patterns.byteswap()).view(np.float32)):
        return "big-endian", "exchange their bytes: `numpy.fromfile(FILE, '>f4').astype('<f4').tofile(NEW)`"
    return "", ""


def narrower(streams: Mapping[int, Stream], read: Collection[tuple[int, int]]) -> dict[tuple[int, int], Diagnostic]:
    """B201, by register and component: of a type without a component that is read, and the vertices have a number there that
    no stream takes."""
    import numpy as np

    found: dict[tuple[int, int], Diagnostic] = {}
    for register, stream in streams.items():
        kind, stride = KINDS[stream.kind], stream.stride or 0
        wanted = max((n + 1 for number, n in read if number == register and n < _W), default=0)
        begin, end = stream.offset + kind.dwords, stream.offset + wanted
        others = [each for each in streams.values() if each is not stream]
        taken = any(each.offset < end and begin < each.offset + KINDS[each.kind].dwords for each in others)
        if kind.color or not begin < end <= stride or taken:
            continue
        data = bytes_of(stream.data)
        words = np.frombuffer(data[: len(data) // DWORD * DWORD], "<u4")[stream.base + begin :: stride]
        if len(words) > 1 and bool((words != words[0]).any()) and _likely(words.view(np.float32)):
            letter = COMPONENTS[kind.dwords]
            message = (
                f"{stream.input} is {stream.kind}, and the program reads v{register}.{letter}: DWORD {begin} of each vertex "
                "has a number that no stream takes"
            )
            shown = f"{stream.input}=float{wanted}"
            fix = f"write --stream {shown}:{stream.name}:{stream.offset}:{stride}" if stream.name else f"kind='float{wanted}'"
            warned = Diagnostic(code="B201", severity=WARNING, message=message, span=Span(file=stream.name), fix=fix)
            found |= {(register, n): warned for n in range(kind.dwords, wanted)}
    return found


def _likely(values: NDArray[np.floating]) -> bool:
    """Whether nearly all numbers are of a usual size."""
    import numpy as np

    with np.errstate(invalid="ignore", over="ignore"):
        size = np.abs(values.astype(np.float64))
        usual = (size >= _TINY) & (size <= _HUGE)
    return bool(usual.mean() > _MOST)


def cut_waves(inputs: Mapping[str, Any], program: Program, device: Device, name: str) -> list[Diagnostic]:
    """B048: rows of a larger array from within a wave, where a lane of rcp takes a term from others.

    A part of an array of which no other part has been run, such as that behind a head, is one of its own.
    """
    if device.value("rcp") != "table" or device.value("rcp_sigma") != "stale":
        return []
    for key, value in inputs.items():
        if type(value) is not ndarray or value.ndim != 2:
            continue
        whole = value.base if type(value.base) is ndarray and value.base.ndim == 2 else value
        if whole.strides != value.strides or not whole.strides[0]:
            continue
        first = (value.ctypes.data - whole.ctypes.data) // whole.strides[0]
        before, parts = _parts.get((name, key), (None, _NONE))
        parts = parts if before is not None and before() is whole else _NONE
        parts = parts if len(parts) > 1 else parts | {(first, len(value))}
        if len(_parts) >= _MOST_INPUTS:
            _parts.clear()
        _parts[name, key] = ref(whole), parts
        if len(parts) > 1 and first % LANES and any(inst.op.operation == "rcp" for inst in program.insts):
            message = (
                f"input '{key}' is rows {first} to {first + len(value) - 1} of an array, not one of its waves of {LANES}, "
                "and a lane of rcp takes a term from a later quad of its wave (rcp_sigma)"
            )
            fix = f"cut at multiples of {LANES} rows, `values[n:n + 160]`, or give device='{device.name},rcp_sigma=fixed'"
            return [warning("B048", message, fix, name, About(INPUT, key))]
    return []


__all__ = ["cut_waves", "narrower", "not_float32"]
