"""Devices: every difference is a field with evidence; other devices are made of the same fields, if they can be."""

from __future__ import annotations

import pytest

from lanewise.shadercore.isa.devices import (
    BY_KEY,
    DEVICES,
    DOCUMENT,
    PARAMETERS,
    RTL,
    check_parameters,
    find_device,
    impossible,
)
from lanewise.shadercore.isa.paces import pace_parameters
from lanewise.shadercore.isa.table import BY_NAME, OPS
from together import together


def test_rows_are_sound():
    check_parameters()
    assert list(DEVICES) == ["document", "rtl"]
    assert find_device("rtl") is RTL


def test_check_finds_faults():
    with pytest.raises(ValueError, match="two rows have one key"):
        check_parameters((*PARAMETERS, PARAMETERS[0]))
    with pytest.raises(ValueError, match="which is not one of its answers"):
        check_parameters((BY_KEY["add"]._replace(rtl="up"),))
    with pytest.raises(ValueError, match="read_delay cannot be '65'"):
        check_parameters((BY_KEY["read_delay"]._replace(rtl=65),))
    with pytest.raises(ValueError, match="has '6', which is not a whole number"):
        check_parameters((BY_KEY["read_delay"]._replace(rtl="6"),))
    with pytest.raises(ValueError, match="instructions that do not exist"):
        check_parameters((BY_KEY["add"]._replace(ops=("sub",)),))
    with pytest.raises(ValueError, match="unknown group or kind"):
        check_parameters((PARAMETERS[0]._replace(known="guessed"),))
    with pytest.raises(ValueError, match="lacks topic"):
        check_parameters((PARAMETERS[0]._replace(source=""),))


def test_what_the_issue_asks_for():
    made = RTL.set("one_register=fixed,rsq_gate=fixed,issue_interval=4")
    assert made.differences(RTL) == {"one_register": "fixed", "rsq_gate": "fixed", "issue_interval": "4"}
    assert made.describe() == "rtl, issue_interval=4, one_register=fixed, rsq_gate=fixed"
    assert made.cycles("issue_interval") == 4
    assert DOCUMENT.defined_cycles("export_cycles") is None
    assert DOCUMENT.value("minus_one") == "0xBF800000"


