"""Manners of public objects: `PublicObject` shows what is promised in `dir`, `Content` is equal by what it holds,
`checked` methods say which arguments they have."""

from __future__ import annotations

from _collections_abc import Mapping

from lanewise.core.record import MOST_BY_POSITION, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from types import NoneType
    from typing import Any, ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R")
    N = TypeVar("N")


if not TYPE_CHECKING:
    NoneType = type(None)  # without an import


class PublicObject:
    """An object whose `dir` leaves out what lanewise alone uses: the names in `_internal` of its classes."""

    _internal: frozenset[str] = frozenset()

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name):
            try:
                return object.__getattribute__(self, name)  # again, for the reason why a property has no value
            except AttributeError as error:
                place = "" if name[:1] == "_" else self._elsewhere(name)
                if not place:
                    raise
                raise AttributeError(f"{error}: {place}", name=name, obj=self) from None

    def _elsewhere(self, name: str) -> str:
        """Where a name is that other objects have, as an imperative; empty for names that are not expected."""
        return ""

    def __dir__(self) -> Iterable[str]:
        hidden = internal_names(type(self))
        return [name for name in object.__dir__(self) if name not in hidden]


class Content(PublicObject):
    """A program that is equal to another of its class with the same content, whatever their names; it is hashable."""

    def _content(self) -> Hashable:
        """Everything that the program does or is saved with, without its name and places in sources."""
        raise NotImplementedError

    if not TYPE_CHECKING:  # type checkers refuse these by themselves

        def __call__(self, *_, **named):
            raise TypeError(f"a {type(self).__name__} is not a function: {self._elsewhere('call') or 'call its methods'}")

        def __getitem__(self, key):
            raise TypeError(f"a {type(self).__name__} has no items: {self._item(key)}")

        def __setitem__(self, key, value):
            raise TypeError(f"a {type(self).__name__} keeps no values: {self._item(key)}")

        def __setattr__(self, name, value):
            built = "_remembered" in self.__dict__  # the last attribute of a program that is set where it is created
            known = self.__dict__.get("interface") if built and name[:1] != "_" and name not in self.__dict__ else None
            named = (*getattr(known, "uniforms", ()), *getattr(known, "inputs", ()))
            if any(each.name == name for each in named):
                raise TypeError(f"a {type(self).__name__} keeps no values: {self._item(name)}")
            object.__setattr__(self, name, value)

    def _item(self, key: object) -> str:
        """The item that was meant, as an imperative."""
        return f"values are given to `run`, by name, {{{key!r}: value}}" if isinstance(key, str) else "it is one program"

    def __eq__(self, other: object) -> bool:
        return other is self or (isinstance(other, Content) and type(other) is self.__class__ and other._same(self))

    def _same(self, other: Content) -> bool:
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())


class Named(tuple[N, ...] if TYPE_CHECKING else tuple):
    """Bindings of a program in order, each by its name too."""

    if not TYPE_CHECKING:

        def __getitem__(self, key):
            if not isinstance(key, str):
                return tuple.__getitem__(self, key)
            for each in self:
                if key in (each.name, getattr(each, "semantic", None)):
                    return each
            names = ", ".join([getattr(each, "semantic", "") or each.name for each in self]) or "none"
            raise KeyError(f"unknown name {key!r}: there are {names}")

        def __setitem__(self, key, value):
            raise TypeError(f"a program keeps no values: they are given to `run`, by name, {{{key!r}: value}}")

        __setattr__ = __setitem__

        def __contains__(self, key):
            if not isinstance(key, str):
                return tuple.__contains__(self, key)
            return any(key in (each.name, getattr(each, "semantic", None)) for each in self)

        def __getattr__(self, name):
            known = any(each.name == name for each in self)
            raise AttributeError(f"bindings have no attribute '{name}'" + (f": use `[{name!r}]`" if known else ""))


class Presets(Mapping[str, N] if TYPE_CHECKING else Mapping):
    """Values by name that are not to be changed; `explain` says, as a ValueError, what is meant by another name."""

    def __init__(self, values: Mapping[str, N], explain: Callable[[str], object], name: str) -> None:
        self._values, self._explain, self._name = dict(values), explain, name

    def __getitem__(self, key: str) -> N:
        if key in self:
            return self._values[key]
        try:
            self._explain(key)
        except ValueError as error:
            raise KeyError(str(error)) from None
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)

    if not TYPE_CHECKING:  # type checkers refuse these by themselves

        def __getattr__(self, name):
            if name[:1] == "_":  # of an object that is not made yet, such as while it is unpickled
                raise AttributeError(name)
            found = next((key for key in self._values if key == name.lower()), "")
            raise AttributeError(
                f"{self._name} have no attribute '{name}'" + (f": use `{self._name}[{found!r}]`" if found else "")
            )

        def __call__(self, *values, **named):
            raise TypeError(f"{self._name} are not a function: use `{self._name}[{next(iter([*values, *self._values]))!r}]`")

        def __setitem__(self, key, value):
            raise TypeError(f"{self._name} are fixed: keep your own in a variable, and give that")


