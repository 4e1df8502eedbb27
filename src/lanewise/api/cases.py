"""Cases of Python, and the shader tests of an instruction set that run them."""

from __future__ import annotations

import os
import warnings
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

from lanewise.arrays.expecting import COMMON, Case, Mismatch, differences
from lanewise.arrays.failures import failure
from lanewise.core.diagnostics import InputWarning
from lanewise.core.objects import checked
from lanewise.packages import packages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.package import IsaPackage
    from lanewise.core.shadertests import ShaderTests

RESULTS = ("killed", "cycles")  # what only some instruction sets have


def service_of(program: object) -> ShaderTests:
    """The shader tests that take a program. Raises TypeError for an object that none takes."""
    found = [service for _, service in services() if isinstance(program, service.kinds)]
    if not found:
        kinds = ", ".join([kind.__name__ for _, service in services() for kind in service.kinds])
        if isinstance(program, (str, os.PathLike)):
            raise TypeError("expected a program, found a path: `lanewise.load(path)`")
        from lanewise.core.argument_kinds import shown

        raise TypeError(f"expected a program, such as `lanewise.load(path)` gives, found {shown(program)}: {kinds}")
    return found[0]


def compare(program: object, values: Mapping[str, Any]) -> str:
    """Run a case of Python, the fields of `Case`: what differs, or an empty text. Raises InputError, and TypeError for fields
    that the program does not have."""
    tests = service_of(program)
    _refuse(tests, values)
    return failure(tests, program, Case(**values), file_name(program))


@checked
def mismatches(program: object, case: Case) -> list[Mismatch]:
    """Run a case on a program of any instruction set: the components that differ, by output as listed, then by lane. Raises
    InputError, TypeError."""
    if hasattr(program, "outputs") and hasattr(program, "lanes"):
        how = "`lanewise.mismatches(shader, lanewise.Case(inputs=..., uniforms=..., outputs=...))`"
        raise TypeError(f"expected a program, which is run, found a {type(program).__name__}: {how}")
    if isinstance(program, Case) and not isinstance(cast("object", case), (Case, dict)):
        raise TypeError("the arguments are exchanged: `lanewise.mismatches(program, case)`")
    if not isinstance(cast("object", case), Case):
        own = isinstance(case, dict) and set(case) <= {field.name for field in fields(Case)}
        call = "(**case)`" if own else f"(inputs=..., uniforms=..., outputs={'case' if isinstance(case, dict) else '...'})`"
        from lanewise.core.argument_kinds import shown

        raise TypeError(f"case is {shown(case)}, expected a Case, `lanewise.Case{call}")
    tests = service_of(program)
    given = {field.name: getattr(case, field.name) for field in fields(case)}
    plain = {field.name: field.default for field in fields(case)}  # arrays and frames are no default, and compare by element
    _refuse(tests, {key: each for key, each in given.items() if hasattr(each, "shape") or each != plain[key]})
    others = (case.registers, case.faults, case.killed, case.cycles)
    if not len(case.outputs) and all(each is None or (isinstance(each, dict) and not each) for each in others):
        raise ValueError("the case expects nothing: give `outputs={'position': [0, 0, 0, 1]}`, which are compared")
    case = tests.filled(program, case)
    subject = tests.chosen(program, case)
    found, others = differences(tests.run(subject, case), case, tests, subject, file_name(program))
    for line in others:
        warnings.warn(f"not in the list of mismatches, which has components: {line}", InputWarning, stacklevel=3)
    return found


def _refuse(tests: ShaderTests, values: Mapping[str, Any]) -> None:
    known = known_keys(tests)
    for key in values:
        if key not in known and key in {field.name for field in fields(Case)}:
            raise TypeError(f"a shader test of {tests.title} has no {key}: it has {', '.join(known)}")


def known_keys(tests: ShaderTests) -> tuple[str, ...]:
    timed = () if tests.cycles is not None else ("cycles",)
    results = [key for key in RESULTS if key not in timed]
    return (*COMMON, *tests.tables, *tests.keys, *results)


def file_name(program: object) -> str:
    for part in ("", "vertex"):  # a file with several vertex shaders has a name itself
        owner = getattr(program, part, None) if part else program
        found = getattr(owner, "file", None) or getattr(owner, "name", None)
        if isinstance(found, str):
            return found
    return ""


def services() -> list[tuple[IsaPackage, ShaderTests]]:
    return [(package, package.shader_tests()) for package in packages() if package.shader_tests is not None]


__all__ = ["RESULTS", "Case", "Mismatch", "compare", "file_name", "known_keys", "mismatches", "service_of", "services"]