@together(
    ("text", "message"),
    [
        ("issue_interval=3", "issue_interval cannot be '3': it is a whole number of cycles from 4 to 64; 16 lanes pass"),
        ("issue_interval=16", "special_interval is less than issue_interval"),
        ("special_interval=4", "special_interval is less than issue_interval"),
        ("rsq=exact", "set rsq_gate=fixed too"),
        ("rcp=exact", "set rcp_sigma=fixed too"),
        ("export_cycles=none", "define both"),
        ("fetch_color=none", "define both"),
        ("issue_intervall=4", "did you mean issue_interval?"),
        ("zzzz=4", "lanewise isa shadercore --evidence"),
        ("add=up", "add cannot be 'up': it is nearest or floor"),
        ("issue_interval", "is not a setting: write FIELD=VALUE"),
        ("", "is not a setting: write FIELD=VALUE"),
        ("mul_latency=0", "mul_latency cannot be '0': it is a whole number of cycles from 1 to 256"),
        ("mul_latency=none", "mul_latency cannot be 'none'"),
        ("mul_interval=3", "16 lanes pass the four units in 4 cycles"),
        ("mul_pipe=FMA", "mul_pipe cannot be 'FMA': it is CMP or ADD"),
        ("nop_pipe=ADD", "unknown device parameter 'nop_pipe'"),
        ("mul_pipe=SPEC", "mul_pipe=SPEC and stray_special=lands contradict each other"),
        ("read_delay=1,read_delay=2", "read_delay is set twice"),
        ("read_delay=²", "read_delay cannot be"),
        ("read_delay=none", "read_delay cannot be 'none': it is a whole number of cycles from 0 to 64"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str):
    with pytest.raises(ValueError) as caught:
        RTL.set(text)
    assert message in str(caught.value)


@together(
    ("name", "key"),
    [
        ("latency_of_mul", "mul_latency"),
        ("multiply_latency", "mul_latency"),
        ("mul_delay", "mul_latency"),
        ("unit_of_reciprocal", "rcp_pipe"),
        ("rsqrt_throughput", "rsq_interval"),
        ("interval_of_issue", "issue_interval"),
        ("mull_latency", "mul_latency"),
    ],
)
def test_names_that_mean_a_parameter(name: str, key: str):
    with pytest.raises(ValueError, match=f"unknown device parameter '{name}': did you mean {key}"):
        RTL.set(f"{name}=4")


def test_paces():
    """Pipe, latency and interval of an instruction are parameters; without one of its own it has that of the device."""
    made = RTL.set("mul_latency=9,mul_pipe=ADD,rcp_interval=20,exp_latency=5,issue_interval=5")
    mul, rcp, exp = BY_NAME["mul"], BY_NAME["rcp"], BY_NAME["exp"]
    assert (made.pipe(mul), made.latency(mul), made.interval(mul)) == ("ADD", 9, 5)
    assert (made.interval(rcp), made.set("rcp_interval=none").interval(rcp)) == (20, 15)
    assert (made.latency(exp), made.set("exp_latency=none,unimplemented_latency=8").latency(exp)) == (5, 8)
    assert made.set("rcp_interval=none,rcp_pipe=CMP").interval(rcp) == 5
    assert made.pipes == ("CMP", "ADD", "SPEC", "CNV", "SHFT", "BIT", "NONE")
    assert (made.value("mul_pipe"), made.cycles("mul_latency"), made.defined_cycles("mul_interval")) == ("ADD", 9, None)
    assert made.describe() == "rtl, issue_interval=5, mul_pipe=ADD, mul_latency=9, rcp_interval=20, exp_latency=5"
    assert RTL.set("mul_latency=9").set("mul_latency=5") == RTL


def test_each_number_that_is_read_is_a_parameter_and_no_other():
    for op in OPS:
        aspects = ["pipe"] * op.dests + ["latency"] + ["interval"] * (op.name != "end")
        assert [row.key for row in pace_parameters(op.name)] == [f"{op.name}_{aspect}" for aspect in aspects]


def test_a_change_may_need_two_fields():
    assert RTL.set("rsq=exact,rsq_gate=fixed").value("rsq") == "exact"
    assert RTL.set("export_cycles=none,export_end=none").defined_cycles("export_end") is None
    assert RTL.set("issue_interval=04") == RTL.set("issue_interval=4")


def test_values_have_types():
    assert [type(value) for value in (RTL.value("add"), RTL.cycles("read_delay"), DOCUMENT.defined_cycles("export_end"))] == [
        str,
        int,
        type(None),
    ]
    with pytest.raises(ValueError, match="document does not define export_end"):
        DOCUMENT.cycles("export_end")
    with pytest.raises(TypeError, match="read_delay is a number of cycles"):
        RTL.value("read_delay")
    with pytest.raises(TypeError, match="add is an answer"):
        RTL.cycles("add")


def test_a_choice_names_every_answer_and_no_other():
    assert RTL.choose("add", {"nearest": 1, "floor": 2}) == 2
    assert DOCUMENT.choose("add", {"nearest": 1, "floor": 2}) == 1
    with pytest.raises(ValueError, match="add is nearest or floor, not floor"):
        RTL.choose("add", {"floor": 2})
    with pytest.raises(ValueError, match="add is nearest or floor"):
        RTL.choose("add", {"nearest": 1, "floor": 2, "up": 3})
    with pytest.raises(KeyError):
        RTL.choose("ad", {"nearest": 1})


def test_intervals():
    """Only RCP and RSQ keep the pipe SPEC busy: EXP and LOG have no unit (reference 3)."""
    for op in OPS:
        assert RTL.interval(op) == (15 if op.name in ("rcp", "rsq") else 8)
        assert DOCUMENT.interval(op) == 4


def test_unknown_devices_are_refused():
    with pytest.raises(ValueError, match="use document or rtl"):
        find_device("RTL2")


def test_latencies():
    """Specification: the column Latency, NotImpl as SPEC; reference 2: the hardware's."""
    for op in OPS:
        assert DOCUMENT.latency(op) == (op.latency or 14)
        assert RTL.latency(op) == op.rtl_latency
    assert RTL.latency(BY_NAME["rsq"]) == 14


def test_every_change_to_the_other_answer_is_told():
    for parameter in PARAMETERS:
        assert parameter.describe(parameter.document)
        assert parameter.describe(parameter.rtl)
        if parameter.differs:
            assert parameter.describe(parameter.document) != parameter.describe(parameter.rtl)
    assert not impossible(RTL)
