"""Reading the ShaderCore language: one instruction or directive a line.

    .input v0 position
    .output o0 position
    .const c0 (1.0, 0.5, 0x3F800000, -2.0)
    add_sat r0.x, -c1.y, abs(v0.z)   ; a scalar instruction
    mul r0.xyz, v0.xyz, c0.x         ; three of them
    end

Comments begin with `;`, `//` or `#`. A comment that is one word, as in listings, is compared with what the line gives. Operands
that an instruction does not have may be written (`mov r0.x, v0.x, 0.x`), and commas may be missing throughout a line.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Edit, Related, has_errors, text_form
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.problems import Suggestions
from lanewise.shadercore.isa.codec import DISCARD, Dest, Inst, Source, encode, instruction, opcode_of
from lanewise.shadercore.isa.program import REGISTERS, USAGES, Constant, Damage, Declaration, Program, review, usage_byte
from lanewise.shadercore.isa.table import BY_NAME, END, NOP
from lanewise.shadercore.text.comments import (
    BLOCK,
    block_edits,
    block_fix,
    dashes,
    macro,
    number_sign,
    semicolons,
    split_comment,
)
from lanewise.shadercore.text.operands import (
    LEAST_FREE,
    Fault,
    Operand,
    dest_file,
    effects_of,
    free_registers,
    read_dest,
    read_source,
    source_file,
)
from lanewise.shadercore.text.pieces import HEXADECIMAL, Token, float_bits, number_of, shown, split_operands, words_of
from lanewise.shadercore.text.statements import check_shorthand, unread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.table import Op
    from lanewise.shadercore.text.notes import Notes


class Result(Record):
    """The program, None if there are errors, and what was found.

    `rest` is the program with placeholders for the statements that cannot be read, which are `damage`; None for a file that is
    not a source.
    """

    program: Program | None
    diagnostics: list[Diagnostic]
    rest: Program | None = None
    damage: tuple[Damage, ...] = ()


def read_source_text(text: str, name: str, notes: Notes | None = None, added: Sequence[Op] = ()) -> Result:
    """Assemble a source; `name` is for messages. `notes` get the names of the source and their places; `added` are instructions
    of a device besides those of the table."""
    reader = _Reader(name, notes, added)
    unreadable = text_form(name, text)
    if unreadable:
        return Result(None, unreadable)
    if "\0" in text:
        reader.report(
            "P201", "binary file: it contains a zero byte", "pass the source; `lanewise dis` converts a binary to one", 0, 1
        )
        return Result(None, reader.found)
    reader.text = text
    for number, line in enumerate(text.split("\n"), 1):
        reader.line(number, line)
    return reader.result()


def line_result(line: str) -> tuple[Program, list[str]]:
    """The result of reading one line by itself: what it adds to a program, without places, and the codes of what is wrong with
    it."""
    reader = _Reader("")
    reader.line(1, line)
    return reader.program()._replace(places=(), declared=()), [finding.code for finding in reader.found]


def _reads(line: str) -> bool:
    return not line_result(line)[1]


class _Reader:
    """Collects words, declarations and findings, line by line."""

    def __init__(self, name: str, notes: Notes | None = None, added: Sequence[Op] = ()) -> None:
        self.name = name
        self.text: str = ""  # the whole source, where there is one
        self._numbers: list[str] = []  # that operands are, for which a constant is to be declared
        self._block = False  # within a comment from /* to */
        self.notes = notes
        self.found: list[Diagnostic] = []
        self.damage: list[Damage] = []
        self._span = Span(file=name)
        self._words: list[int] = []
        self._places: list[Span] = []
        self._usages: dict[str, dict[int, int]] = {"v": {}, "o": {}}
        self._declared: list[Declaration] = []
        self._constants: dict[int, tuple[int, ...]] = {}
        self._constant_places: dict[int, Span] = {}
        self._header: dict[str, int] = {}
        self._header_places: dict[str, Span] = {}
        self._labels: set[str] = set()
        self._macros: dict[str, str] = {}  # of lines with #define
        self._suggestions = Suggestions()
        self._added = tuple(added)
        if notes is not None:
            notes.begin(name)
        self._ops = BY_NAME | {op.name: op for op in added} if added else BY_NAME

    def program(self) -> Program:
        """The program as it has been read, with errors or without."""
        rows = [tuple([self._usages[file].get(n, 0) for n in range(REGISTERS)]) for file in "vo"]
        program = Program(
            words=tuple(self._words),
            inputs=rows[0],
            outputs=rows[1],
            constants=tuple([Constant(n, self._constants[n]) for n in sorted(self._constants)]),
            places=tuple(self._places),
            declared=tuple(self._declared),
            added=self._added,
        )
        return program._replace(**self._header)

    def result(self) -> Result:
        program = self.program()
        if not program.words and not has_errors(self.found):
            self.found.append(
                Diagnostic(
                    code="P214",
                    severity=ERROR,
                    message="no instructions in the source",
                    span=Span(file=self.name),
                    fix="end the program with `end`",
                )
            )
        damage = tuple(self.damage)
        if program.words:
            self.found += review(program, self.name, damage)
        return Result(None if has_errors(self.found) else program, self.found, program, damage)

    def report(
        self,
        code: str,
        message: str,
        fix: str,
        column: int,
        length: int,
        severity: str = ERROR,
        edits: tuple[tuple[int, int, str], ...] = (),
        first: Span | None = None,
    ) -> None:
        span = self._span.at(column, max(1, length))
        if code != "P201" and "`.const c0 (" in fix:
            from lanewise.shadercore.text.meant import constant_for

            fix = constant_for(fix, self.text, self._numbers)
        if code == "P205" and fix.startswith(("use r0-", "use x0-", "write r0-r7 or")):
            from lanewise.shadercore.text.meant import register_for

            fix = register_for(message, self.text) or fix
        related = (Related(first, "the first one is here"),) if first is not None else ()
        changes = tuple([Edit(self._span.at(at, size), text) for at, size, text in edits])
        self.found.append(
            Diagnostic(
                code=code, severity=severity, message=message, span=span, notes=(), fix=fix, related=related, edits=changes
            )
        )

    def line(self, number: int, line: str) -> None:
        """Read a line. Nothing is raised: what is wrong is reported."""
        line = line.rstrip()
        if self._block:
            self._block = "*/" not in line
            return
        store = self.notes if not self._added else None  # a device may change its instructions
        if store is not None and (kept := store.recalled(number, line)) is not None:
            self._span = kept.span
            self._words += kept.words
            self._places += [kept.span] * len(kept.words)
            return
        before = len(self.found), len(self._words), len(self.notes.found) if self.notes is not None else 0
        self._span = Span(file=self.name, line=number, column=1, length=max(1, len(line)), text=line)
        code, comment = split_comment(line)
        if "/*" in code:
            at = code.index("/*")
            self._block = "*/" not in line[at + 2 :]
            self.report("P201", BLOCK, block_fix(line, at), at + 1, 2, ERROR, block_edits(line, at))
            code, comment = code[:at], ""
        stripped = code.lstrip()
        if not stripped:
            if comment[:1].isalpha() and comment.split(None, 1)[0] in _PREPROCESSOR:
                column = line.index(comment)
                message = f"'#{shown(comment.strip())}' is a comment: there is no preprocessor"
                fix = "write what it stands for in its place: a program is one file, without macros"
                kind, name, value, *_ = [*comment.strip().split(None, 2), "", ""]
                if kind == "define" and value:
                    self._macros[name] = value
                self.report("P215", message, fix, column, len(comment) + 1, NOTE)
            return
        head = stripped.split(None, 1)[0]
        column = len(code) - len(stripped) + 1
        self._span = self._span.at(column, len(stripped.rstrip()))
        tail = stripped[len(head) :]
        text = tail.strip()
        rest = Token(text, column + len(head) + (tail.index(text) if text else 0))
        try:
            if head.startswith("."):
                self._directive(Token(head, column), rest)
            else:
                self._instruction(Token(head, column), rest, comment)
                if store is not None and len(self.found) == before[0]:
                    store.keep(line, self._span, self._words[before[1] :], before[2])
        except Fault as raised:
            fault = dashes(code) or number_sign(code, comment, raised) or semicolons(code, comment, raised) or raised
            edits = fault.edits if fault.edits and _readable(line, fault.edits) else ()
            fix = macro(line[fault.column - 1 :][: fault.length], self._macros) if self._macros else ""
            self.report(fault.code, fault.message, fix or fault.fix, fault.column, fault.length, ERROR, edits, fault.first)
            self._placeholder(Token(head, column), rest)

    def _placeholder(self, head: Token, rest: Token) -> None:
        """Keep the place of a statement that cannot be read: as many words as it would give, and what it may read and write."""
        name = head.text.lower()
        if name.startswith("."):
            words = int(name[:2] == ".w")
            if words:
                self._add(encode(Inst(op=NOP)))
            self.damage.append(
                Damage(place=self._span, slot=len(self._words) - words, words=words, head=name, writes=None, reads=None)
            )
            return
        operands = split_operands(rest)
        op = self._ops.get(name.removesuffix("_saturate").removesuffix("_sat"))
        if op is None and not operands and (END.name.startswith(name) or self._suggestions.nearest(name, BY_NAME) == END.name):
            op = END
        writes, reads, words = effects_of(op, operands)
        for _ in range(words):
            self._add(encode(Inst(op=END if op is END else NOP)))
        self.damage.append(
            Damage(place=self._span, slot=len(self._words) - words, words=words, head=name, writes=writes, reads=reads)
        )
        if self.notes is not None:
            self.notes.damaged(self._span, operands)

    # Instructions

    def _instruction(self, head: Token, rest: Token, comment: str) -> None:
        name = head.text.lower()
        base = name.removesuffix("_saturate").removesuffix("_sat")
        op = self._ops.get(base)
        if op is None:
            raise self._foreign(head, rest) or self._unknown(head, base)
        operands = split_operands(rest)
        saturate = int(base != name)
        if self.notes is not None:
            self.notes.instruction(self._span.at(head.column, len(base)), op.name)
        insts = self._expand(op, saturate, operands, head)
        for inst in insts:
            self._add(encode(inst))
        text = comment.strip()
        if text:
            self._note_statement(split_comment(text)[0].strip(), rest)
        if len(insts) == 1 and len(text) == 18 and text[:2] in ("0x", "0X") and HEXADECIMAL.issuperset(text[2:]):
            word = int(text, 16)
            if word != self._words[-1]:
                end = rest.column + len(rest.text.rstrip())
                self.report(
                    "P213",
                    f"line encodes to 0x{self._words[-1]:016X}, but its comment is {text}",
                    f"write 0x{self._words[-1]:016X} there if the line was changed; `.word {text}` is the other word",
                    head.column,
                    len(head.text),
                    WARNING,
                    ((end, len(self._span.text) - end + 1, ""),),
                )

    def _note_statement(self, text: str, rest: Token) -> None:
        """Report the first text of a comment after an instruction, where it is an instruction too: `;` begins comments here."""
        words = text.split(None, 1)
        if not words or words[0].lower().removesuffix("_saturate").removesuffix("_sat") not in self._ops:
            return
        program, codes = line_result(text)
        if program.words and not codes:
            message = f"'{shown(text)}' is a comment, but reads as an instruction: it is not assembled"
            fix = "write it on a line after this one if it is to be executed"
            self.report("P215", message, fix, self._span.text.index(text, rest.column - 1) + 1, len(text), NOTE)

    def _foreign(self, head: Token, rest: Token) -> Fault | None:
        """The finding about an instruction that other shader languages have; None for any other name."""
        from lanewise.shadercore.text import habits, meant
        from lanewise.shadercore.text.foreign import fix_of
        from lanewise.shadercore.text.formulas import written
        from lanewise.shadercore.text.substitutes import NO_JUMPS, NO_LOOPS, on_hardware

        texts = [operand.text for operand in split_operands(rest)]
        free = free_registers(self.text or self._span.text)
        unused = free[1:-LEAST_FREE] if "%" not in self.text else ()  # where virtual registers are not allotted yet
        fix, line = written(head.text, rest.text, texts, _reads, free), ""
        if not fix:
            fix, line = fix_of(head.text, texts, self._ops, _reads, usage, unused)
            fix = fix or habits.statement(head.text, rest.text, _reads, unused)
            if "with `.const c0 (" in fix:
                fix = meant.constant_for(fix, self.text, self._numbers)
        if head.text.lower() == "def":
            fix = meant.constant_of(rest.text) or fix
        if fix == NO_JUMPS and not self._labels.isdisjoint(rest.text.replace(",", " ").split()):
            fix = NO_LOOPS  # it goes back to a label above
        if not fix:
            return None
        edits = ((head.column, rest.column + len(rest.text.rstrip()) - head.column, line),) if line else ()
        fix += on_hardware(fix)
        return Fault("P201", f"unknown instruction '{shown(head.text)}'", fix, head.column, len(head.text), edits)

    def _add(self, word: int) -> None:
        self._words.append(word)
        self._places.append(self._span)

    def _unknown(self, head: Token, base: str) -> Fault:
        edits: tuple[tuple[int, int, str], ...] = ()
        if head.text.endswith(":"):
            self._labels.add(head.text[:-1])
            fix = "remove the label: there are no jumps"
            edits = ((head.column, len(head.text), ""),)
        else:
            near = self._suggestions.nearest(base, self._ops)
            fix = f"did you mean {near}?" if near else "see `lanewise isa shadercore`"
            edits = ((head.column, len(base), near),) if near else ()
        return Fault("P201", f"unknown instruction '{shown(head.text)}'", fix, head.column, len(head.text), edits)

    def _expand(self, op: Op, saturate: int, operands: list[Token], head: Token) -> list[Inst]:
        """The instructions of a line, one for each component of its destination. Raises Fault."""
        if not operands and not op.dests:
            return [Inst(op=op, dest=Dest(DISCARD.file, saturate=saturate))]
        wanted = op.dests + op.sources
        if len(operands) not in (wanted, max(3, wanted)) or (not op.dests and len(operands) != 3):
            for operand in operands:
                left, _, right = operand.text.partition(" ")
                right = right.strip()
                if left[-1:].isalnum() and right[:1].isalpha():
                    message = f"missing comma between '{shown(left)}' and '{shown(right)}'"
                    edits = ((operand.column + len(left), 0, ","),)
                    texts = [f"{left}, {right}" if each is operand else each.text for each in operands]
                    fix = f"write `{head.text} {', '.join(texts)}`"
                    raise Fault("P203", message, fix, operand.column, len(operand.text), edits)
            forms = (
                "no operands"
                if not wanted
                else f"a destination and {('a source', 'two sources', 'three sources')[op.sources - 1]}"
            )
            from lanewise.shadercore.text import meant

            fix = meant.operands_of(head.text, operands, op) or f"write {usage(op)}"
            raise Fault("P203", f"{op.name} takes {forms}, found {len(operands)}", fix, head.column, len(head.text))
        if op.dests and op.sources == 1 and len(operands) > wanted:
            unread(op, head, operands, self.report)
        try:
            dest = read_dest(operands[0].text, operands[0].column, may_be_zero=not op.dests)
        except Fault as fault:
            from lanewise.shadercore.text import meant

            fix = meant.destination_of(head.text, operands, self.text) if fault.code == "P207" else ""
            raise Fault(fault.code, fault.message, fix or fault.fix, fault.column, fault.length) from None
        sources = [read_source(token.text, token.column) for token in operands[1:]]
        if self.notes is not None:
            self.notes.operands(self._span, operands, dest.components if op.dests else ())
        for operand in (dest, *sources):
            if not operand.named:
                from lanewise.shadercore.text import meant

                register = f"{operand.file}{operand.number}"
                raise Fault(
                    "P206",
                    f"{register} needs a component",
                    meant.with_components(head.text, operands, (dest, *sources)),
                    operand.column,
                    operand.length,
                )
        width = len(dest.components)
        for source in sources:
            if len(source.components) not in (1, width):
                from lanewise.shadercore.text import meant

                raise Fault(
                    "P208",
                    f"{len(source.components)} components for a destination of {width}",
                    meant.fitting(head.text, operands, (dest, *sources)),
                    source.column,
                    source.length,
                )
        check_shorthand(head, operands, dest, sources, self.text)
        result: list[Inst] = []
        for n, component in enumerate(dest.components):
            read = [_scalar(source, n) for source in sources]
            result.append(instruction(op, Dest(dest_file(dest), dest.number, component, saturate), read))
        return result

    # Directives

    def _directive(self, head: Token, rest: Token) -> None:
        name = head.text.lower()
        if self.notes is not None:
            self.notes.directive(self._span.at(head.column, len(head.text)), name)
        match name:
            case ".input":
                self._declare("v", "input", rest)
            case ".output":
                self._declare("o", "output", rest)
            case ".const":
                self._constant(rest)
            case ".word":
                self._add(self._bits(rest, 64, ".word 0x00000001400280C0"))
            case ".hash":
                self._set_header("hash", self._bits(rest, 32, ".hash 0xFFFFFFFF"), head)
            case ".padding":
                self._set_header("padding", self._bits(rest, 64, ".padding 0x0000000000000000"), head)
            case ".end" if not any(opcode_of(word) == END.opcode for word in self._words):
                self._add(encode(Inst(op=END)))
                edits = ((head.column, 1, ""),)
                fix = "write `end`, without the dot"
                self.report("P202", f"unknown directive '{head.text}'", fix, head.column, len(head.text), ERROR, edits)
            case _:
                from lanewise.shadercore.text.substitutes import declaration, instead_of

                line = declaration(name, rest.text)
                if line:
                    edits = ((head.column, rest.column + len(rest.text) - head.column, line),)
                    raise Fault("P202", f"unknown directive '{head.text}'", f"write {line}", head.column, len(head.text), edits)
                from lanewise.shadercore.text import habits, meant

                fix = (meant.constant_of(rest.text) if name == ".def" else "") or instead_of(name, rest.text)
                fix = fix or habits.directive(name)
                if fix:
                    raise Fault("P202", f"unknown directive '{shown(head.text)}'", fix, head.column, len(head.text))
                near = self._suggestions.nearest(name, (".input", ".output", ".const", ".word", ".hash", ".padding"))
                fix = f"did you mean {near}?" if near else "use .input, .output, .const, .word, .hash or .padding"
                edits = ((head.column, len(head.text), near),) if near else ()
                raise Fault("P202", f"unknown directive '{shown(head.text)}'", fix, head.column, len(head.text), edits)

    def _bits(self, rest: Token, bits: int, example: str) -> int:
        """The number of a directive, in hexadecimal. Raises Fault."""
        word = rest.text.strip()
        column = rest.column + len(rest.text) - len(rest.text.lstrip())
        digits = word[2:] if word[:2] in ("0x", "0X") else ""
        if not digits or not HEXADECIMAL.issuperset(digits) or len(digits) > bits // 4:
            fix = f"write {example}"
            if 0 < len(word) <= bits // 4 and HEXADECIMAL.issuperset(word):
                fix = f"write {example.split(maxsplit=1)[0]} 0x{word.upper():0>{bits // 4}}"
                if word.isdecimal() and len(word) < bits // 4:
                    fix += f", or 0x{int(word):0{bits // 4}X} for the decimal number"
            raise Fault("P212", f"'{shown(word)}' is not a hexadecimal number of {bits} bits", fix, column, len(word))
        return int(digits, 16)

    def _set_header(self, field: str, value: int, head: Token) -> None:
        if field in self._header:
            edits = self._removed() if self._header[field] == value else ()
            first = self._header_places[field]
            raise Fault("P211", f"{head.text} is given twice", "remove one of them", head.column, len(head.text), edits, first)
        self._header[field] = value
        self._header_places[field] = self._span.at(head.column, len(head.text))

    def _removed(self) -> tuple[tuple[int, int, str], ...]:
        """The edit that removes the statement at hand."""
        return ((self._span.column, self._span.length, ""),)

    def _declare(self, file: str, what: str, rest: Token) -> None:
        """`.input v0 position`. Raises Fault."""
        parts = words_of(rest)
        if len(parts) != 2:
            from lanewise.shadercore.text import meant

            line = meant.declaration_of(what, file, rest.text, self._usages[file])
            raise Fault("P210", f".{what} needs a register and a usage", f"write {line}", rest.column, len(rest.text))
        register, usage_word = parts
        if usage_byte(register.text) is not None and usage_byte(usage_word.text) is None:
            number_of(usage_word, file, REGISTERS)
            turned = f"{usage_word.text} {register.text}"
            edits = ((rest.column, len(rest.text), turned),)
            message = f"the register of .{what} comes before the usage"
            raise Fault("P210", message, f"write .{what} {turned}", rest.column, len(rest.text), edits)
        try:
            number = number_of(register, file, REGISTERS)
        except Fault as fault:
            from lanewise.shadercore.text import meant

            line = meant.declaration_of(what, file, rest.text, self._usages[file])
            raise Fault(fault.code, fault.message, f"write {line}", fault.column, fault.length) from None
        usage_value = usage_byte(usage_word.text)
        if usage_value is None:
            from lanewise.shadercore.text import habits

            near = habits.usage(usage_word.text) or self._suggestions.nearest(usage_word.text.lower(), USAGES)
            listed = f"use {', '.join(USAGES)}, followed by a number from 0 to 3"
            edits = ((usage_word.column, len(usage_word.text), near),) if near else ()
            raise Fault(
                "P210",
                f"unknown {what} usage '{shown(usage_word.text)}'",
                f"did you mean {near}? {listed}" if near else listed,
                usage_word.column,
                len(usage_word.text),
                edits,
            )
        place = self._span.at(register.column, len(register.text))
        if self.notes is not None:
            self.notes.declaration(place, file, number, self._span.at(usage_word.column, len(usage_word.text)), what)
        if number in self._usages[file]:
            same = self._usages[file][number] == usage_value
            free = next((n for n in range(REGISTERS) if n not in self._usages[file]), None)
            edits = self._removed() if same else ()
            fix = (
                "remove one of them"
                if same or free is None
                else f"use another register: .{what} {file}{free} {usage_word.text}"
            )
            first = next((d.place for d in self._declared if (d.file, d.number) == (file, number)), None)
            raise Fault(
                "P211",
                f"{file}{number} is declared twice",
                fix,
                register.column,
                len(register.text),
                edits,
                first,
            )
        self._usages[file][number] = usage_value
        self._declared.append(Declaration(file, number, place))

    def _constant(self, rest: Token) -> None:
        """`.const c0 (1.0, 2.0, 3.0, 4.0)`. Raises Fault."""
        example = "write .const c0 (1.0, 2.0, 3.0, 4.0)"
        name, opening, tail = rest.text.partition("(")
        inside, closing, behind = tail.partition(")")
        parts = words_of(Token(name, rest.column))
        if not opening or not closing or behind.strip() or len(parts) != 1:
            from lanewise.shadercore.text import meant

            message = ".const needs a register and four numbers in parentheses"
            raise Fault("P210", message, meant.constant_of(rest.text, self._constants) or example, rest.column, len(rest.text))
        try:
            number = number_of(parts[0], "c", 256)
        except Fault as fault:
            from lanewise.shadercore.text import meant

            fix = meant.constant_of(rest.text, self._constants) or fault.fix
            raise Fault(fault.code, fault.message, fix, fault.column, fault.length) from None
        column = rest.column + len(name) + 1
        place = self._span.at(parts[0].column, len(parts[0].text))
        if self.notes is not None:
            self.notes.declaration(place, "c", number)
        values: list[int] = []
        for piece in inside.split(","):
            text = piece.strip()
            bits = float_bits(text)
            if bits is None:
                at = column + len(piece) - len(piece.lstrip())
                from lanewise.shadercore.text import meant

                fix = meant.constant_of(rest.text) if " " in text else meant.number(text)
                raise Fault("P212", f"'{shown(text)}' is not a number", fix, at, len(text))
            values.append(bits)
            column += len(piece) + 1
        if len(values) != 4:
            from lanewise.shadercore.text import meant

            message = f"a constant has four components, found {len(values)}"
            raise Fault("P210", message, meant.constant_of(rest.text, self._constants) or example, rest.column, len(rest.text))
        if number in self._constants:
            edits = self._removed() if self._constants[number] == tuple(values) else ()
            message = f"c{number} is declared twice"
            raise Fault(
                "P211", message, "remove one of them", parts[0].column, len(parts[0].text), edits, self._constant_places[number]
            )
        self._constants[number] = tuple(values)
        self._constant_places[number] = place


_PREPROCESSOR = ("include", "define", "if", "ifdef", "ifndef", "else", "endif", "undef", "pragma")


def _readable(line: str, edits: tuple[tuple[int, int, str], ...]) -> bool:
    """Whether a line without its comment can be read once the edits are done."""
    text = line
    for column, length, new in sorted(edits, reverse=True):
        text = text[: column - 1] + new + text[column - 1 + length :]
    return not line_result(split_comment(text)[0])[1]


def usage(op: Op) -> str:
    """How an instruction is written: `add r0.x, r1.x, r2.x`."""
    return " ".join((op.name, ", ".join(("r0.x", "r1.x", "r2.x", "r3.x")[: op.dests + op.sources]))).strip()


def _scalar(operand: Operand, n: int) -> Source:
    component = operand.components[n if len(operand.components) > 1 else 0]
    return Source(source_file(operand), operand.number, component, operand.modifier)
