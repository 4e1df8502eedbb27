"""Execution logs: patterns, entries, and their alignment with steps."""

from __future__ import annotations

import pytest

from lanewise.core.logs.aligning import END, FLOW, VALUE, Alignment, Done, align
from lanewise.core.logs.pattern import Miss, read_pattern
from lanewise.core.logs.reading import MOST_LINE, LogError, Precision, read_log


@pytest.mark.parametrize(
    ("pattern", "line", "found"),
    [
        ("{pc:x}: {dst} = {x}", "  01f:   r3 =  -1.5e-3 and more", {"pc": "01f", "dst": "r3", "x": "-1.5e-3"}),
        ("pc={pc:x} {dst} {x:x}", "[12.5] pc=0x1F r3.xy 3F800000", {"pc": "0x1F", "dst": "r3.xy", "x": "3F800000"}),
        ("pc={pc} {_} = {x}", "pc=7 anything at all = nan", {"pc": "7", "x": "nan"}),
        ("{pc} {x} {y}", "3 -nan(ind) -inf", {"pc": "3", "x": "-nan(ind)", "y": "-inf"}),
        ("{pc} {dst} {x} {y}", "3 - - 2", {"pc": "3", "y": "2"}),
        ("{{{pc}}} {dst}", "{4} o1", {"pc": "4", "dst": "o1"}),
        ("{pc} {cmp.x}{cmp.y} {aL}", "4 01 7", {"pc": "4", "cmp.x": "0", "cmp.y": "1", "aL": "7"}),
        ("{pc} {cmp.x}{cmp.y}{aL}", "4 0112", {"pc": "4", "cmp.x": "0", "cmp.y": "1", "aL": "12"}),
        ("{pc} {cmp.x}{_}", "4 1 a", {"pc": "4", "cmp.x": "1"}),
        ("{pc} {cmp.x},{aL}", "4 true,-3", {"pc": "4", "cmp.x": "true", "aL": "-3"}),
        ("pc {pc}", "pc x pc 5", {"pc": "5"}),
    ],
)
def test_a_line_that_matches(pattern: str, line: str, found: dict[str, str]):
    assert read_pattern(pattern).match(line) == found


@pytest.mark.parametrize(
    ("pattern", "line", "column", "expected"),
    [
        ("pc={pc:x} {dst}", "hello", 1, "'pc='"),
        ("pc={pc:x} {dst}", "at pc=zz r0", 7, "{pc:x}"),
        ("{pc}: {dst}", "12 r0", 4, "':'"),
        ("{pc} {x}", "12 .", 4, "{x}"),
        ("{pc} {_} = {x}", "12 a b", 4, "'='"),
    ],
)
def test_a_line_that_does_not_match_says_where(pattern: str, line: str, column: int, expected: str):
    found = read_pattern(pattern).match(line)
    assert isinstance(found, Miss)
    assert (found.column, found.expected) == (column, expected)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("{pc", "column 1 is not closed"),
        ("pc}", "column 3 closes nothing"),
        ("{pc} {foo}", "unknown field {foo} at column 6"),
        ("{pc:o}", "unknown type ':o'"),
        ("{PC}: {dst}", "unknown field {PC} at column 1: did you mean {pc}?"),
        ("{address}: {dst}", "did you mean {pc}?"),
        ("{pc}: {reg}", "did you mean {dst}?"),
        ("{pc:04x}: {dst}", "write {pc:x}, without a width"),
        ("{pc} {x:.2f}", "write {x}, without a width"),
        ("{pc} {pc}", "{pc} is named twice"),
        ("{x} {y}", "neither {pc} nor {dst}"),
        ("%d: %s = %f %f", "fields are in braces, not those of printf: '{pc}: {dst} = {x} {y}'"),
        ("{pc}: %s = %-8.3f {y}", "'{pc}: {dst} = {x} {y}'"),
        ("{pc}" + "{_}" * 40, "41 fields"),
    ],
)
def test_a_wrong_pattern(pattern: str, message: str):
    with pytest.raises(ValueError, match=message.replace("{", r"\{").replace("}", r"\}")):
        read_pattern(pattern)


def test_entries_of_lines():
    text = "start\n1 r2.x 3f800000\n\n2 ? -\n3 r1 3f80"
    log = read_log(text, read_pattern("{pc} {dst} {x:x}"), 0)
    assert [(each.line, each.address, each.register) for each in log.entries] == [(2, 1, "r2")]
    assert (log.skipped, log.cut) == (2, 5), "? is not a name; the last line has no end"
    assert log.miss is not None
    assert log.miss[0] == 1
    assert read_log("2 17 -\n", read_pattern("{pc} {dst:d} -"), 0).entries[0].register == "17"


def test_entries_of_json_lines():
    text = (
        '{"pc": 3, "dst": "r1", "values": [1.5, 2]}\n{"pc": "0x10", "x": "3f800000", "words": [1], "cmp": [true, 0]}\n'
        'a message\n{"vertex": 1, "pc": 3}\n'
    )
    log = read_log(text, None, 0)
    one, two = log.entries
    assert (one.address, one.register, one.values["x"].number, one.values["x"].word) == (3, "r1", 1.5, None)
    assert (two.address, two.values["x"].word, two.state) == (16, 1, {"cmp.x": 1, "cmp.y": 0})
    assert (log.skipped, log.other) == (1, 1)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"pc": 1}\n{"pc": \n', 2, "not JSON"),
        ("[" * 5 + "\n" + "{" + '"a":[' * 10_000 + "\n", 2, "not JSON"),
        ('{"x": 1}\n', 1, "neither pc nor dst"),
        ('{"pc": "what"}\n', 1, "pc is 'what'"),
        ('{"pc": 1, "x": "zz"}\n', 1, "x is 'zz'"),
        ('{"pc": 1e999}\n', 1, "pc is"),
        ('{"pc": ' + "9" * 1000 + "}\n", 1, "pc is"),
    ],
)
def test_a_wrong_line_has_its_number(text: str, line: int, message: str):
    with pytest.raises(LogError, match=message) as caught:
        read_log(text, None, 0)
    assert caught.value.line == line


