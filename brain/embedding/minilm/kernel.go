package minilm

import (
	"math"
	"slices"
)

const (
	blockRows = 16    // rows of a matrix that are stored together
	group     = 64    // columns of a row that share a scale
	steps     = 32767 // of an activation on each side of zero
	tile      = 4     // activations that are multiplied together
	lanes     = 32    // numbers that are weighed together
)

// matrix is a linear layer with 8-bit weights. Blocks of 16 rows follow each other; a block
// has for each pair of columns the two weights of its first row, of its second, and so on. Its
// scales are those of its first 64 columns, a number for each row, of its second, and so on.
// rows is a multiple of 16, columns of 64.
type matrix struct {
	rows, columns  int
	weights        []byte // as int8
	scales, biases []float32
}

// activations holds vectors of int16 with a scale each, and space for a multiple of four.
type activations struct {
	values []int16
	scales []float32
}

// kernels are the inner loops. All implementations return the same bits.
type kernels struct {
	// multiply adds the products of m and the first n activations to out, in rows of m.rows. What
	// out has after them, up to a multiple of four rows, is undefined.
	multiply func(out []float32, x activations, n int, m matrix)
	// weigh stores Σ weights[i]·rows[i·stride:] in out, whose length is a multiple of 32.
	weigh func(out, weights, rows []float32, stride int)
}

func plainKernels() kernels { return kernels{multiplyPlain, weighPlain} }

// multiplyPlain computes two rows with one multiplication: an int64 holds the weight of one
// in its upper half and that of the other in its lower half.
func multiplyPlain(out []float32, x activations, n int, m matrix) {
	var two [blockRows / 2][group]int64
	for at := 0; at < len(m.weights); at += blockRows * group {
		row, column := at/m.columns/blockRows*blockRows, at/blockRows%m.columns
		for c := 0; c < group; c += 2 {
			w := m.weights[at+blockRows*c:][:2*blockRows]
			for r := range two {
				two[r][c] = int64(int8(w[4*r])) + int64(int8(w[4*r+2]))<<32
				two[r][c+1] = int64(int8(w[4*r+1])) + int64(int8(w[4*r+3]))<<32
			}
		}
		scales := m.scales[at/group:][:blockRows]
		for t := range n {
			values := (*[group]int16)(x.values[t*m.columns+column:])
			sums := out[t*m.rows+row:][:blockRows]
			for r := 0; r < len(two); r += 4 {
				first, second, third, fourth := &two[r], &two[r+1], &two[r+2], &two[r+3]
				var a, b, c, d int64
				for i, v := range values {
					a += first[i] * int64(v)
					b += second[i] * int64(v)
					c += third[i] * int64(v)
					d += fourth[i] * int64(v)
				}
				for i, both := range [4]int64{a, b, c, d} {
					low := int32(both)
					high := int32((both - int64(low)) >> 32)
					sums[2*(r+i)] += float32(float32(float32(low)*scales[2*(r+i)]) * x.scales[t])
					sums[2*(r+i)+1] += float32(float32(float32(high)*scales[2*(r+i)+1]) * x.scales[t])
				}
			}
		}
	}
}

func weighPlain(out, weights, rows []float32, stride int) {
	clear(out)
	for i, weight := range weights {
		for j, value := range rows[i*stride:][:len(out)] {
			out[j] += float32(weight * value)
		}
	}
}

// quantize stores the n vectors of x, width numbers each, in a.
func (a activations) quantize(x []float32, n, width int) {
	const round = 3 << 22 // adding it leaves the rounded integer in the low bits
	for t := range n {
		row, values := x[t*width:][:width], a.values[t*width:][:width]
		var largest uint32
		for _, v := range row {
			largest = max(largest, math.Float32bits(v)&^(1<<31))
		}
		scale := max(math.Float32frombits(largest), 1e-30) / steps
		a.scales[t] = scale
		inverse := 1 / scale
		for i, v := range row {
			values[i] = int16(math.Float32bits(float32(v*inverse) + round))
		}
	}
}

// normalize gives each of the n vectors of x, after adding that of y, mean 0 and variance 1,
// then the gain and bias of a norm.
func (p layerNorm) normalize(x, y []float32, n int) {
	width := len(p.gain)
	for t := range n {
		row, other := x[t*width:][:width], y[t*width:][:width]
		var sum, squares float64
		for i, v := range other {
			row[i] += v
			sum += float64(row[i])
		}
		mean := sum / float64(width)
		for _, v := range row {
			squares += (float64(v) - mean) * (float64(v) - mean)
		}
		inverse := float32(1 / math.Sqrt(squares/float64(width)+1e-12))
		for i, v := range row {
			row[i] = float32(float32(v-float32(mean))*inverse*p.gain[i]) + p.bias[i]
		}
	}
}

// geluTable holds x·Φ(x) from -8 to 8 in steps of 1/64. Interpolation is off by at most 3e-5.
type geluTable [16*64 + 2]float32

func newGELUTable() *geluTable {
	t := &geluTable{}
	for i := range t {
		x := float64(i)/64 - 8
		t[i] = float32(x / 2 * math.Erfc(-x/math.Sqrt2))
	}
	return t
}

// apply replaces each value by its GELU.
func (g *geluTable) apply(values []float32) {
	for i, x := range values {
		at := (x + 8) * 64
		switch {
		case at < 16*64 && at >= 0:
			j := int(at)
			values[i] = g[j] + float32((at-float32(j))*(g[j+1]-g[j]))
		case at < 0:
			values[i] = 0
		}
	}
}

// softmax turns scores, times a factor above 0, into weights whose sum is 1.
func softmax(scores []float32, factor float32) {
	largest := slices.Max(scores)
	var sum float64
	for i, s := range scores {
		e := math.Exp(float64((s - largest) * factor))
		scores[i] = float32(e)
		sum += e
	}
	for i := range scores {
		scores[i] /= float32(sum)
	}
}
