"""Random Direct3D 9 shaders compiled: the same bits as the shader under the device's rule; and what happens when they are
not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from effort import times
from lanewise.compile.shadercore import random_cases as compiled_random
from lanewise.compile.shadercore.direct3d9 import Compiled, Options, Result
from lanewise.compile.shadercore.random_cases import case_of, outcome
from lanewise.compile.shadercore.random_routes import with_compiled
from lanewise.core.fuzzing import Origin
from lanewise.direct3d9.api.services.fuzz import case_of as random_of_direct3d9
from lanewise.direct3d9.engine.reduce import reduced
from lanewise.packages import package_of
from lanewise.shadercore.isa.codec import Inst, decode, encode
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL
from lanewise.shadercore.isa.table import BY_NAME
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.shadercore.isa.devices import Device

COUNT, CHUNK = times(50, 2000), 50


@pytest.mark.parametrize("first", range(0, COUNT, CHUNK))
def test_random_shaders_give_the_same_bits(first: int):
    refused = compared = 0
    for seed in range(first, first + CHUNK):
        device = list(DEVICES.values())[seed % 2]
        found = outcome(case_of(seed), device)
        assert not found.wrong, f"seed {seed} on {device.name}: {found.differences[0]}"
        refused += bool(found.refused)
        compared += not found.refused
    assert compared > CHUNK // 2
    assert refused < CHUNK // 4


def test_devices_that_differ_in_a_field_give_the_same_bits():
    devices = (
        RTL.set("one_register=fixed,constant_ports=two,x7x=normal"),
        DOCUMENT.set("constant_ports=one"),
        RTL.set("add=nearest,exports=all"),
    )
    for seed in range(times(30, 60)):
        found = outcome(case_of(seed), devices[seed % len(devices)])
        assert not found.wrong


def broken(compiled: Compiled) -> Compiled:
    """A program whose first add subtracts: what a defect of the compiler would be like."""
    words = list(compiled.program.words)
    for number, word in enumerate(words):
        inst = decode(word)
        if inst.op is BY_NAME["add"]:
            words[number] = encode(Inst(op=inst.op, dest=inst.dest, a=inst.a, b=inst.b._replace(modifier=inst.b.modifier ^ 1)))
            break
    return compiled._replace(program=compiled.program._replace(words=tuple(words)))


def test_a_defect_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    real = compiled_random.compile_shader

    def wrong(shader: Shader, device: Device, options: Options | None = None) -> Result:
        result = real(shader, device, options)
        return result if result.compiled is None else result._replace(compiled=broken(result.compiled))

    monkeypatch.setattr(compiled_random, "compile_shader", wrong)
    code = main(["fuzz", "--target", "shadercore", "--device", "rtl", "--seed", "1", "--programs", "60", "-o", str(tmp_path)])
    assert code == 1
    (path,) = tmp_path.glob("fuzz-*.vsa")
    text = path.read_text()
    assert "gives other bits" in text
    assert "no difference" not in capsys.readouterr().out
    case = case_of(int(path.name.split("-")[1]))
    small = reduced(case, lambda candidate: outcome(candidate, RTL).wrong)
    assert len(small.shader.items) < len(case.shader.items)


def test_both_routes_of_direct3d9_are_compared(monkeypatch: pytest.MonkeyPatch):
    """A defect of the compiler is found by `fuzz --target direct3d9` too, reduced and written with the device."""
    real = compiled_random.compile_shader

    def wrong(shader: Shader, device: Device, options: Options | None = None) -> Result:
        result = real(shader, device, options)
        return result if result.compiled is None or device is not RTL else result._replace(compiled=broken(result.compiled))

    monkeypatch.setattr(compiled_random, "compile_shader", wrong)
    engines = package_of("direct3d9").random_programs
    assert engines is not None
    routes = with_compiled(engines())
    first = times(7, 0)  # the first that differs
    number = next(number for number in range(first, 60) if routes.compare(3, number, "native").difference is not None)
    small = routes.reduce(3, number, "native", Origin("found", "the command"), lambda: None)
    assert "compiled for rtl" in small.difference.where
    assert small.source.startswith("// Compiled for rtl it gives other bits: ")
    assert "// Found by: the command" in small.source
    assert small.words < len(random_of_direct3d9(3, number).shader.words)


def test_counts_are_known_or_bounded():
    kinds = {compiled_random._knows(case_of(seed), 3) for seed in range(20)}  # pyright: ignore[reportPrivateUsage]
    assert kinds == {True, False}


def test_a_run_without_findings_says_so(capsys: pytest.CaptureFixture[str]):
    assert main(["fuzz", "--target", "shadercore", "--seed", "5", "--programs", "4"]) == 0
    assert "no difference" in capsys.readouterr().out
    assert main(["fuzz", "--target", "shadercore", "--seed", "5", "--programs", "2", "--format", "json"]) == 0
    assert '"programs": 2' in capsys.readouterr().out
    assert main(["fuzz", "--target", "shadercore", "--set", "add=floor"]) == 2
    assert main(["fuzz", "--target", "shadercore", "--programs", "0"]) == 2
