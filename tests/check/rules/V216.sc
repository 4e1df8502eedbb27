; CASE bad: a word of zeros, opcode 14, end
mov o0.x, v0.x
.word 0x0000000000000000
unused r1.x, 0, 0
end o1.x, 0, 0
; CASE good: NULL
mov o0.x, v0.x
nop
unused
end
; CASE good --device document: they have no destination there
mov o0.x, v0.x
nop r0.x, 0, 0
end
