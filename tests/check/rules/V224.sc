; CASE bad: add for nothing
add NULL, v0.x, v0.y
mov o0.x, v0.x
end
; CASE good: nop and end have no other
nop
mov o0.x, v0.x
end
