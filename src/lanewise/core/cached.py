"""Functions of functools, for commands that end before functools and what it imports have paid for themselves."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cache, cached_property, lru_cache, partial
else:
    from _functools import _lru_cache_wrapper, partial

    def cache(function):
        return _cached(function, None)

    def lru_cache(most):
        return lambda function: _cached(function, most)

    def _cached(function, most):
        cached = _lru_cache_wrapper(function, most, False, lambda *counts: counts)
        cached.__doc__, cached.__name__, cached.__wrapped__ = function.__doc__, function.__name__, function
        return cached

    class cached_property:  # noqa: N801
        def __init__(self, compute):
            self.compute, self.__doc__ = compute, compute.__doc__

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.compute(instance)
            return value


__all__ = ["cache", "cached_property", "lru_cache", "partial"]
