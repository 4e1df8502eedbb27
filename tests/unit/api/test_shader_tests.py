"""Shader tests of every instruction set: files, cases in Python, and what a failure says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise import packages
from lanewise.api.cases import Case, compare, mismatches
from lanewise.api.testing import linked, read_tests
from lanewise.core.diagnostics import InputError
from toy_isa.package import TOY

EXAMPLES = Path(__file__).parents[3] / "examples"
SHADERCORE = """.input v0 position
.output o0 position
    add r0.xyzw, v0.xyzw, c0.xyzw
    mul o0.xyzw, r0.xyzw, c1.xyzw
    end
"""
VERTEX = """vs_2_0
dcl_position v0
def c8, 0, 1, 0, 0
mov r0, v0
loop aL, i0
    add r0, r0, c0
endloop
if b0
    add r0.x, r0.x, c8.y
endif
mov oPos, r0
"""
PIXEL = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexkill t0\ntexld r0, t0, s0\nmul r0, r0, c0\nmov oC0, r0\n"
TOY_SOURCE = ".toy\n    load r0\n    mul r1\n    store r7\n    halt\n"


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "PACKAGES", (*packages.PACKAGES, TOY))


class Folder:
    """A folder with the programs and one test file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        sources = {"s.sc": SHADERCORE, "v.vsa": VERTEX, "p.psa": PIXEL, "t.toy": TOY_SOURCE}
        for name, text in sources.items():
            (path / name).write_text(text)

    def results(self, text: str) -> list[str]:
        """What each test of a file says."""
        file = self.path / "a.shadertest.toml"
        file.write_text(text)
        return [test.failure(linked(test.programs, test.options, test.sources)) for test in read_tests(file)]

    def findings(self, text: str) -> list[tuple[str, int, str]]:
        """The findings of a wrong file, each of which has a fix."""
        with pytest.raises(InputError) as caught:
            self.results(text)
        assert all(finding.fix for finding in caught.value.diagnostics)
        return [(finding.code, finding.span.line, finding.message) for finding in caught.value.diagnostics]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_shadercore(folder: Folder):
    text = """program = "s.sc"
device = "rtl"
[uniforms]
c0 = [1, 1, 1, 1]
c1 = [2, 2, 2, 2]
[inputs]
position = [[1, 2, 3, 4], [5, 6, 7, 8]]
[[test]]
name = "right"
cycles = CYCLES
[test.outputs]
position = [[4, 6, 8, 10], [12, 14, 16, 18]]
"o0.y" = { bits = [["0x40C00000"], ["0x41600000"]] }
[test.registers]
"r0.x" = [[2], [6]]
[[test]]
name = "wrong"
cycles = 1
[test.outputs]
"position.yx" = [[6, 4], [14, 12.5]]
"position.z" = { bits = 0 }
"""
    right = lw.load(folder.path / "s.sc", isa="shadercore").time().total_cycles
    passed, failed = folder.results(text.replace("CYCLES", str(right)))
    assert passed == ""
    lines = failed.splitlines()
    assert (
        lines[0].startswith(f"cycles: expected 1, got {right} on rtl, in 9 slots: `lanewise time ")
        and lines[1] == "3 components differ:"
    )
    assert "  position.x of vertex 1: expected 12.5 [41480000], got 12 [41400000]: 524288 ulps apart, 0 allowed" in lines
    assert any(line.startswith("    computed by slot 4, ") and line.endswith("s.sc:4: mul o0.x, r0.x, c1.x") for line in lines)
    assert "Provenance of position.x of vertex 1:" in lines
    of_document = lw.load(folder.path / "s.sc", isa="shadercore").time("document").total_cycles
    _, failed = folder.results(text.replace("cycles = 1", f"cycles = {of_document}").replace("CYCLES", str(right)))
    more = f'write cycles = {right} for it, or device = "document", which takes {of_document}'
    assert f"cycles: expected {of_document}, got {right} on rtl: {more}" in failed
    assert "  position.z of vertex 0: expected 0 [00000000], got 8 [41000000]: the bits differ" in lines


