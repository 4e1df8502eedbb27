"""The pytest plugin as a user meets it: test files, the fixture, failures that say where a value came from, nothing where it is
not used."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import llvmlite.binding
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lanewise as lw
from corpus import REPOSITORY
from effort import examples
from lanewise import packages
from lanewise.api.findings import page
from lanewise.core.diagnostics import InputError
from lanewise.pica200.api.expecting import Case, mismatches, ulps
from lanewise.pica200.engine import float24
from lanewise.pica200.engine.llvm import generate
from lanewise.tools.shadertest import failure, read, service_of

pytest_plugins = ["pytester"]
# Pytester forgets the modules that a run in this process has imported first; a second copy of what makes kernels would not know
# the first, nor a second copy of llvmlite the target machines that are kept.
assert generate and llvmlite.binding

EXAMPLES = REPOSITORY / "examples"
_OTHERS = [part for name in ("cacheprovider", "randomly", "asyncio", "anyio", "pytest-lsp") for part in ("-p", f"no:{name}")]
PLUGIN = ("-p", "lanewise.tools.pytest_plugin", *_OTHERS)  # in the order of the file
DOUBLE = (
    ".in p\n.out pos position\n.fvec k\n.proc main\n    mul r0, k, p\n    mov pos.xy, r0\n    mov pos.zw, p\n    end\n.end\n"
)
RIGHT = "inputs={'p': [1, 2]}, uniforms={'k': [2, 2, 2, 2]}, outputs={'pos.x': 2}"
FILE = """program = "double.v.pica"

[uniforms]
k = [2, 2, 2, 2]

