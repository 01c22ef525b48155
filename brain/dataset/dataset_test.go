package dataset_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/dataset"
)

func TestReadNamesTheLine(t *testing.T) {
	const record = `{"kind":"record","set":"s","id":"1","text":"a"}` + "\n"
	for text, want := range map[string]string{
		record + "\n" + record:                               "",
		record + "nothing":                                   "line 2: is not a JSON object",
		record + `[1]`:                                       "line 2: is not a JSON object",
		`{"kind":"turn","id":"1","text":"a"}`:                `line 1: kind is "turn"`,
		record + record + `{"kind":"record","text":"a"}`:     "line 3: has no id",
		`{"kind":"query","id":"1"}`:                          "line 1: has no text",
		`{"kind":"query","id":"1","text":"a"}` + "\n\n\nx{}": "line 4: is not a JSON object",
	} {
		err := dataset.Read(strings.NewReader(text), func(int, dataset.Line) error { return nil })
		if err == nil && want != "" || err != nil && (want == "" || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestDates(t *testing.T) {
	vienna := time.FixedZone("CET", 3600)
	for date, want := range map[string]string{
		"2026-03-01": "2026-02-28T23:00:00Z", "2026-03-01T10:00:00+02:00": "2026-03-01T08:00:00Z", "": "0001-01-01T00:00:00Z",
	} {
		l := dataset.Line{Date: date}
		if at, err := l.Time(vienna); err != nil || at.UTC().Format(time.RFC3339) != want {
			t.Errorf("%q is %v, %v; want %s", date, at, err, want)
		}
	}
	if _, err := (&dataset.Line{Date: "1 March"}).Time(vienna); err == nil || !strings.Contains(err.Error(), "2026-03-01") {
		t.Errorf("the error is %v, want one with an example", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"kind":"record","id":"1","text":"a"}`))
	f.Add([]byte(`{"kind":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if l, err := dataset.Parse(line); err == nil && (l.ID == "" || l.Text == "") {
			t.Errorf("%q is read as %+v", line, l)
		}
	})
}
