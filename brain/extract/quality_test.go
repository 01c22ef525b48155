package extract_test

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/extract"
)

type labelled struct {
	want    extract.Type // empty: none
	speaker extract.Speaker
	text    string
}

func readLabelled(t testing.TB, path string) []labelled {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []labelled
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.SplitN(lines.Text(), "\t", 3)
		if len(fields) != 3 {
			t.Fatalf("%s: %q is not label, speaker, text", path, lines.Text())
		}
		if fields[0] == "none" {
			fields[0] = ""
		}
		list = append(list, labelled{extract.Type(fields[0]), extract.Speaker(fields[1]), fields[2]})
	}
	return list
}

// score counts per type: right, found in all, wanted in all.
type score struct{ right, found, wanted int }

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.found)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(1, s.wanted)) }

func said(speaker extract.Speaker, text string) extract.Chunk {
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	return extract.Chunk{Session: "s", Turns: []extract.Turn{{Session: "s", At: at, Speaker: speaker, Text: text}}}
}

// TestQuality measures the patterns on two sets written by hand in natural
// words. Both were written before the patterns, but by the same author, and
// nothing was changed for the second one: it shows that patterns do not break
// each other, not what they do to other people's words. For that there is the
// day that watcher/transcript/fixture makes up, written by somebody else: of
// its 90 planted sentences 38 % were found before any was looked at, and of the
// half that was left aside 52 % after the patterns had been widened by the
// other half. Since then all of them have been looked at.
func TestQuality(t *testing.T) {
	for _, set := range []struct {
		file                    string
		precision, recall, kept float64 // kept: at all, whatever the type
	}{
		{"testdata/said-tuned.tsv", 0.9, 0.9, 0.9},
		{"testdata/said-second.tsv", 0.9, 0.9, 0.9},
	} {
		t.Run(set.file, func(t *testing.T) {
			day := extract.NewDay(extract.Defaults())
			byType, all, kept := map[extract.Type]score{}, score{}, score{}
			for _, l := range readLabelled(t, set.file) {
				var got extract.Type
				if items := day.Extract(said(l.speaker, l.text)); len(items) > 0 {
					got = items[0].Type
				}
				count(byType, &all, &kept, l.want, got)
				if got != l.want {
					t.Logf("want %q got %q: %s", l.want, got, l.text)
				}
			}
			for _, typ := range extract.Types() {
				t.Logf("%-12s precision %.2f recall %.2f (%d)", typ, byType[typ].precision(), byType[typ].recall(), byType[typ].wanted)
			}
			t.Logf("%-12s precision %.2f recall %.2f; kept at all: precision %.2f recall %.2f", "all",
				all.precision(), all.recall(), kept.precision(), kept.recall())
			if all.precision() < set.precision || all.recall() < set.recall || kept.recall() < set.kept {
				t.Errorf("precision %.2f (want %.2f), recall %.2f (want %.2f)", all.precision(), set.precision, all.recall(), set.recall)
			}
		})
	}
}

func count(byType map[extract.Type]score, all, kept *score, want, got extract.Type) {
	add := func(typ extract.Type, s score) {
		old := byType[typ]
		byType[typ] = score{old.right + s.right, old.found + s.found, old.wanted + s.wanted}
	}
	if want != "" {
		all.wanted++
		kept.wanted++
		add(want, score{wanted: 1})
	}
	if got != "" {
		all.found++
		kept.found++
		add(got, score{found: 1})
	}
	if got != "" && want != "" {
		kept.right++
	}
	if got != "" && got == want {
		all.right++
		add(got, score{right: 1})
	}
}
