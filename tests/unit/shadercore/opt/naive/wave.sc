; Water: two waves lift a plane, and colour it by its height.
; c0 to c3: rows to clip space. c4 and c5: frequency, phase and height of each wave. c6: 0.5 and 16.
; c7: colour of the deep. c8: colour of the crest.
.input v0 position
.output o0 position
.output o1 color

    ; the first wave, along x: a parabola for each half of a sine
    mul r0.x, v0.x, c4.x
    add r0.x, r0.x, c4.y
    frc r0.x, r0.x
    mov r1.x, c6.x
    mov r1.y, c6.y
    add r0.x, r0.x, -r1.x
    mov r0.y, abs(r0.x)
    add r0.y, r1.x, -r0.y
    mul r0.x, r0.x, r0.y
    mul r0.x, r0.x, r1.y
    mov r1.z, c4.z
    mul r2.x, r0.x, r1.z

    ; the second, along z
    mul r0.x, v0.z, c5.x
    add r0.x, r0.x, c5.y
    frc r0.x, r0.x
    mov r1.x, c6.x
    mov r1.y, c6.y
    add r0.x, r0.x, -r1.x
    mov r0.y, abs(r0.x)
    add r0.y, r1.x, -r0.y
    mul r0.x, r0.x, r0.y
    mul r0.x, r0.x, r1.y
    mov r1.z, c5.z
    mul r2.y, r0.x, r1.z

    ; the plane is lifted
    add r2.z, r2.x, r2.y
    mov r3.xyz, v0.xyz
    add r3.y, r3.y, r2.z

    ; position
    mul r0.xyz, r3.xyz, c0.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.x, r0.x, c0.w
    mul r0.xyz, r3.xyz, c1.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.y, r0.x, c1.w
    mul r0.xyz, r3.xyz, c2.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.z, r0.x, c2.w
    mul r0.xyz, r3.xyz, c3.xyz
    add r0.x, r0.x, r0.y
    add r0.x, r0.x, r0.z
    add o0.w, r0.x, c3.w

    ; colour: from 0 to 1 between the deep and the crest
    mul r4.x, r2.z, c6.x
    add r4.x, r4.x, c6.x
    max r4.x, r4.x, 0
    min r4.x, r4.x, abs(-1)
    mov r5.xyz, c7.xyz
    mov r6.xyz, c8.xyz
    add r7.xyz, r6.xyz, -r5.xyz
    mul r7.xyz, r7.xyz, r4.x
    add r7.xyz, r7.xyz, r5.xyz
    mov r7.w, abs(-1)
    mov o1.xyzw, r7.xyzw
    end
