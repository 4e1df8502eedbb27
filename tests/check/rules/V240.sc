; CASE bad --ignore V219: a wait by hand
.input v0 position
.output o0 position
    mul r0.x, v0.x, v0.y
    rcp r1.x, r0.x
    nop
    nop
    nop
    nop
    mov o0.xyzw, r1.x
    end
; CASE bad --device document: two runs
.input v0 position
.output o0 position
    nop
    mul r0.x, v0.x, v0.y
    nop
    nop
    mov o0.xyzw, r0.x
    end
; CASE good: none
.input v0 position
.output o0 position
    mul r0.x, v0.x, v0.y
    mov o0.xyzw, r0.x
    end
; CASE good --ignore V216: one that writes
.input v0 position
.output o0 position
    nop o0.x, 0, 0
    mov o0.xyzw, v0.x
    end
