"""Certainty of facts about hardware, in one word each."""

from __future__ import annotations

MEASURED = "measured"  # a program on the hardware, or its design run in a simulator, has shown it
INFERRED = "inferred"  # it follows from other evidence
UNKNOWN = "unknown"  # an answer was chosen without evidence
CLASSES = (MEASURED, INFERRED, UNKNOWN)
