; CASE bad: as it is, and with each modifier
add o0.x, v0.x, 1
mul o0.y, -(1), v0.y
max o0.z, v0.z, abs(1)
min o0.w, v0.w, -abs(1)
end
; CASE good: -1 and what is made of it
mov o0.x, -(-1)
mov o0.y, abs(-1)
mov o0.z, -1
mov o0.w, 0
end
; CASE good --device document: 1.0
mov o0.x, 1
end
; CASE good --ignore P203: in a field that mov does not have
mov o0.x, v0.x, 1
end
