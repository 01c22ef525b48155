package transcripts

import (
	"slices"
	"testing"
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
