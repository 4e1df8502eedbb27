"""Runs of few vertices by several threads: otherwise only runs that take long wake any."""

from __future__ import annotations

from lanewise.pica200.engine.llvm import running


class _Long(dict[int, float]):
    """Paces by which each vector takes long."""

    def get(self, key: int, default: object = None) -> float:  # type: ignore[override]
        return 1e-3

    def __setitem__(self, key: int, value: float) -> None:
        pass


# Of `running`: every run seems to take long, and is cut into small pieces.
EAGER = {"_WORTH": 1e-6, "_SHORTEST": 4e-3, "_ALONE": 0, "_PACES": _Long()}


def always() -> None:
    """Take as many threads as are asked for from now on, in this process."""
    for name, value in EAGER.items():
        setattr(running, name, value)
