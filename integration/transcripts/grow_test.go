package transcripts_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// A session that goes on for days and is extracted each day comes to the same as one that
// is read as a whole.
func TestALongSessionIsReadInPieces(t *testing.T) {
	long := strings.Repeat("The harbour crane is loud again today. ", 60)
	const each = 200 // messages a day, some 450 KB
	days := []string{"2026-02-02", "2026-02-03", "2026-02-04", "2026-02-05"}
	lines := func(day string) []string {
		var all []string
		for i := range each {
			all = append(all, say("s", fmt.Sprintf("%sT%02d:%02d:00Z", day, 8+i/60, i%60), "user", fmt.Sprintf("Number %d. %s", i, long)))
		}
		return append(all, say("s", day+"T20:00:00Z", "user", "We decided to keep the crane of "+day+"."))
	}
	pieces, whole := newRig(t), newRig(t)
	path := pieces.session("s", lines(days[0])...)
	pieces.extract("")
	for _, day := range days[1:] {
		pieces.add(path, lines(day)...)
		pieces.extract("")
	}
	everything := []string{}
	for _, day := range days {
		everything = append(everything, lines(day)...)
	}
	whole.session("s", everything...)
	whole.extract("")
	if got, want := pieces.relative(), whole.relative(); !maps.Equal(got, want) {
		t.Error("read in pieces the files are others than read as a whole")
	}
	if d := pieces.one(days[2]); !d.Unchanged || d.Messages != each+1 {
		t.Errorf("%+v", d)
	}
}