def test_direct3d9(folder: Folder):
    text = """program = "v.vsa"
[inputs]
position = [[1, 2, 3], [4, 5, 6]]
[uniforms]
c0 = [0.5, 0, 0, 0]
[integers]
i0 = [3, 0, 0]
[booleans]
b0 = true
[[test]]
[test.outputs]
position = [[3.5, 2, 3, 1], [6.5, 5, 6, 1]]
[[test]]
rule = "d3d9"
booleans = { b0 = false }
tolerance = { abs = 0.01 }
[test.outputs]
"position.x" = [[2.505], [5.52]]
[[test]]
tolerance = { "position.x" = { ulp = 1, abs = 0.1 } }
[test.outputs]
"position.x" = [[3.45], [6.55]]
"""
    first, second, third = folder.results(text)
    assert (first, third) == ("", "")
    assert second.splitlines()[:2] == ["1 component differs:", second.splitlines()[1]]
    assert second.splitlines()[1].startswith("  position.x of vertex 1: expected 5.51999998 ") and ", or 0.01" in second


def test_killed_pixels_and_samplers(folder: Folder):
    text = """program = "p.psa"
[inputs]
texcoord0 = [[0.5, 0], [-1, 0]]
[samplers]
s0 = [1, 0.5, 0.25, 1]
[uniforms]
c0 = [2, 2, 2, 2]
[[test]]
killed = [false, true]
outputs = { "color.xyz" = [2, 1, 0.5] }
[[test]]
killed = false
"""
    first, second = folder.results(text)
    assert first == ""
    assert second == "pixel 1: expected live, got killed"


def test_an_unknown_sampler_is_a_finding(folder: Folder):
    with pytest.raises(InputError, match="unknown sampler 's-18'"):
        folder.results('program = "p.psa"\ndefaults = 0\nsamplers = { s-18 = 0 }\n[[test]]\nkilled = false\n')


def test_toy(folder: Folder):
    text = """program = "t.toy"
[[test]]
inputs = { r0 = [2, 3], r1 = 4 }
outputs = { r7 = [8, 12] }
[test.registers]
r0 = [2, 3]
[[test]]
inputs = { r0 = [2, 3], r1 = 4 }
outputs = { r7 = [8, 13] }
[[test]]
inputs = { r4 = 1 }
outputs = { r7 = 0 }
"""
    with pytest.raises(InputError, match="unknown input 'r4'"):
        folder.results(text)
    first, second = folder.results(text.rpartition("[[test]]")[0])
    assert (first, second) == ("", "1 component differs:\n  r7 of lane 1: expected 13, got 12")


def test_faults(tmp_path: Path):
    source = (
        ".out o position\n.proc main\nagain:\n    mov o, v0\n    cmp v0, lt, lt, v0\n    jmpc !cmp.x, on\n    jmp again\n"
        "on:\n    end\n.end\n"
    )
    source = source.replace("cmp v0, lt, lt, v0", "mov r1, v0\n    cmp c0, eq, eq, r1")
    shader = lw.assemble(source.replace("jmp again", "jmpc cmp.x, again"), name="f.v.pica").vertex
    values = {"inputs": {"v0": [[1], [2]]}, "uniforms": {"c0": 1}, "outputs": {}}
    assert compare(shader, {**values, "faults": ["R010", ""]}) == ""
    assert compare(shader, {**values, "faults": ["", "R003"]}).splitlines()[1] == "vertex 1: expected R003, it ended"
    assert "stopped: endless loop" in compare(shader, values)


def test_a_program_that_never_ends_may_be_expected(folder: Folder):
    (folder.path / "s.sc").write_text("mov o0.xyzw, v0.xyzw\nmov o0.x, x7.x\nend\n")
    text = 'program = "s.sc"\ndefaults = 0\n[[test]]\nfaults = "R201"\n'
    assert folder.results(text) == [""]


def test_a_data_file_gives_what_the_test_does_not(folder: Folder):
    (folder.path / "frame.json").write_text('{"inputs": {"position": [[1, 2, 3]]}, "uniforms": {"c0": 1, "c1": [2, 2, 2, 2]}}')
    text = (
        'program = "s.sc"\ndata = "frame.json"\n[[test]]\nuniforms = { c0 = 0 }\ndefaults = 0\n'
        'outputs = { "position.xyz" = [2, 4, 6] }\n'
    )
    assert folder.results(text) == [""]
    assert folder.findings(text.replace("frame.json", "no.json")) == [("T005", 2, f"{folder.path}/no.json does not exist")]
    (folder.path / "frame.json").write_text('{"booleans": {"b0": true}}')
    assert folder.findings(text) == [("T002", 2, "frame.json has booleans, which ShaderCore does not have")]