def answering(*methods: str) -> Callable[[type[R]], type[R]]:
    """The same record with these methods `checked`. Its `_meant` says, as an imperative, what to write for a name that it
    does not have, whether that is called, asked for as an attribute or as an item; its `_setting` for values by name."""

    def decorate(kind: type[R]) -> type[R]:
        def unknown(self: Any, name: str) -> object:
            place = "" if name[:1] == "_" else self._meant(name)
            raise AttributeError(f"a {kind.__name__} has no attribute '{name}'" + (place and f": {place}"), name=name, obj=self)

        def item(self: Any, key: object) -> object:
            if not isinstance(key, str):
                return cast("Any", tuple).__getitem__(self, key)
            raise TypeError(f"a {kind.__name__} has no items: {self._meant(key) or 'its values are attributes'}")

        def call(self: Any, *values: object, **named: object) -> object:
            raise TypeError(f"a {kind.__name__} is not a function: {self._meant('call')}")

        for name in methods:
            setattr(kind, name, checked(getattr(kind, name)))
        create = kind.__new__

        def new(cls: type[R], *values: object, **named: object) -> R:
            try:
                return create(cls, *values, **named)
            except TypeError as error:
                advice: str = cast("Any", cls)._advice
                text = str(error)
                raise TypeError(text if advice in text else f"a {kind.__name__} needs a value for each field{advice}") from None

        if len(cast("Any", kind)._fields) <= MOST_BY_POSITION:
            kind.__new__ = new
        for name, function in (("__getattr__", unknown), ("__getitem__", item), ("__call__", call)):
            setattr(kind, name, function)
        return kind

    return decorate


def named_fields(called: Mapping[str, str]) -> Callable[[type[R]], type[R]]:
    """The same record of values by name, which says so where they are given by place, and what names of others are here."""

    def decorate(kind: type[R]) -> type[R]:
        create, fields = kind.__new__, cast("tuple[str, ...]", cast("Any", kind)._fields)

        def new(cls: type[R], *values: object, **named: object) -> R:
            strange = next((name for name in named if name not in fields), "")
            if not values and not strange:
                return create(cls, **named)
            if values:
                from lanewise.core.argument_kinds import shown

                texts = [shown(value) for value in values]
                given = [
                    f"{name}={'...' if text[:2] in ('a ', 'an') else text}" for name, text in zip(fields, texts, strict=False)
                ]
                raise TypeError(f"a {kind.__name__} takes its values by name: `{kind.__name__}({', '.join([*given, *named])})`")
            meant = called.get(strange, "")
            fix = f"did you mean {meant}?" if meant else f"it has {', '.join(fields)}"
            raise TypeError(f"a {kind.__name__} has no '{strange}': {fix}")

        kind.__new__ = new
        return kind

    return decorate


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, whose call with arguments that it does not have is a TypeError that names those it has."""

    defaults: dict[str, object] = getattr(function, "__kwdefaults__", None) or {}
    flags = [name for name, value in defaults.items() if isinstance(value, bool)]

    def call(*values: P.args, **named: P.kwargs) -> R:
        if named and flags:
            for name in flags:
                if name in named and not isinstance(named[name], (bool, int, NoneType)):
                    _refuse_flag(name, named[name])
        try:
            return function(*values, **named)
        except TypeError as error:
            at = error.__traceback__
            if named.get("progress") is not None:
                from lanewise.core.arguments import check_progress

                check_progress(named["progress"])
            if at is not None and at.tb_next is None:  # of the call: the function has not begun
                from lanewise.core.arguments import sentence

                raise TypeError(sentence(function, values, named, error)) from None
            _explain(function, values, named, error)
            raise
        except (AttributeError, ValueError, KeyError, IndexError) as error:
            _explain(function, values, named, error)
            raise

    return _like(call, function)


def _refuse_flag(name: str, value: object) -> None:
    """Raise TypeError for a value that only happens to be true."""
    from lanewise.core.argument_kinds import shown

    if type(value).__name__ not in ("bool_", "bool"):  # of NumPy
        raise TypeError(f"{name} is {shown(value)}, expected True or False")


def _explain(
    function: Callable[..., object], values: tuple[object, ...], named: Mapping[str, object], error: Exception
) -> None:
    """Raise TypeError for an argument of another kind than the function takes, if that may be why it failed."""
    from lanewise.core.argument_kinds import explained

    text = explained(function, values, named, error)
    if text:
        raise TypeError(text) from error


def checked_fields(kind: type[R]) -> type[R]:
    """The same data class, of which `checked` creates objects."""
    create = kind.__init__
    refusing = checked(create)

    def init(self: R, *values: object, **named: object) -> None:
        refusing(self, *values, **named)
        from lanewise.core.argument_kinds import misfit

        text = misfit(create, (self, *values), named)
        if text:
            raise TypeError(text)

    kind.__init__ = _like(init, create)
    return kind


def _like(call: Any, function: Any) -> Any:
    """A function with the names and the signature of the one that it calls."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        setattr(call, name, getattr(function, name))
    call.__dict__["__wrapped__"] = function
    return call


def internal_names(kind: type) -> frozenset[str]:
    """The names of a class that lanewise alone uses."""
    found: set[str] = set()
    for base in kind.__mro__:
        found |= base.__dict__.get("_internal", frozenset())
    return frozenset(found)


__all__ = [
    "Content",
    "Named",
    "Presets",
    "PublicObject",
    "answering",
    "checked",
    "checked_fields",
    "internal_names",
    "named_fields",
]
