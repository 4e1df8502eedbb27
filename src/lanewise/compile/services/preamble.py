"""`--preamble`: what depends on uniforms only is computed before a draw, as the request asks."""

from __future__ import annotations

from lanewise.compile.pica200.preamble import with_preamble
from lanewise.compile.services.premises import listed
from lanewise.compile.vector.lowering import evaluate, lower
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.pica200.check.rules import contexts_of
from lanewise.pica200.isa.program import Preamble
from lanewise.pica200.isa.uniforms import PREAMBLE
from lanewise.pica200.opt.uniform_work import uniform_texts
from lanewise.ssa.passes import tidied
from lanewise.ssa.text import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.pica200.preamble import Prepared
    from lanewise.compile.services.pipeline import Compiled
    from lanewise.compile.vector.code import Program as Vector
    from lanewise.core.service import Request
    from lanewise.pica200.isa.program import Program

EXACT, FLOAT32 = "exact", "float32"
_KEY = "preamble"
_WORTH_A_REMARK = 6  # words: fewer are often copies


def asked(request: Request) -> str:
    """`exact` or `float32` where a preamble is asked for, else empty. Raises UsageError."""
    if request.has(_KEY):
        found = request.text(_KEY) or FLOAT32
    else:
        found = request.text(f"compile.{_KEY}")
    if found and found not in (EXACT, FLOAT32):
        raise UsageError(f"--{_KEY} {found}: use {EXACT} or {FLOAT32}")
    return found


def prepared(programs: Sequence[Vector], request: Request, name: str) -> Prepared:
    """The shortest of some programs that compute the same, compiled with a preamble where that saves words."""
    return with_preamble(programs, name=name, avoid=frozenset(request.texts("avoid")), progress=request.progress)


def preamble_file(compiled: Compiled, output: str) -> list[tuple[str, bytes]]:
    """The JSON file beside a program that has a preamble. Raises UsageError where something else has its name."""
    from lanewise.pica200.api.preamble import file_beside

    return file_beside(compiled.file, output)


def uniform_work(compiled: Compiled, request: Request) -> list[str]:
    """Remarks about work on uniforms only, where no preamble is asked for."""
    if asked(request):
        return []
    places = compiled.lowered.alike
    product = "products of matrices are" if len(places) > 1 else "a product of matrices is"
    products = [f"{product} the same for all vertices ({listed(places)}): --{_KEY}"] if places else []
    shader = compiled.file.vertex
    contexts = contexts_of(compiled.file.program, shader.words, shader.descriptors)
    return [*products, *(f"{text}: --{_KEY}" for text in uniform_texts(contexts, _WORTH_A_REMARK))]


def placed(program: Program, preamble: Vector | None, *, exact: bool) -> Program:
    """A compiled program with what computes its registers."""
    (interface,) = program.interfaces
    row = next((row for row in interface.uniforms if row.own_name == PREAMBLE), None)
    if preamble is None or row is None:
        return program
    function = tidied(lower(preamble), evaluate)
    text = text_of(function._replace(lines=()))
    changed = interface._replace(preamble=Preamble(text, row.first, exact))
    return program._replace(interfaces=(changed,))
