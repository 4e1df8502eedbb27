"""`lanewise run --trace N --against LOG`: logs of an implementation with planted defects."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any

import pytest

import lanewise as lw
from documents import checked
from lanewise.pica200.api.log_comparison import number_of
from lanewise.pica200.sem.profile import find_profile
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.sem.profile import Profile

SOURCE = """
.in place
.fvec table[4]
.ivec count
.out o position
.out c color
.proc main
    rcp r0, place.w
    mad r1, place, place, place
    mov r3, place
    for count
        add r2, table[aL], r1
        dp4 r3.x, r2, r3
    .end
    mov o, r3
    mul c, r2, r0
    end
.end
"""
DATA = ("-i", "place=1.1,0.3,3.7,0", "-u", "table=1,2,3,4;5,6,7,8;9,1,2,3;4,5,6,7", "-u", "count=2,0,1")
FORMAT = "{pc:x} {dst} {x:x} {y:x} {z:x} {w:x} al={aL}"


def traced(profile: str = "azahar") -> Trace:
    shader = lw.assemble(SOURCE).vertex
    table = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 1, 2, 3], [4, 5, 6, 7]]
    return shader.trace({"place": [1.1, 0.3, 3.7, 0]}, {"table": table, "count": [2, 0, 1]}, profile=profile)


def lines(trace: Trace) -> list[str]:
    """A log of a trace, as an emulator writes it."""
    found: list[str] = []
    for step in trace.steps:
        write = number_of(step)
        words = " ".join([f"{word:08x}" for word in write.new]) if write is not None else "- - - -"
        found.append(f"{step.pc:03x} {write.register if write is not None else '-'} {words} al={step.loops.al}")
    return found


@pytest.fixture
def against(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Compare lines of a log: the exit code, and the output."""
    source, log = tmp_path / "a.v.pica", tmp_path / "emulator.log"
    source.write_text(SOURCE)

    def run(text: list[str], *options: str, pattern: str = FORMAT, ending: str = "\n") -> tuple[int, str]:
        log.write_text("\n".join(text) + ending)
        form = ("--log-format", pattern) if pattern else ()
        code = main(["run", str(source), *DATA, "--trace", "0", "--against", str(log), *form, *options])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


def document(found: tuple[int, str]) -> dict[str, Any]:
    return checked(found[1])


def test_a_log_that_agrees(against: Callable[..., tuple[int, str]]):
    code, text = against(["a message", *lines(traced())], "--profile", "azahar")
    assert code == 0
    assert "no difference" in text
    assert "1 line is something else: " in text


def test_the_rest_of_a_line_is_named_unless_the_pattern_ends_with_it(against: Callable[..., tuple[int, str]]):
    longer = [f"{line} cycles=4" for line in lines(traced())]
    text = against(longer, "--profile", "azahar")[1]
    assert f"{len(longer)} lines go on after the pattern, which is not compared: " in text
    assert "emulator.log:1 'cycles=4'; end the pattern with {_} if it does not matter" in text
    assert "go on after" not in against(longer, "--profile", "azahar", pattern=FORMAT + " {_}")[1]
    assert document(against(longer, "--profile", "azahar", "--format", "json"))["longer_lines"] == len(longer)
    trace = traced()
    writes = [(step.pc, write) for step in trace.steps if (write := number_of(step)) is not None]
    log = [f"{pc} {w.register} " + " ".join([str(trace.number(word)) for word in w.new]) for pc, w in writes]
    for pattern, fields in (("{x}", "{x} {y} {z} {w}"), ("{x} {y} {z}", "{x} {y} {z} {w}"), ("{_} {y}", "{y} {z} {w}")):
        text = against(log, "--profile", "azahar", pattern="{pc} {dst} " + pattern)[1]
        assert f"; write {fields} in --log-format to compare them" in text


def test_a_log_that_counts_bytes_is_recognised(against: Callable[..., tuple[int, str]]):
    text = against(["0: r0 1 1 1", "4: r0 2 2 2"], pattern="{pc:d}: {dst} {x} {y} {z}")[1]
    assert "all addresses of the log are multiples of 4: {pc} is the number of a word" in text


