"""Values of runs in registers: what is given by name is bound, what the code reads has a value, or a finding says so."""

from __future__ import annotations

from lanewise.core.cached import cache
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.missing import in_other_argument, zeros_requested
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.api.missing import missing, without_preamble
from lanewise.pica200.isa.table import BOOLEAN, INTEGER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from lanewise.arrays.words import Words
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.reads import Reads
    from lanewise.pica200.sem.profile import Profile

_MOST_KNOWN = 16  # sets of uniforms of a shader that are kept


class _Known(Record):
    """What has been worked out of a set of uniforms: `complete_with` are sets of inputs with which nothing is missing,
    and whether zeros stand for what is not given."""

    values: Uniforms
    reads: Reads
    complete_with: set[tuple[bool, frozenset[int]]]


class Remembered:
    """What has been worked out for a shader, of values that may come again."""

    def __init__(self) -> None:
        self.known: dict[tuple[Profile, tuple[object, ...]], _Known] = {}
        self.reads: dict[object, Reads] = {}


def bind(
    shader: Shader,
    remembered: Remembered,
    inputs: Mapping[str, ArrayLike | Words],
    uniforms: Mapping[str, ArrayLike | Words],
    count: int | None,
    rules: Profile,
    defaults: int | None = None,
) -> tuple[Inputs, Uniforms, Reads]:
    """The values in registers, and what the code reads with them. Raises InputError with everything that is wrong."""
    if shader.stage == "geometry" or shader.interface.entry >= len(shader.words):
        raise InputError(_stage_findings(shader))
    bound, findings = _binding_modules()[1].bind_inputs(inputs, shader.input_names, count, rules)
    known, more = _uniforms(shader, remembered, uniforms, rules)
    if findings or more:
        from lanewise.pica200.engine.names import with_reads

        uniforms_there, inputs_there = ({one.name for one in names} for names in (shader.uniform_names, shader.input_names))
        wrong = [
            *[
                with_reads(in_other_argument(each, uniforms_there, "a uniform", "uniforms"), known.reads.direct)
                for each in findings
            ],
            *[in_other_argument(each, inputs_there, "an input", "inputs") for each in more],
        ]
        raise InputError(shader.placed(wrong))
    if defaults is not None and zeros_requested(defaults):
        bound = bound.with_zeros(known.reads.direct, rules)
    _require(shader, known, bound, rules, zeros=defaults is not None)
    return bound, known.values, known.reads


def _stage_findings(shader: Shader) -> list[Diagnostic]:
    """What keeps the shader from being run by itshader."""
    if shader.stage == "geometry":
        message = f"{shader.name} is a geometry shader: its inputs are the outputs of a vertex shader"
        fix = "run both with lanewise.pica200.Pipeline, or select a vertex shader of the file"
        span = Span(file=shader.file)
        return [Diagnostic(code="B009", severity=ERROR, message=message, span=span, notes=(), fix=fix)]
    return shader.entry_findings()


def bind_uniforms(
    shader: Shader,
    remembered: Remembered,
    given: Mapping[str, ArrayLike | Words],
    bound: Inputs,
    rules: Profile,
    defaults: int | None = None,
) -> Uniforms:
    """Uniforms for inputs that are bound already. Raises InputError."""
    known, findings = _uniforms(shader, remembered, given, rules)
    if findings:
        raise InputError(shader.placed(findings))
    _require(shader, known, bound, rules, zeros=defaults is not None)
    return known.values


def _uniforms(
    shader: Shader, remembered: Remembered, given: Mapping[str, ArrayLike | Words], rules: Profile
) -> tuple[_Known, list[Diagnostic]]:
    """Uniforms in registers and what the code reads with them; both are kept for values that come again."""
    key = _binding_modules()[0].fingerprint(given)
    if key is not None:
        found = remembered.known.get((rules, key))
        if found is not None:
            return found, []
    from lanewise.pica200.engine.reads import reads

    values, findings = _binding_modules()[1].bind_interface(given, shader.uniform_names, shader.interface, rules)
    given_booleans = tuple([(n, values.booleans[n]) for n in range(16) if BOOLEAN + n in values.given])
    given_integers = tuple([(n, values.integers[n]) for n in range(4) if INTEGER + n in values.given])
    needed = remembered.reads.get((rules, given_booleans, given_integers))
    if needed is None:
        arguments = shader.words, shader.descriptors, shader.interface.entry, dict(given_booleans), rules, dict(given_integers)
        needed = remembered.reads[rules, given_booleans, given_integers] = reads(*arguments, geometry=shader.interface.geometry)
    known = _Known(values, needed, set())
    if key is not None and not findings:
        if len(remembered.known) >= _MOST_KNOWN:
            remembered.known.pop(next(iter(remembered.known)), None)
        remembered.known[rules, key] = known
    return known, findings


def _require(shader: Shader, known: _Known, bound: Inputs, rules: Profile, *, zeros: bool) -> None:
    """Raise InputError if something is missing that the code may read and that `zeros` do not stand for."""
    place = zeros, frozenset(bound.words.columns)
    if place not in known.complete_with:
        if zeros:
            findings = without_preamble(shader, known.reads, known.values)
        else:
            findings = missing(shader, known.reads, bound, known.values, rules)
        if findings:
            raise InputError(findings)
        known.complete_with.add(place)


@cache
def _binding_modules():
    """The modules, which NumPy comes with; an import statement takes ten times as long each time."""
    from lanewise.pica200.engine import binding, placing

    return binding, placing


__all__ = ["Remembered", "bind", "bind_uniforms"]