def test_defaults_are_zeros(folder: Folder):
    text = 'program = "s.sc"\n[[test]]\noutputs = { position = 0 }\n'
    with pytest.raises(InputError, match="no data for input"):
        folder.results(text)
    assert folder.results(text.replace("[[test]]", "defaults = 0\n[[test]]")) == [""]
    assert folder.findings(text.replace("[[test]]", "defaults = 1\n[[test]]")) == [("T004", 2, "defaults is not 0")]


def test_a_key_of_other_instruction_sets_is_said_to_be_theirs(folder: Folder):
    (folder.path / "a.shadertest.toml").write_text(
        'program = "s.sc"\nprofile = "hardware"\n[[test]]\nname = "a"\nbooleans = { b0 = true }\noutputs = { color = 0 }\n'
    )
    with pytest.raises(InputError) as caught:
        read_tests(folder.path / "a.shadertest.toml")
    assert [finding.fix for finding in caught.value.diagnostics if finding.code == "T002"] == [
        "profile is for PICA200, but the program is for ShaderCore: remove it",
        "booleans is for PICA200 and Direct3D 9, but the program is for ShaderCore: remove it",
    ]


@pytest.mark.parametrize(
    ("line", "finding"),
    [
        ('device = "ps5"', ("T004", 2, "unknown device 'ps5'")),
        ("device = 3", ("T004", 2, "device is not a name")),
        ('profile = "hardware"', ("T002", 2, "a shader test file has no key 'profile'")),
        ("booleans = { b0 = true }", ("T002", 2, "a shader test file has no key 'booleans'")),
        ("tolerance = { abs = -1 }", ("T004", 2, "tolerance is not a whole number of steps, 0 or more")),
        ("data = 1", ("T004", 2, "data is not the path of a data file")),
    ],
)
def test_keys_belong_to_an_instruction_set(folder: Folder, line: str, finding: tuple[str, int, str]):
    text = f'program = "s.sc"\n{line}\n[[test]]\noutputs = {{ position = 0 }}\n'
    (found,) = folder.findings(text)
    assert (found[:2], found[2].partition(":")[0]) == (finding[:2], finding[2])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("killed = 1", "killed is neither true or false nor a list of them"),
        ("faults = [1]", "faults is neither a code nor a list of codes"),
        ("cycles = -1", "cycles is not a number of cycles"),
        ("registers = 1", "registers is a number, expected a table of names"),
        ("outputs = { position = { words = 1 } }", "position is a table with the keys words, expected bits"),
        (
            "outputs = { position = [[1], [1, 2]] }",
            "position has rows of different lengths: row 2 has 2 numbers, row 1 has 1 number",
        ),
    ],
)
def test_wrong_expectations_in_a_file(folder: Folder, line: str, message: str):
    text = f'program = "s.sc"\n[[test]]\n{line}\n'
    assert ("T004", 3, message) in folder.findings(text)


def test_expectations_that_do_not_fit(folder: Folder):
    program = lw.load(folder.path / "s.sc", isa="shadercore")
    values = {"inputs": {"position": 0}, "uniforms": {"c0": 0, "c1": 0}}

    def failed(**more: object) -> list[tuple[str, str]]:
        with pytest.raises(InputError) as caught:
            compare(program, {"outputs": {}, **values, "defaults": 0, **more})
        assert all(finding.fix for finding in caught.value.diagnostics)
        return [(finding.code, finding.message) for finding in caught.value.diagnostics]

    assert failed(outputs={"color": 0}) == [("B001", "unknown output 'color'")]
    assert failed(outputs={"position.q": 0}) == [("B001", "output position has no component 'q'")]
    assert failed(registers={"r99": 0}) == [("B001", "unknown register 'r99'")]
    with pytest.raises(InputError, match="use r0 to r7"):
        compare(program, {"outputs": {}, **values, "defaults": 0, "registers": {"r9.x": 0}})
    assert failed(killed=True) == [("B003", "killed is expected, but the program discards nothing")]
    assert failed(faults=["", ""]) == [("B002", "faults is not a code for each of 1 lanes")]


