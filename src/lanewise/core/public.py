"""Public names of packages, imported when they are first used, and names that have moved."""

from __future__ import annotations

from importlib import import_module

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


def public(namespace: dict[str, Any], home: str, name: str) -> object:
    """Import a public name of the package whose globals `namespace` is, from its module `home`, and keep it there.

    A name that ends its home is that module. Raises ModuleNotFoundError with the command that installs a missing library.
    """
    package = str(namespace["__name__"])
    try:
        module = import_module(f"{package}.{home}")
    except ModuleNotFoundError as error:
        from lanewise.core.extras import missing_library

        missing = missing_library(error, f"{package}.{name}")
        if missing is None:
            raise
        raise ModuleNotFoundError(f"{missing.message}: {missing.fix}", name=error.name) from None
    value = module if f".{home}".endswith(f".{name}") else getattr(module, name)
    namespace[name] = value
    return value


def moved(package: str, inner: str, name: str, more: str = "") -> object:
    """A name of `package` that is public in its package `inner` now, with a warning for the caller's caller; `more` ends it."""
    import warnings

    warnings.warn(f"{package}.{name} is deprecated: use {package}.{inner}.{name}{more}", DeprecationWarning, stacklevel=3)
    value: object = getattr(import_module(f"{package}.{inner}"), name)
    return value


def unknown(package: str, name: str, known: Iterable[str], meant: Mapping[str, str] | None = None) -> AttributeError:
    """The error for a name that a package does not have: `meant` are those of others, by what each is here."""
    instead = (meant or {}).get(name, "")
    if not instead and name[:2] != "__":
        import sys

        from lanewise.core.text.suggestions import near

        close = near(name, known)
        above = package != "lanewise" and name in vars(sys.modules["lanewise"])["__all__"]
        instead = f"lanewise.{name}" if above else close[0] if close else ""
    text = f"module {package!r} has no attribute {name!r}"
    return AttributeError(text + (f": use `{instead}`" if instead else ""), name=name)


def not_a_function(module: str, name: str, instead: str) -> None:
    """Make a call of a module a TypeError that says what to call, under its public name."""
    import sys
    from types import ModuleType

    class Called(ModuleType):
        def __call__(self, *values: object, **named: object) -> object:
            raise TypeError(f"{name} is a module: {instead}")

    sys.modules[module].__class__ = Called
