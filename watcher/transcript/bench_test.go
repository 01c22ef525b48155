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
	for i := 0; b.Len()+i*(len(words)+len(code)) < size; i++ {
		head := fmt.Sprintf(`{"parentUuid":"p%d","isSidechain":false,"userType":"external","cwd":"/home/mara/shop","sessionId":"2ff46cd5-f4e7-4724-bb20-579dae7956ea","version":"2.1.63","gitBranch":"main",`, i)
		tail := fmt.Sprintf(`"uuid":"d2941f0b-0000-4000-8000-%012d","timestamp":"2026-03-01T%02d:%02d:%02d.000Z"}`+"\n", i, i/3600%24, i/60%60, i%60)
		b.WriteString(head + `"type":"user","message":{"role":"user","content":"` + words + `"},` + tail)
		b.WriteString(head + fmt.Sprintf(`"message":{"model":"m","id":"msg_%016d","type":"message","role":"assistant","content":[{"type":"text","text":@words@},{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"go test"}}],"usage":{"input_tokens":1,"output_tokens":2}},"type":"assistant",`, i, i) + tail)
		b.WriteString(head + fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":@code@}]},"toolUseResult":{"stdout":"ok"},`, i) + tail)
	}
	return []byte(strings.NewReplacer("@words@", `"`+words+`"`, "@code@", `"`+code+`"`).Replace(b.String()))
}

func BenchmarkRead(b *testing.B) {
	text := mixed(16 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	said, runs := 0, 0
	start := cpuTime()
	for b.Loop() {
		said, runs = 0, runs+1
		_, err := Read(bytes.NewReader(text), Options{}, func(m Message) error {
			said += len(m.Text)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	used := (cpuTime() - start).Seconds()
	b.ReportMetric(float64(said)/float64(len(text))*100, "%kept")
	if used > 0 {
		b.ReportMetric(float64(len(text)*runs)/1e6/used, "MB/cpu-s")
	}
}