[[test]]
name = "doubles"
[test.inputs]
p = [[1, 2, 3], [0.5, 0, 0]]
[test.outputs]
position = [[2, 4, 3, 1], [1, 0, 0, 1]]
"""


@pytest.fixture
def here(pytester: pytest.Pytester) -> Path:
    (pytester.path / "double.v.pica").write_text(DOUBLE)
    return pytester.path


def run(pytester: pytest.Pytester, text: str = "") -> pytest.RunResult:
    if text:
        (pytester.path / "a.shadertest.toml").write_text(text)
    return pytester.runpytest_inprocess(*PLUGIN)


def test_a_file_is_a_test(pytester: pytest.Pytester, here: Path):
    done = run(pytester, FILE)
    done.assert_outcomes(passed=1)


def test_a_failure_says_where_the_value_came_from(pytester: pytest.Pytester, here: Path):
    done = run(pytester, FILE.replace("[2, 4, 3, 1]", "[2, 5, 3, 1]"))
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "*a.shadertest.toml: doubles*",
            "1 component differs:",
            "  position.y of vertex 0: expected 5 [[]414000], got 4 [[]410000]: 16384 ulps apart, 0 allowed",
            "    computed by *double.v.pica:6: mov pos.xy, r0",
            "Provenance of position.y of vertex 0:",
            "step 0, word 0x0, *double.v.pica:5: mul r0, k, p",
            "  from  p.y (v0) = 2 *",
            "FAILED a.shadertest.toml::doubles*",
        ]
    )


def test_a_file_of_another_name_is_told_its_name(pytester: pytest.Pytester, here: Path):
    for name, text, said in (
        (
            "test_double.toml",
            FILE,
            "is not collected: shader tests end in .shadertest.toml: rename it to double.shadertest.toml",
        ),
        ("other.toml", "[a]", "no match in any of"),
    ):
        (here / name).write_text(text)
        done = pytester.runpytest_inprocess(*PLUGIN, name)
        assert said in f"{done.stdout}{done.stderr}"
    run(pytester, FILE).assert_outcomes(passed=1, warnings=1)  # found in the folder, it is no error


def test_the_fixture(pytester: pytest.Pytester, here: Path):
    (here / "test_x.py").write_text(
        "import lanewise as lw\n"
        "def test_right(shadertest):\n"
        "    shadertest('double.v.pica', outputs={'pos.x': 2}, inputs={'p': [1, 2]}, uniforms={'k': [2, 2, 2, 2]})\n"
        "def test_of_a_shader(shadertest):\n"
        f"    shadertest(lw.load({str(here / 'double.v.pica')!r}).vertex, outputs={{'o0.xy': [2, 0]}}, inputs={{'p': 1}}, "
        f"uniforms={{'k': [2, 2, 2, 2]}})\n"
        "def test_wrong(shadertest):\n"
        "    shadertest(['double.v.pica'], outputs={'position': [3, 4]}, inputs={'p': [1, 2]}, uniforms={'k': [2, 2, 2, 2]})\n"
        "def test_no_values(shadertest):\n"
        "    shadertest('double.v.pica', outputs={'position': [3, 4]})\n"
    )
    done = run(pytester)
    done.assert_outcomes(passed=2, failed=2)
    done.stdout.fnmatch_lines(["  position.x of vertex 0: expected 3 *, got 2 *", "error[[]B004]: no data for input p (v0)*"])
    done.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (("program = ", "program "), ["T001"]),
        (("[[test]]", "[test]"), ["T003"]),
        (("k = [2, 2, 2, 2]", 'k = 2\n[profile]\npreset = "azahar"\nrounding = "up"'), ["T004"]),
        (("double.v.pica", "triple.v.pica"), ["T005"]),
        (('"double.v.pica"', "3"), ["T004"]),
        (("[test.inputs]", "tolerence = 1\n[test.inputs]"), ["T002"]),
        (("[test.outputs]", "[test.output]"), ["T002"]),
        (('name = "doubles"', "name = 1"), ["T004"]),
        (('name = "doubles"', 'name = "a"\noutputs = {}\n[[test]]\nname = "a"'), ["T004"]),
        (('name = "doubles"', "tolerance = -1\ncount = -2\nindices = 3\nshader = 1.5"), ["T004"] * 4),
        (("[uniforms]\nk = [2, 2, 2, 2]", "uniforms = 2"), ["T004"]),
        (('name = "doubles"', "tolerance = {positron = 1}"), ["T002"]),
        (('name = "doubles"', "name = [[1, 0], [0, 1]]"), ["T004"]),
        (('name = "doubles"', "name = {}\nshader = true"), ["T004"] * 2),
        (('name = "doubles"', "profile = {self = 1}"), ["T004"]),
        (("k = [2, 2, 2, 2]", f"k = {'9' * 5000}"), ["T001"]),
        (("k = [2, 2, 2, 2]", f"k = {'[' * 5000}{']' * 5000}"), ["T001"]),
    ],
)
def test_mistakes_in_a_file(tmp_path: Path, change: tuple[str, str], codes: list[str]):
    (tmp_path / "double.v.pica").write_text(DOUBLE)
    path = tmp_path / "a.shadertest.toml"
    path.write_text(FILE.replace(*change))
    with pytest.raises(InputError) as raised:
        read(path)
    found = raised.value.diagnostics
    assert sorted(finding.code for finding in found) == codes
    for finding in found:
        assert finding.fix
        assert finding.span.file == str(path)
        assert finding.span.line or finding.code == "T001"


def test_mistakes_are_shown_and_other_files_go_on(pytester: pytest.Pytester, here: Path):
    (here / "b.shadertest.toml").write_text("program = [\n")
    (here / "c.shadertest.toml").write_text(FILE.replace("p = ", "q = "))
    done = pytester.runpytest_inprocess(*PLUGIN, "--continue-on-collection-errors")
    done.assert_outcomes(failed=1, errors=1)
    done.stdout.fnmatch_lines(["error[[]T001]: invalid TOML*", "error[[]B001]*"])
    done.stdout.no_fnmatch_line("*Traceback*")


def test_a_link_that_leaves_its_project_is_not_read(pytester: pytest.Pytester, here: Path, tmp_path: Path):
    (tmp_path / "private").write_text("a secret = \n")
    (here / "lanewise.toml").touch()
    (here / "b.shadertest.toml").symlink_to(tmp_path / "private")
    done = pytester.runpytest_inprocess(*PLUGIN, "--continue-on-collection-errors")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["cannot read *b.shadertest.toml: it is outside of the project *"])
    done.stdout.no_fnmatch_line("*secret*")


def test_a_file_that_is_too_large_is_a_sentence(pytester: pytest.Pytester, here: Path):
    with (here / "a.shadertest.toml").open("wb") as file:
        file.truncate(17 << 20)
    done = pytester.runpytest_inprocess(*PLUGIN)
    done.stdout.fnmatch_lines(["cannot read *a.shadertest.toml: the file is larger than 16 MiB, the limit for a shader test"])


@pytest.mark.parametrize("name", ["lanewise.toml", "pyproject.toml"])
def test_a_configuration_that_cannot_be_read_is_a_sentence(name: str, pytester: pytest.Pytester, here: Path):
    (here / name).mkdir()
    (here / "a.shadertest.toml").write_text(FILE)
    done = pytester.runpytest_inprocess(*PLUGIN)
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([f"cannot read the configuration *{name}: it is a folder, expected a file"])
    assert "UsageError" not in done.stdout.str()


def test_a_program_that_does_not_assemble_or_end(pytester: pytest.Pytester, here: Path):
    (here / "double.v.pica").write_text(DOUBLE.replace("mul", "mull"))
    done = run(pytester, FILE)
    done.stdout.fnmatch_lines(["error[[]P001]: unknown instruction 'mull'"])
    (here / "double.v.pica").write_text(DOUBLE.replace("    end\n", ""))
    done = run(pytester, FILE)
    done.stdout.fnmatch_lines(["error[[]R003]: 2 vertices (0, 1) stopped*"])


def test_values_of_the_file_and_of_the_test(tmp_path: Path):
    (tmp_path / "double.v.pica").write_text(DOUBLE)
    path = tmp_path / "a.shadertest.toml"
    top = '[inputs]\np = 9\n[profile]\npreset = "azahar"\nrounding = "nearest"\n[[test]]'
    path.write_text(
        "tolerance = 3\ncount = 2\n"
        + FILE.replace("[[test]]", top)
        + "[test.tolerance]\nposition = 1\n[[test]]\noutputs = {position = 1}\n"
    )
    first, second = read(path)
    assert (first.name, second.name) == ("doubles", "test 2")
    assert (first.line, second.line) == (13, 21)
    cases = [first.case, second.case]
    assert [case.tolerance for case in cases] == [{"position": 1}, 3]
    assert [case.inputs["p"].tolist() for case in cases] == [[[1, 2, 3], [0.5, 0, 0]], 9]
    assert cases[1].count == 2
    assert isinstance(cases[1].profile, lw.pica200.Profile)
    assert cases[1].profile.describe() == "azahar, rounding=nearest"


def test_a_program_of_an_isa_without_shader_tests(pytester: pytest.Pytester, here: Path, monkeypatch: pytest.MonkeyPatch):
    changed = [
        package._replace(shader_tests=None) if package.name == "shadercore" else package for package in packages.packages()
    ]
    monkeypatch.setattr(packages, "PACKAGES", tuple(changed))
    (here / "light.sc").write_text("end\n")
    done = run(pytester, FILE.replace("double.v.pica", "light.sc"))
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["error[[]T005]: *light.sc is a ShaderCore*: shader tests run programs of PICA200, Direct3D 9"])
    done.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("('double.v.pica', {'p': 1}, {'k': 1}, {'pos': 1})", "give the rest by name, inputs=, uniforms=, outputs="),
        ("('.in p\\n.end\\n', outputs={'pos': 1})", "`shadertest(lanewise.assemble(text).vertex, ...)`"),
        ("('a.shadertest.toml')", "`pytest a.shadertest.toml`"),
        ("('double.v.pica', inputs={'p': 1})", "give what is expected, `outputs={'position': rows}`"),
        (
            f"('double.v.pica', {RIGHT}, tolerance=1e-6)",
            "tolerance is 1e-06, expected a whole number of steps, 0 or more: ",
        ),
        (f"('double.v.pica', {RIGHT}, count='2')", "count is '2', expected a whole number: write 2"),
        (f"('double.v.pica', {RIGHT}, expected=2)", "has no argument 'expected': did you mean outputs"),
        (f"(3, {RIGHT})", "expected a program, such as `lanewise.load(path)` gives, found 3"),
        (f"('double.v.pica', {RIGHT}, profile='fast')", "profile"),
    ],
)
def test_calls_of_the_fixture_that_cannot_be_meant(call: str, said: str, tmp_path: Path) -> None:
    from lanewise.tools.pytest_items import compare

    (tmp_path / "double.v.pica").write_text(DOUBLE)
    with pytest.raises(pytest.fail.Exception) as caught:
        eval(f"shadertest{call}", {"shadertest": compare(tmp_path)})
    assert not caught.value.pytrace
    assert said in str(caught.value)


def test_the_fixture_refuses_what_is_not_a_program():
    with pytest.raises(
        TypeError,
        match="found 3: ShaderFile, Shader, Pipeline, ShaderCoreProgram, Direct3DShader",
    ):
        service_of(3)


def test_steps_between_words():
    values = [0.0, 1.0, -1.0, np.inf, (2 - 2**-16) * 2.0**63, np.nan, 2.0**-62]
    words = float24.encode(values)
    above = words + 1
    assert ulps(words[:3], above[:3]).tolist() == [1, 1, 1]
    assert ulps(words[4:5], words[3:4]).tolist() == [1]  # the largest number and infinity
    assert ulps(words[5:6], words[5:6]).tolist() == [0]
    assert ulps(words[5:6], words[3:4]).tolist() == [-1]
    assert ulps(np.array([0x800000, 0x800001], np.uint32), np.array([0, 1], np.uint32)).tolist() == [0, 2]
    assert ulps(words[1:2], words[6:7]).tolist() == [62 << 16]


def test_what_is_expected_may_have_many_shapes():
    shader = lw.assemble(DOUBLE).vertex

    def differing(outputs: dict[str, object], tolerance: int = 0) -> list[tuple[str, int, int | None]]:
        case = Case(outputs=outputs, inputs={"p": [[1, 2, 3], [0.1, 0, 0]]}, uniforms={"k": [2, 2, 2, 2]}, tolerance=tolerance)  # type: ignore[arg-type]
        return [(f"{found.key}.{found.component}", found.vertex, found.ulps) for found in mismatches(shader, case)]

    assert differing({"position": [[2, 4, 3, 1], [0.2, 0, 0, 1]]}) == []
    assert differing({"pos": [[2, 4], [0.2, 0]], "o0.wz": [[1, 3], [1, 0]]}) == []
    assert differing({"position.w": 1}) == []
    assert differing({"position.x": [[2], [0.20001]]}, tolerance=5) == []
    assert [place for *place, _ in differing({"position": [2, 4, 3, 1]})] == [
        ["position.x", 1],
        ["position.y", 1],
        ["position.z", 1],
    ]
    assert differing({"position.w": float("nan")}) == [("position.w", 0, None), ("position.w", 1, None)]
    wrong = {"colour": 1, "position.xa": 1, "position": [[1] * 5] * 2, "pos": [[1]] * 3, "o0": "one", "o0.x": 10**400}
    with pytest.raises(InputError) as raised:
        differing(wrong)  # type: ignore[arg-type]
    assert [finding.code for finding in raised.value.diagnostics] == ["B001", "B001", "B002", "B002", "B003", "B003"]
    assert all(finding.fix for finding in raised.value.diagnostics)


def test_a_component_that_nobody_wrote(tmp_path: Path):
    shader = lw.assemble(DOUBLE.replace("pos.zw", "r1.zw")).vertex
    (found,) = mismatches(shader, Case(outputs={"position.w": 1}, inputs={"p": 1}, uniforms={"k": [2, 2, 2, 2]}))
    assert str(found).endswith("; never written")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.shadertest.toml")), ids=lambda path: path.name)
def test_the_tests_of_the_examples_pass(path: Path):
    for test in read(path):
        assert failure(test) == ""


def test_the_tests_of_the_docs_are_examples():
    page = (REPOSITORY / "docs" / "testing.md").read_text()
    files = {path.read_text() for path in EXAMPLES.glob("*.shadertest.toml")}
    _, *whole = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)  # the first is a part of toon's
    assert len(whole) == 2 and set(whole) <= files


def test_a_pipeline_that_gives_something_else(pytester: pytest.Pytester):
    for path in EXAMPLES.glob("subdivide.*"):
        shutil.copy(path, pytester.path)
    file = pytester.path / "subdivide.shadertest.toml"
    file.write_text(file.read_text().replace('"color.xyz" = [1, 0.5, 0]', '"color.xyz" = [1, 0.75, 0]'))
    done = run(pytester)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["12 components differ:", "  color.y of vertex 0: expected 0.75 *", "  and 4 more"])


def test_nothing_is_imported_where_there_is_nothing_to_test():
    code = (
        "import sys, lanewise.tools.pytest_plugin\n"
        "loaded = sorted(name for name in sys.modules if name.startswith('lanewise'))\n"
        "assert loaded == ['lanewise', 'lanewise.tools', 'lanewise.tools.pytest_plugin'], loaded\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_key_has_its_page():
    assert "### T005" in page()
    text = (REPOSITORY / "docs" / "testing.md").read_text()
    for key in (
        "program",
        "shader",
        "profile",
        "tolerance",
        "inputs",
        "uniforms",
        "geometry_uniforms",
        "indices",
        "count",
        "name",
        "outputs",
        "registers",
        "faults",
        "killed",
        "cycles",
        "integers",
        "booleans",
        "samplers",
        "initial",
        "data",
        "defaults",
        "device",
        "rule",
    ):
        assert f"`{key}`" in text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("any")
    (made / "double.v.pica").write_text(DOUBLE)
    return made


VALUES = [
    "[[1, 0], [0, 1]]",
    "{ self = 1 }",
    "9" * 400,
    "1",
    "-1",
    "nan",
    "true",
    '"x"',
    "[]",
    "[1, 2]",
    "[[1], [2, 3]]",
    "{}",
    "{ position = 1 }",
    "1979-05-27",
    "[[[1]]]",
    '"azahar"',
    "1e300",
]


@examples(75, 1500)
@given(st.integers(0, 2**32))
def test_any_file_is_read_or_refused_in_words(folder: Path, seed: int):
    rng = random.Random(seed)
    lines: list[str] = [*FILE.splitlines()]
    for _ in range(rng.randrange(4)):
        key = rng.choice(
            ["name", "count", "tolerance", "profile", "shader", "indices", "k", "p", "position", "outputs", "program", "test"]
        )
        lines.insert(rng.randrange(len(lines)), f"{key} = {rng.choice(VALUES)}")
    if rng.random() < 0.3:
        del lines[rng.randrange(len(lines))]
    path = folder / "a.shadertest.toml"
    path.write_text("\n".join(lines))
    try:
        for test in read(path):
            failure(test)
    except InputError as error:
        assert error.diagnostics
