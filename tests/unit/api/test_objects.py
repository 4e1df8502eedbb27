"""Manners of public objects: equality by content, hashes, and what `dir` shows."""

from __future__ import annotations

import inspect
import pickle
from typing import TYPE_CHECKING, Any

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.core.objects import Content, PublicObject, internal_names

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = REPOSITORY / "examples"
MODULES = (lw, lw.pica200, lw.shadercore, lw.direct3d9, lw.distributed)
DOUBLE = "vs_2_0\ndcl_position v0\nadd r0, v0, v0\nmov oPos, r0\n"
# Two loads of one program, and a program that differs.
PROGRAMS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "file": (lambda: lw.load(EXAMPLES / "toon.v.pica"), lambda: lw.load(EXAMPLES / "transform.v.pica")),
    "shader": (lambda: lw.load(EXAMPLES / "toon.v.pica").vertex, lambda: lw.load(EXAMPLES / "transform.v.pica").vertex),
    "shadercore": (
        lambda: lw.load_shadercore(EXAMPLES / "transform.sc"),
        lambda: lw.shadercore.ShaderCoreProgram.from_source("mul o0.xyzw, v0.xyzw, v0.xyzw\nend\n"),
    ),
    "direct3d9": (
        lambda: lw.Direct3DShader.from_source(DOUBLE),
        lambda: lw.Direct3DShader.from_source(DOUBLE.replace("v0, v0\n", "v0, -v0\n")),
    ),
    "effect": (lambda: lw.load_effect(EXAMPLES / "water.fxb"), lambda: lw.Direct3DShader.from_source(DOUBLE)),
    "compiled": (
        lambda: lw.Direct3DShader.from_source(DOUBLE).compile(),
        lambda: lw.Direct3DShader.from_source(DOUBLE).compile("document"),
    ),
    "compilation": (lambda: lw.compile(DOUBLE), lambda: lw.compile(DOUBLE, target="pica200")),
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_programs_are_equal_by_content(kind: str):
    load, other = PROGRAMS[kind]
    one, two, third = load(), load(), other()
    assert (one == two, hash(one) == hash(two), len({one, two, third})) == (True, True, 2)
    assert one != third
    assert one != 7
    again = pickle.loads(pickle.dumps(one))
    assert (again == one, hash(again) == hash(one)) == (True, True)


def test_names_of_files_do_not_count_but_names_of_values_do():
    text = (EXAMPLES / "toon.v.pica").read_text()
    assert lw.assemble(text, name="a.v.pica") == lw.assemble(text, name="b.v.pica")
    assert lw.assemble(text, name="a.v.pica").vertex == lw.assemble("\n" + text, name="a.v.pica").vertex
    renamed = lw.assemble(text.replace("projection", "camera"))
    assert renamed.vertex.words == lw.assemble(text).vertex.words
    assert renamed.vertex != lw.assemble(text).vertex
    shader = lw.Direct3DShader.from_source("vs_1_1\nadd oPos, v0, v0\n")
    assert shader.words == shader.as_direct3d8().words
    assert shader != shader.as_direct3d8()


def test_dir_shows_what_is_public():
    for module in MODULES:
        assert [name for name in dir(module) if name[:2] != "__"] == [*module.__all__]
    shader = lw.load_pica200(EXAMPLES / "transform.v.pica").vertex
    assert {"run", "name", "inputs", "equivalent"} <= {*dir(shader)}
    assert not {"any_runner", "bound_uniforms"} & {*dir(shader)}
    assert callable(shader.any_runner)
    core = lw.load_shadercore(EXAMPLES / "transform.sc")
    assert "step_json" not in dir(core.trace(defaults=0))
    assert "insts" not in dir(core)


def test_internal_names_are_there():
    kinds = [value for module in MODULES for name in module.__all__ if inspect.isclass(value := getattr(module, name))]
    assert sum(issubclass(kind, PublicObject) for kind in kinds) > 10
    for kind in kinds:
        source = "".join([inspect.getsource(base) for base in kind.__mro__ if base.__module__.startswith("lanewise")])
        assert [name for name in internal_names(kind) if not hasattr(kind, name) and f"self.{name}" not in source] == []


def test_content_is_for_subclasses():
    with pytest.raises(NotImplementedError):
        hash(Content())
