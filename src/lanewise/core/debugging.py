"""The contract of debuggers: `Debuggee`, a program with the values of a run, and `Machine`, one thread of it.

A machine is in front of an instruction. Its state can be kept and brought back at any time, so that a debugger goes to any
step. Values are named by places, as in `core.trace`: `r0.x`, or `aL` for a register without components.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.source import Span
    from lanewise.core.trace import Given, Step, Value

    class Machine(Protocol):
        """One thread during execution."""

        @property
        def address(self) -> int:
            """The address of the next instruction."""
            ...

        @property
        def depth(self) -> int:
            """The number of active calls."""
            ...

        @property
        def finished(self) -> bool: ...

        @property
        def fault(self) -> Diagnostic | None:
            """Why it stopped without an end, if it did."""
            ...

        @property
        def given(self) -> Mapping[str, Given]:
            """The places with a value at the start."""
            ...

        def advance(self) -> int:
            """Do one instruction and return its `EVENTS` and `SENT`, or `STOPPED` if it stopped in front of it with a fault.

            An event may be one that the recorded step does not confirm; none is left out.
            """
            ...

        def step(self) -> Step | None:
            """Do one instruction and describe it; None if it stopped in front of it with a fault."""
            ...

        def keep(self) -> object:
            """The state, for `restore`. It does not change afterwards."""
            ...

        def restore(self, kept: object) -> None:
            """Go back, or forward, to a kept state."""
            ...

        def read(self, place: str) -> Value | None:
            """The value at a place; None for one that does not exist or has no value."""
            ...

        def groups(self) -> Sequence[Group]:
            """All registers with what they hold."""
            ...

        def frames(self) -> Sequence[Frame]:
            """The active routines, the innermost first."""
            ...

        def loops(self) -> Sequence[Loop]:
            """The active loops, the innermost first."""
            ...

        def may_write(self, address: int) -> frozenset[str] | None:
            """The places that the instruction at an address can write; None if any."""
            ...

    class Debuggee(Protocol):
        """A program with the values of a run.

        `one` is what a thread is called (`vertex`), `what` the word for an address, `results` are the names of outputs by
        component with their places (`position.x`: `o0.x`).
        """

        @property
        def isa(self) -> str: ...
        @property
        def name(self) -> str: ...
        @property
        def one(self) -> str: ...
        @property
        def what(self) -> str: ...
        @property
        def variant(self) -> str:
            """The device, rule or profile in words."""
            ...

        @property
        def group(self) -> int:
            """The number of threads that run together, such as the lanes of a wave; 1 where each runs by itself."""
            ...

        @property
        def samples(self) -> int:
            """How many threads may be looked at to choose some: few where one cannot start before all of lower number have
            run."""
            ...

        @property
        def format(self) -> str:
            """The format of numbers: float24, float32 or int."""
            ...

        @property
        def diagnostics(self) -> Sequence[Diagnostic]:
            """Warnings about the program and its values."""
            ...

        @property
        def threads(self) -> Sequence[int]:
            """The numbers of all threads that there are."""
            ...

        @property
        def names(self) -> Mapping[str, Named]:
            """The names of registers in the source."""
            ...

        @property
        def labels(self) -> Mapping[str, int]:
            """The names of routines and labels, with their addresses."""
            ...

        @property
        def writable(self) -> frozenset[str]:
            """The places that exist also while they hold nothing."""
            ...

        @property
        def results(self) -> Mapping[str, str]: ...
        def encoding(self, address: int) -> str:
            """The machine words of an instruction with what else encodes it, such as an operand descriptor:
            `4c201000, descriptor 2: 00036c6f`; empty where the words are all that there is."""
            ...

        def inlined(self, address: int) -> Sequence[Inlined]:
            """The functions of a compiled source that are active in front of an instruction, the innermost first; none where
            nothing is known of them."""
            ...

        def title(self, thread: int) -> str:
            """`vertex 3`."""
            ...

        def instruction(self, address: int) -> str:
            """The text of an instruction; empty where there is none."""
            ...

        def machine(self, thread: int, changed: Mapping[str, float]) -> Machine:
            """A thread in front of its first instruction; `changed` are places of inputs and uniforms with other numbers.
            Raises InputError."""
            ...


NAN, INFINITY, UNSET, SENT = 1, 2, 4, 8  # SENT: a primitive, which is not a fault
EVENTS = {NAN: "nan", INFINITY: "infinity", UNSET: "unwritten"}
STOPPED = -1

INPUTS, UNIFORMS, OUTPUTS, TEMPORARIES, FLAGS, ADDRESSES = (
    "inputs",
    "uniforms",
    "outputs",
    "temporaries",
    "flags",
    "address registers",
)
VARIABLES = "variables"  # of the source, of the innermost function


class Named(Record):
    """A name of a source: the first register that it is for, and how many; `components` where it names only some, in this
    order."""

    register: str
    size: int = 1
    components: str = ""
    kind: str = ""


class Register(Record):
    """A register or a variable of the source, with what it holds."""

    name: str
    "Name in the instruction set, such as `c4`."
    label: str
    "Name that the source gives it; empty without one."
    components: str
    "Letters of the components, one for each of `values`; empty for a single value."
    values: tuple[Value | None, ...]
    "Patterns in the order of `components`; None where there is no value."
    format: str = "float32"
    "Format of the patterns: float24, float32, int or bool."
    missing: str = "-"
    "Text shown for a value that is None."

    @property
    def places(self) -> tuple[str, ...]:
        return tuple([f"{self.name}.{letter}" for letter in self.components]) or (self.name,)


class Group(Record):
    """Registers of a kind: `inputs`, `uniforms`, and so on."""

    name: str
    registers: tuple[Register, ...]


class Variable(Record):
    """A scalar or vector of a variable of the source: its type (float, int, uint, bool), and each component as a place (`r0.x`,
    or `-r0.x` with its sign turned) or a known number; None where nothing holds it."""

    name: str
    kind: str
    components: tuple[str | float | None, ...]


class Folded(Record):
    """An operand of an expression that a compiler has computed: its text, and its components."""

    text: str
    numbers: tuple[float, ...]


class Expression(Record):
    """The expression of the source that an instruction computes."""

    text: str
    "Its text in one line."
    folded: tuple[Folded, ...] = ()
    "Operands that are constants, without those that show their value."
    is_result: bool = False
    "It is what its function returns."
    size: int = 0
    "The number of its components; 0 where it is not known."


class Inlined(Record):
    """A function of the source that is active at an instruction: its name, where it calls the one before (None: the innermost),
    its variables, and the expression that the instruction computes, where that is known."""

    function: str
    call: Span | None
    variables: tuple[Variable, ...]
    expression: Expression | None = None


class Frame(Record):
    """An active routine: its name, and the address of the instruction that is next in it, which for a caller is the call.

    `span` is the place of the call in a function whose callee is inlined: its instructions are those of the callee.
    """

    name: str
    address: int
    span: Span | None = None


class Loop(Record):
    """An active loop."""

    name: str
    "Name that the debugger shows."
    iteration: int
    "Number of the iteration, from 1."
    total: int
    "Number of iterations; -1 where it is not known."
    first: int
    "Address of the first instruction."
    last: int
    "Address of the last instruction."
