package minilm

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The fast kernels return what the plain ones do, bit for bit.
func TestFastProductsEqualPlainOnes(t *testing.T) {
	fast := fastKernels()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 13).Draw(t, "n")
		rows, columns := blockRows*rapid.IntRange(1, 5).Draw(t, "blocks"), group*rapid.IntRange(1, 5).Draw(t, "groups")
		random := newRandom(t)
		m := matrix{rows: rows, columns: columns, weights: make([]byte, rows*columns), scales: random.floats(rows * columns / group)}
		space := alignUp(n, tile)
		x := activations{make([]int16, space*columns), random.floats(space)}
		extreme := rapid.Bool().Draw(t, "extreme")
		for i := range m.weights {
			if m.weights[i] = byte(random.Uint32()); extreme {
				m.weights[i] = 0x80
			}
		}
		for i := range x.values {
			if x.values[i] = int16(random.Uint32()); extreme {
				x.values[i] = math.MinInt16
			}
		}
		want := random.floats(space * rows)
		got := slices.Clone(want)
		multiplyPlain(want, x, n, m)
		fast.multiply(got, x, n, m)
		if !slices.Equal(got[:n*rows], want[:n*rows]) {
			t.Fatalf("%d×%d times %d: other numbers", rows, columns, n)
		}
	})
}

// The plain kernel returns the products of the rows with the vectors.
func TestPlainProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, rows, columns := rapid.IntRange(1, 5).Draw(t, "n"), 2*blockRows, 3*group
		random := newRandom(t)
		values, vectors := random.floats(rows*columns), random.floats(n*columns)
		weights, scales := quantize(values, group)
		m := matrix{
			rows: rows, columns: columns, weights: packBlocks(weights, columns, 2), scales: packBlocks(scales, columns/group, 1),
		}
		x := activations{make([]int16, n*columns), make([]float32, n)}
		x.quantize(vectors, n, columns)
		got := make([]float32, n*rows)
		multiplyPlain(got, x, n, m)
		for i := range got {
			want, size := 0.0, 0.0
			for c := range columns {
				product := float64(values[i%rows*columns+c]) * float64(vectors[i/rows*columns+c])
				want, size = want+product, size+product*product
			}
			if off := math.Abs(float64(got[i]) - want); off > 0.03*math.Sqrt(size) {
				t.Fatalf("number %d is %g instead of %g", i, got[i], want)
			}
		}
	})
}

func TestFastSumsEqualPlainOnes(t *testing.T) {
	fast := fastKernels()
	rapid.Check(t, func(t *rapid.T) {
		n, columns := rapid.IntRange(1, 70).Draw(t, "n"), lanes*rapid.IntRange(1, 5).Draw(t, "lanes")
		stride := columns + rapid.IntRange(0, 9).Draw(t, "gap")
		random := newRandom(t)
		weights, rows := random.floats(n), random.floats((n-1)*stride+columns)
		got, want := random.floats(columns), make([]float32, columns)
		weighPlain(want, weights, rows, stride)
		fast.weigh(got, weights, rows, stride)
		if !slices.Equal(got, want) {
			t.Fatalf("%d rows of %d: other numbers", n, columns)
		}
		if first := float64(want[0]); math.Abs(first-dot(weights, rows, stride)) > 1e-3 {
			t.Fatalf("the first sum is %g", first)
		}
	})
}

func dot(weights, rows []float32, stride int) (sum float64) {
	for i, w := range weights {
		sum += float64(w) * float64(rows[i*stride])
	}
	return sum
}

func TestActivationsAreRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		random := newRandom(t)
		x := random.floats(n * group)
		clear(x[:group/2])
		a := activations{make([]int16, len(x)), make([]float32, n)}
		a.quantize(x, n, group)
		for i, v := range x {
			if off := math.Abs(float64(v) - float64(a.values[i])*float64(a.scales[i/group])); off > 0.51*float64(a.scales[i/group]) {
				t.Fatalf("%g became %d times %g", v, a.values[i], a.scales[i/group])
			}
		}
	})
	a := activations{make([]int16, group), make([]float32, 1)}
	if a.quantize(make([]float32, group), 1, group); slices.ContainsFunc(a.values, func(v int16) bool { return v != 0 }) {
		t.Error("zeros became numbers")
	}
}

func TestFunctionsOfTheLayers(t *testing.T) {
	table := newGELUTable()
	for x := -9.0; x < 9; x += 0.001 {
		got := []float32{float32(x)}
		if table.apply(got); math.Abs(float64(got[0])-x/2*math.Erfc(-x/math.Sqrt2)) > 5e-5 {
			t.Fatalf("GELU of %g is %g", x, got[0])
		}
	}
	scores := []float32{1000, 1000 + 2*float32(math.Log(3)), -1000}
	if softmax(scores, 0.5); math.Abs(float64(scores[0])-0.25) > 1e-4 || math.Abs(float64(scores[1])-0.75) > 1e-4 || scores[2] != 0 {
		t.Errorf("softmax is %v", scores)
	}
	x := []float32{1, 2, 3, 4}
	layerNorm{[]float32{1, 1, 1, 2}, []float32{0, 0, 0, 5}}.normalize(x, []float32{1, 1, 1, 1}, 1)
	for i, want := range []float64{-1.5, -0.5, 0.5, 2*1.5 + 5*math.Sqrt(1.25)} {
		if math.Abs(float64(x[i])-want/math.Sqrt(1.25)) > 1e-5 {
			t.Errorf("normalized to %v", x)
		}
	}
}
