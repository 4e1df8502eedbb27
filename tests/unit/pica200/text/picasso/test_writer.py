"""What `dis` writes where the words of a file have components that no text of picasso's would give."""

from __future__ import annotations

from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.text.picasso.writer import _is_in_doubt  # pyright: ignore[reportPrivateUsage]
from together import together


@together(
    ("line", "doubted"),
    [
        ("rcp r0.x, r1.xyzw", False),  # of the slots that are written, x has the first component
        ("rcp r0.w, r1.xyzw", True),
        ("rcp r0.w, r1.xyzx", False),
        ("rcp r0.y, r1.xyzw", True),
        ("rcp r0.z, r1.xyxw", False),
        ("rcp r0.z, r1.xyzw", True),
        ("rcp r0.xw, r1.yxzy", False),
        ("rcp r0, r1.zzzz", False),
        ("rcp r0, r1.zzzw", True),
        ("add r0, r2, r1", False),  # reads all slots
    ],
)
def test_one_component_for_all_slots(line: str, doubted: bool):
    made = assemble_sources([("a.pica", f".out o position\n.proc main\n{line}\nmov o, r0\nend\n.end\n")])
    assert _is_in_doubt(made.program.operations[0]) is doubted
