"""Why nothing is visible: what keeps each triangle of a scene off the screen, and the instruction to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.core.record import Record
from lanewise.drawing.clip import clip, clip_regions, distances, flat
from lanewise.drawing.picture import culled, in_pixels, limits_of
from lanewise.drawing.volume import BACK

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.drawing.scene import Blame, Cause, Scene

    Array = NDArray[np.float64]
    Flags = NDArray[np.bool_]

STOPPED, NAN, INFINITE, BEHIND, DEGENERATE, CORNERS, CULLED, LIMITS, SMALL, TRANSPARENT, HIDDEN, NOTHING = (
    "stopped",
    "nan",
    "infinite",
    "behind",
    "degenerate",
    "corners",
    "culled",
    "limits",
    "small",
    "transparent",
    "hidden",
    "no-triangles",
)
_CLOSED = 2 / 3
_FEW = 0.05  # of the triangles: so few on the screen may be an accident of wrong data
_OTHERS = 2  # reasons of a short answer that have one line each


class Reason(Record):
    """Why triangles are not visible."""

    code: str
    "Key of the reason in JSON."
    message: str
    "Sentence on the reason."
    fix: str
    "The remedy, as an imperative."
    triangles: int
    "Number of triangles that it holds for."
    share: float
    "Their part of all, 0 to 1."
    vertex: int | None = None
    "Sample of the vertices that it holds for; None where there is none."
    blame: Blame | None = None
    "Instruction behind the value of `vertex`; None where none is to blame."
    suspected: bool = False
    "It is about the data: changed as `fix` says the triangles are inside the screen, which was tried."

    def to_json(self) -> dict[str, object]:
        """Everything as plain values."""
        blame = self.blame
        span = blame.span if blame is not None else None
        return {
            "code": self.code,
            "message": self.message,
            "fix": self.fix,
            "triangles": self.triangles,
            "share": self.share,
            "suspected": self.suspected,
            "vertex": self.vertex,
            "blame": blame
            and {
                "instruction": blame.instruction or None,
                "word": blame.word,
                "source": {"file": span.file, "line": span.line, "column": span.column, "text": span.text}
                if span and span.line
                else None,
                "message": blame.message,
                "explanation": dict(blame.data),
            },
        }


class Visibility(Record):
    """The part of a scene that reaches the screen."""

    triangles: int
    "Number of all triangles."
    vertices: int
    "Number of all vertices."
    visible: int
    "Number of the triangles that reach the screen at least in part."
    lost: Mapping[str, int]
    "Number of the other triangles by what keeps them away."
    shares: Mapping[str, float]
    "Parts of the vertices for which a condition holds (`w <= 0`, `x > w`, `NaN`, ...), 0 to 1."
    constant: Mapping[str, tuple[float, ...]]
    "Outputs that are the same in all vertices."
    reasons: tuple[Reason, ...]
    "Why nothing is visible: what holds for all values, then the largest first; if up to 1 in 20 triangles is inside, those "
    "`suspected`; else none."

    def text(self, *, short: bool = False) -> str:
        """The reasons with the chain of the first, then the shares; `short`: the answer in at most ten lines."""
        return "\n".join(_short(self) if short else [*_head(self), *_table(self)])

    def to_json(self) -> dict[str, object]:
        """Everything as plain values that `json.dumps` takes."""
        return {
            "triangles": self.triangles,
            "vertices": self.vertices,
            "visible": self.visible,
            "lost": dict(self.lost),
            "shares": dict(self.shares),
            "constant": {name: [_plain(number) for number in values] for name, values in self.constant.items()},
            "reasons": [reason.to_json() for reason in self.reasons],
        }


class Fates(NamedTuple):
    """The fate of each triangle: the codes of the reasons, and for each triangle the number of its code, -1 if it is
    visible."""

    codes: tuple[str, ...]
    number: NDArray[np.int64]

    @property
    def visible(self) -> int:
        return int(np.count_nonzero(self.number < 0))

    def of(self, code: str) -> NDArray[np.int64]:
        """The triangles that are lost for a reason."""
        return np.flatnonzero(self.number == self.codes.index(code))


def visibility(scene: Scene, *, cull: str = BACK, screen: str = "") -> Visibility:
    """The part of a scene that reaches the screen, or why none does. Raises ValueError for a screen that does not exist."""
    fate = fates(scene, cull=cull, screen=screen)
    counts = {code: len(fate.of(code)) for code in fate.codes}
    usual = _CLOSED * scene.triangles  # of a closed object about half of the triangles face away
    order = sorted(counts.items(), key=lambda item: (item[0] == CULLED and item[1] <= usual, -item[1]))
    lost = {code: count for code, count in order if count}
    shares, constant = _shares(scene), _constant(scene)
    reasons: tuple[Reason, ...] = ()
    causes = () if fate.visible else tuple([_of_cause(cause, scene.triangles) for cause in scene.causes()])
    if causes and not scene.triangles:
        reasons = causes
    elif not scene.triangles:
        message, _, fix = scene.lost.partition("; ")
        reasons = (
            Reason(
                code=NOTHING,
                message=message or "there are no triangles",
                fix=fix or "give three vertices or indices for each triangle",
                triangles=0,
                share=0.0,
            ),
        )
    elif not fate.visible:
        suspected = _suspected(scene, cull, screen)
        causes = tuple([cause for cause in causes if cause.code not in {reason.code for reason in suspected}])
        found = [_reason(scene, fate, code, count, blamed=not number) for number, (code, count) in enumerate(lost.items())]
        reasons = (*causes, *suspected, *found)
    elif _inside(fate) <= _FEW * scene.triangles:
        reasons = _suspected(scene, cull, screen)
    return Visibility(
        triangles=scene.triangles,
        vertices=len(scene.rows()[0]),
        visible=fate.visible,
        lost=lost,
        shares=shares,
        constant=constant,
        reasons=reasons,
    )


def _of_cause(cause: Cause, triangles: int) -> Reason:
    return Reason(code=cause.code, message=cause.message, fix=cause.fix, triangles=triangles, share=1.0 if triangles else 0.0)


def _inside(fate: Fates) -> int:
    """The triangles inside the screen, whether they are culled or not."""
    return fate.visible + sum([len(fate.of(code)) for code in (CULLED, LIMITS, SMALL, TRANSPARENT, HIDDEN)])


def fates(scene: Scene, position: Array | None = None, *, cull: str = BACK, screen: str = "") -> Fates:
    """The fate of each triangle of a scene, or of one with other positions. Raises ValueError for a screen that does not
    exist."""
    position = scene.position if position is None else position
    volume = scene.volume
    planes = volume.planes
    finite: Flags = np.logical_and.reduce(np.isfinite(position), axis=(1, 2))
    safe = np.where(finite[:, np.newaxis, np.newaxis], position, 1.0)
    outside = {plane.name: (safe @ np.array(plane.distance) < 0.0).all(axis=1) for plane in planes}
    order = sorted(outside, key=lambda name: -int(np.count_nonzero(outside[name])))
    tests: list[tuple[str, Any]] = [
        (STOPPED, np.isin(scene.vertices, scene.stopped).any(axis=1)),
        (NAN, np.isnan(position).any(axis=(1, 2))),
        (INFINITE, ~finite),
        (BEHIND, (safe[..., 3] <= 0.0).all(axis=1)),
        (DEGENERATE, flat(safe)),
        *((name, outside[name]) for name in order),
    ]
    codes = (*(code for code, _ in tests), CORNERS, CULLED, LIMITS, SMALL, TRANSPARENT, HIDDEN)
    number = np.full(len(position), -1, np.int64)
    for place, (_, flags) in enumerate(tests):
        number[flags & (number < 0)] = place
    left = np.flatnonzero(number < 0)
    parts = clip(safe[left], distances(volume))
    there = np.zeros(len(left), np.bool_)
    there[parts.source] = True
    number[left[~there]] = codes.index(CORNERS)
    number[left[there & culled(volume, safe[left], cull)]] = codes.index(CULLED)
    limits = limits_of(scene, screen)
    if limits:
        cut = clip_regions(safe[left], distances(volume), limits)
        within = np.zeros(len(left), np.bool_)
        within[cut.source] = True
        number[left[there & ~within & (number[left] < 0)]] = codes.index(LIMITS)
        parts = cut
    points, _ = in_pixels(scene, parts.position, screen)
    covers = (np.floor(points.max(axis=1) - 0.5) >= np.ceil(points.min(axis=1) - 0.5)).all(axis=1)
    seen = np.zeros(len(left), np.bool_)
    seen[parts.source[covers]] = True
    number[left[~seen & (number[left] < 0)]] = codes.index(SMALL)
    alpha = _alpha(scene)
    if alpha is not None and volume.blending:
        number[(alpha == 0.0).all(axis=1) & (number < 0)] = codes.index(TRANSPARENT)
    if scene.placement is not None and scene.placement.hidden and not screen:
        number[number < 0] = codes.index(HIDDEN)
    return Fates(codes, number)


def _alpha(scene: Scene) -> NDArray[Any] | None:
    """The alpha of each corner; None where no output has it."""
    colour = scene.outputs.get(scene.volume.colour)
    return colour[..., 3] if colour is not None and colour.shape[-1] == 4 else None


def _shares(scene: Scene) -> dict[str, float]:
    """The part of the vertices for which each condition holds."""
    _, first = scene.rows()
    vertices = scene.position.reshape(-1, 4)[first]
    nan: Flags = np.logical_or.reduce(np.isnan(vertices), axis=1)
    finite: Flags = np.logical_and.reduce(np.isfinite(vertices), axis=1)
    safe = np.where(finite[:, np.newaxis], vertices, 0.0)
    found = {"NaN": nan, "infinite": ~finite & ~nan, "w <= 0": finite & (safe[:, 3] <= 0.0)}
    found |= {plane.outside: finite & (safe @ np.array(plane.distance) < 0.0) for plane in scene.volume.planes}
    alpha = _alpha(scene)
    if alpha is not None:
        found["alpha = 0"] = alpha.reshape(-1)[first] == 0.0
    if len(scene.stopped):
        found["stopped"] = np.isin(scene.rows()[0], scene.stopped)
    return {name: float(flags.mean()) if len(flags) else 0.0 for name, flags in found.items()}


def _constant(scene: Scene) -> dict[str, tuple[float, ...]]:
    """The outputs that are equal in all of several vertices."""
    _, first = scene.rows()
    found: dict[str, tuple[float, ...]] = {}
    for name, array in scene.outputs.items() if len(first) > 1 else ():
        rows = array.reshape(-1, array.shape[-1])[first]
        if rows.shape[-1] and bool(np.all((rows == rows[0]) | (np.isnan(rows) & np.isnan(rows[0])))):
            found[name] = tuple([float(number) for number in rows[0]])
    return found


def _reason(scene: Scene, fate: Fates, code: str, count: int, *, blamed: bool) -> Reason:
    """The reason with a sample vertex: of the triangle in the middle, the corner that is farthest beyond."""
    triangles = fate.of(code)
    triangle = int(triangles[len(triangles) // 2])
    corner, axis = 0, 0
    volume, position = scene.volume, scene.position[triangle]
    plane = next((plane for plane in volume.planes if plane.name == code), None)
    share = count / scene.triangles
    output = "position"
    if plane is not None:
        corner, axis = int(np.argmin(position @ np.array(plane.distance))), plane.axis
        message = f"{plane.outside} in all corners: {plane.place}"
        fix = f"the volume is -w <= x, y <= w and {volume.depth_text}; " + _advice(scene, code, position[corner])
    elif code in (NAN, INFINITE):
        bad = np.isnan(position) if code == NAN else np.isinf(position)
        corner, axis = (int(number) for number in np.argwhere(bad)[0])
        message = "the position is NaN" if code == NAN else "the position is infinite"
        fix = "keep the operands of rcp, rsq and log2 away from 0, and products and sums in range"
    elif code == BEHIND:
        axis = 3
        zero = not position[:, 3].any()
        message = "w is 0 in all corners" if zero else "w is 0 or less in all corners: behind the viewer"
        fix = (
            "write position.w: 1, or the last row of the projection"
            if zero
            else "move the object in front of the viewer, or change the sign of the row of w"
        )
    elif code == DEGENERATE:
        one = bool(np.all(scene.position[triangles] == scene.position[triangles[0], 0]))
        axis = 0
        message = (
            "all corners are at one point"
            if one and len(triangles) > 1
            else "the corners are in one line or at one point: the triangle has no area"
        )
        fix = "use the input of the position, a matrix that is not 0, and three different indices for each triangle"
    elif code == TRANSPARENT:
        output, axis, message, fix = volume.colour, 3, "alpha is 0 in all corners", volume.blending
    elif code == CULLED:
        axis, message, fix = -1, "facing the direction that is culled", volume.winding
    elif code == HIDDEN:
        axis, (message, _, fix) = -1, scene.placement.hidden.partition("; ") if scene.placement is not None else ("", "", "")
    elif code == LIMITS:
        axis, message = -1, "inside the viewport, but left out by the scissor test or outside of the target"
        fix = "correct the scissor rectangle or the viewport, or turn the scissor test off"
    elif code == SMALL:
        axis, message, fix = -1, "no pixel's centre is covered: smaller than a pixel", "scale the object or its matrix"
    elif code == STOPPED:
        axis, message, fix = -1, "a vertex stopped without an end", "correct the fault that the run reports"
    else:
        axis, message = -1, "outside the volume between two planes"
        fix = f"move it: the volume is -w <= x, y <= w and {volume.depth_text}"
    vertex = int(scene.vertices[triangle, corner])
    blame = scene.blame(triangle, corner, output, axis) if axis >= 0 and blamed else None
    return Reason(
        code=code, message=message, fix=fix, triangles=count, share=share, vertex=vertex if scene.whole else None, blame=blame
    )


def _advice(scene: Scene, code: str, vertex: Array) -> str:
    if code not in ("near", "far"):
        return "move the object or the viewer, or check the matrix"
    ratio = vertex[2] / vertex[3] if vertex[3] > 0.0 else 0.0
    low, high = scene.volume.wrong_range
    if low < ratio <= high:
        return scene.volume.depth_range
    return "move the object, or change the near and far planes of the projection"


def _suspected(scene: Scene, cull: str, screen: str) -> tuple[Reason, ...]:
    """The change of the data that brings most triangles back, if it brings enough."""
    best: tuple[float, Reason] | None = None
    for suspect in scene.suspects():
        if suspect.position.shape[1:] != scene.position.shape[1:] or not np.isfinite(suspect.position).any():
            continue
        count = len(suspect.position)
        tried = scene if count == scene.triangles else _bare(scene, count)
        fate = fates(tried, np.asarray(suspect.position, np.float64), cull=cull, screen=screen)
        share = (fate.visible + len(fate.of(CULLED))) / count
        if fate.visible and share >= suspect.least and (best is None or share > best[0]):
            message = f"{suspect.message}: changed, {share:.0%} of the triangles are on the screen"
            best = (
                share,
                Reason(
                    code=suspect.code, message=message, fix=suspect.fix, triangles=scene.triangles, share=1.0, suspected=True
                ),
            )
    return () if best is None else (best[1],)


def _bare(scene: Scene, triangles: int) -> Scene:
    """The scene with another number of triangles, of which only positions are known."""
    return scene._replace(outputs={}, vertices=np.zeros((triangles, 3), np.int64), stopped=np.zeros(0, np.int64))


def _short(found: Visibility) -> list[str]:
    """The answer, the likeliest reasons with the instruction and the fix of each, and the number of others."""
    lines = [line for line in _answer(found) if line]
    shown = found.reasons[: 1 + found.reasons[0].suspected] if found.reasons else ()
    lines += [line for reason in shown for line in _lines(found, reason)]
    rest = found.reasons[len(shown) :]
    lines += [_line(found, reason) for reason in rest[:_OTHERS]]
    if len(rest) > _OTHERS:
        lines.append(f"{'':>9}and {len(rest) - _OTHERS} more")
    if not found.reasons and found.lost:
        lines.append("the others: " + ", ".join([f"{count} {code}" for code, count in found.lost.items()]))
    more = "how the value was made, and " if any(reason.blame for reason in shown) else ""
    return [*lines, f"--explain shows {more}all counts"]


def _head(found: Visibility) -> list[str]:
    lines = _answer(found)
    for reason in found.reasons:
        lines += _lines(found, reason)
    blame = next((reason for reason in found.reasons if reason.blame is not None), None)
    if blame is not None and blame.blame is not None:
        lines += ["", "how it was made:", *[f"  {line}".rstrip() for line in blame.blame.chain.splitlines()]]
    return [*lines, ""] if found.reasons else lines


def _answer(found: Visibility) -> list[str]:
    whole = f"{found.triangles} triangle{'' if found.triangles == 1 else 's'}"
    seen = f"{found.visible} of {whole} {'is' if found.visible == 1 else 'are'} visible"
    if not found.reasons:
        return [seen, ""]
    return [f"only {seen}" if found.visible else f"nothing is visible: 0 of {whole} on the screen", ""]


def _line(found: Visibility, reason: Reason) -> str:
    label = "likely" if reason.suspected else f"{reason.share:6.1%}" if found.triangles else ""
    return f"{label:>7}  {reason.message}".rstrip()


def _lines(found: Visibility, reason: Reason) -> list[str]:
    blamed = [f"         {reason.blame.message}"] if reason.blame is not None else []
    return [_line(found, reason), *blamed, f"         fix: {reason.fix}"]


def _table(found: Visibility) -> list[str]:
    """Counts of triangles, shares of vertices, and constant outputs."""
    lines: list[str] = []
    if found.triangles:
        lines += ["triangles", f"  {'visible':<12}{found.visible:>9}"]
        lines += [f"  {code:<12}{count:>9}" for code, count in found.lost.items()]
        lines += [f"vertices ({found.vertices})", *[f"  {name:<12}{share:>9.1%}" for name, share in found.shares.items()]]
    if found.constant:
        lines.append("equal in all vertices")
        lines += [
            f"  {name:<12}{', '.join(f'{number:.6g}' for number in values):>9}" for name, values in found.constant.items()
        ]
    return lines


def _plain(number: float) -> float | str:
    return number if np.isfinite(number) else "NaN" if np.isnan(number) else "Infinity" if number > 0 else "-Infinity"
