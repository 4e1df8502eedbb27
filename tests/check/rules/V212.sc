; CASE bad: as the source
mov x7.y, v0.x
add o0.x, x7.y, x7.x
end
; CASE bad: in a field that mov does not have
mov o0.x, v0.x, x7.x
end
; CASE bad --set hazard_fields=used: which waits only for what it reads
mov o0.x, x7.x
end
; CASE good --set hazard_fields=used: the field that mov does not have is not looked at
mov o0.x, v0.x, x7.x
end
; CASE good: the other components
mov x7.yzw, v0.xyz
mov o0.xyz, x7.yzw
end
; CASE good --device document: a register as all others
mov x7.x, v0.x
mov o0.x, x7.x
end
