"""Zstandard frames: of the zstd program (1.4 and later), kept here, and damaged ones."""

from __future__ import annotations

import base64
import random

import pytest

from lanewise.core.zstd import MAGIC, decompress

TEXT = "".join([f"mul r{n % 16}, c{n * 7 % 96}, v{n * n % 13}\n" for n in range(300)]).encode()
NOISY = "".join([chr(97 + (n * n * 7 + n // 5) % 26) for n in range(900)]).encode()
CONTENT = {
    "empty": b"", "same": b"a" * 5000, "text": TEXT, "best": TEXT, "short": b"abcdabcdabcdabcdxyz" * 3, "blocks": (TEXT + NOISY) * 30,
}  # fmt: skip
# What `zstd -c` wrote: level 3 (best: 19, blocks: 1).
FRAMES = {
    "empty": ("D77#BBme;b0Ga97Q2"),
    "same": ("D77#B1XxV~01#ne0RV&311#1&fYb"),
    "text": (
        "D77#B1XxWV0LEWK6tJbx27rj@C*z7FBD8Xk>Dhq;0YCsc06GAy`K+ApEV;(nv9O4<VzRS07S4{Vv%&**>a2|iY@oA&2JEOCu%5G21Gap2JYdCH3lLx+Kp+EF"
        "&WZp51_A<PXD6I37tQ#r!=1e`&W>?bh_fc_Y_M>a=&b3ijL&C>?yPN`l@n)g#Mu$-tQg^}IaCQcOG0O79<K9^A<ROZy*fMSteCUrv%z&@3}GSESreVTIXisT"
        "=FZkQOXBR<SqW#W>}GuS&I-A+HqHidw(M*IagESfJmPGN>u79o9gSFAM>9ibah=hXZwL!T7T3`TQ<cRf&Jq>bgRVR`gswa?gs!U0LJeIxRLPL(DuKnQ@m&e3"
        "skC>&1%((Uoq7>~7-ArUlm%jylq8J-L@`sPzP6kmx19j2N)_c694Y<u-A9h|3bD}1Ge_Svj|f>DdQ=$=MNn+VkjX8;QIM2hx3sKZ5)KfHg9FYS>9Wh@NMYrO"
        "Be~-u;D~5ouQ^ycFPWQ$!%<*ijwxh%IlgG);;15v=m=Fsm7~IbvBgdx0K$;t93kdI!<e>XG*zx+Na`tc<~ZPRN@gL%IdU*axkrS+qx-LT3t}C4Q;*x#j^ya2"
        "4e4kocFex7EfTb1qvR-gyt-F#lygqxBeTIJLo~P7Q?qTh3`29=RlmYkLL9kH^#I4u9HGQ9&g;33H|u7AF-Lm5;yuOz(^Dq!i1F-o5UL~N(o*rKb94ZU<Y4zG"
        "VCtyymCtGA)~0cf=eukkl^8831*VQ1sDMqgx#ehr($Nttl6l=-@VLic#p5KcmoSm)D3N-%7Zl8~im#&`x}#Wpv5h^#UWdX|1|G4wupO;`e9<v7^)D|i#{<Of"
        "Os!}Oj~#<(*E~j|P_ak8Etf~+THuc67Opx5HSKbLj_a@b{HqK6>Wabcal&&)j=40CEMtxK*d@Logo!*_{f_8axQ?bJlg-iWpmPjtwH8#tCMAmT*m9fN(Ol|X"
        "$57O}I58P=Y=j+@jzR(y-H|enjP!^Qc+}B@rG1cE`4J}wJME&KEDAW5%f}LrVOuj{L4gSq2sXi<h60fg3Qpptb;7jnb9R>|%fv7__SR4{Y=zg7hhn<+@>&hs"
        "x=_s6KEay;XPbxPaWFiL7TFg(g#kk`%nl>G*ZOo(2vpb(7G%NrH5)#Vzc6QD-${H{Y})MEU|&lfQyUx)!nAW0?$4Gs6wCG(>WwWx8Q={MIxN?*P1l&tvgahC"
        "D9oQ~T2%`J2Udb8uykyrQz#xA@i&OS0P^?vCRR^Gd)jXP!RDAh7U%^+mlff(U`hv*fr$bJ@n7_kl&&jLx<0AAKZQ_4;2^|53GpXHQU&vxZa@"
    ),
    "best": (
        "D77#B0BBqb0CG+r6TlaS1K@=BU#^r%%9IlKP#lK^Eh>`bqlt~&W$JKTU8hkzW>!KeaaVrBGWGl>q(WLxNp7`A4aq$nO38D{ZBj)<|HxQsb`6$R^I9>qy7`*R"
        "L~Or}ww#5~t8OOl-{P@OjZi)4;iOV>jrBknJnjRCL4Ys>fgn&Y5P-d?P$*m0@G2US+5x~uD5O>B9JRn4*}%deJOd9KAs`hEA1pATA4vPN1d2kLM=faKPQei)"
        "Z5PZ17g9Ie1P-VdKFs#lEuN5BD8?@0A3--M$VVrr04mW223YJKMTZD$ZMc4=FkrQSMkr|DA?WN7(2}MgO4SC^ipmFqHtXQd9ySnU6BpD95m<FJ9l9he?8H_>"
        "*=lFDp8~;}V}@p0FhxCl*UKU0Um#TmPWOv!haFAluQY&BngywQ#+*t`ie*Z8$Fw2{s$(-!S>jVdUS-5WFp)BTr$Bv}1X(~#5IJ>AdgCw!tqB0~%@hjIr2|FD"
        "Eg4)f0>HKG=9qRZyE&%SvU`qcwd|f_S}nUdrq!~WV_Ge{Ii}UJn`2rnyXTlz%kDX*)v}vo+O_QFn0C$0F|D?Hj%l^*=9pH?A%MQ9K<)#uT2|o!5hw%-Lx|9H"
        "UIhis0XiBo>~Zj@7svO)9IfN7Nqgixa>8SD<oNdhRF8$nvMEirIlleS>oM?HHl^`A$82*z>#^bS&BA}?c*X+NW8|?`gX`wl_5)du36E_OzMErN2Cp6~kF_dI"
        "HpjN^aO*MfST?2c=9tYvU5^Eiu?f6qj&Cj?^;q!OCgHm|wvHbz_IR2{9bh-eQFW{xlSj_?$a}RvSOkX299g<!@R*k#@qoR-1Yp?Ak);7&kAX*SKJ1@knRXP9"
        "dDY{oARa*LPatFo"
    ),
    "short": ("D77#B1X!g2061Y{V`O-FdISJA6+i%Fa%0XB0g|D{wE"),
    "blocks": (
        "D77#B1V}U_0M@Q*9e_*H0SL7=hPIeRV%s_*6H-8uy|<M6v*3x2N(W^CR{&K2b+$^KHRdex*>Y!(IcvVNWjoFqr*zgX>1=VKvuDsbdz_t3X0XQ2qJ)YCk}zhl"
        "r_P>)iUpD=278#ZmQb-k631X|&Q?Oj0!bKyHJ>#J6$>O`2Aj@0p<;m~3WF_YOG3p033nD9XHPn7=xm|0=A5;iEq3;}&YI2HvN>z)v&HAm-f^5gj<YG9Md<87"
        "XYHIVJ8SB!>ufP+kA2qcv*oj<?yS*qwp==UCY?PFI-AZ}<a72Ev$K{0Ew-~~XOB9Y%vt2K$7k(q*_}1%IP2qVNoSAIS@SttK4*>XtX*e|>+G4chtDRTMQ4w>"
        "vv!=Vbk?M^MrX@8dwkBCoh{c{V{_K#Y_ZSY+2d>~0mYb0K|q2*1B1YTLjy??5@eA)KtVyE;Ngpa2Eh>pM1%r^0YZQjEFce!0|bbGhQ>l80caQ$I4lknHvmW!"
        "+nG}5V!Ns{*SXlP>RjqvY**)EyQ*`sU7fkkTy^F;bDg=)>dbe?+2iA^Ih`$|v&QJG&l!QGsA0ND?Ck#rfd$1l=*aUDKoDRsfi5UQV#LfN$^Jjv0axhp*5VWg"
        "#kgpM(t{F)p^6?fiS2@~1n>J79mE+eksxaTO4Q=LRdZCk-lIIL(kF>J0;t|^%Mq*ic+}KxWGg#IRXZz3sx}~wM3SH*!qf;p{^dCiD6gY_-qE%5@mRqZ>9KI0"
        "c!XMYN1fvy9Hr4JW#pI=&b^NEBdt0|wLD#pq}t#(k|;?>xKhSq&JiORXKMfFO>vXv_}Oy&<*vn1OU-pGr6loEj+w<cFLf7X=gx7O%JGA{#8LUIbgZQeikxGT"
        "5zWfV5A90ls9@*i$kpZ@mrFs%hRFf=IcA1w>QoPH&ChWe<@kqP$5F8ibS#WK4rdqVIFh7}#%)Lc&BbE@U$DpGJmC>)(;b&kOUJ6D*XP)aIi{$iLcJsUcqCeT"
        ")CG?q_rD`x8R)o0Rm7EgRfZgA96EJ{Ye#c2@d&s1=@GgGJeIcpjzE;4Ba&(jKgh})hmx%$gw%FaT24Gx>f}8ZuOl8YZr*XDv~;Xfx;n%y=eVYH9idX$QC&0f"
        "Se0k(vAkXJ2(<BzTcx36Wm2UCu|CIjGIeCnJGycnk0pH89t-0Mk6<?LxO7@N)+Mi)p>LdHm^vD{9es;O;6aa4<I%ZYcdVo(9b1%L6-HjnaU$tD^5z|_eRg?#"
        "v_~Fw&Lh-s-H`#P=(wxL$T3$E0i~@rOL5tPV(A99@mIpZ_5wp6vb~t44%%*1OErXbCpv$$`OW$+OJ{8Fuyn@s-IeZM+X71)u~kICZ6|`qM;_X|&-yQhZn15L"
        "rR}{I#+8i%CNq|dF|$?Bl7R5&(VN-{r|of;+GUT$!+Vk!1Urk^E@Wvjd-22#IwC^r`vFMV(vKyyG8}gF8_0{vZ-HLOVjq0^AeF*UcK@)O`A<<7WE^Q{RR^gV"
        "i;7En4QyH$M#Xo@d|d@i000Oe0RZ4H9S8x*K1uT"
    ),
}


@pytest.mark.parametrize("name", FRAMES)
def test_frames_of_the_program(name: str):
    assert decompress(base64.b85decode(FRAMES[name]), 1 << 20) == CONTENT[name]


def test_limit_and_foreign_bytes():
    frame = base64.b85decode(FRAMES["same"])
    with pytest.raises(ValueError, match="more than 4999"):
        decompress(frame, 4999)
    with pytest.raises(ValueError, match="no Zstandard frame"):
        decompress(b"PK" + frame, 5000)
    with pytest.raises(ValueError, match="dictionary"):
        decompress(MAGIC + b"\x21" + bytes(20), 5000)
    stored = MAGIC + b"\x00\x58" + bytes([3 << 3 | 1, 0, 0]) + b"abc"
    assert decompress(stored, 3) == b"abc"
    with pytest.raises(ValueError, match="more than 2"):
        decompress(stored, 2)


@pytest.mark.parametrize("name", ["text", "best", "short"])
def test_damaged_frames_are_refused_or_read(name: str):
    frame, chosen = base64.b85decode(FRAMES[name]), random.Random(7)
    refused = 0
    for _ in range(60):
        changed = bytearray(frame)
        changed[chosen.randrange(4, len(changed))] ^= 1 << chosen.randrange(8)
        try:
            assert len(decompress(bytes(changed[: chosen.randrange(5, 2 * len(changed))]), 8192)) <= 8192
        except ValueError:
            refused += 1
    assert refused > 20
