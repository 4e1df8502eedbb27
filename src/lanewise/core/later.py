"""Functions with their arguments that another process can have: `Prepared`, and `Later`, whose value is worked out once.

A local function would not pickle. These do where the function is one of a module, or a method, and the arguments pickle.
"""

from __future__ import annotations

from lanewise.core.cached import partial
from lanewise.core.record import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Prepared(partial[T]):
    """A function with its first arguments. (The text of a `partial` has those of all arguments.)"""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{self.func.__qualname__}>"


class Later(Generic[T]):
    """The result of a function for these arguments; a call gives it, the first one works it out."""

    def __init__(self, function: Callable[..., T], *arguments: object) -> None:
        self._work: tuple[Callable[..., T], tuple[object, ...]] | None = (function, arguments)
        self._name = function.__qualname__

    def __call__(self) -> T:
        work = self._work
        if work is not None:
            function, arguments = work
            self._value = function(*arguments)
            self._work = None
        return self._value

    def __repr__(self) -> str:
        return f"<{self._name}>"


__all__ = ["Later", "Prepared"]
