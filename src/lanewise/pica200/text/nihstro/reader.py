"""Reading nihstro sources: lines, labels, includes, blocks. Instructions are in `instructions`, directives in `directives`.

A source makes one shader; what it includes belongs to it. Reading goes on at the next line after an error, so that all errors
come out of one run. Files are read through a callback: this layer does no I/O.
"""

from __future__ import annotations

from os.path import normpath

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Edit, Related, text_form
from lanewise.core.including import Includes, NotIncluded
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.problems import Problem, Suggestions
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa.module import DECLARATIONS, STRUCTURE, Mark, Module, Unit
from lanewise.pica200.isa.program import Operation, Source
from lanewise.pica200.isa.table import BY_NAME, COMPUTATION, LOOP, TEMPORARY
from lanewise.pica200.text.nihstro.directives import DIRECTIVES, PICASSO
from lanewise.pica200.text.nihstro.instructions import instruction, plain_instruction
from lanewise.pica200.text.nihstro.lexer import NAME, Cursor, tokens
from lanewise.pica200.text.nihstro.operands import Alias, Operands, Poisoned, Unplaced
from lanewise.pica200.text.nihstro.syntax import COMPUTING, INSTEAD, MNEMONICS, OPENERS, STEERING, check_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.pica200.isa.program import Uniform
    from lanewise.pica200.text.arrays import Bare
    from lanewise.pica200.text.nihstro.lexer import Token
    from lanewise.pica200.text.nihstro.naming import NihstroNames
    from lanewise.pica200.text.nihstro.operands import Selected

GEOMETRY_SUFFIX = ".gsh"  # ours: nihstro itself uses only -g
MAX_BLOCKS = 64
_CLOSES = {"endif": m.END_IF, "endloop": m.END_FOR}
_OPENED = {m.END_IF: "if", m.END_FOR: "loop"}

_OF_NAMES = ("P001", "P025")  # unknown instructions and names


class Open(Record):
    """A block that has not ended: the kind of its end mark (or `broken`), where it began, whether `else` was seen."""

    kind: str
    span: Span
    otherwise: bool = False


