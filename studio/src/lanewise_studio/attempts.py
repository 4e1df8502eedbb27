"""Programs that are read with more than a state says, so that what is public shows its shape at once.

Sources of other projects name no semantics of the target, or count on macros of their build. Where reading one is refused for
such a cause, a row of `ATTEMPTS` gives the state that may be read, and a sentence about it for the page.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.core.diagnostics import InputError
from lanewise.core.service import InputFailure, UsageError

from lanewise_studio.program import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.package import Loaded

    from lanewise_studio.state import State

    Refused = Sequence[Diagnostic]
    Change = Callable[[State, Refused], "tuple[State, str] | None"]

ANY_SEMANTIC = "*=any"
_LANGUAGES = ("glsl", "hlsl", "slang")
_INSTANCES = ("gl_InstanceIndex", "gl_InstanceID")
_MODEL_4 = re.compile(r"#\s*(?:ifdef\s+SM4|if\s+SM4|if\s+defined\s*\(?\s*SM4)\b")
_NO_ROOM = re.compile(r"(\d+) registers are needed, of which '([\w.]+)' is (\d+); c0 to c(\d+) are there")
_SPARE = 8  # registers for constants of the program
_ROWS = 4  # registers of a matrix


class Attempt(NamedTuple):
    """A cause for which sources are refused: the `code` of its findings, and the state that is tried then, with a sentence."""

    code: str
    change: Change


class Read(NamedTuple):
    """A program that was read: with which options, and what a page says of each."""

    program: Program
    loaded: Loaded
    remarks: tuple[str, ...] = ()


def _with(state: State, key: str, *texts: str) -> State:
    """A state with more texts of an option."""
    given = state.options.get(key, [])
    listed = cast("list[object]", given) if isinstance(given, list) else []
    return state._replace(options={**state.options, key: [*listed, *texts]})


def _semantics(state: State, found: Refused) -> tuple[State, str] | None:
    """Outputs without a semantic take those that are left; a note of the compiler says which."""
    return _with(state, "semantic", ANY_SEMANTIC), "outputs without a semantic take those that are left: --semantic '*=any'"


def _instances(state: State, found: Refused) -> tuple[State, str] | None:
    """The target draws one instance."""
    names = [name for name in _INSTANCES if any(name in finding.message for finding in found)]
    if not names:
        return None
    return _with(state, "define", *[f"{name}=0" for name in names]), f"one instance is drawn: -D {names[0]}=0"


def _model_4(state: State, found: Refused) -> tuple[State, str] | None:
    """Effects of XNA, FNA and DirectXTK have macros for two models of shaders (FNA, StockEffects/HLSL/Macros.fxh); those for
    Direct3D 9 declare textures as only its own compiler takes them."""
    if not any(_MODEL_4.search(file.text) for file in state.files):
        return None
    return _with(state, "define", "SM4=1"), "the macros of shader model 4: -D SM4=1"


def _shorter(state: State, found: Refused) -> tuple[State, str] | None:
    """An array that does not fit is as long as there is room: the vertices of the studio's meshes belong to its first bone."""
    parts = next((parts for parts in (_NO_ROOM.search(finding.message) for finding in found) if parts), None)
    if parts is None:
        return None
    needed, name, own, last = int(parts[1]), parts[2].rpartition(".")[2], int(parts[3]), int(parts[4])
    room = (last + 1 - _SPARE - (needed - own)) // _ROWS
    declared = re.compile(rf"(\b\w+[ \t]+{re.escape(name)}[ \t]*\[)[^\[\]\n]+(\])")
    room -= room % 3 == 0  # arrays whose registers are a multiple of three are taken as matrices of three rows
    if room < 1 or not any(declared.search(file.text) for file in state.files):
        return None
    files = tuple([file._replace(text=declared.sub(rf"\g<1>{room}\g<2>", file.text, count=1)) for file in state.files])
    text = f"{name} has {own} registers of {last + 1}: it is shown with {room} elements"
    return state._replace(files=files), text


ATTEMPTS = (
    Attempt("S006", _semantics),
    Attempt("S005", _instances),
    Attempt("L901", _model_4),
    Attempt("L104", _shorter),
)


def read(state: State, files: Mapping[str, bytes]) -> Read:
    """The program of a state, read. Raises InputError with what is left where no attempt helps, InputFailure, UsageError."""
    return _read(state, files, [], [])


def tried(state: State, files: Mapping[str, bytes]) -> State:
    """The last state with which a program was tried that cannot be read."""
    states = [state]
    with suppress(InputError, InputFailure, UsageError):
        _read(state, files, [], states)
    return states[-1]


def _read(state: State, files: Mapping[str, bytes], remarks: list[str], states: list[State]) -> Read:
    left = [*ATTEMPTS]
    while True:
        states.append(state)
        program = Program(state, files)
        try:
            loaded = program.load()
            _ = loaded.words
            return Read(program, loaded, tuple(remarks))
        except InputError as error:
            language = program.match.language
            if language is None or language.name not in _LANGUAGES:
                raise
            following = _next(left, state, error.diagnostics)
            if following is None:
                raise
            state, text = following
            remarks.append(text)


def _next(left: list[Attempt], state: State, found: Refused) -> tuple[State, str] | None:
    """The next state that is tried, and its sentence. Each attempt is made once."""
    for attempt in [*left]:
        own = [finding for finding in found if finding.code == attempt.code and finding.is_error]
        changed = attempt.change(state, own) if own else None
        if changed is not None:
            left.remove(attempt)
            return changed
    return None


__all__ = ["ANY_SEMANTIC", "ATTEMPTS", "Attempt", "Read", "read", "tried"]
