"""The number rule of the PICA200 for vector programs."""

from __future__ import annotations

from lanewise.pica200.sem.vector_numbers import Words

__all__ = ["Words"]
