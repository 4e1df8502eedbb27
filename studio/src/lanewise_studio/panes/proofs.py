"""The panes that rest on proofs: the optimiser's steps, and the equality of two programs."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.comparison import DIFFERS, EQUAL
from lanewise.core.document import as_text
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.source import decode_text
from lanewise.debugger.listing import disassembly
from lanewise.packages import difference

from lanewise_studio.program import Program, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.service import Value
    from lanewise.debugger.listing import Listing

    from lanewise_studio.state import State
    from lanewise_studio.stop import Stop

_UNITS = ("words", "slots", "descriptors", "cycles")  # the sizes of the answers of optimisers, the first for one number


def opt(state: State, files: Mapping[str, bytes], stop: Stop) -> dict[str, object]:
    """The steps of the optimiser, and the smaller source."""
    program = Program(state, files)
    if program.package.optimise is None:
        return {"reason": f"{program.package.title} has no optimiser"}
    loaded = program.load("opt")
    edited = not program.match.compiled and len(program.sources) == 1
    values: dict[str, Value] = {"report": True, **({"source": True, "output": "-"} if edited else {})}
    try:
        answer = program.package.optimise(loaded, program.request("opt", values, progress=stop.progress("steps")))
    except (InputFailure, UsageError) as error:
        raise sentence(error, program.name) from None
    data = cast("Mapping[str, Any]", answer.data)
    done = cast("Sequence[Mapping[str, Any]]", data["steps"])
    source = decode_text(answer.files[0][1]) if edited and answer.files else None
    text: list[str] = loaded.text.split("\n")
    listed = disassembly(loaded, program.name) if program.match.container is not None else None
    sizes = [{"unit": unit, **data[unit]} for unit in _UNITS if unit in data]
    steps: list[dict[str, Any]] = [
        {
            "title": step["title"],
            "move": step["move"],
            "code": step["code"],
            "saved": len(step["removed"]),
            "savings": step.get("saved", {}),
            "text": step["reason"],
            "fix": step["fix"],
            "removed": step["removed"],
            "changed": step["changed"],
            "file": next((place["file"] for place in step["places"]), ""),
            "lines": (lines := _lines_of_step(step, listed)),
            "before": [text[line - 1].strip() for line in lines if line <= len(text)],
            "rests_on": step["rests_on"],
        }
        for step in done
    ]
    return {
        **sizes[0],
        "sizes": sizes,
        "rules": [*data.get("rules", ())],
        "proofs": data["proofs"],
        "steps": steps,
        "source": source,
        "changes": _changes(loaded.text, source),
        "file": program.name,
        "text": answer.text.strip(),
        "remarks": [*answer.remarks],
    }


def _changes(old: str, new: str | None) -> list[list[str]]:
    """The lines that differ: `-` and the old one, `+` and the new one; empty where there is no new source."""
    if new is None:
        return []
    rows = list(unified_diff(old.split("\n"), new.split("\n"), n=0, lineterm=""))[2:]  # without the two names
    return [[row[0], row[1:].strip()] for row in rows if not row.startswith("@@")]


def _lines_of_step(step: Mapping[str, Any], listed: Listing | None) -> list[int]:
    """The lines that a step of the optimiser is about; of a binary those of its disassembly."""
    if listed is None:
        return [int(place["line"]) for place in step["places"] if place.get("line")]
    words: set[int] = {*step["removed"], *step["changed"]}
    spans = [listed.places[address] for address in sorted(words)]
    return [span.line for span in spans if span is not None and span.line]


def diff(state: State, other: State, files: Mapping[str, bytes], stop: Stop) -> dict[str, object]:
    """Whether two programs are equal for all inputs: a proof, or values for which they differ."""
    programs = Program(state, files), Program(other, files)
    first, second = [each.request("diff", progress=stop.progress("proofs")) for each in programs]
    try:
        found = difference((programs[0].load("diff"), programs[1].load("diff")), (first, second))
    except (InputFailure, UsageError) as error:
        raise sentence(error, programs[0].name) from None
    kind = {EQUAL: "equal", DIFFERS: "different"}.get(found.verdict, "unknown")
    text = as_text(found.page()).strip()
    return {"kind": kind, "text": text, **({"counterexample": text} if found.example is not None else {}), **found.to_json()}


__all__ = ["diff", "opt"]
