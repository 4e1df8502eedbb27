"""An execution log of another implementation beside the trace of a vertex: the first step that differs, and the answers to open
questions under which it would not."""

from __future__ import annotations

from itertools import combinations, permutations
from math import isfinite, isnan

from lanewise.core.logs.aligning import Alignment, Difference, Done, align
from lanewise.core.numbers.floats import float32_bits_from_float24
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.facts import RUN_CHOICES
from lanewise.pica200.isa.table import ARITHMETIC, COMPONENTS, TEMPORARY
from lanewise.pica200.sem.profile import PRESETS, find_profile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lanewise.core.logs.reading import Entry, Log, Logged
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.engine.trace import TraceStep, Write
    from lanewise.pica200.sem.profile import Profile

MOST_STEPS, MOST_TRACES = 100_000, 400  # under other answers: some 20 seconds
_FLOAT24, _EXPONENT24, _EXPONENT32 = 0xFFFFFF, 0x7F0000, 0x7F800000
_FLAGS = ("cmp", "a0")
_DIGITS = 8  # of a word
_UPSIDE_DOWN = "the log is in reverse order: it is compared from its last line on"
_MOST_RUNS = 256  # in a log, which are tried


class Candidate(Record):
    """Answers to open questions with which more of a log agrees."""

    settings: tuple[str, ...]
    "One or two `field=value`s, or the name of a preset."
    preset: bool
    "It is a preset."
    agreed: int
    "Number of entries that agree."
    next: Difference | None
    "The first difference that is left; None where the whole log agrees."


class Comparison(Record):
    """A log beside the trace of a vertex."""

    trace: Trace
    "The trace under the profile that was asked for."
    log: Log
    "The entries of the vertex."
    alignment: Alignment
    "Which entry belongs to which step."
    candidates: tuple[Candidate, ...]
    "Those with which the whole log agrees; without any, those with which its first difference is gone."
    tried: int
    "Number of traces under other answers."
    untried: int
    "Number of pairs that were left out, because their traces have too many steps."
    vertex: int | None = None
    "Another vertex, with which the whole log agrees; None without one, or where answers explain the log."
    orders: tuple[str, ...] = ()
    "Orders of the log's columns, such as `wzyx`, with which the whole log agrees, where nothing else explains it."
    addresses: str = ""
    "How addresses of the log were read, where not as they are: `pc / 4`."
    reading: str = ""
    "What else the values of the log are, where the whole log agrees with that: how to print or to name them."
    typed: str = ""
    "How the log was read, where not as the pattern says: components as words, lines from the last one on."
    line: int = 0
    "The line from which on the log is compared, where it has the runs of several vertices; 0 for the first."
    further: tuple[int, int] | None = None
    "Another vertex with which more of the log agrees, and how many entries; None without one."

    @property
    def explained(self) -> bool:
        """Some candidate makes the whole log agree."""
        return any(candidate.next is None for candidate in self.candidates)


class _Words:
    """How words of a log compare with those of a profile."""

    def __init__(self, log: Log, profile: Profile) -> None:
        self.precision = log.precision
        self.wide = profile.rounding == "float32"
        words = [value for entry in log.entries for value in entry.values.values() if value.word is not None]
        self.widened = not self.wide and any(
            (value.word or 0) > _FLOAT24 or len(value.text.lower().removeprefix("0x")) == 8 for value in words
        )

    def differ(self, logged: Logged, word: int, number: float) -> bool:
        if logged.word is None:
            return not self.precision.fits(logged, number)
        found, expected = logged.word, word
        if self.widened and not isnan(number):
            expected = float32_bits_from_float24(word)
        bits = 32 if self.wide or self.widened else 24
        if isnan(number):
            return found & ((1 << bits - 1) - 1) <= (_EXPONENT32 if bits == 32 else _EXPONENT24)
        return found != expected


