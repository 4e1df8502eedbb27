; A sprite: from pixels to clip space, with a tint, and a place in an atlas.
; c0: width and height of the screen. c1: place, scale. c2: tint. c3: width and height of the atlas.
.input v0 position
.input v1 color
.input v2 texcoord
.output o0 position
.output o1 color
.output o2 texcoord

    ; pixels
    mov r0.xy, v0.xy
    mov r1.xy, c1.zw
    mul r0.xy, r0.xy, r1.xy
    mov r2.xy, c1.xy
    add r0.xy, r0.xy, r2.xy

    ; from -1 to 1, y downwards
    rcp r3.x, c0.x
    rcp r3.y, c0.y
    mul r0.x, r0.x, r3.x
    mul r0.y, r0.y, r3.y
    add r4.x, abs(-1), abs(-1)
    mul r0.xy, r0.xy, r4.x
    add r0.xy, r0.xy, -1
    mul r0.y, r0.y, -1
    mov r0.z, 0
    mov r0.w, abs(-1)
    mov o0.xyzw, r0.xyzw

    ; colour
    mov r5.xyzw, v1.xyzw
    mul r5.xyzw, r5.xyzw, c2.xyzw
    mov o1.xyzw, r5.xyzw

    ; place in the atlas
    rcp r6.x, c3.x
    rcp r6.y, c3.y
    mul r7.xy, v2.xy, r6.xy
    mov o2.xy, r7.xy
    end
