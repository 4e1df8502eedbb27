; CASE bad: nothing is written to an output
mov r0.x, v0.x
end
; CASE bad: only to one that stays
mov o3.x, v0.x
mov r0.x, o3.x
end
; CASE good: one component is enough
mov o1.w, v0.x
end
; CASE good --set exports=all: o3 leaves too
mov o3.x, v0.x
end
