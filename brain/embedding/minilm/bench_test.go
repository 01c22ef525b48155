package minilm

import (
	"syscall"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

// cpuTime returns the time that the process has computed.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkEmbed also reports the CPU time of a text, which other processes disturb less.
func BenchmarkEmbed(b *testing.B) {
	m := openModel(b)
	for name, text := range map[string]string{
		"10 words": "where do the pictures of last week live now then",
		"12 words": "The session cookie expires after thirty minutes unless the user is active.",
		"64 pieces": "The session cookie expires after thirty minutes unless the user is active, because the auditors asked for it. " +
			"Staging listens on another port, because the old cluster holds the usual one, and nobody wants to move it before the release in March. " +
			"Images are stored in object storage with signed addresses, and thumbnails are made on demand.",
	} {
		for kind, k := range map[string]kernels{"fast": fastKernels(), "plain": plainKernels()} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				m.kernels = k
				n, err := m.Pieces(text)
				if err != nil {
					b.Fatal(err)
				}
				began := cpuTime(b)
				for b.Loop() {
					if _, err := m.Embed(b.Context(), text); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(cpuTime(b)-began)/float64(b.N)/1e6, "cpu-ms/op")
				b.ReportMetric(float64(n), "pieces")
			})
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	file := embedtest.ModelFile(b)
	for b.Loop() {
		m, err := Open(file)
		if err != nil {
			b.Fatal(err)
		}
		_ = m.Close()
	}
}
