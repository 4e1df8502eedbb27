; CASE bad: 513 of them
; REPEAT 512 mov o0.x, v0.x
end
; CASE good: 512
; REPEAT 511 mov o0.x, v0.x
end
