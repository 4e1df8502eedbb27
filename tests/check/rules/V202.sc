; CASE bad: only words that compute
mov o0.x, v0.x
; CASE good: end is the last
mov o0.x, v0.x
end
