"""Read Direct3D 9 assembly: a version, then instructions.

`lanewise check` reports what is illegal in the version.

    vs_2_0
    def c4, 1.0, 0.5, 0, 0x7FC00001   // a number, or its bits
    dcl_position v0
    mad_sat r0.xyz, c[a0.x+4], -v0, r1.w
    (!p0.x) mov oPos, r0

An instruction ends where its operands do, so a line may hold several. Directives of lanewise carry everything else:
`.dword` has raw words, `.comment` the words of a comment, `.end` the end with another word or none, `.byte` the bytes after it.
`.dword` with a version token takes the place of the version where a file has one that does not exist.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic, Edit, has_errors, text_form
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.problems import Suggestions
from lanewise.direct3d9.isa.codec import decode
from lanewise.direct3d9.isa.codec import version_of as version_of_token
from lanewise.direct3d9.isa.operands import BOOLEAN, FLOAT
from lanewise.direct3d9.isa.program import Comment, Damage, Inst, Shader, Unknown, make_inst
from lanewise.direct3d9.isa.table import (
    BEGINS,
    BY_NAME,
    BY_VERSION_NAME,
    COMMENT,
    COMPARED,
    DECLARATION,
    END,
    PREDICATE,
    SAMPLER,
    SAMPLER_TYPES,
    USAGES,
    VARIED,
    VERSIONS,
    VERTEX,
    Version,
    column_of_files,
    exists,
    has,
    operand_count,
    operand_names,
    sources_in,
)
from lanewise.direct3d9.text.lexer import NAME, NUMBER, STOP, VERSION, Token
from lanewise.direct3d9.text.names import MNEMONICS, RESULTS, SHIFTS, find_register, mnemonic_of
from lanewise.direct3d9.text.operands import (
    Fault,
    Tokens,
    behind,
    read_float,
    read_integer,
    read_operand,
    replacing,
    to_dest,
    to_source,
)
from lanewise.direct3d9.text.preprocess import NO_SETTING, Preprocessor

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.direct3d9.isa.operands import Files
    from lanewise.direct3d9.isa.program import Dest, Item, Source
    from lanewise.direct3d9.isa.table import Op
    from lanewise.direct3d9.text.names import Mnemonic
    from lanewise.direct3d9.text.notes import Notes
    from lanewise.direct3d9.text.preprocess import Setting

_MOST = 100  # findings about one source
DIRECTIVES = (".dword", ".comment", ".end", ".byte")
_PRECEDES = "precedes the version"
_PARAMETER = 1 << 31
_NO_NUMBER, _ONE_NUMBER = ("aL", "oDepth"), ("a", "p")  # files of one register


class Result(Record):
    """A source that has been read."""

    shader: Shader | None
    "The shader; None if there are errors."
    diagnostics: list[Diagnostic]
    "The findings of reading it."
    version: Version | None
    "The version; None only if the source has none that can be read."
    rest: Shader | None = None
    "The readable part of a source with errors; None where there is none."
    damage: tuple[Damage, ...] = ()
    "The statements that cannot be read."


def read_source_text(
    text: str,
    name: str,
    read: Callable[[str], str] | None = None,
    setting: Setting = NO_SETTING,
    notes: Notes | None = None,
) -> Result:
    """Assemble a source; `name` is for messages, `read` gives the text of a file that is included, `setting` has macros and
    folders.

    `notes` get the names of the source and their places.
    """
    unreadable = text_form(name, text)
    if unreadable:
        return Result(shader=None, diagnostics=unreadable, version=None)
    if "\0" in text:
        place = Span(file=name)
        found = [
            Diagnostic(
                code="P304",
                severity=ERROR,
                message="binary file: it contains a zero byte",
                span=place,
                fix="convert it to a source with `lanewise dis`",
            )
        ]
        return Result(shader=None, diagnostics=found, version=None)
    first = Preprocessor(read, setting, notes)
    first.source(text, name)
    reader = _Reader(first.tokens, name, notes=notes, macros=first)
    result = reader.result()
    followed = result.diagnostics
    if first.incomplete:  # names may be of the file that was not read
        followed = [each for each in followed if not each.message.startswith("unknown ") and _PRECEDES not in each.message]
    found = [*first.found, *followed]
    if first.found:
        result = result._replace(
            damage=(
                *result.damage,
                *[Damage(place=finding.span, items=-1, insts=-1, words=0, op=None, written=None) for finding in first.found],
            )
        )
    if len({finding.span.file for finding in found}) == 1:
        found.sort(key=lambda finding: (finding.span.line, finding.span.column))
    return result._replace(shader=None if has_errors(found) else result.shader, diagnostics=found)


def read_line(text: str, version: Version) -> tuple[int, ...] | None:
    """The words of one instruction or directive; None for anything else."""
    first = Preprocessor()
    first.source(text, "")
    reader = _Reader(first.tokens, "", version)
    result = reader.result()
    if result.shader is None or first.found or len(result.shader.items) != 1 or result.shader.tail:
        return None
    return result.shader.items[0].words


class _Reader:
    """Collects items and findings, statement by statement."""

    def __init__(
        self,
        tokens: list[Token],
        name: str,
        version: Version | None = None,
        notes: Notes | None = None,
        macros: Preprocessor | None = None,
    ) -> None:
        self._macros = macros
        self.found: list[Diagnostic] = []
        self.damage: list[Damage] = []
        self.notes = notes
        self._tokens = Tokens(tokens, notes)
        self._name = name
        self._items: list[Item] = []
        self._version = version
        self._end: int | None = END
        self._ended = False
        self._tail: list[int] = []
        self._rest = b""
        self._raw = False  # words were given as they are
        self._suggestions = Suggestions()

    def result(self) -> Result:
        """Read everything. Nothing is raised."""
        if self._version is None:
            self._read_version()
        version = self._version
        while version is not None and self._tokens.here.kind != STOP and len(self.found) < _MOST:
            if self._tokens.here.folded:
                if self._recall(version):
                    continue
                self._tokens.unfold()
            start = self._tokens.here
            count, found = len(self._items), len(self.found)
            noted = len(self.notes.found) if self.notes is not None else 0
            line = self._tokens.rest_of_line() if self._keeps(start) else 0
            try:
                self._statement(version)
            except Fault as fault:
                self._report(fault)
                self._tokens.skip_line(start)
                self.damage.append(self._damaged(version, start, self._tokens.since(start)))
                line = 0
            item = self._items[count] if count < len(self._items) else None
            if self.notes is not None:
                self.notes.statement(start, self._tokens.before, item)
                if line and len(self.found) == found and len(self._items) == count + 1 and self._stays(item, start, line):
                    self.notes.keep(version, start, noted)
        if version is None:
            return Result(shader=None, diagnostics=self.found, version=version)
        shader = Shader(version=version, items=tuple(self._items), end=self._end, tail=tuple(self._tail), rest=self._rest)
        if has_errors(self.found):
            if self._tokens.here.kind != STOP:  # the rest has not been looked at
                self.damage.append(
                    Damage(
                        place=self._tokens.here.span,
                        items=len(self._items),
                        insts=self._instructions(),
                        words=0,
                        op=None,
                        written=None,
                    )
                )
            return Result(shader=None, diagnostics=self.found, version=version, rest=shader, damage=tuple(self.damage))
        return Result(shader=self._settled(shader) if self._raw else shader, diagnostics=self.found, version=version)

    def _keeps(self, start: Token) -> bool:
        """Whether a statement may be kept for the next reading, or may be one that was kept: it begins a line, and there are no
        macros."""
        plain = start.first and start.kind == NAME and not self._ended
        return self.notes is not None and plain and self._macros is not None and not self._macros.macros

    def _recall(self, version: Version) -> bool:
        """Take a line as it was read before, if what it gives is the same here."""
        start = self._tokens.here
        stays = self._keeps(start) and self._tokens.ends
        inst = self.notes.recalled(version, start) if self.notes is not None and stays else None
        if inst is None:
            return False
        self._tokens.skip()
        self._items.append(inst)
        return True

    def _stays(self, item: Item | None, start: Token, tokens: int) -> bool:
        """Whether an item that has just been read is all that its line has, of so many tokens, and changes nothing for
        others."""
        changes = not isinstance(item, Inst) or item.op.role == DECLARATION or item.op.part == BEGINS
        return not changes and len(self._tokens.since(start)) == tokens

    def _instructions(self) -> int:
        return sum([isinstance(item, Inst) for item in self._items])

    def _damaged(self, version: Version, start: Token, tokens: list[Token]) -> Damage:
        """A statement that cannot be read, with what is known of it."""
        at = next((n for n, token in enumerate(tokens) if token.kind == NAME), len(tokens))
        if tokens[0].text == "(":  # a predicate
            close = next((n for n, token in enumerate(tokens) if token.text == ")"), 0)
            at = close + 1
        head = tokens[at].text.lower() if at < len(tokens) else ""
        parts = head.split("_")
        mnemonic = MNEMONICS.get("_".join(parts[:2])) or MNEMONICS.get(parts[0])
        op = BY_NAME["dcl"] if parts[0] == "dcl" else mnemonic.op if mnemonic is not None else None
        groups: list[list[Token]] = [[]]
        depth = 0
        for token in tokens[at + 1 :]:
            depth += (token.text == "[") - (token.text == "]")
            if token.text == "," and depth <= 0:
                groups.append([])
            else:
                groups[-1].append(token)
            if self.notes is not None and token.kind == NAME:
                self._note(version, token)
        if op is not None:
            has_dest, sources = operand_count(op, version)
            words = 1 + has_dest + sources + op.payload
        else:
            has_dest, words = True, 1 + len(groups) if groups[0] else 1
        words += sum([token.text in ("a0", "aL") for token in tokens]) if version.major > 1 else 0
        written: frozenset[tuple[int, int]] | None = None
        if op is not None and not has_dest:
            written = frozenset()
        elif op is not None and len(groups) > 1 - (op.role == DECLARATION) and not any(kind.scratch for kind in op.sources):
            register = _register_of(version, groups[0])
            written = frozenset([register]) if register is not None else None
        return Damage(place=start.span, items=len(self._items), insts=self._instructions(), words=words, op=op, written=written)

    def _note(self, version: Version, token: Token) -> None:
        """Note a register of a statement that cannot be read."""
        name = token.text.partition("_")[0]
        found = find_register(version, name)
        if self.notes is not None and found is not None and found[1] is not None:
            self.notes.register(version, token, len(name), (found[0], found[1]), "")

    def _settled(self, shader: Shader) -> Shader:
        """The shader decoded again with raw words, which may contain an instruction or an end."""
        words = shader.words
        places: dict[int, Span] = {}
        at = 1
        for item in shader.items:
            if item.place is not None:
                places[at] = item.place
            at += len(item.words)
        read = decode(words).shader
        items: list[Item] = []
        at = 1
        for item in read.items:
            items.append(item._replace(place=places.get(at, Span(file=self._name))))
            at += len(item.words)
        return read._replace(items=tuple(items), rest=self._rest)

    def _report(self, fault: Fault) -> None:
        edits = fault.edits if fault.edits and self._readable(fault.edits) else ()
        self.found.append(
            Diagnostic(
                code=fault.code, severity=ERROR, message=fault.message, span=fault.token.span, fix=fault.fix, edits=edits
            )
        )

    def _readable(self, edits: tuple[Edit, ...]) -> bool:
        """Whether the line of a statement can be read once its edits are done, and its destinations fit the instructions."""
        if self._macros is None or self._version is None or not edits:
            return False
        from lanewise.core.editing import edited
        from lanewise.direct3d9.text.meant import fits

        line = edited(edits[0].span.text, [edit._replace(span=edit.span._replace(line=1)) for edit in edits])
        again = Preprocessor()
        again.macros = self._macros.macros
        again.source(line, self._name)
        read = _Reader(again.tokens, self._name, self._version).result()
        return not again.found and not read.diagnostics and (read.shader is None or fits(self._version, read.shader.items))

    def _read_version(self) -> None:
        token = self._tokens.here
        if token.text == "." and self._tokens.peek().text.lower() == ".dword"[1:]:
            self._read_version_token(token)
            return
        if token.kind != VERSION:
            shown = "the source is empty" if token.kind == STOP else f"'{token.text[:40]}' {_PRECEDES}"
            span = token.span if token.line.number else Span(file=self._name)
            self.found.append(
                Diagnostic(
                    code="P310",
                    severity=ERROR,
                    message=shown,
                    span=span,
                    fix="begin with the version, such as vs_2_0 or ps_3_0",
                )
            )
            return
        version = version_of(token.text)
        if version is None:
            self._report(Fault("P310", f"unknown version '{token.text}'", _versions(token.text[:2].lower()), token))
            return
        self._tokens.take()
        self._version = version
        if self.notes is not None:
            self.notes.version(token)

    def _read_version_token(self, point: Token) -> None:
        """`.dword 0xFFFE0400`: the token of a version, which may be one that does not exist."""
        self._tokens.take()
        self._tokens.take()
        token = self._tokens.here
        try:
            version = version_of_token(read_integer(self._tokens))
        except Fault as fault:
            self._report(fault)
            return
        if version is None:
            self._report(Fault("P310", f"'{token.text[:40]}' is not a version token", "write 0xFFFE0200 for vs_2_0", token))
            return
        if not self._tokens.here.first and self._tokens.here.kind != STOP:
            message = "a version token has a line of its own"
            self._report(Fault("P310", message, "write further words after another .dword", point))
            return
        self._version = version

    # Statements

    def _statement(self, version: Version) -> None:
        """One instruction or directive. Raises Fault."""
        tokens = self._tokens
        start = tokens.here
        if start.text == "." and tokens.peek().kind == NAME:
            self._directive(version)
            return
        if start.kind == VERSION:
            raise Fault("P310", "second version", "put each shader into a separate file", start)
        if self._ended:
            raise Fault("P302", "instruction after .end", "remove it: only .dword and .byte may follow", start)
        coissue = tokens.took("+")
        predicate = self._predicate(version) if tokens.here.text == "(" else None
        head = tokens.here
        if head.kind != NAME:
            shown = "end of source" if head.kind == STOP else f"'{head.text[:40]}'"
            raise Fault(
                "P301",
                f"expected an instruction, found {shown}",
                "begin with the name of an instruction; comments begin with ; or //",
                head,
            )
        tokens.take()
        name = head.text.lower()
        if name == "dcl" or name.startswith("dcl_"):
            inst = self._declaration(version, start, head, name)
        else:
            inst = self._instruction(version, start, head, name, predicate, coissue=coissue)
        self._items.append(inst)

    def _predicate(self, version: Version) -> Source:
        """`(!p0.x)` before an instruction. Raises Fault."""
        opening = self._tokens.take()
        if not exists(version, PREDICATE):
            raise Fault("P314", f"predicates are not supported in {version.name}", "use vs_2_x, ps_2_x or later", opening)
        source = to_source(read_operand(self._tokens, version))
        if not self._tokens.took(")"):
            message = "unclosed parenthesis"
            edits = behind(self._tokens.before, ")")
            raise Fault("P314", message, "write (p0), (!p0) or (p0.x) before the instruction", opening, edits)
        return source

    def _instruction(
        self, version: Version, start: Token, head: Token, name: str, predicate: Source | None, *, coissue: bool
    ) -> Inst:
        """Raises Fault."""
        mnemonic, modifiers, shift = self._mnemonic(version, head, name)
        if self.notes is not None:
            self.notes.instruction(head, mnemonic, name)
        op = mnemonic.op
        has_dest, wanted = operand_count(op, version)
        control = 0 if version.major < 2 and op.control == VARIED else mnemonic.control
        if (modifiers or shift) and not has_dest:
            raise Fault("P307", f"{op.name} has no result to modify", f"write {op.name} without a modifier", head)
        dest: Dest | None = None
        sources: list[Source] = []
        payload: tuple[int, ...] = ()
        total = has_dest + wanted + op.payload
        count = 0
        tokens = self._tokens
        more = total > 0 and not tokens.here.first and tokens.here.kind != STOP
        while more:
            if count >= total:
                raise self._count(head, name, mnemonic, version, count + self._more_operands())
            if count == 0 and has_dest:
                dest = to_dest(read_operand(tokens, version), modifiers, shift)
                if self.notes is not None:
                    self.notes.destination(op)
            elif op.payload and count >= has_dest + wanted:
                payload += (self._payload(op),)
            else:
                sources.append(to_source(read_operand(tokens, version)))
            count += 1
            more = tokens.took(",")
        if count != total:
            raise self._count(head, name, mnemonic, version, count)
        if self.notes is not None and op.part == BEGINS:
            self.notes.defined()
        here = tokens.here
        if not here.first and here.kind == NAME and self._is_register(version, here):
            raise Fault(
                "P303",
                f"unexpected '{here.text[:40]}' after the operands",
                "add a missing comma, or remove a surplus operand",
                here,
            )
        return make_inst(
            op,
            version,
            dest,
            tuple(sources),
            predicate=predicate,
            payload=payload,
            control=control,
            coissue=coissue,
            place=start.span,
        )

    def _count(self, head: Token, written: str, mnemonic: Mnemonic, version: Version, count: int) -> Fault:
        """The finding about a number of operands, `written` is the instruction in the source."""
        op = mnemonic.op
        name = (mnemonic_of(op, mnemonic.control, version) if has(op, version) else None) or written
        kinds = [*([op.dest] if op.dest is not None else []), *sources_in(op, version)]
        shown = [_shown(called, kind.files, version) for called, kind in zip(operand_names(op, version), kinds, strict=True)]
        shown += ["number"] * op.payload
        takes = {0: "no operands", 1: "one operand"}.get(len(shown), f"{len(shown)} operands")
        if written.partition("_")[0] == name.partition("_")[0]:
            message = f"{name} takes {takes} in {version.name}"
        else:
            message = f"{written} is {name} in {version.name} and takes {takes}"
        here = self._tokens.here
        edits: tuple[Edit, ...] = ()
        separate = here.kind == NUMBER or (here.kind == NAME and self._is_register(version, here))
        if count < len(shown) and separate and not here.first:
            fix = f"add a comma before '{here.text[:40]}'"
            if count + self._more_operands() == len(shown):
                edits = behind(self._tokens.before, ",")
        else:
            fix = f"write `{name} {', '.join(shown)}`" if shown else f"write {name} without operands"
            line = head.line.text[head.column - 1 :].partition("//")[0].partition(";")[0].strip()
            if op.payload and 1 < count < len(shown) and head.own and line.count(",") == count - 1:
                fix = f"write `{line}{', 0' * (len(shown) - count)}`"
            if count == 2 and shown[2:] == ["c#", "c#"]:
                from lanewise.direct3d9.text.meant import SINCOS

                fix = f"write c30, c31 as the last two operands, with {SINCOS} after the version"
        return Fault("P303", f"{message}, found {count}", fix, head, edits)

    def _mnemonic(self, version: Version, head: Token, name: str) -> tuple[Mnemonic, int, int]:
        """An instruction with the modifiers and the shift of its result. Raises Fault."""
        parts = name.split("_")
        size = 2 if "_".join(parts[:2]) in MNEMONICS else 1
        mnemonic = MNEMONICS.get("_".join(parts[:size]))
        if mnemonic is None:
            edits: tuple[Edit, ...] = ()
            if parts[0] in BY_NAME and BY_NAME[parts[0]].control == COMPARED:
                fix = f"write a comparison: {parts[0].removesuffix('c')}_gt, _ge, _eq, _ne, _lt or _le"
            else:
                from lanewise.direct3d9.text.meant import instead, instruction

                own = instead(name, head.line.text[head.column - 1 + head.length :])
                if own:
                    raise Fault("P301", f"unknown instruction '{head.text[:40]}'", own, head)
                near, reads = instruction(
                    parts[0],
                    self._suggestions,
                    version,
                    lambda name: self._readable(replacing(head, name, 0, len(parts[0]))),
                )
                fix = f"did you mean {near}?" if near else "see `lanewise isa direct3d9`"
                if reads:
                    edits = replacing(head, near, 0, len(parts[0]))
            raise Fault("P301", f"unknown instruction '{head.text[:40]}'", fix, head, edits)
        modifiers = shift = 0
        for part in parts[size:]:
            if part in SHIFTS and not shift:
                shift = SHIFTS[part]
            elif part in RESULTS:
                modifiers |= RESULTS[part]
            else:
                what = "two shifts" if part in SHIFTS else f"unknown result modifier _{part[:40]}"
                raise Fault("P307", what, "use _sat, _pp, _centroid, or one of _x2, _x4, _x8, _d2, _d4, _d8", head)
        return mnemonic, modifiers, shift

    @staticmethod
    def _is_register(version: Version, token: Token) -> bool:
        return find_register(version, token.text.partition("_")[0]) is not None

    def _more_operands(self) -> int:
        """How many operands there are from here to the end of the line."""
        count = ahead = 0
        token = self._tokens.here
        while token.kind != STOP and not token.first:
            count += ahead == 0 or token.text == ","
            ahead += 1
            token = self._tokens.peek(ahead)
        return count

    def _payload(self, op: Op) -> int:
        """A number of def, defi or defb. Raises Fault."""
        if op.dest == FLOAT:
            return read_float(self._tokens)
        if op.dest == BOOLEAN:
            token = self._tokens.here
            if token.text.lower() in ("true", "false"):
                self._tokens.take()
                return int(token.text.lower() == "true")
        return read_integer(self._tokens)

    def _declaration(self, version: Version, start: Token, head: Token, name: str) -> Inst:
        """`dcl_texcoord1_centroid v0.xy`, `dcl_2d s0`, `dcl t0`. Raises Fault."""
        parts = name.split("_")[1:]
        modifiers = 0
        while parts and parts[-1] in RESULTS:
            modifiers |= RESULTS[parts.pop()]
        usage = _PARAMETER
        if parts:
            found = usage_of(parts[0]) if len(parts) == 1 else None
            if found is None:
                near = self._suggestions.nearest(parts[0], [*USAGES, *SAMPLER_TYPES])
                edits = replacing(head, near, 4, len(parts[0])) if near and len(parts) == 1 else ()
                raise Fault(
                    "P313",
                    f"unknown usage or texture type '{'_'.join(parts)[:40]}'",
                    f"did you mean dcl_{near}?"
                    if near
                    else f"write dcl_{_USAGES[parts[0]]}"
                    if parts[0] in _USAGES
                    else f"write dcl_ and one of {', '.join(USAGES)}, or 2d, cube, volume",
                    head,
                    edits,
                )
            usage |= found
        if self._tokens.here.first or self._tokens.here.kind == STOP:
            raise Fault("P303", "dcl needs a register", "write dcl_position v0", head)
        dest = to_dest(read_operand(self._tokens, version), modifiers, 0)
        if self.notes is not None:
            self.notes.declaration(head, parts[0] if parts else "")
        if not parts and version.kind == VERTEX and dest.file != SAMPLER:
            raise Fault("P313", "dcl without a usage", "write the usage of the register: dcl_position v0", head)
        return make_inst(BY_NAME["dcl"], version, dest, payload=(usage,), place=start.span)

    # Directives

    def _directive(self, version: Version) -> None:
        """A directive. Raises Fault."""
        tokens = self._tokens
        point = tokens.take()
        word = tokens.take()
        name = "." + word.text.lower()
        if name not in DIRECTIVES:
            near = self._suggestions.nearest(name, DIRECTIVES)
            edits = replacing(word, near[1:]) if near else ()
            raise Fault(
                "P302",
                f"unknown directive .{word.text[:40]}",
                f"did you mean {near}?" if near else "use .dword, .comment, .end or .byte",
                word,
                edits,
            )
        if self.notes is not None:
            self.notes.directive(word, word.column - 2)
        if name == ".end":
            self._read_end(word)
            return
        values: list[int] = []
        more = not tokens.here.first
        while more:
            token = tokens.here
            value = read_integer(tokens)
            if name == ".byte" and value > 0xFF:
                raise Fault("P309", f"{token.text} is not a byte", "write 0x00 to 0xFF", token)
            if name == ".dword" and len(token.text) == 8 and token.text.isdecimal():
                message = f"{token.text} is decimal, 0x{value:08X}: words have eight digits in hexadecimal"
                fix = f"write 0x{token.text}, or 0x{value:08X} for the decimal number"
                raise Fault("P309", message, fix, token)
            values.append(value)
            more = tokens.took(",")
        if name == ".comment":
            if len(values) > 0x7FFF:
                raise Fault("P302", f"comment of {len(values)} words is too long", "use at most 32767 words per comment", word)
            if self._ended:
                raise Fault("P302", "comment after .end", "remove it: only .dword and .byte may follow", word)
            self._items.append(Comment(COMMENT | len(values) << 16, tuple(values), point.span))
        elif not values:
            raise Fault("P302", f"{name} needs numbers", f"write {name} 0x00000001", word)
        elif name == ".byte":
            self._rest += bytes(values)
            if len(self._rest) > 3:
                raise Fault("P302", "more than three bytes", "write .dword for whole words, then up to three bytes", word)
        elif self._ended:
            self._tail += values
        else:
            self._raw = True
            self._items.append(Unknown(values[0], tuple(values[1:]), point.span))

    def _read_end(self, word: Token) -> None:
        tokens = self._tokens
        if self._ended:
            edits = replacing(word, "", -1, len(word.text) + 1) if tokens.here.first or tokens.here.kind == STOP else ()
            raise Fault("P302", "second .end", "remove it", word, edits)
        if not tokens.here.first and tokens.here.text.lower() == "none":
            tokens.take()
            self._end = None
            self._raw = True
        elif tokens.here.kind == NUMBER and not tokens.here.first:
            token = tokens.here
            value = read_integer(tokens)
            if value & 0xFFFF != END:
                raise Fault("P309", f"{token.text} is not an end token", "use 0xFFFF as its lower half", token)
            self._end = value
        self._ended = True


def _register_of(version: Version, tokens: list[Token]) -> tuple[int, int] | None:
    """The register of a plain destination, such as `r0.xyz`; None for anything else."""
    found = find_register(version, tokens[0].text) if tokens and tokens[0].kind == NAME else None
    if found is None or found[1] is None or not (len(tokens) == 1 or (len(tokens) == 3 and tokens[1].text == ".")):
        return None
    return found[0], found[1]


def version_of(text: str) -> Version | None:
    """The version that a text names, `vs_2_1` for vs_2_x among them; None for one that does not exist."""
    name = text.lower().replace(".", "_")
    known = BY_VERSION_NAME.get(name)
    if known is not None:
        return known
    kind, major, minor = name.split("_")
    return next((one for one in VERSIONS if (one.kind, str(one.major), str(one.minor)) == (kind, major, minor)), None)


def _versions(kind: str) -> str:
    """All versions of vertex or pixel shaders, for a fix."""
    names = [version.name for version in VERSIONS if version.kind == kind]
    return f"use {', '.join(names[:-1])} or {names[-1]}; later models are HLSL: `lanewise compile` takes that"


# Usages by other names.
_USAGES = {
    **dict.fromkeys(("pos", "sv", "vertex"), "position"),
    **dict.fromkeys(("uv", "uv0", "tex", "tex0", "coord"), "texcoord"),
    **dict.fromkeys(("uv1", "tex1"), "texcoord1"),
    **dict.fromkeys(("col", "colour", "diffuse", "rgba"), "color"),
    "specular": "color1",
    **dict.fromkeys(("nrm", "norm"), "normal"),
    **dict.fromkeys(("weight", "weights", "boneweights"), "blendweight"),
    **dict.fromkeys(("index", "indices", "bones", "boneindices"), "blendindices"),
    "bitangent": "binormal",
    **dict.fromkeys(("sampler", "texture", "sampler2d", "texture2d"), "2d"),
    **dict.fromkeys(("3d", "sampler3d"), "volume"),
}


def usage_of(text: str) -> int | None:
    """The bits of `texcoord1` or `2d` in the word that dcl has before its register; None for what is neither."""
    if text in SAMPLER_TYPES:
        return SAMPLER_TYPES.index(text) << 27
    name = text.rstrip("0123456789")
    digits = text[len(name) :]
    if name not in USAGES or len(digits) > 4 or int(digits or "0") > 15:
        return None
    return USAGES.index(name) | int(digits or "0") << 16


def _shown(called: str, files: Files, version: Version) -> str:
    """An operand in a fix: its registers where one or two files are possible, else what it is called."""
    letters = [name for name in files[column_of_files(version)].split() if name != "p" or version.order >= (2, 1)]
    if not 1 <= len(letters) <= 2:
        return called
    return " or ".join(name if name in _NO_NUMBER else f"{name}0" if name in _ONE_NUMBER else f"{name}#" for name in letters)
