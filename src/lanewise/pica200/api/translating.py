"""Shaders as source code of other languages: `translated`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.core.service import stem_of
from lanewise.pica200.api.labels import labels
from lanewise.pica200.api.naming import listed, statement
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.isa.table import register_name
from lanewise.pica200.sem.flow import code_memory, memory_size
from lanewise.pica200.sem.profile import find_profile
from lanewise.pica200.translate.computed import Subject
from lanewise.pica200.translate.languages import LANGUAGES
from lanewise.pica200.translate.program import translate
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.api.interface import Binding
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.translate.emit import Part
    from lanewise.translating.names import Member

FLOAT24, FLOAT = "float24", "float"
# The profile of a number mode, where none is named.
DEFAULTS = {FLOAT24: "hardware", FLOAT: "azahar"}
# What is said in the file of how its numbers differ.
_CLASS = (
    "Not the hardware's numbers: each result is rounded to float32, to nearest, where the hardware cuts it to float24. Equal",
    "to the emulator in every bit, but for the sign and payload of NaN and the last place of exp2 and log2.",
)
_FIELDS = (
    "What differs from the hardware: fields of the profile, the answer of the hardware and how well it is known (measured,",
    "inferred, unknown); lanewise isa pica200 --evidence has what each means:",
)
_FINITE = (
    "--finite: only where inputs, uniforms and all results are finite. 0 times an infinity is NaN, not 0, and a sum of zeros",
    "may be -0; all else is as without it.",
)


class Layout(Record):
    """The interface of a translated shader. Members are in the order of the structures."""

    name: str
    "Function in C, namespace in C++, entry in WGSL."
    shader: str
    "Name of the shader in its file."
    stage: str
    "vertex or geometry."
    structured: bool
    "Its flow is loops and branches, not numbered blocks."
    inputs: tuple[Binding, ...]
    "Members of the structure of inputs."
    uniforms: tuple[Binding, ...]
    "Members of the structure of uniforms."
    outputs: tuple[Binding, ...]
    "Members of the structure of outputs."


class Translation(Record):
    """Source code of one or two shaders."""

    text: str
    "The whole source."
    language: str
    "c, cpp, glsl or wgsl."
    numbers: str
    "`float24`, exact on integers, or `float`, the float32 of emulators."
    finite: bool
    "The code holds where no number is an infinity or NaN."
    profile: str
    "Description of the profile whose rules the code has."
    shaders: tuple[Layout, ...]
    "Interfaces in the order of the source."


def translated(
    shaders: Sequence[Shader],
    to: str,
    *,
    numbers: str = FLOAT24,
    finite: bool = False,
    batch: bool = False,
    profile: Profile | str | None = None,
    file: str = "",
) -> Translation:
    """The shaders in C, C++ (`cpp`), GLSL or WGSL. Raises RefusedError, ValueError for an unknown profile and for `finite` and
    `batch` with float24.

    `numbers` is `float24`, exact on integers, or `float`, the float32 of emulators; without a profile the first takes
    `hardware` and the second `azahar`. A vertex starts with zeros in its registers, whatever `initial_state` says. `finite`: of
    float only, without the tests for infinities and NaN. `batch`: of C with float, with a function for arrays of vertices.
    """
    if finite and numbers != FLOAT:
        raise ValueError("finite is for numbers='float': float24 code tests no numbers")
    if batch and (numbers != FLOAT or to != "c"):
        raise ValueError("batch is for C with numbers='float'")
    chosen = find_profile(DEFAULTS[numbers] if profile is None else profile).replace(initial_state="zero")
    names = _names(shaders, file)
    title = [f"{file or 'shader'} as {numbers} code under the profile {chosen.describe()}, written by lanewise translate."]
    if numbers == FLOAT and LANGUAGES[to].row.is_library:
        title += ["Compile it with -ffp-contract=off and without -ffast-math.", *_CLASS]
    if LANGUAGES[to].row.is_library:
        title += _differences(chosen, shaders)
    if finite:
        title += _FINITE
    subjects = [_subject(shader, name, chosen) for shader, name in zip(shaders, names, strict=True)]
    found = translate(subjects, to, chosen, exact=numbers == FLOAT24, finite=finite, batch=batch, title=title)
    layouts = [_layout(shader, part) for shader, part in zip(shaders, found.parts, strict=True)]
    return Translation(
        text=found.text,
        language=to,
        numbers=numbers,
        finite=finite,
        profile=chosen.describe(),
        shaders=tuple(layouts),
    )


def _differences(profile: Profile, shaders: Sequence[Shader]) -> list[str]:
    """Lines with the fields of a profile that differ from the hardware, where an instruction of the shaders asks for them."""
    opcodes = {decode(word).op.name for shader in shaders for word in shader.words}
    geometry = any(shader.interface.geometry for shader in shaders)
    found = [
        (CHOICES[key], value)
        for key, value in profile.differences().items()
        if key != "initial_state" and CHOICES[key].concerns(opcodes, geometry=geometry)
    ]
    rows = [f"  {fact.key}={value}: {fact.topic}; hardware: {fact.default}, {fact.known}" for fact, value in found]
    return [*_FIELDS, *rows] if rows else []


def _names(shaders: Sequence[Shader], file: str) -> list[str]:
    stems = [stem_of(file or shader.file) for shader in shaders]
    if len(shaders) == 1:
        return stems
    return [f"{stem}_{shader.stage}" if shader.stage != "vertex" else stem for stem, shader in zip(stems, shaders, strict=True)]


def _subject(shader: Shader, name: str, profile: Profile) -> Subject:
    memory = code_memory(shader.words, profile, memory_size(geometry=shader.interface.geometry))
    texts = labels(shader, memory)

    def comment(address: int) -> str:
        return " ".join((statement(shader.span(address)) or texts.instruction(address)).split())

    interface = shader.interface
    inputs = listed(interface, inputs=True)
    uniforms = (*listed(interface, inputs=False), *interface.private)
    return Subject(
        name=name,
        words=shader.words,
        descriptors=shader.descriptors,
        interface=interface,
        inputs=inputs,
        uniforms=uniforms,
        comment=comment,
        label=texts.place,
    )


def _layout(shader: Shader, part: Part) -> Layout:
    names = part.names
    return Layout(
        name=part.name,
        shader=shader.name,
        stage=shader.stage,
        structured=part.structured,
        inputs=_bindings(names.inputs),
        uniforms=_bindings(names.uniforms),
        outputs=_bindings(names.outputs, output=True),
    )


def _bindings(members: Sequence[Member], *, output: bool = False) -> tuple[Binding, ...]:
    from lanewise.pica200.api.interface import Binding

    return tuple(
        [Binding(member.name, f"o{member.first}" if output else register_name(member.first), member.size) for member in members]
    )


__all__ = ["DEFAULTS", "FLOAT", "FLOAT24", "Layout", "RefusedError", "Translation", "translated"]
