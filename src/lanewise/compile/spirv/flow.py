"""Flow: a function is executed once with what is known, block by block, as structured control flow allows.

Constructs are scopes: a branch to the merge block of a construct, to the continue target of a loop or out of a function leaves
the scope (`joins`). The classes of `joins`, `instructions`, `branches`, `counting`, `loops` and this module build on each
other, in that order.
"""

from __future__ import annotations

from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.context import MOST_OPERATIONS, Key, State
from lanewise.compile.spirv.joins import TooLarge
from lanewise.compile.spirv.loops import Loops
from lanewise.compile.spirv.values import Content
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.joins import Join, LoopFrame
    from lanewise.compile.spirv.module import Function

_MOST_DEPTH = 64  # of calls
_MOST_STEPS = 1 << 14  # blocks, those of attempts too: loops in loops are tried several times each, which takes seconds


class Flow(Loops):
    """An execution of functions."""

    instance: int
    targets: dict[int, Join]
    visited: list[int]
    loops: list[LoopFrame]

    _steps = 0

    def call(
        self, function: Function, arguments: list[Content], state: State, at: Instruction | None = None
    ) -> tuple[State | None, Content]:
        """Do a function in place. Gives what is known after it, and its result."""
        if function.number in self.calling or len(self.calling) > _MOST_DEPTH:
            name = self.module.name_of(function.number).partition("(")[0] or f"%{function.number}"
            if at is not None:
                self.context.report("S010", f"function '{name}' calls itself", at, "use a loop")
            return state, self.context.undefined(self.module.type(function.type).element)
        if len(arguments) != len(function.parameters):
            raise Malformed(f"a call of function %{function.number} has the wrong number of arguments")
        saved = (self.function, self.instance, self.targets, self.visited, self.loops)
        self.instances += 1
        self.function, self.instance, self.targets, self.visited, self.loops = function, self.instances, {}, [], []
        self.calling.append(function.number)
        if self.scopes is not None:
            self.scopes.enter(function, self.instance, arguments, at)
        self._note_uses(function)
        inner = State(dict(state.memory), dict(zip(function.parameters, arguments, strict=True)))
        result_type = self.module.type(function.type).element
        key: Key = (self.instance, 0)  # the result, as a variable
        if self.module.type(result_type).kind != "void":
            inner.memory[key] = self._components(self.context.undefined(result_type))
            self.variable_types[key] = result_type
        join = self._open(inner, 0)
        if function.first:
            self._run(function.first, inner)
        after = self._close(join)
        self.calling.pop()
        if self.scopes is not None:
            self.scopes.leave()
        mine = self.instance
        self.function, self.instance, self.targets, self.visited, self.loops = saved
        if after is None:
            return None, ()
        result: Content = after.memory.get(key, ())
        kept = {each: value for each, value in after.memory.items() if each[0] != mine}
        return State(kept, state.ids), result

    def _run(self, label: int, state: State, resumed: bool = False) -> None:
        """Execute from a block on, until every path has left."""
        current: State | None = state
        while current is not None:
            block = self._block(label)
            self.visited.append(label)
            self._steps += 1
            if (
                self._steps > _MOST_STEPS
                or len(self.visited) > MOST_OPERATIONS
                or self.emitter.operations > 2 * MOST_OPERATIONS
            ):  # some are dropped later
                raise TooLarge
            merge = block.merge
            if merge is not None and merge.name == "OpLoopMerge" and not resumed:
                self.visited.pop()
                current = self._loop(block, current)
                label = merge.words[0]
                continue
            resumed = False
            stopped = False
            for instruction in block.body:
                try:
                    following = self._step(instruction, current)
                except Malformed as error:
                    error.span = error.span or self.module.place(instruction)
                    raise
                if following is None:
                    stopped = True
                    break
                current = following
            if stopped:
                return
            ending = self._end(block, current)
            if ending is None:
                return
            label, current = ending
