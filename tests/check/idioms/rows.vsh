// A matrix in four registers whose alias names the first: nihstro knows no bound.
.alias mvp c0    // -c3
.alias turn c4   // -c6
.alias one c92 as (1.0, 1.0, 1.0, 1.0)
.alias point v0
.alias normal v1
.alias position o0 as position
.alias tint o1 as color

main:
    mov r0.xyz, point.xyz
    mov r0.w, one.x
    dp4 position.x, mvp[0], r0
    dp4 position.y, mvp[1], r0
    dp4 position.z, mvp[2], r0
    dp4 position.w, mvp[3], r0
    dp3 r1.x, turn[0].xyz, normal.xyz
    dp3 r1.y, turn[1].xyz, normal.xyz
    dp3 r1.z, turn[2].xyz, normal.xyz
    mov tint.xyz, r1.xyz
    mov tint.w, one.x
    end
