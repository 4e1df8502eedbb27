// RUN: check
.version new
.include missing
// a file that is missing is in tests/unit/core/test_including.py
.fvec matrix[4]
.aliass k c0
.alias
.alias 3 c0
.alias mov c0
.alias r3 c0
.alias gl_Position o0 as position
.alias k c0-c2
.alias k c1
.alias m q0
.alias m c96
.alias n -c0
.alias n c0[a0]
.alias range c0-c3.x
.alias range c3-c0
.alias range c0-i1
.alias range c0-c3 as (1, 2, 3, 4)
.alias f c2 as (1, 2, 3)
.alias f23 c2 as (1, 2, 3, 4, 5)
.alias f24 c2 as (1, two, 3, 4)
.alias f25 c2 as (1.2.3, 2, 3, 4)
.alias f26 c2 as (1, 2, 3, 4
.alias f27 c2.yx as (1, 2)
.alias i i0 as (1, 2, 3, 256)
.alias b b0 as 2
.alias v v0 as 1
.alias pos o0
.alias pos o0 as positon
.alias pos v0 as position
.alias pos o9 as position
.alias pos o0.yx as position
.alias pos o0 as position extra
.alias big c4 as (1e30, 1e-30, 0.0, -1e30)
.alias zw v1.zw
.alias outpos o0 as position
.alias outpos2 o0 as color
.entry
.word 0x123456789
.opdesc 1
.gsh sphere
.symbol plain
main: nop
main:
main:
12:
    sub r0, r1, r2
    mov
    mov r0
    mov r0 r1
    mov r0, r1, r2
    mov r0,, r1
    mov r0, 1.0
    mov r0, speed
    mov r0, R1
    mov r16, r1
    mov r0, a0
    mov r0, cc.x
    mov r0, outpos
    mov r0, o0
    mov r0, i0
    mov c0, r0
    mov -r0, r1
    mov r0[a0], r1
    mov r0.yx, r1.xy
    mov r0.xx, r1.xy
    mov r0.xy, r1.xyz
    mov r0.xy, r1.x
    mov r0.x, r1.q
    mov r0.rgb, r1.rgb
    mov r0., r1
    mov r0.xyzwx, r1
    mov r0, c0[
    mov r0, c0[a0
    mov r0, c0[a0+a1]
    mov r0, c0[-a0]
    mov r0, c0[r1]
    mov r0, c0[1.5]
    mov r0, c0[1*2]
    mov r0, c95[1]
    mov r0, v0[a0]
    mov r0, r15[1]
    mov r0, k[3]
    mov r0.x, zw.x
    mov r0.x, zw.z
    add r0, c0, c1
    add r0, v0, v2
    mad r0, c0, c1, c2
    rcp r0.xy, r1.zw
    dp3 r0.x, r1, r2
    dp4 r0.x, r1.xyz, r2
    dph r0.x, r1.xy, r2.xy
    cmp r0, r1, <, <
    cmp r0.xy, r1.xy, lt, <
    cmp r0.xy, r1.xy, <
    mova r0
    mova a0.z, r0.x
    if
    if cc.z
    endif
    if cc.x && cc.x
    endif
    if cc.x && b0
    endif
    if !b0
    endif
    if i0
    endif
    if cc.x cc.y
    endif
    loop
    endloop
    loop b0
    endloop
    else
    endif
    endloop
    loop i0
        else
    endif
    endloop
    if b0
        nop
    else
        nop
    else
        nop
    endif
    break b0
    jmp main
    jmp if b0
    jmp nowhere if
    call main
    call main until
    call main until main if !b0
    setemitraw
    setemitraw x
    setemitraw 4
    setemitraw 1, prim inv
    setemitraw 1, flip
    ?
    end extra
    if b0
