; CASE bad: add for nothing
add NULL, v0.x, v0.y
mov o0.x, v0.x
end
; CASE bad: a sum that is lost
add o0.x, v0.x, v0.y
add o0.x, v0.z, v0.w
end
; CASE good: read before it is written again
add o0.x, v0.x, v0.y
add o0.x, o0.x, v0.z
end
; CASE good: nop and end have no other
nop
mov o0.x, v0.x
end
