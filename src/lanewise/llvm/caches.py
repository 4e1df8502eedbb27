"""The caches of this processor: from how much data on stores should bypass them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lanewise.core import files
from lanewise.llvm.target import host

# Where nothing is known: more than most caches hold.
_UNKNOWN = 32 << 20
# Processors whose L3 is slower than memory for stores that bypass it: a copying kernel of 4 MiB took 2.4 ns a vertex with
# ordinary stores and 1.7 with those, of 64 MiB 4.1 and 1.9, of 1 MiB, within L2, 0.8 and 1.6 (emeraldrapids, one of two virtual
# cores, 22 November 2026). They have the same caches. Zen 4 has 1.0 to 1.6 ns in L3 with ordinary stores; there they are better
# until the data exceeds L3.
_SLOW_L3 = frozenset(
    ("skylake-avx512", "cascadelake", "cooperlake", "icelake-server", "sapphirerapids", "emeraldrapids", "graniterapids")
)
_FOLDER = Path("/sys/devices/system/cpu/cpu0/cache")


@cache
def bypassed_from() -> int:
    """The bytes of a run from which its outputs bypass the caches."""
    sizes = levels(_FOLDER)
    wanted = 2 if host().cpu in _SLOW_L3 else 3
    return min(sizes.get(wanted, _UNKNOWN), _UNKNOWN)


def levels(folder: Path) -> dict[int, int]:
    """The bytes of each cache for data, by level, as Linux lists them; nothing elsewhere."""
    found: dict[int, int] = {}
    for place in folder.glob("index*"):
        try:
            level, kind, size = [files.read_text(place / name, "system").strip() for name in ("level", "type", "size")]
            if kind != "Instruction":
                found[int(level)] = int(size.rstrip("KM")) << (20 if size.endswith("M") else 10)
        except (OSError, ValueError):
            continue
    return found
