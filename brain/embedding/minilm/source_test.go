package minilm

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var tiny = shape{layers: 2, width: 64, heads: 2, inner: 128, positions: 16, pieces: len(tinyPieces())}

func tinyPieces() []string {
	return strings.Fields("[PAD] [UNK] [CLS] [SEP] the cookie cook ##ie ##ies un ##believ ##able heron 5 43 ##3 ! , = . c + # naive 智 strasse ##s ss µ")
}

// tinySource returns the published files of a small model with random weights.
func tinySource(tb testing.TB) (weights, vocabulary []byte) {
	tb.Helper()
	type tensor struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets []int  `json:"data_offsets"`
	}
	random, index, data := rand.New(rand.NewPCG(1, 2)), map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte{}
	add := func(name string, center float32, sizes ...int) {
		from, n := len(data), 1
		for _, size := range sizes {
			n *= size
		}
		for range n {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(center+float32(random.NormFloat64())/8))
		}
		index[name] = tensor{"F32", sizes, []int{from, len(data)}}
	}
	addNorm := func(name string) {
		add(name+".LayerNorm.weight", 1, tiny.width)
		add(name+".LayerNorm.bias", 0, tiny.width)
	}
	addLinear := func(name string, rows, columns int) {
		add(name+".weight", 0, rows, columns)
		add(name+".bias", 0, rows)
	}
	add("embeddings.word_embeddings.weight", 0, tiny.pieces, tiny.width)
	add("embeddings.position_embeddings.weight", 0, 2*tiny.positions, tiny.width)
	add("embeddings.token_type_embeddings.weight", 0, 2, tiny.width)
	addNorm("embeddings")
	for _, layer := range []string{"encoder.layer.0.", "encoder.layer.1."} {
		for _, part := range []string{"self.query", "self.key", "self.value", "output.dense"} {
			addLinear(layer+"attention."+part, tiny.width, tiny.width)
		}
		addNorm(layer + "attention.output")
		addLinear(layer+"intermediate.dense", tiny.inner, tiny.width)
		addLinear(layer+"output.dense", tiny.width, tiny.inner)
		addNorm(layer + "output")
	}
	header, err := json.Marshal(index)
	if err != nil {
		tb.Fatal(err)
	}
	weights = append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	return append(weights, data...), []byte(strings.Join(tinyPieces(), "\n") + "\n")
}

// tinyFile returns the file of that model.
func tinyFile(tb testing.TB) []byte {
	tb.Helper()
	weights, vocabulary := tinySource(tb)
	file, err := convert(tiny, weights, vocabulary)
	if err != nil {
		tb.Fatal(err)
	}
	return file
}
