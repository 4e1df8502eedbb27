; CASE bad: a component is missing
.output o0 position
.output o2 texcoord
mov o0.xyz, v0.xyz
mov o2.xy, v0.xy
end
; CASE bad --device document: where it is 0
.output o0 position
mov o0.xyz, v0.xyz
end
; CASE good: all that leave
.output o0 position
.output o2 texcoord
mov o0.xyzw, v0.xyzw
mov o2.xy, v0.xy
end