def test_cases_in_python_are_for_every_instruction_set(folder: Folder):
    program = lw.load(folder.path / "s.sc", isa="shadercore")
    case = Case(outputs={"position.xy": [[2, 9]]}, inputs={"position": [0, 0]}, uniforms={"c0": 1, "c1": 2}, defaults=0)
    (found,) = mismatches(program, case)
    assert (found.key, found.component, found.lane, found.vertex, found.format) == ("position", "y", 0, 0, "float32")
    bits = Case(
        outputs={"position.x": lw.Words([0x40000000])}, inputs={"position": [0, 0]}, uniforms={"c0": 1, "c1": 2}, defaults=0
    )
    assert mismatches(program, bits) == []
    with pytest.raises(TypeError, match="a shader test of ShaderCore has no profile: it has outputs"):
        mismatches(program, Case(outputs={}, profile="hardware"))
    with pytest.raises(TypeError, match="has no rule"):
        compare(program, {"outputs": {}, "rule": "d3d9"})
    shader = lw.load(folder.path / "v.vsa", isa="direct3d9")
    uniforms, integers = {"c0": np.zeros(4)}, {"i0": [1, 0, 0]}
    assert (
        compare(
            shader,
            {
                "outputs": {"oPos.x": 3},
                "inputs": {"v0": [3]},
                "uniforms": uniforms,
                "integers": integers,
                "booleans": {"b0": False},
            },
        )
        == ""
    )


DUMP = """{"isa": "pica200",
 "program": {"words": ["0x22021080", "0x4C000000", "0x90000001", "0x4C210001", "0x88000000"],
  "descriptors": ["0x6C36F", "0x36E"], "entry": 1},
 "inputs": {"v0": [[1, 2, 3], [4, 5, 6]], "v1": [1, 2, 3]}, "uniforms": {"c1": [0.5, 1, 2, 0]},
 "outputs": {"o0": "position", "o1.xyz": "color"}}
"""


class TestDumps:
    @pytest.mark.parametrize("key", ["program", "data"])
    def test_a_data_file_may_be_the_program(self, folder: Folder, key: str) -> None:
        (folder.path / "dump.json").write_text(DUMP)
        text = f'{key} = "dump.json"\n[[test]]\noutputs = {{ color = [[0.5, 2, 6], [0.5, 2, 6]], "position.x" = [1, 4] }}\n'
        assert folder.results(text) == [""]

    def test_values_of_the_test_replace_those_of_the_dump(self, folder: Folder) -> None:
        (folder.path / "dump.json").write_text(DUMP)
        text = 'program = "dump.json"\n[[test]]\ninputs = { v1 = [4, 2, 3] }\noutputs = { "color.x" = [2, 2] }\n'
        assert folder.results(text) == [""]
        assert "expected 3" in folder.results(text.replace("[2, 2]", "[3, 2]"))[0]

    def test_without_an_instruction_set(self, folder: Folder) -> None:
        (folder.path / "dump.json").write_text(DUMP.replace('"isa": "pica200",', ""))
        found = folder.findings('program = "dump.json"\n[[test]]\noutputs = { o0 = 1 }\n')
        assert [(code, message) for code, _, message in found] == [("T003", "the instruction set of the program is not given")]

    def test_a_missing_file_of_words(self, folder: Folder) -> None:
        (folder.path / "dump.json").write_text('{"isa": "pica200", "program": {"words": "none.bin"}}')
        [(code, _, message)] = folder.findings('program = "dump.json"\n[[test]]\noutputs = { o0 = 1 }\n')
        assert (code, "none.bin" in message) == ("T005", True)


def test_a_shader_of_an_effect_by_name(folder: Folder) -> None:
    effect = Path(__file__).parents[3] / "examples/water.fxb"
    (folder.path / "water.fxb").write_bytes(effect.read_bytes())
    text = """program = "water.fxb:Water/P0/pixel"
[[test]]
inputs = { t0 = [0, 0] }
samplers = { s0 = [1, 0.5, 1, 1] }
uniforms = { c0 = [1, 2, 3, 4] }
outputs = { color = [1, 1, 3, 4] }
"""
    assert folder.results(text) == [""]
    [(code, _, message)] = folder.findings(text.replace("pixel", "nothing"))
    assert (code, message) == ("B010", "unknown program 'Water/P0/nothing'")
    assert folder.findings(text.replace("water.fxb", "other.fxb"))[0][0] == "T005"


MACROS = (
    "#include <scale.inc>\nvs_2_0\ndcl_position v0\nmul r0, v0, SCALE.x\n#ifdef MOVED\nadd r0.x, r0.x, SCALE.y\n#endif\n"
    "mov oPos, r0\n"
)


