; RUN: lint
; A program that assembles without a word, and that the public hardware does not forgive.
.input v0 position
.input v1 color
.output o0 position
.output o1 color

    mov o0.xyzw, v0.xyzw
    mul o1.xyz, c0.x, c0.y
    add o1.w, v1.w, 1        ; a guess; lanewise: ignore[V214]
    end
