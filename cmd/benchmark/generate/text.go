// Package generate makes the texts and memories of a large made-up brain, the same ones for the
// same seed but for their ids and times.
package generate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// BodyWords is the number of words of a body.
const BodyWords = 40

// wordForms is about how many word forms the generated texts draw from: what
// some years of notes on work hold.
const wordForms = 30_000

// Text generates texts that are like English in the properties that matter to a
// search: how often words occur (Zipf), how forms share stems, how many are stop words. The
// same seed gives the same texts.
type Text struct {
	Rand  *rand.Rand
	zipf  *rand.Zipf
	forms []string // most frequent first
}

// New returns a generator. Its Zipf-Mandelbrot exponent and shift are those that are reported of
// English texts (1.0 to 1.1, and 2.7).
func New(seed uint64) *Text {
	r := rand.New(rand.NewPCG(seed, 0))
	forms := vocabulary()
	return &Text{r, rand.NewZipf(r, 1.05, 2.7, uint64(len(forms)-1)), forms}
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
	for len(forms) < wordForms {
		root := wordRoot(r)
		for _, ending := range [][]string{{""}, {"", "s"}, {"", "ing", "ed"}, {"", "er", "ers", "ing"}}[r.IntN(4)] {
			add(root + ending)
		}
	}
	rare := forms[len(strings.Fields(frequentWords)):]
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

// Word returns a word, frequent ones more often.
func (t *Text) Word() string { return t.forms[t.zipf.Uint64()] }

// Title returns a name of a memory.
func (t *Text) Title() string { return Capital(t.Sentence(5)) }

// Body returns a few sentences, as long as the notes that people take.
func (t *Text) Body() string {
	var sentences []string
	for left := BodyWords; left > 0; {
		n := min(left, 7+t.Rand.IntN(9))
		sentences = append(sentences, Capital(t.Sentence(n))+".")
		left -= n
	}
	return strings.Join(sentences, " ")
}

// Capital returns s with its first letter, which is in ASCII, in upper case.
func Capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Question returns n different words of a text that somebody may have written, stop
// words left out: what people type into a search.
func (t *Text) Question(n int) string {
	var asked []string
	for len(asked) < n {
		w := t.Word()
		if !words.Stop(w) && !slices.Contains(asked, w) {
			asked = append(asked, w)
		}
	}
	return strings.Join(asked, " ")
}

// Thing returns a name of two words, neither frequent nor rare.
func (t *Text) Thing() string {
	return t.forms[200+t.Rand.IntN(2800)] + " " + t.forms[200+t.Rand.IntN(2800)]
}

// Sentence returns n words, also stop words.
func (t *Text) Sentence(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = t.Word()
	}
	return strings.Join(all, " ")
}

// Memory returns a memory as it is found some time after its capture: most are in
// longTerm, a third has faded. Nothing of it falls due within the next hours.
func (t *Text) Memory(policy *tiers.Policy, now time.Time) brain.Memory {
	m := t.Plain(now.Add(-time.Duration(t.Rand.Int64N(int64(365 * 24 * time.Hour)))))
	switch lot := t.Rand.IntN(100); {
	case lot < 10:
		m.State = policy.Start(tiers.Working, 1+t.Rand.Float64(), 0, now)
	case lot < 25:
		m.State = policy.Start(tiers.ShortTerm, 2+3*t.Rand.Float64(), 0, now)
	case lot < 70:
		m.State = policy.Start(tiers.LongTerm, 3+5*t.Rand.Float64(), 0, now)
	default:
		_, m.State = policy.Settle(policy.Start(tiers.Working, 1, 0, m.Created.Add(-24*time.Hour)), now)
	}
	m.ValidFrom = m.Created
	return m
}

// Plain returns a memory without a life.
func (t *Text) Plain(created time.Time) brain.Memory {
	tags := []string{"infra", "ops", "backend", "frontend", "docs", "planning", "security", "research"}
	first := t.Rand.IntN(len(tags) - 1)
	kinds := []string{"decision", "lesson", "discovery", "issue", "note", "learning"}
	levels := []brain.Importance{brain.Critical, brain.Important, brain.Reference, brain.Reference}
	m := brain.Memory{
		ID: brain.NewID(), Name: t.Title(), Content: t.Body(), Tags: tags[first : first+2],
		MemoryType: kinds[t.Rand.IntN(len(kinds))], Importance: levels[t.Rand.IntN(len(levels))],
		Created: brain.Instant(created), LastAccessed: brain.Instant(created), AccessCount: 1,
	}
	m.NameKey = brain.NameKey(m.Name)
	m.ContentHash = brain.Hash(m.Name, m.Content)
	return m
}