class Reader:
    """Reader of nihstro sources, a shader each, into one `Module`.

    `read(path)` gives the text of an included file, or raises OSError with the reason; `folders` are searched for such files
    after that of the file that includes them. `entry` is the label at which a program
    starts (otherwise that of `.entry`, or `main`); `geometry`: the sources are geometry shaders, as files named .gsh always
    are.
    """

    names: NihstroNames | None
    folders: Sequence[str]
    open_file: Callable[[str], str] | None
    entry: str
    geometry: bool
    doubt: str
    source: str
    file: str
    text: str
    line: str
    unit: Unit
    suggestions: Suggestions
    operands: Operands
    including: list[str]
    includes: Includes
    symbol_span: Span

    def __init__(
        self,
        read: Callable[[str], str] | None = None,
        *,
        folders: Sequence[str] = (),
        entry: str = "",
        geometry: bool = False,
        names: NihstroNames | None = None,
    ) -> None:
        self.names, self.folders = names, folders
        self.open_file, self.entry, self.geometry = read, entry, geometry
        self.items: list[Operation | Mark] = []
        self.units: list[Unit] = []
        self.uses: list[Bare] = []
        self.diagnostics: list[Diagnostic] = []
        self.descriptors: dict[int, int] = {}
        self.raw = False
        self.doubt = ""
        self.reported: set[tuple[str, str]] = set()
        self.source = self.file = self.text = ""
        self.tries = 0  # readings of what lines with errors may be meant to be
        self.number: int = 0
        self.line = ""
        self._tokens: list[Token] | None = None
        self.unit = Unit("", Span(file=""))
        self.suggestions = Suggestions()
        self.begin("")

    def begin(self, name: str) -> None:
        """The state that belongs to one source."""
        self.operands = Operands(self.warn, self.note, self.suggestions)
        if self.names is not None:
            self.names.begin(name)
        self.labels: dict[str, Span] = {}
        self.places: dict[str, Span] = {}
        self.bare: dict[str, Bare] = {}  # arrays without an index, by name
        # The first name, of each kind, that begins or ends at a register.
        self.edges: dict[tuple[str, int], Uniform] = {}
        self.blocks: list[Open] = []
        self.including = [normpath(name) if name else name]
        self.includes = Includes(self.open_file, self.folders)
        self.incomplete: bool = False  # a file that may define names was not read
        self.symbol: bytes | None = None
        self.symbol_span = Span(file=name)
        self.setemits = 0

    @property
    def found(self) -> list[Token]:
        """The tokens of the line at hand."""
        if self._tokens is None:
            self._tokens = tokens(self.line)
        return self._tokens

    # Findings

    def span(self, start: int = 0, length: int = 0) -> Span:
        """A place in the line at hand; without a length the whole statement. Columns count from 0."""
        if not length:
            found = self.found
            start, length = (found[0].start, found[-1].end - found[0].start) if found else (0, 1)
        return Span(file=self.file, line=self.number, column=start + 1, length=max(1, length), text=self.line)

    def report(self, problem: Problem) -> None:
        from lanewise.pica200.text.nihstro.meant import explain

        found = explain(self, problem)
        if not found:
            from lanewise.pica200.text.nihstro.advice import advise, ignored

            cause = ignored(self, problem)
            if cause is not None:
                if cause not in self.diagnostics:
                    self.diagnostics.append(cause)
                return
            advise(self, problem)
        span = self.span(problem.start, problem.length)
        edits = found or problem.edits or (() if problem.replacement is None else (Edit(span, problem.replacement),))
        self.diagnostics.append(
            Diagnostic(
                code=problem.code,
                severity=ERROR,
                message=problem.message,
                span=span,
                notes=problem.notes,
                fix=problem.fix,
                related=problem.related,
                edits=edits,
                alternatives=problem.alternatives,
            )
        )

    def warn(self, code: str, message: str, fix: str, start: int, length: int) -> None:
        self.diagnostics.append(
            Diagnostic(code=code, severity=WARNING, message=message, span=self.span(start, length), notes=(), fix=fix)
        )

    def note(self, topic: str, code: str, message: str, fix: str, start: int, length: int) -> None:
        """Report a note about nihstro itself, once for each topic and source. Raises Unplaced for one without a place."""
        if (self.source, topic) not in self.reported:
            if start < 0:
                raise Unplaced
            self.reported.add((self.source, topic))
            self.diagnostics.append(
                Diagnostic(code=code, severity=NOTE, message=message, span=self.span(start, length), notes=(), fix=fix)
            )

    def ours(self, what: str, fix: str) -> None:
        self.note(what, "P070", f"{what} is a lanewise extension", fix or "nihstro has no equivalent", 0, 0)

    def declared_at(self, name: str) -> tuple[Related, ...]:
        place = self.places.get(name)
        return (Related(place, f"'{name}' is declared here first"),) if place is not None else ()

    def mask(self, operand: Selected) -> int:
        """The write mask of an operand's components, which must be in order. Raises Problem."""
        parts = operand.components
        mask = 0
        for part in parts:
            bit = 8 >> part
            if mask & (2 * bit - 1):  # this component, or one after it
                ordered = "".join("xyzw"[i] for i in sorted({*parts}))
                message = f"write mask out of order or with repeats: {operand.text}"
                raise operand.problem(
                    "V013", message, f"write .{ordered}, and reorder the components of the sources accordingly"
                )
            mask |= bit
        return mask

    # Sources and lines

    def read(self, name: str, text: str) -> None:
        """Read one source, with what it includes."""
        self.source = name
        self.begin(name)
        start = Span(file=name, line=1, column=1, length=1, text=text.partition("\n")[0].rstrip("\r"))
        self.unit = Unit(name, start)
        self.unit.file = f"{len(self.units) + 1}:{name}"
        self.unit.geometry = self.geometry or name.lower().endswith(GEOMETRY_SUFFIX)
        self.unit.entry = self.entry or "main"
        self.units.append(self.unit)
        self.items.append(Mark(m.FILE, self.unit.file, start))
        if self.unit.geometry:
            self.items.append(Mark(m.GEOMETRY, "", start))
        self.lines(name, text)
        if self.blocks:
            self.doubt = STRUCTURE
        for block in self.blocks:
            if block.kind != "broken":
                word = _OPENED[block.kind]
                message = f"{word} is not closed"
                self.diagnostics.append(
                    Diagnostic(code="P004", severity=ERROR, message=message, span=block.span, notes=(), fix=f"add end{word}")
                )
        if self.symbol is not None:
            self.diagnostics.append(
                Diagnostic(
                    code="P054",
                    severity=ERROR,
                    message=".symbol without a following alias",
                    span=self.symbol_span,
                    notes=(),
                    fix="move or remove it",
                )
            )
        self.unit.input_mask = self.inputs_read()
        if self.bare:
            from lanewise.pica200.text.arrays import in_text

            self.uses += in_text(self.bare.values(), name, text)

    def inputs_read(self) -> int:
        """The input registers that the source names or reads: nihstro needs no declaration for them."""
        mask = sum({1 << n for uniform in self.unit.inputs for n in range(uniform.first, uniform.last + 1)})
        begun = next(i for i, item in enumerate(self.items) if isinstance(item, Mark) and item.name == self.unit.file)
        for item in self.items[begun:]:
            if isinstance(item, Operation):
                for operand in item.operands:
                    if isinstance(operand, Source) and operand.register < TEMPORARY:
                        mask |= 1 << operand.register
        return mask

    def lines(self, name: str, text: str) -> None:
        """Read the lines of a source or of an included file."""
        before = self.file, self.number, self.line, self._tokens
        self.file, self.text = name, text
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            fix = "pass the source; `lanewise run` and `lanewise dis` read an SHBIN, whose name ends in .shbin"
            self.diagnostics.append(
                Diagnostic(
                    code="P058",
                    severity=ERROR,
                    message="binary file: it contains a zero byte",
                    span=Span(file=name, line=line),
                    notes=(),
                    fix=fix,
                )
            )
        else:
            if "/*" in text:
                from lanewise.pica200.text.c_comments import without_comments

                text, found = without_comments(name, text, ("//", "#", ";"))
                self.diagnostics += found
                self.text = text
            names = self.names
            if names is not None:
                names.lines = names.lines.after(f"\0{self.geometry}{name}")
            for number, line in enumerate(text.split("\n"), 1):
                self.number, self.line, self._tokens = number, line.rstrip("\r"), None
                if names is not None and (kept := names.lines.find(self.line, number)) is not None:
                    self.items.append(kept.read)
                    names.found += kept.names
                    continue
                before_line = len(self.diagnostics), len(names.found) if names is not None else 0
                cut = line.find(";")
                if cut > 0 and line.find(",", cut) > 0 and line.count("#", 0, cut) == line.count("//", 0, cut) == 0:
                    self.joined(cut)
                operation = plain_instruction(self, self.line)
                if operation is not None:
                    self.items.append(operation)
                elif self.found:
                    self.statement(Cursor(self.line, self.found))
                else:
                    continue
                if names is not None:
                    names.statement(self, self.line, plain=operation is not None)
                    if operation is not None and before_line[0] == len(self.diagnostics):
                        names.lines.keep(self.line, number, operation, names.found[before_line[1] :])
                    else:
                        names.lines = names.lines.after(self.line)
            if self.found and len(self.including) == 1:  # the source itself, without a line end after its last line
                message = "nihstro itself drops this line: it has no line end"
                self.note("last", "P071", message, "end the line for nihstro", 0, 0)
        self.file, self.number, self.line, self._tokens = before

    def put(self, line: str) -> None:
        """Set the line that is read."""
        self.line, self._tokens = line, None

    def one(self, cursor: Cursor) -> None:
        """Read a line. Raises Problem, Poisoned."""
        if cursor.peek().text == ".":
            self.directive(cursor)
        elif cursor.peek(1).text == ":":
            self.label(cursor)
        else:
            self.code(cursor)

    def joined(self, cut: int) -> None:
        """Report a statement after the semicolon at `cut`."""
        from lanewise.pica200.text.joined import FIX, MESSAGE, ignored_statement

        length = ignored_statement(self.line, cut, COMPUTING, self.operands.aliases)
        if length:
            self.warn("V116", MESSAGE, FIX, cut + 1, length)

    def statement(self, cursor: Cursor) -> None:
        depth = len(self.blocks)
        try:
            self.one(cursor)
        except Problem as problem:
            self.report(problem)
            self.recover(cursor, depth, problem.meant.partition(" ")[0].lower())
            if problem.meant.startswith(".alias") and problem.code[0] == "P":  # its name is known from there on
                from lanewise.pica200.text.nihstro.meant import read_as

                read_as(self, problem.meant, keep=True)
        except Poisoned:
            self.recover(cursor, depth)

    def recover(self, cursor: Cursor, depth: int, meant: str = "") -> None:
        """Put a placeholder in the place of an unreadable line; open or close its block: its end is not reported too. `meant`:
        the first word of the line that is meant."""
        if not cursor.tokens:
            return
        first = cursor.tokens[0]
        word = first.text.lower()
        if len(self.blocks) != depth:
            self.doubt = STRUCTURE
            return
        if (meant in _CLOSES and word not in _CLOSES) or (
            meant and meant[0] != "." and (first.text == "." or word in OPENERS) and meant not in OPENERS
        ):
            word, self.doubt = meant, STRUCTURE  # the end of a block, or a jump
        elif first.text == ".":
            name = cursor.tokens[1].text.lower() if len(cursor.tokens) > 1 else ""
            self.doubt = self.doubt or DECLARATIONS if name == "alias" or name not in DIRECTIVES else STRUCTURE
            for token in cursor.tokens[2:] if not meant else ():
                if token.kind == NAME and not token.text[1:].isdigit():
                    self.operands.aliases.setdefault(token.text, Alias(letter="", register=-1))
        elif len(cursor.tokens) > 1 and cursor.tokens[1].text == ":":
            pass  # a label: jumps to it are damaged
        elif word not in _CLOSES and word != "else":
            self.damaged(word, cursor)
            return
        else:
            self.doubt = STRUCTURE
        if word in OPENERS and depth < MAX_BLOCKS:
            self.blocks.append(Open("broken", self.span()))
        elif word in _CLOSES and any(block.kind in (_CLOSES[word], "broken") for block in self.blocks):
            while self.blocks.pop().kind not in (_CLOSES[word], "broken"):
                pass
        elif word in _CLOSES and self.blocks:  # one of the two words is wrong: either closes the block
            self.blocks[-1] = Open("broken", self.span())

    def damaged(self, word: str, cursor: Cursor) -> None:
        """A placeholder for an instruction that cannot be read."""
        from lanewise.pica200.text.damage import meant, placeholder

        texts = [token.text for token in cursor.tokens[1:]]
        count = texts.count(",") + 1 if texts else 0
        if word not in MNEMONICS and word not in OPENERS:
            fitting = [name for name, op in COMPUTING.items() if count == len(op.operands)]
            fitting += [name for name, (_, kinds) in STEERING.items() if bool(kinds) == bool(texts)] if count < 2 else []
            word = meant(word, fitting, self.suggestions)
        rows = [BY_NAME[name] for name in STEERING[word][0]] if word in STEERING else []
        bare = [row for row in rows if not row.operands]  # an unconditional form, where there are no operands
        op = COMPUTING.get(word) or next(iter((bare if not texts else []) or rows), None)
        if op is None:
            op = BY_NAME[word] if word in OPENERS else COMPUTATION if count > 1 else None
        if op is not None and op.opens_block:
            if len(self.blocks) < MAX_BLOCKS:
                self.open(m.END_FOR if op.kind == LOOP else m.END_IF)
            else:
                op = None
        self.items.append(placeholder(op, self.span()))

    def directive(self, cursor: Cursor) -> None:
        point, token = cursor.next(), cursor.next()
        method = DIRECTIVES.get(token.text.lower()) if token.kind == NAME and token.start == point.end else None
        if method is None:
            name = token.text if token.start == point.end else ""
            near = self.suggestions.nearest(name, DIRECTIVES)
            fix = f"did you mean .{near}?" if near else "use one of .alias, .include, .version"
            if name in PICASSO:
                fix = "use --dialect picasso, or name the file .v.pica: this is a picasso directive"
            meant = f".{near}" if fix == f"did you mean .{near}?" else None
            raise Problem("P003", f"unknown directive '.{name}'", fix, point.start, 1 + len(name), (), meant)
        method(self, cursor)

    def label(self, cursor: Cursor) -> None:
        token = cursor.next()
        cursor.next()
        if token.kind != NAME:
            raise token.problem(
                "P005", f"'{token.text}' is not a label name", "use letters, digits and `_`, not starting with a digit"
            )
        name = token.text
        if cursor.more():
            rest = cursor.peek()
            raise Problem(
                "P011",
                "text after a label",
                "move it to the next line",
                rest.start,
                cursor.end - rest.start,
                (),
                f"\n    {cursor.line[rest.start : cursor.end]}",
            )
        check_name(name, token.start)
        span = self.span(token.start, len(name))
        if name in self.labels:
            raise Problem(
                "P007",
                f"label '{name}' is already defined",
                "rename one",
                token.start,
                len(name),
                related=(Related(self.labels[name], f"label '{name}' is defined here first"),),
            )
        self.labels[name] = span
        if name == self.unit.entry and self.unit.entry_span is self.unit.span:
            self.unit.entry_span = span
        self.items.append(Mark(m.LABEL, name, span))
        if self.setemits:
            far = f"{self.setemits} word{'s' if self.setemits > 1 else ''} too low: it does not count setemitraw"
            self.note(
                "setemit",
                "P071",
                f"nihstro itself places the labels from here on {far}",
                "move the label before the first setemitraw, for nihstro",
                token.start,
                len(name),
            )

    def code(self, cursor: Cursor) -> None:
        token = cursor.peek()
        name = token.text.lower()
        if token.kind != NAME or name not in MNEMONICS:
            raise unknown(token, self.suggestions)
        if name in ("else", "endif", "endloop"):
            cursor.next()
            cursor.finish(f"{name} has no operands")
            self.otherwise(token) if name == "else" else self.close(name, token)
            return
        self.items.append(instruction(self, cursor, name))

    # Blocks

    def ends_block(self) -> str:
        """The word that closes the open block; empty without one."""
        kind = self.blocks[-1].kind if self.blocks else ""
        return f"end{_OPENED[kind]}" if kind in _OPENED else ""

    def is_target(self, name: str) -> bool:
        """Whether the text jumps to a name, or calls it."""
        import re

        return re.search(rf"^[^\S\n]*(?:jmp|call)\b[^;#\n]*\b{re.escape(name)}\b", self.text, re.MULTILINE) is not None

    def is_label(self, name: str) -> bool:
        """Whether the text has a label of a name."""
        import re

        return re.search(rf"^[^\S\n]*{re.escape(name)}\s*:", self.text, re.MULTILINE) is not None

    def open(self, kind: str) -> None:
        if len(self.blocks) >= MAX_BLOCKS:
            raise Problem("P016", f"more than {MAX_BLOCKS} blocks are open", "close some, or call a subroutine")
        self.blocks.append(Open(kind, self.span()))

    def otherwise(self, token: Token) -> None:
        block = self.blocks[-1] if self.blocks else None
        if block is not None and block.kind == "broken":
            return
        if block is None or block.kind != m.END_IF:
            what = "else without an open if" if block is None else f"else inside the loop of line {block.span.line}"
            raise token.problem("P044", what, "put it between `if` and its `endif`")
        if block.otherwise:
            raise token.problem(
                "P045", "second else of this if", "remove one", related=(Related(block.span, "the if is here"),)
            )
        self.blocks[-1] = block._replace(otherwise=True)
        self.items.append(Mark(m.ELSE, "", self.span()))

    def close(self, name: str, token: Token) -> None:
        kind = _CLOSES[name]
        block = self.blocks[-1] if self.blocks else None
        if block is None:
            raise token.problem(
                "P046", f"{name} without an open {_OPENED[kind]}", "remove it, or look for a block that is closed too early"
            )
        if block.kind not in ("broken", kind):
            word = _OPENED[block.kind]
            raise token.problem(
                "P046", f"{name} inside the {word} of line {block.span.line}", f"write end{word}", (), f"end{word}"
            )
        self.blocks.pop()
        if block.kind != "broken":
            self.items.append(Mark(kind, "", self.span()))

    # Files

    def include(self, name: str, token: Token) -> None:
        """Read another file in the place of this line. Raises Problem."""
        try:
            found = self.includes.find(name, self.including)
        except NotIncluded as error:
            if self.names is not None and error.looked:
                self.names.included(self, token, error.looked[0])
            self.incomplete = True
            fix = self.includes.fix(error, name, self.including[-1])
            if error.limit:
                raise token.problem("P064", str(error), fix) from None
            looked = tuple([f"looked for {path}" for path in error.looked]) if error.missing and len(error.looked) > 1 else ()
            raise token.problem("P063", str(error), fix, looked) from None
        if self.names is not None:
            self.names.included(self, token, found.path)
        unreadable = text_form(found.path, found.text)
        if unreadable:
            self.diagnostics += unreadable
            return
        self.including.append(found.path)
        self.lines(found.path, found.text)
        self.including.pop()

    def take_symbol(self) -> bytes | None:
        """Take the `.symbol` before a declaration."""
        taken, self.symbol = self.symbol, None
        return taken

    def finish(self) -> Module:
        """The link of all sources read."""
        if self.incomplete:  # names may be of the file that was not read
            self.diagnostics[:] = [finding for finding in self.diagnostics if finding.code not in _OF_NAMES]
        if self.uses and not any(finding.is_error for finding in self.diagnostics):
            from lanewise.pica200.text.arrays import without_index

            self.diagnostics += without_index(self.uses, self.items)
        end = Span(file=self.source, line=max(1, self.number), column=1, length=1, text=self.line)
        return Module(
            items=tuple(self.items),
            units=tuple(self.units),
            declared=(),
            descriptors=self.descriptors,
            padding=False,
            raw=self.raw or bool(self.descriptors),
            container={},
            places={},
            end=end,
            doubt=self.doubt,
        )


def unknown(token: Token, suggestions: Suggestions) -> Problem:
    word = token.text
    lower = word.lower()
    fix = INSTEAD.get(
        "saturate" if lower.rpartition("_")[0] in COMPUTING and lower.endswith(("_sat", "_saturate")) else lower, ""
    )
    near = fix.split()[1].rstrip(":") if fix.startswith("write ") and fix.split()[1].rstrip(":") in COMPUTING else ""
    if not fix:
        near = suggestions.nearest(lower, MNEMONICS)
        fix = f"did you mean {near}?" if near else "see `lanewise isa pica200`, and `label:` for a label"
    if token.kind != NAME:
        fix, near = "write a label, a directive or an instruction; comments begin with //, # or ;", ""
    notes = ("nihstro itself stops reading here and drops the rest of the file",) if token.kind == NAME else ()
    return Problem("P001", f"unknown instruction '{word}'", fix, token.start, len(word), notes, near or None)
