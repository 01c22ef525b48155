#include "textflag.h"

// PRODUCT adds the products of 16 rows (Y8, Y9) with a pair of values at the address to
// two sums.
#define PRODUCT(pair, sum0, sum1) \
	VPBROADCASTD pair, Y10 \
	VPMADDWD Y8, Y10, Y11 \
	VPMADDWD Y9, Y10, Y12 \
	VPADDD Y11, sum0, sum0 \
	VPADDD Y12, sum1, sum1

// ADDSUMS adds two sums, times the scales of the rows (Y8, Y9) and of the activation, to 16
// numbers.
#define ADDSUMS(scale, sum0, sum1, to0, to1) \
	VBROADCASTSS scale, Y10 \
	VCVTDQ2PS sum0, sum0 \
	VCVTDQ2PS sum1, sum1 \
	VMULPS Y8, sum0, sum0 \
	VMULPS Y9, sum1, sum1 \
	VMULPS Y10, sum0, sum0 \
	VMULPS Y10, sum1, sum1 \
	VADDPS to0, sum0, sum0 \
	VADDPS to1, sum1, sum1 \
	VMOVUPS sum0, to0 \
	VMOVUPS sum1, to1

// func multiplyTile(out *float32, outStride int, x *int16, xStride int, xScales *float32, weights *byte, scales *float32, groups int)
TEXT ·multiplyTile(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), DI
	MOVQ outStride+8(FP), R8
	MOVQ x+16(FP), SI
	MOVQ xStride+24(FP), R9
	MOVQ weights+40(FP), BX
	MOVQ scales+48(FP), R10
	MOVQ groups+56(FP), CX
	LEAQ (SI)(R9*1), R11
	LEAQ (SI)(R9*2), R12
	LEAQ (R11)(R9*2), R13
	MOVQ xScales+32(FP), R9

tileGroup:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ  AX, AX

tilePair:
	VPMOVSXBW (BX), Y8
	VPMOVSXBW 16(BX), Y9
	PRODUCT((SI)(AX*4), Y0, Y1)
	PRODUCT((R11)(AX*4), Y2, Y3)
	PRODUCT((R12)(AX*4), Y4, Y5)
	PRODUCT((R13)(AX*4), Y6, Y7)
	ADDQ $32, BX
	INCQ AX
	CMPQ AX, $32
	JNE  tilePair

	VMOVUPS (R10), Y8
	VMOVUPS 32(R10), Y9
	LEAQ (DI)(R8*2), DX
	ADDSUMS((R9), Y0, Y1, (DI), 32(DI))
	ADDSUMS(4(R9), Y2, Y3, (DI)(R8*1), 32(DI)(R8*1))
	ADDSUMS(8(R9), Y4, Y5, (DX), 32(DX))
	ADDSUMS(12(R9), Y6, Y7, (DX)(R8*1), 32(DX)(R8*1))
	ADDQ $128, SI
	ADDQ $128, R11
	ADDQ $128, R12
	ADDQ $128, R13
	ADDQ $64, R10
	DECQ CX
	JNZ  tileGroup
	VZEROUPPER
	RET

// WEIGHTED adds a weight (Y4) times 8 numbers at the address to a sum. The product is
// rounded before the addition, as in the plain version.
#define WEIGHTED(numbers, sum) \
	VMULPS numbers, Y4, Y5 \
	VADDPS Y5, sum, sum

// func weighColumns(out *float32, columns int, weights *float32, n int, rows *float32, stride int)
TEXT ·weighColumns(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ columns+8(FP), R8
	MOVQ rows+32(FP), SI
	MOVQ stride+40(FP), R9

columns32:
	MOVQ SI, BX
	MOVQ weights+16(FP), DX
	MOVQ n+24(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3

weightedRow:
	VBROADCASTSS (DX), Y4
	WEIGHTED((BX), Y0)
	WEIGHTED(32(BX), Y1)
	WEIGHTED(64(BX), Y2)
	WEIGHTED(96(BX), Y3)
	ADDQ $4, DX
	ADDQ R9, BX
	DECQ CX
	JNZ  weightedRow
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	ADDQ $128, DI
	ADDQ $128, SI
	SUBQ $32, R8
	JNZ  columns32
	VZEROUPPER
	RET
