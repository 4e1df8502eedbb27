"""Reading picasso sources: lines, labels, position markers, instructions. Directives are in `directives`; what is wrong
with an instruction and how reading goes on after it are in `faults` and `recovery`, which sources without errors do not load.

All files of a link are read by one `Reader`, in order, because they share procedures and uniform registers. Reading goes on
at the next line after an error, so that all errors of all files come out of one run.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Edit, Related
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.numbers import read_decimal, read_integer
from lanewise.core.text.problems import Problem, Suggestions
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa.module import DECLARATIONS, STRUCTURE, Mark, Module, Unit
from lanewise.pica200.isa.program import BLOCK, Dest, Emission, Operation, Reference, Source, Target
from lanewise.pica200.isa.table import ARITHMETIC, BY_NAME, JUMP, LOOP, SETEMIT, UNKNOWN, Op
from lanewise.pica200.isa.uniforms import UniformSpace
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.text.picasso.directives import DIRECTIVES
from lanewise.pica200.text.picasso.operands import Operands, Poisoned, comparison, condition
from lanewise.pica200.text.picasso.syntax import (
    MAX_BLOCKS,
    MNEMONICS,
    OUTSIDE,
    Open,
    Quirk,
    is_identifier,
    numeric_operands,
    takes_count,
)
from lanewise.pica200.text.picasso.values import ARRAY

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Alias, Operand, Uniform
    from lanewise.pica200.text.arrays import Bare
    from lanewise.pica200.text.picasso.naming import PicassoNames

_ADDRESS_DESTS = {"a0.x": 8, "a0": 8, "a0.y": 4, "a1": 4, "a0.xy": 12, "a01": 12}


class Reader:
    """Reader of picasso files into one `Module`.

    With `compatible`, forms that picasso accepts are read as in picasso, with a warning where the bytes differ from the meaning
    of the source; otherwise those places are errors.
    """

    shared: UniformSpace
    doubt: str
    doubted: bool
    files: int
    suggestions: Suggestions
    file: str
    text: str
    number: int
    line: str
    start: Span
    where: Span
    space: UniformSpace
    operands: Operands
    argument: int
    depth: int
    word: str
    indent: int
    offset: int
    labelled: int

    def __init__(self, *, compatible: bool = False, names: PicassoNames | None = None) -> None:
        self.compatible = compatible
        self.names = names
        self.items: list[Operation | Mark] = []
        self.units: list[Unit] = []
        self.diagnostics: list[Diagnostic] = []
        self.procedures: dict[str, Span] = {}
        self.shared = UniformSpace()
        self.declared: list[Uniform] = []
        self.descriptors: dict[int, int] = {}
        self.container: dict[str, int | bytes] = {}
        self.places: dict[str, Span] = {}
        self.padding = True
        self.doubt = ""
        self.doubted = False  # whether the statement that is read now has an error that did not stop its reading
        self.blocks: list[Open] = []
        self.uses: list[Bare] = []
        self.numbers: dict[str, int] = {}  # words of texts that are just such a number
        self.files = 0
        self.suggestions = Suggestions()
        self.tries = self.declared_as = 0  # readings of what statements with errors may be meant to be
        self.begin("")

    def begin(self, name: str) -> None:
        """The state that belongs to one file."""
        self.file = name
        self.text = ""
        self.named: frozenset[str] | None = None  # registers in the text, once a finding asks for them
        self.lines: list[str] | None = None  # of the text, once a finding asks for them
        self.number = 0
        self.line = ""
        self.start = self.where = Span(file=name, line=1)
        self.labels: dict[str, Span] = {}
        self.space = self.shared
        self.shared.new_file()
        self.unit: Unit | None = None
        self.preset: set[int] = set()  # registers of its constants
        self.numbered: dict[int, Span] = {}  # presets that name the register
        self.allocated: list[Uniform] = []  # uniforms without an explicit register
        self.operands = Operands(self.quirk, self.warn, self.suggestions)
        if self.names is not None:
            self.names.begin(name)
            self.operands.names = self.names
        self.aliases: list[Alias] = []
        self.full: set[str] = set()  # kinds of uniforms of which one has found no place
        self.unclosed_array: Span | None = None  # in which an instruction was reported
        self.bare: dict[str, Bare] = {}  # arrays without an index, by name
        self.argument = -1
        self.depth = 0
        self.elements: list[tuple[int, ...]] = []
        self.array: tuple[str, int] = ("", 0)
        self.symbol: bytes | None = None
        self.declares = False
        self.word = ""
        self.indent = self.offset = 0
        self.labelled = 0  # characters of labels in front of the statement
        self.commented: dict[str, int] | None = None  # names behind the `;` of declarations, once a finding asks for them
        self.incomplete: bool = False  # whether names may be declared in a file that is not included

    # Findings

    def span(self, start: int = 0, length: int = 0) -> Span:
        """The place of characters of the operand being read, or of the whole statement."""
        line = self.line
        begin = len(line) - len(line.lstrip()) + self.labelled
        end = len(line.partition(";")[0].rstrip())
        if self.argument >= 0:
            begin, stop = self.argument_place(self.argument)
            begin = min(begin + start, max(end, begin))
            size = length or max(1, stop - begin)
        else:
            begin += start + (self.offset if start or length else 0)
            size = length or max(1, end - begin)
        return Span(file=self.file, line=self.number, column=begin + 1, length=size, text=line.rstrip("\r\n"))

    def word_at(self, n: int) -> int:
        """The column of the n-th blank-separated word of a directive.

        Words count from 0, columns from the directive.
        """
        at = self.indent
        words = self.line[at:].partition(";")[0].split()
        for word in words[:n]:
            at = self.line.index(word, at) + len(word)
        return (self.line.index(words[n], at) if n < len(words) else at) - self.indent

    def operand_at(self, text: str) -> None:
        """Set the operand of a directive that is read next, for the places of findings."""
        found = self.line.find(text, self.indent + len(self.word))
        self.offset = max(found, self.indent) - self.indent

    def pointed(self, message: str, start: int, length: int) -> Span:
        """The place of a finding: as given, or in a directive the text that the message quotes."""
        if not start and not length and self.argument < 0:
            quoted = message.split("'")
            if len(quoted) > 2 and quoted[1]:
                found = self.line.find(quoted[1], self.indent + len(self.word))
                if found >= 0:
                    return self.span()._replace(column=found + 1, length=len(quoted[1]))
        return self.span(start, length)

    def argument_place(self, n: int) -> tuple[int, int]:
        """First and last+1 column (from 0) of the n-th argument of the statement.

        Arguments are split as by `split`.
        """
        text = self.line.partition(";")[0]
        at = text.rfind(":") + 1
        rest = text[at:]
        at += len(rest) - len(rest.lstrip())
        words = text[at:].split(None, 1)
        at += len(words[0]) if words else 0
        at += len(text[at:]) - len(text[at:].lstrip())
        arguments = text[at:].split(",")
        if n >= len(arguments):  # it is missing
            at = len(text.rstrip())
            return at, at
        for part in arguments[:n]:
            at += len(part) + 1
        part = arguments[n]
        lead = len(part) - len(part.lstrip())
        return at + lead, at + max(len(part.rstrip()), lead)

    def report(self, problem: Problem, severity: str = ERROR) -> None:
        span = self.pointed(problem.message, problem.start, problem.length)
        edits = problem.edits or _edits(span, problem.replacement)
        self.diagnostics.append(
            Diagnostic(
                code=problem.code,
                severity=severity,
                message=problem.message,
                span=span,
                notes=problem.notes,
                fix=problem.fix,
                related=problem.related,
                edits=edits,
                alternatives=problem.alternatives,
            )
        )

    def quirk(self, quirk: Quirk) -> None:
        """Report a form that picasso accepts, with bytes that differ from its meaning."""
        notes = () if self.compatible else ("picasso accepts this; --picasso-compat writes its bytes",)
        span = self.pointed(quirk.message, quirk.start, quirk.length)
        severity = WARNING if self.compatible else ERROR
        self.doubted = not self.compatible
        edits = () if self.compatible and quirk.code in _OTHER_MEANING else _edits(span, quirk.replacement)
        fix = quirk.fix
        if quirk.code == "P031" and not self.compatible:
            alias = self.operands.aliases.get(quirk.message[1:].partition("]")[0])
            if alias is not None and alias.register < 0:  # a name whose #define is reported
                return
            from lanewise.pica200.text.picasso.habits import explained

            fix, edits = explained(self, quirk) or (fix, edits)
        self.diagnostics.append(
            Diagnostic(
                code=quirk.code,
                severity=severity,
                message=quirk.message,
                span=span,
                notes=notes,
                fix=fix,
                related=(),
                edits=edits,
            )
        )

    def warn(self, quirk: Quirk) -> None:
        span = self.span(quirk.start, quirk.length)
        edits = _edits(span, quirk.replacement)
        self.diagnostics.append(
            Diagnostic(
                code=quirk.code,
                severity=WARNING,
                message=quirk.message,
                span=span,
                notes=(),
                fix=quirk.fix,
                related=(),
                edits=edits,
            )
        )

    def note(self, quirk: Quirk) -> None:
        """Report a note."""
        self.diagnostics.append(
            Diagnostic(code=quirk.code, severity=NOTE, message=quirk.message, span=self.span(), notes=(), fix=quirk.fix)
        )

    # Files and lines

    def read(self, name: str, text: str) -> None:
        """Read one file of the link."""
        self.begin(name)
        self.text = self.operands.text = text
        self.start = Span(file=name, line=1, column=1, length=1, text=text.partition("\n")[0].rstrip("\r"))
        self.files += 1
        self.items.append(Mark(m.FILE, f"{self.files}:{name}", self.where))
        if "\0" in text and not self.compatible:
            from lanewise.pica200.text.picasso.faults import not_a_text

            self.diagnostics.append(not_a_text(name, text))
            return
        if "/*" in text and not self.compatible:
            from lanewise.pica200.text.c_comments import without_comments

            text, found = without_comments(name, text, (";",))
            self.diagnostics += found
            self.text = self.operands.text = text
        instruction, items, names = self.instruction, self.items, self.names
        kept = names.lines.after(f"\0{self.compatible}{name}") if names is not None else None
        number = 1
        for line in text.split("\n"):
            self.line, self.number = line, number
            number += 1
            known = kept.find(line, self.number) if kept is not None else None
            if names is not None and known is not None:
                self.make_unit()
                items.append(known.read)
                names.found += known.names
                continue
            cut = line.find(";")
            statement = (line if cut < 0 else line[:cut]).strip()
            if not statement:
                continue
            before = len(self.diagnostics), len(items), len(names.found) if names is not None else 0
            meanings = self.operands.changes, len(self.blocks)
            if cut > 0 and line.find(",", cut) > 0:
                from lanewise.pica200.text.picasso.pitfalls import statement_in_a_comment

                statement_in_a_comment(self, line, cut)
            self.argument, self.depth = -1, len(self.blocks)
            self.doubted, self.offset, self.labelled = False, 0, 0
            reported = len(self.diagnostics)
            try:
                if statement[0] == "#":
                    number = self.marker(statement)
                    kept = kept.after(line) if kept is not None else None
                    continue
                if ":" in statement:
                    statement = self.take_labels(statement)
                    if not statement:
                        kept = kept.after(line) if kept is not None else None
                        continue
                if statement[0] == ".":
                    self.directive(statement)
                else:
                    items.append(instruction(statement))
                    if self.doubted:
                        items[-1] = self.as_damaged(items[-1])
            except (Problem, Poisoned) as problem:
                from lanewise.pica200.text.picasso.habits import understood
                from lanewise.pica200.text.picasso.recovery import recover

                meant = ""
                if isinstance(problem, Problem) and not (self.incomplete and problem.message.startswith(_UNKNOWN)):
                    found = understood(self, statement, problem)
                    self.report(found)
                    meant = found.meant
                recover(self, statement, meant)
            if self.doubted:
                self.doubt = self.doubt or (DECLARATIONS if statement[0] == "." else "")
                if not self.compatible:
                    from lanewise.pica200.text.picasso.habits import reconsider

                    reconsider(self, statement, reported)
            if kept is not None and names is not None:
                names.statement(self, statement)
                last = items[-1]
                if (
                    isinstance(last, Operation)
                    and self.is_plain(last, line)
                    and before[:2] == (len(self.diagnostics), len(items) - 1)
                ):
                    kept.keep(line, self.number, last, names.found[before[2] :])
                elif statement[0] == "." or self.labelled or meanings != (self.operands.changes, len(self.blocks)):
                    kept = kept.after(line)
        if kept is not None and names is not None:
            names.lines = kept
        if self.symbol is not None:
            self.report(Problem("P054", ".symbol without a following declaration", "move or remove it"))
        if self.unit is not None:
            self.unit.aliases += self.aliases
        if self.numbered and self.allocated:
            from lanewise.pica200.text.picasso.pitfalls import presets_of_uniforms

            presets_of_uniforms(self)
        if any(row.name[0] == "_" for row in self.allocated):
            from lanewise.pica200.text.picasso.pitfalls import private_uniforms

            private_uniforms(self)
        if self.bare:
            from lanewise.pica200.text.arrays import in_text

            self.uses += in_text(self.bare.values(), name, text)
        self.argument = -1
        self.where = Span(file=self.file, line=max(1, number - 1), column=1, length=1, text=self.line.rstrip("\r"))
        open_blocks = [block for block in self.blocks if block.kind != "broken"]
        if open_blocks:
            from lanewise.pica200.text.picasso.unclosed import unclosed

            unclosed(self, open_blocks)
        if any(block.name != OUTSIDE for block in self.blocks):
            self.doubt = STRUCTURE
        self.blocks.clear()

    def finish(self) -> Module:
        """The link of all files read."""
        if self.uses and not any(finding.is_error for finding in self.diagnostics):
            from lanewise.pica200.text.arrays import without_index

            self.diagnostics += without_index(self.uses, self.items)
        return Module(
            items=tuple(self.items),
            units=tuple(self.units),
            declared=tuple(self.declared),
            descriptors=self.descriptors,
            padding=self.padding,
            raw=not self.padding,
            container=self.container,
            places=self.places,
            end=self.where,
            doubt=self.doubt,
        )

    def is_plain(self, operation: Operation, line: str) -> bool:
        """Whether an instruction that was read changes nothing for those after it: it computes, without a label, and names no
        whole array, of which the first is remembered."""
        plain = operation.op.kind == ARITHMETIC and not operation.damaged and operation.span is not None
        return plain and ":" not in line.partition(";")[0] and not self.operands.whole

    def as_damaged(self, item: Operation | Mark) -> Operation | Mark:
        """An operation that is not what its statement says."""
        return item._replace(damaged=True) if isinstance(item, Operation) else item

    def take_labels(self, statement: str) -> str:
        """Everything before a colon is a label, repeatedly (rule 2). Returns the rest of the line."""
        size = len(statement)
        while True:
            name, colon, rest = statement.partition(":")
            if not colon:
                self.labelled = size - len(statement)
                return statement
            before = size - len(statement)
            statement = rest.strip()
            span = self.span(before, max(1, len(name)))
            if name and not is_identifier(name):
                if name.lstrip()[:1] == "." and not statement:
                    message = f"colon after {name.split()[0]}, which is not a label"
                    colon = Problem("P005", message, "remove the colon", before + len(name), 1, (), "")
                    colon.meant = name.strip()
                    raise colon
                bare = name.strip() if is_identifier(name.strip()) else None
                fix = "use letters, digits, `_` and `$`, not starting with a digit"
                if bare is not None:
                    fix = "remove the space before the colon"
                elif name.lstrip()[:1] == ".":
                    fix = f"write `{' '.join(name.split())}`, without the colon and what follows it"
                elif name.split()[0].lower() in MNEMONICS:
                    fix = "remove the colon: only labels have one; components follow a dot"
                raise Problem("P005", f"'{name}' is not a label name", fix, before, len(name), (), bare)
            if not name:
                self.warn(Quirk(code="P006", message="label without a name", fix="name it, or remove the colon"))
            if name in self.labels:
                first = (Related(self.labels[name], f"label '{name}' is defined here first"),)
                raise Problem("P007", f"label '{name}' is already defined", "rename one", before, len(name), related=first)
            self.labels[name] = span
            self.items.append(Mark(m.LABEL, name, span))
            if self.names is not None and name:
                self.names.label(self, span.column - 1, name)

    def marker(self, statement: str) -> int:
        """A position marker `# LINE "FILE"` of a preprocessor (rule 3): the number of the next line."""
        content = statement[1:].strip()
        if content.startswith("line") and content[4:5].isspace():  # as #line is spelt before a preprocessor has run
            content = content[4:]
        words = content.split(None, 1)
        number, length = read_decimal(words[0]) if words else (0, 0)
        if not length or length < len(words[0]):
            if statement[1:2].isalpha():
                from lanewise.pica200.text.picasso.faults import preprocessed

                preprocessed(self, statement)
            self.quirk(
                Quirk(
                    code="P008",
                    message="# begins a line marker, not a comment",
                    fix="begin comments with `;`",
                    start=0,
                    length=1,
                    replacement=";",
                )
            )
            return self.number + 1
        rest = words[1].strip() if len(words) > 1 else ""
        # A C preprocessor may write flags after the name: # 3 "light.pica" 1
        name = rest[1:].partition('"')[0] if rest.startswith('"') else rest
        if name:
            self.file = name
        return number

    # Instructions

    def instruction(self, statement: str) -> Operation:
        words = statement.split(None, 1)
        op = MNEMONICS.get(words[0]) or MNEMONICS.get(words[0].lower())
        if op is None:
            from lanewise.pica200.text.picasso.faults import unknown_instruction
            from lanewise.pica200.text.picasso.recovery import is_reported

            if self.blocks and is_reported(self.blocks[-1], words[0]):
                raise Poisoned
            raise unknown_instruction(words[0], self.suggestions)
        if not self.blocks:
            from lanewise.pica200.text.picasso.unclosed import outside

            raise outside(self)
        unit = self.unit or self.make_unit()
        if self.blocks[0].kind == ARRAY and self.blocks[0].span is not self.unclosed_array:
            self.unclosed_array = self.blocks[0].span
            fix = f"add `.end` after the last `.constfa (x, y, z, w)` of {self.blocks[0].name}"
            self.warn(Quirk(code="P002", message="instruction inside an array of constants", fix=fix))
        arguments = words[1].split(",") if len(words) > 1 else []
        if arguments and (not arguments[-1] or arguments[-1].isspace()):
            arguments.pop()
            code = self.line.partition(";")[0].rstrip()
            at = len(code) - 1 - (len(self.line) - len(self.line.lstrip()) + self.labelled)
            self.warn(
                Quirk(code="P009", message="trailing comma is ignored", fix="remove it", start=at, length=1, replacement="")
            )
        descriptor = -1
        if arguments and "@" in arguments[-1]:
            arguments[-1], descriptor = self.pin(arguments[-1])
        kinds = op.operands
        if op.kind == ARITHMETIC:
            if len(arguments) != len(kinds):
                from lanewise.pica200.text.picasso.faults import wrong_count

                raise wrong_count(self, op, [text.strip() for text in arguments])
            operands = self.arithmetic(op, arguments)
        else:
            if descriptor >= 0:
                raise Problem("P012", f"{op.name} has no operand descriptor", "remove the `@` and its number")
            operands = self.flow(op, [text.strip() for text in arguments], unit)
        line = self.line
        column = len(line) - len(line.lstrip()) + self.labelled + 1
        span = Span(file=self.file, line=self.number, column=column, length=len(statement), text=line)
        return Operation(op=op, operands=operands, descriptor=descriptor, span=span)

    def pin(self, argument: str) -> tuple[str, int]:
        """`r1.x @5`: the operand and the number of the descriptor that the instruction must use."""
        operand, _, digits = argument.partition("@")
        number, length = read_integer(digits)
        if not length or digits[length:].strip() or not 0 <= number < 128:
            comment = not digits[:1].isdigit()
            fix = "begin comments with `;`: `@` chooses a descriptor" if comment else "write @0 to @127"
            raise Problem("P012", f"'@{digits}' is not an operand descriptor", fix)
        return operand.strip(), number

    def arithmetic(self, op: Op, arguments: list[str]) -> tuple[Operand, ...]:
        """Operands of an instruction with sources; blanks around them are part of `arguments`."""
        operands: list[Operand] = []
        sources: list[Source] = []
        known = self.operands
        for i, kind in enumerate(op.operands):
            self.argument, text = i, arguments[i]
            if kind == "src":
                operand = known.sources.get(text) or known.source(text)
                sources.append(operand)
            elif kind == "dst":
                operand = known.dests.get(text) or known.dest(text)
            elif kind == "cmp":
                operand = comparison(text.strip())
            else:
                operand = address(text.strip())
            operands.append(operand)
        if sources_fault(op, sources) is not None:
            places = [i for i, kind in enumerate(op.operands) if kind == "src"]
            texts = [arguments[i].strip() for i in places]
            fault = sources_fault(op, sources, [text.lstrip("-") for text in texts])
            if fault is not None:
                from lanewise.pica200.text.picasso.faults import exchange

                self.argument = places[fault.source]
                edits, fix = exchange(self, op, arguments, fault.fix) if fault.exchange else ((), fault.fix)
                raise Problem(fault.code, fault.message, fix, 0, len(texts[fault.source]), edits=edits)
        if known.whole or known.short or known.short_aliases:
            from lanewise.pica200.text.picasso.pitfalls import operands_meant_otherwise

            operands_meant_otherwise(self, op, arguments, operands)
        return tuple(operands)

    def flow(self, op: Op, arguments: list[str], unit: Unit) -> tuple[Operand, ...]:
        """Operands of an instruction without sources."""
        name, kinds = op.name, op.operands
        if op.kind == SETEMIT:
            return (self.emission(arguments, unit),)
        opens = op.opens_block
        numeric = self.numeric_target(op, arguments)
        given = len(kinds) - opens if numeric is None else len(kinds) - 1
        if len(arguments) != given and numeric is None:
            from lanewise.pica200.text.picasso.faults import wrong_flow_count

            raise wrong_flow_count(self, op, given, arguments)
        operands: list[Operand] = []
        inverted = False
        for i, kind in enumerate(kinds):
            self.argument = i
            if kind == "cond":
                operands.append(condition(arguments[i]))
            elif kind in ("bool", "int"):
                text = arguments[i]
                if text.startswith("!"):
                    inverted = self.inversion(op, text)
                    text = text.lstrip("!")
                operands.append(self.operands.uniform(text, kind[0]))
            elif numeric is not None:
                operands.append(Target(numeric.address, numeric.num | inverted))
            elif kind == "target":
                operands.append(self.target(arguments[i], inverted))
            else:
                self.argument = -1
                self.open(m.END_FOR if op.kind == LOOP else m.END_IF, name)
                operands.append(BLOCK)
        return tuple(operands)

    def inversion(self, op: Op, text: str) -> bool:
        if op.kind != JUMP:
            raise Problem(
                "V022",
                f"{op.name} cannot invert its register",
                "test the opposite value in the application, or use `.else`",
                0,
                1,
            )
        if text[1:2].isspace():
            bare = f"!{text[1:].strip()}"
            raise Problem("P033", "space after !", f"write {bare}", 0, len(text), (), bare)
        return (len(text) - len(text.lstrip("!"))) % 2 == 1

    def target(self, text: str, inverted: bool) -> Reference:
        if not is_identifier(text) and text:
            raise Problem(
                "P013",
                f"'{text}' is not a procedure or label name",
                "use a procedure or label; names do not begin with a digit",
                0,
                len(text),
            )
        return Reference(text, int(inverted))

    def numeric_target(self, op: Op, arguments: list[str]) -> Target | None:
        """`0xDST, NUM` (or `0xDST` for jumps and loops) in the place of a name: only lanewise knows it."""
        kinds = op.operands
        if not kinds or kinds[-1] not in ("target", "block"):
            return None
        at = len(kinds) - 1
        counted = takes_count(op)
        if len(arguments) != numeric_operands(op) or not arguments[at][:1].isdigit():
            return None
        if op.kind == LOOP and arguments[at][:2] not in ("0x", "0X"):  # a number of rounds, as other languages have it
            return None
        values: list[int] = []
        for i, limit in zip(range(at, len(arguments)), (0xFFF, 0xFF), strict=False):
            number, length = read_integer(arguments[i])
            if length < len(arguments[i]):
                return None
            if not 0 <= number <= limit:
                self.argument = i
                raise Problem(
                    "V023", f"{number} is out of range: 0 to {limit}", "use a smaller number: addresses have 12 bits, counts 8"
                )
            values.append(number)
        return Target(values[0], values[1] if counted else 0)

    def emission(self, arguments: list[str], unit: Unit) -> Emission:
        """Operands of setemit: `VTX[, prim][ inv]` (rule 20)."""
        self.argument = 0
        if not arguments:
            from lanewise.pica200.text.picasso.faults import usage

            raise Problem("P010", "setemit needs a vertex number", usage(BY_NAME["setemit"]))
        if len(arguments) > 2:
            self.argument = 2
            raise Problem(
                "P011",
                "setemit has two operands: the vertex and one list of flags",
                "separate the flags with spaces: setemit 2, prim inv",
            )
        vertex, length = read_integer(arguments[0])
        if not length:
            raise Problem("P014", f"'{arguments[0]}' is not a vertex number", "write 0, 1 or 2")
        if arguments[0][length:].strip():
            self.quirk(
                Quirk(
                    code="P023",
                    message=f"'{arguments[0][length:].strip()}' is ignored",
                    fix="write a comma before the flags: setemit 2, prim",
                    start=length,
                    length=len(arguments[0]) - length,
                )
            )
        if not 0 <= vertex <= 2:
            raise Problem("V024", f"vertex {vertex} is out of range", "write 0, 1 or 2")
        flags = set[str]()
        self.argument = 1
        for flag in arguments[1].split() if len(arguments) > 1 else ():
            known = {"prim": "p", "primitive": "p", "inv": "i", "invert": "i"}.get(flag.lower())
            if known is None:
                self.quirk(Quirk(code="P015", message=f"unknown setemit flag '{flag}' is ignored", fix="use `prim` and `inv`"))
            else:
                flags.add(known)
        if not unit.geometry:
            self.become_geometry(unit)
        return Emission(vertex, "p" in flags, "i" in flags)

    # Units and blocks

    def make_unit(self) -> Unit:
        """The shader of this file: it exists from the first instruction or declaration on (rule 37)."""
        if self.unit is None:
            self.unit = Unit(self.file, self.start)
            self.units.append(self.unit)
        return self.unit

    def become_geometry(self, unit: Unit) -> None:
        unit.geometry = True
        self.operands.geometry = True
        self.operands.forget()
        self.items.append(Mark(m.GEOMETRY, "", self.span()))

    def open(self, kind: str, name: str = "") -> None:
        if len(self.blocks) >= MAX_BLOCKS:
            raise Problem("P016", f"more than {MAX_BLOCKS} blocks are open", "close some, or move code into a procedure")
        self.blocks.append(Open(kind, self.span(), name))

    # Directives

    def directive(self, statement: str) -> None:
        words = statement.split(None, 1)
        self.word = words[0].lower()
        self.indent, self.offset = len(self.line) - len(self.line.lstrip()) + self.labelled, 0
        method = DIRECTIVES.get(self.word)
        if method is None:
            self.incomplete = self.incomplete or (self.word == ".include" and not self.compatible)
            from lanewise.pica200.text.picasso.meant_directives import unknown_directive

            raise unknown_directive(self, *words)
        method(self, words[1] if len(words) > 1 else "")

    def second_procedure(self, name: str, first: Related) -> Problem:
        """The problem with a procedure of a name that another one has."""
        from lanewise.pica200.text.picasso.habits import second_procedure

        return second_procedure(self, name, first)

    def raw_word(self, word: int) -> None:
        """`.word`: any 32 bits as an instruction."""
        if not self.blocks:
            raise Problem("P002", ".word outside a procedure", "put it between `.proc NAME` and `.end`")
        self.make_unit()
        self.items.append(Operation(op=UNKNOWN, operands=(word,), descriptor=-1, span=self.span()))


_UNKNOWN = "unknown register '"
_OTHER_MEANING = frozenset(("P008", "P027", "P028"))  # what picasso takes for something else than the fix writes


def address(text: str) -> Dest:
    """The destination of `mova`. Raises Problem."""
    mask = _ADDRESS_DESTS.get(text.lower(), 0)
    if not mask:
        raise Problem("V021", f"mova cannot write {text}", "write a0.x, a0.y or a0.xy", 0, len(text))
    return Dest(0, mask)


def _edits(span: Span, replacement: str | None) -> tuple[Edit, ...]:
    """The fix of a finding as edits."""
    return () if replacement is None else (Edit(span, replacement),)