@pytest.mark.parametrize(
    ("form", "pattern", "said"),
    [
        ("{0:x} {1} {2}", "{pc} {dst} {x}", "addresses of the log are offsets in bytes: they are compared as {pc:x} / 4\n"),
        ("{0} {1} {2}", "{pc} {dst} {x}", "addresses of the log are offsets in bytes: they are compared as pc / 4\n"),
        (
            "{3} {1} {2}",
            "{pc} {dst} {x}",
            "do not count words from the first one of the program: they are compared as pc - 0x100",
        ),
    ],
)
def test_addresses_are_compared_as_they_are_meant(form: str, pattern: str, said: str, against: Callable[..., tuple[int, str]]):
    """What else differs is found in the same run."""
    wrong = "3" in form
    trace = traced()
    writes = [(step.pc, write) for step in trace.steps if (write := number_of(step)) is not None]
    log = [form.format(4 * pc, w.register, trace.number(w.new[0]), 0x100 + pc) for pc, w in writes]
    if wrong:
        log[-1] = log[-1].rpartition(" ")[0] + " 9"
    code, text = against(log, "--profile", "azahar", pattern=pattern)
    assert said in text
    assert (code, "no difference" in text, "differs   in x" in text) == (int(wrong), not wrong, wrong)


@pytest.mark.parametrize(
    ("form", "pattern", "said", "fixed"),
    [
        ("{pc} {new:d}", "{pc} {x}", "the log has words in decimal digits: write {x:d} in --log-format", "{pc} {x:d}"),
        ("{pc} {cut:08x}", "{pc} {x}", "the log has numbers cut to integers, not their bits: print x.to_bits() in Rust", ""),
        ("{pc} {cut:x}", "{pc} {x:x}", "the log has numbers cut to integers, not their bits", ""),
        ("{pc} {old:x}", "{pc} {x:x}", "the log has registers as they are before each instruction: print them after it", ""),
        ("{pc} {swapped:x}", "{pc} {x:x}", "bytes of words in reverse order (big-endian): print each word as one number", ""),
    ],
)
def test_other_values_are_recognised(form: str, pattern: str, said: str, fixed: str, against: Callable[..., tuple[int, str]]):
    log: list[str] = []
    for step in traced().steps:
        write = number_of(step)
        if write is not None:
            word = write.new[0]
            swapped = int.from_bytes(word.to_bytes(4, "big"), "little")
            number = traced().number(word)
            cut = int(number) & 0xFFFFFFFF if isfinite(number) else 0xFFFFFFFF
            log.append(form.format(pc=step.pc, new=word, old=write.old[0], swapped=swapped, cut=cut))
    code, text = against(log, "--profile", "azahar", pattern=pattern)
    assert code == 1
    assert said in text
    assert "first difference" not in text
    if fixed:
        assert against(log, "--profile", "azahar", pattern=fixed)[0] == 0


@pytest.mark.parametrize("wrong", [False, True])
def test_a_log_in_reverse_order_is_compared_from_its_end(wrong: bool, against: Callable[..., tuple[int, str]]):
    trace = traced()
    writes = [(step.pc, write) for step in trace.steps if (write := number_of(step)) is not None]
    log = [f"{pc} {write.register} {trace.number(write.new[0])}" for pc, write in writes]
    if wrong:
        log[-1] = log[-1].rpartition(" ")[0] + " 9"
    code, text = against(log[::-1], "--profile", "azahar", pattern="{pc} {dst} {x}")
    assert "the log is in reverse order: it is compared from its last line on\n" in text
    assert (code, "no difference" in text, "differs   in x" in text) == (int(wrong), not wrong, wrong)
    assert "in reverse order:" not in against(log, "--profile", "azahar", pattern="{pc} {dst} {x}")[1]


