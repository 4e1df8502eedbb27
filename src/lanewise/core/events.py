"""Events for programs that use lanewise: records of `logging` under the name `lanewise` (docs/python.md#logging).

A program that shows them has imported `logging`. Where none has, no record could be seen, so none is made and nothing is
imported: `lanewise asm` starts without it. Commands show no events.
"""

from __future__ import annotations

import sys

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger

ROOT = "lanewise"
# Loggers below it, by what they are about.
CACHE, COMPILERS, ENGINES, KERNELS, PLUGINS = AREAS = ("cache", "compilers", "engines", "kernels", "plugins")


def debug(area: str, message: str, *values: object) -> None:
    """Something that happens as a rule, with figures."""
    if "logging" in sys.modules:
        _logger(area).debug(message, *values, stacklevel=2)


def info(area: str, message: str, *values: object) -> None:
    """Something that a reader of slow or different behaviour wants to know."""
    if "logging" in sys.modules:
        _logger(area).info(message, *values, stacklevel=2)


def warning(area: str, message: str, *values: object) -> None:
    """Something that does not work as the user wants it."""
    if "logging" in sys.modules:
        _logger(area).warning(message, *values, stacklevel=2)


def _logger(area: str) -> Logger:
    """The logger of an area; nothing is printed where the program has no handlers."""
    import logging

    root = logging.getLogger(ROOT)
    if not root.handlers:
        root.addHandler(logging.NullHandler())
    return root.getChild(area)


__all__ = ["AREAS", "CACHE", "COMPILERS", "ENGINES", "KERNELS", "PLUGINS", "ROOT", "debug", "info", "warning"]
