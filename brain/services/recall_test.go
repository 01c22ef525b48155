package services_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// takeIn stores sections of a file, one for each text.
func (l *lab) takeIn(file string, transcript bool, texts ...string) {
	l.t.Helper()
	n := ingest.Note{File: file, Page: true, Transcript: transcript, At: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
	for i, text := range texts {
		n.Sections = append(n.Sections, ingest.NoteSection{
			Section: brain.Section{
				Key: brain.Hash(file, text), Heading: "Part", Text: text, Hash: brain.Hash(text), Line: 1 + i, Position: i,
			},
		})
	}
	must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{n}))
}

func (l *lab) recollect(q recall.Query) []recall.Recalled {
	l.t.Helper()
	q.NoTouch = true
	return must[recall.Recollection](l)(l.Recall.Recall(l.ctx(), q)).Results
}

func contents(found []recall.Recalled) []string {
	all := []string{}
	for _, r := range found {
		all = append(all, r.Memory.Content)
	}
	return all
}

// Each list is measured by its own best, so that neither drowns the other.
func TestRecallMergesWhatWasSaid(t *testing.T) {
	l := newLab(t)
	l.learn("kea", "a kea is a parrot")
	l.takeIn("knowledge/birds.md", false, "the kea lives among many other birds on an island in the south", "no bird at all")
	said := []string{"kea kea", "somebody said kea once in the middle of a long talk about other things"}
	for i := range 9 {
		said = append(said, "nothing of interest was said "+string(rune('a'+i)))
	}
	l.takeIn("transcripts/2026-01-02-transcript.md", true, said...)

	alone := l.recollect(recall.Query{Words: words.Parse("kea")})
	if len(alone) != 2 || alone[0].Score != 1 || alone[1].Score >= 1 || alone[1].Score <= 0 {
		t.Errorf("without talk: %+v", alone)
	}
	both := l.recollect(recall.Query{Words: words.Parse("kea"), Transcripts: true})
	if len(both) != 4 {
		t.Fatalf("%d answers with talk, want 4", len(both))
	}
	if got, want := contents(both[:2]), []string{"a kea is a parrot", "kea kea"}; !cmp.Equal(got, want) {
		t.Errorf("the best of each are %q, want %q first, what was written before what was said", got, want)
	}
	if both[0].Score != 1 || both[1].Score != 1 || both[1].Why.Words != 1 {
		t.Errorf("scores %v and %v of %v and %v; want 1 for the best of each, by its words alone", both[0].Score, both[1].Score, both[0].Why, both[1].Why)
	}
	if !slices.IsSortedFunc(both, func(a, b recall.Recalled) int { return int(1e6 * (b.Score - a.Score)) }) {
		t.Errorf("scores are not falling: %+v", both)
	}
	if few := l.recollect(recall.Query{Words: words.Parse("kea"), Transcripts: true, Limit: 3}); len(few) != 3 {
		t.Errorf("%d answers, want at most 3", len(few))
	}
	if only := l.recollect(recall.Query{Words: words.Parse("interest"), Transcripts: true}); len(only) != 9 || only[0].Score != 1 {
		t.Errorf("what was only said: %+v", only)
	}
}

func TestRecallFiltersSections(t *testing.T) {
	l := newLab(t)
	l.learn("kea", "a kea is a parrot")
	l.takeIn("knowledge/birds.md", false, "the kea lives on an island")
	l.takeIn("transcripts/2026-01-02-transcript.md", true, "he spoke of a kea")
	const learned, written, said = "a kea is a parrot", "the kea lives on an island", "he spoke of a kea"
	for name, c := range map[string]struct {
		q    recall.Query
		want []string
	}{
		"all":                 {recall.Query{Transcripts: true}, []string{learned, said, written}},
		"sections":            {recall.Query{Types: []string{brain.SectionType}}, []string{written}},
		"sections and talk":   {recall.Query{Types: []string{brain.SectionType}, Transcripts: true}, []string{said, written}},
		"a type":              {recall.Query{Types: []string{"learning"}, Transcripts: true}, []string{learned}},
		"a tier":              {recall.Query{Tiers: []tiers.Tier{tiers.Working}, Transcripts: true}, []string{learned}},
		"a tier and sections": {recall.Query{Tiers: tiers.All(), Types: []string{brain.SectionType}, Transcripts: true}, []string{}},
		"at an instant":       {recall.Query{AsOf: l.Base.Now().Add(time.Hour), Transcripts: true}, []string{learned}},
	} {
		c.q.Words = words.Parse("kea")
		got := contents(l.recollect(c.q))
		slices.Sort(got)
		if !cmp.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