def compare_log(
    log: Log,
    trace: Trace,
    traced: Callable[[Profile], Trace],
    progress: Callable[[int, int], None] | None = None,
    others: Iterable[Trace] = (),
    reread: Callable[[Mapping[str, str]], Log | None] = lambda types: None,
) -> Comparison:
    """A log beside a trace; `traced` gives the trace under another profile, `others` are those of other vertices, made when
    they are needed, `reread` the log with other types of some fields, None where it cannot be."""
    usual = _aligned(log, trace)
    if usual.first is None or not log.entries:
        return Comparison(trace=trace, log=log, alignment=usual, candidates=(), tried=0, untried=0)
    if _flow(log, trace) < _flow(_turned(log), trace) == len(log.entries):
        found = compare_log(
            _turned(log), trace, traced, progress, others, lambda types: _turned(other) if (other := reread(types)) else None
        )
        return found._replace(typed="; ".join(filter(None, [_UPSIDE_DOWN, found.typed])))
    addresses, log = _addressed(log, trace, reread)
    usual = _aligned(log, trace) if addresses else usual
    compared = Comparison(trace=trace, log=log, alignment=usual, candidates=(), tried=0, untried=0, addresses=addresses)
    reading = "" if usual.first is None else _other_values(log, trace, reread)
    if usual.first is None or reading:
        return compared._replace(reading=reading)
    typed, log = _as_words(log, reread)
    if typed:
        usual = _aligned(log, trace)
        compared = compared._replace(log=log, alignment=usual, typed=typed)
        if usual.first is None:
            return compared._replace(reading=typed)
    part = _run_of(log, trace)
    if part is not None:
        return compared._replace(log=part, alignment=_aligned(part, trace), line=part.entries[0].line)
    search = _Search(log, trace, usual, traced, progress)
    found = search.candidates()
    compared = compared._replace(candidates=tuple(found), tried=search.tried, untried=search.untried)
    if compared.explained:
        return compared
    further: tuple[int, int] | None = None
    for other in others:
        beside = _aligned(log, other)
        part = _later(log, trace, trace.lane - other.lane) if beside.first is None and beside.after else None
        if part is not None:
            return compare_log(part, trace, traced, progress)._replace(line=part.entries[0].line)
        if beside.first is None:
            return compared._replace(vertex=other.lane)
        if beside.agreed > max(1, 2 * usual.agreed, further[1] if further else 0):
            further = other.lane, beside.agreed
    return compared._replace(orders=tuple(_orders(log, trace)), further=further)


def _turned(log: Log) -> Log:
    """The log from its end."""
    return log._replace(entries=log.entries[::-1])


def _starts(log: Log, trace: Trace) -> Sequence[int]:
    """The first entries of the runs in a log of several: where the address of the first one comes again, at which the program
    starts."""
    first = log.entries[0].address
    if first is None or not trace.steps or first != trace.steps[0].pc:
        return ()
    return [number for number, entry in enumerate(log.entries) if entry.address == first]


def _later(log: Log, trace: Trace, number: int) -> Log | None:
    """The entries of a run in a log of several, and what follows; None without that run."""
    starts = _starts(log, trace)
    return log._replace(entries=log.entries[starts[number] :]) if 0 < number < len(starts) else None


def _run_of(log: Log, trace: Trace) -> Log | None:
    """The entries of a later run in a log from which on all agree with the trace; None without one."""
    for number in range(1, min(len(_starts(log, trace)), _MOST_RUNS)):
        part = _later(log, trace, number)
        found = _aligned(part, trace) if part is not None else None
        if found is not None and found.first is None and found.agreed > 1:
            return part
    return None


def _flow(log: Log, trace: Trace) -> int:
    """How many entries have the addresses of steps, whatever their values are."""
    return _aligned(log, trace, lambda entry, step: "").agreed


