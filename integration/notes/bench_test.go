package notes_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkSync reports the first scan of daily notes with five outcomes each,
// and one with nothing changed.
func BenchmarkSync(b *testing.B) {
	const days = 2000
	r := newRig(b)
	words := strings.Fields("heron otter walrus quokka glider ivory pelican seal wombat zebra engine river storage kettle")
	for i := range days {
		day := time.Date(2010, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		var text strings.Builder
		fmt.Fprintf(&text, "# %s - Daily Notes\n", day)
		for k := range 5 {
			fmt.Fprintf(&text, "\n## [%02d:00] decision: Choice %d of %s\n\nWe use the %s for the %s, number %d.\n", 9+k, k,
				words[(i+k)%len(words)], words[i%len(words)], words[(i*7+k)%len(words)], i)
		}
		r.save(day+".md", text.String())
	}
	start := time.Now()
	if res := r.sync(); res.New != 5*days {
		b.Fatalf("%+v", res)
	}
	first := time.Since(start)
	for b.Loop() {
		if res := r.sync(); res.Unchanged != 5*days {
			b.Fatalf("%+v", res)
		}
	}
	b.ReportMetric(float64(first.Microseconds())/days, "µs/new-file")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/days, "µs/same-file")
}
