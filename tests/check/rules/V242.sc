; CASE bad: an input where a comparison holds
.input v0 position
.output o0 position
    slt r0.x, v0.y, v0.x
    and o0.xyzw, v0.xyzw, r0.x
    end
; CASE bad --device document: a sum, and a comparison that was moved
.input v0 position
.output o0 position
    sge r0.x, v0.y, v0.x
    mov r1.x, r0.x
    add r1.y, v0.x, v0.y
    max r1.y, r1.y, 0
    and o0.xyzw, r1.x, r1.y
    end
; CASE bad: a constant
.input v0 position
.output o0 position
.const c0 (2.0, 1.0, 0x7FFFFFFF, 0)
    slt r0.x, v0.y, v0.x
    and o0.xyzw, r0.x, c0.x
    end
; CASE good: two comparisons, masks, what was overwritten, mul
.input v0 position
.output o0 position
.const c0 (2.0, 1.0, 0x7FFFFFFF, 0)
    slt r0.x, v0.y, v0.x
    sge r0.y, v0.z, v0.x
    mul r0.z, r0.x, r0.y
    and r0.z, r0.z, r0.y
    and o0.x, r0.z, c0.z
    and o0.y, r0.x, c0.y
    mul o0.z, r0.x, v0.x
    mov r0.x, v0.x
    and o0.w, r0.x, v0.y
    end
