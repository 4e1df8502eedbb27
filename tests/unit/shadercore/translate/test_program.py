from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import lanewise as lw
from installed import missing, needs
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.api.services.translate import subject_of
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.shadercore.translate.program import Translation, translate
from lanewise.tools.cli import main
from lanewise.translating.support import RefusedError

EXAMPLE = Path(__file__).parents[4] / "examples" / "transform.sc"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only")


def translated(text: str, to: str = "c", device: str = "", lanes: int = 0) -> Translation:
    subject = subject_of(ShaderCoreProgram.from_source(text, "light.sc"))
    return translate(subject, to, RTL.set(device) if device else RTL, lanes=lanes)


def test_what_reads_other_lanes_or_was_kept_is_refused_in_one_lane():
    with pytest.raises(RefusedError, match=r"light.sc:2: rcp reads other lanes of the wave on rtl") as caught:
        translated("mov r0.x, v0.x\nrcp o0.x, r0.x\nend\n", lanes=1)
    assert "rcp_sigma=fixed" in caught.value.fix
    with pytest.raises(RefusedError, match=r"light.sc:1: r0.x is what the wave before has left on rtl"):
        translated("add o0.x, r0.x, v0.x\nmov r0.x, v0.x\nend\n", "wgsl")
    assert translated("add o0.x, r0.x, v0.x\nmov r0.x, v0.x\nend\n", "wgsl", "between_waves=zero").lanes == 1
    with pytest.raises(RefusedError, match="runs one lane"):
        translated("mov o0.x, v0.x\nend\n", "glsl", lanes=16)
    with pytest.raises(RefusedError, match="instruction 0 never issues"):
        translated("add o0.x, x7.x, v0.x\nend\n")


def test_what_nothing_reads_is_left_out_of_a_lane():
    found = translated("mul r0.x, v1.x, v1.x\nmov o0.y, v0.x\nmov o5.x, v2.x\nend\n", "glsl")
    assert (found.inputs, found.outputs) == (("v0",), ("o0",))
    assert "sc_mul" not in found.text


@needs("gcc", "g++")
@pytest.mark.parametrize("device", [RTL, DOCUMENT], ids=["rtl", "document"])
@pytest.mark.parametrize(("to", "lanes"), [("c", 16), ("cpp", 16), ("cpp", 1)])
def test_compiles_without_a_warning(to: str, lanes: int, device: Device, tmp_path: Path):
    program = lw.load(EXAMPLE)
    assert isinstance(program, ShaderCoreProgram)
    found = translate(subject_of(program), to, device.set("rcp_sigma=fixed") if lanes == 1 else device, lanes=lanes)
    source = tmp_path / f"file.{'c' if to == 'c' else 'cc'}"
    source.write_text(found.text)
    subprocess.run(["gcc" if to == "c" else "g++", *WARNINGS, str(source)], check=True)


@pytest.mark.skipif(not shutil.which("glslangValidator"), reason=missing("glslangValidator"))
def test_glsl_is_valid(tmp_path: Path):
    program = lw.load(EXAMPLE)
    assert isinstance(program, ShaderCoreProgram)
    source = tmp_path / "file.vert"
    source.write_text(translate(subject_of(program), "glsl", DOCUMENT).text)
    subprocess.run(["glslangValidator", str(source)], check=True)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    output = tmp_path / "transform.c"
    assert main(["translate", str(EXAMPLE), "-o", str(output)]) == 0
    assert "void transform(transform_registers *s, const uint32_t c[][4]) {" in output.read_text()
    assert main(["translate", str(EXAMPLE), "--to", "c", "--lanes", "1"]) == 2
    assert "transform.sc:29: rcp reads other lanes" in capsys.readouterr().err
