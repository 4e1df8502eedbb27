; CASE bad: both
exp o0.x, v0.x
log o0.y, v0.y
end
; CASE good --device document: they are there, says the document
exp o0.x, v0.x
log o0.y, v0.y
end
