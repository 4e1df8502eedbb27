"""The compilers of other projects, a row for each, and which of them is installed.

A compiler is looked for on PATH; that of slangpy is found where pip puts it.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from lanewise.compile.outside import slang_library
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable


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
    plain: bool = False
    "Nothing is optimised: a debugger shows the variables and functions of the source."

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
    optimises: bool = False
    "It always optimises HLSL, so that variables and functions of the source are gone."


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
        *(["-Os"] if job.optimised else ["-Od"] if job.plain else []),
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
    Compiler(
        name="glslc", programs=("glslc",), languages=_BOTH, arguments=_glslc, find=_on_path, has_modes=True, optimises=True
    ),
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


def installed(name: str, language: str, wanted: str, *, plain: bool = False) -> tuple[Compiler, tuple[str, ...]]:
    """The first compiler of a language that is there, or the one that is wanted, with the beginning of its command line;
    `plain`: rather one that can leave a source as it is. Raises InputError."""
    able = [row for row in compilers() if language in row.languages]
    rows = [row for row in able if wanted in ("", row.name)]
    if plain:
        rows.sort(key=lambda row: row.optimises)
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
