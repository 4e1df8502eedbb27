; Linear fog by the depth of a vertex.
; c0 to c3: rows to clip space. c4: where the fog begins and ends. c5: colour of the fog.
.input v0 position
.input v1 color
.input v2 texcoord
.output o0 position
.output o1 color
.output o2 texcoord

    ; position
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

    ; depth
    mul r1.xyz, v0.xyz, c3.xyz
    add r1.x, r1.x, r1.y
    add r1.x, r1.x, r1.z
    add r1.x, r1.x, c3.w

    ; how much of the colour is left: (end - depth) / (end - begin)
    mov r2.x, c4.x
    mov r2.y, c4.y
    add r3.x, r2.y, -r1.x
    add r3.y, r2.y, -r2.x
    rcp r3.y, r3.y
    mul r4.x, r3.x, r3.y
    max r4.x, r4.x, 0
    min r4.x, r4.x, abs(-1)

    ; colour, a component after the other
    mul r5.x, v1.x, r4.x
    add r6.x, abs(-1), -r4.x
    mul r6.x, r6.x, c5.x
    add r5.x, r5.x, r6.x
    mul r5.y, v1.y, r4.x
    add r6.x, abs(-1), -r4.x
    mul r6.x, r6.x, c5.y
    add r5.y, r5.y, r6.x
    mul r5.z, v1.z, r4.x
    add r6.x, abs(-1), -r4.x
    mul r6.x, r6.x, c5.z
    add r5.z, r5.z, r6.x
    mov r5.w, v1.w
    mov o1.xyzw, r5.xyzw
    mov o2.xy, v2.xy
    end
