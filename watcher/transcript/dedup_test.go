package transcript

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A resumed session repeats the lines of another under its own session id.
func TestResumedSessionsCountOnce(t *testing.T) {
	d := NewDeduper()
	text := file(t, "claude.jsonl")
	first, _ := readText(t, text, Options{})
	resumed, _ := readText(t, strings.ReplaceAll(text, "2ff46cd5", "11111111")+
		`{"type":"user","uuid":"a1b2c3d4-0000-4000-8000-000000000000","sessionId":"11111111","timestamp":"2026-03-02T08:00:00Z","message":{"role":"user","content":"yes"}}`+"\n", Options{})
	for _, m := range first {
		if d.See(m) != New {
			t.Errorf("line %d is taken for a copy", m.Line)
		}
	}
	fresh := 0
	for _, m := range resumed {
		if d.See(m) == New {
			fresh++
		}
	}
	if fresh != 1 || len(d.seen) != len(first)+1 {
		t.Errorf("%d new messages in the resumed session, want 1", fresh)
	}
}

// The ids of OpenClaw are short: the same one in another session is another
// message, unless it was said at the same instant.
func TestShortIDsAreNoProof(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := Message{Session: "a", ID: "a1b2c3d4", Role: User, Kind: Said, At: at, Text: "ok"}
	d := NewDeduper()
	d.See(m)
	fork := m
	fork.Session = "b"
	if d.See(fork) != Repeat {
		t.Error("a fork's entry counts twice")
	}
	other := fork
	other.At = at.Add(time.Hour)
	if d.See(other) != New {
		t.Error("another message with the same short id is lost")
	}
}

func TestTheLastTextOfAnIDWins(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := Message{Session: "a", ID: "msg_015oRrxAaM8CuSF2MFET9J3i", Role: Assistant, Kind: Said, At: at, Text: "I will"}
	d := NewDeduper()
	see := func(text string, after time.Duration) Verdict {
		m.Text, m.At = text, at.Add(after)
		return d.See(m)
	}
	for i, step := range []struct {
		text  string
		after time.Duration
		want  Verdict
	}{
		{"I will", 0, New},
		{"I will look", time.Second, Newer},
		{"I will look", 2 * time.Second, Repeat},
		{"I", 0, Repeat}, // an early state in a fork that is read later
		{"I will look at", time.Second, Newer},
	} {
		if got := see(step.text, step.after); got != step.want {
			t.Errorf("step %d: %q gives %d, want %d", i, step.text, got, step.want)
		}
	}
}

// Without ids, the same words at another time or by another speaker are
// another message.
func TestKeysWithoutIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() Message {
			return Message{
				Session: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "session"),
				Role:    rapid.SampledFrom([]Role{User, Assistant}).Draw(t, "role"), Kind: Said,
				At:   time.UnixMilli(rapid.Int64Range(1, 3).Draw(t, "at")),
				Text: rapid.SampledFrom([]string{"yes", "no"}).Draw(t, "text"),
			}
		}
		a, b := draw(), draw()
		equal := a.Session == b.Session && a.Role == b.Role && a.At.Equal(b.At) && a.Text == b.Text
		if (a.Key() == b.Key()) != equal {
			t.Fatalf("%+v and %+v: keys equal %v", a, b, !equal)
		}
	})
}

func TestADeduperIsSmall(t *testing.T) {
	d := NewDeduper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const n = 100_000
	for i := range n {
		d.See(Message{ID: fmt.Sprintf("msg_%032d", i), Role: Assistant, Kind: Said, Text: "x"})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := float64(after.HeapAlloc-before.HeapAlloc) / n
	t.Logf("%.0f bytes a message", each)
	if each > 99 || len(d.seen) != n {
		t.Errorf("%.0f bytes a message, %d messages", each, len(d.seen))
	}
}

// The blocks of one message, in any order and state of growth, come out once
// each and whole.
func TestStreamedBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blocks := []string{"First I read the file.", "Then I change it.", "Done with all."}
		blocks = blocks[:rapid.IntRange(1, 3).Draw(t, "blocks")]
		var text strings.Builder
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		for _, block := range blocks {
			for range rapid.IntRange(0, 3).Draw(t, "states") {
				cut := rapid.IntRange(2, len(block)).Draw(t, "cut")
				text.WriteString(assistantLine("msg_1", block[:cut], at))
			}
			text.WriteString(assistantLine("msg_1", block, at))
		}
		var got []string
		_, err := Read(strings.NewReader(text.String()), Options{}, func(m Message) error {
			got = append(got, m.Text)
			return nil
		})
		// States that shrink are not of one stream; they may stay as blocks.
		for _, block := range blocks {
			n := 0
			for _, g := range got {
				if g == block {
					n++
				}
			}
			if err != nil || n != 1 {
				t.Fatalf("%q comes %d times in %q (%v)", block, n, got, err)
			}
		}
	})
}

// Results of tools that come between two states of a block do not part them.
func TestABlockGrowsAcrossResults(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	result := `{"type":"user","uuid":"r","sessionId":"s","timestamp":` + noon + `,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]}}` + "\n"
	all, _ := readText(t, assistantLine("msg_1", "I will", at)+result+assistantLine("msg_1", "I will look", at.Add(time.Second)), Options{})
	same(t, brief(all), []string{"3 assistant said 12:00:01 I will look", "2 tool output 12:00:00 done"})
}

func assistantLine(id, text string, at time.Time) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"x","sessionId":"s","timestamp":%q,"message":{"id":%q,"role":"assistant","content":[{"type":"text","text":%q}]}}`+"\n",
		at.Format(time.RFC3339Nano), id, text)
}
