; Exercise: clamp each component of a colour to 0 to 1. The program passes it on.
; lanewise test brightness.shadertest.toml --program brightness.sc --points
.input v0 position
.input v1 color
.output o0 position
.output o1 color
mov o0.x, v0.x
mov o0.y, v0.y
mov o0.z, v0.z
mov o0.w, v0.w
mov o1.x, v1.x
mov o1.y, v1.y
mov o1.z, v1.z
mov o1.w, v1.w
end
