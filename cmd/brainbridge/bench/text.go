package bench

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// The shape of a generated memory: as long as the notes that people take.
const (
	nameWords = 5
	bodyWords = 40
)

// wordForms is about how many word forms the generated texts draw from: what
// some years of notes on work hold.
const wordForms = 30_000

// The Zipf-Mandelbrot exponent and shift of English texts, within the ranges
// that are usually reported (1.0 to 1.1, and 2.7).
const (
	zipfExponent = 1.05
	zipfShift    = 2.7
)

// textMaker generates texts that are like English in the properties that matter to a
// search: how often words occur (Zipf), how forms share stems, how many are stop words. The
// same seed gives the same texts.
type textMaker struct {
	rand  *rand.Rand
	zipf  *rand.Zipf
	forms []string // most frequent first
}

func newTextMaker(seed uint64) *textMaker {
	r := rand.New(rand.NewPCG(seed, 0))
	forms := vocabulary()
	return &textMaker{r, rand.NewZipf(r, zipfExponent, zipfShift, uint64(len(forms)-1)), forms}
}

// frequentWords are the most frequent words of English notes about software, most
// frequent first.
const frequentWords = `the to and of a in is for it that on with we be as this not are by from
at or was if an have but can when so use after now no new do then which will all one only has also into
more server test user build run data file error time code service database config deploy release request
fix branch version change client query cache log key table memory project review team update release name
token queue port host network session worker storage index schema backup docker cluster timeout retry
latency metric alert dashboard customer invoice meeting decision deadline budget design feature issue
ticket merge commit rollback migration staging production report pipeline driver parser editor graph node`

// vocabulary is the same list of word forms in every run.
func vocabulary() []string {
	r := rand.New(rand.NewPCG(7, 7))
	var forms []string
	seen := map[string]bool{}
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			forms = append(forms, w)
		}
	}
	for _, w := range strings.Fields(frequentWords) {
		add(w)
	}
	frequent := len(forms)
	for len(forms) < wordForms {
		root := wordRoot(r)
		for _, ending := range [][]string{{""}, {"", "s"}, {"", "ing", "ed"}, {"", "er", "ers", "ing"}}[r.IntN(4)] {
			add(root + ending)
		}
	}
	rare := forms[frequent:]
	r.Shuffle(len(rare), func(i, j int) { rare[i], rare[j] = rare[j], rare[i] })
	return forms
}

// wordRoot generates a word of two or three syllables.
func wordRoot(r *rand.Rand) string {
	onsets := strings.Fields("b br c cl d dr f fl g gr h j k l m n p pl qu r s sh sl st t th tr v w z")
	vowels := strings.Fields("a ai e ea i o oo ou u")
	codas := strings.Fields("b ck d ft g ld lk m mp n nd nt p rd rk rm rn st t th x")
	var w strings.Builder
	for range 1 + r.IntN(2) {
		w.WriteString(onsets[r.IntN(len(onsets))] + vowels[r.IntN(len(vowels))])
	}
	w.WriteString(onsets[r.IntN(len(onsets))] + vowels[r.IntN(len(vowels))] + codas[r.IntN(len(codas))])
	return w.String()
}

func (t *textMaker) word() string { return t.forms[t.zipf.Uint64()] }

// title is a name of a memory.
func (t *textMaker) title() string {
	name := make([]string, nameWords)
	for i := range name {
		name[i] = t.word()
	}
	return capital(strings.Join(name, " "))
}

// body is a few sentences.
func (t *textMaker) body() string {
	var b strings.Builder
	for left := bodyWords; left > 0; {
		n := min(left, 7+t.rand.IntN(9))
		sentence := make([]string, n)
		for i := range sentence {
			sentence[i] = t.word()
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(capital(strings.Join(sentence, " ")) + ".")
		left -= n
	}
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// question is n different words of a text that somebody may have written, stop
// words left out: what people type into a search.
func (t *textMaker) question(n int) string {
	var asked []string
	for len(asked) < n {
		w := t.word()
		if !words.Stop(w) && !slices.Contains(asked, w) {
			asked = append(asked, w)
		}
	}
	return strings.Join(asked, " ")
}

// sentence is a whole question, with stop words.
func (t *textMaker) sentence(n int) string {
	asked := make([]string, n)
	for i := range asked {
		asked[i] = t.word()
	}
	return strings.Join(asked, " ")
}

func (t *textMaker) tags() []string {
	tags := []string{"infra", "ops", "backend", "frontend", "docs", "planning", "security", "research"}
	first := t.rand.IntN(len(tags))
	return []string{tags[first], tags[(first+1+t.rand.IntN(len(tags)-1))%len(tags)]}
}

// memory is a memory as it is found some time after its capture: most are in
// longTerm, a third has faded. Nothing of it falls due within the next hours.
func (t *textMaker) memory(tl tiers.Timeline, now time.Time) brain.Memory {
	m := t.plain(now.Add(-time.Duration(t.rand.Int64N(int64(365 * 24 * time.Hour)))))
	switch lot := t.rand.IntN(100); {
	case lot < 10:
		m.State = tl.Start(tiers.Working, 1+t.rand.Float64(), 0, now)
	case lot < 25:
		m.State = tl.Start(tiers.ShortTerm, 2+3*t.rand.Float64(), 0, now)
	case lot < 70:
		m.State = tl.Start(tiers.LongTerm, 3+5*t.rand.Float64(), 0, now)
	default:
		_, m.State = tl.Settle(tl.Start(tiers.Working, 1, 0, m.Created.Add(-24*time.Hour)), now)
	}
	m.ValidFrom = m.Created
	return m
}

// plain is a memory without a life.
func (t *textMaker) plain(created time.Time) brain.Memory {
	kinds := []string{"decision", "lesson", "discovery", "issue", "note", "learning"}
	levels := []brain.Importance{brain.Critical, brain.Important, brain.Reference, brain.Reference}
	m := brain.Memory{
		ID: brain.NewID(), Name: t.title(), Content: t.body(), Tags: t.tags(),
		MemoryType: kinds[t.rand.IntN(len(kinds))], Importance: levels[t.rand.IntN(len(levels))],
		Created: brain.Instant(created), LastAccessed: brain.Instant(created), AccessCount: 1,
	}
	m.NameKey = brain.NameKey(m.Name)
	m.ContentHash = brain.Hash(m.Name, m.Content)
	return m
}
