"""How far a whole nrm is from the true value: the routine's error, and those of the products and sums around it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from compile.devices import random_device
from compile.direct3d9_programs import EDGES, compiled, flow_of, shader_of
from effort import times
from engines.shadercore_numpy import Arrays
from lanewise.compile.shadercore.comparing import compare
from lanewise.direct3d9.engine.data import Data
from lanewise.direct3d9.isa import table as isa
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, Device
from lanewise.shadercore.sem.routines import Routines
from lanewise.tools.direct3d9_table import BOUNDS, NORMAL_BOUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

COUNT = 1 << 16
LIMITS = {"document": 2.0**-22, "rtl": 2.0**-21}


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_a_normalised_vector(device: Device):
    """On rtl the dot product and the last MUL lose up to 2^-21.7 by themselves, whatever the root: 2^-22 cannot be had
    there."""
    words = Arrays(device)
    routines = Routines(words, device, lambda bits: np.full(COUNT, bits, np.uint32))
    rng = np.random.default_rng(3)
    worst = 0.0
    for spread in (0.0, 3.0):
        vector = (rng.uniform(1, 2, (3, COUNT)) * np.exp2(rng.uniform(-spread, spread, (3, COUNT)))).astype(np.float32)
        x, y, z = (component.view(np.uint32).copy() for component in vector)
        squared = words.add(words.add(words.mul(x, x), words.mul(y, y)), words.mul(z, z))
        scale = routines.rsq_of_square(squared)
        true = vector.astype(np.float64) / np.sqrt((vector.astype(np.float64) ** 2).sum(0))
        for component, exact in zip((x, y, z), true, strict=True):
            found = words.mul(component, scale).view(np.float32).astype(np.float64)
            worst = max(worst, float(np.max(np.abs(found / exact - 1))))
    assert worst <= LIMITS[device.name]
    assert worst > LIMITS[device.name] / 2, "the bound that the page states could be smaller"


def test_the_page_states_the_bound():
    assert BOUNDS["nrm"] == NORMAL_BOUND == "2^-21"


NORMALISED = "vs_2_0\ndcl_position v0\nnrm r0, v0\nmov oPos, r0\n"


def vectors() -> NDArray[np.uint32]:
    """Every triple of edges, NaN and infinities among them, lengths that are subnormal, zero and infinite, with every w."""
    tiny = [0x1F800000, 0x1A000000, 0x9F7FFFFF, 0x1F3504F3]  # squares about 2^-126, 2^-148
    values = [*EDGES, *tiny, 0x7F000000]
    rng = random.Random(2)
    rows = [[rng.choice(values) for _ in range(4)] for _ in range(times(300, 20_000))]
    rows += [[value if n == place else 0 for n in range(4)] for value in values for place in range(4)]
    return np.array(rows, np.uint32)


@pytest.mark.parametrize("seed", range(times(6, 200)))
def test_a_normalised_vector_has_the_bits_of_its_definition(seed: int):
    """FLT_MAX for length 0, a NaN for a NaN: on every device that has an exact RSQ, however else it is changed."""
    rng = random.Random(seed)
    device = DOCUMENT if not seed else random_device(rng)
    device = device.replace({"rsq": "exact", "rsq_gate": "fixed"})
    source = shader_of(NORMALISED)
    flow = flow_of(source)
    one = compiled(NORMALISED, device)
    rows = vectors()
    data = Data(lanes=len(rows), inputs={(isa.INPUT, 0): rows}, constants={}, integers={}, booleans={}, bumps={}, samplers={})
    assert compare(one, flow, data) == []


def test_a_normalised_vector_takes_thirteen_slots_where_min_and_rsq_are_exact():
    """Five for the square of the length, five for the factor, three products; the end besides."""
    body = NORMALISED.replace("nrm r0,", "mov r0, v0\nnrm r0.xyz,")
    assert compiled(body, DOCUMENT).slots == 13 + 1 + 1  # w is moved
    choice = DOCUMENT.replace({"compare": "raw"})
    assert compiled(body, choice).slots > 20, "patterns do not tell a NaN from a number"
