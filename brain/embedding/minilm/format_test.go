package minilm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func write(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func openTiny(t *testing.T) *Model {
	t.Helper()
	m, err := Open(write(t, tinyFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func TestAFileThatIsNotTheModelIsRefused(t *testing.T) {
	good := tinyFile(t)
	changed := func(at int) []byte {
		bad := slices.Clone(good)
		bad[at] ^= 1
		return bad
	}
	weightsAt := len(good) - tiny.weightBytes()
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"foreign":         {bytes.Repeat([]byte("# Notes\n"), 100), "it does not begin as one"},
		"its beginning":   {good[:50], "it does not begin as one"},
		"cut off":         {good[:len(good)-1], "bytes instead of"},
		"too long":        {append(slices.Clone(good), 0), "bytes instead of"},
		"header":          {changed(13), "header is damaged"},
		"size in header":  {changed(12 + 4*5), "bytes instead of"},
		"notice":          {changed(headerSize + 100), "its checksum is wrong"},
		"last float":      {changed(weightsAt - 1), "its checksum is wrong"},
		"hash of weights": {changed(headerSize - 1), "its checksum is wrong"},
	} {
		m, err := Open(write(t, test.data))
		if m != nil || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %q", name, err, test.want)
		}
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir(), write(t, nil)} {
		if _, err := Open(path); err == nil || errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestVerifyFindsDamagedWeights(t *testing.T) {
	if err := openTiny(t).Verify(); err != nil {
		t.Error(err)
	}
	bad := tinyFile(t)
	bad[len(bad)-1] ^= 1
	m, err := Open(write(t, bad))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	if err := m.Verify(); !errors.Is(err, ErrFormat) {
		t.Errorf("%v", err)
	}
}

func TestTheLicenceIsInTheFile(t *testing.T) {
	m := openTiny(t)
	if m.Model() != Name {
		t.Errorf("the model calls itself %q", m.Model())
	}
	for _, part := range []string{"Derived from sentence-transformers/all-MiniLM-L6-v2", "8-bit weights", "Apache License", "END OF TERMS AND CONDITIONS"} {
		if !strings.Contains(m.notice, part) {
			t.Errorf("its notice lacks %q", part)
		}
	}
}

func TestAClosedModelSaysSo(t *testing.T) {
	m := openTiny(t)
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			for {
				if v, err := m.Embed(t.Context(), "the cookie"); errors.Is(err, ErrClosed) {
					return
				} else if err != nil || len(v) != 1 {
					t.Errorf("%v, %v", v, err)
					return
				}
			}
		})
	}
	if _, err := m.Embed(t.Context(), "the heron"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	calls.Wait()
	if _, err := m.Pieces("a"); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if err := m.Verify(); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestConvertTakesOnlyThePublishedFiles(t *testing.T) {
	weights, vocabulary := tinySource(t)
	path := filepath.Join(t.TempDir(), "model")
	err := Convert(path, write(t, weights), write(t, vocabulary))
	if !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), VocabularySHA256) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it left a file: %v", err)
	}
}

func TestConvertNamesWhatIsMissing(t *testing.T) {
	weights, vocabulary := tinySource(t)
	for name, test := range map[string]struct {
		weights, vocabulary []byte
		want                string
	}{
		"cut off":   {weights[:100], vocabulary, "cut off"},
		"no header": {bytes.Replace(weights, []byte(`{"__`), []byte(`["__`), 1), vocabulary, "invalid character"},
		"name":      {bytes.Replace(weights, []byte("intermediate"), []byte("intermediats"), 1), vocabulary, "encoder.layer.0.intermediate.dense"},
		"data":      {weights[:len(weights)-4], vocabulary, "encoder.layer.1.output.LayerNorm.bias is missing or has another form"},
		"pieces":    {weights, vocabulary[:len(vocabulary)-3], "28 word pieces instead of 29"},
	} {
		if _, err := convert(tiny, test.weights, test.vocabulary); !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %q", name, err, test.want)
		}
	}
}

// The loader returns an error or a model that gives vectors, whatever the file holds.
func FuzzOpen(f *testing.F) {
	good := tinyFile(f)
	weightsAt := len(good) - tiny.weightBytes()
	f.Add(13, []byte{1}, true)
	f.Add(headerSize-32-4, []byte{255, 255, 255, 255}, true)
	f.Add(headerSize+len(Name)+len(notice), []byte{0, 0, 0, 200}, true)
	f.Add(weightsAt-400, []byte{0, 0, 0xC0, 0x7F}, true)
	f.Add(weightsAt+5, []byte{0x80, 0x80}, false)
	f.Fuzz(func(t *testing.T, at int, patch []byte, repair bool) {
		data := slices.Clone(good)
		if at < 0 || at > len(data) {
			data = patch
		} else {
			copy(data[at:], patch)
		}
		if repair && len(data) >= weightsAt {
			binary.LittleEndian.PutUint32(data[8:], crc32.Checksum(data[12:weightsAt], castagnoli))
		}
		m, err := newModel(data)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Error(err)
			}
			return
		}
		vectors, err := m.Embed(t.Context(), "The cookies are unbelievable!", strings.Repeat("heron ", 20))
		if err != nil && !errors.Is(err, ErrFormat) || err == nil && len(vectors) != 2 {
			t.Errorf("%d vectors, %v", len(vectors), err)
		}
	})
}
