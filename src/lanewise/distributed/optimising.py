"""`lanewise opt --each` as a campaign: many programs, each optimised by itself.

Items are the programs of a list, by the paths of their files with hashes; workers on other machines need the files at the same paths.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.diagnostics import InputError
from lanewise.core.service import STDIO, Request, SourceFile, UsageError
from lanewise.core.source import read_file, read_included
from lanewise.distributed.campaign import Campaign, Outcome
from lanewise.distributed.fuzzing import as_fuzzing, ended_if_it_hangs
from lanewise.packages import common_language, language_of, recognise, unknown_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.service import Answer, Value
    from lanewise.distributed.campaign import Json

WORK = "lanewise.distributed.optimising:piece"


def digest_of(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def campaign_of(programs: Sequence[Sequence[str]], values: Mapping[str, Value], language: str, *, size: int = 1) -> Campaign:
    """The campaign of some programs, each the paths of its files. `values` are options of `lanewise opt`. Raises OSError."""
    listed: list[Json] = [[[path, digest_of(read_file(path))] for path in program] for program in programs]
    given: dict[str, Json] = {key: [*value] if isinstance(value, tuple) else value for key, value in values.items()}
    return Campaign(WORK, {"programs": listed, "values": given, "language": language}, 0, len(listed), size, "programs")


def piece(options: Mapping[str, Any], first: int, count: int) -> Outcome:
    """Some programs of the list: what is left of each, as findings. A program with errors is one too."""
    counts: Counter[str] = Counter(programs=0, before=0, after=0, errors=0)
    findings: list[dict[str, Json]] = []
    digest = 0
    with as_fuzzing(), ended_if_it_hangs() as alive:
        for number in range(first, first + count):
            alive()
            files = options["programs"][number]
            found: dict[str, Json] = {"number": number, "name": files[0][0]}
            try:
                answer = _optimised(files, options["values"], options["language"])
            except (InputError, UsageError, OSError) as error:
                text = error.diagnostics[0].message if isinstance(error, InputError) and error.diagnostics else str(error)
                counts.update(programs=1, errors=1)
                findings.append(found | {"error": text})
                continue
            data: Mapping[str, Any] = answer.data
            ((_, binary),) = answer.files
            counts.update(programs=1, before=data["words"]["before"], after=data["words"]["after"])
            digest += int.from_bytes(blake2b(f"{number} ".encode() + binary, digest_size=16).digest())
            found |= {key: data[key] for key in ("words", "descriptors", "constants")}
            found["moves"] = {**_moves(data["steps"])}
            findings.append(found | {"binary": b64encode(binary).decode()})
    return Outcome(dict(counts), digest % (1 << 128), {}, findings)


def _moves(steps: Sequence[Mapping[str, str]]) -> Mapping[str, int]:
    names: list[str] = [step["move"] for step in steps]
    return Counter(names)


def _optimised(files: Sequence[Sequence[str]], values: Mapping[str, Any], language: str) -> Answer:
    """The answer of `lanewise opt` for one program. Raises InputError, UsageError, OSError."""
    sources: list[SourceFile] = []
    for path, digest in files:
        data = read_file(path)
        if digest_of(data) != digest:
            raise UsageError(f"{path} is another file here than where the run was started")
        sources.append(SourceFile(path, data, path))
    first = sources[0]
    match = recognise(first.name, first.data) if not language else None
    package = language_of(language)[0] if language else match.package if match is not None else None
    if package is None:
        raise unknown_file(first.name, first.data)
    if package.optimise is None:
        raise UsageError(f"{package.title} has no optimiser")
    language = language or (common_language(package, sources) if len(sources) > 1 else "")
    given: dict[str, Any] = {
        key: tuple(cast("list[str]", value)) if isinstance(value, list) else value for key, value in values.items()
    }
    request = Request("opt", tuple(sources), {**given, "output": STDIO}, language=language, read_included=read_included)
    loaded = package.load(request) if len(sources) > 1 or match is None else match.read(request)
    return package.optimise(loaded, request)


__all__ = ["WORK", "campaign_of", "digest_of", "piece"]
