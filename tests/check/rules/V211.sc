; CASE bad: a source that names another
.input v0 position
add o0.xyz, v0.xyz, v1.xyz
end
; CASE good: both are named
.input v0 position
.input v1 normal
add o0.xyz, v0.xyz, v1.xyz
end
; CASE good: a source that names none says nothing
add o0.xyz, v0.xyz, v1.xyz
end
