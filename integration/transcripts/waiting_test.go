package transcripts_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/extract"
)

// spent is a model that fails once, answers once, and then may not be asked.
type spent struct{ asked int }

func (*spent) Name() string { return "spent" }

func (m *spent) Extract(context.Context, extract.Chunk) ([]extract.Item, bool, error) {
	m.asked++
	switch m.asked {
	case 1:
		return nil, false, errors.New("it stuttered")
	case 2:
		return nil, false, nil
	}
	return nil, true, errors.New("nothing is left of the budget")
}

func TestAChunkThatNobodyWasAskedForWaits(t *testing.T) {
	r := newRig(t)
	m := &spent{}
	r.o.Model = m
	var lines []string
	for _, hour := range []string{"08", "10", "12", "14", "16"} {
		lines = append(lines, say("s", "2026-02-05T"+hour+":00:00Z", "user", "The crane is loud at "+hour+"."))
	}
	r.session("one", lines...)
	d := r.one("2026-02-05")
	if d.Chunks != 5 || d.Nothings != 1 || d.Failures != 4 || d.Waiting != 3 || d.Done || m.asked != 3 {
		t.Errorf("asked %d times: %+v", m.asked, d)
	}
	if said := messages(d.Problems); !strings.Contains(said, "it stuttered") || strings.Contains(said, "budget") || !strings.Contains(d.Partial, "budget") {
		t.Errorf("partial %q, problems\n%s", d.Partial, said)
	}
}
