package minilm

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"slices"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// Name is the identity of the model that [Convert] writes.
const Name = "all-MiniLM-L6-v2-int8"

// SHA-256 of the files that the model is made from, as its authors publish them.
const (
	WeightsSHA256    = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db" // model.safetensors
	VocabularySHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3" // vocab.txt
)

//go:embed notice.txt
var notice string

// ErrSource is the kind of error for files that are not those the model is made from.
var ErrSource = errors.New("not the published file")

// Convert writes the file of a model, made from the files model.safetensors and vocab.txt
// of all-MiniLM-L6-v2. The same files give the same bytes on every machine.
func Convert(path, weights, vocabulary string) error {
	pieces, err := readPublished(vocabulary, VocabularySHA256)
	if err != nil {
		return err
	}
	tensors, err := readPublished(weights, WeightsSHA256)
	if err != nil {
		return err
	}
	model, err := convert(shape{layers: 6, width: 384, heads: 12, inner: 1536, positions: 256, pieces: 30_522}, tensors, pieces)
	if err != nil {
		return fmt.Errorf("convert %s: %w", weights, err)
	}
	return durable.WriteFile(path, model, durable.Options{Mode: 0o644})
}

func readPublished(path, sum string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != sum {
		return nil, fmt.Errorf("%s: %w: its SHA-256 is %s instead of %s", path, ErrSource, got, sum)
	}
	return data, nil
}

// convert returns the file of a model of a shape. Further positions are left out.
func convert(s shape, weights, vocabulary []byte) ([]byte, error) {
	t, err := openTensors(weights)
	if err != nil {
		return nil, err
	}
	ends, ids, text := packVocabulary(vocabulary)
	w := writer{tensors: t}
	w.positions(s)
	w.norm("embeddings.LayerNorm", s.width)
	words, wordScales := quantize(w.read("embeddings.word_embeddings.weight", s.pieces, s.width), s.width)
	w.floats = append(w.floats, wordScales...)
	for i := range s.layers {
		layer := fmt.Sprintf("encoder.layer.%d.", i)
		attention := layer + "attention.self."
		w.matrix(s.width, s.width, attention+"query", attention+"key", attention+"value")
		w.matrix(s.width, s.width, layer+"attention.output.dense")
		w.matrix(s.inner, s.width, layer+"intermediate.dense")
		w.matrix(s.width, s.inner, layer+"output.dense")
		w.norm(layer+"attention.output.LayerNorm", s.width)
		w.norm(layer+"output.LayerNorm", s.width)
	}
	if w.err == nil && len(ids) != 2*s.pieces {
		w.err = fmt.Errorf("%w: it has %d word pieces instead of %d", ErrSource, len(ids)/2, s.pieces)
	}
	if w.err != nil {
		return nil, w.err
	}
	w.weights = append(w.weights, words...)

	sum := sha256.Sum256(w.weights)
	file := make([]byte, 12, 24<<20)
	copy(file, magic)
	for _, n := range []int{s.layers, s.width, s.heads, s.inner, s.positions, s.pieces, len(Name), len(notice), len(text)} {
		file = binary.LittleEndian.AppendUint32(file, uint32(n))
	}
	file = slices.Concat(file, sum[:], []byte(Name), []byte(notice), ends, ids, text)
	file = append(file, make([]byte, alignUp(len(file), 4)-len(file))...)
	for _, f := range w.floats {
		file = binary.LittleEndian.AppendUint32(file, math.Float32bits(f))
	}
	file = append(file, make([]byte, alignUp(len(file), 64)-len(file))...)
	binary.LittleEndian.PutUint32(file[8:], crc32.Checksum(file[12:], castagnoli))
	return append(file, w.weights...), nil
}

// packVocabulary returns the sections of a file for a list with a piece a line. The id of a
// piece is the number of its line.
func packVocabulary(list []byte) (ends, ids, text []byte) {
	pieces := bytes.Split(bytes.TrimSuffix(list, []byte("\n")), []byte("\n"))
	order := make([]int, len(pieces))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(pieces[a], pieces[b]) })
	for _, id := range order {
		text = append(text, pieces[id]...)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(text)))
		ids = binary.LittleEndian.AppendUint16(ids, uint16(id))
	}
	return ends, ids, text
}

