package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// The fuzz targets read any text as one of the formats. Whatever it is, the
// reading ends without an error, and what comes out keeps what doc.go says.

func FuzzClaudeCode(f *testing.F) { fuzz(f, "claude.jsonl") }
func FuzzOpenClaw(f *testing.F)   { fuzz(f, "openclaw.jsonl") }
func FuzzCodex(f *testing.F)      { fuzz(f, "codex.jsonl") }
func FuzzGemini(f *testing.F)     { fuzz(f, "gemini.jsonl") }

func fuzz(f *testing.F, name string) {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f.Add([]byte(line))
	}
	f.Add(text)
	f.Add(text[:len(text)/2])
	head, _, _ := strings.Cut(string(text), "\n")
	f.Fuzz(func(t *testing.T, data []byte) {
		data = append([]byte(head+"\n"), data...) // which tells the format
		all, res := readText(t, string(data), Options{File: "x.jsonl"})
		checkMessages(t, all, data)
		if res.Bytes > int64(len(data)) || (res.UnfinishedLine == 0 && res.Bytes != int64(len(data))) {
			t.Errorf("%d bytes read of %d, unfinished %d", res.Bytes, len(data), res.UnfinishedLine)
		}
	})
}

func checkMessages(t *testing.T, all []Message, data []byte) {
	t.Helper()
	for _, m := range all {
		switch {
		case (m.Text == "") != m.TakenBack || !utf8.ValidString(m.Text) || strings.ContainsAny(m.Text, "\x00\r\x1b"):
			t.Errorf("text %q", m.Text)
		case m.Kind == Call && (strings.Contains(m.Text, "\n") || utf8.RuneCountInString(m.Text) > MaxCall):
			t.Errorf("call %q", m.Text)
		case m.Kind == Output && utf8.RuneCountInString(m.Text) >= MaxOutput, m.Kind == Failure && utf8.RuneCountInString(m.Text) > MaxFailure:
			t.Errorf("result of %d characters", utf8.RuneCountInString(m.Text))
		case m.End <= 0 || m.End > int64(len(data)) || m.Line < 1:
			t.Errorf("line %d to %d of %d", m.Line, m.End, len(data))
		}
	}
}
