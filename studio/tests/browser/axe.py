"""What axe-core finds on a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_AXE = Path(__file__).resolve().parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"


def serious_faults(page: Page, place: str) -> list[str]:
    """Serious and critical faults of what a page shows now, three of each kind; `place` is named in front."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate("axe.run().then(result => result.violations)")
    return [
        f"{place}: {fault['id']} {fault['help']}: {node['target']} {node['failureSummary']}"
        for fault in found
        if fault["impact"] in {"serious", "critical"}
        for node in fault["nodes"][:3]
    ]
