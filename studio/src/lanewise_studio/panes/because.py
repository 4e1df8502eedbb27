"""Why two profiles give different values: the open questions that, answered as the other profile does, change an output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise_studio.subject import PicaSubject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from lanewise_studio.evaluation import Evaluation

_MOST_VERTICES = 20_000  # that run once more for each question


def because(evaluation: Evaluation, other: Evaluation) -> list[dict[str, object]]:
    """A row for each question whose answer alone changes an output, with both answers and the evidence for that of the
    hardware; empty where the two are not one program on the same values."""
    from lanewise.pica200.isa.facts import RUN_CHOICES

    one, two = evaluation.subject, other.subject
    if not isinstance(one, PicaSubject) or not isinstance(two, PicaSubject) or evaluation.vertices > _MOST_VERTICES:
        return []
    if list(evaluation.loaded.words) != list(other.loaded.words) or one.profile == two.profile:
        return []
    usual = evaluation.result.outputs
    found: list[dict[str, object]] = []
    for key, fact in RUN_CHOICES.items():
        left, right = getattr(one.profile, key), getattr(two.profile, key)
        if left == right:
            continue
        evaluation.stop.check()
        changed = one.under(one.profile.replace(**{key: right}), *evaluation.taken).outputs
        if _differ(usual, changed):
            answers = fact.answers
            row = {"key": key, "topic": fact.topic, "left": answers[left], "right": answers[right]}
            found.append({**row, "known": fact.known, "best": answers[fact.default], "source": fact.source})
    return found


def _differ(one: Mapping[str, NDArray[Any]], two: Mapping[str, NDArray[Any]]) -> bool:
    return any(not np.array_equal(one[name], two[name], equal_nan=True) for name in one)


__all__ = ["because"]
