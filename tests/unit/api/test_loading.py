"""`lw.load`, `lw.assemble`, `lw.disassemble`, `lw.pica200.decode`, and what `import lanewise` brings along."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw

SOURCE = """.fvec scale
.constf half(0.5, 0.0, 0.0, 0.0)
.consti rounds(3, 0, 1, 0)
.setb b2 true
.out outpos position
.out - color o4.xy
.in place
.proc main
    mul outpos, scale, place
    mov o4.xy, half
    end
.end
"""
GEOMETRY = ".gsh point c0\n.out outpos position\n.proc gmain\nmov outpos, v0\nend\n.end\n.entry gmain\n"


def codes(error: pytest.ExceptionInfo[lw.InputError]) -> list[str]:
    return [d.code for d in error.value.diagnostics]


def test_import_brings_neither_numpy_nor_the_assembler():
    code = """import sys
before = set(sys.modules)
import lanewise
lanewise.__version__, dir(lanewise)
new = {name.partition('.')[0] for name in set(sys.modules) - before}
print(*sorted(new), *sorted(name for name in sys.modules if name.startswith('lanewise')))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["__future__", "lanewise", "lanewise"]


def test_reading_a_shader_brings_no_numpy(tmp_path: Path):
    path = tmp_path / "a.v.pica"
    path.write_text(SOURCE)
    code = (
        f"import sys, lanewise as lw; s = lw.load({str(path)!r}).vertex; s.inputs, s.constants; print('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_all_public_names_are_there():
    for name in lw.__all__:
        assert getattr(lw, name) is not None
        assert name in dir(lw)
    with pytest.raises(AttributeError, match="no attribute 'shader'"):
        getattr(lw, "shader")  # noqa: B009


def test_a_source_and_its_shbin_say_the_same(tmp_path: Path):
    source = tmp_path / "a.v.pica"
    source.write_text(SOURCE)
    first = lw.load(source)
    binary = tmp_path / "a.shbin"
    binary.write_bytes(first.to_bytes())
    second = lw.load(str(binary))
    assert second.to_bytes() == first.to_bytes()
    assert first.vertex.name == str(source)
    assert second.vertex.name == "dvle0"
    for shader in (first.vertex, second.vertex):
        assert shader.stage == "vertex"
        assert shader.inputs == (lw.pica200.Binding("place", "v0", 1),)
        assert shader.uniforms == (lw.pica200.Binding("scale", "c0", 1),)
        assert [(o.semantic, o.register, o.components) for o in shader.outputs] == [
            ("position", "o0", "xyzw"),
            ("color", "o4", "xy"),
        ]
        assert shader.constants == {"c95": (0.5, 0.0, 0.0, 0.0), "i3": (3, 0, 1, 0), "b2": True}
        assert len(shader.program.operations) == len(shader.words) == 3
    assert first.vertex.outputs[0].name == "outpos"


def test_bytes_are_told_from_text_whatever_the_suffix(tmp_path: Path):
    path = tmp_path / "a.vsh"
    path.write_bytes(lw.assemble(SOURCE).to_bytes())
    assert lw.load(path).vertex.name == "dvle0"
    path = tmp_path / "a.txt"
    path.write_text(SOURCE)
    assert lw.load(path).vertex.name == str(path)
    path.write_text("neither of them")
    with pytest.raises(lw.InputError) as error:
        lw.load(path)
    assert codes(error) == ["C001"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([0x4C000000], r"ShaderFile\.from_words"),
        (None, r"such as `lanewise\.load\('"),
        (["a.v.pica", "b.v.pica"], r"linked by `lanewise\.assemble\(\['a"),
        (lw.assemble(".proc main\nend\n.end\n"), "it is loaded$"),
    ],
)
def test_what_is_no_file_is_refused(wrong: Any, said: str, tmp_path: Path):
    with pytest.raises(TypeError, match=rf"expected a path, bytes or an open file, got .*{said}"):
        lw.load(wrong)
    with pytest.raises(OSError, match="it is a folder") as error:
        lw.load(tmp_path)
    assert "glob('*.v.pica')" in error.value.__notes__[0]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_binary_opened_as_text_names_the_mode(tmp_path: Path, encoding: str):
    path = tmp_path / "a.shbin"
    path.write_bytes(lw.assemble(SOURCE).to_bytes())
    with path.open(encoding=encoding) as stream, pytest.raises(TypeError, match=r'a\.shbin is opened as text.* mode "rb"'):
        lw.load(stream)
    with path.open("rb") as stream:
        assert lw.load(stream).vertex.name == "dvle0"


def test_a_source_that_is_not_utf8_is_latin1(tmp_path: Path):
    path = tmp_path / "a.pica"
    path.write_bytes(b"; caf\xe9\n" + SOURCE.encode())
    assert lw.load(path).vertex.inputs[0].name == "place"


