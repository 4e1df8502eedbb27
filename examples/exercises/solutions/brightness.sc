; A colour clamped to 0 to 1: every instruction has a form that saturates, at no cost.
.input v0 position
.input v1 color
.output o0 position
.output o1 color
mov o0.x, v0.x
mov o0.y, v0.y
mov o0.z, v0.z
mov o0.w, v0.w
mov_sat o1.x, v1.x
mov_sat o1.y, v1.y
mov_sat o1.z, v1.z
mov_sat o1.w, v1.w
end
