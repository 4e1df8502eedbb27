// RUN: listing
.version 0.1
.alias table c8-c15
.alias k c95 as (0.0, 1.0, -2.5, 1e-3)
.alias kx c94.xy as (0.5, 2.0)
.alias ki i3 as (7, 0, 2, 255)
.alias kb b7 as 1
.alias rounds i0
.alias lit_on b0
.alias place v0
.alias normal v1.xyz
.alias out o0 as position
.alias tint o1 as color
.alias uv0 o2.xy as texcoord0
.alias uv1 o2.zw as texcoord1
.alias quat o3 as quaternion
.alias eye o4.xyz as view
.alias raw c93 as (0x7FFFFF, 0x000001, inf, -inf)

main:
    mov r0, place
    MOV r1.xy, -normal.zy
    add r2, r0, table[2]          # exchanged: the uniform goes first
    mul r3.w, k.x, r2.y
    mad r4, r0, r1, k
    mad r5.xy, kx, r0.zw, r1.xy   ; exchanged
    mad r5.zw, r0.zw, table[a1+1].xy, r1.xy
    max r6, r0, k
    min r7.yz, k.xy, r6.xy
    flr r8, r7
    rcp r9.x, r8.y
    rcp r9.yz, r8.ww
    rsq r9.w, r8.x
    exp r10.x, r9.x
    ex2 r10.y, r9.x
    log r10.z, r9.x
    lg2 r10.w, r9.x
    dp3 r11.x, r0.xyz, normal
    dp4 r11.y, place, k
    dph r11.z, r0.xyz, k
    dph r11.w, table[0], r0.xyz
    sge r12, r0, k
    slt r12.x, r0.y, k.z
    dst r13, r0, k
    dst r13.y, r0.xyzw, r1.xyzw
    lit r14, r0
    litp r14.xw, r0.xw
    cmp r0.xy, r1.zw, ==, !=
    cmp r0.xy, k.xy, <, >=
    mova r0.xy
    nop
    mova a0.y, r0.x
    mov r15, table[a0+1]
    mov r15, table[lcnt-1]
    mov r15, table[1+aL+2]
    if cc.x
        nop
    else
        nop
        nop
    endif
    nop
    if !cc.x || cc.y
        if lit_on
            nop
        endif
        nop
    endif
    nop
    if cc.xy
        nop
    endif
    nop
    if !cc.xy
        nop
    endif
    nop
    loop rounds
        breakc cc.x && !cc.y
        nop
        break
        nop
    endloop
    nop
    loop ki
        break cc.y
        nop
    endloop
again:
    jmp again if !cc.x
    jmp again if lit_on
    jmp leave if !kb
    call sub until sub_end
    call sub until sub_end if cc.x || cc.y
    call sub until sub_end if lit_on
leave:
    mov out, r0
    mov tint, r1
    mov uv0, r2.xy
    mov uv1, r3.xy
    mov quat, r4
    mov eye, r5.xyz
    end
sub:
    nop
    nop
sub_end:
