; CASE bad: 15 cycles behind a reciprocal for NULL
rcp NULL, v0.x
nop o0.y, 0, 0
mov o0.x, v0.x
end
; CASE bad: 16 cycles behind exp
exp r1.x, v0.x
mov o0.x, v0.x
nop o0.y, 0, 0
end
; CASE good --ignore V216,V221,V224: 8 and 24 cycles behind
exp r1.x, v0.x
nop o0.y, 0, 0
mov o0.x, v0.x
nop o0.z, 0, 0
end
; CASE good --set stray_special=lost --ignore V216,V221: if it were lost
exp r1.x, v0.x
mov o0.x, v0.x
nop o0.y, 0, 0
end
