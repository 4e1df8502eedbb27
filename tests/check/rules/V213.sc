; CASE bad: lanes 0-3 are lost
mov x7.x, v0.x
mov o0.x, v0.x
end
; CASE bad: directly before end they are not
mov o0.x, v0.x
mov x7.x, v0.x
end
; CASE good: x7.y
mov x7.y, v0.x
mov o0.x, x7.y
end
; CASE good --set x7x=normal: if it were as others
mov x7.x, v0.x
mov o0.x, x7.x
end
