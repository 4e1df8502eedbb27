"""Programs by hand, and those that the compiler makes of the same source, give what the source says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compile.hand_written import TASKS, compiled, with_preamble
from effort import EXHAUSTIVE, times
from installed import needs
from spirv.compiled import compare
from spirv.evaluator import Evaluator
from together import together

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compile.hand_written import Task
    from spirv.given import Array

COUNT = times(300, 10_000)


def _own(task: Task, names: Mapping[str, Array]) -> dict[str, Array]:
    """Values by the names in the module: members of a structure have its name in front."""
    return {f"{task.prefix}{name}": value for name, value in names.items()}


@needs("glslangValidator")
@together("task", TASKS if EXHAUSTIVE else [task for task in TASKS if task.name in ("textures", "fog", "mirror")])
def test_both_give_the_outputs_of_the_source(task: Task):
    inputs, uniforms = task.data(COUNT, 7)
    wanted = Evaluator(task.module()).run(_own(task, inputs), uniforms, COUNT)
    assert wanted.apart.mean() < 0.01

    made = compiled(task)
    found = made.run(inputs, task.in_source(uniforms), COUNT)
    result = compare(wanted, found, task.semantics)
    assert result.wrong == ()
    assert result.judged > 0.98

    words, own = len(task.by_hand().words), made.words
    if task.is_prepared:
        prepared = with_preamble(task)
        names = {uniform.name for uniform in prepared.vertex.uniforms}
        given = {name: value for name, value in uniforms.items() if name in names}
        outputs = prepared.vertex.run(inputs=inputs, uniforms=given, count=COUNT, engine="llvm", defaults=0).outputs
        result = compare(wanted, {name: np.asarray(value) for name, value in outputs.items()}, task.semantics)
        assert result.wrong == ()
        assert result.judged > 0.98
        own = len(prepared.words)
    assert own <= max(words + 1, 1.1 * words)
    settings = task.settings(uniforms)
    outputs = task.by_hand().run(inputs=inputs, uniforms=settings, count=COUNT, engine="llvm", defaults=0).outputs
    by_hand = compare(wanted, {name: np.asarray(value) for name, value in outputs.items()}, task.semantics)
    assert by_hand.wrong == ()
    assert by_hand.judged > 0.98
