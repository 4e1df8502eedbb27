; A lit vertex: position and normal by matrices, light that is scattered, and a highlight.
; c0 to c3: rows to clip space. c4 to c6: rows of the normal. c7: to the light. c8: half way to the eye.
; c9: colour of the surface. c10: colour of the highlight.
.input v0 position
.input v1 normal
.output o0 position
.output o1 color

    ; position, a row after the other
    mul r0.xyz, v0.xyz, c0.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.x, r0.x, c0.w
    mul r0.xyz, v0.xyz, c1.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.y, r0.x, c1.w
    mul r0.xyz, v0.xyz, c2.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.z, r0.x, c2.w
    mul r0.xyz, v0.xyz, c3.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.w, r0.x, c3.w

    ; normal
    mov r7.xyz, v1.xyz
    mul r0.xyz, r7.xyz, c4.xyz
    add r0.x, r0.x, r0.y
    add r1.x, r0.x, r0.z
    mul r0.xyz, r7.xyz, c5.xyz
    add r0.x, r0.x, r0.y
    add r1.y, r0.x, r0.z
    mul r0.xyz, r7.xyz, c6.xyz
    add r0.x, r0.x, r0.y
    add r1.z, r0.x, r0.z

    ; scattered light, from 0 to 1
    mul r2.xyz, r1.xyz, c7.xyz
    add r2.x, r2.x, r2.y
    add r2.x, r2.x, r2.z
    max r2.x, r2.x, 0
    min r2.x, r2.x, abs(-1)

    ; highlight: the fourth power, none where no light falls
    mul r3.xyz, r1.xyz, c8.xyz
    add r3.x, r3.x, r3.y
    add r3.x, r3.x, r3.z
    max r3.x, r3.x, 0
    mul r3.x, r3.x, r3.x
    mul r3.x, r3.x, r3.x
    slt r3.y, 0, r2.x
    mul r3.x, r3.x, r3.y

    ; colour
    mul r4.xyz, c9.xyz, r2.x
    mul r5.xyz, c10.xyz, r3.x
    add r4.xyz, r4.xyz, r5.xyz
    mov o1.xyz, r4.xyz
    mov o1.w, abs(-1)
    end
