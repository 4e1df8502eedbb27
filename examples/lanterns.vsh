// Up to eight lights from afar, summed in a loop. In nihstro's language: lanewise asm examples/lanterns.vsh -o lanterns.shbin

.alias projection c0-c3
.alias ambient c4               // the light where no lantern shines
.alias lanterns c8-c23          // for each one: the direction towards it (length 1), then its colour
.alias rounds i0                // x: the number of lanterns less one, y: 0, z: 2 registers for each
.alias dark b0                  // are the lanterns out?
.alias num c95 as (0.0, 1.0, 0.5, 2.0)

.alias position v0
.alias normal v1
.alias outpos o0 as position
.alias outclr o1 as color

main:
    mov r0, position
    dp4 outpos.x, projection[0], r0
    dp4 outpos.y, projection[1], r0
    dp4 outpos.z, projection[2], r0
    dp4 outpos.w, projection[3], r0

    mov r1, ambient
    jmp sum if dark
    mov r2.xyz, normal.xyz
    loop rounds
        dp3 r3.x, lanterns[lcnt].xyz, r2.xyz
        max r3.x, num.x, r3.x
        mul r4, lanterns[lcnt+1], r3.xxxx
        add r1, r1, r4
    endloop
sum:
    min outclr, num.yyyy, r1
    end
