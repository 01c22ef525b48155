package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// mixed is a Claude Code file of about size bytes as they are in the field: a
// third words, the rest results of tools.
func mixed(size int) []byte {
	var b bytes.Buffer
	words := strings.Repeat("We looked at the cache and it \\\"seems\\\" fine.\\n", 12)
	code := strings.Repeat(`\tif err := run(ctx); err != nil {\n\t\treturn fmt.Errorf(\"run: %w\", err)\n\t}\n`, 40)
	for i := 0; b.Len() < size; i++ {
		head := fmt.Sprintf(`{"parentUuid":"p%d","isSidechain":false,"userType":"external","cwd":"/home/mara/shop","sessionId":"2ff46cd5-f4e7-4724-bb20-579dae7956ea","version":"2.1.63","gitBranch":"main",`, i)
		tail := fmt.Sprintf(`"uuid":"d2941f0b-0000-4000-8000-%012d","timestamp":"2026-03-01T%02d:%02d:%02d.000Z"}`+"\n", i, i/3600%24, i/60%60, i%60)
		b.WriteString(head + `"type":"user","message":{"role":"user","content":"` + words + `"},` + tail)
		b.WriteString(head + fmt.Sprintf(`"message":{"model":"m","id":"msg_%016d","type":"message","role":"assistant","content":[{"type":"text","text":"%s"},{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"go test"}}],"usage":{"input_tokens":1,"output_tokens":2}},"type":"assistant",`, i, words, i) + tail)
		b.WriteString(head + fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":"%s"}]},"toolUseResult":{"stdout":"ok"},`, i, code) + tail)
	}
	return b.Bytes()
}

// BenchmarkRead is the reading alone, without looking for copies.
func BenchmarkRead(b *testing.B) {
	text := mixed(16 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	said := 0
	for b.Loop() {
		said = 0
		_, err := Read(bytes.NewReader(text), Options{}, func(m Message) error {
			said += len(m.Text)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(said)/float64(len(text))*100, "%kept")
}

// BenchmarkDedup adds the search for copies.
func BenchmarkDedup(b *testing.B) {
	text := mixed(16 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		d := NewDeduper()
		_, err := Read(bytes.NewReader(text), Options{}, func(m Message) error {
			d.See(m)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
