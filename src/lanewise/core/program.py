"""The methods of every loaded program, from the services of its package: `ProgramServices`, and `Drawing`, its graph."""

from __future__ import annotations

from lanewise.core import writing
from lanewise.core.diagnostics import in_order, to_json
from lanewise.core.html import MOST, code
from lanewise.core.objects import Content, checked
from lanewise.core.package import Language
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import TEXTS, InputFailure, Request, SourceFile, UsageError, schema_name
from lanewise.core.suffixes import refused

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from os import PathLike

    from lanewise.core.comparison import Comparison
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.package import Container, IsaPackage, Loaded, Program
    from lanewise.core.service import Answer, Value


class Drawing:
    """The graph of a program, which `text`, `dot`, `svg` and `to_json` print. Each raises ValueError for a graph that is too
    large."""

    isa: str
    name: str

    def __init__(self, isa: str, name: str, draw: Callable[[str], Answer]) -> None:
        """`draw` gives the graph in a format of `lanewise graph`."""
        self.isa, self.name = isa, name
        self._draw = draw

    def __repr__(self) -> str:
        return f"<Drawing of {self.name}>"

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name):
            write = name in ("save", "write", "to_file", "render", "png", "show")
            how = ": `pathlib.Path('graph.svg').write_text(graph.svg())`" if write else ""
            raise AttributeError(f"a Drawing has no attribute '{name}'{how}", name=name, obj=self)

    def text(self) -> str:
        """The blocks as text, each with its instructions and successors."""
        return self._drawn("text").text

    def dot(self) -> str:
        """The graph in Graphviz' language."""
        return self._drawn("dot").text

    def svg(self) -> str:
        """The graph as a picture."""
        return self._drawn("svg").text

    def to_json(self) -> dict[str, object]:
        """The document that `lanewise graph --format json` prints."""
        answer = self._drawn("json")
        found = [to_json(finding) for finding in (*answer.first, *answer.last)]
        return {"schema": schema_name("graph"), "isa": self.isa, **answer.data, "diagnostics": found}

    def _repr_svg_(self) -> str | None:
        """The drawing, for notebooks; None for a graph that is too large."""
        try:
            shown = self.svg()
        except ValueError:
            return None
        return shown if len(shown) <= MOST else None

    def _repr_html_(self) -> str | None:
        """The text of a graph that is too large to draw."""
        return None if self._repr_svg_() is not None else code(self.text())

    def _drawn(self, style: str) -> Answer:
        try:
            return self._draw(style)
        except (InputFailure, UsageError) as error:
            raise ValueError(str(error)) from None


class ProgramServices(Content):
    """Text, words, findings, graph and files of a public object, from the services of the package that `isa` names.

    Programs of a class are equal where they have the same content."""

    def _content(self) -> Hashable:
        return (self.text, tuple(self.words))

    @property
    def text(self) -> str:
        """The program as source, which assembles to the same words."""
        return self._file().text

    @property
    def words(self) -> Sequence[int]:
        """The machine words."""
        return tuple(self._file().words)

    def check(self) -> Sequence[Diagnostic]:
        """The findings of `lanewise check`, in the order of places, without those that comments suppress."""
        check = self._file().check
        return tuple(in_order(check(_request("check")).findings)) if check is not None else ()

    def graph(self) -> Drawing:
        """The graph of the program. Raises ValueError where its instruction set has none."""
        file = self._file()
        if file.graph is None:
            raise ValueError(f"{file.name}: {file.isa} programs have no graph")
        return Drawing(file.isa, file.name, self._draw)

    def _draw(self, style: str) -> Answer:
        graph = self._file().graph
        assert graph is not None
        return graph(_request("graph", format=style))

    @checked
    def equivalent(
        self,
        other: Program,
        *,
        progress: Callable[[int, int], None] | None = None,
        **options: bool | int | str | Sequence[str],
    ) -> Comparison:
        """Compare with another program for all inputs: `lanewise diff` (docs/proving.md). The result is true if they are equal.

        `options` are those of the command, with `_` for `-`: `constants_known=True`, `profile="hardware"`; one that may be
        repeated takes a text or several: `array=["c26=66/3"]`. `progress` is called with the steps of the proof so far and
        0, as their number is not known. Raises ValueError for an option that does not exist, and for programs that cannot be
        compared; TypeError for what is not the program of a file.
        """
        if not isinstance(other, ProgramServices):
            raise TypeError(f"expected the program of a file, such as lanewise.load gives, found {type(other).__name__}")
        both = self, other
        mine, theirs = (each._file() for each in both)
        known = {option.key: option.kind for each in both for option in each._package().manual("diff").options}
        values: dict[str, Value] = {}
        for name, value in options.items():
            key = name.replace("_", "-")
            texts = (value,) if isinstance(value, str) else () if isinstance(value, (bool, int)) else tuple(value)
            values[key] = (
                texts if known.get(key) == TEXTS else value if isinstance(value, (bool, int, str)) else ", ".join(value)
            )
        if not known.keys() >= values.keys():
            raise ValueError(
                f"unknown option {next(key for key in values if key not in known)}: use {', '.join(sorted(known))}"
            )
        requests = Request("diff", (), values, progress=progress), Request("diff", (), values)
        try:
            return __import__("lanewise.packages", fromlist=["package_of"]).difference((mine, theirs), requests)
        except UsageError as error:
            raise ValueError(str(error)) from None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the program to a file: a source or a binary by its suffix, a binary for a suffix that names no form.

        Raises OSError, ValueError for the suffix of another form and for a program that is several sources.
        """
        package, file = self._package(), self._file()
        rows = (*[row for row in package.containers if row.write is not None], *package.languages)
        binaries = [suffix for suffix, option in package.manual("asm").forms.items() if not option]
        if message := refused(str(path), dict.fromkeys([*[suffix for row in rows for suffix in row.suffixes], *binaries])):
            raise ValueError(message)
        named = [(len(suffix), row) for row in rows for suffix in row.suffixes if str(path).lower().endswith(suffix)]
        row = max(named, key=lambda each: each[0])[1] if named else rows[0]
        writing.write(path, _source(file, row) if isinstance(row, Language) else binary(file, row))

    def _file(self) -> Loaded:
        package = self._package()
        if package.wrap is None:
            raise ValueError(f"{package.title} programs are read from files")
        return package.wrap(cast("Program", self), _request("load"))

    def _package(self) -> IsaPackage:
        # By name: the list of packages is above all of them, and what is in it was loaded through it.
        return __import__("lanewise.packages", fromlist=["package_of"]).package_of(cast("Program", self).isa)


def binary(file: Loaded, container: Container) -> bytes:
    """The bytes of a program in a container. Raises ValueError for one that lanewise only reads."""
    if container.write is None:
        raise ValueError(f"{container.title} is only read, not written")
    return container.write(file)


def _source(file: Loaded, language: Language) -> bytes:
    """The only source of a program in a language. Raises ValueError where there are several."""
    if language.write is None:
        return file.text.encode()
    sources = language.write(file, Request("dis", (SourceFile(file.name, b"", file.name),), {})).sources
    if len(sources) != 1:
        raise ValueError(f"{file.name} is made of {len(sources)} sources: lanewise.disassemble gives them")
    return sources[0].text.encode()


def _request(command: str, **values: str) -> Request:
    return Request(command, (), values)


__all__ = ["Drawing", "ProgramServices", "binary"]
