"""The same seed gives the same bytes on every machine: digests that one has recorded.

They change with the cases. `python -m unit.core.vectors.test_digests` in the folder `tests` prints those of today.
"""

from __future__ import annotations

import pytest

from effort import EXHAUSTIVE
from lanewise.core.vectors.flat import read_header, suite_bytes
from lanewise.core.vectors.model import QUICK
from lanewise.packages import package_of

DIGESTS = {
    ("pica200", "state"): "3de1e10e3c6d794f58b7065e563f50f3562b130efe68345b52b8cf04e0ca8828",
    ("pica200", QUICK): "63b0cb8f0978cdab9c00c1baf899eab1f4c4a764390371581dfd6c9c7050d90e",
    ("shadercore", "registers"): "0230d7b3f66a2016f29ccc0c6499dd456f2d7b7b4d6c1f9ee53268937448ef4a",
    ("shadercore", QUICK): "776443ad26d3920673cd196b5f28370483f9be5108909195752c6acfa62cce8a",
    ("direct3d9", QUICK): "c4f804a4d5e5aa8d68aa74acfc662a6100b0a28f099c2730321b178e63858cee",
}


def digest(isa: str, suite: str) -> str:
    vectors = package_of(isa).vectors
    assert vectors is not None
    data = suite_bytes(vectors().make([suite], 1, vectors().presets[0], None))
    if suite == QUICK:
        assert len(data) <= 2_000_000
    return read_header(data)[0].digest


@pytest.mark.parametrize(("isa", "suite"), [key for key in DIGESTS if EXHAUSTIVE or key[1] != QUICK])
def test_the_bytes_are_the_same_on_every_machine(isa: str, suite: str):
    """Small suites; in an exhaustive run those of quick. One of Direct3D 9 is in its own tests."""
    assert digest(isa, suite) == DIGESTS[isa, suite]


if __name__ == "__main__":
    for isa, suite in DIGESTS:
        print(f'    ("{isa}", "{suite}"): "{digest(isa, suite)}",')
