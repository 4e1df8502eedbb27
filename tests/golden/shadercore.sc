; RUN: listing
; Every instruction, every file, modifier and shorthand; the words stand beside it.
.input v0 position
.input v1 texcoord1
.input v7 0xE1
.output o0 position
.output o1 color0
.const c0 (1.0, -0.5, 0x3F800000, 1e-3)
.hash 0x12345678

    nop
    mov r0.x, v0.y
    add_sat r0.x, -c1.y, abs(v0.z)
    mul r1.xyz, v0.xyz, c0.x        // three instructions
    mul x0.xy, -v0.yx, abs(r1.xy)   # and two
    min r0.x, 0, 1
    max r0.x, -1, -(-1)
    rcp x1.w, o0.w
    frc r7.w, -abs(c255.w)
    exp r0.x, r0.x
    log r0.x, r0.x
    rsq r0.x, r0.x
    slt r0.x, r0.x, x7.y
    sge r0.x, abs(-1), -(1)
    sgn o1.x, -(0)
    unused
    rnd_sint23ne r0.x, r0.x
    rnd_uint24ne r0.x, r0.x
    rnd_sint16ne r0.x, r0.x
    cnv_unorm16 o2.x, o2.x
    cnv_unorm8 o1.xyzw, o1.xyzw
    shft r0.x, r0.x
    bshftl8 r0.x, r0.x
    bshftl16 r0.x, r0.x
    bshftl24 r0.x, r0.x
    bshftr8 r0.x, r0.x
    bshftr16 r0.x, r0.x
    bshftr24 r0.x, r0.x
    or NULL, r0.x, c0.z
    and r0.x, r0.x, r0.x
    cnv_f_to_half r0.x, r0.x
    cnv_half_to_f r0.x, r0.x
    cnv_u32_to_f NULL7.w, 1.y
    nop r0.x, r0.x, r0.x            ; all bits 0: writes 0.0
    mov r0.x, v0.x, r3.x            ; a second source that nothing reads
    .word 0xFFFFFFFFFFFFFFFF
    .padding 0x0000000000000001

    ; as the public tools list it
    NOP null0.x, 0.x, 0.x           // 0x00000001400280C0
    mov_saturate o1.x 10.x 00.x     // 0x00000001400301A1
    mul x0.x, r0.x, c8_neg.x        // 0x0000001090000043
    mov r1.z, c9.z_abs, 0.x         // 0x0000000148255101
    add r0.x, -10.x, c1_absneg.x
    nop 0.x, 0.x, 0.x
    end
