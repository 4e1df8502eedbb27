"""The packages of all instruction sets: names, file recognition, findings.

Ask through `packages()`: tests replace the tuple. Those of other distributions are looked up (`installed`) where none of these
knows a file or a name.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.package import CERTAIN, NO, POSSIBLE
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO, InputFailure, Request, SourceFile, UsageError
from lanewise.core.source import Span, decode_text
from lanewise.direct3d9.package import DIRECT3D9
from lanewise.pica200.package import PICA200
from lanewise.shadercore.package import SHADERCORE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.core.code import Code
    from lanewise.core.comparison import Comparison
    from lanewise.core.package import Container, IsaPackage, Language, Loaded
    from lanewise.core.service import Report
    from lanewise.installed import Installed

PACKAGES = (PICA200, SHADERCORE, DIRECT3D9)
_SNIFFED = 1 << 20  # bytes of a file in which a language is recognised


class Match(Record):
    """The kind of a file: its package, and its language or container."""

    package: IsaPackage
    language: Language | None = None
    container: Container | None = None

    @property
    def read(self) -> Callable[[Request], Loaded]:
        if self.language is not None:
            read = self.language.read
        else:
            read = self.container.read if self.container is not None else self.package.load
        return lambda request: read(self.with_member(request))

    def with_member(self, request: Request) -> Request:
        """The request with the program that `FILE:NAME` or `--program` means. Raises UsageError for a file of one program,
        InputError."""
        source = request.sources[0] if len(request.sources) == 1 else None
        for linked in request.sources if source is None else ():
            if linked.member:
                raise UsageError(f"{linked.name}:{linked.member} is one program of a file: give it without others")
        named = source.member if source is not None else ""
        members = self._members(source.data) if source is not None else None
        if source is None or (not named and (members is None or not request.text("program"))):
            return request
        if members is None:
            raise UsageError(f"{source.name} holds one program: leave out ':{named}'")
        if named and request.has("program"):
            raise UsageError(f"{source.name}:{named} names a program, and so does --program: use one of them")
        from lanewise.core.members import choose

        chosen = choose(members(request), named or request.text("program"), source.name, self._kind(source.data))
        return request.with_program((source._replace(member=""),), chosen)

    def _members(self, data: bytes) -> Callable[[Request], Mapping[str, str]] | None:
        """The function that lists the programs of a file, by containers if only the package is named; None for one program."""
        container = self._container(data)
        return container.members if container is not None else None

    def _kind(self, data: bytes) -> str:
        """The noun for the programs of the file."""
        container = self._container(data)
        return container.member if container is not None else "program"

    def _container(self, data: bytes) -> Container | None:
        if self.language is not None or self.container is not None:
            return self.container
        return next((kind for kind in self.package.containers if kind.recognises(data) != NO), None)

    @property
    def compiled(self) -> bool:
        """Whether reading the file compiles it: it is a source of a front end."""
        return (self.language or self.container) is not None and not any(
            row is self.language or row is self.container for row in (*self.package.languages, *self.package.containers)
        )

    @property
    def title(self) -> str:
        """The kind of the file, for messages."""
        if self.language is not None:
            return f"{self.language.title} source"
        return self.container.title if self.container is not None else f"{self.package.title} file"


_others: list[Installed] = []  # one, once they have been looked up


def packages() -> tuple[IsaPackage, ...]:
    """All packages, in the order in which they are listed; those of other distributions once they have been looked up."""
    return PACKAGES if not _others else (*PACKAGES, *_others[0].packages)


def look_up() -> bool:
    """Look up the instruction sets of other distributions, once. Whether that has found any that `packages` did not have."""
    if _others:
        return False
    from lanewise.installed import look_up

    _others.append(look_up(PACKAGES))
    return bool(_others[0].packages)


def _broken() -> Mapping[str, Diagnostic]:
    """The findings about instruction sets of other distributions that cannot be used, by name."""
    return _others[0].broken if _others else {}


def _drop(package: IsaPackage, error: Exception) -> bool:
    """Do without an instruction set of another distribution that has raised an error; False for one of this distribution."""
    if package in PACKAGES:
        return False
    from lanewise.installed import Installed, finding

    kept = tuple([each for each in _others[0].packages if each is not package])
    _others[0] = Installed(kept, {**_others[0].broken, package.name: finding(package.name, error)})
    return True


def fault_of(error: Exception) -> Diagnostic | None:
    """The finding about a fault in the code of another distribution's instruction set; None for any other error, and for what
    it may raise."""
    if not _others or isinstance(error, (InputFailure, UsageError, OSError, MemoryError, RecursionError)):
        return None
    from lanewise.installed import failure

    return failure(error)


def package_of(isa: str) -> IsaPackage:
    """The package of an instruction set by its name. Raises ValueError with the names that there are, or why the one of another
    distribution cannot be used."""
    for package in packages():
        if package.name == isa:
            return package
    if look_up():
        return package_of(isa)
    if isa in _broken():
        raise ValueError(_broken()[isa].message)
    from lanewise.core.text.suggestions import near

    names = [package.name for package in packages()]
    meant = [package.name for package in packages() if isa.lower() in package.also] or near(isa, names)
    hint = f" (did you mean {meant[0]}?)" if meant else ""
    raise ValueError(f"unknown instruction set {isa!r}: use {', '.join(names)}{hint}")


def languages() -> tuple[tuple[IsaPackage, Language], ...]:
    """Every language with its package."""
    return tuple([(package, language) for package in packages() for language in package.languages])


def suffixes(among: Iterable[IsaPackage] | None = None) -> tuple[str, ...]:
    """The suffixes of all files that are recognised by them, of some packages or all."""
    rows = [row for package in (packages() if among is None else among) for row in (*package.languages, *package.containers)]
    return tuple([suffix for row in rows for suffix in row.suffixes])


def language_of(dialect: str) -> tuple[IsaPackage, Language]:
    """A language by its name. Raises ValueError with the names that there are."""
    for package, language in languages():
        if language.name == dialect:
            return package, language
    if look_up():
        return language_of(dialect)
    names = [language.name for _, language in languages()]
    lower = str(dialect).lower()
    raise ValueError(
        f"unknown dialect {dialect!r}: " + (f"did you mean {lower}?" if lower in names else f"use {', '.join(names)}")
    )


def difference(programs: tuple[Loaded, Loaded], requests: tuple[Request, Request]) -> Comparison:
    """Compare two programs for all inputs. Raises UsageError where that is not possible, InputError."""
    from lanewise.core.reporting import reported

    with reported(requests[0].progress):
        return _difference(programs, requests)


def _difference(programs: tuple[Loaded, Loaded], requests: tuple[Request, Request]) -> Comparison:
    first, second = programs
    if first.isa != second.isa:
        from lanewise.compile.services.diff import difference as across

        found = across(programs, requests)
        if found is not None:
            return found
        titles = [package_of(each.isa).title for each in programs]
        raise UsageError(
            f"{first.name} is for {titles[0]} and {second.name} for {titles[1]}: compare programs of one instruction set"
        )
    if first.difference is None:
        raise UsageError(f"{package_of(first.isa).title} has no comparison of programs")
    return first.difference(second, requests)


def codes() -> Mapping[str, Code]:
    """Every finding by its code. Raises ValueError if two tables have one code."""
    from lanewise.core.code import by_code
    from lanewise.core.codes import SHARED

    return by_code(SHARED, *[package.codes() for package in packages()])


def hinted(package: IsaPackage, loaded: Loaded, request: Request, report: Report) -> Report:
    """The report about a program with hints: the steps of its optimiser, where `check` has none of its own. Raises
    UsageError for an instruction set without an optimiser."""
    from lanewise.core.diagnostics import has_errors, in_order
    from lanewise.core.ignoring import is_ignored

    if package.own_hints or has_errors(report.findings):
        return report
    if package.optimise is None:
        raise UsageError(f"{package.title} has no optimiser: leave out --hints")
    try:
        answer = package.optimise(loaded, request.with_values({"hints": True}))
    except (InputFailure, UsageError) as error:
        return report._replace(remarks=(*report.remarks, f"no hints: {error}"))
    shown = [finding for finding in answer.last if not is_ignored(finding)]
    return report._replace(
        findings=tuple(in_order([*report.findings, *shown])),
        ignored=(*report.ignored, *[finding for finding in answer.last if is_ignored(finding)]),
        remarks=(*report.remarks, *answer.remarks),
    )


def recognise(path: str, data: bytes) -> Match | None:
    """Recognise a file by its content and suffix; None if neither decides.

    Content that is certainly of one kind decides, then the suffix, then content that only one package may have written, in the
    first of its languages that may be meant. A text with the name of another language, such as a page that quotes a shader, is
    in none of ours. Of two languages that are both certain neither is chosen. Instruction sets of other distributions are asked
    where neither decides.
    """
    found = _recognised(path, data, PACKAGES)
    if found is None:
        look_up()
        found = _recognised_by_others(path, data)
    return found


def _recognised_by_others(path: str, data: bytes) -> Match | None:
    others = packages()[len(PACKAGES) :]
    found = _recognised(path, data, others) if others else None
    return found if packages()[len(PACKAGES) :] == others else _recognised_by_others(path, data)  # without one that failed


def _recognised(path: str, data: bytes, among: Sequence[IsaPackage]) -> Match | None:
    found, named = _by_content(data, among), _by_suffix(path, among)
    elsewhere = False  # whether the name is that of another language
    if named is None and path not in ("", STDIO):
        from lanewise.core.foreign import foreign_name

        elsewhere = foreign_name(path) is not None
    if elsewhere:
        found = [each for each in found if each[1].container is not None]
    certain = [match for certainty, match in found if certainty == CERTAIN]
    if len(certain) == 1:
        return certain[0]
    if not certain and not elsewhere and (named is None or (named.language is not None and b"{" in data)):
        named = _compiled(path if named is None else "", data) or named
    if named is not None:
        return named
    return found[0][1] if not certain and len({match.package.name for _, match in found}) == 1 else None


def _by_content(data: bytes, among: Sequence[IsaPackage]) -> list[tuple[int, Match]]:
    found: list[tuple[int, Match]] = []
    text = None if b"\0" in data[:_SNIFFED] else decode_text(data[:_SNIFFED])
    for package in among:
        try:
            claims = [(row.recognises(data), Match(package, None, row)) for row in package.containers]
            claims += [(row.recognises(text), Match(package, row)) for row in package.languages if text is not None]
        except Exception as error:
            if not _drop(package, error):
                raise
            continue
        found += [claim for claim in claims if claim[0] != NO]
    return found


def _compiled(path: str, data: bytes) -> Match | None:
    """The front end whose content or suffix a file has, with the instruction set as whose program it is read."""
    from lanewise.compile.frontends import recognised

    text = "" if b"\0" in data[:_SNIFFED] else decode_text(data[:_SNIFFED])
    found = recognised(path, data, text)
    package = None if found is None else next((package for package in packages() if package.name == found.isa), None)
    return None if found is None or package is None else Match(package, found.language, found.container)


def _by_suffix(path: str, among: Sequence[IsaPackage]) -> Match | None:
    """The language or container with the longest suffix that a path has."""
    lower, best, length = path.lower(), None, 0
    for package in among:
        for match, suffixes in (
            *[(Match(package, language), language.suffixes) for language in package.languages],
            *[(Match(package, None, container), container.suffixes) for container in package.containers],
        ):
            for suffix in suffixes:
                if lower.endswith(suffix) and len(suffix) > length:
                    best, length = match, len(suffix)
    return best


def language_of_suffix(path: str, match: Match) -> Language | None:
    """The language of a path's suffix, where a file is read in one of another kind for its content; else None."""
    named, language = _by_suffix(path, packages()), match.language
    if named is None or named.language is None or language is None or path.lower().endswith(tuple(language.suffixes)):
        return None
    return named.language if match.compiled or named.package.name != match.package.name else None


