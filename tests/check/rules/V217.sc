; CASE bad: written and not read
mov o0.x, v0.x
mov o3.x, v0.y
mov o2.xyz, v0.xyz
end
; CASE bad: overwritten before it is read
mov o7.x, v0.x
mov o7.x, v0.y
mov o0.x, o7.x
end
; CASE bad: declared
.input v0 position
.output o0 position
.output o4 texcoord1
mov o0.xyzw, v0.xyzw
mov o4.x, v0.x
end
; CASE good: registers to work with
mov o3.x, v0.x
add o2.z, o3.x, v0.y
mov o2.xy, o2.z
end
; CASE good --device document: all outputs leave
mov o7.w, v0.x
end
