"""`lanewise opt --each` as a campaign: many programs, each optimised by itself.

Items are the programs of a list, by the paths of their files with hashes. Paths are relative to a folder: that of the record,
or, of programs that are not all below it, the one that they have in common. Workers on other machines need the files at the
same paths.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lanewise.core import files as door
from lanewise.core.diagnostics import InputError
from lanewise.core.service import FOLLOW, STDIO, Request, SourceFile, UsageError
from lanewise.distributed.campaign import Campaign, Outcome, RecordError
from lanewise.distributed.fuzzing import as_fuzzing, ended_if_it_hangs
from lanewise.distributed.works import stays_inside
from lanewise.packages import common_language, language_of, recognise, unknown_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.service import Answer, Value
    from lanewise.distributed.campaign import Json

WORK = "opt"  # in `WORKS`
INCLUDE = "include"  # the option with folders


def digest_of(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def folder_of(files: Sequence[str], system: Any = os.path) -> str:
    """The folder that absolute paths of files have in common. Raises UsageError."""
    try:
        return system.commonpath([system.dirname(path) for path in files])
    except ValueError:
        drives = " and ".join(sorted({system.splitdrive(path)[0] for path in files}))
        raise UsageError(f"the programs are on several drives, {drives}: give those of each in a run of its own") from None


def campaign_of(
    programs: Sequence[Sequence[str]],
    values: Mapping[str, Value],
    language: str,
    *,
    size: int = 1,
    record: str = "",
) -> Campaign:
    """The campaign of some programs, each the absolute paths of its files. `values` are options of `lanewise opt`. Raises
    OSError, UsageError."""
    files = [path for program in programs for path in program]
    folders = [os.path.realpath(path) for path in cast("tuple[str, ...]", values.get(INCLUDE, ()))]
    root = _beside(record) if record else ""
    beside = bool(root) and all(_below(root, path) for path in (*files, *folders))
    root = root if beside else folder_of(files)
    listed: list[Json] = [
        [[_name(root, path), digest_of(door.read(path, "program"))] for path in program] for program in programs
    ]
    if record and not all(stays_inside(_name(root, path)) for path in files):
        name = next(path for path in files if not stays_inside(_name(root, path)))
        raise UsageError(f"{name}: a record has only names of files that every system has: rename it, or leave out --record")
    given: dict[str, Json] = {
        key: [*value] if isinstance(value, tuple) else value
        for key, value in values.items()
        if key not in (INCLUDE, FOLLOW.key)
    }
    options: dict[str, Json] = {
        "programs": listed,
        "values": given,
        INCLUDE: [_name(root, path) if beside else path for path in folders],
        "language": language,
        "beside": beside,
    }
    return Campaign(
        work=WORK,
        options=options,
        first=0,
        last=len(listed),
        size=size,
        unit="programs",
        here={"root": root, INCLUDE: [*folders], FOLLOW.key: bool(values.get(FOLLOW.key))},
    )


def continued(campaign: Campaign, record: str) -> Campaign:
    """The campaign of a record whose files lie below the folder of the record, which have to be those of its digests. Raises
    UsageError, RecordError, OSError."""
    options: Mapping[str, Any] = campaign.options
    if not options["beside"]:
        raise UsageError(
            f"{record} does not say where its programs are, they are not below its folder: name them again, with --each"
        )
    if not all(name == "." or stays_inside(name) for name in options[INCLUDE]):
        raise RecordError(
            f"{record}:1: the options are damaged: '{INCLUDE}' is not a list of paths inside: begin another record"
        )
    root = _beside(record)
    folders: list[Json] = [place_of(root, name) for name in options[INCLUDE]]
    for path, digest in [file for program in options["programs"] for file in program]:
        if digest_of(door.read(place_of(root, path), "program")) != digest:
            raise UsageError(f"{place_of(root, path)} is another file than when the run was started: begin another record")
    return campaign._replace(here={"root": root, INCLUDE: folders, FOLLOW.key: False})


def _below(root: str, path: str) -> bool:
    name = _name(root, path)
    return name == "." or stays_inside(name)


def _name(root: str, path: str) -> str:
    """A path as a record has it. Files on another drive keep theirs."""
    try:
        return os.path.relpath(path, root).replace(os.sep, "/")
    except ValueError:
        return path


def _beside(record: str) -> str:
    return str(Path(record).resolve().parent)


def place_of(root: object, name: str) -> str:
    """The path of a file of a campaign."""
    return str(Path(str(root), *name.split("/")))


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
                paths = [(place_of(options["root"], name), digest) for name, digest in files]
                folders = {INCLUDE: options[INCLUDE]} if options[INCLUDE] else {}
                answer, suffix = _optimised(
                    paths, {**options["values"], **folders, FOLLOW.key: options.get(FOLLOW.key, False)}, options["language"]
                )
            except (InputError, UsageError, OSError) as error:
                text = error.diagnostics[0].message if isinstance(error, InputError) and error.diagnostics else str(error)
                counts.update(programs=1, errors=1)
                findings.append(found | {"error": text})
                continue
            data: Mapping[str, Any] = answer.data
            ((_, binary),) = answer.files
            size = data["words"] if "words" in data else data["slots"]
            counts.update(programs=1, before=size["before"], after=size["after"])
            digest += int.from_bytes(blake2b(f"{number} ".encode() + binary, digest_size=16).digest())
            found |= {key: data[key] for key in ("words", "slots", "descriptors", "constants", "cycles") if key in data}
            found |= {"suffix": suffix} if "words" not in data else {}  # else that of the first instruction set
            found["moves"] = {**_moves(data["steps"])}
            findings.append(found | {"binary": b64encode(binary).decode()})
    return Outcome(dict(counts), digest % (1 << 128), {}, findings)


def _moves(steps: Sequence[Mapping[str, str]]) -> Mapping[str, int]:
    names: list[str] = [step["move"] for step in steps]
    return Counter(names)


def _optimised(files: Sequence[Sequence[str]], values: Mapping[str, Any], language: str) -> tuple[Answer, str]:
    """The answer of `lanewise opt` for one program, and the suffix of its file. Raises InputError, UsageError, OSError."""
    sources: list[SourceFile] = []
    for path, digest in files:
        data = door.read(path, "program")
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
    scope = door.Scope([path for path, _ in files], given.get("include", ()), follow=bool(given.get(FOLLOW.key)))
    request = Request("opt", tuple(sources), {**given, "output": STDIO}, language=language, read_included=scope.included)
    loaded = package.load(request) if len(sources) > 1 or match is None else match.read(request)
    return package.optimise(loaded, request), package.containers[0].suffixes[0]


__all__ = ["WORK", "campaign_of", "continued", "digest_of", "folder_of", "piece", "place_of"]