def _addressed(log: Log, trace: Trace, reread: Callable[[Mapping[str, str]], Log | None]) -> tuple[str, Log]:
    """How addresses of a log are meant, where more of them are those of steps so, and the log with them; empty for as they
    are."""
    best, found = _flow(log, trace), ("", log)
    for field in ("", "{pc:x}", "{pc:d}"):
        other = reread({"pc": field[4:5]}) if field else log
        if other is None or not other.entries or any(entry.address is None for entry in other.entries):
            continue
        numbers = [entry.address or 0 for entry in other.entries]
        shift = numbers[0] - trace.steps[0].pc if trace.steps else 0
        for how, meant in (
            ("", numbers),
            (" / 4", [number // 4 for number in numbers] if not any(number % 4 for number in numbers) else numbers),
            (f" {'-' if shift > 0 else '+'} {abs(shift):#x}", [number - shift for number in numbers]),
        ):
            entries = [entry._replace(address=number) for entry, number in zip(other.entries, meant, strict=True)]
            tried = other._replace(entries=tuple(entries))
            flow = _flow(tried, trace)
            if flow > max(best, 1):
                best, found = flow, ((field or "pc") + how, tried)
    return found


def _other_values(log: Log, trace: Trace, reread: Callable[[Mapping[str, str]], Log | None]) -> str:
    """What else the values of a log are, where all of it agrees with that; empty for nothing."""
    if len(log.entries) + log.skipped < 2 or len(log.entries) > MOST_STEPS:
        return ""
    words = _Words(log, trace.profile)
    before = _aligned(log, trace, lambda entry, step: _differs(entry, step, trace, words, before=True))
    if before.first is None:
        return "the log has registers as they are before each instruction: print them after it"
    for how, names in _numbered():
        entries = [entry._replace(register=names.get(entry.register, entry.register)) for entry in log.entries]
        if entries != [*log.entries] and _aligned(log._replace(entries=tuple(entries)), trace).first is None:
            return how
    letters = [letter for letter in COMPONENTS if any(letter in entry.values for entry in log.entries)]
    typed = reread(dict.fromkeys(letters, "x")) or log
    values = [value for entry in typed.entries for value in entry.values.values()]
    whole = values and len(typed.entries) >= len(log.entries) and all(map(_is_hexadecimal, values))
    if whole and _aligned(typed, trace, lambda entry, step: _cut(entry, step, trace)).first is None:
        return (
            "the log has numbers cut to integers, not their bits: print x.to_bits() in Rust, "
            "std::bit_cast<std::uint32_t>(x) in C++, in place of a conversion"
        )
    if whole and not words.wide and _aligned(typed, trace, lambda entry, step: _shifted(entry, step, trace)).first is None:
        return (
            "the log has the upper 24 bits of float32, which are not float24: print the words of 24 bits, or all 32 bits, "
            "which are compared too"
        )
    for kind in ("x", "d"):
        other = reread(dict.fromkeys(letters, kind))
        addressed = other is not None and [entry.line for entry in other.entries] == [entry.line for entry in log.entries]
        if other is not None and len(other.entries) > len(log.entries):  # also lines that do not match without the type
            if _aligned(other, trace).first is None:
                return _typed(letters, kind)
        elif other is not None and addressed:
            entries = [entry._replace(address=meant.address) for entry, meant in zip(other.entries, log.entries, strict=True)]
            if _aligned(other._replace(entries=tuple(entries)), trace).first is None:
                return _typed(letters, kind)
    for size in (4, 3):
        if _aligned(_reversed(log, size), trace).first is None:
            return "the log has the bytes of words in reverse order (big-endian): print each word as one number"
    return ""


def _numbered() -> Iterator[tuple[str, Mapping[str, str]]]:
    """Ways to name registers that are not those of logs, with what to print; each with the names that are meant."""
    numbers = {number: f"o{number}" if number < TEMPORARY else f"r{number - TEMPORARY}" for number in range(2 * TEMPORARY)}
    fix = f'print `dst < {TEMPORARY} ? "o" : "r"`, and `dst & {TEMPORARY - 1}`'
    for letter in "ro":
        said = f"the log calls registers {letter}0 to {letter}{2 * TEMPORARY - 1}, by the destination of the word: {fix}"
        yield said, {f"{letter}{number}": name for number, name in numbers.items()}
    exchanged = {name: ("r" if name[0] == "o" else "o") + name[1:] for name in numbers.values()}
    yield f"the log calls outputs r and temporaries o: {fix}", exchanged
    turned = {f"r{number}": f"r{number}" if number < TEMPORARY else f"o{number - TEMPORARY}" for number in numbers}
    yield (
        f"the log calls outputs r{TEMPORARY} to r{2 * TEMPORARY - 1}, after the temporaries: they are o0 to o{TEMPORARY - 1}",
        turned,
    )


def _as_words(log: Log, reread: Callable[[Mapping[str, str]], Log | None]) -> tuple[str, Log]:
    """How to name the components of a log, and the log with them as words, where each number of it has eight hexadecimal
    digits; empty for others."""
    letters = [letter for letter in COMPONENTS if any(letter in entry.values for entry in log.entries)]
    values = [value for entry in log.entries for value in entry.values.values()]
    if not values or any(value.word is not None or not _is_word(value.text) for value in values):
        return "", log
    other = reread(dict.fromkeys(letters, "x"))
    if other is None or [entry.line for entry in other.entries] != [entry.line for entry in log.entries]:
        return "", log
    entries = [entry._replace(address=meant.address) for entry, meant in zip(other.entries, log.entries, strict=True)]
    return _typed(letters, "x"), other._replace(entries=tuple(entries))


def _is_hexadecimal(logged: Logged) -> bool:
    return logged.word is not None or _is_word(logged.text)


def _cut(entry: Entry, step: TraceStep, trace: Trace) -> str:
    """The component of an entry that is not the number of a step cut to an integer; empty for none."""
    write = number_of(step)
    for place, letter in enumerate(COMPONENTS if write is not None else ()):
        if write is None or letter not in entry.values or not write.mask >> 3 - place & 1:
            continue
        number = trace.number(write.new[place])
        found = int(entry.values[letter].text, 16)
        if isfinite(number) and found not in (int(number) & 0xFFFFFFFF, max(int(number), 0)):
            return letter
    return ""


def _shifted(entry: Entry, step: TraceStep, trace: Trace) -> str:
    """The component of an entry that is not the upper 24 bits of the float32 of a step; empty for none."""
    write = number_of(step)
    for place, letter in enumerate(COMPONENTS if write is not None else ()):
        word = entry.values[letter].word if letter in entry.values else None
        if write is None or letter not in entry.values or not write.mask >> 3 - place & 1:
            continue
        if word is None or float32_bits_from_float24(write.new[place]) >> 8 != word:
            return letter
    return ""


def _is_word(text: str) -> bool:
    return len(text) == _DIGITS and all(digit in "0123456789abcdefABCDEF" for digit in text)


def differing(trace: Trace, log: Log, first: Difference) -> Sequence[str]:
    """All components in which an entry differs from the step of a difference."""
    write, words = number_of(trace.steps[first.step]), _Words(log, trace.profile)
    logged = log.entries[first.entry].values
    return [
        letter
        for place, letter in enumerate(COMPONENTS if write is not None else ())
        if write is not None
        and letter in logged
        and write.mask >> 3 - place & 1
        and words.differ(logged[letter], write.new[place], trace.number(write.new[place]))
    ]


def _typed(letters: Sequence[str], kind: str) -> str:
    fields = " ".join([f"{{{letter}:{kind}}}" for letter in letters])
    return f"the log has words in {'hexadecimal' if kind == 'x' else 'decimal'} digits: write {fields} in --log-format"


def _reversed(log: Log, size: int) -> Log:
    """The log with the bytes of words in reverse order."""

    def turned(logged: Logged) -> Logged:
        if logged.word is None or logged.word >> 8 * size:
            return logged
        return logged._replace(word=int.from_bytes(logged.word.to_bytes(size, "big"), "little"))

    return log._replace(
        entries=tuple(
            [entry._replace(values={letter: turned(value) for letter, value in entry.values.items()}) for entry in log.entries]
        )
    )


def _orders(log: Log, trace: Trace) -> Iterator[str]:
    """The other orders of components in the columns of a log with which all of it agrees."""
    letters = [letter for letter in COMPONENTS if any(letter in entry.values for entry in log.entries)]
    if len(log.entries) > MOST_STEPS or any(entry.register in _FLAGS for entry in log.entries):
        return
    orders = [order for order in permutations(COMPONENTS, len(letters)) if list(order) != letters]
    for order in sorted(orders, key=lambda order: list(order) not in (letters[::-1], [*COMPONENTS[-1:], *COMPONENTS[:-1]])):
        names = dict(zip(letters, order, strict=True))
        entries = [
            entry._replace(values={names[letter]: value for letter, value in entry.values.items()}) for entry in log.entries
        ]
        if _aligned(log._replace(entries=entries), trace).first is None:
            yield "".join(order)


def named(log: Log, trace: Trace) -> Log:
    """The log with registers as they are called in machine words: names of outputs and numbers become o0 and r0."""
    names = {output.name.lower(): output.register for output in trace.shader.outputs if output.name}
    names |= {output.semantic.lower(): output.register for output in trace.shader.outputs}
    names |= {str(number): f"o{number}" if number < TEMPORARY else f"r{number - TEMPORARY}" for number in range(2 * TEMPORARY)}
    return log._replace(
        entries=tuple([entry._replace(register=names.get(entry.register, entry.register)) for entry in log.entries])
    )


def number_of(step: TraceStep) -> Write | None:
    """The write of a step to a register of numbers."""
    return next((write for write in step.writes if write.register not in _FLAGS), None)


def _aligned(log: Log, trace: Trace, differs: Callable[[Entry, TraceStep], str] | None = None) -> Alignment:
    steps = trace.steps
    words = _Words(log, trace.profile)
    done = [
        Done(
            number=number,
            address=step.pc,
            register=_written(step),
            kind=_kind(step),
            turns=bool(step.answers) or (not step.ended and step.state.pc != step.pc + 1),
        )
        for number, step in enumerate(steps)
    ]

    def compare(entry: Entry, number: int) -> str:
        return differs(entry, steps[number]) if differs is not None else _differs(entry, steps[number], trace, words)

    return align(log.entries, done, compare, ended=trace.fault is None)


def _written(step: TraceStep) -> str:
    """The register of numbers that a step writes, also under a mask without components; empty for none."""
    if step.inst is None or "dst" not in step.inst.op.writes:
        return ""
    number = step.inst.field("dst")
    return f"o{number}" if number < TEMPORARY else f"r{number - TEMPORARY}"


def _kind(step: TraceStep) -> str:
    """What logs leave out together: instructions that write numbers, that write flags or a0, and each other instruction."""
    if step.inst is None:
        return ""
    op = step.inst.op
    return ("number" if "dst" in op.writes else ",".join(op.writes)) or op.kind if op.kind == ARITHMETIC else op.kind


def _differs(entry: Entry, step: TraceStep, trace: Trace, words: _Words, *, before: bool = False) -> str:
    """The component of an entry that differs from a step; empty for none. `before`: from what was there before it."""
    state: Mapping[str, int] = {
        "cmp.x": int(step.cmp[0]),
        "cmp.y": int(step.cmp[1]),
        "a0.x": step.a0[0],
        "a0.y": step.a0[1],
        "aL": step.loops.al,
    }
    write = number_of(step)
    if entry.register in _FLAGS:
        for letter, logged in entry.values.items():
            name = f"{entry.register}.{letter}"
            if name in state and logged.number != state[name] and logged.word != state[name] & 0xFFFFFFFF:
                return name
    elif write is not None:
        if entry.register and entry.register != write.register and _is_register(entry.register):
            return "register"
        for place, letter in enumerate(COMPONENTS):
            logged = entry.values.get(letter)
            if logged is not None and write.mask >> 3 - place & 1:
                word = (write.old if before else write.new)[place]
                if words.differ(logged, word, trace.number(word)):
                    return letter
    return next((name for name, value in entry.state.items() if value != state[name]), "")


def _is_register(name: str) -> bool:
    return name[:1] in ("o", "r") and name[1:].isdecimal()


class _Search:
    """The search for answers with which more of a log agrees."""

    def __init__(
        self,
        log: Log,
        trace: Trace,
        usual: Alignment,
        traced: Callable[[Profile], Trace],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.log, self.usual, self.traced, self.progress = log, usual, traced, progress
        self.profile = trace.profile
        self.before = _prefix(trace, usual)
        self.tried = self.untried = self.steps = 0

    def candidates(self) -> list[Candidate]:
        """Presets and single answers; pairs where no single answer makes the whole log agree."""
        presets = [(name, find_profile(name)) for name in PRESETS if find_profile(name) != self.profile]
        tried = [self._try((name,), profile, preset=True)[0] for name, profile in presets]
        found = [one for one in tried if one is not None]
        settings = self._settings()
        moving: list[tuple[str, str]] = []
        later: list[tuple[str, str]] = []
        for place, (key, answer) in enumerate(settings):
            if self.progress is not None:
                self.progress(place, len(settings))
            one, moves = self._try((f"{key}={answer}",), self._with((key, answer)))
            if one is not None:
                found.append(one)
                later.append((key, answer))
            if moves:
                moving.append((key, answer))
        if not any(one.next is None and not one.preset for one in found):
            pairs = [(one, other) for one in later for other in settings if one[0] != other[0]]
            pairs += [(one, other) for one, other in combinations(moving, 2) if one[0] != other[0]]
            unique = list(
                dict.fromkeys([pair if settings.index(pair[0]) < settings.index(pair[1]) else pair[::-1] for pair in pairs])
            )
            singles = {one.settings: one.agreed for one in found}
            for place, (one, other) in enumerate(unique):
                if self.steps > MOST_STEPS or self.tried > MOST_TRACES:
                    self.untried = len(unique) - place
                    break
                if self.progress is not None:
                    self.progress(place, len(unique))
                names = f"{one[0]}={one[1]}", f"{other[0]}={other[1]}"
                both, _ = self._try(names, self._with(one, other))
                if both is not None and both.agreed > max(singles.get((name,), self.usual.agreed) for name in names):
                    found.append(both)
        whole = [one for one in found if one.next is None]
        return whole or sorted(found, key=lambda one: (-one.agreed, len(one.settings)))

    def _settings(self) -> list[tuple[str, str]]:
        """The other answers to each question, without those that change the number format."""
        return [
            (key, answer)
            for key, fact in RUN_CHOICES.items()
            for answer in fact.answers
            if answer != getattr(self.profile, key) and (key != "rounding" or "float32" not in (answer, self.profile.rounding))
        ]

    def _with(self, *settings: tuple[str, str]) -> Profile:
        return self.profile.replace(**dict(settings))

    def _try(self, settings: tuple[str, ...], profile: Profile, *, preset: bool = False) -> tuple[Candidate | None, bool]:
        """What agrees under another profile, None if no more does; and whether the trace is another up to the difference."""
        trace = self.traced(profile)
        self.tried += 1
        self.steps += len(trace.steps)
        found = _aligned(self.log, trace)
        moves = _prefix(trace, self.usual) != self.before
        better = found.first is None or found.agreed > self.usual.agreed
        return (Candidate(settings, preset, found.agreed, found.first) if better else None), moves


def _prefix(trace: Trace, alignment: Alignment) -> Sequence[object]:
    """What a trace does up to the first difference of an alignment."""
    last = alignment.first.step if alignment.first is not None else -1
    return [(step.pc, step.writes, step.state.pc, step.loops) for step in trace.steps[: last + 1]]
