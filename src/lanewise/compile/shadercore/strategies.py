"""How a Direct3D 9 shader becomes a program: with all optimisations, or as a baseline."""

from __future__ import annotations

OPTIMISED, TABLE, PUBLIC = "optimised", "table", "public"
STRATEGIES = (OPTIMISED, TABLE, PUBLIC)
