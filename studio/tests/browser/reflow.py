"""What of a page cannot be reached in a narrow window: WCAG 2.2, 1.4.10 (reflow) and 2.5.8 (targets of 24 pixels)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Tables, source, graphs, listings: their meaning needs two directions, and they scroll by themselves.
_BOTH_DIRECTIONS = ".cm-scroller, .grid-scroll, .graph, .listing, .two, svg, pre, .film, table"
_SCRIPT = """both => {
    const faults = [];
    const named = e => e.getAttribute('aria-label') ?? e.dataset.tab ?? e.textContent.trim().slice(0, 30);
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) faults.push(`the page is ${wide} wide`);
    for (const e of document.querySelectorAll('button, select, input, summary, a[href], [tabindex="0"]')) {
        const seen = e.checkVisibility({ visibilityProperty: true }) && !e.classList.contains('hidden-input');
        if (!seen || e.closest(both)) continue;
        const name = `${e.tagName.toLowerCase()} ${named(e)}`;
        e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
        const r = e.getBoundingClientRect();
        if (r.width < 24 || r.height < 24) faults.push(`${name} is ${Math.round(r.width)}x${Math.round(r.height)}`);
        let left = 0, right = innerWidth;
        for (let up = e.parentElement; up !== null; up = up.parentElement) {
            if (getComputedStyle(up).overflowX === 'visible') continue;
            const b = up.getBoundingClientRect();
            left = Math.max(left, b.left); right = Math.min(right, b.right);
            if (up.scrollLeft !== 0) faults.push(`${name} needs ${up.className} to scroll sideways`);
            up.scrollLeft = 0;
        }
        if (r.left < left - 1 || r.right > right + 1) faults.push(`${name} ends at ${r.right} of ${right}`);
        if (r.bottom <= 0 || r.top >= innerHeight) faults.push(`${name} cannot be scrolled to`);
    }
    return faults;
}"""


def unreachable(page: Page) -> list[str]:
    """The controls that are too small, cut, or reached only by scrolling sideways."""
    return page.evaluate(_SCRIPT, _BOTH_DIRECTIONS)


__all__ = ["unreachable"]
