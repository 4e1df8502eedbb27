"""One cause is one finding: what follows from it is not said besides; its fix removes it."""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE
from lanewise.pica200.api.checking import check_sources

HEAD = ".out outpos position\n.in a\n"


def found(text: str, name: str = "a.v.pica") -> list[tuple[str, int, str]]:
    findings = check_sources([(name, text)]).findings
    return [(each.code, each.span.line, each.fix) for each in findings if each.severity != NOTE]


def test_a_recursion_is_all_that_is_said():
    text = (
        f"{HEAD}.proc twice\nadd r0, r0, r0\ncall twice\n.end\n.proc main\nmov r0, a\ncall twice\nmov outpos, r0\nend\n.end\n"
    )
    ((code, line, fix),) = found(text)
    assert (code, line) == ("V076", 5) and "`for count`" in fix
    fixed = text.replace("add r0, r0, r0\ncall twice", "for count\nadd r0, r0, r0\n.end")
    assert found(fixed.replace(".in a", ".in a\n.consti count(3, 0, 1, 0)")) == []


def test_who_breaks_without_a_loop_wants_to_leave():
    text = f"{HEAD}.proc main\nmov outpos, a\nmov r0, a\ncmp r0, lt, lt, r0\nbreakc cmp.x\nmov r1, r0\nleave:\nend\n.end\n"
    ((code, _, fix),) = found(text)
    assert code == "V071" and fix.startswith("leave the shader with `jmpc cmp.x, LABEL`")
    assert found(text.replace("breakc cmp.x", "jmpc cmp.x, leave").replace("mov r1, r0", "nop")) == []


def test_a_vertex_shader_that_emits_is_told_at_its_setemit():
    text = f"{HEAD}.proc main\nmov outpos, a\nsetemit 0, prim\nemit\nend\n.end\n"
    (code, line, fix), *_ = [each for each in found(text) if each[0] == "V091"]
    assert (code, line) == ("V091", 5) and fix.startswith("remove `setemit` and `emit`")
    assert found(text.replace("setemit 0, prim\nemit\n", "")) == []
    ((_, line, fix),) = [each for each in found(f".gsh point c0\n{text}") if each[0] == "V091"]
    assert line == 1 and fix.startswith("remove `.gsh`")


def test_an_output_without_a_property_is_another_one():
    text = f"{HEAD}.proc main\nmov outpos, a\nmov o7, a\nend\n.end\n"
    ((code, _, fix),) = found(text)
    assert code == "V085" and "`.out NAME PROPERTY o6`" in fix
    assert found(text.replace("mov o7", "mov o6").replace(".in a", ".in a\n.out b color o6")) == []
