"""Effects: techniques, passes, parameters and shaders of fx_2_0, MGFX, XNB and DXBC."""

from __future__ import annotations

import random

import pytest

from corpus import REPOSITORY
from direct3d9_effects import FX, GLSL, PIXEL, PLAIN, VERTEX, Fx2, dxbc, mgfx, stream, water, words, xnb
from lanewise.direct3d9.container.effects import read_effect
from lanewise.direct3d9.container.fx2 import number_texts
from lanewise.direct3d9.isa.effect import STATES, Effect
from together import together


def effect(data: bytes) -> Effect:
    found = read_effect(data, "x.fxb")
    assert found.effect is not None, found.diagnostics
    return found.effect


def code_of(data: bytes) -> tuple[str, str]:
    found = read_effect(data, "x.fxb")
    assert found.effect is None
    (finding,) = found.diagnostics
    return finding.code, finding.message


@pytest.mark.parametrize("wrapped", [water(), water(xna=True), xnb(water(xna=True))])
def test_fx_2_0_has_techniques_passes_parameters_and_shaders(wrapped: bytes):
    found = effect(wrapped)
    assert [(technique.name, [each.name for each in technique.passes]) for technique in found.techniques] == [
        ("Water", ["P0", "pass1"]),
        ("Flat", ["Only"]),
    ]
    first, second = found.techniques[0].passes
    assert (first.vertex, first.pixel) == ("Water/P0/vertex", "Water/P0/pixel")
    assert [(state.name, state.value) for state in first.states] == [("AlphaBlendEnable", "True"), ("SrcBlend", "SrcAlpha")]
    assert (second.vertex, second.pixel) == ("", "Choices[...]"), "which one is computed when it is drawn"
    tint, choices, picture = found.parameters
    assert (tint.name, tint.type_name, tint.semantic) == ("Tint", "float4", "COLOR")
    assert tint.default == (0x3F800000, 0x3F000000, 0x3E800000, 0x3F800000)
    assert [(note.name, note.text) for note in tint.annotations] == [("Help", "how much")]
    assert (choices.type_name, choices.type.elements, picture.type_name) == ("pixelshader", 2, "sampler2D")
    assert [(state.name, state.value) for state in picture.states] == [("MagFilter", "Linear")]
    assert [(shader.name, shader.stage, shader.stream) for shader in found.shaders] == [
        ("Water/P0/vertex", "vertex", stream(VERTEX)),
        ("Water/P0/pixel", "pixel", stream(PIXEL)),
        ("Flat/Only/pixel", "pixel", stream(PLAIN)),
        ("Choices[0]", "pixel", stream(PIXEL)),
        ("Choices[1]", "pixel", stream(PLAIN)),
    ]
    assert all(wrapped[shader.offset : shader.offset + 4] == shader.stream[:4] for shader in found.shaders)


@together("version", range(3, 12))
@together("profile", [0, 1])
def test_mgfx_of_every_version(version: int, profile: int):
    found = effect(mgfx(version, profile))
    assert found.format == f"MGFX {version}, {['OpenGL', 'DirectX 11'][profile]}"
    (glow,) = found.techniques
    assert [(each.name, each.vertex, each.pixel) for each in glow.passes] == [
        ("P0", "Glow/P0/vertex", "Glow/P0/pixel"),
        ("P1", "", "Glow/P0/pixel"),
    ]
    assert {state.name: state.value for state in glow.passes[1].states}["MultiSampleMask"] == "7"
    assert {state.name: state.value for state in glow.passes[1].states}["DepthBias"] == "0.5"
    assert [(p.name, p.type_name, p.default[0]) for p in found.parameters] == [("Tint", "float4", 0x3F800000)]
    kinds = [(shader.stage, shader.kind, shader.stream, shader.entry) for shader in found.shaders]
    entry = "glow.fx: Main" if version >= 11 else ""
    if profile == 0:
        assert kinds == [("vertex", "GLSL", b"", entry), ("pixel", "GLSL", b"", entry)]
        assert found.shaders[0].code == GLSL
    else:
        assert kinds == [("vertex", "DXBC", stream(VERTEX), entry), ("pixel", "DXBC", stream(PIXEL), entry)]
    assert found.aliases == {"Glow/P1/pixel": "Glow/P0/pixel"}


def test_mgfx_9_with_either_form_of_its_numbers():
    assert effect(mgfx(9, 1, short=True)) == effect(mgfx(9, 1))


def test_dxbc_has_the_shader_of_its_level_9_part():
    (shader,) = effect(dxbc(stream(PIXEL))).shaders
    assert (shader.name, shader.stage, shader.kind, shader.stream) == ("level9", "pixel", "DXBC", stream(PIXEL))
    assert code_of(dxbc(b""))[0] == "C310"


