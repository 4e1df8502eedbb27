"""The compilers of other projects, a row for each, and the one that compiles a source: `to_spirv`.

A compiler is looked for on PATH; that of slangpy is found where pip puts it. It runs as a process with the source in a folder
of its own, which is removed.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from lanewise.compile.outside import slang_library
from lanewise.compile.outside.effects import has_techniques, vertex_shaders, without_effects
from lanewise.compile.outside.fixed_function import Refused, as_written, without_builtins
from lanewise.compile.outside.includes import MARK, Copy, Included, resolve
from lanewise.compile.outside.messages import messages
from lanewise.compile.outside.running import run
from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, InputError, has_errors, listed, visible
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span, decode_text
from lanewise.core.writing import write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.service import SourceFile

_LARGEST = 1 << 22  # bytes of a source
LIMIT = 60.0  # seconds that a compiler may take
_MOST_NOTES = 5  # and errors of a compiler: what follows is mostly a consequence
_STAGES = (".frag", ".fsh", ".fs", ".geom", ".gsh", ".tesc", ".tese", ".comp", ".psh")
_OTHER_STAGE = re.compile(
    r"\b(gl_Frag(?:Color|Coord|Data|Depth)|gl_FrontFacing|EmitVertex\s*\(|gl_GlobalInvocationID|gl_TessCoord|gl_PointCoord)\b"
)
_VERSION = re.compile(r"^[ \t]*#[ \t]*version[ \t]+(\d+)(?:[ \t]+(es|core|compatibility))?", re.MULTILINE)
_VULKAN = re.compile(r"\bset\s*=|\b(?:push_constant|gl_VertexIndex|gl_InstanceIndex|input_attachment_index)\b")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b", re.MULTILINE)
_ATTRIBUTED = re.compile(r"\[\s*shader\s*\(\s*\"vertex\"\s*\)\s*\]\s*[\w<>,\s]+?\b(\w+)\s*\(")
_ENTRIES = re.compile(r"\b(main|vertexMain|VSMain|vs_main|VS_Main|mainVS|main_vs|vsMain|vert|VS)\s*\(")


class Job(Record):
    """A source to compile."""

    language: str
    "`glsl`, `hlsl` or `slang`."
    source: str
    "The path of the source in the folder in which the compiler runs."
    output: str
    "The path of the module in that folder."
    defines: tuple[str, ...]
    "Macros of the user, NAME or NAME=VALUE."
    entry: str
    "The name of the entry point."
    optimised: bool
    "The compiler optimises the module (`-O`)."
    modern: bool
    "It is not GLSL of a version for which SPIR-V is not defined."
    vulkan: bool = False
    "It is GLSL for Vulkan, not for OpenGL."

    @property
    def macros(self) -> tuple[str, ...]:
        """The definitions, with those that make old GLSL new."""
        return (*self.defines, *(() if self.modern else ("attribute=in", "varying=out")))


class Compiler(Record):
    """A compiler of another project."""

    name: str
    "The name for `--glsl-compiler`."
    programs: tuple[str, ...]
    "The names by which `find` looks for it."
    languages: tuple[str, ...]
    "The languages that it compiles."
    arguments: Callable[[Job], list[str]]
    "The function that gives its arguments for a job."
    find: Callable[[tuple[str, ...]], tuple[str, ...]]
    "The function that gives the beginning of its command line; empty where it is not installed."
    has_modes: bool = False
    "It takes GLSL for OpenGL or GLSL for Vulkan, whichever it is asked for."


class Spirv(Record):
    """A module."""

    data: bytes
    "The bytes of the module, in either byte order."
    compiler: str = ""
    "The compiler with its path; empty for a module that was given."
    diagnostics: tuple[Diagnostic, ...] = ()
    "The warnings of the compiler."
    written: tuple[str, ...] = ()
    "The names that the source may have in the module, the first of them that of the file."
    included: Mapping[str, Copy] = {}
    "The included files by the names that they may have in the module."


def _glslc(job: Job) -> list[str]:
    kind = (
        ["-x", "hlsl", f"-fentry-point={job.entry}", "-fauto-bind-uniforms", "-fhlsl_functionality1"]
        if job.language == "hlsl"
        else ["--target-env=vulkan" if job.vulkan else "--target-env=opengl"]
    )
    version = [] if job.modern else ["-std=450core"]
    return [
        *kind,
        *version,
        "-fshader-stage=vert",
        "-fauto-map-locations",
        "-fauto-bind-uniforms",
        "-g",
        "-O" if job.optimised else "-O0",
        *[f"-D{macro}" for macro in job.macros],
        job.source,
        "-o",
        job.output,
    ]


def _glslang(job: Job) -> list[str]:
    kind = ["-D", "-V", "-e", job.entry, "-fhlsl_functionality1"] if job.language == "hlsl" else ["-V" if job.vulkan else "-G"]
    version = [] if job.modern else ["--glsl-version", "450"]
    return [
        *kind,
        *version,
        "-S",
        "vert",
        "--aml",
        "--amb",
        "-g",
        *(["-Os"] if job.optimised else []),
        *[f"-D{macro}" for macro in job.macros],
        "-o",
        job.output,
        job.source,
    ]


def _slang(job: Job) -> list[str]:
    return [
        "-lang",
        job.language,
        *(["-allow-glsl"] if job.language == "glsl" else []),
        job.source,
        "-target",
        "spirv",
        "-stage",
        "vertex",
        "-entry",
        job.entry,
        "-g1",
        "-fspv-reflect",  # semantics
        "-O2" if job.optimised else "-O0",
        "-I",
        ".",
        *[f"-D{macro}" for macro in job.macros],
    ]


def _slangc(job: Job) -> list[str]:
    return [*_slang(job), "-o", job.output]


def _slangpy(job: Job) -> list[str]:
    return [job.output, *_slang(job)]


def _on_path(programs: tuple[str, ...]) -> tuple[str, ...]:
    """The program in the folders of PATH. Those that are not absolute, and the current one, where Windows looks first, can be
    of whoever wrote the sources."""
    suffix = ".exe" if os.name == "nt" else ""
    for program in programs:
        for folder in filter(os.path.isabs, os.get_exec_path()):
            path = Path(folder, program + suffix)
            if path.is_file() and os.access(path, os.X_OK):
                return (str(path),)
    return ()


def _of_slangpy(names: tuple[str, ...]) -> tuple[str, ...]:
    """The command line that runs the library of an installed slangpy."""
    spec = find_spec(names[0])
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for pattern in names[1:]:
            for library in sorted(Path(folder).glob(pattern)):
                return sys.executable, "-I", slang_library.__file__, str(library)
    return ()


_BOTH, _ALL = ("glsl", "hlsl"), ("glsl", "hlsl", "slang")
COMPILERS = (
    Compiler(name="glslc", programs=("glslc",), languages=_BOTH, arguments=_glslc, find=_on_path, has_modes=True),
    Compiler(
        name="glslang",
        programs=("glslang", "glslangValidator"),
        languages=_BOTH,
        arguments=_glslang,
        find=_on_path,
        has_modes=True,
    ),
    Compiler(name="slangc", programs=("slangc",), languages=_ALL, arguments=_slangc, find=_on_path),
    Compiler(
        name="slangpy",
        programs=("slangpy", "libslang-compiler.so*", "slang-compiler.dll", "libslang-compiler*.dylib"),
        languages=_ALL,
        arguments=_slangpy,
        find=_of_slangpy,
    ),
)
_PIP = "`pip install 'lanewise[glsl]'`"
_SYSTEMS = {  # what brings a compiler without pip
    "darwin": "`brew install shaderc`",
    "win32": "the Vulkan SDK: `winget install KhronosGroup.VulkanSDK`",
    "linux": "`apt install glslc`, or the package of the system that has glslc or glslang",
}
_INSTALL = {
    "glslc": _SYSTEMS.get(sys.platform, "glslc of the system"),
    "glslang": "glslang-tools of the system, or the Vulkan SDK",
    "slangc": "slangc from shader-slang.org",
    "slangpy": _PIP,
}


def compilers() -> tuple[Compiler, ...]:
    """All compilers, those that are asked first at the beginning."""
    return COMPILERS


def to_spirv(
    source: SourceFile,
    language: str,
    *,
    compiler: str = "",
    defines: Sequence[str] = (),
    folders: Sequence[str] = (),
    entry: str = "",
    optimised: bool = False,
    limit: float = LIMIT,
    read: Callable[[str], str] | None = None,
) -> Spirv:
    """The SPIR-V module of a source. `read` gives the text of a file that it includes, and raises OSError; without it no file
    is included.

    Raises InputError with the findings of the compiler, or where there is none.
    """
    text = decode_text(source.data)
    _refuse_nonsense(source)
    _refuse_stage(source, text, language)
    chosen, command = _installed(source.name, language, compiler)
    with tempfile.TemporaryDirectory(prefix="lanewise-") as folder:
        given = Path(folder, _safe_name(source, language))
        output = Path(folder, "module.spv")
        included = resolve(text, "" if source.path == "-" else source.path, language, folders, read)
        asks = chosen.name == "glslang" and language == "glsl"
        modern = language != "glsl" or _is_modern(text)
        copies = [copy.given for copy in included.copies]
        main, *copies = _old(source, [included.given, *copies]) if language == "glsl" else [included.given, *copies]
        if language == "hlsl":
            main, *copies = map(without_effects, [main, *copies])
        write(given, (including(main) if asks else main).encode())
        names = dict.fromkeys((*_names(given), "0"), source.name)
        inside: dict[str, Copy] = {}
        for copy, copied in zip(included.copies, copies, strict=True):
            place = Path(folder, copy.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            write(place, copied.encode())
            names |= dict.fromkeys(_names(place, copy.name), copy.shown)
            inside |= dict.fromkeys(_names(place, copy.name), copy)
        job = Job(
            language=language,
            source=given.name,
            output=output.name,
            defines=tuple(defines),
            entry=_entry(source, text, language, entry),
            optimised=optimised,
            modern=modern,
        )
        ran = run([*command, *chosen.arguments(job)], folder, output.name, limit)
        if ran.failed and chosen.has_modes and language == "glsl" and has_errors(messages(chosen.name, ran.text, {}, {})):
            other = run([*command, *chosen.arguments(job._replace(vulkan=True))], folder, output.name, limit)
            if other.code == 0 or (other.failed and _VULKAN.search(_without_comments(text))):
                job, ran = job._replace(vulkan=True), other
        refused = ran.failed and optimised and not has_errors(messages(chosen.name, ran.text, {}, {}))
        if refused:  # the optimiser of glslang is stricter than its front end, for one on uniforms of type bool
            ran = run([*command, *chosen.arguments(job._replace(optimised=False))], folder, output.name, limit)
        texts = {source.name: text, **{copy.shown: copy.text for copy in included.copies}}
        found = _fewer([_told(each, included) for each in messages(chosen.name, ran.text, names, texts)], chosen.name)
        if refused:
            message = f"{chosen.name} cannot optimise this source: it is compiled without"
            found.append(
                Diagnostic(
                    code="L902", severity=WARNING, message=message, span=Span(file=source.name), notes=(), fix="leave out -O"
                )
            )
        title = f"{chosen.name} ({command[-1]})"
        if ran.stopped:
            raise InputError([*found, _failed(source.name, f"{chosen.name} {ran.stopped}")])
        data = ran.read(output.name)
        if ran.code != 0 or has_errors(found) or data is None:
            last = ran.text.strip().rpartition("\n")[2].strip()
            told = f"{chosen.name} ends with code {ran.code}" + (f": {last}" if last else "")
            raise InputError(found if has_errors(found) else [*found, _failed(source.name, told)])
        return Spirv(data=data, compiler=title, diagnostics=tuple(found), written=_names(given), included=inside)


def _names(place: Path, name: str = "") -> tuple[str, ...]:
    """The names that a file in the folder of a compiler may have in its messages and its module."""
    name = name or place.name
    return tuple(dict.fromkeys((name, f"./{name}", str(place), str(place.resolve()))))


_MARKED = re.compile(f"{MARK}([0-9]{{1,6}})")


def _told(found: Diagnostic, included: Included) -> Diagnostic:
    """The finding of an include that was not read, instead of that of the `#error` in its place."""
    found = found._replace(message=as_written(found.message))
    marked = _MARKED.search(found.message)
    if marked is None or int(marked[1]) >= len(included.missing):
        return found
    missing = included.missing[int(marked[1])]
    return Diagnostic(
        code="L905", severity=ERROR, message=f"'{visible(missing.name, '')}' is not included: {missing.reason}", span=found.span
    )


def _fewer(found: list[Diagnostic], name: str) -> list[Diagnostic]:
    """The findings without errors that are likely to follow from the first ones."""
    errors = [each for each in found if each.severity == ERROR]
    left = len(errors) - _MOST_NOTES
    if left <= 0:
        return found
    last = errors[_MOST_NOTES - 1]
    noted = last._replace(notes=(*last.notes, f"{name} reports {left} more error{'s' * (left > 1)}"))
    return [noted if each is last else each for each in found if each.severity != ERROR or each in errors[:_MOST_NOTES]]


def _installed(name: str, language: str, wanted: str) -> tuple[Compiler, tuple[str, ...]]:
    """The first compiler of a language that is there, or the one that is wanted, with the beginning of its command line. Raises
    InputError."""
    able = [row for row in compilers() if language in row.languages]
    rows = [row for row in able if wanted in ("", row.name)]
    for row in rows:
        command = row.find(row.programs)
        if command:
            return row, command
    title = {"glsl": "GLSL", "hlsl": "HLSL", "slang": "Slang"}[language]
    notes: tuple[str, ...] = ()
    if wanted and not rows:
        message, fix = f"{wanted} does not compile {title}", f"use {' or '.join([row.name for row in able])}"
    else:
        message = f"{title} needs a compiler to SPIR-V, and {wanted or 'none'} is{' not' if wanted else ''} installed"
        fix = f"install it: {_INSTALL[wanted]}" if wanted else f"install one: {_PIP}"
        if not wanted and language != "slang":
            notes = (f"without pip: {_INSTALL['glslc']}",)
    fix += "; or give its SPIR-V"
    raise InputError([Diagnostic(code="L900", severity=ERROR, message=message, span=Span(file=name), notes=notes, fix=fix)])


def _refuse_nonsense(source: SourceFile) -> None:
    """Raises InputError for a file that cannot be a source: the compilers describe such a file badly."""
    what = "is empty" if not source.data.strip() else "is not a text" if b"\0" in source.data else ""
    if not what and len(source.data) > _LARGEST:
        what = f"has {len(source.data) >> 20} MiB: sources have {_LARGEST >> 20} at most"
    if what:
        fix = "give a vertex shader in a text file"
        raise InputError(
            [
                Diagnostic(
                    code="L903",
                    severity=ERROR,
                    message=f"this is not a vertex shader: {source.name} {what}",
                    span=Span(file=source.name),
                    notes=(),
                    fix=fix,
                )
            ]
        )


def _refuse_stage(source: SourceFile, text: str, language: str) -> None:
    """Raises InputError for a shader of another stage."""
    suffix = next((suffix for suffix in _STAGES if source.path.lower().endswith(suffix)), "")
    used = _OTHER_STAGE.search(_without_comments(text)) if language == "glsl" and not suffix else None
    if not suffix and used is None:
        return
    reason = f"its suffix is {suffix}" if suffix else f"it uses {used[1].partition('(')[0].strip()}" if used is not None else ""
    fix = "give the vertex shader; the texture combiners do the work of fragment shaders"
    raise InputError(
        [
            Diagnostic(
                code="L903",
                severity=ERROR,
                message=f"this is not a vertex shader: {reason}",
                span=Span(file=source.name),
                notes=(),
                fix=fix,
            )
        ]
    )


def _old(source: SourceFile, texts: Sequence[str]) -> list[str]:
    """A source of GLSL 1.x and its includes without built-in variables that version 450 does not have. Raises InputError."""
    try:
        return without_builtins(texts)
    except Refused as refused:
        lines = texts[0].split("\n")
        text = lines[refused.line - 1].rstrip("\r") if refused.line else ""
        names, fixes = list(refused.names), list(dict.fromkeys(refused.names.values()))
        finding = Diagnostic(
            code="L906",
            severity=ERROR,
            message=f"{listed(names)} {'are' if len(names) > 1 else 'is'} not available: fixed functions are not there",
            span=Span(file=source.name, line=refused.line, text=text),
            notes=tuple([f"{name}: {fix}" for name, fix in refused.names.items()][:_MOST_NOTES]) if len(names) > 1 else (),
            fix=fixes[0] if len(fixes) == 1 else f"replace {'each' if len(names) > 1 else 'it'} by what the notes say",
        )
        raise InputError([finding]) from None


def _failed(name: str, message: str) -> Diagnostic:
    return Diagnostic(
        code="L904",
        severity=ERROR,
        message=message,
        span=Span(file=name),
        notes=(),
        fix="use another compiler with `--glsl-compiler`",
    )


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?(?:\*/|\Z)|//[^\n]*", " ", text, flags=re.DOTALL)


def _is_modern(text: str) -> bool:
    """Whether SPIR-V is defined for the version of a GLSL source: 330 and later, and 310 and later of ES."""
    found = _VERSION.search(text)
    if found is None or found[2] == "compatibility":
        return False
    return int(found[1]) >= (310 if found[2] == "es" else 330)


def including(text: str) -> str:
    """GLSL for glslang, which takes #include only where the source asks for the extension; the numbers of lines stay."""
    if not _INCLUDE.search(text) or "GL_GOOGLE_include_directive" in text:
        return text
    version = _VERSION.search(text)
    at = 0 if version is None else text.find("\n", version.end()) + 1
    if version is not None and at == 0:
        return text
    return f"{text[:at]}#extension GL_GOOGLE_include_directive : enable\n#line {text.count(chr(10), 0, at) + 1}\n{text[at:]}"


