"""Compilers of other projects: which is taken, how it is run, what becomes of its messages. None has to be installed: a program
that stands for one is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from installed import needs
from lanewise.compile.outside import compilers, running
from lanewise.compile.outside.compilers import COMPILERS, Job
from lanewise.compile.outside.messages import messages
from lanewise.compile.outside.module import Spirv
from lanewise.compile.outside.modules import LIMIT, to_spirv
from lanewise.compile.outside.sources import including
from lanewise.core.diagnostics import InputError
from lanewise.core.service import SourceFile
from lanewise.tools import cli

GLSL = "#version 330\nin vec4 place;\nvoid main() {\n  gl_Position = plaice;\n}\n"
SPIRV = b"\x03\x02\x23\x07"
# Writes its arguments into the file after -o, or behaves as the variable says.
STAND_IN = """#!{python}
import os, sys, time
out = sys.argv[sys.argv.index("-o") + 1]
kind = os.environ.get("STAND_IN", "")
if kind == "hang":
    open(os.environ["STARTED"], "w").write(str(os.getpid()))
    time.sleep(60)
if kind == "error":
    source = [a for a in sys.argv if a.endswith(".vert")][0]
    sys.exit(print(source + ":4: error: 'plaice' : undeclared identifier") or 1)
if kind == "strict" and "-O" in sys.argv:
    sys.exit(print("%4 = OpVariable %3 UniformConstant") or 1)
if kind == "vulkan" and "--target-env=vulkan" not in sys.argv:
    sys.exit(print("light.vert:2: error: 'set' : only allowed when using GLSL for Vulkan") or 1)
if kind == "cascade":
    sys.exit(print("\\n".join("light.vert:%d: error: 'q' : odd" % n for n in range(1, 12))) or 1)
if kind == "silent":
    sys.exit(3)
if kind == "include":
    (source,) = [a for a in sys.argv if a.endswith(".vert")]
    lines = open(source).read().split("\\n")
    for number, line in enumerate(lines, 1):
        if line.startswith("#error"):
            print(source + ":%d: error: '#error' : %s" % (number, line[7:]))
        elif line.startswith("#include"):
            name = line.split('"')[1]
            print(name + ":1: error: " + open(name).read().strip())
    sys.exit(1)
if kind == "memory":
    bytearray(8 << 30)
if kind == "files":
    with open(out, "wb") as file:
        file.write(bytes(128 << 20))
if kind == "time":
    while True:
        pass
if kind == "talk":
    print("x" * (4 << 20))
if kind == "warning":
    source = [a for a in sys.argv if a.endswith(".vert")][0]
    print(source + ":2: warning: 'place' : odd")
