"""How far a whole nrm is from the true value: the routine's error, and those of the products and sums around it."""

from __future__ import annotations

import numpy as np
import pytest

from engines.shadercore_numpy import Arrays
from lanewise.compile.routines import Routines
from lanewise.shadercore.isa.devices import DEVICES, Device
from lanewise.tools.direct3d9_table import BOUNDS, NORMAL_BOUND

COUNT = 1 << 16
LIMITS = {"document": 2.0**-22, "rtl": 2.0**-21}


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_a_normalised_vector(device: Device):
    """On rtl the dot product and the last MUL lose up to 2^-21.7 by themselves, whatever the root: 2^-22 cannot be had there."""
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
