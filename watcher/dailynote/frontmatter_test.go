package dailynote_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

func TestDateOfFrontMatter(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"none":            {"# A\ndate: 2026-02-03\n", ""},
		"date":            {"---\ntitle: X\ndate: 2026-02-03\n---\nx\n", "2026-02-03"},
		"with a time":     {"---\ndate: 2026-02-03T10:00:00+01:00\r\n---\nx\n", "2026-02-03"},
		"in quotes":       {"---\nDate: \"2026-02-03\"\n---\nx\n", "2026-02-03"},
		"created":         {"---\ncreated: 2026-02-04\n---\nx\n", "2026-02-04"},
		"date wins":       {"---\ncreated: 2026-02-04\ndate: 2026-02-03\n---\nx\n", "2026-02-03"},
		"no such day":     {"---\ndate: 2026-02-31\n---\nx\n", ""},
		"another form":    {"---\ndate: yesterday\n---\nx\n", ""},
		"below the front": {"---\ntitle: X\n---\ndate: 2026-02-03\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := dailynote.Parse([]byte(c.text), dailynote.Options{}).Date; got != c.want {
				t.Errorf("the date is %q, want %q", got, c.want)
			}
		})
	}
}
