"""First bytes of containers, for recognisers that import nothing else."""

from __future__ import annotations

DXBC = b"DXBC"  # the container of Direct3D 10 and later
