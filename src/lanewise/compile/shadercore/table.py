"""The specification's table of Direct3D 9 instructions, with a program per row.

`becomes` is the sequence of the specification, verbatim; `body` is our own smallest program around the instruction, which the
page docs/direct3d9-table.md and its test read, write, check, run and compile. Sources: specification, Table of
Supported/Unsupported D3D Shader Instructions; reference 4 and 6 for its errors.
"""

from __future__ import annotations

from lanewise.core.record import Record

_VS = "dcl_position v0\ndcl_normal v1\ndcl_texcoord v2\n"
FLOW = "Unsupported (flow control)"
PIXEL = "Unsupported (PS only)"


class TableRow(Record):
    """A row."""

    name: str
    "The instruction as the specification spells it."
    release: str
    "The first versions with it, by the specification."
    supported: bool
    "The specification supports it."
    becomes: str
    "The sequence of the specification, verbatim."
    version: str
    "The version of `body`."
    body: str
    "Our own smallest program around the instruction, without version and declarations."
    line: str = ""
    "The beginning of the instruction in `body` that the row is about; empty: the name."
    slip: str = ""
    "The error in the sequence; empty for none."

    @property
    def source(self) -> str:
        """The program."""
        declarations = _VS if self.version.startswith("vs") else ""
        return f"{self.version}\n{declarations}{self.body}\n"

    @property
    def instruction(self) -> str:
        return self.line or self.name


def _vs(name: str, release: str, becomes: str, operands: str, slip: str = "", version: str = "vs_2_0") -> TableRow:
    """A row of a vertex instruction that writes oPos."""
    return TableRow(
        name=name, release=release, supported=True, becomes=becomes, version=version, body=f"{name} {operands}", slip=slip
    )


def _flow(name: str, release: str, body: str, line: str = "", version: str = "vs_2_x") -> TableRow:
    return TableRow(name=name, release=release, supported=False, becomes=FLOW, version=version, body=body, line=line)


def _ps(name: str, release: str, body: str, version: str = "ps_2_0", line: str = "") -> TableRow:
    return TableRow(name=name, release=release, supported=False, becomes=PIXEL, version=version, body=body, line=line)


_DOT = "one product and two sums are those of one component of a vector operation"
_IF = "mov r0, v0\nif_gt v0.x, c0.x\nmov r0, v1\nelse\nadd r0, r0, v2\nendif\nmov oPos, r0"
_REP = "defi i0, 3, 0, 0, 0\nmov r0, v0\nrep i0\nadd r0, r0, v1\nendrep\nmov oPos, r0"
_LOOP = "defi i0, 3, 0, 1, 0\nmov r0, v0\nloop aL, i0\nadd r0, r0, c[aL]\nendloop\nmov oPos, r0"
_CALL = "mov r0, v0\ncall l0\nmov oPos, r0\nret\nlabel l0\nadd r0, r0, v1\nret"
_TEXTURE = "dcl t0\ndcl_2d s0\n{} r0, t0, s0\nmov oC0, r0"

