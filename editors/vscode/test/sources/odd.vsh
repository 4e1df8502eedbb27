// every kind of token
# and a comment
; and another
.include "common.inc" // file
.alias projection c0-c3
.alias k c95 as (0.5, -1e-3, 0x3F0000, 2)
.alias pos o0.xyzw as position
main:
    MOV r0.xyz, -k.xxx
    if cc.x && !cc.y
        call helper until done if b0
    else
        loop i0
            mul r1, projection[lcnt + 1], r0.rgba
            break b1
        endloop
    endif
    jmp main if !b2
    cmp r0.xy, k.xy, <=, ==
    setemitraw 1, prim, inv
    addend mov_x r0x
    end