def test_programs_by_name_and_number(tmp_path: Path):
    (tmp_path / "a.v.pica").write_text(SOURCE)
    (tmp_path / "b.g.pica").write_text(GEOMETRY)
    (tmp_path / "c.v.pica").write_text(SOURCE.replace("main", "other") + ".entry other\n")
    two = lw.assemble([tmp_path / "a.v.pica", str(tmp_path / "b.g.pica")])
    assert [shader.stage for shader in two.programs] == ["vertex", "geometry"]
    assert two.vertex is two.programs[0] is two.shader(0) is two.shader("0") is two.shader("a.v.pica")
    assert two.geometry is two.programs[1] is two.shader(str(tmp_path / "b.g.pica"))
    path = tmp_path / "two.shbin"
    path.write_bytes(two.to_bytes())
    assert lw.load(path, program="dvle1").stage == "geometry"
    assert lw.load(path, program=0).stage == "vertex"
    three = lw.assemble([tmp_path / name for name in ("a.v.pica", "b.g.pica", "c.v.pica")])
    with pytest.raises(lw.InputError, match="there are 2 vertex shaders") as error:
        _ = three.vertex
    assert codes(error) == ["B010"]
    assert "2 " in error.value.diagnostics[0].fix
    for wrong in (3, -1, "9", "d.v.pica"):
        with pytest.raises(lw.InputError, match="no shader") as error:
            three.shader(wrong)
        assert codes(error) == ["B010"]
    with pytest.raises(TypeError, match="source is bytes"):
        lw.assemble(SOURCE.encode())  # pyright: ignore[reportArgumentType] - a mistake on purpose
    with pytest.raises(FileNotFoundError, match=r"the name has the character '\\t'"):
        lw.load("examples\toon.v.pica")
    with pytest.raises(lw.InputError, match="no vertex shader") as error:
        _ = lw.assemble(tmp_path / "b.g.pica").vertex
    assert error.value.diagnostics[0].fix.endswith(f"lanewise.assemble(['VERTEX.v.pica', '{tmp_path / 'b.g.pica'}']).pipeline`")
    with pytest.raises(lw.InputError, match="no geometry shader") as error:
        lw.assemble(SOURCE).only("geometry")
    assert "link the source of one too" in error.value.diagnostics[0].fix
    assert hasattr(lw.assemble(SOURCE), "geometry")
    assert lw.assemble(SOURCE).geometry is None


def test_assemble_takes_text_a_path_or_paths(tmp_path: Path):
    path = tmp_path / "a.v.pica"
    path.write_text(SOURCE)
    data = lw.assemble(SOURCE).to_bytes()
    assert lw.assemble(path).to_bytes() == lw.assemble(str(path)).to_bytes() == lw.assemble([path]).to_bytes() == data
    assert lw.assemble(SOURCE, name="here").vertex.name == "here"
    with pytest.raises(FileNotFoundError):
        lw.assemble("missing.v.pica")
    with pytest.raises(FileNotFoundError):
        lw.load(tmp_path / "missing.shbin")


def test_all_findings_come_at_once():
    with pytest.raises(lw.InputError) as error:
        lw.assemble(".proc main\n  frob r0\n  mov r0, q1\n  end\n.end\n", name="here.pica")
    errors = [d for d in error.value.diagnostics if d.is_error]
    assert {d.span.line for d in errors} == {2, 3}
    assert "here.pica:2" in str(error.value)


def test_padding_and_compatibility_reach_the_assembler():
    source = ".out o position\n.proc f\nmov o, v0\n.end\n.proc main\ncall f\n.end\n.proc last\nend\n.end\n"
    padded = lw.assemble(source).vertex.words
    bare = lw.assemble(source, padding=False)
    assert len(padded) == len(bare.vertex.words) + 1
    assert bare.diagnostics
    refused = ".out o position\n.proc main\nmov r0, R5\nmov o, r0\nend\n.end\n"
    with pytest.raises(lw.InputError):
        lw.assemble(refused)
    assert lw.assemble(refused, compatible=True).vertex.words


def test_disassemble_gives_sources_that_assemble_again(tmp_path: Path):
    file = lw.assemble(SOURCE)
    path = tmp_path / "light.shbin"
    path.write_bytes(file.to_bytes())
    for given in (file, path, str(path), file.to_bytes()):
        sheets = lw.disassemble(given).sources
        assert len(sheets) == 1
        assert lw.assemble(sheets[0].text).to_bytes() == file.to_bytes()
    assert lw.disassemble(path).sources[0].name == "light.v.pica"
    assert lw.disassemble(file.to_bytes()).sources[0].name == "shader.v.pica"
    with pytest.raises(lw.InputError) as error:
        lw.disassemble(b"garbage")
    assert codes(error) == ["C001"]


def test_decode():
    inst = lw.pica200.decode(0x88000000)
    assert isinstance(inst, lw.pica200.Inst)
    assert inst.op.name == "end"


def test_a_file_that_does_not_exist_names_the_one_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "light.v.pica").write_text(".proc main\nend\n.end\n")
    monkeypatch.chdir(tmp_path)
    for call in (lw.load, lw.assemble, lw.compile, lw.disassemble):
        with pytest.raises(FileNotFoundError) as error:
            call("ligth.v.pica")
        assert error.value.__notes__ == ["did you mean light.v.pica?"]
    for path in ("light.vpica", "./light.vpica", "light"):  # no suffix of a source, and no source
        with pytest.raises(FileNotFoundError) as error:
            lw.assemble(path)
        assert [note.replace("./", "") for note in error.value.__notes__] == ["did you mean light.v.pica?"]
    with pytest.raises(FileNotFoundError):
        lw.assemble("shaders/other.txt")
    (tmp_path / "light.txt").write_text(".proc main\nend\n.end\n")
    with pytest.raises(ValueError, match=r"give the path, `lanewise.assemble\(pathlib.Path\('light.txt'\)\)`"):
        lw.assemble("light.txt")
    lw.assemble(Path("light.txt"))
    with pytest.raises(lw.InputError, match="P046"):
        lw.assemble(".end")
    with pytest.raises(FileNotFoundError) as error:
        lw.load("other.sc")
    assert error.value.__notes__ == [f"the folder is {Path.cwd()}"]
    pandas: Any = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="data are an argument of `run`"):
        lw.load(pandas.DataFrame())
