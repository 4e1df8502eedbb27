"""Registers of the vertex side and of what the rasterizer takes from it, as rows.

Names are those of 3dbrew and of libctru (include/3ds/gpu/registers.h, 516e3a0), without GPUREG_. A row is the number, or the
first and the last of a group, the name, the topic; then the fields with their bits and what the register does. Evidence is
3dbrew, GPU/Internal Registers, where nothing else is said.
"""

from __future__ import annotations

from functools import cache

from lanewise.core.record import Record


class Register(Record):
    """A register, or a group that does the same."""

    first: int
    "Number of the first."
    last: int
    "Number of the last."
    name: str
    "Name without GPUREG_; `#` is the number in the group, `/` parts names that take turns."
    topic: str
    "What part of the GPU it sets up."
    fields: tuple[tuple[str, int, int], ...]
    "Name, lowest and highest bit."
    about: str
    "What it does."
    evidence: str
    "Where that is known from."

    @property
    def names(self) -> tuple[str, ...]:
        """The names that take turns, with `#` in place of the number."""
        return tuple([f"GPUREG_{name}" for name in self.name.split("/")])


_3DBREW = "3dbrew, GPU/Internal Registers"
_TEXT = """
010 FINALIZE; interrupt; value 0-31; raises the interrupt of the end of a list | Azahar a2d16d4, pica_core.cpp: the list stops
040 FACECULLING_CONFIG; culling; mode 0-1; faces that are not drawn: 0 none, 1 front, 2 back
041 VIEWPORT_WIDTH; viewport; half 0-23; half of the width, float24
042 VIEWPORT_INVW; viewport; inverse 1-31; the inverse of the width
043 VIEWPORT_HEIGHT; viewport; half 0-23; half of the height, float24
044 VIEWPORT_INVH; viewport; inverse 1-31; the inverse of the height
047 FRAGOP_CLIP; clipping; on 0-0; whether a plane of the application clips too
048-04B FRAGOP_CLIP_DATA#; clipping; value 0-23; coefficients of that plane, float24
04D DEPTHMAP_SCALE; depth; value 0-23; factor of z before it is stored, float24
04E DEPTHMAP_OFFSET; depth; value 0-23; what is added to z, float24
04F SH_OUTMAP_TOTAL; output map; total 0-2; how many outputs arrive
050-056 SH_OUTMAP_O#; output map; x 0-4, y 8-12, z 16-20, w 24-28; the property of each component of an output
061 EARLYDEPTH_FUNC; early depth; function 0-1; comparison of the early depth test
062 EARLYDEPTH_TEST1; early depth; on 0-0; whether there is an early depth test
063 EARLYDEPTH_CLEAR; early depth; trigger 0-0; clears the early depth buffer
064 SH_OUTATTR_MODE; output map; textures 0-0; whether texture coordinates are used
065 SCISSORTEST_MODE; scissor; mode 0-1; 0 off, 1 outside is drawn, 3 inside is drawn | 3dbrew; Azahar a2d16d4,
    sw_rasterizer.cpp: both corners of the rectangle belong to it
066 SCISSORTEST_POS; scissor; x 0-9, y 16-25; first column and row
067 SCISSORTEST_DIM; scissor; x 0-9, y 16-25; last column and row
068 VIEWPORT_XY; viewport; x 0-9, y 16-25; lower left corner, signed
06A EARLYDEPTH_DATA; early depth; value 0-23; value to which the early depth buffer is cleared
06D DEPTHMAP_ENABLE; depth; z 0-0; 1 z-buffer, 0 w-buffer | 3dbrew; Azahar a2d16d4, sw_rasterizer.cpp: a w-buffer
    has (z / w * scale + offset) * w
06E RENDERBUF_DIM; target; width 0-10, height 12-21; size of the render buffer; the height less one
06F SH_OUTATTR_CLOCK; output map; clocks 0-31; properties whose logic is clocked
100 COLOR_OPERATION; fragments; mode 0-1, blending 8-8; what happens to a fragment
101 BLEND_FUNC; fragments; colour 0-2, alpha 8-10; how fragments are blended
102 LOGIC_OP; fragments; operation 0-3; logical operation in place of blending
103 BLEND_COLOR; fragments; colour 0-31; constant colour of blending
104 FRAGOP_ALPHA_TEST; fragments; on 0-0, function 4-6, reference 8-15; alpha test
105 STENCIL_TEST; fragments; on 0-0, function 4-6; stencil test
106 STENCIL_OP; fragments; fail 0-2, depth 4-6, pass 8-10; what happens to the stencil
107 DEPTH_COLOR_MASK; depth; on 0-0, function 4-6, red 8-8, green 9-9, blue 10-10, alpha 11-11, depth 12-12; depth test,
    what is written
110 FRAMEBUFFER_INVALIDATE; target; trigger 0-0; forgets the cache of the frame buffer
111 FRAMEBUFFER_FLUSH; target; trigger 0-0; writes the cache of the frame buffer back
112 COLORBUFFER_READ; target; mask 0-3; whether colours are read
113 COLORBUFFER_WRITE; target; mask 0-3; whether colours are written
114 DEPTHBUFFER_READ; target; mask 0-1; whether depth and stencil are read
115 DEPTHBUFFER_WRITE; target; mask 0-1; whether depth and stencil are written
116 DEPTHBUFFER_FORMAT; target; format 0-1; format of depth
117 COLORBUFFER_FORMAT; target; size 0-1, format 16-18; format of colours
118 EARLYDEPTH_TEST2; early depth; on 0-0; whether there is an early depth test
11B FRAMEBUFFER_BLOCK32; target; mode 0-0; size of the blocks of pixels
11C DEPTHBUFFER_LOC; target; address 0-27; physical address of depth / 8
11D COLORBUFFER_LOC; target; address 0-27; physical address of colours / 8
11E FRAMEBUFFER_DIM; target; width 0-10, height 12-21; size of the frame buffer; the height less one
200 ATTRIBBUFFERS_LOC; attributes; address 1-28; physical address / 16 that offsets count from
201 ATTRIBBUFFERS_FORMAT_LOW; attributes; formats 0-31; type (2 bits) and elements less one (2 bits) of attributes 0 to 7
202 ATTRIBBUFFERS_FORMAT_HIGH; attributes; formats 0-15, defaults 16-27, last 28-31; formats of attributes 8 to 11, a bit
    for each attribute that is a default, number of the last attribute
203-226 ATTRIBBUFFER#_OFFSET/ATTRIBBUFFER#_CONFIG1/ATTRIBBUFFER#_CONFIG2; attributes; value 0-31;
    for each of 12 loaders: offset, components 0 to 7, components 8 to 11 with stride (16-23) and count (28-31)
227 INDEXBUFFER_CONFIG; indices; offset 0-27, wide 31-31; offset of the index list, and whether an index has 16 bits
228 NUMVERTICES; vertices; count 0-31; how many vertices are drawn
229 GEOSTAGE_CONFIG; geometry; used 0-1, triangles 8-8, variable 31-31; whether a geometry shader runs, and its kind of
    index list
22A VERTEX_OFFSET; vertices; first 0-31; first vertex of arrays
22D POST_VERTEX_CACHE_NUM; vertices; count 0-7; entries of the cache of vertices
22E DRAWARRAYS; trigger; trigger 0-31; draws vertices in order
22F DRAWELEMENTS; trigger; trigger 0-31; draws vertices by the index list
231 VTX_FUNC; vertices; trigger 0-31; clears the cache of vertices
232 FIXEDATTRIB_INDEX; defaults; index 0-3; the default attribute that is written, 15 for vertices of immediate mode
233-235 FIXEDATTRIB_DATA#; defaults; data 0-31; packed float24: three words for x, y, z and w | Azahar a2d16d4: the index
    goes on by itself
238-239 CMDBUF_SIZE#; lists; size 0-19; bytes of a list / 8
23A-23B CMDBUF_ADDR#; lists; address 0-27; physical address of a list / 8
23C-23D CMDBUF_JUMP#; lists; trigger 0-31; goes on with that list; what follows in the old one is not executed | Azahar
    a2d16d4, pica_core.cpp
242 VSH_NUM_ATTR; vertex inputs; last 0-3; number of the last attribute of immediate mode
244 VSH_COM_MODE; geometry; exclusive 0-0; 0: what the vertex unit is sent goes to the geometry unit too
245 START_DRAW_FUNC0; vertices; configuring 0-0; 0 while vertices are drawn, 1 while registers are written
24A VSH_OUTMAP_TOTAL1; output map; last 0-3; outputs of the vertex shader less one
251 VSH_OUTMAP_TOTAL2; output map; last 0-3; outputs of the vertex shader less one
252 GSH_MISC0; geometry; mode 0-7, vertices 8-11, stride 12-15, start 16-23; 0 point, 1 variable, 2 fixed; vertices and
    stride less one, first uniform
253 GEOSTAGE_CONFIG2; geometry; arrays 0-0, triangles 8-8; kind of the draw
254 GSH_MISC1; geometry; vertices 0-4; variable mode: vertices with all their outputs, less one
25E PRIMITIVE_CONFIG; primitives; outputs 0-3, topology 8-9; outputs less one; 0 triangles, 1 strip, 2 fan, 3 geometry
25F RESTART_PRIMITIVE; primitives; trigger 0-0; begins a new strip or fan
280 GSH_BOOLUNIFORM; geometry uniforms; values 0-15; booleans
281-284 GSH_INTUNIFORM_I#; geometry uniforms; x 0-7, y 8-15, z 16-23, w 24-31; integers
289 GSH_INPUTBUFFER_CONFIG; geometry; last 0-3, uniforms 8-8; number of the last input
28A GSH_ENTRYPOINT; geometry program; entry 0-15; word at which it begins
28B-28C GSH_ATTRIBUTES_PERMUTATION_LOW/GSH_ATTRIBUTES_PERMUTATION_HIGH; geometry; registers 0-31;
    the input register of each attribute, 4 bits each
28D GSH_OUTMAP_MASK; output map; registers 0-15; a bit for each o register that goes on
28F GSH_CODETRANSFER_END; geometry program; trigger 0-0; the end of code
290 GSH_FLOATUNIFORM_CONFIG; geometry uniforms; index 0-7, wide 31-31; first uniform that is sent, and whether as float32
291-298 GSH_FLOATUNIFORM_DATA#; geometry uniforms; data 0-31; three words of float24, or four of float32, w first
29B GSH_CODETRANSFER_CONFIG; geometry program; index 0-11; first word of code that is sent
29C-2A3 GSH_CODETRANSFER_DATA#; geometry program; data 0-31; code
2A5 GSH_OPDESCS_CONFIG; geometry program; index 0-11; first operand descriptor that is sent
2A6-2AD GSH_OPDESCS_DATA#; geometry program; data 0-31; operand descriptors
2B0 VSH_BOOLUNIFORM; vertex uniforms; values 0-15; booleans
2B1-2B4 VSH_INTUNIFORM_I#; vertex uniforms; x 0-7, y 8-15, z 16-23, w 24-31; integers
2B9 VSH_INPUTBUFFER_CONFIG; vertex inputs; last 0-3; number of the last attribute
2BA VSH_ENTRYPOINT; vertex program; entry 0-15; word at which it begins
2BB-2BC VSH_ATTRIBUTES_PERMUTATION_LOW/VSH_ATTRIBUTES_PERMUTATION_HIGH; vertex inputs; registers 0-31;
    the input register of each attribute, 4 bits each
2BD VSH_OUTMAP_MASK; output map; registers 0-15; a bit for each o register that goes on
2BF VSH_CODETRANSFER_END; vertex program; trigger 0-0; the end of code
2C0 VSH_FLOATUNIFORM_CONFIG; vertex uniforms; index 0-7, wide 31-31; first uniform that is sent, and whether as float32
2C1-2C8 VSH_FLOATUNIFORM_DATA#; vertex uniforms; data 0-31; three words of float24, or four of float32, w first
2CB VSH_CODETRANSFER_CONFIG; vertex program; index 0-11; first word of code that is sent
2CC-2D3 VSH_CODETRANSFER_DATA#; vertex program; data 0-31; code
2D5 VSH_OPDESCS_CONFIG; vertex program; index 0-11; first operand descriptor that is sent
2D6-2DD VSH_OPDESCS_DATA#; vertex program; data 0-31; operand descriptors
"""
# Registers whose last value says nothing about a draw: triggers, indices that go on by themselves, data that was sent.
PASSING = frozenset(
    [
        0x10, 0x63, 0x110, 0x111, *range(0x22E, 0x240), 0x245, 0x25F,
        *range(0x28F, 0x299), *range(0x29B, 0x2AE), *range(0x2BF, 0x2C9), *range(0x2CB, 0x2DE),
    ]
)  # fmt: skip


