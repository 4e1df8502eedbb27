"""One shader of a file: its text, its findings, and a file of its own."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = REPOSITORY / "examples"
UNUSED = ".out o position\n.in v\n.proc main\n mov r0, v\n mov o, v\n end\n.end\n"


def linked() -> lw.pica200.ShaderFile:
    return lw.assemble([EXAMPLES / "particles.v.pica", EXAMPLES / "particles.g.pica"])


@pytest.mark.parametrize("number", [0, 1])
def test_a_saved_shader_is_the_only_one_of_its_file(tmp_path: Path, number: int):
    shader = linked().programs[number]
    shader.save(tmp_path / "one.shbin")
    again = lw.load_pica200(tmp_path / "one.shbin").programs
    assert len(again) == 1
    assert (again[0].words, again[0].descriptors, again[0].stage) == (shader.words, shader.descriptors, shader.stage)
    assert (again[0].inputs, again[0].uniforms, again[0].constants) == (shader.inputs, shader.uniforms, shader.constants)
    assert [(each.semantic, each.register) for each in again[0].outputs] == [
        (each.semantic, each.register) for each in shader.outputs
    ]


def test_text_assembles_to_the_same_words():
    shader = lw.load_pica200(EXAMPLES / "toon.v.pica").vertex
    assert lw.assemble(shader.text).vertex.words == shader.words


def test_findings_of_a_source_and_of_a_file(tmp_path: Path):
    source = lw.assemble(UNUSED)
    assert [(finding.code, finding.span.line) for finding in source.vertex.check()] == [("V096", 4)]
    source.save(tmp_path / "unused.shbin")
    read = lw.load_pica200(tmp_path / "unused.shbin")
    assert read.vertex.check() == read.check()
    assert pickle.loads(pickle.dumps(read.vertex)).check() == read.check()


def test_code_of_the_other_shader_is_not_a_finding():
    assert [shader.check() for shader in linked().programs] == [(), ()]


def test_words_may_be_arrays():
    words = np.array([0x4C000000, 0x88000000], np.uint32)
    file = lw.pica200.ShaderFile.from_words(words, np.array([0x36F]), outputs={"o0": "position"})
    assert file.words == (0x4C000000, 0x88000000)
    with pytest.raises(TypeError):
        lw.pica200.ShaderFile.from_words(words.astype(np.float32), [0x36F])
