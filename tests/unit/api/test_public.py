"""Public objects: what joins instruction sets is on them, not on the objects of a package."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np

import lanewise as lw
from lanewise.api.public import public
from lanewise.core.service import Request, SourceFile
from lanewise.direct3d9.package import DIRECT3D9

SOURCE = "vs_2_0\ndcl_position v0\nadd r0, v0, v0\nmov oPos, r0\n"


def test_a_loaded_direct3d9_shader_compiles():
    program = DIRECT3D9.load(Request("load", (SourceFile("double.vsa", SOURCE.encode()),), {})).program
    assert not hasattr(program, "compile")
    shader = public(program)
    assert isinstance(shader, lw.Direct3DShader)
    assert (shader.name, shader.diagnostics) == (program.name, program.diagnostics)
    assert shader.compile("document").words == lw.Direct3DShader.from_source(SOURCE).compile("document").words


def test_a_shader_that_compiles_pickles():
    shader = lw.Direct3DShader.from_source(SOURCE, "double.vsa")
    assert shader.flow.insts
    again = pickle.loads(pickle.dumps(shader))
    assert isinstance(again, lw.Direct3DShader)
    assert again.compile("rtl").words == shader.compile("rtl").words
    np.testing.assert_array_equal(again.run({"position": [1, 2, 3]}).outputs["position"], [[2, 4, 6, 2]])


def test_the_package_of_a_shader_does_not_import_what_compiles_it():
    code = (
        "import sys; from lanewise.direct3d9.api.shader import Direct3DShader as S; "
        f"S.from_source({SOURCE!r}).run({{'position': [1, 2, 3]}}); "
        "print([name for name in sys.modules if name.startswith(('lanewise.compile', 'lanewise.api'))])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
