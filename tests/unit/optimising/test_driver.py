"""The driver: how many steps it takes where few candidates among many cannot be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.optimising.driver import Driver

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence


class Numbers(Driver[str, int]):
    """Numbers that may go, but for those that stay; a candidate is a number."""

    def __init__(self, count: int, stay: set[int], most: int = 0) -> None:
        super().__init__()
        self.left, self.stay, self.tried, self.most = list(range(count)), stay, 0, most

    def candidates(self, move: str) -> Iterator[int]:
        yield from self.left

    def touched(self, candidate: int) -> Sequence[int]:
        return (candidate,) if candidate >= 0 else (0,)

    def key(self, candidate: int) -> Hashable:
        return candidate

    def take(self, move: str, batch: Sequence[int]) -> bool:
        self.tried += 1
        if not self.stay.isdisjoint(batch):
            return False
        self.left = [number for number in self.left if number not in batch]
        return True

    def most_in_vain(self) -> int:
        return self.most


def test_few_that_cannot_be_done_cost_few_steps():
    for stay in ({3}, {0, 199}, {7, 8, 90, 150}):
        numbers = Numbers(200, stay)
        assert numbers.apply("go")
        assert set(numbers.left) == stay == numbers.in_vain
        assert numbers.tried <= 24 * len(stay)
    numbers = Numbers(200, set())
    assert numbers.apply("go")
    assert (numbers.tried, numbers.left) == (1, [])


def test_a_move_ends_after_many_in_vain():
    numbers = Numbers(64, set(range(64)), most=5)
    assert not numbers.apply("go")
    assert len(numbers.in_vain) == 5
    assert numbers.tried == 6 + 5
