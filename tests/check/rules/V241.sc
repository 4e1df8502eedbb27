; CASE bad: a rounded number, times another
.input v0 position
.output o0 position
    rnd_sint16ne r0.x, v0.x
    mul o0.xyzw, r0.x, v0.y
    end
; CASE bad --device document: a float16, moved
.input v0 position
.output o0 position
    cnv_f_to_half r0.x, v0.x
    mov r1.x, r0.x
    add o0.xyzw, r1.x, v0.y
    end
; CASE bad: eight bits as a factor
.input v0 position
.output o0 position
    cnv_unorm8 r0.y, v0.x
    rcp o0.xyzw, r0.y
    end
; CASE good: converted, shifted, overwritten
.input v0 position
.output o0 position
    rnd_sint23ne r0.x, v0.x
    cnv_u32_to_f r0.x, r0.x
    mul o0.xy, r0.x, v0.y
    cnv_f_to_half r1.x, v0.x
    bshftl16 r1.x, r1.x
    add o0.z, r1.x, v0.y
    rnd_sint16ne r1.y, v0.y
    cnv_u32_to_f r1.z, r1.y
    mov r1.y, v0.z
    mul o0.w, r1.y, v0.y
    end
; CASE good: exported as it is
.input v0 position
.output o0 position
    cnv_unorm16 o0.xyzw, v0.x
    end
