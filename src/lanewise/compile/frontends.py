"""The languages that programs are compiled from: a row for each front end.

Ask through `frontends()`: tests replace the tuple.
"""

from __future__ import annotations

from lanewise.core.package import CERTAIN, NO, Container, Language
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import NOTHING_ADDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lanewise.core.package import Loaded
    from lanewise.core.service import Manual, Request


class Frontend(Record):
    """A language that is compiled."""

    name: str
    "The name in options."
    title: str
    "The name in texts."
    isa: str
    "The instruction set of these files; with `language` or `container`, the one as whose programs commands take them."
    manual: Callable[[str], Manual]
    "The additions to a command, by its name."
    language: Language | None = None
    "The files, if they are sources of a separate language; reading one compiles it."
    container: Container | None = None
    "The files, if they are binaries of a separate form; reading one compiles it."

    @property
    def suffixes(self) -> tuple[str, ...]:
        row = self.language or self.container
        return row.suffixes if row is not None else ()

    def recognises(self, data: bytes, text: str) -> int:
        """NO, POSSIBLE or CERTAIN for a file; `text` is its beginning, empty for a binary."""
        if self.language is not None:
            return self.language.recognises(text)
        return self.container.recognises(data) if self.container is not None else NO


def _direct3d9(command: str) -> Manual:
    if command != "compile":
        return NOTHING_ADDED
    from lanewise.compile.services.manuals import DIRECT3D9 as OPTIONS

    return OPTIONS


def _outside(command: str) -> Manual:
    from lanewise.compile.services.manuals import outside

    return outside(command)


def _outputs(command: str) -> Manual:
    from lanewise.compile.services.manuals import outputs

    return outputs(command)


def _functions(command: str) -> Manual:
    from lanewise.compile.services.manuals import functions

    return functions(command)


def _reader(language: str) -> Callable[[Request], Loaded]:
    """Return the reader of sources of a language: it compiles when something of the program is asked for."""

    def read(request: Request) -> Loaded:
        from lanewise.compile.services.loaded import CompiledFile

        return CompiledFile(request, language)

    return read


def _nothing() -> Iterable[str]:
    return ()


def _no(_: str) -> int:
    return NO


def _is_spirv(data: bytes) -> int:
    return CERTAIN if data[:4] in (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03") else NO


def _is_glsl(text: str) -> int:
    if "{" not in text or "(" not in text:
        return NO
    from lanewise.core.foreign import is_glsl

    return CERTAIN if is_glsl(text) else NO


def _is_ssa(text: str) -> int:
    return CERTAIN if text.startswith("function ") and "\nblock 0:" in text else NO


def _language(name: str, title: str, suffixes: tuple[str, ...], recognises: Callable[[str], int] = _no) -> Language:
    return Language(
        name=name,
        title=title,
        suffixes=suffixes,
        recognises=recognises,
        read=_reader(name),
        write=None,
        format=None,
        mnemonics=_nothing,
    )


DIRECT3D9 = Frontend(name="direct3d9", title="Direct3D 9", isa="direct3d9", manual=_direct3d9)
SPIRV = Frontend(
    name="spirv",
    title="SPIR-V",
    isa="pica200",
    manual=_outputs,
    container=Container(
        name="spirv", title="a SPIR-V module", suffixes=(".spv",), recognises=_is_spirv, read=_reader("spirv"), write=None
    ),
)
GLSL = Frontend(
    name="glsl", title="GLSL", isa="pica200", manual=_outside, language=_language("glsl", "GLSL", (".vert", ".glsl"), _is_glsl)
)
HLSL = Frontend(
    name="hlsl",
    title="HLSL",
    isa="pica200",
    manual=_outside,
    language=_language("hlsl", "HLSL", (".hlsl", ".fx", ".cgfx", ".cg")),
)
SLANG = Frontend(name="slang", title="Slang", isa="pica200", manual=_outside, language=_language("slang", "Slang", (".slang",)))
SSA = Frontend(
    name="ssa",
    title="SSA form",
    isa="pica200",
    manual=_functions,
    language=_language("ssa", "functions in SSA form", (".ssa",), _is_ssa),
)
FRONTENDS = (DIRECT3D9, SPIRV, GLSL, HLSL, SLANG, SSA)


def frontends() -> tuple[Frontend, ...]:
    """All front ends, in the order in which they are listed."""
    return FRONTENDS


def frontend_named(name: str) -> Frontend:
    """A front end by its name. Raises ValueError with the names that there are."""
    for frontend in frontends():
        if frontend.name == name:
            return frontend
    names, lower = [frontend.name for frontend in frontends()], str(name).lower()
    raise ValueError(
        f"unknown language {name!r}: " + (f"did you mean {lower}?" if lower in names else f"use {', '.join(names)}")
    )


def frontend_of(isa: str, kind: str) -> Frontend | None:
    """The front end of a file: by the name of its language or container, or else by its instruction set."""
    own = [frontend for frontend in frontends() if frontend.suffixes]
    found = next((frontend for frontend in own if frontend.name == kind), None)
    return found or next((frontend for frontend in frontends() if not frontend.suffixes and frontend.isa == isa), None)


def recognised(path: str, data: bytes, text: str) -> Frontend | None:
    """The front end whose own files have this content, or else this suffix. `path`: empty for a file whose suffix is that of
    another language.

    HLSL is recognised where the suffix is that of GLSL or of another language; elsewhere it may be for Direct3D 9, or Slang.
    """
    sure = [frontend for frontend in frontends() if frontend.recognises(data, text) == CERTAIN]
    if sure:
        return sure[0]
    named = next((row for row in frontends() if row.suffixes and path.lower().endswith(row.suffixes)), None)
    if (not path or named is GLSL) and HLSL in frontends() and _is_hlsl(text):
        return HLSL
    return named


def _is_hlsl(text: str) -> bool:
    from lanewise.core.foreign import is_hlsl

    return "{" in text and is_hlsl(text)
