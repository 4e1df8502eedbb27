; RUN: check
.inputs v0 position
.input v8 position
.input v0 tangent
.input v1
.input v2 psize
.input v2 fog
.output v0 position
.const c0 (1, 2, 3)
.const c0 1, 2, 3, 4
.const c256 (1, 2, 3, 4)
.const c1 (1, 2, inf, 4)
.const c1 (1, 1e99, 3, 4)
.hash 12
.hash 0x1
.hash 0x2
.word 0x10000000000000000
.word
loop:
    addd r0.x, r1.x, r2.x
    add_neg r0.x, r1.x, r2.x
    add r0.x, r1.x
    mov r0.x, r1.x, r2.x, r3.x
    end r0.x
    mov r8.x, r0.x
    mov r0.x, c256.x
    mov r0.x, a0.x
    mov r0.x, 0.5
    mov r0.x, 2
    mov r0.x, r01.x
    mov r0, r1.x
    mov r0.x, r1
    mov r0.xyzwx, 0
    mov r0., 0
    mov r0.a, 0
    mov v0.x, 0
    mov c0.x, 0
    mov 1, 0
    mov r0.x, NULL
    mov -r0.x, 0
    mov r0_neg.x, 0
    mov r0.x, -abs(-r1.x)
    mov r0.x, -c1_abs.x
    mov r0.x, r1_half.x
    mov r0.x, (r1.x)
    mov r0.x, abs(r1.x
    mov r0.x,, r1.x
    mul r0.xyz, r1.xy, r2.xyz
    mul r0.x, r1.xy, r2.x
    mul r0.xy, r0.yx, r1.x
    mul r0.xx, 0, 0
    mov r0.x, r1.x    // 0x0000000000000000
    mul r0.x, r1.x, r1.x; rcp r0.x, r0.x
    mov r0.x, r1.x; end
    rcp r1.x, r0.x  -- one over the product
    nop  -- nothing
    .output o7 color -- of the light
    -- a line
    mov r0.x, --r1.x
    end
    nop
