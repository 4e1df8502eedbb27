; CASE bad: temporaries, x and an output
.input v0 position
mov o0.x, r0.x
add o0.y, x3.w, v0.y
mul o0.z, v0.z, o1.x
mov o1.x, o0.z
end
; CASE bad: one line reads it three times
add o0.xyz, r4.xyz, v0.x
end
; CASE bad --device document: 0 there by choice, a note
mov o0.x, r0.x
end
; CASE good: written before, another component or not
mov r0.xy, v0.xy
add o0.x, r0.x, r0.y
mov o0.y, o0.x
mov o0.zw, 0
end
; CASE good: an instruction reads only the sources that it has
nop NULL, r0.x, r1.x
mov o0.x, v0.x, r2.x
end
