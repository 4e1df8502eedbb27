; CASE bad: two instructions behind the first end
mov o0.x, v0.x
end
mov o0.y, v0.y
end
; CASE good: nothing behind it
mov o0.xy, v0.xy
end
