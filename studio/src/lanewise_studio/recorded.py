"""Recorded frames: a file that is read once, a draw as sources, and sources that run with the data of a draw."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from lanewise.core.members import choose
from lanewise.core.service import InputFailure, Report, Request, SourceFile, UsageError
from lanewise.pica200.api.disassembling import disassemble
from lanewise.pica200.api.drawn import drawn_file, same_code
from lanewise.pica200.api.frame_review import review, stages_of, uses_geometry
from lanewise.pica200.api.services.frames import FrameFile, recognises, unnamed_inputs_hidden
from lanewise.pica200.api.services.loaded import PicaFile, own
from lanewise.pica200.frame.vertices import DEFAULT, feeds_of

from lanewise_studio.state import DrawChoice, File, file_of, refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.core.package import Loaded
    from lanewise.core.source import Span
    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.api.drawn import DrawData
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.frame_review import Reviewed
    from lanewise.pica200.api.services.frames import DrawnFile
    from lanewise.pica200.container.shbin import Shbin
    from lanewise.pica200.frame.draws import Draw

    Known = Mapping[str, tuple[File, ...]]

MOST_LISTED = 4096  # draws of a list
_HEAD = 64  # bytes by which a frame is recognised
_INPUTS = 16  # input registers
_LABEL = re.compile(r"^(?:\.proc\s+(\w+)|(\w+):)", re.MULTILINE)
_KEPT = 2  # files that stay read


class Recorded:
    """A file of frames with its draws."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.file = FrameFile(Request("run", [SourceFile(name, data, name)], {}))

    @property
    def draws(self) -> Sequence[Draw]:
        """Raises InputError for a file that is not a frame."""
        return self.file.draws

    @cached_property
    def reviewed(self) -> Sequence[Reviewed]:
        """The first draws, each with what is wrong with it. Raises InputError."""
        return [*review([*islice(self.draws, MOST_LISTED)], self.name)]

    def number(self, name: str) -> int:
        """The number of the draw that `12` or `1/12` names. Raises InputError."""
        names = {key: value for key, value in self.file.names.items() if value.isdecimal()}
        return int(choose(names, name, self.name))

    def draw(self, number: int) -> Draw:
        """Raises InputError."""
        if not 0 <= number < len(self.draws):
            last = len(self.draws) - 1
            raise refused(
                f"draw {number} does not exist", f"{self.name} has draws 0 to {last}" if self.draws else "record a frame"
            )
        return self.draws[number]

    def reviewed_draw(self, number: int) -> Reviewed:
        """A draw with what is wrong with it; of those after `MOST_LISTED` matrices are not compared. Raises InputError."""
        draw = self.draw(number)
        return self.reviewed[number] if number < MOST_LISTED else next(iter(review([draw], self.name)))

    def drawn(self, number: int) -> DrawnFile:
        """A draw as it was recorded, as a file with its data. Raises InputError."""
        return self.file.drawn(self.draw(number))

    def sources(self, number: int) -> tuple[File, ...]:
        """The shaders of a draw as files of the page: sources, or a binary where they have none. Raises InputError."""
        draw = self.draw(number)
        stem = _stem(self.name, number)
        apart = uses_geometry(draw) and not same_code(draw.vertex, draw.geometry)
        found: list[File] = []
        for stage in ("vertex", "geometry") if apart else ("",):
            file = drawn_file(draw, f"{self.name}:{number}", stage)
            try:
                shbin, data = self.file.drawn(draw, stage).shbin()
                sources = disassemble(shbin, f"{stem}_{stage}" if stage else stem, data).sources
            except RuntimeError:  # no source gives the bytes back: the page lists the binary
                return (File(f"{stem}.shbin", data=file.to_bytes()),)
            found += [File(source.name, _apart(source.text) if stage == "geometry" else source.text) for source in sources]
        return tuple(found)


def known_sources(programs: Iterable[tuple[Sequence[str], Mapping[str, bytes]]]) -> Known:
    """Sources by the names of the programs that they are assembled to: of two for one program the first."""
    found: dict[str, tuple[File, ...]] = {}
    for identities, files in programs:
        for identity in identities:
            found.setdefault(identity, tuple([file_of(name, data) for name, data in files.items()]))
    return found


def is_frame(data: bytes) -> bool:
    """Whether a file is one of recorded frames."""
    return recognises(data[:_HEAD])


@lru_cache(maxsize=_KEPT)
def recorded(name: str, data: bytes) -> Recorded:
    """A file of frames, read once."""
    return Recorded(name, data)


