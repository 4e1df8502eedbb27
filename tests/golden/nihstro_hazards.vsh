// RUN: lint
.alias pos o0 as position
.alias clr o1 as color
.alias tex o2.xy as texcoord0
.alias unused c0-c3
.alias used c4
.alias third c5 as (0.33333333, 1e30, 1e-30, -0.1)
.alias nan c6 as (0x7F0001, 0x000001, 0, 0)
.alias times i0 as (255, 0, 1, 0)
.alias way b0
.alias in v0
main:
    mova a0.x, in.x
    mova a0.y, in.y
    mova a0.x, in.z  // the second pair: lanewise: ignore[V070]
    mov pos, used[a0]
    mov pos.x, nan.x
    mul r0, third, in
    mov clr.xyz, r1.xyz
    if way
        mov tex, in.xy
    endif
    if cc.x
        loop times
            add r3, r3, used[lcnt]
        endloop
        mov clr.w, r3.w
    endif
    call sub until sub_end
    emit
    breakc cc.y
    mov o3, in // lanewise: ignore[V085, V084]
    nop
    end
sub:
    add r2.xyz, r0.xyz, used.xyz
sub_end:
