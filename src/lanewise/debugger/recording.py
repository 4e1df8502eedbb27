"""`Recording`: the steps of one thread, done when they are needed, at any of which its state can be had again."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from lanewise.core.debugging import STOPPED

if TYPE_CHECKING:
    from lanewise.core.debugging import Machine
    from lanewise.core.trace import Step

_FIRST_DISTANCE = 16  # steps from one kept state to the next, until there are too many
_MOST_KEPT = 1024
_NEAR = 64  # states kept in front of the cursor, for steps back
_MOST_STEPS = 2048  # descriptions of steps that are kept


class Recording:
    """One thread. Position n is in front of step n, after n steps.

    Of each step done only its address, its depth of calls and its events are kept; states are kept at distances that double
    whenever there are too many, and for the positions near the last one that was asked for. So a recording of a million steps
    takes some megabytes.
    """

    addresses: array[int]
    depths: array[int]
    events: array[int]
    ended: bool

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.addresses, self.depths, self.events = array("I"), array("B"), array("B")
        self.ended, self.fault = machine.finished, machine.fault
        self._at = 0
        self._distance = _FIRST_DISTANCE
        self._places, self._kept = [0], [machine.keep()]
        self._front = self._kept[0]
        self._near: dict[int, object] = {}
        self._steps: dict[int, Step] = {}

    def __len__(self) -> int:
        """The number of steps done so far."""
        return len(self.addresses)

    def extend(self, count: int) -> bool:
        """Do steps until there are so many; whether there are."""
        if len(self.addresses) >= count:
            return True
        if not self.ended:
            self._to_front()
            while len(self.addresses) < count and not self.ended:
                self._do()
            self._front = self.machine.keep()
        return len(self.addresses) >= count

    def at(self, position: int) -> Machine:
        """The machine in front of step `position`, or of as many steps as there are."""
        position = max(0, position)
        if not self.extend(position):
            position = len(self)
        if position == self._at:
            return self.machine
        near = self._near.get(position)
        if near is not None:
            self._go(position, near)
            return self.machine
        if position == len(self):
            self._go(position, self._front)
            return self.machine
        index = bisect_right(self._places, position) - 1
        start = self._places[index]
        backwards = position < self._at
        if backwards or start > self._at:
            self._go(start, self._kept[index])
        if backwards:
            self._near.clear()
        while self._at < position:
            if backwards and position - self._at <= _NEAR:
                self._near[self._at] = self.machine.keep()
            self.machine.advance()
            self._at += 1
        if backwards:
            self._near[position] = self.machine.keep()
        return self.machine

    def step(self, number: int) -> Step:
        """The description of a step. Raises IndexError for one that there is not."""
        if not number >= 0 or not self.extend(number + 1):
            raise IndexError(number)
        found = self._steps.get(number)
        if found is None:
            found = self.at(number).step()
            self._at += 1
            assert found is not None
            if len(self._steps) >= _MOST_STEPS:
                for old in [*self._steps][: _MOST_STEPS // 2]:
                    del self._steps[old]
            self._steps[number] = found
        return found

    def _go(self, position: int, kept: object) -> None:
        self.machine.restore(kept)
        self._at = position

    def _to_front(self) -> None:
        if self._at != len(self.addresses):
            self._go(len(self.addresses), self._front)

    def _do(self) -> None:
        """One step more."""
        machine = self.machine
        address, depth = machine.address, machine.depth
        events = machine.advance()
        self.ended, self.fault = machine.finished, machine.fault
        if events == STOPPED:
            return
        self.addresses.append(max(address, 0))
        self.depths.append(min(depth, 255))
        self.events.append(events)
        self._at += 1
        if self._at % self._distance == 0 and not self.ended:
            self._places.append(self._at)
            self._kept.append(machine.keep())
            if len(self._kept) > _MOST_KEPT:
                self._distance *= 2
                self._places, self._kept = self._places[::2], self._kept[::2]