ROWS = (
    _vs("abs", "vs_2_0/ps_2_0", "MOV dest, src0_abs", "oPos, v0"),
    _vs("add", "vs_1_0/ps_1_0", "ADD dest, src0, src1", "oPos, v0, c0"),
    _flow(
        "break",
        "vs_2_x/ps_2_x",
        "defi i0, 3, 0, 0, 0\nmov r0, v0\nrep i0\nif_gt r0.x, v1.x\nbreak\nendif\nadd r0, r0, v2\nendrep\nmov oPos, r0",
    ),
    _flow(
        "break_comp",
        "vs_2_x/ps_2_x",
        "defi i0, 3, 0, 0, 0\nmov r0, v0\nrep i0\nbreak_gt r0.x, v1.x\nadd r0, r0, v2\nendrep\nmov oPos, r0",
        "break_gt",
    ),
    _flow(
        "breakp",
        "vs_2_x/ps_2_x",
        "defi i0, 3, 0, 0, 0\nmov r0, v0\nsetp_gt p0.x, v0.x, c0.x\nrep i0\nbreakp p0.x\nadd r0, r0, v2\nendrep\nmov oPos, r0",
    ),
    _flow("call", "vs_2_0/ps_2_x", _CALL, version="vs_2_0"),
    _flow("callnz", "vs_2_0/ps_2_x", _CALL.replace("call l0", "callnz l0, b0"), version="vs_2_0"),
    _flow("callnzp", "vs_2_x/ps_2_x", _CALL.replace("call l0", "setp_gt p0.x, v0.x, c0.x\ncallnz l0, p0.x"), "callnz"),
    _ps("cmp", "ps_1_2", "dcl t0\ncmp r0, t0, c0, -c0\nmov oC0, r0"),
    TableRow(
        name="crs",
        release="vs_2_0/ps_2_0",
        supported=True,
        becomes="MUL, MUL, ADD, MUL, ADD, MUL, ADD",
        version="vs_2_0",
        body="crs r0.xyz, v0, c0\nmov r0.w, v2\nmov oPos, r0",
        slip="six products are needed, MUL MUL ADD for each component; this has four",
    ),
    TableRow(
        name="dp2add",
        release="ps_2_0",
        supported=True,
        becomes="MUL, ADD, ADD",
        version="ps_2_0",
        body="dcl t0\ndp2add r0, t0, c0, c0.x\nmov oC0, r0",
        slip=_DOT,
    ),
    _vs("dp3", "vs_1_1/ps_1_1", "MUL, ADD, ADD", "oPos, v0, c0", _DOT),
    _vs("dp4", "vs_1_1/ps_1_2", "MUL, ADD, ADD", "oPos, v0, c0", "a sum of four products takes three ADD, and four MUL"),
    _vs("dst", "vs_1_1", "MOV, MUL, MOV, MOV", "oPos, v0, c0"),
    _ps("dsx", "ps_2_x", "dcl t0\ndsx r0, t0\nmov oC0, r0", "ps_2_x"),
    _ps("dsy", "ps_2_x", "dcl t0\ndsy r0, t0\nmov oC0, r0", "ps_2_x"),
    _flow("else", "vs_2_0/ps_2_x", _IF),
    _flow("endif", "vs_2_0/ps_2_x", _IF),
    _flow("endloop", "vs_2_0/ps_3_0", _LOOP, version="vs_2_0"),
    _flow("endrep", "vs_2_0/ps_2_x", _REP, version="vs_2_0"),
    _vs("exp", "vs_1_1/ps_2_0", "EXP dest, src0", "oPos, v0.x"),
    _vs("expp", "vs_1_1", "EXP dest, src0", "oPos, v0.x"),
    _vs("frc", "vs_1_1/ps_2_0", "FRC dest, src0", "oPos, v0"),
    _flow("if", "vs_2_0/ps_2_x", _IF.replace("if_gt v0.x, c0.x", "if b0"), version="vs_2_0"),
    _flow("ifc", "vs_2_x/ps_2_x", _IF, "if_gt"),
    _flow("ifp", "vs_2_x/ps_2_x", _IF.replace("if_gt v0.x, c0.x", "setp_gt p0.x, v0.x, c0.x\nif p0.x"), "if p0"),
    _vs(
        "lit",
        "vs_1_1",
        "SLT, MUL, MUL, LOG, MUL, EXP, MUL, MOV",
        "oPos, v0",
        "the clamps of y and of the exponent are missing, and 0 times an infinite power is not 0",
    ),
    _vs("log", "vs_1_1/ps_2_x", "LOG dest, src0", "oPos, v0.x", "a source may be negative: LOG of its magnitude"),
    _vs("logp", "vs_1_1", "LOG dest, src0", "oPos, v0.x", "a source may be negative: LOG of its magnitude"),
    _flow("loop", "vs_2_0/ps_3_0", _LOOP, version="vs_2_0"),
    _vs("lrp", "vs_2_0/ps_1_1", "ADD, MUL, ADD", "oPos, v0, c0, v0"),
    _vs("m3x2", "vs_1_1/ps_2_0", "MUL, ADD, ADD, MUL, ADD, ADD", "oPos.xy, v0, c0\nmov oPos.zw, v0", _DOT),
    _vs("m3x3", "vs_1_1/ps_2_0", "MUL, ADD, ADD, MUL, ADD, ADD, MUL, ADD, ADD", "oPos.xyz, v0, c0\nmov oPos.w, v0", _DOT),
    _vs("m3x4", "vs_1_1/ps_2_0", "MUL, ADD, ADD, MUL, ADD, ADD, MUL, ADD, ADD, MUL, ADD, ADD", "oPos, v0, c0", _DOT),
    _vs(
        "m4x3",
        "vs_1_1/ps_2_0",
        "MUL, ADD, ADD, ADD, MUL, ADD, ADD, ADD, MUL, ADD, ADD, ADD",
        "oPos.xyz, v0, c0\nmov oPos.w, v0",
        _DOT,
    ),
    _vs(
        "m4x4",
        "vs_1_1/ps_2_0",
        "MUL, ADD, ADD, ADD, MUL, ADD, ADD, ADD, MUL, ADD, ADD, ADD, MUL, ADD, ADD, ADD",
        "oPos, v0, c0",
        _DOT,
    ),
    _vs("mad", "vs_1_1/ps_1_1", "MUL, ADD", "oPos, v0, c0, v0"),
    _vs("max", "vs_1_1/ps_2_0", "MAX dest, src0, src1", "oPos, v0, c0"),
    _vs("min", "vs_1_1/ps_2_0", "MIN dest, src0, src1", "oPos, v0, c0"),
    _vs("mov", "vs_1_0/ps_1_0", "MOV dest, src0", "oPos, v0"),
    TableRow(
        name="mova",
        release="vs_2_0",
        supported=True,
        becomes="RND_SINT23NE dest, src0",
        version="vs_2_0",
        body="mova a0.x, v2.x\nadd oPos, v0, c[a0.x+10]",
        slip="the device has no address register for an integer: the compiler compares the index and selects a register",
    ),
    _vs("mul", "vs_1_0/ps_1_0", "MUL dest, src0, src1", "oPos, v0, c0"),
    TableRow(
        name="nop",
        release="vs_1_0/ps_1_0",
        supported=True,
        becomes="NOP",
        version="vs_2_0",
        body="nop\nmov oPos, v0",
        slip="it needs no code and takes no slot",
    ),
    TableRow(
        name="nrm",
        release="vs_2_0/ps_2_0",
        supported=True,
        becomes="MUL, ADD, ADD, RSQ, MUL, MUL",
        version="vs_2_0",
        body="nrm r0, v0\nmov oPos, r0",
        slip="the two MUL would divide by the square of the length",
    ),
    _vs("pow", "vs_2_0/ps_2_0", "LOG, MUL, EXP, MOV", "oPos, v0.x, c0.x", "LOG of the base's magnitude"),
    _vs("rcp", "vs_1_1/ps_2_0", "RCP dest, src0", "oPos, v0.x"),
    _flow("rep", "vs_2_0/ps_2_x", _REP, version="vs_2_0"),
    _flow("ret", "vs_2_0/ps_2_x", _CALL, version="vs_2_0"),
    _vs("rsq", "vs_1_1/ps_2_0", "RSQ dest, src0", "oPos, v0.x", "a source may be negative: RSQ of its magnitude"),
    _flow("setp_comp", "vs_2_x/ps_2_x", "mov r0, v0\nsetp_gt p0, v0, c0\n(p0) mov r0, v2\nmov oPos, r0", "setp_gt"),
    _vs("sge", "vs_1_1", "SGE dest, src0, src1", "oPos, v0, c0"),
    TableRow(
        name="sgn",
        release="vs_2_0",
        supported=True,
        becomes="SGN dest, src0",
        version="vs_2_0",
        body="sgn r0, v0, r1, r2\nmov oPos, r0",
    ),
    TableRow(
        name="sincos",
        release="vs_2_0/ps_2_0",
        supported=False,
        becomes="Unsupported. Would be: MUL, MUL, MUL, MUL, ADD, MUL, MUL, ADD, ADD, MUL, ADD, ADD",
        version="vs_3_0",
        body="dcl_position o0\nsincos r0.xy, v0.x\nmov r0.zw, v0\nmov o0, r0",
        slip="twelve instructions compute only the cosine",
    ),
    _vs("slt", "vs_1_1", "SLT dest, src0, src1", "oPos, v0, c0"),
    _vs("sub", "vs_1_1/ps_1_1", "ADD dest, src0, -src1", "oPos, v0, c0"),
    _ps("texkill", "ps_1_1", "dcl t0\ntexkill t0\nmov oC0, t0"),
    _ps("tex/texld", "ps_1_1", _TEXTURE.format("texld"), line="texld"),
    _ps("texldb", "ps_2_0", _TEXTURE.format("texldb")),
    _ps("texldd", "ps_2_x", "dcl t0\ndcl_2d s0\ntexldd r0, t0, s0, t0, t0\nmov oC0, r0", "ps_2_x"),
    _ps("texldl", "vs_3_0/ps_3_0", "dcl_texcoord v0\ndcl_2d s0\ntexldl r0, v0, s0\nmov oC0, r0", "ps_3_0"),
    _ps("texldp", "ps_2_0", _TEXTURE.format("texldp")),
)