def frame_of(files: Mapping[str, bytes], name: str) -> Recorded:
    """A file of the room. Raises InputError."""
    data = files.get(name)
    if data is None:
        raise refused(
            f"the recorded frame {name or 'of this state'} is not here", f"open it: lanewise studio {name or 'FRAME.ctf'}"
        )
    if not is_frame(data):
        raise refused(f"{name} is not a recorded frame", "open a CiTrace (.ctf), or records of a host")
    return recorded(name, data)


def with_draw(loaded: Loaded, files: Mapping[str, bytes], choice: DrawChoice) -> Loaded:
    """A program in place of the shaders of a draw. Raises InputError."""
    from lanewise.pica200.api.drawn import data_of

    draw = frame_of(files, choice.file).draw(choice.number)
    try:
        inner = own(loaded)
    except TypeError:
        raise refused(f"{loaded.name} is for {loaded.isa}: a draw runs programs for the PICA200") from None
    try:
        return EditedFile(loaded, inner, draw, data_of(draw))
    except (InputFailure, UsageError) as error:
        raise refused(str(error)) from None


class EditedFile(PicaFile):
    """A file whose program runs with the data of a draw. Constants of the program go before uniforms of the draw."""

    def __init__(self, loaded: Loaded, inner: PicaFile, draw: Draw, data: DrawData) -> None:
        super().__init__(inner.request)
        self.loaded, self.inner, self.draw, self.data = loaded, inner, draw, data
        self._program: ShaderFile | None = None

    @property
    def registers(self) -> Sequence[str]:
        """The input registers that the draw feeds, and those that its own vertex shader reads."""
        read = stages_of(self.draw)[0].reads
        numbers_ = {feed.register for feed in feeds_of(self.draw)} | {n for n in (read.direct if read else ()) if n < _INPUTS}
        return [f"v{number}" for number in sorted(numbers_)]

    @property
    def defaults(self) -> frozenset[str]:
        """The inputs that get default attributes."""
        return frozenset([f"v{feed.register}" for feed in feeds_of(self.draw) if feed.source == DEFAULT])

    @property
    def program(self) -> ShaderFile:
        if self._program is None:
            self._program = self.inner.program
            if not uses_geometry(self.draw) and any(shader.stage == "vertex" for shader in self._program.programs):
                self._program.programs = tuple([each for each in self._program.programs if each.stage == "vertex"])
            self._program.data = self.data.beside(self._program)
        return self._program

    def assembly(self) -> Assembly | None:
        return self.inner.assembly()

    def shbin(self) -> tuple[Shbin, bytes | None]:
        return self.inner.shbin()

    @property
    def text(self) -> str:
        return self.inner.text

    @property
    def source_map(self) -> Sequence[Span | None]:
        return self.inner.source_map

    def check(self, request: Request) -> Report:
        service = self.loaded.check
        return unnamed_inputs_hidden(service(request)) if service is not None else Report(())

    def request_of(self, request: Request) -> Request:
        return self.inner.request_of(request)


def numbers(value: Any) -> Any:
    """The value of an input or a uniform of a draw as numbers: float24 words are float32 numbers."""
    import numpy as np
    from lanewise.arrays.words import Words
    from lanewise.core.numbers.floats import float_from_float24

    if not isinstance(value, Words):
        return value
    words, place = np.unique(np.asarray(value.array), return_inverse=True)
    found = np.array([float_from_float24(int(word)) for word in words], np.float32)
    return found[place].reshape(value.array.shape)


def _apart(text: str) -> str:
    """A source of a geometry shader whose labels are not those of the vertex shader that it is linked with."""
    labels = {procedure or label for procedure, label in _LABEL.findall(text)}
    found = re.sub(rf"\b({'|'.join(sorted(labels))})\b", r"\1_g", text) if labels else text
    return found if ".entry" in found else found.replace(".proc", ".entry main_g\n\n.proc", 1)


def _stem(name: str, number: int) -> str:
    whole = name.replace("\\", "/").rpartition("/")[2]
    stem = whole.rpartition(".")[0] or whole
    return (
        "".join([letter if (letter.isascii() and letter.isalnum()) or letter in "-_" else "_" for letter in stem])[:64]
        + f"_{number}"
    )


__all__ = ["MOST_LISTED", "EditedFile", "Recorded", "frame_of", "is_frame", "known_sources", "numbers", "recorded", "with_draw"]
