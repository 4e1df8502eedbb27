"""FILE.json [AVX2.json]: the tables of "Speed" in docs/engines.md, from `lanewise bench --format json` of two levels.

lanewise bench --format json > native.json
lanewise bench --format json --level avx2 > avx2.json
python bench/tables.py native.json avx2.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PROFILES = {"hardware": "toward zero", "rounding=nearest": "to nearest", "azahar": "float32"}


def tables(document: dict[str, Any], other: dict[str, Any] | None = None) -> str:
    """Markdown of three tables: times, floors, compiling."""
    cases = {(one["name"], one["profile"]): one for one in document["cases"]}
    there = {(one["name"], one["profile"]): one for one in other["cases"]} if other else {}
    names = list(dict.fromkeys(name for name, _ in cases))
    lines = [
        _row(
            "case",
            "instructions",
            *[f"{shown}, ns" for shown in PROFILES.values()],
            *[f"AVX2 x {shown}" for shown in PROFILES.values() if there],
            "exact x",
            "reference x",
        )
    ]
    lines.append(_rule(lines[0]))
    for name in names:
        mine = [cases[name, profile] for profile in PROFILES]
        ratios = [
            there[name, profile]["ns_per_vertex"] / cases[name, profile]["ns_per_vertex"] for profile in PROFILES if there
        ]
        lines.append(
            _row(
                name,
                f"{mine[0]['instructions']:.1f}",
                *[f"{one['ns_per_vertex']:.2f}" for one in mine],
                *[f"{ratio:.1f}" for ratio in ratios],
                f"{mine[0]['times_exact']:.1f}",
                f"{round(mine[0]['times_reference'], -3):,.0f}",
            )
        )
    found = _row("case", "", "ns", "floor", "x floor", "by", "width", "spills", "results", "moving")
    lines += ["", found, _rule(found)]
    for (name, profile), one in cases.items():
        lines.append(
            _row(
                name,
                PROFILES[profile],
                f"{one['ns_per_vertex']:.2f}",
                f"{one['floor_ns_per_vertex']:.2f}",
                f"{one['times_floor']:.2f}{' (reached)' if one['reached'] else ''}",
                one["floor_reason"],
                str(one["width"]),
                f"{one['bound']['spills'] if 'bound' in one else one['machine_code']['on_stack']:.0f}",
                f"{one['results_ns_per_vertex']:.2f}",
                f"{one['moving_ns_per_vertex']:.2f}",
            )
        )
    found = _row("case", *[f"{shown}: first, best, exact, ms" for shown in PROFILES.values()], "loading, ms")
    lines += ["", found, _rule(found)]
    for name in names:
        mine = [cases[name, profile] for profile in PROFILES]
        times = [f"{one['compile_ms']:.0f}, {one['best_compile_ms']:.0f}, {one['exact_compile_ms']:.0f}" for one in mine]
        lines.append(_row(name, *times, f"{mine[0]['reload_ms']:.2f}"))
    return "\n".join(lines)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(head: str) -> str:
    return "|" + "---|" * (head.count("|") - 1)


if __name__ == "__main__":
    print(tables(*[json.loads(Path(name).read_text()) for name in sys.argv[1:3]]))
