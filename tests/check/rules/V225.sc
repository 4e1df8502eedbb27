; CASE bad --set r_registers=2,c_registers=4,x_registers=0: registers that a smaller core lacks
mov r1.x, c3.y
mov r2.x, c4.y
mov x0.x, r1.x
add o0.x, r2.x, r1.x
end
; CASE bad --set slots=2: slots that a smaller core lacks
mov o0.x, v0.x
mov o0.y, v0.y
end
; CASE good --set r_registers=2,c_registers=4,slots=5: all that it has
mov r1.x, c3.y
mov r0.x, v0.x
mul o0.x, r1.x, r0.x
mov o0.y, r1.x
end
; CASE good: what the word can name
mov r7.x, c255.y
mov o0.x, r7.x
end
