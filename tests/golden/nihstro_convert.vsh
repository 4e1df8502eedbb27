// RUN: convert
// Has a flow of its own: a subroutine between labels, jumps, loops, both kinds of conditions, relative addressing.
.alias bones c0-c11
.alias light c12
.alias part light.xyz
.alias k c95 as (0.0, 1.0, 0.5, 3.0)
.alias count i0 as (2, 0, 3, 0)
.alias fancy b1
.alias place v0
.alias weights v1
.alias outpos o0 as position
.alias outclr o1.xyz as color
.alias outtex o2.xy as texcoord0

sum:
    mad r2, r3.xxxx, bones[lcnt], r2
    add r2, bones[lcnt+1], r2
sum_end:
main:
    mov r2, k.xxxx
    mov r3, weights
    loop count
        call sum until sum_end
        nop
        cmp r2.xy, k.wx, >, <
        breakc cc.x && !cc.y
        nop
    endloop
    nop
    mul r4.xy, k.ww, r3.xy
    mova r4.xy
    dp4 r5.y, bones[a0+2], place
    rcp r5.y, r5.y
    jmp dark if !fancy
    max r6.xyz, part, r2.xxx
    if cc.x || cc.y
        mov r6.x, k.y
    else
        mov r6.x, k.z
    endif
dark:
    lit r7.xw, r5.xyzw
    mov outpos, r2
    mov outclr, r6.xyz
    mov outtex, r5.yy
    end
