package minilm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"unsafe"
)

// ErrFormat is the kind of error for a file that is not a usable model: foreign, damaged,
// or incomplete.
var ErrFormat = errors.New("not a usable sentence model")

// The file, all numbers little-endian:
//
//	magic, 8 bytes; CRC-32C of all from here to the weights, 4 bytes
//	layers, width, heads, inner, positions, pieces, and the bytes of the name, the notice and
//	the text of the pieces, uint32 each; SHA-256 of the weights
//	name, notice
//	pieces, sorted: ends in the text as uint32, ids as uint16, text
//	float32, at a multiple of 4: positions with the token type, gain and bias of the first
//	norm, scales of the word rows, and for each layer scales and biases of its four
//	matrices, gain and bias of its two norms
//	weights as int8, at a multiple of 64: for each layer its four matrices, then a row for each id
//
// The checksum at opening leaves out the weights, because reading them takes longer than a
// query. Whatever they hold, nothing but the direction of the vectors depends on it.
const (
	magic      = "BBMODEL1"
	headerSize = 8 + 4 + 9*4 + 32
)

// shape holds the sizes of a model.
type shape struct {
	layers, width, heads, inner int
	positions                   int // most pieces of a text
	pieces                      int // size of the vocabulary
}

// valid reports whether the sizes are plausible, and matrices consist of complete blocks.
func (s shape) valid() bool {
	in := func(n, from, to int) bool { return from <= n && n <= to }
	return in(s.layers, 1, 64) && in(s.width, group, 4096) && in(s.inner, group, 1<<14) && in(s.heads, 1, s.width) &&
		in(s.positions, 2, 4096) && in(s.pieces, 4, 1<<16) &&
		s.width%group == 0 && s.inner%group == 0 && s.width%s.heads == 0 && s.width/s.heads%lanes == 0
}

// floatCount returns the number of float32 in a file.
func (s shape) floatCount() int {
	return s.positions*s.width + 2*s.width + s.pieces + s.layers*(s.matrixBytes()/group+9*s.width+s.inner)
}

// weightBytes returns the number of bytes of the matrices and the word rows.
func (s shape) weightBytes() int {
	return s.layers*s.matrixBytes() + s.pieces*s.width
}

// matrixBytes returns the number of bytes of the four matrices of a layer.
func (s shape) matrixBytes() int { return 4*s.width*s.width + 2*s.width*s.inner }

// layer holds the parameters of one transformer layer.
type layer struct {
	qkv, dense, up, down matrix
	norm1, norm2         layerNorm
}

// layerNorm holds the parameters of a layer normalization.
type layerNorm struct{ gain, bias []float32 }

// contents is the content of a file, most of it as slices of it.
type contents struct {
	shape
	name, notice string
	checksum     [32]byte // of weights
	vocabulary   vocabulary
	positionRows []float32
	norm         layerNorm
	wordScales   []float32
	encoder      []layer
	weights      []byte
	wordRows     []byte // a row of width for each id
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// parse returns the content of a file. Its slices share the memory of data.
func parse(data []byte) (*contents, error) {
	if len(data) < headerSize || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not begin as one", ErrFormat)
	}
	var n [9]int
	for i := range n {
		n[i] = int(binary.LittleEndian.Uint32(data[12+4*i:]))
	}
	c := &contents{shape: shape{n[0], n[1], n[2], n[3], n[4], n[5]}}
	nameLen, noticeLen, textLen := n[6], n[7], n[8]
	if !c.valid() || max(nameLen, noticeLen, textLen) > 1<<24 {
		return nil, fmt.Errorf("%w: its header is damaged", ErrFormat)
	}
	floatsAt := alignUp(headerSize+nameLen+noticeLen+6*c.pieces+textLen, 4)
	weightsAt := alignUp(floatsAt+4*c.floatCount(), 64)
	if size := weightsAt + c.weightBytes(); len(data) != size {
		return nil, fmt.Errorf("%w: it has %d bytes instead of %d", ErrFormat, len(data), size)
	}
	if crc32.Checksum(data[12:weightsAt], castagnoli) != binary.LittleEndian.Uint32(data[8:]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrFormat)
	}
	copy(c.checksum[:], data[headerSize-32:])
	rest := data[headerSize:floatsAt]
	c.name, rest = string(rest[:nameLen]), rest[nameLen:]
	c.notice, rest = string(rest[:noticeLen]), rest[noticeLen:]
	var err error
	if c.vocabulary, err = newVocabulary(rest[:4*c.pieces], rest[4*c.pieces:6*c.pieces], rest[6*c.pieces:][:textLen]); err != nil {
		return nil, err
	}
	c.weights = data[weightsAt:]
	c.read(viewFloats(data[floatsAt:][:4*c.floatCount()]), c.weights)
	return c, nil
}

// read takes the parameters from the floats and weights of a file, in its order.
func (c *contents) read(floats []float32, weights []byte) {
	take := func(n int) (part []float32) {
		part, floats = floats[:n:n], floats[n:]
		return part
	}
	takeMatrix := func(rows, columns int) matrix {
		m := matrix{rows: rows, columns: columns, weights: weights[:rows*columns], scales: take(rows * columns / group), biases: take(rows)}
		weights = weights[rows*columns:]
		return m
	}
	takeNorm := func() layerNorm { return layerNorm{take(c.width), take(c.width)} }
	c.positionRows, c.norm, c.wordScales = take(c.positions*c.width), takeNorm(), take(c.pieces)
	for range c.layers {
		c.encoder = append(c.encoder, layer{
			takeMatrix(3*c.width, c.width), takeMatrix(c.width, c.width), takeMatrix(c.inner, c.width), takeMatrix(c.width, c.inner),
			takeNorm(), takeNorm(),
		})
	}
	c.wordRows = weights
}

// viewFloats returns the numbers in data without copying them, where the machine stores them alike.
func viewFloats(data []byte) []float32 {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return decodeFloats(data)
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&data[0])), len(data)/4)
}

func decodeFloats(data []byte) []float32 {
	floats := make([]float32, len(data)/4)
	for i := range floats {
		floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return floats
}

func alignUp(n, to int) int { return (n + to - 1) / to * to }
