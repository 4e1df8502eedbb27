"""Messages of which a part is odd: for the language server, and for the studio."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence


def damaged(source: random.Random, value: Any, odd: Sequence[Any]) -> Any:
    """A copy of a message of which a part is missing, odd, or the message itself."""
    found: Any = copy.deepcopy(value)
    holders: list[Any] = [found]
    for each in holders:
        inner: list[Any] = [*(each.values() if isinstance(each, dict) else each)]  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        holders += [part for part in inner if isinstance(part, (dict, list)) and part]
    holder: Any = source.choice([each for each in holders if each] or [{"": None}])
    keys: list[Any] = [*holder] if isinstance(holder, dict) else [*range(len(holder))]  # pyright: ignore[reportUnknownArgumentType]
    key = source.choice(keys)
    how = source.randrange(4)
    if how == 0 and isinstance(holder, dict):
        del holder[key]
    else:
        holder[key] = copy.deepcopy(value) if how == 1 else source.choice(odd)
    return found
