"""`lanewise.shadercore.device` finds a device for everything that takes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.shadercore.isa.devices import DOCUMENT, RTL

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = REPOSITORY / "examples"
SLOW = "rtl, issue_interval=12"


def test_a_name_settings_or_a_file(tmp_path: Path):
    own = tmp_path / "mine.toml"
    own.write_text('base = "rtl"\n[set]\nissue_interval = 12\n')
    assert lw.shadercore.device() is lw.shadercore.device(RTL) is RTL
    assert lw.shadercore.device(" document ") == DOCUMENT
    assert lw.shadercore.device("rtl,issue_interval=12").describe() == SLOW
    assert lw.shadercore.device(str(own)).describe() == SLOW
    for wrong, why in (
        ("rtl2", "unknown device 'rtl2'"),
        ("rtl,x=1", "unknown device parameter 'x'"),
        ("rtl,", "not a setting"),
    ):
        with pytest.raises(ValueError, match=why):
            lw.shadercore.device(wrong)
    own.write_text("[set]\nissue_interval = -1\n")
    with pytest.raises(ValueError, match=r"mine\.toml"):
        lw.shadercore.device(str(own))
    with pytest.raises(FileNotFoundError):
        lw.shadercore.device(str(tmp_path / "none.toml"))


def test_everything_takes_the_same_names():
    program = lw.load_shadercore(EXAMPLES / "transform.sc")
    shader = lw.load_direct3d9(EXAMPLES / "direct3d9/lit.vsa")
    device: Any = "rtl,issue_interval=12"
    values = {"position": [1, 2, 3], "color": [1, 1, 1, 1]}
    assert program.run(values, device=device, defaults=0).variant == SLOW
    assert program.time(device) == program.time(RTL.set("issue_interval=12")) != program.time()
    assert isinstance(program.time(device), lw.shadercore.ProgramTiming)
    assert isinstance(program.time_draw(3, device), lw.shadercore.WaveTime)
    assert isinstance(program.trace(values, device=device, defaults=0), lw.shadercore.WaveTrace)
    assert shader.compile(device).device.describe() == SLOW
    assert shader.run(defaults=0, rule=device).variant == SLOW
    assert shader.run(defaults=0, rule="d3d9,rcp_zero=largest").variant == "d3d9, rcp_zero=largest"
