package transcripts

import (
	"slices"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/extract"
)

const talk = `# 2026-02-05 - Transcript

## 09:00 claude-code 1f0c2d3e-4a5b-4c6d-8e7f-901234567890

### 09:00:01 Hello

**User** (09:00:01):

Hello

**Assistant** (09:00:05):

Which port does staging use?

→ Bash: ss -ltn

**Output** (09:00:07):

5433

### 09:01:00 Staging listens on 5433

**User** (09:01:00):

Staging listens on 5433

## 09:30 codex other

**User** (09:30:00):

Something else
`

// The turns are those of one session, by its id or its short name, without what tools said.
func TestAround(t *testing.T) {
	want := []Turn{{"assistant", "09:00:05", "Which port does staging use?"}, {"user", "09:01:00", "Staging listens on 5433"}}
	for _, session := range []string{"1f0c2d3e-4a5b-4c6d-8e7f-901234567890", "1f0c2d3e"} {
		got := around(turnsOf(talk, session), "09:00:59")
		if !slices.Equal(got[1:], want) || got[0].Text != "Hello" {
			t.Errorf("%s: %+v", session, got)
		}
	}
	if got := around(turnsOf(talk, "unknown"), "09:00:59"); len(got) != 0 {
		t.Errorf("an unknown session said %+v", got)
	}
}

// The outcome of an item says where it was said, in a form that is read back.
func TestSaidIn(t *testing.T) {
	at := time.Date(2026, 2, 5, 9, 1, 30, 0, time.UTC)
	x := &Extractor{o: Options{Location: time.UTC}}
	for _, speaker := range []extract.Speaker{extract.User, extract.Assistant} {
		body := x.said(extract.Item{Quote: "Staging listens on 5433", Session: "1f0c2d3e-4a5b-4c6d-8e7f-901234567890", At: at, Speaker: speaker}, "").note.Body
		session, minute, ok := SaidIn(body, time.UTC)
		if !ok || session != "1f0c2d3e" || !minute.Equal(at.Truncate(time.Minute)) {
			t.Errorf("%s in %s, %v, of %q", minute, session, ok, body)
		}
	}
	if _, _, ok := SaidIn("Said at lunch", time.UTC); ok {
		t.Error("it was said in a session")
	}
}
