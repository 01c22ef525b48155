package transcripts

import "testing"

func TestFailedDays(t *testing.T) {
	err := Report{Days: []Day{
		{Date: "2026-02-03", Chunks: 3, Failures: 1}, {Date: "2026-02-04", Chunks: 2}, {Date: "2026-02-05", Chunks: 2, Failures: 2, Partial: "no budget"},
	}}.Failed()
	want := "2026-02-03 is not done: 1 of 3 chunks failed\n2026-02-05 is not done: 2 of 2 chunks failed: no budget"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := (Report{Days: []Day{{Date: "2026-02-04", Chunks: 2}}}).Failed(); err != nil {
		t.Error(err)
	}
}