def common_language(package: IsaPackage, sources: Sequence[SourceFile]) -> str:
    """The only language of a package that recognises the content of all sources, none of which is certainly of another; else
    empty: suffixes decide."""
    texts = [decode_text(source.data[:_SNIFFED]) for source in sources]
    claims = {language.name: [language.recognises(text) for text in texts] for language in package.languages}
    found = [
        name
        for name, own in claims.items()
        if NO not in own and not any(CERTAIN in claim for other, claim in claims.items() if other != name)
    ]
    return found[0] if len(found) == 1 else ""


_CONTROL = frozenset(range(32)) - frozenset(b"\t\n\r\f")  # bytes that texts do not have


_MOST_SEARCHED = 1 << 26  # bytes that are searched for programs inside


def _inside(name: str, data: bytes) -> list[str]:
    """Remarks about the programs inside a file of another kind."""
    if b"\0" not in data[:_SNIFFED] or len(data) > _MOST_SEARCHED:
        return []
    answers = [
        package.scan(Request("inspect", (SourceFile(name, data, name),), {}))
        for package in packages()
        if package.scan is not None
    ]
    return [remark for answer in answers if not answer.failed for remark in answer.remarks]


def _are_words(data: bytes) -> bool:
    """Whether a text is a list of hexadecimal numbers of 32 bits."""
    lines = [line.partition(b"#")[0].partition(b";")[0].partition(b"//")[0] for line in data[:_SNIFFED].splitlines()]
    words = b" ".join(lines).replace(b",", b" ").split()
    return bool(words) and all(
        len(word) <= _WORD and word[:2].lower() == b"0x" and not word[2:].lower().strip(b"0123456789abcdef") for word in words
    )


