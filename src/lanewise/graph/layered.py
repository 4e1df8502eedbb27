"""Layered placement of boxes and arrows, after Sugiyama, Tagawa and Toda (1981).

Each box gets a layer below all boxes that lead to it; a long arrow gets a joint in every layer that it passes; the order in
each layer is chosen for few crossings, then the places for short and straight arrows. A back arrow leaves its box at the bottom
like the others, turns, and goes up next to the boxes.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from itertools import pairwise

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

Point = tuple[float, float]

SIDE_GAP, JOINT_GAP, LAYER_GAP, MARGIN = 34.0, 18.0, 32.0, 24.0
STUB = 18.0  # so far every arrow goes straight down below its box: there is room for a label
_ORDER_SWEEPS, _PLACE_SWEEPS, _SWAP_ROUNDS, _MOST_SWAPPED = 24, 60, 8, 1500
# Vertices that all sweeps together may visit: n arrows that pass n layers have n * n joints, and each sweep visits them all.
_MOST_ORDERED, _MOST_PLACED = 120_000, 300_000
_FAR = 1e9


class Box(Record):
    """A box to be placed: its width and height."""

    width: float
    height: float


class Arrow(Record):
    """An arrow between boxes, by number.

    If the target's number is not greater, it leads back: to the source itself, or to a box
    from which others lead to the source."""

    source: int
    target: int

    @property
    def back(self) -> bool:
        return self.target <= self.source


class Route(Record):
    """A line from `start` through segments: to one point straight, or to the last of three as a Bezier curve."""

    start: Point
    segments: tuple[tuple[Point, ...], ...]


class Places(Record):
    """Upper left corners of boxes, routes of arrows, total size with a margin."""

    corners: tuple[Point, ...]
    routes: tuple[Route, ...]
    width: float
    height: float


def joints(boxes: int, arrows: Sequence[Arrow]) -> int:
    """The number of joints that the arrows need; it determines the time to place."""
    ranks = _ranks(boxes, arrows)
    return sum(abs(ranks[arrow.target] - ranks[arrow.source]) + arrow.back for arrow in arrows)


def sweeps(most: int, visited: int, vertices: int) -> int:
    """How often all vertices are visited: `most` times, or as often as makes `visited` visits, but at least twice. An even
    number."""
    return max(2, min(most, visited // max(vertices, 1)) // 2 * 2)


def place(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> Places:
    """Place boxes and arrows.

    Without back arrows the graph has no cycle, by the numbers of the boxes.
    """
    sketch = _Sketch(boxes, arrows)
    sketch.order()
    sketch.attach()
    sketch.spread()
    return sketch.places()


def _ranks(boxes: int, arrows: Sequence[Arrow]) -> list[int]:
    """The layer of each box: one below the lowest that leads to it."""
    ranks = [0] * boxes
    for arrow in sorted(arrows):
        if not arrow.back:
            ranks[arrow.target] = max(ranks[arrow.target], ranks[arrow.source] + 1)
    return ranks


class _Sketch:
    """Vertices are the boxes, then the joints. `chains` are the vertices that each arrow passes, its boxes included."""

    def __init__(self, boxes: Sequence[Box], arrows: Sequence[Arrow]) -> None:
        self.boxes, self.arrows = boxes, arrows
        self.ranks = _ranks(len(boxes), arrows)
        self.beside: dict[int, int] = {}  # joint of a back arrow -> the box in the same layer that the arrow turns to
        self.chains = [self.chain(arrow) for arrow in arrows]
        count = len(self.ranks)
        self.above: list[list[int]] = [[] for _ in range(count)]
        self.below: list[list[int]] = [[] for _ in range(count)]
        self.offsets: dict[tuple[int, int], float] = {}  # (arrow, 0 at its source or 1 at its target) -> from the box's middle
        for chain in self.chains:
            for first, second in pairwise(chain):
                if self.ranks[first] != self.ranks[second]:
                    upper, lower = (first, second) if self.ranks[first] < self.ranks[second] else (second, first)
                    self.below[upper].append(lower)
                    self.above[lower].append(upper)
        self.layers: list[list[int]] = [[] for _ in range(max(self.ranks, default=0) + 1)]
        for vertex in self.first_order():
            self.layers[self.ranks[vertex]].append(vertex)
        self.position = [0] * count
        self.x = [0.0] * count
        self.number_positions()

    def chain(self, arrow: Arrow) -> list[int]:
        """The vertices of an arrow, with new joints."""
        source, target = arrow
        first, last = self.ranks[source], self.ranks[target]
        layers = range(first, last - 1, -1) if arrow.back else range(first + 1, last)
        bends = list(range(len(self.ranks), len(self.ranks) + len(layers)))
        self.ranks += layers
        if arrow.back:
            self.beside[bends[-1]] = target
            self.beside[bends[0]] = source
        return [source, *bends, target]

    def first_order(self) -> list[int]:
        """All vertices, joints right of the box that their arrow comes from."""
        keys = [(float(number), 0) for number in range(len(self.boxes))]
        for number, chain in enumerate(self.chains):
            keys += [(chain[0] + 0.5, number)] * (len(chain) - 2)
        return sorted(range(len(keys)), key=lambda vertex: (keys[vertex], vertex))

    def number_positions(self) -> None:
        for layer in self.layers:
            for n, vertex in enumerate(layer):
                self.position[vertex] = n

    # The order in each layer

    def order(self) -> None:
        """The best order that sweeps by barycentres find, then swaps of neighbours."""
        best, fewest = [list(layer) for layer in self.layers], self.crossings()
        for sweep in range(sweeps(_ORDER_SWEEPS, _MOST_ORDERED, len(self.ranks))):
            if not fewest:
                break
            down = sweep % 2 == 0
            near = self.above if down else self.below
            for layer in self.layers if down else self.layers[::-1]:
                self.sort_layer(layer, near)
            crossings = self.crossings()
            if crossings < fewest:
                best, fewest = [list(layer) for layer in self.layers], crossings
        self.layers = best
        self.number_positions()
        if fewest and len(self.ranks) <= _MOST_SWAPPED:
            for _ in range(_SWAP_ROUNDS):
                if not self.swap_neighbours():
                    break

    def sort_layer(self, layer: list[int], near: Sequence[Sequence[int]]) -> None:
        keys: dict[int, float] = {}
        for vertex in layer:
            others = near[vertex]
            if others:
                keys[vertex] = sum(self.position[other] for other in others) / len(others)
            elif vertex not in self.beside:
                keys[vertex] = float(self.position[vertex])
        for vertex in layer:
            if vertex not in keys:
                box = self.beside[vertex]
                keys[vertex] = keys[box] + (0.25 if self.position[vertex] > self.position[box] else -0.25)
        layer.sort(key=lambda vertex: (keys[vertex], self.position[vertex]))
        for n, vertex in enumerate(layer):
            self.position[vertex] = n

    def crossings(self) -> int:
        """The number of crossings between layers, plus vertices between turns and boxes."""
        found = sum(abs(self.position[joint] - self.position[box]) - 1 for joint, box in self.beside.items())
        for layer in self.layers:
            ends: list[int] = []
            for vertex in layer:
                lower = sorted(self.position[other] for other in self.below[vertex])
                found += sum(len(ends) - bisect_right(ends, end) for end in lower)
                for end in lower:
                    insort(ends, end)
        return found

    def swap_neighbours(self) -> bool:
        """Swap where that leaves fewer crossings; whether anything was swapped."""
        swapped = False
        for layer in self.layers:
            turns = [vertex for vertex in layer if vertex in self.beside]
            for n in range(len(layer) - 1):
                left, right = layer[n], layer[n + 1]
                before = self.pair_crossings(left, right) + self.turn_lengths(turns)
                layer[n], layer[n + 1] = right, left
                self.position[left], self.position[right] = n + 1, n
                if self.pair_crossings(right, left) + self.turn_lengths(turns) < before:
                    swapped = True
                else:
                    layer[n], layer[n + 1] = left, right
                    self.position[left], self.position[right] = n, n + 1
        return swapped

    def pair_crossings(self, left: int, right: int) -> int:
        """The crossings between the arrows of two neighbours in a layer."""
        return sum(
            self.position[a] > self.position[b] for near in (self.above, self.below) for a in near[left] for b in near[right]
        )

    def turn_lengths(self, turns: Sequence[int]) -> int:
        return sum(abs(self.position[turn] - self.position[self.beside[turn]]) - 1 for turn in turns)

    # Where arrows meet boxes

    def attach(self) -> None:
        """Distribute arrows on the lower and upper side of each box.

        They are in the order of their next vertices, with turns outside.
        """
        for end, inner, spacing in ((0, 1, 112.0), (1, -2, 22.0)):
            sides: dict[int, tuple[list[int], list[int], list[int]]] = {}
            for number, chain in enumerate(self.chains):
                box, other = chain[0 if end == 0 else -1], chain[inner]
                side = 1
                if self.ranks[other] == self.ranks[box]:
                    side = 0 if self.position[other] < self.position[box] else 2
                sides.setdefault(box, ([], [], []))[side].append(number)
            for box, (left, middle, right) in sides.items():
                middle.sort(key=lambda number: self.position[self.chains[number][inner]])
                for turns in (left, right):  # the arrow to the nearest joint is outermost: so turns do not cross
                    turns.sort(key=lambda number: -self.position[self.chains[number][inner]])
                # As many places on either side of the middle, so that what goes straight on is in the middle.
                spare = max(len(left), len(right))
                places = len(middle) + 2 * spare
                step = min(spacing, (self.boxes[box].width - 16) / max(places, 1))
                for n, number in enumerate(left):
                    self.offsets[number, end] = (n - (places - 1) / 2) * step
                for n, number in enumerate((*middle, *right)):
                    self.offsets[number, end] = (n + spare - (places - 1) / 2) * step

    # Places

    def half(self, vertex: int) -> float:
        return self.boxes[vertex].width / 2 if vertex < len(self.boxes) else 0.0

    def apart(self, left: int, right: int) -> float:
        """The least distance of the middles of two neighbours."""
        both_joints = left >= len(self.boxes) and right >= len(self.boxes)
        return self.half(left) + self.half(right) + (JOINT_GAP if both_joints else SIDE_GAP)

    def spread(self) -> None:
        """Compute x of every vertex: short arrows first, then straight long arrows."""
        pulls_up, pulls_down = self.pulls()
        for layer in self.layers:
            self.fit(layer, [0.0] * len(layer), [1.0] * len(layer))
        count = sweeps(_PLACE_SWEEPS, _MOST_PLACED, len(self.ranks))
        for sweep in range(count):
            down = sweep % 2 == 0
            both = sweep >= count // 2
            for layer in self.layers if down else self.layers[::-1]:
                wanted: list[float] = []
                weights: list[float] = []
                for vertex in layer:
                    pulls = (*pulls_up[vertex], *pulls_down[vertex]) if both else (pulls_up if down else pulls_down)[vertex]
                    weight = sum(pull[1] for pull in pulls)
                    wanted.append(sum(self.x[other] * w for other, w in pulls) / weight if weight else self.rest(vertex))
                    weights.append(weight or 0.05)
                self.fit(layer, wanted, weights)
        self.line_up()
        self.straighten()

    def line_up(self) -> None:
        """Align a box with its only predecessor, if it is the only successor and fits."""
        leaving: dict[int, int] = {}
        coming: dict[int, list[int]] = {}
        for arrow in self.arrows:
            if not arrow.back:
                leaving[arrow.source] = leaving.get(arrow.source, 0) + 1
                coming.setdefault(arrow.target, []).append(arrow.source)
        for target in sorted(coming):
            sources = coming[target]
            if len(sources) == 1 and leaving[sources[0]] == 1:
                low, high = self.room(target)
                self.x[target] = min(max(self.x[sources[0]], low), high)

    def rest(self, vertex: int) -> float:
        """The preferred place of a vertex without pulls: a turn next to its box."""
        box = self.beside.get(vertex)
        if box is None:
            return self.x[vertex]
        side = 1 if self.position[vertex] > self.position[box] else -1
        return self.x[box] + side * (self.half(box) + SIDE_GAP)

    def pulls(self) -> tuple[list[list[tuple[int, float]]], list[list[tuple[int, float]]]]:
        """The pulls on each vertex from above and from below: (other vertex, weight).

        Joints pull hardest. The middles of boxes pull, not the ends of arrows: else a column of branches would lean to one
        side.
        """
        up: list[list[tuple[int, float]]] = [[] for _ in self.ranks]
        down: list[list[tuple[int, float]]] = [[] for _ in self.ranks]
        for upper, lowers in enumerate(self.below):
            for lower in lowers:
                weight = (1.0, 3.0, 8.0)[(upper >= len(self.boxes)) + (lower >= len(self.boxes))]
                up[lower].append((upper, weight))
                down[upper].append((lower, weight))
        return up, down

    def fit(self, layer: Sequence[int], wanted: Sequence[float], weights: Sequence[float]) -> None:
        """x of a layer, as near to what is wanted as order and distances allow: least squares, by pooling neighbours."""
        pools: list[tuple[float, float, int]] = []  # (mean, weight, how many)
        reach = [0.0]
        for left, right in pairwise(layer):
            reach.append(reach[-1] + self.apart(left, right))
        for n in range(len(layer)):
            mean, weight, count = wanted[n] - reach[n], weights[n], 1
            while pools and pools[-1][0] > mean:
                other, heavy, more = pools.pop()
                mean, weight, count = (mean * weight + other * heavy) / (weight + heavy), weight + heavy, count + more
            pools.append((mean, weight, count))
        n = 0
        for mean, _, count in pools:
            for _ in range(count):
                self.x[layer[n]] = mean + reach[n]
                n += 1

    def room(self, vertex: int) -> tuple[float, float]:
        """The limits of a vertex's x on either side."""
        layer, n = self.layers[self.ranks[vertex]], self.position[vertex]
        low = self.x[layer[n - 1]] + self.apart(layer[n - 1], vertex) if n else -_FAR
        high = self.x[layer[n + 1]] - self.apart(vertex, layer[n + 1]) if n + 1 < len(layer) else _FAR
        return low, high

    def straighten(self) -> None:
        """Put the joints of each arrow on one line, or on as few as there is room for."""
        for number, chain in enumerate(self.chains):
            middle = chain[1:-1]
            ends = [self.x[chain[0]] + self.offsets[number, 0], self.x[chain[-1]] + self.offsets[number, 1]]
            while middle:
                low, high = self.room(middle[0])
                size = 1
                for vertex in middle[1:]:
                    more_low, more_high = self.room(vertex)
                    if max(low, more_low) > min(high, more_high):
                        break
                    low, high, size = max(low, more_low), min(high, more_high), size + 1
                wish = sum(self.x[vertex] for vertex in middle[:size]) / size
                if not self.arrows[number].back:
                    wish = min(ends, key=lambda end: abs(end - wish))
                for vertex in middle[:size]:
                    self.x[vertex] = min(max(wish, low), high)
                middle = middle[size:]

    def places(self) -> Places:
        left = min((self.x[vertex] - self.half(vertex) for vertex in range(len(self.ranks))), default=0.0)
        self.x = [x - left + MARGIN for x in self.x]
        right = max((self.x[vertex] + self.half(vertex) for vertex in range(len(self.ranks))), default=0.0)
        tops, bottoms = self.layer_sides()
        corners = tuple((self.x[n] - box.width / 2, tops[self.ranks[n]]) for n, box in enumerate(self.boxes))
        routes = tuple(self.route(number, tops, bottoms) for number in range(len(self.arrows)))
        return Places(
            corners, routes, right + MARGIN, (bottoms[-1] if bottoms else 0.0) + self.turn_room(len(tops) - 1) + MARGIN
        )

    def turn_room(self, layer: int) -> float:
        return 22.0 if any(self.ranks[joint] == layer for joint in self.beside) else 0.0

    def layer_sides(self) -> tuple[list[float], list[float]]:
        """y of the upper and the lower side of each layer.

        Wide shifts and turns increase the gap between two layers.
        """
        shift = [0.0] * len(self.layers)
        for number, chain in enumerate(self.chains):
            for n, (first, second) in enumerate(pairwise(chain)):
                at_first = self.x[first] + (self.offsets[number, 0] if n == 0 else 0.0)
                at_second = self.x[second] + (self.offsets[number, 1] if n == len(chain) - 2 else 0.0)
                upper = min(self.ranks[first], self.ranks[second])
                shift[upper] = max(shift[upper], abs(at_first - at_second))
        tops: list[float] = []
        bottoms: list[float] = []
        y = MARGIN
        for n, layer in enumerate(self.layers):
            tops.append(y)
            bottoms.append(y + max(self.boxes[vertex].height if vertex < len(self.boxes) else 0.0 for vertex in layer))
            bottoms[-1] += STUB
            y = bottoms[-1] + LAYER_GAP + min(0.07 * shift[n], 60.0) + self.turn_room(n) + self.turn_room(n + 1)
        return tops, bottoms

    def route(self, number: int, tops: Sequence[float], bottoms: Sequence[float]) -> Route:
        chain, back = self.chains[number], self.arrows[number].back
        source, target = chain[0], chain[-1]
        start = (self.x[source] + self.offsets[number, 0], tops[self.ranks[source]] + self.boxes[source].height)
        goal = (self.x[target] + self.offsets[number, 1], tops[self.ranks[target]])
        pen = _Pen(start)
        pen.line((start[0], bottoms[self.ranks[source]]))
        for n, vertex in enumerate(chain[1:-1]):
            x, layer = self.x[vertex], self.ranks[vertex]
            near, far = (bottoms[layer], tops[layer]) if back else (tops[layer], bottoms[layer])
            if back and n == 0:
                pen.turn((x, near), down=True)
            else:
                pen.curve((x, near))
            pen.line((x, far))
        if back:
            pen.turn(goal, down=False)
        else:
            pen.curve(goal)
        return Route(start, tuple(pen.segments))


class _Pen:
    """Collects the segments of a route."""

    def __init__(self, start: Point) -> None:
        self.at = start
        self.segments: list[tuple[Point, ...]] = []

    def line(self, to: Point) -> None:
        if to == self.at:
            return
        straight_on = self.segments and len(self.segments[-1]) == 1 and to[0] == self.at[0]
        if straight_on and len(self.segments) > 0:
            self.segments.pop()
        self.segments.append((to,))
        self.at = to

    def curve(self, to: Point) -> None:
        """Draw a curve from one layer to the next, vertical at both ends."""
        if abs(to[0] - self.at[0]) < 0.5:
            self.line((self.at[0], to[1]))
            return
        middle = (self.at[1] + to[1]) / 2
        self.segments.append(((self.at[0], middle), (to[0], middle), to))
        self.at = to

    def turn(self, to: Point, *, down: bool) -> None:
        """Turn to the other direction, below or above the layer."""
        reach = min(30.0 + 0.06 * abs(to[0] - self.at[0]), 52.0) * (1 if down else -1)
        y = (max if down else min)(self.at[1], to[1]) + reach
        self.segments.append(((self.at[0], y), (to[0], y), to))
        self.at = to
