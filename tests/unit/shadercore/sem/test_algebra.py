"""One list of operations: the rows name them, engines have a method for each, and what is not in it is refused."""

from __future__ import annotations

import inspect

import pytest

from engines.shadercore_numpy import Arrays
from lanewise.shadercore.engine.llvm import ops as llvm
from lanewise.shadercore.isa.devices import DOCUMENT
from lanewise.shadercore.isa.table import BY_NAME, OPS
from lanewise.shadercore.sem.algebra import INSTRUCTIONS, MODIFIERS, OPERATIONS, Algebra, Implementation
from lanewise.shadercore.sem.numbers import WaveOps

# The methods of `Algebra` that are named like operations.
NAMED = sorted(name for name in vars(Algebra) if not name.startswith("_") and name != "apply")


class Texts(Algebra[str]):
    """Operations written down."""

    def apply(self, operation: str, *values: str, immediate: int | None = None) -> str:
        return " ".join([operation, *values, *([] if immediate is None else [str(immediate)])])


@pytest.mark.parametrize("engine", [WaveOps, llvm.VectorOps, Arrays])
def test_an_engine_has_a_method_for_each_operation(engine: type[Implementation[object]]):
    for name, operation in OPERATIONS.items():
        assert name in vars(engine), name
        assert len(inspect.signature(vars(engine)[name]).parameters) == 1 + operation.values + operation.immediate, name


def test_methods_apply_the_operation_of_their_name():
    assert set(NAMED) <= OPERATIONS.keys()
    for name in NAMED:
        values, immediate = ["a", "b"][: OPERATIONS[name].values], [8] if OPERATIONS[name].immediate else []
        assert getattr(Texts(), name)(*values, *immediate) == " ".join([name, *values, *map(str, immediate)])


def test_each_operation_is_a_modifier_or_an_instruction():
    assert len(INSTRUCTIONS) == sum(bool(op.operation) for op in OPS) == 28
    assert OPERATIONS.keys() == MODIFIERS.keys() | {operation for operation, _ in INSTRUCTIONS}
    for (operation, immediate), name in INSTRUCTIONS.items():
        assert OPERATIONS[operation] == (BY_NAME[name].sources, immediate is not None)


def test_what_an_engine_lacks_is_refused():
    class Few(Implementation[int]):
        def add(self, a: int, b: int) -> int:
            return a + b

    few = Few()
    assert few.apply("add", 1, 2) == few.add(1, 2) == 3
    for refused in (
        lambda: few.apply("mul", 1, 2),
        lambda: few.mul(1, 2),
        lambda: few.apply("apply"),
        lambda: few.apply("fma"),
    ):
        with pytest.raises(ValueError, match="Few does not implement the operation"):
            refused()
    with pytest.raises(ValueError, match="does not implement the operation 'constant'"):
        WaveOps(DOCUMENT).apply("constant", immediate=0)