_WORD = len("0x00000000")


def _unknown(name: str, message: str, fix: str, notes: Iterable[str] = ()) -> Diagnostic:
    return Diagnostic(code="C001", severity=ERROR, message=message, span=Span(file=name, offset=0), notes=tuple(notes), fix=fix)


_SOURCE = "make a source of it, `lanewise dis {} -o {}.v.pica`, and give that"


def unknown_file(name: str, data: bytes, *, raw: bool = True) -> InputError:
    """The error for a file that no package recognises: what it is, or what every reader has against it. `raw`: the command
    takes words without a container too."""
    from lanewise.core.foreign import foreign_kind

    kind = foreign_kind(name, data)
    stem = name.rpartition(".")[0] or name
    if kind is not None:
        fix = kind.fix.replace("FILE", name) if raw or "--data" not in kind.fix else _SOURCE.format(f"--data {name}", stem)
        return InputError((_unknown(name, f"this is {kind.title}, not a program that lanewise reads", fix),))
    inside = _inside(name, data)
    if inside:
        fix = f"lanewise inspect --scan {name}, and --extract DIR writes them"
        return InputError((_unknown(name, "unknown kind of file, with programs inside", fix, inside),))
    notes: list[str] = []
    is_text = bool(data) and not _CONTROL.intersection(data[:_SNIFFED])
    for package in packages():
        for container in package.containers:
            if is_text and name.lower().endswith(container.text_suffixes or ("\0",)):
                try:
                    _ = container.read(Request("load", (SourceFile(name, data),), {})).words
                except InputError as error:
                    return error
            if is_text and not container.text:
                continue
            if container.doubts is not None:
                notes.append(f"not {container.title}: {container.doubts(data) or 'its suffix is another'}")
                continue
            try:
                _ = container.read(Request("load", (SourceFile(name, data),), {})).words
            except Exception as error:
                if not isinstance(error, InputError):
                    if not _drop(package, error):
                        raise
                    break
                reasons = [finding.message for finding in error.diagnostics if finding.is_error]
                reason = reasons[0] if reasons else "it cannot be read"
                notes.append(reason if reason.startswith("not ") else f"not {container.title}: {reason}")
    if is_text and _are_words(data):
        notes.insert(0, "hexadecimal words of 32 bits, which do not say of what they are")
    kinds = ", ".join([language.title for _, language in languages()])
    fix = (
        f"name the instruction set with --isa, or the language of a source ({kinds}) with --dialect; bare instruction words "
        "of the PICA200 go with --words FILE"
    )
    if is_text and _are_words(data):
        options = f"--words {name} --descriptors DESC"
        fix = f"words of the PICA200 are given by {options}, in the place of FILE, with --entry N"
        fix = fix if raw else _SOURCE.format(f"{options} --entry N", stem)
    return InputError(
        (
            _unknown(name, "unknown kind of file", fix, notes),
            *_broken().values(),
        )
    )


__all__ = [
    "PACKAGES",
    "POSSIBLE",
    "Match",
    "codes",
    "common_language",
    "fault_of",
    "hinted",
    "language_of",
    "languages",
    "look_up",
    "package_of",
    "packages",
    "recognise",
    "unknown_file",
]
