; CASE bad: two registers, two components
mul o0.x, c0.x, c1.x
add o0.y, c0.x, -c0.y
end
; CASE good --ignore P203: one of them twice, or one and another register
mul o0.x, c0.x, -c0.x
add o0.y, c0.y, v0.y
add o0.z, v0.z, c1.z
mov o0.w, c2.w, c3.w
end
; CASE good --set constant_ports=two: if there were two ports
mul o0.x, c0.x, c1.x
end
