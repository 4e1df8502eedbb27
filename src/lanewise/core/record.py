"""Immutable records that cost little to start with.

`Record` is `typing.NamedTuple` to a type checker. At run time it makes classes of the same behaviour itself, because
importing `typing` and letting it look at every annotation takes a third of the time in which `lanewise asm` may start, and
`collections` another tenth (bench/test_startup.py). For the same reason modules on that path, and on that of other short
commands, take `TYPE_CHECKING` from here, and the names of `typing` that they need when they run.
"""

from __future__ import annotations

TYPE_CHECKING = False

# A record of more fields is created with keywords only, so that a reader can match value and meaning.
MOST_BY_POSITION = 4

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Generic, ParamSpec, TypedDict, TypeVar, cast
    from typing import NamedTuple as Record

    _Parameters = ParamSpec("_Parameters")
    _Created = TypeVar("_Created")

    def by_position(kind: Callable[_Parameters, _Created]) -> Callable[_Parameters, _Created]:
        """A function that creates records of more than four fields by position: for rows of a table with a heading."""
        ...
else:
    from _collections import _tuplegetter

    _new = tuple.__new__
    # Creating a record is half as long with a parameter for each field as with *values and **named. These take the names of a
    # class's fields.
    _CREATORS = (
        lambda cls: _new(cls, ()),
        lambda cls, a: _new(cls, (a,)),
        lambda cls, a, b: _new(cls, (a, b)),
        lambda cls, a, b, c: _new(cls, (a, b, c)),
        lambda cls, a, b, c, d: _new(cls, (a, b, c, d)),
        lambda cls, a, b, c, d, e: _new(cls, (a, b, c, d, e)),
        lambda cls, a, b, c, d, e, f: _new(cls, (a, b, c, d, e, f)),
        lambda cls, a, b, c, d, e, f, g: _new(cls, (a, b, c, d, e, f, g)),
        lambda cls, a, b, c, d, e, f, g, h: _new(cls, (a, b, c, d, e, f, g, h)),
        lambda cls, a, b, c, d, e, f, g, h, i: _new(cls, (a, b, c, d, e, f, g, h, i)),
        lambda cls, a, b, c, d, e, f, g, h, i, j: _new(cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k: _new(cls, (a, b, c, d, e, f, g, h, i, j, k)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k, m: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m, n)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q)),
    )
    _Function = type(_CREATORS[0])

    def _creator(name, fields, defaults, named):
        """`__new__` of a class with few fields: `named`, by keywords only."""
        count = 1 if named else 1 + len(fields)
        code = _CREATORS[len(fields)].__code__.replace(
            co_argcount=count,
            co_kwonlyargcount=1 + len(fields) - count,
            co_varnames=("cls", *fields),
            co_name="__new__",
            co_qualname=f"{name}.__new__",
        )
        function = _Function(code, globals(), "__new__", None if named else tuple(defaults.values()))
        if named:
            function.__kwdefaults__ = defaults
        return function

    class _RecordMethods(tuple):
        """Methods of every record; the names are those of named tuples."""

        __slots__ = ()
        _fields = ()
        _field_defaults = ()
        _advice = ""  # after a message about fields

        @classmethod
        def _make(cls, values):
            instance = _new(cls, values)
            if len(instance) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, got {len(instance)}")
            return instance

        def _replace(self, **changes):
            instance = _new(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"{type(self).__name__} has no field {', '.join(changes)}")
            return instance

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            values = [f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True)]
            return f"{type(self).__name__}({', '.join(values)})"

        def __new__(cls, *values, **named):
            if values:
                raise TypeError(f"{cls.__name__} takes its values by name{cls._advice}")
            return _new(cls, cls._complete((), named))

        @classmethod
        def _complete(cls, values, named):
            """All values in order, with named ones and defaults put in their places. Raises TypeError as a function would."""
            if len(values) > len(cls._fields):
                raise TypeError(f"{cls.__name__} takes {len(cls._fields)} values, got {len(values)}")
            strange = [name for name in named if name not in cls._fields]
            if strange:
                from difflib import get_close_matches

                close = get_close_matches(strange[0].lower(), cls._fields, 2, 0.7)
                meant = f": did you mean {' or '.join(close)}?" if close else ""
                raise TypeError(f"{cls.__name__} cannot take {', '.join(strange)}{meant}{cls._advice}")
            complete = list(values)
            for field in cls._fields[len(values) :]:
                if field in named:
                    complete.append(named.pop(field))
                elif field in cls._field_defaults:
                    complete.append(cls._field_defaults[field])
                else:
                    raise TypeError(f"{cls.__name__} needs a value for {field}{cls._advice}")
            return complete

        def __reduce__(self):
            return self._make, (tuple(self),)

    class _RecordType(type):
        """Metaclass: a class body of annotated fields becomes a tuple with fields and methods."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            if fields[len(fields) - len(defaults) :] != tuple(defaults):
                raise TypeError(f"{name} has a field without a default after one with a default")
            for number, field in enumerate(fields):
                body[field] = _tuplegetter(number, None)
            body |= {
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
            }
            if len(fields) < len(_CREATORS):
                body["__new__"] = _creator(name, fields, defaults, len(fields) > MOST_BY_POSITION)
            return type(name, (_RecordMethods,), body)

    class Record(metaclass=_RecordType):
        """Base of all records; see the module."""

    def by_position(kind):
        return lambda *values, **named: _new(kind, kind._complete(values, named))

    class Generic:
        """Base of generic classes: at run time `Generic[T]` is this class."""

        __slots__ = ()

        def __class_getitem__(cls, parameters):
            return cls

    class TypedDict:
        """Base of typed dictionaries: at run time they are plain ones."""

        def __new__(cls, **values):
            return values

        def __init_subclass__(cls, **options):
            pass

    def TypeVar(name, **options):  # noqa: N802
        return name

    def cast(kind, value):
        return value


__all__ = ["TYPE_CHECKING", "Generic", "Record", "TypeVar", "TypedDict", "by_position", "cast"]
