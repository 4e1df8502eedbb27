"""Shader tests beside a source, and the last values of registers in their traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editors.matrix import SAMPLES
from lanewise.lsp.beside import ShaderTestsBeside, last_values
from lanewise.lsp.documents import Documents, Rules

if TYPE_CHECKING:
    from pathlib import Path


def test_the_last_write_counts():
    trace = {
        "steps": [
            {
                "source": {"line": 3},
                "operands": [{"places": ["v0.x", "v0.y"], "values": [1.0, 2.0]}],
                "writes": [{"register": "r0", "components": "xy", "new": {"values": [1.0, 2.0]}}],
            },
            {"source": {"line": 4}, "wrote": [{"register": "r0", "mask": "x", "new": {"values": [5.0, 2.0, 0.0, 0.0]}}]},
            {"source": None, "writes": [{"register": "acc", "components": "", "new": {"values": [7]}}]},
        ]
    }
    found = {register: str(last) for register, last in last_values(trace, "one").items()}
    assert found == {
        "r0": "In the shader test 'one', first vertex: x = 5, y = 2, written last in line 4.",
        "v0": "In the shader test 'one', first vertex: x = 1, y = 2, given.",
        "acc": "In the shader test 'one', first vertex: 7, given.",
    }


def test_values_are_kept_until_a_file_is_saved(tmp_path: Path):
    sample = SAMPLES["shadercore"]
    path, tests = tmp_path / sample.file, tmp_path / "light.shadertest.toml"
    path.write_text(sample.source)
    documents, beside = Documents(lambda _: Rules()), ShaderTestsBeside()
    documents.put(path.as_uri(), sample.source, 1)
    view = documents.analyse(path.as_uri())
    assert view is not None
    assert beside.last(view, "r0") == ""
    tests.write_text(
        f'program = "{sample.file}"\n[[test]]\nname = "a"\n[test.inputs]\nposition = [1, 2, 3, 1]\n[test.outputs]\n'
        "position = [2, 4, 6, 2]\n"
    )
    assert beside.last(view, "r0") == ""  # until it is told
    beside.forget(str(path))
    assert (
        beside.last(view, "r0") == "In the shader test 'a', first vertex: x = 2, y = 4, z = 6, w = 2, written last in line 6."
    )
    assert beside.last(view, "r7") == ""
    tests.write_text("broken")
    assert len(beside.tests(str(path))) == 1
    beside.forget()
    assert beside.tests(str(path)) == []
    assert beside.tests("") == []