def test_macros_and_folders_of_included_files(folder: Folder):
    (folder.path / "m.vsa").write_text(MACROS)
    (folder.path / "parts").mkdir()
    (folder.path / "parts" / "scale.inc").write_text("#define SCALE c0\n")
    text = """program = "m.vsa"
{define}
include = ["parts"]
[[test]]
inputs = {{ position = [1, 2, 3] }}
uniforms = {{ c0 = [2, 5, 0, 0] }}
outputs = {{ "position.xy" = [{x}, 4] }}
"""
    assert folder.results(text.format(define="", x=2)) == [""]
    assert folder.results(text.format(define='define = ["MOVED"]', x=7)) == [""]
    assert folder.results(text.format(define='define = ["MOVED"]', x=2)) != [""]


@pytest.mark.parametrize(
    ("line", "finding"),
    [
        ("define = 4", ("T004", 2, "define is not a list of texts")),
        ('include = ["", "a"]', ("T004", 2, "include is not a list of texts")),
    ],
)
def test_wrong_macros(line: str, finding: tuple[str, int, str], folder: Folder):
    text = f'program = "v.vsa"\n{line}\n[[test]]\noutputs = {{ position = 0 }}\n'
    assert finding in folder.findings(text)


def test_only_direct3d9_has_macros(folder: Folder):
    text = 'program = "s.sc"\ndefine = ["A"]\n[[test]]\noutputs = { position = 0 }\n'
    assert "T002" in [code for code, _, _ in folder.findings(text)]


@pytest.mark.parametrize("word", [0x3F800000, 1 << 40, -1, 1.5])
def test_words_that_a_format_lacks_are_a_finding(word: float):
    shader = lw.load(EXAMPLES / "toon.v.pica").vertex
    case = Case(outputs={"color": lw.Words([0x300, word, 0, 0])}, inputs={"position": 1, "normal": 1}, defaults=0)
    with pytest.raises(InputError) as caught:
        mismatches(shader, case)
    (finding,) = caught.value.diagnostics
    assert (finding.code, finding.message) == ("B007", "output color expects raw words that are not whole numbers of 24 bits")
    assert finding.fix.startswith("use 0 to 0xFFFFFF for float24 words")


def test_registers_that_a_result_lacks_are_a_finding(tmp_path: Path):
    (tmp_path / "g.shadertest.toml").write_text(
        f"""program = {[str(EXAMPLES / name) for name in ("subdivide.v.pica", "subdivide.g.pica")]!r}
[[test]]
inputs = {{ position = [[8]], color = [0] }}
geometry_uniforms = {{ projection = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] }}
registers = {{ r0 = 1 }}
"""
    )
    (test,) = read_tests(tmp_path / "g.shadertest.toml", follow=True)
    with pytest.raises(InputError) as caught:
        test.failure(linked(test.programs, test.options))
    (finding,) = caught.value.diagnostics
    assert (finding.code, finding.fix) == ("B001", "leave registers out: only outputs can be compared")


# Sources in the file


SOURCE = """[[source]]
name = "a.v.pica"
text = '''
.out o position
.proc main
    mov o, v0
    end
.end
'''
[inputs]
v0 = [1, 2, 3, 4]
[[test]]
outputs = { position = [1, 2, 3, 4] }
"""


def test_a_file_may_have_its_sources(folder: Folder):
    assert folder.results(SOURCE) == [""]
    assert "expected 5" in folder.results(SOURCE.replace("[1, 2, 3, 4] }", "[1, 2, 3, 5] }"))[0]
    with pytest.raises(InputError) as caught:
        folder.results(SOURCE.replace("mov o", "mov p"))
    (found,) = caught.value.diagnostics
    assert (found.span.file.rpartition("/")[2], found.span.line) == ("a.v.pica", 3)


def test_sources_of_a_file_are_linked(folder: Folder):
    library = '[[source]]\nname = "b.v.pica"\ntext = ".nodvle\\n.proc double\\n    add r0, r0, r0\\n.end\\n"\n'
    text = SOURCE.replace("    mov o, v0\n", "    mov r0, v0\n    call double\n    mov o, r0\n").replace(
        "[inputs]", f"{library}[inputs]"
    )
    assert folder.results(text.replace("[1, 2, 3, 4] }", "[2, 4, 6, 8] }")) == [""]


