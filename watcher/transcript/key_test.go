package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"
)

// The ids of OpenClaw are short: the same one in another session is another
// message, unless it was said at the same instant.
func TestShortIDsAreNoProof(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := Message{Session: "a", ID: "a1b2c3d4", Role: User, Kind: Said, At: at, Text: "ok"}
	fork := m
	fork.Session = "b"
	if fork.Key() != m.Key() {
		t.Error("a fork's entry counts twice")
	}
	other := fork
	other.At = at.Add(time.Hour)
	if other.Key() == m.Key() {
		t.Error("another message with the same short id is lost")
	}
}

// A resumed session repeats the lines of another under its own session id.
func TestResumedSessionsHaveTheSameKeys(t *testing.T) {
	text := file(t, "claude.jsonl")
	first, _ := readText(t, text, Options{})
	resumed, _ := readText(t, strings.ReplaceAll(text, "2ff46cd5", "11111111"), Options{})
	keys := map[xxh3.Uint128]bool{}
	for _, m := range append(first, resumed...) {
		keys[m.Key()] = true
	}
	if len(keys) != len(first) || len(resumed) != len(first) {
		t.Errorf("%d messages, and %d in the copy, have %d keys", len(first), len(resumed), len(keys))
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
