"""Options of one language on a command line for sources of another."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.pica200.text.dialects import dialects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.pica200.text.dialect import Dialect


def refuse_options(request: Request, languages: Sequence[Dialect], keys: Sequence[str] = (), also: str = "") -> None:
    """Raise UsageError for an option that another language takes and none of `languages`, which is empty for a binary.

    `keys` are the options in question (default: all); `also` names what else takes them.
    """
    taken = {key for language in languages for key in language.takes}
    for owner in dialects():
        foreign = {
            key: shown
            for key, shown in owner.takes.items()
            if key not in taken and (not keys or key in keys) and request.has(key)
        }
        if not foreign:
            continue
        message = f"{_listed(list(foreign.values()))} {'is' if len(foreign) == 1 else 'are'} for {owner.title} sources{also}"
        for language in languages or dialects():
            said = [language.instead[key] for key in foreign if key in language.instead]
            if said:
                message += f": in {language.title} sources write {_listed(said)}"
                break
        raise UsageError(message)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([part for part in (", ".join(names[:-1]), names[-1]) if part])