@cache
def table() -> tuple[Register, ...]:
    """All rows, by number. Raises ValueError for rows that overlap."""
    found: list[Register] = []
    for line in _TEXT.strip().replace("\n    ", " ").splitlines():
        head, topic, fields, about = line.split("; ", 3)
        numbers, name = head.split()
        first, _, last = numbers.partition("-")
        about, _, evidence = about.partition(" | ")
        row = Register(
            first=int(first, 16),
            last=int(last or first, 16),
            name=name,
            topic=topic,
            fields=tuple([_field(field) for field in fields.split(", ")]),
            about=about,
            evidence=evidence or _3DBREW,
        )
        if found and row.first <= found[-1].last:
            raise ValueError(f"{row.name} overlaps {found[-1].name}")
        found.append(row)
    return tuple(found)


@cache
def rows() -> dict[int, Register]:
    """The row of each number."""
    return {number: row for row in table() for number in range(row.first, row.last + 1)}


def name_of(number: int) -> str:
    """The name of a register; its number where it has no row."""
    row = rows().get(number)
    if row is None:
        return f"register 0x{number:03X}"
    turn, which = divmod(number - row.first, len(row.names))
    return row.names[which].replace("#", f"{turn:X}")


def _field(text: str) -> tuple[str, int, int]:
    name, bits = text.rsplit(" ", 1)
    low, high = bits.split("-")
    return name, int(low), int(high)
