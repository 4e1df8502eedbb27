; every kind of token
# and a comment
// and another
.input v0 position
.OUTPUT o1 texcoord1
.const c0 (1.0, .5, 0x3F800000, -2e3)
.hash 0xFFFFFFFF
    mul_sat r0.xyz, -c0.y, abs(v0.z)
    ADD o1.x, -1.x, 10.x
    rnd_sint16ne NULL, c8_neg.x
    cnv_half_to_f x0.w, c9.w_abs
    add_saturate r1.X 0.x 1.x ; 0x00000001400280C0
    mov r2.xyzw, addend.x
    end
