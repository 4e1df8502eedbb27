"""Answers in another format of numbers than was asked: words with more bits than a number of the suite has."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.core.vectors.model import Job, Outcome, Vectors


class Wide(Record):
    """The finding about an answer: its message and the fix."""

    message: str
    fix: str


def wide_word(vectors: Vectors, variant: str, bits: int, job: Job, outcome: Outcome) -> Wide | None:
    """The finding about an answer to a job whose outputs are not words of so many bits; None for others."""
    found = next((word for lanes in outcome.outputs.values() for lane in lanes for word in lane if word >> bits), None)
    if found is None:
        return None
    other = next((name for name in vectors.presets if _has_other_numbers(vectors, variant, name, job)), "")
    fix = f"answer in words of {bits} bits"
    if other:
        fix += f"; a unit whose answers are float32 is asked with `--profile {other}`"
    return Wide(f"{found:#x} is not a word of {bits} bits, which numbers of {variant} have", fix)


def _has_other_numbers(vectors: Vectors, variant: str, preset: str, job: Job) -> bool:
    try:
        return vectors.translate(job, variant, preset) is not job
    except ValueError:
        return True