def test_words_of_digits_alone_are_words_also_where_answers_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, log = tmp_path / "a.v.pica", tmp_path / "emulator.log"
    source.write_text(".constf one(1.0, 1.0, 1.0, 1.0)\n.in a\n.out o position\n.proc main\ndp4 o, one, a\nend\n.end\n")
    command = ["run", str(source), "-i", "a=1,5.9604644775390625e-08,5.9604644775390625e-08,-0.999999940395355224609375"]
    command += ["--profile", "azahar", "--trace", "0", "--against", str(log), "--log-format"]
    log.write_text("0: o0 = 34000000 34000000 34000000 34000000\n")
    assert main([*command, "{pc}: {dst} = {x} {y} {z} {w}"]) == 1
    text = capsys.readouterr().out
    assert "the log has words in hexadecimal digits: write {x:x} {y:x} {z:x} {w:x} in --log-format" in text
    assert "differs   in x, y, z, w\n" in text
    assert "the whole log agrees with:\n  --set dot_order=pairs (unknown)" in text
    assert main([*command, "{pc}: {dst} = {x:x} {y:x} {z:x} {w:x}", "--set", "dot_order=pairs"]) == 0


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("r16", "r0"), "the log calls registers r0 to r31, by the destination of the word"),
        (("o16", "o0"), "the log calls registers o0 to o31, by the destination of the word"),
        (("o0", "r0"), "the log calls outputs r and temporaries o"),
        (("r0", "r16"), "the log calls outputs r16 to r31, after the temporaries"),
    ],
)
def test_registers_by_other_names_are_recognised(
    names: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source, log = tmp_path / "a.v.pica", tmp_path / "emulator.log"
    source.write_text(".in place\n.out o position\n.proc main\nmov r0, place\nadd o, r0, r0\nend\n.end\n")
    log.write_text("0 {} 4 5 6\n1 {} 8 10 12\n".format(*names))
    command = ["run", str(source), "-i", "place=4,5,6", "--trace", "0", "--against", str(log), "--log-format"]
    assert main([*command, "{pc} {dst} {x} {y} {z}"]) == 1
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "pattern", "said"),
    [
        ("0 r0 3f8000 404000\n1 o0 400000 40c000", "{pc} {dst} {x:x} {y:x}", "has the upper 24 bits of float32, which are not"),
        (
            "0 r0 1 3\n1 o0 2.0f 6.0f",
            "{pc} {dst} {x} {y}",
            "1 line begins as an entry and is not compared",
        ),
        ("0 mov r0 1 3\n1 add o0 2 6", "{pc} {dst} {x} {y}", "--log-format '{pc} {_} {dst} {x} {y}' fits the line"),
        (".proc main\nmov r0, r1\nend\n.end", "{pc} {dst} {x} {y}", "a source of a shader, not the log of an implementation"),
    ],
)
def test_lines_that_are_something_else(lines: str, pattern: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, log = tmp_path / "a.v.pica", tmp_path / "emulator.trace"
    source.write_text(".in place\n.out o position\n.proc main\nmov r0, place\nadd o, r0, r0\nend\n.end\n")
    log.write_text(lines + "\n")
    command = ["run", str(source), "-i", "place=1,3", "--trace", "0", "--against", str(log), "--log-format", pattern]
    assert main(command) == 1
    captured = capsys.readouterr()
    assert said in captured.out + captured.err


def test_the_run_of_a_vertex_is_found_in_a_log_of_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, log = tmp_path / "a.v.pica", tmp_path / "emulator.log"
    source.write_text(".in place\n.out o position\n.proc main\nmov r0, place\nadd o, r0, r0\nend\n.end\n")
    command = ["run", str(source), "-i", "place=1,2,3;4,5,6;7,8,9", "--against", str(log), "--log-format", "{pc} {dst} {x} {y}"]
    lines = "0 r0 1 2\n1 o0 2 4\n0 r0 4 5\n1 o0 8 10\n0 r0 7 8\n1 o0 14 16\n"
    log.write_text(lines)
    for vertex in (1, 2):
        assert main([*command, "--trace", str(vertex)]) == 0
        said = f"the log begins with another vertex: vertex {vertex} is compared from line {2 * vertex + 1} on\n"
        assert said in capsys.readouterr().out
    log.write_text(lines.replace("8 10", "8 11"))
    assert main([*command, "--trace", "1"]) == 1
    text = capsys.readouterr().out
    assert "step 1, word 0x1" in text and "line 4 of" in text and "differs   in y\n" in text


def test_a_log_of_another_vertex_is_recognised(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, log = tmp_path / "a.v.pica", tmp_path / "emulator.log"
    source.write_text(".in place\n.out o position\n.proc main\nmov r0, place\nadd o, r0, r0\nmov o, place\nend\n.end\n")
    command = ["run", str(source), "-i", "place=1,2,3;4,5,6", "--trace", "0", "--against", str(log)]
    command += ["--log-format", "{pc} {dst} {x} {y} {z}"]
    log.write_text("0 r0 4 5 6\n1 o0 8 10 12\n2 o0 4 5 6\n")
    assert main(command) == 1
    assert capsys.readouterr().out.endswith("the log is of vertex 1, with which all 3 entries agree: --trace 1\n")
    assert main([*command, "--format", "json"]) == 1
    assert checked(capsys.readouterr().out)["agreeing_vertex"] == 1
    log.write_text("0 r0 4 5 6\n1 o0 8 10 12\n2 o0 4 5 7\n")
    assert main(command) == 1
    assert capsys.readouterr().out.endswith("vertex 1 is nearer, with which 2 of 3 entries agree: --trace 1\n")
    assert main([*command, "--format", "json"]) == 1
    found = checked(capsys.readouterr().out)
    assert (found["agreeing_vertex"], found["nearer_vertex"]) == (None, 1)


def test_another_order_of_components_is_recognised(against: Callable[..., tuple[int, str]]):
    rows = [line.split() for line in lines(traced())]

    def turned() -> list[str]:
        return [" ".join([*row[:2], *row[5:1:-1], *row[6:]]) for row in rows]

    text = against(turned(), "--profile", "azahar")[1]
    assert "the log has components in the order w z y x" in text
    assert text.endswith("entries agree: write {w} {z} {y} {x} in --log-format\n")
    assert "first difference" not in text
    rows[1][2] = "00000001"
    code, text = against(turned(), "--profile", "azahar")
    assert code == 1
    assert "in the order" not in text


def test_names_numbers_and_some_fields(against: Callable[..., tuple[int, str]]):
    trace = traced()
    log: list[str] = []
    for step in trace.steps:
        write = number_of(step)
        if write is not None:
            name = {"o0": "position", "o1": "c"}.get(write.register, write.register)
            log.append(f"{name} = {trace.number(write.new[0]):.6f}")
    assert against(log, "--profile", "azahar", pattern="{dst} = {x}")[0] == 0
    log[1] = log[1].replace("r1 = ", "r1 = 9")
    assert against(log, "--profile", "azahar", pattern="{dst} = {x}")[0] == 1


def test_float24_words_and_their_float32_patterns(against: Callable[..., tuple[int, str]]):
    trace = traced("hardware")
    words = [f"{step.pc:x} {write.new[0]:x}" for step in trace.steps if (write := number_of(step)) is not None]
    assert against(words, pattern="{pc:x} {x:x}")[0] == 0
    assert against([*words[:2], "2 123456", *words[3:]], pattern="{pc:x} {x:x}")[0] == 1


def test_a_single_answer_that_explains_a_log(against: Callable[..., tuple[int, str]]):
    log = lines(
        traced("azahar").shader.trace({"place": [1.1, 0.3, 3.7, 0]}, _uniforms(), profile=_profile("mad_rounding=once"))
    )
    found = document(against(log, "--profile", "azahar", "--format", "json"))
    difference, candidates = found["difference"], found["candidates"]
    assert (difference["kind"], difference["word"], difference["component"]) == ("value", 1, "x")
    assert ["mad_rounding=once"] in [one["settings"] for one in candidates if one["whole"]]
    text = against(log, "--profile", "azahar")[1]
    assert "--set mad_rounding=once (inferred)" in text
    assert "read      place (v0) = 1.1, 0.3, 3.7, 0" in text


def test_a_pair_of_answers_that_explains_a_log(against: Callable[..., tuple[int, str]]):
    log = lines(
        traced().shader.trace(
            {"place": [1.1, 0.3, 3.7, 0]}, _uniforms(), profile=_profile("mad_rounding=once", "loop_rounds=x+2")
        )
    )
    found = document(against(log, "--profile", "azahar", "--format", "json"))
    assert found["explained"] is True
    assert ["mad_rounding=once", "loop_rounds=x+2"] in [one["settings"] for one in found["candidates"]]


def test_a_rcp_of_zero_that_no_pair_explains(against: Callable[..., tuple[int, str]]):
    log = lines(traced())
    log[0] = "000 r0 00000000 00000000 00000000 00000000 al=0"
    code, text = against(log, "--profile", "azahar")
    assert code == 1
    assert "first difference: step 0, word 0x0" in text
    assert "rcp r0" in text
    assert "no pair explains it" in text


def test_a_loop_that_steps_otherwise(against: Callable[..., tuple[int, str]]):
    trace = traced()
    log = lines(trace)
    at = next(number for number, step in enumerate(trace.steps) if step.loops.al == 1)
    log[at] = log[at].replace("al=1", "al=2")
    found = document(against(log, "--profile", "azahar", "--format", "json"))
    assert (found["difference"]["component"], found["difference"]["expected"], found["difference"]["logged"]) == ("aL", 1, "2")
    assert found["difference"]["step"] == at


def test_a_loop_with_one_round_fewer(against: Callable[..., tuple[int, str]]):
    log = [line for number, line in enumerate(lines(traced())) if number not in (8, 9)]
    code, text = against(log, "--profile", "azahar", pattern="{pc:x}")
    assert code == 1
    assert "lanewise  goes on at word 0x4" in text
    assert "log       goes on at word 0x6" in text


def test_logs_that_are_cut(against: Callable[..., tuple[int, str]]):
    log = lines(traced())
    code, text = against([*log[3:8], log[8][:12]], "--profile", "azahar", ending="")
    assert code == 0
    assert "the log starts at step 3" in text
    assert "line 6 has no end and is left out" in text
    assert "the log ends after step 7" in text


def test_json_lines(against: Callable[..., tuple[int, str]]):
    trace = traced()
    log = [
        json.dumps({"pc": step.pc, "dst": write.register, "values": [trace.number(word) for word in write.new], "vertex": n})
        for n in (1, 0)
        for step in trace.steps
        if (write := number_of(step)) is not None and write.register != "r0" and "c" not in write.register
    ]
    log = [line for line in log if "NaN" not in line and "Infinity" not in line]
    code, text = against(log, "--profile", "azahar", pattern="")
    assert code == 0, text
    assert "of other vertices" in text
    named = [
        json.dumps({**(line := json.loads(each)), "values": dict(zip("xyzw", line["values"], strict=True))}) for each in log
    ]
    assert against(named, "--profile", "azahar", pattern="")[0] == 0
    bare = [json.dumps({"pc": json.loads(each)["pc"], "vertex": json.loads(each)["vertex"]}) for each in log]
    assert "no line has values" in against(bare, "--profile", "azahar", pattern="")[1]


@pytest.mark.parametrize(
    ("text", "options", "pattern", "code", "message"),
    [
        (["x"], (), "{pc", 2, "--log-format: the brace at column 1 is not closed"),
        (["x"], (), FORMAT, 1, "emulator.log:1: no line matches; the first, 'x', has something else than {pc:x}"),
        (["[ 1.5] <Debug> a.cpp:12: 0: r0"], (), "{pc}: {dst}", 1, "1: --log-format 'a.cpp:12: {pc}: {dst}' fits the line"),
        (["1f r0 3f800000"], (), "{pc} {dst} {x}", 1, "--log-format '{pc:x} {dst} {x:x}' fits the line"),
        (["0 16 1.5"], (), "{pc}: {dst} {x}", 1, "at column 3: --log-format '{pc} {dst:d} {x}' fits the line"),
        (
            ["1: o0 = (1, 2, 3)"],
            (),
            "{pc}: {dst} = {x} {y} {z}",
            1,
            "--log-format '{pc}: {dst} = ({x}, {y}, {z})' fits the line",
        ),
        (["pc=01f r3 3f800000 0"], (), "", 1, "--log-format 'pc={pc:x} {dst} {x:x} {y:x}'"),
        (["1;o0;1,5;2"], (), "{pc};{dst};{x};{y}", 1, "correct the line or --log-format"),
        (['{"pc": 1}'], (), FORMAT, 1, "the log is JSON lines: leave out --log-format"),
        (['[{"pc": 1}]'], (), "", 1, "the log is a JSON array: write one object a line"),
        (['{"address": 1}'], (), "", 1, 'but address: name its keys "pc", "dst" and "values"'),
        (["x {y} 0 r0"], (), "{pc}: {dst}", 1, "at column 1; correct the line or --log-format"),
        (["x"], (), "", 1, "describe its lines with --log-format"),
        ([""], (), "", 1, "the log is empty"),
        (['{"pc": 1}', "{"], (), "", 1, "emulator.log:2: not JSON"),
        (['{"pc": 1, "vertex": 4}'], (), "", 1, "all 1 entries are of other vertices, none of vertex 0"),
        (
            ['{"pc": 1, "x": null}'],
            (),
            "",
            1,
            "x is null, as NaN and infinity are written by JavaScript and others: write the word",
        ),
        (['{"pc": 1, "x": true}'], (), "", 1, "x is true, expected a number"),
        (['{"pc": 1, "words": [1.5]}'], (), "", 1, "numbers are given as values"),
        (['{"pc": 1, "values": "1 2"}'], (), "", 1, "expected a list, such as [0.5, 2, 6, 0]"),
        (['{"pc": 1, "values": [1, 2, 3, 4, 5]}'], (), "", 1, "values has 5 numbers, expected at most 4"),
        (['{"pc": 1, "values": ["1.5"]}'], (), "", 1, "a number without quotes: write 1.5"),
        (['{"pc": 1, "reg": "r0"}'], (), "", 1, "the key of the register is reg: name it dst"),
        (['{"pc": 1, "X": 1}'], (), "", 1, "the key of a component is X: name it x"),
        (['{"pc": 1, "vals": [1]}'], (), "", 1, "the key of the numbers is vals: name it values"),
        (["0"], ("--trace-format", "table"), "{pc}", 2, "leave out --trace-format"),
        (["0"], ("--explain", "color.x"), "{pc}", 2, "leave out --trace-format, --explain"),
    ],
)
def test_what_is_refused(
    text: list[str], options: tuple[str, ...], pattern: str, code: int, message: str, against: Callable[..., tuple[int, str]]
):
    found = against(text, *options, pattern=pattern)
    assert found[0] == code
    assert message in found[1]


def test_options_that_need_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "a.v.pica"
    source.write_text(SOURCE)
    assert main(["run", str(source), *DATA, "--against", "a.log"]) == 2
    assert "--against LOG goes with --trace N" in capsys.readouterr().err
    assert main(["run", str(source), *DATA, "--trace", "0", "--log-format", "{pc}"]) == 2
    assert "--log-format goes with --against" in capsys.readouterr().err


def test_registers_of_enumerations_are_named(against: Callable[..., tuple[int, str]]):
    for form in ("Temporary({})", "Reg::Temp[{}]", "r[{}]"):
        text = [line.replace(" r0 ", f" {form.format(0)} ") for line in lines(traced()) if " r0 " in line]
        assert "{dst} is a register by its name, r0, not '" in against(text, "--profile", "azahar")[1]


def test_numbers_with_few_digits_are_told(against: Callable[..., tuple[int, str]]):
    trace = traced()
    for digits, said in ((3, " of the log have too few digits to tell neighbours apart, line "), (9, "no difference")):
        text = [
            f"{step.pc} {write.register} {' '.join([f'{trace.number(word):.{digits}g}' for word in write.new])}"
            for step in trace.steps
            if (write := number_of(step)) is not None
        ]
        found = against(text, "--profile", "azahar", pattern="{pc} {dst} {x} {y} {z} {w}")
        assert (found[0], said in found[1], ("too few" in found[1]) == (digits == 3)) == (0, True, True)


def test_control_characters_of_a_log_are_shown(against: Callable[..., tuple[int, str]]):
    text = against(["9 evil\x1b[31m"], "--profile", "azahar", pattern="{pc} {_}")[1]
    assert "\x1b" not in text


def _profile(*settings: str) -> Profile:
    profile = find_profile("azahar")
    for setting in settings:
        profile = profile.set(setting)
    return profile


def _uniforms() -> dict[str, Any]:
    return {"table": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 1, 2, 3], [4, 5, 6, 7]], "count": [2, 0, 1]}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0: o0 = 1,0 2,0 3,0 1,0", "write numbers with a point, not with a decimal comma: `sed 's/,/./g'"),
        ("0: o0 = 0x1p+0 0x1p+1 0x1.8p+1 0x1p+0", "print numbers by %.9g in place of %a"),
        ("0: o0 = 3ff0000000000000 4000000000000000 0 0", "print words of float32, 8 digits"),
        ("[12.5] 0: o0 = 1 2 3 1", "--log-format '{_} {pc}: {dst} = {x} {y} {z} {w}' fits the line"),
        ("0: o0 = 1, 2, 3, 1", "--log-format '{pc}: {dst} = {x}, {y}, {z}, {w}' fits the line"),
    ],
)
def test_numbers_that_no_pattern_reads(line: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, log = tmp_path / "a.v.pica", tmp_path / "emulator.log"
    source.write_text(".in a\n.out o position\n.proc main\nmov o, a\nend\n.end\n")
    log.write_text(f"{line}\n")
    command = ["run", str(source), "-i", "a=1,2,3", "--trace", "0", "--against", str(log), "--log-format"]
    assert main([*command, "{pc}: {dst} = {x} {y} {z} {w}"]) == 1
    assert said in capsys.readouterr().err
    log.write_bytes("0: o0 = 1 2 3 1\n".encode("utf-16"))
    assert main([*command, "{pc}: {dst} = {x} {y} {z} {w}"]) == 0
