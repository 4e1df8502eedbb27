"""The C header of a compiled program: a C compiler takes it, and its functions set the registers that the program reads."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from installed import needs
from lanewise.compile.outside.module import Spirv
from lanewise.compile.services.citro3d import c_header
from lanewise.compile.services.pipeline import Compiled, Lowered, assembled
from lanewise.compile.vector.code import (
    ADD,
    MUL,
    Attribute,
    Count,
    CountOf,
    Flag,
    For,
    If,
    Input,
    Load,
    Number,
    Operate,
    Output,
    Program,
    Ref,
    Row,
    Store,
    Truth,
    Uniform,
    Variable,
)
from lanewise.core.service import Request, SourceFile

if TYPE_CHECKING:
    from pathlib import Path

# What the header uses of citro3d and libctru, by their documentation; what is called is printed.
STUB = """
#include <stdbool.h>
#include <stdio.h>
typedef enum { GPU_VERTEX_SHADER = 0, GPU_GEOMETRY_SHADER = 1 } GPU_SHADER_TYPE;
static inline void C3D_BoolUnifSet(GPU_SHADER_TYPE type, int id, bool value) { printf("bool %d %d\\n", id - 0x68, value); }
static inline void C3D_IVUnifSet(GPU_SHADER_TYPE type, int id, int x, int y, int z, int w) { printf("int %d %d %d %d %d\\n", \
id - 0x60, x, y, z, w); }
"""
USE = """
#include "light.h"
int main(void)
{
    light_set_turns(5);
    light_set_turns(0);
    light_set_turns(1000);
    light_set_turns(-3);
    light_set_bright(true);
    light_set_bright(false);
    printf("%d %d %d %d\\n", light_IN_place, light_FVEC_offset, light_ULEN_offset, light_FVEC_two_words);
    return 0;
}
"""


def program() -> Program:
    """place += offset[1] in each turn, and is doubled if `bright`."""
    place = tuple([Ref(0, lane) for lane in range(4)])
    before, added, twice = [tuple([Ref(value, lane) for lane in range(4)]) for value in (2, 3, 4)]
    turn = For(
        label=0,
        turns=CountOf(0),
        start=0,
        step=2,
        counter=9,
        body=(
            Load(2, 0),
            Row(result=3, uniform=0, row=1),
            Operate(5, ADD, (before, added)),
            Store(0, 0xF, tuple([Ref(5, n) for n in range(4)])),
        ),
    )
    doubled = (
        Load(6, 0),
        Number(4, (2.0, 2.0, 2.0, 2.0)),
        Operate(7, MUL, (tuple([Ref(6, n) for n in range(4)]), twice)),
        Store(0, 0xF, tuple([Ref(7, n) for n in range(4)])),
    )
    return Program(
        name="light",
        inputs=(Input(name="place"),),
        outputs=(Output(name="gl_Position", semantic="position", variable=0),),
        uniforms=(Uniform(name="offset", rows=3), Uniform(name="two.words")),
        flags=(Flag("bright"),),
        counts=(Count("turns", most=100),),
        variables=(Variable("here"),),
        body=(Attribute(0, 0), Store(0, 0xF, place), turn, Truth(8, 0), If(Ref(8), doubled)),
    )


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    source = SourceFile("light.vert", b"", "light.vert")
    return assembled(
        Lowered(vector=program(), spirv=Spirv(data=b""), diagnostics=()), source, Request("compile", (source,), {})
    )


def test_a_run_takes_the_count(compiled: Compiled):
    shader = compiled.file.vertex
    for turns, bright in ((0, True), (3, False), (100, True)):
        result = shader.run(
            {"place": [1, 0, 0, 1]}, {"offset": [[9] * 4, [1, 2, 3, 4], [9] * 4], "turns": turns, "bright": bright}
        )
        expected = [
            (1 + turns) * (1 + bright),
            2 * turns * (1 + bright),
            3 * turns * (1 + bright),
            (1 + 4 * turns) * (1 + bright),
        ]
        assert result.outputs["position"].tolist() == [expected]


def test_names_and_places(compiled: Compiled):
    text = c_header(compiled, "light")
    assert "#define light_IN_place 0\n" in text
    assert "#define light_FVEC_offset 0\n#define light_ULEN_offset 3\n" in text
    assert "/* o0 gl_Position: position.xyzw */" in text
    assert "#define light_FLAG_bright 0x68\n" in text
    assert "turns_some" in text
    odd = c_header(compiled, "2 lights-lit")
    assert "static inline void _2_lights_lit_set_turns(int count)" in odd


@needs("gcc")
def test_a_c_compiler_takes_it(compiled: Compiled, tmp_path: Path):
    (tmp_path / "citro3d.h").write_text(STUB)
    (tmp_path / "light.h").write_text(c_header(compiled, "light"))
    (tmp_path / "main.c").write_text(USE)
    built = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-I.", "main.c", "-o", "main"]
    subprocess.run(built, cwd=tmp_path, check=True)
    said = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=True).stdout.splitlines()
    (count,) = compiled.result.counts
    guard, loop = count.guard, f"int {count.register}"
    assert said == [
        f"bool {guard} 1",
        f"{loop} 4 {count.start} {count.step} 0",
        f"bool {guard} 0",
        f"bool {guard} 1",
        f"{loop} 99 {count.start} {count.step} 0",
        f"bool {guard} 0",
        "bool 0 1",
        "bool 0 0",
        "0 0 3 3",
    ]


def test_names_that_c_writes_alike(compiled: Compiled):
    (interface,) = compiled.file.program.interfaces
    inputs = tuple(
        [row._replace(name=name, first=n, last=n) for n, name in enumerate(("a.b", "a_b")) for row in interface.inputs]
    )
    changed = compiled.file.program._replace(interfaces=(interface._replace(inputs=inputs),))
    file = type(compiled.file)("x", compiled.file.to_bytes(), changed, (), (), ())
    text = c_header(compiled._replace(file=file), "light")
    assert "#define light_IN_a_b 0\n#define light_IN_a_b_2 1\n" in text
