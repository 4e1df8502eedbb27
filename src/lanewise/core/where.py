"""Where lanewise is published: the one place that names it. Empty: nowhere yet, and what would link there does not."""

from __future__ import annotations

DOCUMENTATION = ""  # the address of the built documentation, with a slash at its end
REPOSITORY = ""  # the address of the repository


def page_of_finding(code: str) -> str:
    """The page of a finding, or nothing."""
    return f"{DOCUMENTATION}reference/findings/{code}.html" if DOCUMENTATION else ""


__all__ = ["DOCUMENTATION", "REPOSITORY", "page_of_finding"]
