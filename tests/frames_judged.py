"""Recorded frames of real programs, judged: `python -m frames_judged FOLDER [LIBRARY]`.

FOLDER has files of records (`.bin`) or CiTrace (`.ctf`). The vertex stage of every draw runs under the profile `azahar`; both
engines give the same bits, and no draw has an error or a warning. LIBRARY is a shared library with Azahar's interpreter behind
`double peer_run(Job *, int engine)`, whose `Job` is below: then its outputs are the same bits too. The exit code is 1 if
anything differs. How such files and libraries are made is not a part of this repository.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.arrays.words import Words
from lanewise.core.diagnostics import NOTE
from lanewise.pica200.api.drawn import drawn_file
from lanewise.pica200.api.frame_review import review
from lanewise.pica200.frame.citrace import read_citrace
from lanewise.pica200.frame.citrace import recognises as is_citrace
from lanewise.pica200.frame.draws import draws_of
from lanewise.pica200.frame.records import read_records
from lanewise.pica200.frame.vertices import inputs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.pica200.frame.draws import Draw

_POINTERS = ("code", "descriptors", "uniforms", "integers", "registers", "inputs", "outputs")
_NUMBERS = ("words", "descriptor_count", "entry", "attributes", "vertices")


class Job(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_void_p) for name in _POINTERS],
        *[(name, ctypes.c_int32) for name in _NUMBERS],
        ("booleans", ctypes.c_uint32),
        ("output_mask", ctypes.c_uint32),
        ("fresh", ctypes.c_int32),
        ("passes", ctypes.c_int32),
    ]


def floats(value: NDArray[Any] | Words, rows: int) -> NDArray[np.float32]:
    """Values as float32; float24 words exactly, with an exponent of 0 as Azahar reads it: only zero is small."""
    if not isinstance(value, Words):
        return np.broadcast_to(np.asarray(value, np.float32), (rows, 4))
    words = np.asarray(value.array, np.uint32)
    exponent = words >> 16 & 0x7F
    wide = words >> 23 << 31 | np.where(exponent == 0x7F, 255, exponent + 64) << 23 | (words & 0xFFFF) << 7
    bits = np.where(words & 0x7FFFFF, wide, words >> 23 << 31).astype(np.uint32)
    return np.broadcast_to(bits.view(np.float32), (rows, 4))


def interpreted(library: ctypes.CDLL, draw: Draw) -> NDArray[np.float32]:
    """(vertices, outputs, 4) of Azahar's interpreter for the different vertices of a draw."""
    file = drawn_file(draw, "draw")
    data = file.data
    assert data is not None
    rows = len(data.vertices)
    registers = np.array(inputs_of(draw.registers), np.uint8)
    inputs = np.zeros((rows, len(registers), 4), np.float32)
    for place, register in enumerate(registers.tolist()):
        if f"v{register}" in data.inputs:
            inputs[:, place] = floats(data.inputs[f"v{register}"], rows)
    uniforms = np.zeros((96, 4), np.float32)
    for number in range(96):
        if f"c{number}" in data.vertex_uniforms:
            uniforms[number] = floats(data.vertex_uniforms[f"c{number}"], 1)
    integers = np.array(draw.registers[0x2B1:0x2B5], "<u4").view(np.uint8)
    code, descriptors = np.zeros(4096, np.uint32), np.zeros(128, np.uint32)
    code[: len(draw.vertex.code)] = draw.vertex.code
    descriptors[: len(draw.vertex.descriptors)] = draw.vertex.descriptors
    mask = draw.registers[0x2BD] & 0xFFFF
    outputs = np.zeros((rows, mask.bit_count(), 4), np.float32)
    arrays = (code, descriptors, uniforms, integers, registers, inputs, outputs)
    entry = draw.registers[0x2BA] & 0xFFFF
    numbers = (len(code), len(descriptors), entry, len(registers), rows)
    job = Job(*[array.ctypes.data for array in arrays], *numbers, draw.registers[0x2B0] & 0xFFFF, mask, 1, 1)
    library.peer_run.restype = ctypes.c_double
    library.peer_run(ctypes.byref(job), 0)
    return outputs


def ran(draw: Draw, engine: str) -> NDArray[np.float32]:
    """The same of lanewise."""
    file = drawn_file(draw, "draw")
    data = file.data
    assert data is not None
    count = len(data.vertices)
    result = file.vertex.run(data.inputs, data.vertex_uniforms, count=count, profile="azahar", engine=engine, defaults=0)
    numbers = [number for number in range(16) if draw.registers[0x2BD] >> number & 1]
    return np.stack([np.asarray(result.outputs[f"o{number}"], np.float32) for number in numbers], 1)


def main(arguments: list[str]) -> int:
    paths = sorted([path for path in Path(arguments[0]).iterdir() if path.suffix in (".bin", ".ctf")])
    library = ctypes.CDLL(arguments[1]) if len(arguments) > 1 else None
    draws = vertices = wrong = 0
    for path in paths:
        data = path.read_bytes()
        recording = (read_citrace if is_citrace(data) else read_records)(data, path.name)
        frames = draws_of(recording, path.name)
        found = [*recording.findings, *frames.findings]
        for each in review(frames.draws, path.name):
            found += [finding for finding in each.findings if finding.severity != NOTE]
            ours = ran(each.draw, "llvm").view(np.uint32)
            same = [ran(each.draw, "reference")] if len(each.used) < 200 else []
            same += [] if library is None else [interpreted(library, each.draw)]
            differ = sum([int((ours != other.view(np.uint32)).sum()) for other in same])
            draws, vertices, wrong = draws + 1, vertices + each.asked, wrong + (differ > 0)
            if differ:
                print(f"{path.name}:{each.draw.number}: {differ} components differ")
        wrong += len(found)
        for finding in found:
            print(f"{path.name}: {finding.severity}[{finding.code}]: {finding.message}")
    judge = "both engines" if library is None else "both engines and Azahar's interpreter"
    print(f"{len(paths)} files, {draws} draws, {vertices} vertices on {judge}: {wrong} faults")
    return 1 if wrong or not draws else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