def test_xnb_of_other_things():
    assert code_of(xnb(b"", "Texture2DReader")) == ("C317", "this XNB holds no effect: its contents are for Texture2DReader")
    assert code_of(xnb(water(), flags=0x80)) == ("C316", "this XNB is compressed with LZX, which lanewise does not unpack")
    assert code_of(xnb(water(), flags=0x40))[1].startswith("this XNB is compressed with LZ4")
    found = effect(xnb(mgfx(10, 1), flags=1))
    assert (found.wrapping, found.format) == ("XNB", "MGFX 10, DirectX 11")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (words(FX), "expected 4 bytes, found 0"),
        (words(FX, 1 << 30), "expected 4 words, found 0"),
        (words(FX, 0, 1 << 28, 0, 0, 0), "268435456 parameters do not fit into the file"),
        (words(FX, 0, 0, 1 << 28, 0, 0), "268435456 techniques do not fit into the file"),
        (b"MGFX\x0c\1" + bytes(40), "version 12 of MGFX is unknown: 3 to 11 are read"),
        (mgfx(10, 1)[:-1], "expected 4 bytes, found 3"),
        (mgfx(8, 1) + b"more", "4 bytes are left after the techniques"),
    ],
)
def test_malformed_files_have_one_finding(data: bytes, says: str):
    code, message = code_of(data)
    assert code == "C314"
    assert says in message


def test_places_named_again_and_again_are_not_copied_without_end():
    fx = Fx2()
    long = fx.put(bytes(40_000))
    kind = fx.typed(3, 1, "Many", 4, 1, elements=2500)
    many = fx.file([words(kind, long, 0, 0)] * 3000, [])
    assert code_of(many) == ("C314", "malformed effect: its parts refer to each other too often")


def test_states_within_states_end():
    fx = Fx2()
    kind = fx.typed(12, 4, "Loop")
    at = len(fx.table)
    fx.put(words(1, 169, 0, kind, at))  # a sampler state whose value is the same sampler
    assert code_of(fx.file([words(kind, at, 0, 0)], [])) == ("C314", "malformed effect: states are nested too deep")


def test_the_example_is_one_of_these():
    assert (REPOSITORY / "examples" / "water.fxb").read_bytes() == water()


def test_names_of_states():
    assert (STATES.index("VertexShader"), STATES.index("PixelShader"), STATES.index("Texture"), len(STATES)) == (
        146,
        147,
        164,
        179,
    )
    assert (STATES.index("Lighting"), STATES.index("PointScaleEnable"), STATES.index("BlendFactor")) == (0x30, 0x40, 0x60)


@pytest.mark.parametrize("whole", [water(), mgfx(10, 1), mgfx(7, 0), mgfx(9, 1), xnb(water(xna=True)), dxbc(stream(PIXEL))])
def test_any_damage_is_a_finding(whole: bytes):
    chosen = random.Random(7)
    for _ in range(150):
        data = bytearray(whole[: chosen.randrange(len(whole) + 1)] if chosen.random() < 0.3 else whole)
        for _ in range(chosen.randrange(4)):
            if data:
                at = chosen.randrange(len(data))
                data[at : at + 4] = chosen.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", chosen.randbytes(1)])
        found = read_effect(bytes(data), "x")
        assert (found.effect is None) == bool(found.diagnostics)


def test_states_that_name_a_parameter_or_compute_a_value():
    # As in Wine's d3dx9_36/tests/effect.c (test_effect_states): a state of numbers may have an object too, whose number is 0
    # for all of them.
    fx = Fx2()
    speed, camera = fx.floats("Speed", 1.0) + words(0, 0), fx.floats("Camera", *range(9)) + words(0, 0)
    states = [fx.state(13, 1), fx.state(6, 0), fx.state(127, 0), fx.shader_state(146)]
    technique = words(fx.name("T"), 0, 1) + words(fx.name("P"), 0, len(states)) + b"".join(states)
    fx.object(0, 0, 1, b"Speed\0", 1)
    fx.object(0, 0, 2, b"FXLC....")
    fx.object(0, 0, 3, b"Shaders\0", 1)
    (found,) = effect(fx.file([speed, camera], [technique])).techniques
    assert [(state.name, state.value) for state in found.passes[0].states] == [
        ("AlphaBlendEnable", "True"),
        ("SrcBlend", "Speed"),
        ("MaterialDiffuse", "an expression"),
    ]
    assert found.passes[0].vertex == "Shaders"


def test_structs_have_numbers_of_their_members():
    fx = Fx2()
    names = [fx.name(name) for name in ("light", "on", "at")]
    at = fx.put(words(0, 5, names[0], 0, 2, 2) + words(1, 0, names[1], 0, 0, 1, 1) + words(3, 1, names[2], 0, 0, 2, 1))
    value = fx.put(words(1, 0x3F800000, 0x40000000, 0, 0x40400000, 0x40800000))
    (light,) = effect(fx.file([words(at, value, 0, 0)], [])).parameters
    assert [(member.name, member.type.name) for member in light.type.members] == [("on", "bool"), ("at", "float2")]
    assert number_texts(light.default, light.type) == ["true", "1", "2", "false", "3", "4"]
