// RUN: lint
main:
    loop i0
    endloop
    if b0
        if b1
            nop
        endif
    endif
    mova r0.xy
    mova r0.zw
    emit
    mov o0, r0
    mov r0, c0
    break
    call sub until sub_end
sub:
    call sub until sub_end
sub_end:
