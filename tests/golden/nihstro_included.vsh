// RUN: check
.include "nihstro_part.inc"
main:
    mov out, gain
    call twice until twice_end
    end
.include "nihstro_circle.inc"
