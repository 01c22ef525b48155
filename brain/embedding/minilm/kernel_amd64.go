package minilm

import "golang.org/x/sys/cpu"

// fastKernels returns the fastest kernels of this machine.
func fastKernels() kernels {
	if cpu.X86.HasAVX2 {
		return kernels{multiplyAVX2, weighAVX2}
	}
	return plainKernels()
}

func multiplyAVX2(out []float32, x activations, n int, m matrix) {
	_, _ = out[alignUp(n, tile)*m.rows-1], x.values[alignUp(n, tile)*m.columns-1] // the assembly checks nothing
	for row := 0; row < m.rows; row += blockRows {
		for t := 0; t < n; t += tile {
			multiplyTile(&out[t*m.rows+row], 4*m.rows, &x.values[t*m.columns], 2*m.columns, &x.scales[t],
				&m.weights[row*m.columns], &m.scales[row*m.columns/group], m.columns/group)
		}
	}
}

func weighAVX2(out, weights, rows []float32, stride int) {
	_ = rows[(len(weights)-1)*stride+len(out)-1]
	weighColumns(&out[0], len(out), &weights[0], len(weights), &rows[0], 4*stride)
}

// multiplyTile adds the products of 16 rows and 4 activations to out. Strides are in bytes.
//
//go:noescape
func multiplyTile(out *float32, outStride int, x *int16, xStride int, xScales *float32, weights *byte, scales *float32, groups int)

// weighColumns stores the sums of n weighted rows with a multiple of 32 columns. stride is in bytes.
//
//go:noescape
func weighColumns(out *float32, columns int, weights *float32, n int, rows *float32, stride int)
