"""All findings: of the packages, of `core` and of the compiler."""

from __future__ import annotations

from lanewise.compile.codes import ROWS
from lanewise.core.cached import cache
from lanewise.core.code import by_code
from lanewise.core.record import TYPE_CHECKING
from lanewise.packages import codes, packages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.code import Code
    from lanewise.core.document import Block
    from lanewise.core.package import IsaPackage


def findings() -> Mapping[str, Code]:
    """All findings by code. Raises ValueError if two tables have one code."""
    return _joined(packages())


@cache
def _joined(_: tuple[IsaPackage, ...]) -> Mapping[str, Code]:
    return by_code(codes().values(), ROWS)


def explained(row: Code, level: int = 1) -> list[Block]:
    """The page of a code, under a heading of a level."""
    from lanewise.core.document import Heading, Items, Paragraph

    points = (("Meaning", row.meaning), ("Why it matters", row.why), ("How to fix it", row.fix), ("Evidence", row.evidence))
    return [Heading(level, row.code), Paragraph(row.title), Items(tuple(point for point in points if point[1]))]
