"""Compiled ShaderCore programs on all processors: they call nothing from outside, and stay within their buffers; an Arm (by
qemu) gives the same bits."""

from __future__ import annotations

import os
import random
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from effort import times
from engines.arm import Machine
from engines.float32_sweep import recorded
from engines.kernels import Buffer, unknown
from engines.test_memory import run as run_python
from engines.wave_buffers import ArmKernels
from engines.wave_words import WORDS, apply, as_array, edges, kernel, module, random_patterns
from engines.waves import Case, case, differing
from lanewise.arrays.memory import address
from lanewise.llvm.target import aarch64, assembly, compile_object, host
from lanewise.shadercore.engine.llvm.wave_kernels import Kernels
from lanewise.shadercore.engine.llvm.waves import generate, plan_waves
from lanewise.shadercore.isa.codec import Dest, Inst, Source
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import END, LANES, OPS, C, R, V
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from lanewise.llvm.target import Target

# Every opcode, with constants, inputs, modifiers, saturation, and results of each wave for the next.
EVERYTHING = (
    *[
        Inst(
            op=op,
            dest=Dest(number % 3, number % 7, number % 4, number % 2),
            a=Source(V, number % 8, 1, number % 4),
            b=Source(C, number, 2),
        )
        for number, op in enumerate(OPS)
        if op != END
    ],
    *[
        Inst(op=op, dest=Dest(R, 1, number % 4), a=Source(R, 1, (number + 1) % 4), b=Source(R, 2, number % 4, 3))
        for number, op in enumerate(OPS)
    ],
)
HARD = [pattern for patterns in recorded().values() for pattern in patterns]
PROGRAMS = times(12, 60)
DEVICES = [DOCUMENT, RTL, RTL.set("add=nearest,mul=nearest")]


def code(target: Target, device: Device) -> tuple[str, str]:
    """IR and assembly of a kernel of everything."""
    plan = plan_waves(time_program(EVERYTHING, device), [(0, 1), (3, 1)], [("o", 0, 0), ("o", 2, 1), ("r", 1, 1)])
    text = generate(plan, target)
    return text, assembly(text, target)


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device.describe())
@pytest.mark.parametrize("level", ["native", "avx512", "avx2", "sse"])
def test_kernels_call_nothing(level: str, device: Device):
    try:
        target = host(level)
    except ValueError as error:
        pytest.skip(str(error))
    _, text = code(target, device)
    called = re.findall(r"^\s+(?:callq?|jmp)\s+\"?([A-Za-z_][\w.]*)\"?$|movabsq\s+\$([A-Za-z_][\w.]*)", text, re.MULTILINE)
    names = {near or far for near, far in called} - {"_GLOBAL_OFFSET_TABLE_"}
    assert {name for name in names if not name.startswith("word.")} <= {"kernel"}
    assert len(names) > 10


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device.describe())
def test_code_for_arm_has_nothing_of_x86(device: Device):
    ir, text = code(aarch64(), device)
    assert "x86" not in ir
    assert not re.search(r"x86|\b[xyz]mm\d", text)
    called = set(re.findall(r"^\s+bl\s+(\S+)", text, re.MULTILINE))
    assert {name for name in called if not name.startswith("word.")} == {"kernel"}
    assert len(re.findall(r"^\s+msr\s+FPCR", text, re.MULTILINE | re.IGNORECASE)) == 2


def test_random_programs_where_rounding_cannot_be_set():
    def make(found: Case) -> Kernels:
        kernels = Kernels(found.timing)
        kernels.target = unknown()
        return kernels

    for number in range(times(15, 30)):
        assert not differing(case(50, number), make, everything=True), f"case(50, {number})"


@pytest.mark.skipif(os.name == "nt", reason="guard pages are made with mprotect")
def test_kernels_stay_within_their_buffers():
    done = run_python("-m", "engines.wave_buffers", str(PROGRAMS))
    assert done.returncode == 0, f"{done.stdout[-200:]}\n{done.stderr[-3000:]}"
    assert int(done.stdout.splitlines()[-1].split()[0]) > PROGRAMS


@pytest.fixture(scope="module")
def arm(arm_machine: Machine) -> Machine:
    ArmKernels.machine = arm_machine
    return arm_machine


@pytest.mark.usefixtures("arm")
def test_random_programs_on_an_arm():
    for number in range(60):
        found = differing(case(40, number), lambda it: ArmKernels(it.timing), everything=number % 3 > 0)
        assert not found, f"case(40, {number}): {found[:3]}"


@pytest.mark.usefixtures("arm")
@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device.describe())
def test_words_on_an_arm(device: Device, arm: Machine):
    """Against the machine that this runs on, whose words are compared with the reference engine's (test_wave_words.py)."""
    rng = random.Random(8)
    values = [*edges(), *HARD, *random_patterns(rng, 1000)]
    a = as_array(values + values[: -len(values) % LANES])
    b = as_array(rng.sample(a.tolist(), len(a)))
    for name in WORDS:
        path = arm.load(
            compile_object(module(device, lambda m, x, y, name=name: apply(m, name, x, y), aarch64()), aarch64(), jit=False)
        )
        found = np.empty(len(a), np.uint32)
        words = np.array([len(a) // LANES, address(a), address(b), address(found)], np.int64)
        used = [Buffer(slot, int(words[slot]), a.nbytes, slot == 3) for slot in (1, 2, 3)]
        assert np.array_equal(arm.call(path, words, used), words)
        wrong = np.nonzero(found != kernel(device, name)(a, b))[0]
        assert not len(wrong), f"{name} of {a[wrong[0]]:08X}, {b[wrong[0]]:08X}: {found[wrong[0]]:08X}"
