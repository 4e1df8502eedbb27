"""Certainty of facts about hardware, in one word each, and tables of such facts written as text."""

from __future__ import annotations

MEASURED = "measured"  # a program on the hardware, or its design run in a simulator, has shown it
INFERRED = "inferred"  # it follows from other evidence
UNKNOWN = "unknown"  # an answer was chosen without evidence
CLASSES = (MEASURED, INFERRED, UNKNOWN)


def entries(text: str) -> list[tuple[str, list[str]]]:
    """The rows of a text: a head at the margin, and the lines after it, which are indented by four. What is indented by eight
    goes on with the line before; `#` begins a comment."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("        "):
            found[-1][1][-1] += line[7:]
        elif line.startswith("    "):
            found[-1][1].append(line[4:])
        elif line and line[0] != "#":
            found.append((line, []))
    return found
