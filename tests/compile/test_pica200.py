"""The back end for the PICA200: what it makes computes what the interpreter of vector programs does, bit for bit, and fits the
hardware."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

import lanewise as lw
from compile import vector_shaders as shaders
from compile.vector_builder import Builder, Value
from compile.vector_random import Random, words
from effort import times
from lanewise.compile.pica200.backend import Result, compile_vector
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.shadercore.vector import compile_vector as compile_for_shadercore
from lanewise.compile.vector import code as v
from lanewise.compile.vector.interpret import interpret
from lanewise.compile.vector.passes import simplified
from lanewise.compile.vector.walk import statements
from lanewise.pica200.api.file import ShaderFile, read_file
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import write_shbin
from lanewise.shadercore.isa.devices import RTL

NUMBERS = Words()
LANES = 8


def compiled(program: v.Program) -> tuple[Result, ShaderFile]:
    result = compile_vector(program)
    assert result.program is not None, result.diagnostics
    data = write_shbin(build(result.program, result.encoded.words, result.encoded.descriptors))
    return result, read_file(data, "compiled.shbin")


def compare(program: v.Program, seed: int, engine: str = "reference", settings: int = 2) -> None:
    """Run a program on random data, and compare every wired component with the interpreter."""
    result, file = compiled(program)
    (shader,) = file.programs
    r = random.Random(seed)
    for _ in range(settings):
        inputs = [words(r, LANES) for _ in program.inputs]
        rows = [words(r, uniform.rows) for uniform in program.uniforms]
        flags = [r.random() < 0.5 for _ in program.flags]
        counts = [r.choice((0, 1, 2, 5)) for _ in program.counts]
        values: dict[str, object] = {
            u.name: lw.Words(np.array(given, dtype=np.uint32)) for u, given in zip(program.uniforms, rows, strict=True)
        }
        values |= {flag.name: on for flag, on in zip(program.flags, flags, strict=True)}
        for counted in result.counts:
            count = counts[[each.name for each in program.counts].index(counted.name)]
            values[f"i{counted.register}"] = max(count - 1, 0), counted.start, counted.step
            values[f"b{counted.guard}"] = count > 0
        given = {i.name: lw.Words(np.array(each, dtype=np.uint32)) for i, each in zip(program.inputs, inputs, strict=True)}
        found = shader.run(given, values, count=LANES, engine=engine, defaults=0, budget=100_000)  # type: ignore[arg-type]
        for lane in range(LANES):
            wanted = interpret(
                program,
                NUMBERS,
                [[NUMBERS.canonical(word) for word in each[lane]] for each in inputs],
                [[[NUMBERS.canonical(word) for word in row] for row in each] for each in rows],
                flags,
                counts,
            )
            for output in program.outputs:
                lanes = [n for n in range(4) if output.mask >> n & 1]
                assert [int(word) for word in found.bits[output.semantic][lane]] == [wanted[output.name][n] for n in lanes], (
                    output.name,
                    lane,
                    file.text,
                )


@pytest.mark.parametrize("make", [*shaders.BY_HAND, shaders.skin], ids=lambda make: make.__name__)
def test_shaders_compute_what_the_interpreter_does(make: Callable[[], v.Program]):
    program = make()
    if program.name != "skin":  # the joints must be in the palette
        compare(program, 1)
    assert compiled(program)[1].check() == ()


def test_no_shader_takes_more_words_than_by_hand():
    assert {make.__name__: len(compiled(make())[0].encoded.words) for make in shaders.BY_HAND} == {
        "triangle": 6,
        "sprite": 12,
        "cube": 31,
        "lenny": 26,
        "normal_mapping": 60,
    }


@pytest.mark.parametrize("seed", range(times(16, 4000)))
def test_random_programs_compute_what_the_interpreter_does(seed: int):
    compare(Random(seed).program(), seed)


@pytest.mark.parametrize("seed", range(4))
def test_random_programs_on_the_compiled_engine(seed: int):
    compare(Random(1000 + seed).program(), seed, "llvm", 1)


@pytest.mark.parametrize("seed", range(times(16, 2000)))
def test_random_programs_are_clean(seed: int):
    program = Random(seed).program()
    codes = {finding.code for finding in compiled(program)[1].check()}
    assert codes <= {"V097", "V098"}  # uniforms that the program does not read; conditions in arms of the same condition


def test_an_output_is_written_once_on_each_path():
    """What is computed before a conditional is not written to the output that an arm of it writes."""
    b = Builder()
    b.flags.append(v.Flag("on"))
    number = b.new()
    b.add(v.Truth(number, 0))
    colour = b.input("colour")
    out = b.output("position", colour * 2.0)
    with b.block(lambda body: v.If(v.Ref(number), body)):
        b.store(out, colour.wzyx * 3.0)
    compare(b.program(), 1)
    assert [finding.code for finding in compiled(b.program())[1].check()] == []


def many(count: int) -> v.Program:
    """A sum of products of so many vectors, all of which are needed to the end."""
    b = Builder("many")
    first = b.input("a")
    found = [first]
    for n in range(count):
        found.append(found[-1] * first + float(n))
    total = found[0]
    for each in reversed(found):
        total = total * each.yzwx
    b.output("position", total)
    return b.program()


def test_too_many_temporaries_are_refused_with_a_count():
    compare(many(14), 1)
    result = compile_vector(many(30))
    assert result.program is None
    assert [finding.code for finding in result.diagnostics] == ["L101"]
    assert "16 temporaries" in result.diagnostics[0].message


def refused(b: Builder) -> list[str]:
    result = compile_vector(b.program())
    assert result.program is None
    return [finding.code for finding in result.diagnostics]


def test_what_does_not_fit_is_refused():
    b = Builder()
    b.output("position", sum((b.input(f"in{n}") for n in range(17)), start=b.value(0.0, 4)))
    assert refused(b) == ["L103"]
    b = Builder()
    b.output("position", b.row(b.uniform("palette", 97)))
    assert refused(b) == ["L104"]
    b = Builder()
    b.output("position", b.row(b.uniform("palette", 96), 5) * 3.0)
    assert refused(b) == ["L104"]
    b = Builder()
    b.flags += [v.Flag(f"b{n}") for n in range(16)]
    b.output("position", 1.0)
    assert refused(b) == ["L105"]
    b = Builder()
    b.output("position", 1.0)
    b.output("fog", 1.0)
    assert refused(b) == ["L106"]
    b = Builder()
    b.output("position", b.row(b.uniform("here", 2)))
    b.uniforms += [
        v.Uniform(name="there", rows=1, columns=4, register=3),
        v.Uniform(name="also", rows=2, columns=4, register=2),
    ]
    assert refused(b) == ["L104"]


def test_uniforms_without_room_are_one_finding_with_the_largest():
    b = Builder()
    rows = [b.row(b.uniform(name, size)) for name, size in (("world", 4), ("bones", 288), ("light", 1), ("view", 4))]
    b.output("position", sum(rows, start=b.value(0.0, 4)))
    (finding,) = compile_vector(b.program()).diagnostics
    assert finding.message == "the uniforms do not fit: 297 registers are needed, of which 'bones' is 288; c0 to c95 are there"
    assert finding.fix == "make 'bones' smaller, or use fewer uniforms"
    (finding,) = compile_for_shadercore(b.program(), RTL).diagnostics
    assert finding.message.startswith("the uniforms of the shader take 297 registers, of which 'bones' is 288, but")


def test_a_uniform_of_any_size_is_refused_before_its_registers_are_listed():
    """No machine has the memory for so many."""
    for register in (-1, 5):
        b = Builder()
        b.output("position", b.row(b.uniform("palette", 1)))
        b.uniforms[0] = b.uniforms[0]._replace(rows=1 << 45, register=register)
        assert refused(b) == ["L104"]
        [finding] = compile_for_shadercore(b.program(), RTL).diagnostics
        assert finding.message.startswith("the uniforms of the shader take 35184372088832 registers")


def test_too_many_words_are_refused_at_the_line():
    b = Builder()
    value = b.input("a")
    for n in range(600):
        value = value * value.yzwx if n % 2 else value + value.wxyz
    b.output("position", value)
    assert refused(b) == ["L102"]


def test_uniforms_whose_names_start_with_an_underscore_keep_them():
    """The language keeps such names to itself."""
    b = Builder()
    b.flags.append(v.Flag("_on"))
    b.output("position", b.row(b.uniform("_scale")) + b.row(b.uniform("__other")))
    _, file = compiled(b.program())
    assert {u.name: u.register for u in file.programs[0].uniforms} == {"_scale": "c0", "__other": "c1", "_on": "b0"}
    assert '.symbol "_scale"' in file.text


def test_inputs_and_uniforms_keep_the_registers_that_are_asked_for():
    b = Builder()
    b.inputs += [v.Input(name="a"), v.Input(name="b", register=0)]
    b.uniforms += [
        v.Uniform(name="low", rows=2),
        v.Uniform(name="high", rows=1, columns=4, register=90),
        v.Uniform(name="at0", rows=1, columns=4, register=0),
    ]
    numbers = [b.new() for _ in range(4)]
    b.add(v.Attribute(numbers[0], 0))
    b.add(v.Attribute(numbers[1], 1))
    b.add(v.Row(result=numbers[2], uniform=0, row=1))
    b.add(v.Row(result=numbers[3], uniform=1, row=0))
    refs = [tuple(v.Ref(number, lane) for lane in range(4)) for number in numbers]
    b.output("position")
    b.output("color")
    b.add(v.Operate(90, v.ADD, (refs[0], refs[2])))
    b.add(v.Operate(91, v.ADD, (refs[1], refs[3])))
    b.add(v.Store(0, 15, tuple(v.Ref(90, lane) for lane in range(4))))
    b.add(v.Store(1, 15, tuple(v.Ref(91, lane) for lane in range(4))))
    _, file = compiled(b.program())
    shader = file.programs[0]
    assert {i.name: i.register for i in shader.inputs} == {"a": "v1", "b": "v0"}
    assert {u.name: u.register for u in shader.uniforms} == {"low": "c1", "high": "c90", "at0": "c0"}


def test_a_jump_before_an_empty_arm_keeps_its_condition():
    """A loop at the end of an arm, and nothing in the other: the condition of its jump is not that of the arms."""
    b = Builder()
    b.flags.append(v.Flag("on"))
    number, turn, x = b.new(), b.variable(1), b.variable()
    b.add(v.Truth(number, 0))
    b.store(x, b.input("a"))
    with b.block(lambda body: v.If(v.Ref(number), body)):
        b.store(turn, 0.0)
        with b.loop(1):
            b.store(turn, b.load(turn) + 1.0)
            with b.when(b.load(turn) >= 3.0):
                b.leave(1)
            b.store(x, b.load(x) * 2.0)
    with b.otherwise():
        b.op(v.RCP, b.load(x).x)
    b.output("position", b.load(x))
    compare(b.program(), 1)


def operations(program: v.Program) -> list[str]:
    found, _ = compiled(program)
    assert found.program is not None
    return [operation.op.name for operation in found.program.operations]


def test_both_index_registers_are_set_at_once():
    assert operations(shaders.skin()).count("mova") == 1


def test_outputs_in_arms_that_jumps_leave_are_written_once_for_check_too():
    """`check` does not know that the boolean of jumps is true: it follows them both ways."""
    b = Builder()
    a = b.input("a")
    out = b.output("position")
    with b.scope(1):
        with b.when(a.x > 0.0):
            with b.when(a.y > 0.0):
                b.store(out, a)
                b.leave(1)
            b.store(out, a * 2.0)
            b.leave(1)
        with b.scope(2):
            with b.when(a.z > 0.0):
                with b.when(a.w > 0.0):
                    b.leave(2)
                b.store(out, a * 3.0)
            b.store(out, a * 4.0)
            b.leave(1)
        b.store(out, a * 5.0)
    compare(b.program(), 1, settings=4)
    assert compiled(b.program())[1].check() == ()


def looping(scale: int, shift: int, turns: int | v.CountOf, *, read: bool = False, start: int = 0) -> v.Program:
    """A sum over rows of an array, with the counter scaled and shifted."""
    b = Builder("looping")
    b.counts.append(v.Count("count", -1, 6))
    total, rows = b.variable(), b.uniform("rows", 24)
    b.store(total, b.input("a"))
    counter, loop = b.loop_over(b.label(), turns, start)
    with loop:
        b.store(total, b.load(total) + b.row(rows, 3, counter * float(scale) + float(shift)))
        if read:
            b.store(total, b.load(total) * counter)
    b.output("position", b.load(total))
    return b.program()


@pytest.mark.parametrize("turns", [5, v.CountOf(0)])
@pytest.mark.parametrize(("scale", "shift"), [(1, 0), (3, 2), (2, -3)])
@pytest.mark.parametrize("read", [False, True])
def test_rows_at_a_scaled_counter_need_no_address_register(scale: int, shift: int, turns: int | v.CountOf, read: bool):
    program = looping(scale, shift, turns, read=read)
    compare(program, 1, settings=4)
    found = operations(program)
    assert "mova" not in found
    assert found.count("for") == 1
    assert ("mul" in found) == read


def test_rows_in_a_loop_at_offsets_from_its_counter_and_from_others():
    b = Builder()
    a, rows, total = b.input("a"), b.uniform("rows", 12), b.variable()
    other = b.op(v.TRUNC, b.op(v.MIN, b.op(v.MAX, a.x, 0.0), 3.0))
    b.store(total, a)
    counter, loop = b.loop_over(b.label(), 4)
    with loop:
        b.store(total, b.load(total) + b.row(rows, 0, other * 2.0 + 1.0))
        b.store(total, b.load(total) * b.row(rows, 1, b.op(v.ADD, b.value(2.0), counter * 2.0)))
    b.output("position", b.load(total))
    compare(b.program(), 1, settings=4)
    assert {"for", "mova"} <= {*operations(b.program())}


def test_counters_that_the_index_register_cannot_hold_are_numbers():
    assert "mova" in operations(looping(-1, 10, 5))
    assert "mova" in operations(looping(1, -20, 3, start=17))  # below c0
    compare(looping(-1, 10, 5), 1)
    compare(looping(1, -20, 3, start=17), 1)


@pytest.mark.parametrize(("row", "low"), [(0, 0.0), (20, -20.0), (212, -212.0), (-150, 150.0)])
@pytest.mark.parametrize("fractions", [False, True])
def test_rows_outside_of_a_uniform_are_reached_by_their_offsets(row: int, low: float, fractions: bool):
    """An index register adds a byte with a sign to a register that exists: what is more is added before."""
    b = Builder()
    a, rows = b.input("a"), b.uniform("rows", 24)
    offset = b.op(v.MAX, b.op(v.MIN, a.x, b.value(low + 23)), b.value(low))
    b.output("position", b.row(rows, row, b.op(v.TRUNC if fractions else v.FLOOR, offset)))
    compare(b.program(), 1)


@pytest.mark.parametrize("offset", [-7.0, 500.0, 1e9, math.inf, math.nan])
def test_rows_that_are_known_to_be_outside_are_any(offset: float):
    b = Builder()
    rows, at = b.uniform("rows", 24), b.value(offset)
    out = b.op(v.ADD, b.row(rows, 805306368, at), b.row(rows, 3, at))
    b.output("position", b.op(v.ADD, out, b.row(rows, 805306368, b.input("a").x)))
    result, file = compiled(b.program())
    assert result.program is not None
    assert file.check() == ()


def test_a_counter_around_another_loop_is_a_number():
    b = Builder()
    total, rows = b.variable(), b.uniform("rows", 4)
    b.store(total, b.input("a"))
    outer, loop = b.loop_over(b.label(), 3)
    with loop:
        inner, second = b.loop_over(b.label(), 2)
        with second:
            b.store(total, b.load(total) * 0.5 + b.row(rows, 0, inner))
        b.store(total, b.load(total) + b.row(rows, 1, outer))
    b.output("position", b.load(total))
    compare(b.program(), 1)
    assert operations(b.program()).count("for") == 2
    assert operations(b.program()).count("mova") == 1


def test_loops_deeper_than_the_hardware_count_in_temporaries():
    b = Builder()
    total = b.variable()
    b.store(total, b.input("a"))

    def inner(left: int) -> None:
        if not left:
            b.store(total, b.load(total) * 1.25 + 1.0)
            return
        counter, loop = b.loop_over(b.label(), 2)
        with loop:
            inner(left - 1)
            b.store(total, b.load(total) + counter)

    inner(6)
    b.output("position", b.load(total))
    compare(b.program(), 1, settings=1)
    assert operations(b.program()).count("for") == 4
    assert compiled(b.program())[1].check() == ()


def test_more_numbers_of_turns_than_integer_registers_are_counted_in_temporaries():
    b = Builder()
    total = b.variable()
    b.store(total, b.input("a"))
    for turns in range(2, 8):
        _, loop = b.loop_over(b.label(), turns)
        with loop:
            b.store(total, b.load(total) * 0.75 + 1.0)
    b.output("position", b.load(total))
    compare(b.program(), 1, settings=1)
    assert operations(b.program()).count("for") == 4


def test_a_loop_over_a_count_in_four_others_is_refused():
    b = Builder()
    b.counts.append(v.Count("count"))
    total = b.variable()
    b.store(total, 0.0)
    turns: list[int | v.CountOf] = [2, 2, 2, 2, v.CountOf(0)]

    def inner(left: list[int | v.CountOf]) -> None:
        if not left:
            b.store(total, b.load(total) + 1.0)
            return
        _, loop = b.loop_over(b.label(), left[0])
        with loop:
            inner(left[1:])

    inner(turns)
    b.output("position", b.load(total))
    assert refused(b) == ["L109"]


def test_conditionals_deeper_than_the_hardware_are_jumps():
    b = Builder()
    a, x = b.input("a"), b.variable()
    b.store(x, a)

    def inner(left: int) -> None:
        if left:
            with b.when(b.load(x).x > float(left)):
                b.store(x, b.load(x) * 1.5)
                inner(left - 1)
            with b.otherwise():
                b.store(x, b.load(x) + float(left))

    inner(11)
    b.output("position", b.load(x))
    compare(b.program(), 1, settings=4)
    found = operations(b.program())
    assert found.count("ifc") == 8
    assert found.count("jmpc") == 3
    assert compiled(b.program())[1].check() == ()


def waves(letters: str) -> v.Program:
    """The same expression of some components of an input, one by one."""
    b = Builder("waves")
    a = b.input("a")
    found: list[Value] = []
    for x in (getattr(a, letter) for letter in letters):
        turn = b.op(v.FLOOR, x * 0.15 + 0.5)
        rest = turn * -6.25 + x
        square = rest * rest
        found.append(rest * (square * (square * 0.01 - 0.17) + 1.0))
    b.output("position", b.vec(*found, *[1.0] * (4 - len(letters))))
    return b.program()


def test_scalar_code_becomes_vector_code():
    compare(waves("xyz"), 1)
    assert len(operations(waves("xyz"))) == len(operations(waves("x")))


def test_without_optimisation_the_same_is_computed():
    for make in (*shaders.BY_HAND, lambda: waves("xyz"), lambda: looping(3, 2, v.CountOf(0), read=True)):
        program = make()
        plain = compile_vector(program, optimise=False)
        assert plain.program is not None
        assert len(plain.encoded.words) >= len(compile_vector(program).encoded.words)


def sums(count: int) -> v.Program:
    """Sums of products, each of other lanes: a descriptor each."""
    b = Builder("sums")
    a, c = b.input("a"), b.row(b.uniform("c"))
    total = a * c
    r = random.Random(1)
    for _ in range(count):
        lanes = ["".join(r.choice("xyzw") for _ in range(4)) for _ in range(2)]
        total = total + getattr(total, lanes[0]) * getattr(c, lanes[1])
    b.output("position", total)
    return b.program()


def test_sums_beyond_the_descriptors_of_mad_are_products_and_sums():
    assert operations(sums(20)).count("mad") == 20
    assert 0 < operations(sums(60)).count("mad") <= 32  # as many as have descriptors
    compare(sums(60), 1, settings=1)


def test_too_many_descriptors_are_refused():
    result = compile_vector(sums(200))
    assert result.program is None
    assert [finding.code for finding in result.diagnostics] == ["L108"]
    assert "the table has 128" in result.diagnostics[0].message  # not those of mad, which others can do without


@pytest.mark.parametrize("most", [0, 7, 40])
def test_some_sums_are_products_and_sums(most: int):
    program = simplified(sums(20), Words(), mads=most)
    names = [s.op for s in statements(program.body) if isinstance(s, v.Operate)]
    assert names.count(v.MAD) == min(most, 20)
    compare(program, 1, settings=1)


def test_instructions_are_avoided_on_request():
    program = shaders.triangle()
    result = compile_vector(program, avoid=frozenset(("dph",)))
    assert result.program is not None
    assert {operation.op.name for operation in result.program.operations} == {"mov", "dp4", "end"}


def test_a_number_in_several_components_of_an_output_is_written_once():
    b = Builder()
    a = b.input("a")
    bright = b.op(v.MAX, b.value(0.0), b.dot(a.xyz, a.zxy))
    b.output("color", b.vec(bright, bright, bright, 1.0))
    b.output("position", a.x * a.y)
    compare(b.program(), 1)
    assert sorted(operations(b.program())) == ["dp3", "end", "max", "mov", "mul"]


def turned_over(count: int) -> v.Program:
    """A truth that is turned over again and again: each time it is read twice."""
    b = Builder()
    a = b.input("a")
    b.flags.append(v.Flag("on"))
    flag = b.new()
    b.add(v.Truth(flag, 0))
    truth = Value(b, [v.Ref(flag)])
    for n in range(count):
        other = a.x < n / 4 - 1
        one, two = b.op(v.AND, truth, b.op(v.NOT, other)), b.op(v.AND, b.op(v.NOT, truth), other)
        truth = b.op(v.OR, one, two)
    b.output("position", a)
    b.output("color", b.op(v.SELECT, b.vec(truth, truth, truth, truth), a, b.vec(a.w, a.z, a.y, a.x)))
    return b.program()


def test_a_condition_of_parts_that_are_read_again_grows_with_their_number():
    compare(turned_over(10), 3)
    words = [len(compiled(turned_over(count))[0].encoded.words) for count in (6, 8, 10)]
    assert words[2] - words[1] == words[1] - words[0] < 20


@pytest.mark.parametrize("number", range(8))
def test_conditions_of_two_parts(number: int):
    """Both, either, and the contrary of each, of comparisons that are turned round too."""
    op, negated, turned = (v.AND, v.OR)[number & 1], bool(number & 2), bool(number & 4)
    b = Builder()
    a = b.input("a")
    one, two = a.x < 0.0, a.y < 0.0
    truth = b.op(op, b.op(v.NOT, one) if turned else one, two)
    truth = b.op(v.NOT, truth) if negated else truth
    b.output("position", a)
    b.output("color", b.op(v.SELECT, b.vec(truth, truth, truth, truth), a, b.vec(a.w, a.z, a.y, a.x)))
    compare(b.program(), number, settings=4)
