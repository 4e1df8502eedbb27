"""Devices: every difference is a field with evidence; other devices are made of the same fields, if they can be."""

from __future__ import annotations

import pytest

from lanewise.shadercore.isa.devices import BY_KEY, DEVICES, DOCUMENT, RTL, TRAITS, check_traits, find_device, impossible
from lanewise.shadercore.isa.table import BY_NAME, OPS


def test_rows_are_sound():
    check_traits()
    assert list(DEVICES) == ["document", "rtl"]
    assert find_device("rtl") is RTL


def test_check_finds_faults():
    with pytest.raises(ValueError, match="two rows have one key"):
        check_traits((*TRAITS, TRAITS[0]))
    with pytest.raises(ValueError, match="which is no answer"):
        check_traits((BY_KEY["add"]._replace(rtl="up"),))
    with pytest.raises(ValueError, match="of no kind"):
        check_traits((TRAITS[0]._replace(known="guessed"),))
    with pytest.raises(ValueError, match="lacks topic"):
        check_traits((TRAITS[0]._replace(source=""),))


def test_what_the_issue_asks_for():
    made = RTL.set("one_register=fixed,rsq_gate=fixed,issue_interval=4")
    assert made.differences(RTL) == {"one_register": "fixed", "rsq_gate": "fixed", "issue_interval": "4"}
    assert made.describe() == "rtl, issue_interval=4, one_register=fixed, rsq_gate=fixed"
    assert made.cycles("issue_interval") == 4
    assert DOCUMENT.cycles("export_cycles") is None
    assert DOCUMENT.value("minus_one") == "0xBF800000"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("issue_interval=3", "issue_interval cannot be '3': it is a whole number from 4 to 64; 16 lanes pass"),
        ("issue_interval=16", "special_interval is less than issue_interval"),
        ("special_interval=4", "special_interval is less than issue_interval"),
        ("rsq=exact", "set rsq_gate=fixed too"),
        ("rcp=exact", "set rcp_sigma=fixed too"),
        ("export_cycles=none", "define both"),
        ("fetch_color=none", "define both"),
        ("issue_intervall=4", "did you mean issue_interval?"),
        ("zzzz=4", "lanewise isa shadercore --evidence"),
        ("add=up", "add cannot be 'up': it is nearest or floor"),
        ("issue_interval", "a setting is FIELD=VALUE"),
        ("", "a setting is FIELD=VALUE"),
        ("read_delay=1,read_delay=2", "read_delay is set twice"),
        ("read_delay=²", "read_delay cannot be"),
        ("read_delay=none", "read_delay cannot be 'none': it is a whole number from 0 to 64"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str):
    with pytest.raises(ValueError) as caught:
        RTL.set(text)
    assert message in str(caught.value)


def test_a_change_may_need_two_fields():
    assert RTL.set("rsq=exact,rsq_gate=fixed").value("rsq") == "exact"
    assert RTL.set("export_cycles=none,export_end=none").cycles("export_end") is None
    assert RTL.set("issue_interval=04") == RTL.set("issue_interval=4")


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
    for trait in TRAITS:
        assert trait.told(trait.document)
        assert trait.told(trait.rtl)
        if trait.differs:
            assert trait.told(trait.document) != trait.told(trait.rtl)
    assert not impossible(RTL)
