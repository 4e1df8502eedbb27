"""Fixtures of the tests of command lines."""

from __future__ import annotations

from command_lines import told

__all__ = ["told"]
