"""Packages that are functions too: `import lanewise.compile` would hide a function of that name."""

from __future__ import annotations

import sys

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any
else:
    ModuleType = type(sys)  # without an import


def make_callable(package: str, home: str, name: str) -> None:
    """Make a call of a package one of the function `name` of the module `home`, which is imported then."""

    class CallablePackage(ModuleType):
        def __call__(self, *arguments: Any, **options: Any) -> Any:
            return self.__wrapped__(*arguments, **options)

        @property
        def __wrapped__(self) -> Any:
            """The function, for signatures (`inspect.unwrap`)."""
            return getattr(__import__(home, fromlist=(name,)), name)

    sys.modules[package].__class__ = CallablePackage


__all__ = ["make_callable"]
