// RUN: check
main:
    jmp nowhere if b0
    call sub until main
    call sub until later if b0
    end
sub:
    nop