// tensors is a file in the format safetensors.
type tensors struct {
	index map[string]struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets []int  `json:"data_offsets"`
	}
	data []byte
}

func openTensors(file []byte) (tensors, error) {
	var t tensors
	if len(file) < 8 || binary.LittleEndian.Uint64(file) > uint64(len(file)-8) {
		return t, fmt.Errorf("%w: it is cut off", ErrSource)
	}
	header := file[8:][:binary.LittleEndian.Uint64(file)]
	t.data = file[8+len(header):]
	if err := json.Unmarshal(header, &t.index); err != nil {
		return t, fmt.Errorf("%w: %w", ErrSource, err)
	}
	return t, nil
}

// writer collects the parameters of a model in the order of its file. It keeps the first error.
type writer struct {
	tensors
	floats  []float32
	weights []byte
	err     error
}

// read returns the first rows of a tensor, whose rows have width numbers.
func (w *writer) read(name string, rows, width int) []float32 {
	t, ok := w.index[name]
	size := 4 * rows * width
	if !ok || t.Type != "F32" || len(t.Shape) == 0 || t.Shape[len(t.Shape)-1] != width ||
		len(t.Offsets) != 2 || t.Offsets[0] < 0 || t.Offsets[0]+size > min(t.Offsets[1], len(w.data)) {
		w.err = cmp.Or(w.err, fmt.Errorf("%w: its tensor %s is missing or has another form", ErrSource, name))
		return make([]float32, rows*width)
	}
	return decodeFloats(w.data[t.Offsets[0]:][:size])
}

// positions adds the vectors of the positions with that of the only token type.
func (w *writer) positions(s shape) {
	positions := w.read("embeddings.position_embeddings.weight", s.positions, s.width)
	for i, v := range w.read("embeddings.token_type_embeddings.weight", 1, s.width) {
		for p := range s.positions {
			positions[p*s.width+i] += v
		}
	}
	w.floats = append(w.floats, positions...)
}

func (w *writer) norm(name string, width int) {
	w.floats = append(w.floats, w.read(name+".weight", 1, width)...)
	w.floats = append(w.floats, w.read(name+".bias", 1, width)...)
}

// matrix adds linear layers with the same input as one matrix.
func (w *writer) matrix(rows, columns int, names ...string) {
	var weights []byte
	var scales, biases []float32
	for _, name := range names {
		part, partScales := quantize(w.read(name+".weight", rows, columns), group)
		weights, scales = append(weights, part...), append(scales, partScales...)
		biases = append(biases, w.read(name+".bias", 1, rows)...)
	}
	w.weights = append(w.weights, packBlocks(weights, columns, 2)...)
	w.floats = append(w.floats, packBlocks(scales, columns/group, 1)...)
	w.floats = append(w.floats, biases...)
}

// quantize returns numbers as int8, with a scale for every size of them.
func quantize(values []float32, size int) (weights []byte, scales []float32) {
	for part := range slices.Chunk(values, size) {
		scale := max(slices.Max(part), -slices.Min(part)) / 127
		scales = append(scales, scale)
		for _, v := range part {
			weights = append(weights, byte(int8(math.Round(float64(v)/max(float64(scale), math.SmallestNonzeroFloat32)))))
		}
	}
	return weights, scales
}

// packBlocks returns the rows of a matrix in the order of [matrix]: blocks of 16 rows, in each
// of them some columns of every row, then the next columns.
func packBlocks[T any](values []T, width, columns int) []T {
	packed := make([]T, 0, len(values))
	for block := range slices.Chunk(values, blockRows*width) {
		for i := 0; i < width; i += columns {
			for row := range blockRows {
				packed = append(packed, block[row*width+i:][:columns]...)
			}
		}
	}
	return packed
}