@pytest.mark.parametrize(("pattern", "line"), [("{pc} {dst}", "9" * 30 + " r0"), ("{pc} {dst} {x:x}", "1 r0 " + "f" * 30)])
def test_a_number_that_is_too_long_has_its_line(pattern: str, line: str):
    with pytest.raises(LogError, match="expected a") as caught:
        read_log(f"1 r0 1\n{line}\n", read_pattern(pattern), 0)
    assert caught.value.line == 2


def test_a_line_that_is_too_long_is_something_else():
    log = read_log("1 r0\n1 r0" + " " * MOST_LINE + "\n", read_pattern("{pc} {dst}"), 0)
    assert (len(log.entries), log.skipped) == (1, 1)


def test_numbers_are_as_exact_as_they_are_written():
    fixed = read_log("1 0.333333\n2 2.500000\n", read_pattern("{pc} {x}"), 0)
    assert fixed.precision.decimals == 6
    third = fixed.entries[0].values["x"]
    assert fixed.precision.fits(third, 1 / 3)
    assert not fixed.precision.fits(third, 0.3333345)
    mixed = read_log("1 0.333333\n2 2.5\n3 1e+20\n", read_pattern("{pc} {x}"), 0)
    assert mixed.precision == Precision(None, 6)
    assert not mixed.precision.fits(mixed.entries[1].values["x"], 2.5001), "%g leaves out zeros"
    assert mixed.precision.fits(mixed.entries[2].values["x"], 1.0000004e20)


def steps(*addresses: int, turns: tuple[int, ...] = ()) -> list[Done]:
    """Steps at addresses that write r0; those of the numbers in `turns` ask a question."""
    return [
        Done(number=number, address=address, register="r0", kind="number", turns=number in turns)
        for number, address in enumerate(addresses)
    ]


def aligned(logged: list[int], trace: list[Done], wrong: tuple[int, ...] = (), *, ended: bool = True) -> Alignment:
    """A log of addresses beside a trace; steps in `wrong` have other values."""
    log = read_log("".join([f"{address}\n" for address in logged]), read_pattern("{pc}"), 0)
    return align(log.entries, trace, lambda _, step: "x" if step in wrong else "", ended=ended)


LOOP = steps(0, 1, 2, 1, 2, 1, 2, 3, turns=(2, 4, 6))


def test_a_log_that_agrees():
    found = aligned([0, 1, 2, 1, 2, 1, 2, 3], LOOP)
    assert (found.first, found.agreed, found.missing) == (None, 8, 0)


def test_the_first_value_that_differs():
    found = aligned([0, 1, 2, 1, 2, 1, 2, 3], LOOP, wrong=(3, 5))
    assert found.first is not None
    assert (found.first.kind, found.first.step, found.first.entry) == (VALUE, 3, 3)


def test_a_loop_that_ends_early_or_late():
    early = aligned([0, 1, 2, 1, 2, 3], LOOP).first
    assert early is not None
    assert (early.kind, early.step, early.entry) == (FLOW, 4, 5)
    late = aligned([0, 1, 2, 1, 2, 1, 2, 1, 2, 3], LOOP).first
    assert late is not None
    assert (late.kind, late.step, late.entry) == (FLOW, 6, 7)


def test_a_log_that_goes_on_after_the_end():
    longer = aligned([0, 1, 2, 1, 2, 1, 2, 3, 4], LOOP).first
    assert longer is not None
    assert (longer.kind, longer.step) == (END, 7)
    assert aligned([0, 1, 2, 1, 2, 1, 2, 3, 4], LOOP, ended=False).first is None, "the trace was cut"
    again = aligned([0, 1, 2, 1, 2, 1, 2, 3, 0, 1], LOOP)
    assert (again.first, again.after) == (None, 2)


def test_logs_that_start_late_or_end_early():
    late = aligned([2, 1, 2, 3], LOOP)
    assert (late.first, late.pairs[0], late.start) == (None, (0, 4), 4)
    assert aligned([0, 1, 2, 1], LOOP).first is None


def test_lines_that_are_missing():
    straight = steps(*range(10))
    found = aligned([0, 1, 2, 6, 7, 8, 9], straight)
    assert (found.first, found.missing) == (None, 3)
    found = aligned([0, 2, 1, 2, 1, 2, 3], LOOP)
    assert (found.first, found.missing) == (None, 1), "1 is logged elsewhere, and nothing turns between 0 and 2"


def test_kinds_that_are_never_logged():
    trace = [step._replace(kind="nop" if step.address == 1 else "number") for step in LOOP]
    found = aligned([0, 2, 2, 2, 3], trace)
    assert (found.first, found.missing) == (None, 0)


def test_a_branch_that_the_log_does_not_take():
    trace = steps(0, 1, 2, 3, 4, turns=(1,))
    first = aligned([0, 1, 4], trace).first
    assert first is not None
    assert (first.kind, first.step, first.entry) == (FLOW, 1, 2)


def test_an_address_that_no_step_has():
    first = aligned([9, 10], LOOP).first
    assert first is not None
    assert (first.kind, first.step) == (FLOW, -1)


def test_registers_without_addresses():
    log = read_log("r0\nr0\n", read_pattern("{dst}"), 0)
    assert align(log.entries, LOOP, lambda _entry, _step: "", ended=True).agreed == 2
