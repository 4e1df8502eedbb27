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
    mov r1.y, v0.z
    mul o0.w, r1.y, v0.y
    end
; CASE bad: exported as it is
.input v0 color
.output o1 color
    cnv_unorm8 o1.xyz, v0.xyz
    cnv_unorm16 r0.x, -v0.w
    mov o1.w, r0.x
    end
; CASE good: exported as the float32 that is meant
.input v0 color
.output o1 color
.const c0 (0.003921569, 0, 0, 0)
    mov o1.x, v0.x
    mul o1.yz, v0.yz, c0.x
    cnv_unorm8 o1.w, v0.w
    cnv_u32_to_f o1.w, o1.w
    end
; CASE good: not exported
.input v0 color
.output o1 color
    cnv_unorm8 o2.z, v0.x
    cnv_u32_to_f o1.xyzw, o2.z
    end
; CASE good: outputs converted in their places, for a triangle setup that takes integers
.input v0 position
.output o0 position
    mov o0.xyzw, v0.xyzw
    rnd_sint16ne o0.xy, o0.xy
    cnv_unorm16 o0.z, o0.z
    end
