package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestThePictureOfTheStatusFits80Columns(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	a := &cli{out: &out, env: func(string) string { return "" }, clock: func() time.Time { return now }}
	memory := func(hours int) brain.View {
		return brain.View{
			Name: strings.Repeat("a long name ", 20), MemoryType: strings.Repeat("kind", 20), Tier: new(tiers.Working),
			Created: now.Add(-time.Hour), ExpiresAt: new(now.Add(time.Duration(hours) * time.Hour)),
		}
	}
	s := app.StatusAnswer{Brain: "default", Kind: "sqlite", Total: 1_234_567, Tiers: map[tiers.Tier]int{tiers.Working: 3, tiers.Expired: 1_234_564}}
	a.drawStatus(s, []brain.View{memory(30), memory(2), memory(-1)}, []brain.View{memory(5)})
	text := out.String()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if soon, late := strings.Index(text, "in 2h"), strings.Index(text, "in 30h"); soon < 0 || late < soon {
		t.Errorf("what expires first is not first:\n%s", text)
	}
	if strings.Count(text, "expires") != 2 {
		t.Errorf("an expired memory is listed as next:\n%s", text)
	}
	if !strings.Contains(text, "working          3  █\n") {
		t.Errorf("a few of very many have no bar:\n%s", text)
	}
}
