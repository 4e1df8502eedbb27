"""Immutable records that cost little to start with.

`Record` is `typing.NamedTuple` to a type checker. At run time it makes the same classes through `collections.namedtuple`,
because importing `typing` and letting it look at every annotation takes a third of the time in which `lanewise asm` may
start (bench/test_startup.py). For the same reason modules on that path take `TYPE_CHECKING` from here.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:

    class _RecordType(type):
        """Turns a class body of annotated fields into a named tuple with the body's methods."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            made.__doc__ = body.get("__doc__")
            for key, value in body.items():
                if key not in ("__module__", "__qualname__", "__doc__"):
                    setattr(made, key, value)
            return made

    class Record(metaclass=_RecordType):
        """Base of all records; see the module."""


__all__ = ["TYPE_CHECKING", "Record"]
