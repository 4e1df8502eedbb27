"""Smaller programs for `lanewise opt`."""

from __future__ import annotations

import os

from lanewise.core.diagnostics import span_json, visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.reporting import counting
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.core.source import encode_text
from lanewise.core.text.counting import counted
from lanewise.graph.dataflow import EVERYTHING
from lanewise.graph.dataflow import Step as Writes
from lanewise.optimising.report import in_vain
from lanewise.pica200.api.file import optimise_file
from lanewise.pica200.api.preamble import file_beside
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.dataflow import OUTPUTS, output_bits
from lanewise.pica200.check.rules import contexts_of
from lanewise.pica200.codes import CODES
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.isa.table import ARITHMETIC, BY_NAME, END, register_name
from lanewise.pica200.opt.driver import LARGE, Options
from lanewise.pica200.opt.moves import MOVES
from lanewise.pica200.opt.uniform_work import uniform_texts
from lanewise.pica200.opt.unrolling import given_integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.pica200.api.file import Optimisation, ShaderFile
    from lanewise.pica200.api.services.loaded import PicaFile
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.isa.program import Interface
    from lanewise.pica200.opt.driver import Step

_MOVES = {move.name: move for move in MOVES}


def optimised(loaded: PicaFile, request: Request) -> Answer:
    """The program with fewer words, and what was done. Raises UsageError, InputError."""
    options = options_of(request)
    if request.has("uniform"):
        options = options._replace(given=_given(request.texts("uniform"), loaded.program.program.interfaces))
    output = request.text("output")
    files: tuple[tuple[str, bytes], ...] = ()
    remarks: tuple[str, ...] = ()
    if request.flag("source"):
        found, files, remarks = _as_sources(loaded, options, output or STDIO)
    else:
        found, _ = optimise_file(loaded.program, options)
        if output:
            files = ((output, found.file.to_bytes()), *file_beside(found.file, output))
        elif found.steps:
            remarks = ("nothing is written: name a file with -o, or ask for the source with --source",)
    if getattr(loaded, "shares", False):
        remarks = (
            *remarks,
            (
                "the sources do not assemble as they are: too many operand descriptors. Here instructions share those that "
                "differ in bits which the hardware does not read, and some have their sources exchanged"
            ),
        )
    name = loaded.name
    more, least = _more_with_constants(loaded, found, options), least_words(loaded.program)
    data: dict[str, object] = {
        "name": name,
        "words": {"before": found.words[0], "after": found.words[1]},
        "descriptors": {"before": found.descriptors[0], "after": found.descriptors[1]},
        "constants": {"before": found.constants[0], "after": found.constants[1]},
        "constants_known": options.constants,
        "uniforms": {register_name(register): list(values) for register, values in options.given.items()},
        "proofs": found.proofs,
        "refused": found.refused,
        "least": least,
        "constants_known_saves": more,
        "steps": [_step_json(step) for step in found.steps],
    }
    lines = [line for step in found.steps for line in _lines(step)] if request.flag("report") else []
    if request.flag("report"):
        lines += uniform_texts(contexts_of(found.file.program, found.file.words, found.file.programs[0].descriptors))
    lines += [_summary(name, found)]
    if not found.steps:
        lines += _tried(found, least, listed=request.flag("report"))
    if more:
        lines += [f"{more} more with --constants-known: if the application does not overwrite the constants of the file"]
    return Answer(data=data, text="\n".join(lines) + "\n", remarks=remarks, files=files)


def _as_sources(
    loaded: PicaFile, options: Options, output: str
) -> tuple[Optimisation, tuple[tuple[str, bytes], ...], tuple[str, ...]]:
    """What was done, the sources to write, and remarks. Raises UsageError, InputError."""
    from lanewise.pica200.api.services.loaded import LinkedSources
    from lanewise.pica200.api.services.optimised_sources import edited_sources, written_anew

    if isinstance(loaded, LinkedSources):
        found = edited_sources(loaded, options)
        like = {source.name: source.data for source in loaded.request.sources}
    else:
        found, like = written_anew(loaded, options), dict[str, bytes]()
    if len(found.sources) > 1 and output == STDIO:
        raise UsageError(f"{len(found.sources)} sources: name a folder with -o")
    several = len(found.sources) > 1 or output.endswith(("/", os.sep))
    files = tuple(
        [
            (f"{output.rstrip('/')}/{_file_name(name)}" if several else output, encode_text(text, like.get(name, b"")))
            for name, text in found.sources
        ]
    )
    return found.found, files, (found.remark,) if found.remark else ()


def _file_name(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2]


