"""Translated shaders as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.pica200.translate.c_files import c_file, cpp_file
from lanewise.pica200.translate.computed import Subject
from lanewise.pica200.translate.emit import Part, part_of
from lanewise.pica200.translate.languages import LANGUAGES
from lanewise.pica200.translate.shading_files import glsl_file, wgsl_file
from lanewise.pica200.translate.support import Support
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.sem.profile import Profile


class Translation(Record):
    """The text of shaders in a language, and the parts that it was made of."""

    text: str
    parts: tuple[Part, ...]


def translate(
    subjects: Sequence[Subject],
    to: str,
    profile: Profile,
    *,
    exact: bool,
    finite: bool = False,
    batch: bool = False,
    title: Sequence[str] = (),
) -> Translation:
    """Shaders in a language; `finite` and `batch` as in `Support`; `title` are lines for the head of the file. Raises
    RefusedError."""
    support = Support(LANGUAGES[to](exact=exact), profile, finite=finite, batch=batch)
    row = support.language.row
    if not row.is_library:
        for subject in subjects:
            if subject.interface.geometry:
                others = " or ".join([f"--to {each}" for each, language in LANGUAGES.items() if language.row.is_library])
                raise RefusedError(f"{subject.name} is a geometry shader, which {row.title} does not have", f"use {others}")
        if len(subjects) != 1:
            raise RefusedError(f"{row.title} takes one shader a file, not {len(subjects)}", "name one: FILE:NAME")
    return file_of(support, [part_of(support, subject) for subject in subjects], title)


def file_of(support: Support, parts: Sequence[Part], title: Sequence[str] = ()) -> Translation:
    """Shaders that were made with a support as one file."""
    to = support.language.row.name
    lines = ["#version 300 es"] if to == "glsl" else []  # which has to be the first
    lines += [support.language.comment(line) for line in title]
    lines += {"c": c_file, "cpp": cpp_file, "glsl": glsl_file, "wgsl": wgsl_file}[to](support, parts)
    return Translation("\n".join(lines) + "\n", tuple(parts))


__all__ = ["RefusedError", "Translation", "file_of", "translate"]