def test_sources_of_another_instruction_set(folder: Folder):
    text = (folder.path / "s.sc").read_text(encoding="utf-8")
    source = f"[[source]]\nname = \"s.sc\"\ntext = '''\n{text}'''\n[[test]]\ncycles = -1\noutputs = {{}}\n"
    assert [code for code, *_ in folder.findings(source)] == ["T004"]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("[[source]]", 'program = "s.sc"\n[[source]]', "the file has both program and source"),
        ('name = "a.v.pica"', 'name = "../a.v.pica"', "name is not that of a source"),
        ('name = "a.v.pica"', 'name = ".."', "name is not that of a source"),
        ('name = "a.v.pica"', "name = 1", "name is not that of a source"),
        ("text =", "texts =", "the text of a.v.pica is not a text"),
        (SOURCE.partition("[inputs]")[0], "source = 1\n", "source is a number, expected a table of names"),
        (SOURCE.partition("[inputs]")[0], "source = []\n", "the file has no source"),
    ],
)
def test_wrong_sources(folder: Folder, before: str, after: str, message: str):
    assert message in [text for _, _, text in folder.findings(SOURCE.replace(before, after))]


@pytest.mark.parametrize(
    "line", ['topology = "quads"', "topology = 3", "vertices_per_primitive = 0", "vertices_per_primitive = true"]
)
def test_wrong_primitives(folder: Folder, line: str):
    (finding,) = folder.findings(SOURCE.replace("[[source]]", f"{line}\n[[source]]"))
    assert finding[0] == "T004"


def test_a_list_of_another_name_is_that_of_the_tests(folder: Folder):
    (folder.path / "a.shadertest.toml").write_text('program = "s.sc"\n[[tests]]\n[tests.inputs]\nposition = 1\n')
    with pytest.raises(InputError) as caught:
        read_tests(folder.path / "a.shadertest.toml")
    assert [(each.code, each.fix) for each in caught.value.diagnostics] == [("T002", "write [[test]], [test.inputs]")]


