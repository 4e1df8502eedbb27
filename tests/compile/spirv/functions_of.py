"""Functions of GLSL.std.450 as programs of one input, and runs of them in exact float24."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from compile.spirv.running import module
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.spirv.context import Context
from lanewise.compile.spirv.emit import Emitter
from lanewise.compile.spirv.finish import finished, frozen
from lanewise.compile.spirv.functions import FUNCTIONS, NAMES
from lanewise.compile.vector.code import Attribute, Input, Output, Program, Ref, Store, Variable
from lanewise.compile.vector.interpret import interpret
from lanewise.core.numbers.floats import float24_from_float, float_from_float24

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERS = {name: number for number, name in NAMES.items()}
WORDS = Words()


def program(name: str, operands: int = 1) -> Program:
    """A function of as many numbers, which are the components of the input."""
    emitter = Emitter()
    context = Context(module("functions"), emitter, cast("Any", None))  # of which nothing but its decorations is asked
    result = emitter.value()
    emitter.define(Attribute(result, 0), result)
    made = FUNCTIONS[NUMBERS[name]][1](context, cast("Any", None), [(Ref(result, lane),) for lane in range(operands)])
    emitter.variables.append(Variable("out", 1))
    emitter.put(Store(0, 1, emitter.refs(made)))
    body = (*frozen(emitter.prologue), *frozen(emitter.main))
    return finished(
        Program(
            name=name,
            inputs=(Input(name="x", register=0),),
            outputs=(Output(name="out", semantic="out", variable=0, mask=1),),
            uniforms=(),
            flags=(),
            counts=(),
            variables=(Variable("out", 1),),
            body=body,
        )
    )


def evaluate(made: Program, arguments: Sequence[float]) -> float:
    """What a program gives in float24, for numbers that float24 has."""
    row = [float24_from_float(number) for number in arguments]
    return float_from_float24(interpret(made, WORDS, [(row + [0] * 4)[:4]])["out"][0])


def cut(number: float) -> float:
    """A number in float24, toward zero."""
    return float_from_float24(WORDS.canonical(float24_from_float(number)))
