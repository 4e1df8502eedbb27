; CASE bad: the words of tools that leave the field 0
rcp r0.x, v0.x
mov o0.x, v0.x, r0.x
mul o0.y, r0.x, v0.y
end
; CASE bad: a nop that waits
mul r0.x, v0.x, v0.x
nop NULL, r0.x, r0.x
mov o0.x, r0.x
end
; CASE good: the register is long there
mov r0.x, v0.x
mov o0.y, v0.y
mov o0.x, v0.x, r0.x
mov o0.z, r0.x
end
; CASE good --set hazard_fields=used: if only the fields in use were looked at
mul r0.x, v0.x, v0.x
mov o0.x, v0.x, r0.x
mov o0.y, r0.x
end