_FILE = """program = "s.sc"
[uniforms]
c0 = [1, 1, 1, 1]
c1 = [2, 2, 2, 2]
[inputs]
position = [[1, 2, 3, 4]]
[[test]]
name = "a"
[test.outputs]
position = [[4, 6, 8, 10]]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "fix", "written"),
    [
        ("[inputs]\n", '[inputs]\ndevice = "rtl"\n', 6, 'move `device = "rtl"` above the first [table]', ""),
        ("[uniforms]\n", '[uniforms]\nprogram = "s.sc"\n', 3, 'move `program = "s.sc"` above the first [table]', ""),
        ('"s.sc"\n', '"s.sc"\nrule = "rtl"\n', 2, 'write device = "rtl"', 'device = "rtl"'),
        ('"s.sc"\n', '"s.sc"\nrule = "d3d9"\n', 2, "ShaderCore: remove it", ""),
        ("[[4, 6, 8, 10]]", "[[4, 6, 8, 10]]\nposition.w = 10", 0, "", ""),
        ("position = [[4, 6, 8, 10]]", "position.w = 10", 10, 'write "position.w" = 10, in quotes', '"position.w" = 10'),
        ("position = [[1, 2, 3, 4]]", "position.x = 1", 6, "write position = [1]", "position = [1]"),
        ("position = [[1, 2, 3, 4]]", '"position.y" = 1', 6, "write position = [0, 1]", "position = [0, 1]"),
        ("c0 = [1, 1, 1, 1]", "c0.w = 1", 3, "write c0 = [0, 0, 0, 1]", "c0 = [0, 0, 0, 1]"),
        ("[test.outputs]", "[test.expected]", 9, "write outputs in its place", "[test.outputs]"),
        ('name = "a"', 'title = "a"', 8, "write name in its place", 'name = "a"'),
        ('name = "a"', 'description = "a"', 8, "write it as the name, or as a comment, `# a`", 'name = "a"'),
        ('name = "a"', 'engine = "llvm"', 8, "remove it: results are the same with each engine", ""),
        ("[uniforms]", "[constants]", 2, "write uniforms in its place", "[uniforms]"),
        ("[[4, 6, 8, 10]]", '[[4, 6, 8, "*"]]', 10, 'write "position.xyz" = [[4, 6, 8]]', '"position.xyz" = [[4, 6, 8]]'),
        ("[[4, 6, 8, 10]]", '[["x", 6, "-", 10]]', 10, 'write "position.yw" = [[6, 10]]', '"position.yw" = [[6, 10]]'),
        ("[[4, 6, 8, 10]]", '"any"', 10, "remove the line", ""),
        (
            "[[4, 6, 8, 10]]",
            "{ min = 3, max = 5 }",
            10,
            "write position = 4, and [test.tolerance] with position = {abs = 1}",
            "",
        ),
        ("[[4, 6, 8, 10]]", "[[4], [6], [8], [10]]", 10, "write [[4, 6, 8, 10]] for the", "position = [[4, 6, 8, 10]]"),
        ("[[4, 6, 8, 10]]", "[[4, 6, 8, NaN]]", 10, "write `position = [[4, 6, 8, nan]]`", "position = [[4, 6, 8, nan]]"),
        ("[[test]]", "[[tests]]", 7, "write [[test]]", "[[test]]"),
        ("[[4, 6, 8, 10]]", "[[0x40800000, 6, 8, 10]]", 10, "write position = {bits = [[0x40800000, 0x0", ""),
        ("[[1, 2, 3, 4]]", "[0x3F800000, 0x40000000]", 6, "", "position = {bits = [0x3F800000, 0x40000000]}"),
        ('"a"\n', '"a"\ntolerance = 1e-3\n', 9, "write tolerance = {abs = 0.001}", "tolerance = {abs = 0.001}"),
    ],
)
def test_lines_that_are_to_be_written_or_moved(folder: Folder, old: str, new: str, line: int, fix: str, written: str):
    """The fix of each mistake in a file is followed, and the file is then read and run."""
    text = _FILE.replace(old, new)
    if not line:  # not even TOML
        assert folder.findings(text)[0][0] == "T001"
        return
    with pytest.raises(InputError) as caught:
        folder.results(text)
    (finding,) = caught.value.diagnostics
    assert finding.span.line == line and fix in finding.fix
    rows = text.splitlines()
    mistaken = rows.pop(line - 1)
    if finding.fix.startswith("move"):
        rows.insert(0, mistaken)
        rows = list(dict.fromkeys(rows))
    elif written:
        rows.insert(line - 1, written)
    folder.results("\n".join(rows) + "\n")


@pytest.mark.parametrize(("key", "owner"), [("tolerance = 2", "the file or of a test"), ("points = 2", "")])
def test_a_key_below_a_table_has_its_place_as_the_fix(folder: Folder, key: str, owner: str):
    text = f'program = "s.sc"\ndefaults = 0\n[inputs]\n{key}\n[[test]]\noutputs = {{ position = 0 }}\n'
    with pytest.raises(InputError) as caught:
        folder.results(text)
    fix = caught.value.diagnostics[0].fix
    assert fix.startswith(f"tolerance is a key of {owner}: write it above") if owner else "key of a test: " in fix
    folder.results(text.replace(f"[inputs]\n{key}", f"{key}\n[inputs]") if owner else text.replace(f"{key}\n", ""))


_IN_A_TEST = """program = "s.sc"
defaults = 0
[[test]]
name = "a"
tolerance = 2  # steps
[test.inputs]
position = [[1, 2, 3, 4]]
[test.outputs]
position = [[0, 0, 0, 0]]
tolerance = 4
"""


@pytest.mark.parametrize(
    ("old", "fix"),
    [
        ("", "change `tolerance = 2` in line 5, and take line 10 out"),
        ("tolerance = 2  # steps\n", "write it above `[test.inputs]` in line 5, below which"),
    ],
)
def test_a_key_below_a_table_of_a_test(folder: Folder, old: str, fix: str):
    text = _IN_A_TEST.replace(old, "")
    with pytest.raises(InputError) as caught:
        folder.results(text)
    assert fix in caught.value.diagnostics[0].fix
    moved = text.replace("tolerance = 4\n", "").replace(
        "[test.inputs]", "tolerance = 4\n[test.inputs]" if old else "[test.inputs]"
    )
    folder.results(moved)


def test_a_program_that_is_named_below_the_tests(folder: Folder):
    text = '[[test]]\noutputs = { color = [1, 1, 1, 1] }\n\nprogram = "light.v.pica"\n'
    assert folder.findings(text) == [("T002", 4, "program is a key of the file, not of a test")]
    found = folder.findings(f'program = "light.v.pica"\n{text}')
    assert ("T002", 5, "a test has no key 'program'") in found
