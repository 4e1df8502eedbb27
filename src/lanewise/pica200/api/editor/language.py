"""The `Editor` of each language of the PICA200."""

from __future__ import annotations

from lanewise.core.editor import Editor
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.editor.analysing import State, analyse
from lanewise.pica200.api.editor.completing import complete, signature
from lanewise.pica200.api.editor.describing import describe
from lanewise.pica200.api.editor.remarks import KINDS, remarks
from lanewise.pica200.text.dialects import dialect_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.document import Block
    from lanewise.core.editor import Analysis, Completion, Inlay, Signature
    from lanewise.core.occurrences import Occurrence
    from lanewise.core.service import Request


def editor_of(name: str) -> Editor:
    """What a language does for editors. Raises ValueError for an unknown one."""
    dialect = dialect_named(name)
    if dialect.vocabulary is None:
        raise ValueError(f"{dialect.title} sources have no editor")
    vocabulary = dialect.vocabulary()

    def analysed(request: Request) -> Analysis:
        return analyse(request, dialect, vocabulary)

    def described(analysis: Analysis, place: Occurrence) -> Sequence[Block]:
        return describe(analysis, _state(analysis), place)

    def completed(analysis: Analysis, file: str, text: str, line: int, column: int) -> Sequence[Completion]:
        return complete(analysis, _state(analysis), file, text, line, column)

    def signed(analysis: Analysis, file: str, text: str, line: int, column: int) -> Signature | None:
        return signature(_state(analysis), text, line, column)

    def remarked(analysis: Analysis, kinds: Sequence[str]) -> Sequence[Inlay]:
        return remarks(analysis, _state(analysis), kinds)

    return Editor(
        analyse=analysed,
        describe=described,
        complete=completed,
        signature=signed,
        inlays=dict(KINDS),
        remarks=remarked,
        comment=dialect.comment,
    )


def _state(analysis: Analysis) -> State:
    """What this package keeps of an analysis. Raises TypeError for one of another package."""
    if not isinstance(analysis.state, State):
        raise TypeError("this analysis was made by another editor")
    return analysis.state