def _entry(source: SourceFile, text: str, language: str, wanted: str) -> str:
    """The name of the vertex shader in a source: `main` in GLSL. `wanted` is a function, or a technique or pass of an effect.
    Raises InputError for an effect with several."""
    if language == "glsl":
        return "main"
    shaders = vertex_shaders(text) if language == "hlsl" else []
    for shader in shaders:
        if wanted in shader.names:
            return shader.entry
    names = list(dict.fromkeys([shader.entry for shader in shaders]))
    if len(names) > 1 and not wanted:
        finding = Diagnostic(
            code="L907",
            severity=ERROR,
            message=f"the effect has {len(names)} vertex shaders: {listed(names)}",
            span=Span(file=source.name),
            fix=f"name one: `--entry-point {names[0]}`, or its technique and pass",
        )
        raise InputError([finding])
    if not (names or wanted) and language == "hlsl" and has_techniques(text):
        finding = Diagnostic(
            code="L903",
            severity=ERROR,
            message="this is not a vertex shader: no pass of the effect names one",
            span=Span(file=source.name),
            fix="name a function: `--entry-point NAME`",
        )
        raise InputError([finding])
    code = _without_comments(text)
    found = _ATTRIBUTED.search(code) or _ENTRIES.search(code)
    return wanted or (names[0] if names else found[1] if found is not None else "main")


def _safe_name(source: SourceFile, language: str) -> str:
    """A name for the file that the compiler reads, which its messages have."""
    name = re.sub(r"[^\w.-]", "_", Path(source.path).name).lstrip("-.") if source.path not in ("", "-") else ""
    suffix = {"glsl": ".vert", "hlsl": ".hlsl", "slang": ".slang"}[language]
    return name if name.endswith(suffix) else f"{name or 'shader'}{suffix}"
