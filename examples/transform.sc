; A ShaderCore vertex shader: rotate and move a position by the rows of a matrix, divide by w, pass a colour on.
.input v0 position
.input v1 color
.output o0 position
.output o1 color
.const c0 (1.0, 0.0, 0.0, 0.0)
.const c1 (0.0, 1.0, 0.0, 0.0)
.const c2 (0.0, 0.0, 1.0, -4.0)
.const c3 (0.0, 0.0, -1.0, 0.0)

    ; an instruction may read one constant: the rows are taken one by one
    mul r0.xyz, v0.xyz, c0.xyz
    mul r1.xyz, v0.xyz, c1.xyz
    mul r2.xyz, v0.xyz, c2.xyz
    mul r3.xyz, v0.xyz, c3.xyz
    add r0.x, r0.x, r0.y
    add r1.x, r1.x, r1.y
    add r2.x, r2.x, r2.y
    add r3.x, r3.x, r3.y
    add r0.x, r0.x, r0.z
    add r1.x, r1.x, r1.z
    add r2.x, r2.x, r2.z
    add r3.x, r3.x, r3.z
    add r0.x, r0.x, c0.w
    add r1.x, r1.x, c1.w
    add r2.x, r2.x, c2.w
    add o0.w, r3.x, c3.w

    rcp x0.x, o0.w
    mov_sat o1.xyzw, v1.xyzw    ; needs no reciprocal: something to do until it is there
    mul o0.x, r0.x, x0.x
    mul o0.y, r1.x, x0.x
    mul o0.z, r2.x, x0.x
    end
