"""Wrong arguments, names and items of public objects that are not programs: what is said, and that what is said to do works."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw

if TYPE_CHECKING:
    from collections.abc import Callable

f24: Any = lw.pica200.float24
presets: Any = lw.pica200.profiles
azahar: Any = presets["azahar"]
top: Any = lw
device: Any = lw.shadercore.device("rtl")
source = b"vs_2_0\ndcl_position v0\nmov oPos, v0\n"
MUL = {op.name: op for op in device.ops}["mul"]


EXAMPLES = Path(__file__).parents[2] / "examples"
FLOW = lw.pica200.unfold([lw.pica200.decode(0x88000000)], 0)


def core() -> Any:
    return lw.load(EXAMPLES / "transform.sc", isa="shadercore")


def toon(**options: Any) -> Any:
    return top.compile(EXAMPLES / "glsl" / "toon.spv", target="pica200", **options)


def run(**named: Any) -> Any:
    return top.load(EXAMPLES / "transform.v.pica").vertex.run(defaults=0).to_pandas(**named)


def d3d() -> Any:
    return lw.load(source)


def refused() -> Any:
    with pytest.raises(lw.InputError) as error:
        lw.assemble(".proc main\n    teapot\n.end\n")
    return error.value


# The mistake, what is said, and what one writes then.
ROWS: list[tuple[Callable[[], object], str, Callable[[], object]]] = [
    (lambda: f24.encode([1.1], nearest="no"), "nearest is 'no', expected True", lambda: f24.encode([1.1], nearest=False)),
    (lambda: f24.encode([1.1], True), "by name, nearest=True", lambda: f24.encode([1.1], nearest=True)),
    (lambda: f24.encode(1.0, 2.0), r"one array: `encode\(\[1.0, 2.0\]\)`", lambda: f24.encode([1.0, 2.0])),
    (lambda: f24.encode([1.1], rounding="nearest"), "did you mean nearest", lambda: f24.encode([1.1], nearest=True)),
    (f24.encode, r"encode\(\) needs values", lambda: f24.encode([1])),
    (lambda: f24.encode(None), "values is None, expected numbers", lambda: f24.encode([1, 2, 3])),
    (lambda: f24.encode([[1, 2], [3]]), "row 1 has 1 number", lambda: f24.encode([[1, 2], [3, 4]])),
    (
        lambda: f24.encode(np.ma.masked_equal([1.0, 2], 1)),
        r"masked array.*`values.filled\(0\)`",
        lambda: f24.encode(np.ma.masked_equal([1.0, 2], 1).filled(0)),
    ),
    (lambda: f24.decode([0x3F0000], "int"), r"decode, then convert, `.astype\('int'\)`", lambda: f24.decode([1]).astype("int")),
    (lambda: f24.decode([0x3F0000], "float24"), "expected numpy.float32", lambda: f24.decode([0x3F0000], "float64")),
    (lambda: f24.decode([1.5]), "`encode` gives their words$", lambda: f24.encode([1.5])),
    (
        lambda: f24.decode(np.array([4128768.0])),
        r"`words.astype\(numpy.uint32\)`",
        lambda: f24.decode(np.array([4128768], np.uint32)),
    ),
    (lambda: f24.decode("3f0000"), r"`int\('3f0000', 16\)`", lambda: f24.decode(int("3f0000", 16))),
    (lambda: f24.decode(["0x3f0000"]), r"`\[int\(text, 0\) for text in words\]`", lambda: f24.decode([int("0x3f0000", 0)])),
    (
        lambda: f24.decode(bytes(4)),
        r"`numpy.frombuffer\(words, numpy.uint32\)`",
        lambda: f24.decode(np.frombuffer(bytes(4), np.uint32)),
    ),
    (
        lambda: f24.decode(np.array([0x3F800000])),
        r"pattern of a float32 it is 1, `words.view\(numpy.float32\)`",
        lambda: np.array([0x3F800000], np.uint32).view(np.float32),
    ),
    (lambda: f24.pack([1.0]), "lanewise.pica200.float24' has no attribute 'pack': use `encode`", lambda: f24.encode([1.0])),
    (lambda: top.AssemblerError, "has no attribute 'AssemblerError': use `lanewise.InputError`$", lambda: top.InputError),
    (lambda: top.ParserException, "has no attribute 'ParserException': use `lanewise.InputError`$", lambda: top.InputError),
    (lambda: refused().line, r"'line': use `error.diagnostics\[0\].span.line`$", lambda: refused().diagnostics[0].span.line),
    (lambda: refused().teapot, "'InputError' object has no attribute 'teapot'$", lambda: refused().args),
    (lambda: f24([1.0]), "is a module: `float24.encode", lambda: f24.encode([1.0])),
    (lambda: top.pica200.decode("0x4C201000"), r"`int\('0x4C201000', 0\)`", lambda: top.pica200.decode(int("0x4C201000", 0))),
    (lambda: top.pica200.decode(b"\0\0\0L"), r"`int.from_bytes\(word, 'little'\)`", lambda: top.pica200.decode(0x4C000000)),
    (
        lambda: top.pica200.decode(np.zeros(2, np.uint32)),
        r"`\[decode\(int\(word\)\) for word in words\]`",
        lambda: [top.pica200.decode(int(word)) for word in np.zeros(2, np.uint32)],
    ),
    (lambda: top.dominators(3), r"flow is 3, expected a graph, such as `lanewise.pica200.unfold", lambda: top.dominators(FLOW)),
    (
        lambda: core().run({0: [1, 2, -4]}),
        "inputs has the name 0, expected a text",
        lambda: core().run({"v0": [1, 2, -4], "color": [1, 1, 1, 1]}),
    ),
    (lambda: d3d().run({0: [1, 2, 3]}), "inputs has the name 0, expected a text", lambda: d3d().run({"v0": [1, 2, 3]})),
    (
        lambda: d3d().run({"v0": [1, 2, 3]}, {0: 1}),
        "constants?.* has the name 0|uniforms has the name 0",
        lambda: d3d().run({"v0": [1, 2, 3]}, {"c0": 1}),
    ),
    (
        lambda: top.shadercore.Stream("position", "float3", bytes(12)),
        r"`Stream\(input='position', kind='float3', data=",
        lambda: top.shadercore.Stream(input="position", kind="float3", data=bytes(12)),
    ),
    (
        lambda: top.shadercore.Stream(input="position", type="float3", data=bytes(12)),
        "did you mean kind",
        lambda: top.shadercore.Stream(input="position", kind="float3", data=bytes(12)),
    ),
    (lambda: toon().report["words"], r"`totals\['words'\]`", lambda: toon().report.totals["words"]),
    (lambda: toon(bound={"n": 3}), "it is of target='shadercore', leave it out", toon),
    (lambda: toon(define={"A": 1}), "it is of .*GLSL.*: leave it out for SPIR-V", toon),
    (lambda: toon(optimize=3), "programs are always optimised, leave it out", toon),
    (lambda: toon(output="toon.shbin"), r"`compile\(...\).save\(path\)`", lambda: toon().files("toon.shbin")),
    (lambda: core().graph().save("x.svg"), r"write_text\(graph.svg\(\)\)", lambda: core().graph().svg()),
    (lambda: run(bits="no"), "bits is 'no', expected True or False", lambda: run(bits=False)),
    (lambda: presets["Azahar"], "did you mean azahar", lambda: presets["azahar"]),
    (lambda: presets["citra"], "use azahar", lambda: presets["azahar"]),
    (lambda: presets["3ds"], "did you mean hardware", lambda: presets["hardware"]),
    (lambda: presets.azahar, r"use `profiles\['azahar'\]`", lambda: presets["azahar"]),
    (lambda: presets.__setitem__("my", azahar), "profiles are fixed", lambda: azahar.replace(rounding="zero")),
    (lambda: top.pica200.Profile("azahar"), r"`lanewise.pica200.profiles\['azahar'\]`", lambda: presets["azahar"]),
    (
        lambda: azahar.replace({"rounding": "zero"}),
        r"`profile.replace\(rounding='zero'\)`",
        lambda: azahar.replace(rounding="zero"),
    ),
    (lambda: azahar.set("rounding", "zero"), r"`profile.replace\(rounding='zero'\)`", lambda: azahar.replace(rounding="zero")),
    (
        lambda: azahar.set({"rounding": "zero"}),
        r"`profile.replace\(rounding='zero'\)`",
        lambda: azahar.replace(rounding="zero"),
    ),
    (lambda: azahar.replace(al_width=8), "did you mean s8", lambda: azahar.replace(al_width="s8")),
    (lambda: azahar["rounding"], "use `profile.rounding`", lambda: azahar.rounding),
    (lambda: azahar.name, r"use `profile.describe\(\)`", azahar.describe),
    (lambda: azahar.save("x.toml"), r"profile.to_toml\(\)", azahar.to_toml),
    (
        lambda: device.compile(source),
        r"lanewise.compile\(source, target='shadercore', device=device\)",
        lambda: lw.compile(source, target="shadercore", device=device),
    ),
    (lambda: device.issue_interval, r"`device.setting\('issue_interval'\)`", lambda: device.setting("issue_interval")),
    (
        lambda: device["isue_interval"],
        r"did you mean `device.setting\('issue_interval'\)`",
        lambda: device.setting("issue_interval"),
    ),
    (lambda: device.replace(issue_interval=4), r"`device.set\('issue_interval=4'\)`", lambda: device.set("issue_interval=4")),
    (
        lambda: device.set("issue_interval=4;one_register=fixed"),
        "write commas between them, issue_interval=4,one_register=fixed",
        lambda: device.set("issue_interval=4,one_register=fixed"),
    ),
    (lambda: device.value("issue_interval"), r"`device.cycles\('issue_interval'\)`", lambda: device.cycles("issue_interval")),
    (lambda: device.latency("mul"), r"`\{op.name: op for op in device.ops\}\['mul'\]`", lambda: device.latency(MUL)),
    (
        lambda: device.differences("document"),
        r"device\('document'\)",
        lambda: device.differences(lw.shadercore.device("document")),
    ),
    (lambda: device.with_pipes({"mull": "X"}), "did you mean mul", lambda: device.with_pipes({"mul": "X"})),
    (lambda: top.shadercore.Device("rtl"), r"device\('rtl'\)` is a device", lambda: lw.shadercore.device("rtl")),
    (lambda: top.device, r"`lanewise.shadercore.device\('rtl'\)`", lambda: lw.shadercore.device("rtl")),
    (lambda: top.shadercore.assemble, "use `lanewise.assemble`", lambda: lw.assemble),
    (
        lambda: d3d().compile(target="pica200"),
        r"`lanewise.compile\(shader, target='pica200'\)`",
        lambda: lw.compile(d3d(), target="pica200"),
    ),
    (lambda: top.compile(d3d(), target=device), "give it as device=", lambda: lw.compile(d3d(), device=device)),
    (lambda: d3d().compile(bound={"i0": 3}), "it is bounds=", lambda: d3d().compile(bounds={"i0": 3})),
    (lambda: d3d().compile(bounds={"i0": 3.0}), "expected whole numbers", lambda: d3d().compile(bounds={"i0": 3})),
    (lambda: d3d().compile(bounds={0: 3}), "write 'i0'", lambda: d3d().compile(bounds={"i0": 3})),
]


@pytest.mark.parametrize(("mistake", "said", "then"), ROWS)
def test_mistakes_with_public_objects(mistake: Callable[[], object], said: str, then: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError, KeyError, AttributeError, OSError), match=said):
        mistake()
    then()
