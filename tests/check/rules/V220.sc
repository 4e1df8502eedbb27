; CASE bad: of an input
rsq o0.x, v0.x
end
; CASE bad: of what was made of one, and a constant
mov r0.x, c0.x
add r0.y, r0.x, v0.x
rsq o0.x, r0.y
end
; CASE good: of what is the same in all lanes
mul r0.x, c0.x, c0.x
add r0.x, r0.x, -1
rsq o0.x, r0.x
rsq o0.y, c1.x
end
; CASE good --set rsq_gate=fixed: if the gate were right
rsq o0.x, v0.x
end
