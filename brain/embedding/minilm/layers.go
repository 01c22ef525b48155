package minilm

import "math"

// scratch holds the numbers of one text between the layers, n vectors each.
type scratch struct {
	x, y, qkv, inner []float32
	keys             []float32 // transposed: keys[i*stride+t] is component i of the key of t; stride is n in whole lanes
	scores           []float32
	quantized        activations
}

// fit makes space for n vectors.
func (s *scratch) fit(c shape, n int) {
	n = alignUp(n, lanes)
	if len(s.scores) >= n {
		return
	}
	s.x, s.y, s.qkv = make([]float32, n*c.width), make([]float32, n*c.width), make([]float32, n*3*c.width)
	s.inner, s.keys, s.scores = make([]float32, n*c.inner), make([]float32, n*c.width), make([]float32, n)
	s.quantized = activations{make([]int16, n*max(c.width, c.inner)), make([]float32, n)}
}

// embed stores the vector of word pieces in out. It reports false if the result has no direction
// (zero, infinite or NaN), which happens only with damaged weights.
func (m *Model) embed(out []float32, pieces []int, s *scratch) bool {
	n, width := len(pieces), m.width
	s.fit(m.shape, n)
	x, y := s.x[:n*width], s.y // y has space for the rest of a tile
	for t, id := range pieces {
		for i, w := range m.wordRows[id*width:][:width] {
			x[t*width+i] = float32(float32(int8(w)) * m.wordScales[id]) // float32, so that it is not fused with an addition
		}
	}
	m.norm.normalize(x, m.positionRows, n)
	for _, l := range m.encoder {
		m.linear(s.qkv, x, n, l.qkv, s)
		m.attend(y, n, s)
		m.linear(y, y, n, l.dense, s)
		l.norm1.normalize(x, y, n)
		m.linear(s.inner, x, n, l.up, s)
		m.gelu.apply(s.inner[:n*m.inner])
		m.linear(y, s.inner, n, l.down, s)
		l.norm2.normalize(x, y, n)
	}
	for i, v := range x {
		out[i%width] += v
	}
	return Normalize(out)
}

// linear stores the outputs of a linear layer for n vectors in out, which may be x.
func (m *Model) linear(out, x []float32, n int, l matrix, s *scratch) {
	s.quantized.quantize(x, n, l.columns)
	for t := range n {
		copy(out[t*l.rows:], l.biases)
	}
	m.multiply(out, s.quantized, n, l)
}

// attend is multi-head self-attention. It stores in out, for each of n vectors and each head, the
// softmax-weighted sum of the values of all of them.
func (m *Model) attend(out []float32, n int, s *scratch) {
	width, size, stride := m.width, m.width/m.heads, alignUp(n, lanes)
	for t := range n {
		for i, v := range s.qkv[t*3*width+width:][:width] {
			s.keys[i*stride+t] = v
		}
	}
	factor := float32(1 / math.Sqrt(float64(size)))
	for t := range n {
		for at := 0; at < width; at += size {
			m.weigh(s.scores[:stride], s.qkv[t*3*width+at:][:size], s.keys[at*stride:], stride)
			scores := s.scores[:n]
			softmax(scores, factor)
			m.weigh(out[t*width+at:][:size], scores, s.qkv[2*width+at:], 3*width)
		}
	}
}
