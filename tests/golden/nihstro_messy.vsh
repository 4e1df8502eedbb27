// RUN: format
  .ALIAS   projection   c0 - c3   //the camera
.alias k c95 as(0.0,1.0 ,  -0.5,2.0); constants
      # a comment of its own

.alias position v0
.alias outpos o0 as position // where
.alias outclr   o1 . xyz as color ##    and which colour


  main :
MOV r0,position//first
    dp4 outpos.x ,projection[ 0 ], r0 # second, longer
if cc.x&&! cc.y
mova -k.xy
nop
  add r1 , r0,projection [a0 + 1]
 else
; before an end
 endif
 ; before a loop
 again :
loop i0
	mul r1,r1,- r1
	BREAKC   cc.y   ||  cc.x
nop
endloop
jmp again if !b0
call main until again if cc.xy
cmp r0.xy ,r1.xy,<,>=
.word 0x88000000
mov r0.xyz, r1. xyz  // a blank that means something
// the last word

