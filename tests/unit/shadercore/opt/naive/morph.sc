; Two shapes blended, and lit from one side.
; c0 to c3: rows to clip space. c8: how much of the second shape. c9: to the light. c10: colour.
.input v0 position
.input v1 position1
.input v2 normal
.input v3 normal1
.output o0 position
.output o1 color

    ; positions blended
    mov r0.xyz, v0.xyz
    mov r1.xyz, v1.xyz
    mov r2.x, c8.x
    add r2.y, abs(-1), -r2.x
    mul r3.xyz, r0.xyz, r2.y
    mul r4.xyz, r1.xyz, r2.x
    add r3.xyz, r3.xyz, r4.xyz

    ; normals blended
    mov r0.xyz, v2.xyz
    mov r1.xyz, v3.xyz
    mov r2.x, c8.x
    add r2.y, abs(-1), -r2.x
    mul r5.xyz, r0.xyz, r2.y
    mul r6.xyz, r1.xyz, r2.x
    add r5.xyz, r5.xyz, r6.xyz

    ; position to clip space
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

    ; light
    mul r7.xyz, r5.xyz, c9.xyz
    add r7.x, r7.x, r7.y
    add r7.x, r7.x, r7.z
    max r7.x, r7.x, 0
    min r7.x, r7.x, abs(-1)
    mov r0.xyz, c10.xyz
    mul r0.xyz, r0.xyz, r7.x
    mov r0.w, abs(-1)
    mov o1.xyzw, r0.xyzw
    end
