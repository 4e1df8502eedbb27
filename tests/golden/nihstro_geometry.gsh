// RUN: listing
.gsh fixed c0 3
.entry gmain
.alias p o0 as position
.alias w o1.x as texcoord0w
.alias d o2 as dummy
.symbol "two words"
.alias scale c20
gmain:
    setemit 0
    mov p, c0
    mov w.x, c1.x
    mov d, scale
    emit
    setemitraw 2, prim, inv
    mov p, c1
    mov w.x, c1.y
    mov d, scale
    emit
    .word 0x88000000