with open(out, "wb") as file:
    file.write({magic!r} + "\\n".join(sys.argv[1:]).encode())
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A glslc on PATH, alone, with a folder for temporary files."""
    program = tmp_path / "bin" / "glslc"
    program.parent.mkdir()
    program.write_text(STAND_IN.format(python=sys.executable, magic=SPIRV))
    program.chmod(0o755)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(compilers, "COMPILERS", COMPILERS[:3])
    return tmp_path


def _nowhere(_: tuple[str, ...]) -> tuple[str, ...]:
    return ()


def source(text: str = GLSL, path: str = "shaders/light.vert") -> SourceFile:
    return SourceFile(path, text.encode(), path)


def arguments(found: Spirv) -> list[str]:
    assert found.data.startswith(SPIRV)
    return found.data[len(SPIRV) :].decode().split("\n")


def test_the_module_and_what_compiled_it(stand_in: Path):
    found = to_spirv(source(), "glsl", defines=("LIGHTS=4", "FOG"), folders=("include",))
    given = arguments(found)
    assert found.compiler == f"glslc ({stand_in / 'bin' / 'glslc'})"
    assert [each for each in given if each.startswith("-D")] == ["-DLIGHTS=4", "-DFOG"]
    assert not [each for each in given if each.startswith("-I")], "a compiler searches no folder"
    assert {"--target-env=opengl", "-O0", "-g"} <= set(given)
    assert "-O" in arguments(to_spirv(source(), "glsl", optimised=True))
    assert found.written[0] == "light.vert"
    assert not list((stand_in / "temporary").iterdir())


@pytest.mark.parametrize("name", ["glslc", "glslang"])
def test_semantics_of_hlsl_are_asked_for(name: str):
    row = next(each for each in COMPILERS if each.name == name)
    job = Job(language="hlsl", source="a", output="b", defines=(), entry="main", optimised=False, modern=True)
    assert "-fhlsl_functionality1" in row.arguments(job)
    assert "-fhlsl_functionality1" not in row.arguments(job._replace(language="glsl"))


SEMANTICS = (
    "struct V { float4 a : POSITION; float4 b : COLOR0; };\nfloat4x4 m;\n"
    "V main(float4 p : POSITION, inout float2 uv : TEXCOORD1, float3 n : NORMAL)\n"
    "{ V o; o.a = mul(p, m); o.b = n.xyzz; return o; }\n"
)


LIVE = [pytest.param("glslc", marks=needs("glslc")), pytest.param("glslang", marks=needs("glslangValidator"))]


@pytest.mark.parametrize("name", LIVE)
def test_semantics_of_hlsl_arrive(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.hlsl").write_text(SEMANTICS)
    assert cli.main(["compile", str(tmp_path / "a.hlsl"), "--stage", "vector", "--glsl-compiler", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    said = {line.split()[2].partition(".")[0]: line.rpartition(" as ")[2] for line in lines if line.startswith("input ")}
    assert said == {"p": "position", "uv": "texcoord1", "n": "normal"}
    outputs = {line.split()[1]: line.rpartition(" as ")[2] for line in lines if line.startswith("output ")}
    assert outputs == {"a": "position", "b": "color", "uv": "texcoord1"}


@pytest.mark.parametrize(
    ("version", "modern"),
    [
        ("#version 330", True),
        ("#version 450 core", True),
        ("#version 310 es", True),
        ("", False),
        ("#version 120", False),
        ("#version 300 es", False),
        ("#version 100", False),
    ],
)
def test_old_glsl_is_made_new(version: str, modern: bool, stand_in: Path):
    given = arguments(to_spirv(source(f"{version}\nattribute vec4 p;\nvoid main() {{}}\n"), "glsl"))
    assert ("-std=450core" in given) == (not modern)
    assert ("-Dattribute=in" in given) == (not modern)


def test_errors_are_findings_at_the_line(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STAND_IN", "error")
    with pytest.raises(InputError) as raised:
        to_spirv(source(), "glsl")
    (finding,) = raised.value.diagnostics
    assert (finding.code, finding.message) == ("L901", "glslc: 'plaice' : undeclared identifier")
    assert (finding.span.file, finding.span.line, finding.span.text) == ("shaders/light.vert", 4, "  gl_Position = plaice;")
    assert not list((stand_in / "temporary").iterdir())


def test_the_mode_of_glsl_is_found_by_trying(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STAND_IN", "vulkan")
    assert "--target-env=vulkan" in arguments(to_spirv(source(), "glsl"))
    monkeypatch.delenv("STAND_IN")
    assert "--target-env=opengl" in arguments(to_spirv(source(), "glsl"))


def test_of_many_errors_the_first_are_shown(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STAND_IN", "cascade")
    with pytest.raises(InputError) as raised:
        to_spirv(source(), "glsl")
    assert [each.span.line for each in raised.value.diagnostics] == [1, 2, 3, 4, 5]
    assert raised.value.diagnostics[-1].notes == ("glslc reports 6 more errors",)


VULKAN = """#version 450
layout(location = 0) in vec3 position;
layout(set = 0, binding = 1) uniform Camera { mat4 projection; };
layout(push_constant) uniform Push { vec4 tint; };
layout(location = 0) out vec4 color;
void main() { color = tint; gl_Position = projection * vec4(position, 1.0); }
"""


@pytest.mark.parametrize("name", LIVE)
def test_glsl_for_vulkan(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.vert").write_text(VULKAN)
    assert cli.main(["compile", str(tmp_path / "a.vert"), "--stage", "vector", "--glsl-compiler", name]) == 0
    uniforms = [line.split()[2] for line in capsys.readouterr().out.splitlines() if line.startswith("uniform ")]
    assert uniforms == ["tint[1].xyzw", "projection[4].xyzw"]
    (tmp_path / "a.vert").write_text(VULKAN.replace("color = tint", "color = taint"))
    assert cli.main(["compile", str(tmp_path / "a.vert"), "--stage", "vector", "--glsl-compiler", name]) == 1
    text = capsys.readouterr().err
    assert "'taint'" in text
    assert "Vulkan" not in text


def test_warnings_are_findings_too(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STAND_IN", "warning")
    (finding,) = to_spirv(source(), "glsl").diagnostics
    assert (finding.code, finding.severity, finding.span.line) == ("L902", "warning", 2)


def test_a_source_that_is_not_optimised(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    """As glslc does with uniforms of type bool."""
    monkeypatch.setenv("STAND_IN", "strict")
    found = to_spirv(source(), "glsl", optimised=True)
    assert "-O0" in arguments(found)
    (finding,) = found.diagnostics
    assert (finding.code, finding.message) == ("L902", "glslc cannot optimise this source: it is compiled without")


def test_a_compiler_that_fails_without_a_word(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STAND_IN", "silent")
    with pytest.raises(InputError, match="glslc ends with code 3"):
        to_spirv(source(), "glsl")


def test_a_compiler_that_does_not_end(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STAND_IN", "hang")
    monkeypatch.setenv("STARTED", str(stand_in / "started"))
    with pytest.raises(InputError, match="did not end within"):
        to_spirv(source(), "glsl", limit=0.01)
    assert not list((stand_in / "temporary").iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are set from outside on Linux only")
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("memory", "MemoryError"),
        ("files", "File too large|wrote more than 64 MiB"),
        ("time", "took more than 1 s of the processor|did not end within 0.5 s"),
    ],
)
def test_a_compiler_has_limits(kind: str, message: str, stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STAND_IN", kind)
    with pytest.raises(InputError, match=message):
        to_spirv(source(), "glsl", limit=0.5 if kind == "time" else LIMIT)
    assert not list((stand_in / "temporary").iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are set from outside on Linux only")
def test_the_limits_of_a_process(tmp_path: Path):
    import resource

    code = (
        "import resource as r; input(); print(*[r.getrlimit(kind)[0] for kind in (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_FSIZE)])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path, text=True
    ) as process:
        running.limit_process(process.pid, 7.5)
        out, _ = process.communicate("\n")
    assert out.split() == [str(running.MEMORY), "8", str(running.ROOM)]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != running.ROOM, "this process has none of them"


def unlimited(process: int, limit: float) -> None:
    """What it is elsewhere."""


def test_what_a_compiler_writes_is_looked_at(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    """Where the system has no limits."""
    monkeypatch.setattr(running, "limit_process", unlimited)
    monkeypatch.setenv("STAND_IN", "files")
    with pytest.raises(InputError, match=r"glslc (wrote more than 64 MiB|ends with code 0)"):
        to_spirv(source(), "glsl")
    monkeypatch.setenv("STAND_IN", "talk")
    assert to_spirv(source(), "glsl").data.startswith(SPIRV)


def test_included_files_are_given_to_the_compiler(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STAND_IN", "include")
    texts = {"shaders/a.glsl": "one of a", os.path.normpath("more/b.glsl"): "one of b"}

    def read(path: str) -> str:
        if path.startswith("/"):
            raise OSError(22, "it is outside of the project")
        try:
            return texts[path]
        except KeyError:
            raise FileNotFoundError(2, "No such file", path) from None

    text = '#version 330\n#include "a.glsl"\n\n#include <b.glsl>\n#include "c.glsl"\n#include "/dev/zero"\n#include X\n'
    with pytest.raises(InputError) as raised:
        to_spirv(source(text), "glsl", folders=("more",), read=read)
    found = [(each.code, each.span.file, each.span.line, each.message) for each in raised.value.diagnostics]
    own = "shaders/light.vert"
    assert found == [
        ("L901", "shaders/a.glsl", 1, "glslc: one of a"),
        ("L901", os.path.normpath("more/b.glsl"), 1, "glslc: one of b"),
        (
            "L905",
            own,
            5,
            "'c.glsl' is not included: no such file as "
            f"{os.path.normpath('shaders/c.glsl')} or {os.path.normpath('more/c.glsl')}",
        ),
        ("L905", own, 6, "'/dev/zero' is not included: it is outside of the project"),
        ("L905", own, 7, "'X' is not included: name the file in quotes"),
    ]
    with pytest.raises(InputError, match=r"'a\.glsl' is not included: files are not read here"):
        to_spirv(source(text), "glsl")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_the_compiler(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    """The handler of the signal runs while the process is waited for."""
    monkeypatch.setenv("STAND_IN", "hang")
    monkeypatch.setenv("STARTED", str(stand_in / "started"))
    processes: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen):  # pyright: ignore[reportMissingTypeArgument]
        def wait(self, timeout: float | None = None) -> int:
            if self not in processes:
                processes.append(self)
                raise KeyboardInterrupt
            return super().wait(timeout)

    monkeypatch.setattr(running.subprocess, "Popen", Watched)
    with pytest.raises(KeyboardInterrupt):
        to_spirv(source(), "glsl")
    assert processes[0].returncode == -signal.SIGKILL
    assert not list((stand_in / "temporary").iterdir())
    assert threading.active_count() >= 1


def test_a_compiler_beside_the_sources_is_not_run(stand_in: Path, monkeypatch: pytest.MonkeyPatch):
    program = stand_in / "bin" / "glslc"
    for name in ("glslc", "glslc.exe", "slangc"):
        (stand_in / name).write_text("#!/bin/sh\ntouch started\n")
        (stand_in / name).chmod(0o755)
    monkeypatch.chdir(stand_in)
    for path in ("", ".", os.curdir + os.sep, "bin"):  # Windows looks into the current folder too, whatever PATH is
        monkeypatch.setenv("PATH", path)
        assert [row.find(row.programs) for row in COMPILERS[:3]] == [(), (), ()]
    monkeypatch.setenv("PATH", os.pathsep.join([".", "", str(program.parent)]))
    (glslc, *rest) = [row.find(row.programs) for row in COMPILERS[:3]]
    assert (glslc, rest) == ((str(program),), [(), ()])
    assert not (stand_in / "started").exists()


def test_none_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(compilers, "COMPILERS", [row._replace(find=_nowhere) for row in COMPILERS])
    with pytest.raises(InputError) as raised:
        to_spirv(source(), "glsl")
    (finding,) = raised.value.diagnostics
    assert finding.code == "L900"
    assert finding.message == "GLSL needs a compiler to SPIR-V, and none is installed"
    assert finding.fix == "install one: `pip install 'lanewise[glsl]'`; or give its SPIR-V"
    (note,) = finding.notes
    assert note.startswith("without pip: ")
    with pytest.raises(InputError, match="glslc does not compile Slang"):
        to_spirv(source(), "slang", compiler="glslc")
    with pytest.raises(InputError, match="and glslc is not installed"):
        to_spirv(source(), "glsl", compiler="glslc")


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("a.frag", GLSL, "its suffix is .frag"),
        ("a.vsh", "void main() {\n  gl_FragColor = vec4(1.0);\n}\n", "it uses gl_FragColor"),
    ],
)
def test_another_stage_is_refused(path: str, text: str, reason: str):
    with pytest.raises(InputError, match=f"this is not a vertex shader: {reason}"):
        to_spirv(source(text, path), "glsl")
    assert to_spirv


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("float4 main() : SV_Position { return 0; }", "main"),
        ("float4 VSMain() : SV_Position { return 0; }", "VSMain"),
        ('float4 main2();\n[shader("vertex")]\nfloat4 work(float3 p) : SV_Position { return 0; }', "work"),
        ("// main()\nfloat4 vertexMain() : SV_Position { return 0; }", "vertexMain"),
        ("float4 other() { return 0; }", "main"),
    ],
)
def test_the_entry_of_hlsl(text: str, entry: str, stand_in: Path):
    assert f"-fentry-point={entry}" in arguments(to_spirv(source(text, "a.hlsl"), "hlsl"))
    assert "-fentry-point=chosen" in arguments(to_spirv(source(text, "a.hlsl"), "hlsl", entry="chosen"))


def test_the_name_of_the_file_is_safe(stand_in: Path):
    found = to_spirv(source(path="-odd; name$.vsh"), "glsl")
    assert found.written[0] == "odd__name_.vsh.vert"
    assert to_spirv(source(path="-"), "glsl").written[0] == "shader.vert"


def test_glslang_is_asked_for_include():
    assert including("#version 450\nvoid main() {}\n") == "#version 450\nvoid main() {}\n"
    assert (
        including('// a\n#version 450\n#include "b"\n')
        == '// a\n#version 450\n#extension GL_GOOGLE_include_directive : enable\n#line 3\n#include "b"\n'
    )
    assert including('#include "b"\n').startswith("#extension GL_GOOGLE_include_directive : enable\n#line 1\n#include")


def test_the_arguments_of_each(tmp_path: Path):
    job = Job(language="glsl", source="in.vert", output="out.spv", defines=("A=1",), entry="main", optimised=True, modern=False)
    for row in COMPILERS:
        given = row.arguments(job)
        assert {"in.vert", "out.spv"} <= set(given)
        assert any("attribute=in" in each for each in given)
        assert any("A=1" in each for each in given)
    assert "-Os" in COMPILERS[1].arguments(job)
    assert "-D" in COMPILERS[1].arguments(job._replace(language="hlsl"))


def test_messages_of_each_compiler():
    names, texts = {"/tmp/x/a.vert": "a.vert", "0": "a.vert"}, {"a.vert": "one\ntwo\nthree\n"}
    said = {
        "glslc": "/tmp/x/a.vert:2: error: 'q' : undeclared identifier\nglslc: error: cannot open\n1 error generated.\n",
        "glslang": "/tmp/x/a.vert\nERROR: /tmp/x/a.vert:2: 'q' : undeclared identifier \n"
        "ERROR: 1 compilation errors.  No code generated.\n\n\n"
        "SPIR-V is not generated for failed compile or link\n",
        "slangc": "/tmp/x/a.vert(2): error 30015: undefined identifier 'q'.\n    two\n    ^\n",
        "slangpy": (
            "error[E30027]: member not found\n --> /tmp/x/a.vert:2:5\n  |\n2 | two\n  |     ^^^ 'q' is not a member of 'V'.\n"
            "--'\n"
        ),
    }
    for name, text in said.items():
        first = messages(name, text, names, texts)[0]
        assert (first.code, first.span.file, first.span.line, first.span.text) == ("L901", "a.vert", 2, "two"), name
        assert "'q'" in first.message
        assert first.message.startswith(f"{name}: ")
    assert [each.span.line for each in messages("glslc", said["glslc"], names, texts)] == [2, 0]
    assert len(messages("glslang", said["glslang"], names, texts)) == 1
    assert messages("glslc", "inc.glsl:7: error: 'y' : undeclared\n", names, texts)[0].span.file == "inc.glsl"
    assert not messages(
        "glslc", "a: warning: (version, profile) forced to be (450, core), while in source code it is (100, es)\n", names, texts
    )
    assert messages("glslang", "ERROR: 0:3: '' : bad\n", names, texts)[0].span.line == 3


def test_the_command_shows_them(stand_in: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(stand_in)
    monkeypatch.setenv("STAND_IN", "error")
    Path("light.vert").write_text(GLSL)
    for command in (["compile", "light.vert"], ["check", "light.vert"], ["run", "light.vert"], ["graph", "light.vert"]):
        assert cli.main(command) == 1
        out, err = capsys.readouterr()
        assert "light.vert:4" in out + err
        assert "error[L901]: glslc: 'plaice' : undeclared identifier" in out + err
    assert sorted(path.name for path in stand_in.iterdir()) == ["bin", "light.vert", "temporary"]


@pytest.mark.parametrize(
    ("data", "what"),
    [(b" \n", "is empty"), (b"void main() {}\0\1\2", "is not a text"), (b"a" * (5 << 20), "has 5 MiB: sources have 4 at most")],
)
def test_a_file_that_cannot_be_a_source_is_not_given_to_a_compiler(data: bytes, what: str):
    with pytest.raises(InputError) as failed:
        to_spirv(SourceFile("a.vert", data, "a.vert"), "glsl")
    assert [(each.code, each.message) for each in failed.value.diagnostics] == [
        ("L903", f"this is not a vertex shader: a.vert {what}")
    ]