def options_of(request: Request) -> Options:
    """The options of a command line. Raises UsageError."""
    avoid: set[str] = set()
    for text in request.texts("avoid"):
        for part in text.split(","):
            name = part.strip().lower()
            row = BY_NAME.get(name)
            if row is None or row.kind != ARITHMETIC:
                raise UsageError(f"--avoid {part.strip()}: unknown instruction; `lanewise isa pica200` lists them")
            avoid.add(row.base)
    allow = {part.strip().upper() for text in request.texts("allow") for part in text.split(",") if part.strip()}
    for code in sorted(allow - {*CODES}):
        raise UsageError(f"--allow {code}: unknown code; docs/diagnostics.md lists them")
    return Options(
        constants=request.flag("constants-known"),
        avoid=frozenset(avoid),
        allow=frozenset(allow),
        search=request.flag("search"),
        unroll=request.flag("unroll"),
        progress=counting(request.progress),
    )


def _given(texts: Sequence[str], interfaces: Sequence[Interface]) -> dict[int, tuple[int, ...]]:
    """Values of integer registers: `i0=3,0,1`. Raises UsageError."""
    values: dict[str, list[int]] = {}
    for text in texts:
        name, _, value = text.partition("=")
        parts = [part.strip() for part in value.split(",")]
        if not all(part.isdecimal() for part in parts):
            raise UsageError(f"--uniform {text}: expected NAME=VALUE with count - 1, start and step, such as i0=3,0,1")
        values[name.strip()] = [int(part) for part in parts]
    try:
        return given_integers(values, interfaces)
    except ValueError as error:
        raise UsageError(f"--uniform {error}") from None


def _summary(name: str, found: Optimisation) -> str:
    (before, after), (more, fewer) = found.words, found.descriptors
    saved = f"{before - after} fewer" if after < before else "none fewer"
    text = f"{visible(name, '')}: {before} words before, {after} after ({saved})"
    text += f"; operand descriptors: {more} before, {fewer} after"
    all_constants, left = found.constants
    return f"{text}; constants: {all_constants} before, {left} after" if left < all_constants else text


def _more_with_constants(loaded: PicaFile, found: Optimisation, options: Options) -> int | None:
    """How many words fewer there are if the values of constants are used; None where that is not tried: without constants, in
    large programs, and with a search."""
    program = loaded.program
    presets = any(interface.constants for interface in program.program.interfaces)
    if options.constants or options.search or not presets or found.words[0] > LARGE:
        return None
    other, _ = optimise_file(program, options._replace(constants=True))
    return max(0, found.words[1] - other.words[1])


def least_words(file: ShaderFile) -> int:
    """A number of words that no program with the outputs of a file has less than: an instruction writes one output register,
    and `end` is one more. Outputs count that a later stage takes and every path writes."""
    descriptors = file.programs[0].descriptors if file.programs else ()
    return max([_least(context) for context in contexts_of(file.program, file.words, descriptors)], default=0)


def _least(context: AnalysisContext) -> int:
    graph = context.graph
    if not isinstance(graph, Graph) or context.interface.geometry:
        return 1

    def written(pc: int) -> Writes:
        return Writes(EVERYTHING, context.effect(pc).writes)

    surely, ended = OUTPUTS, False
    values = dataflow.forward(graph, written, 0, must=True)
    for _, pc, value in dataflow.before(graph, values, written):
        if context.kind(pc) == END:
            surely, ended = surely & value, True
    if not ended:
        return 1
    found = {output.register for output, mask in context.taken.items() if surely & output_bits(output.register, mask)}
    return 1 + len(found)


def _tried(found: Optimisation, least: int, *, listed: bool) -> list[str]:
    """What was tried in vain, and how few words there could be."""
    vain = in_vain(found.refused, [move.title for move in MOVES], listed=listed)
    bound = f"no program with these outputs has fewer than {counted(least, 'word')}"
    return [vain, *([bound] if least else [])]


def _lines(step: Step) -> list[str]:
    """A step for a reader: where, what, why and how."""
    place = f"{step.spans[0].file}:{step.spans[0].line}" if step.spans and step.spans[0].line else f"word {_first(step):#x}"
    lines = [f"{place}: {step.reason}", f"    {step.fix}"]
    lines += [f"    rests on {key} ({CHOICES[key].known}): {CHOICES[key].choice}" for key in step.rests_on]
    return lines


def _first(step: Step) -> int:
    words: Sequence[int] = step.words or step.changed
    return words[0] if words else 0


def _step_json(step: Step) -> dict[str, object]:
    return {
        "move": step.move,
        "title": step.title,
        "code": _MOVES[step.move].code if step.move in _MOVES else "",
        "reason": step.reason,
        "fix": step.fix,
        "removed": list(step.words),
        "changed": list(step.changed),
        "places": [span_json(span) for span in step.spans],
        "rests_on": [{"fact": key, "known": CHOICES[key].known} for key in step.rests_on],
    }
