package health

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/words"
)

// Belief is a core memory with what supports and contradicts it.
type Belief struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	MemoryType  string  `json:"memoryType"`
	Text        string  `json:"text"`
	Supports    []Quote `json:"supports"`
	Contradicts []Quote `json:"contradicts"`
	JudgedBy    string  `json:"judgedBy"` // rules or model
	// Dropped is the number of quotes of a model that are not in the memory.
	Dropped int `json:"dropped"`
}

// Quote is a verbatim passage of a memory.
type Quote struct {
	ID    string `json:"id"` // of the memory
	Name  string `json:"name"`
	Quote string `json:"quote"`
}

// Verdict is the answer of a model about a memory.
type Verdict struct {
	ID       string
	Supports bool // otherwise it contradicts
	Quote    string
}

// BeliefJudge weighs what memories say about a belief, until over is true.
type BeliefJudge interface {
	Weigh(ctx context.Context, belief brain.Memory, memories []brain.Memory) (found []Verdict, over bool, err error)
}

// The values of Belief.JudgedBy.
const (
	judgedByRules = "rules"
	judgedByModel = "model"
)

const (
	evidenceHits = 20  // memories that are compared with a belief
	minShared    = 2   // minimum number of content words that a passage shares with a belief
	sharedPart   = 0.5 // minimum share of the content words of the belief
	sameText     = 0.7 // minimum similarity of passages that differ in a number, a date or the like
	minQuote     = 8   // bytes; shorter quotes are in any text
)

// beliefs returns the beliefs of core memory, by the rules if no judge can be asked.
func (q ReflectionRequest) beliefs(ctx context.Context, b *services.Services) ([]Belief, error) {
	core, err := b.Review.CoreMemories(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(core, func(x, y brain.Memory) int {
		return cmp.Or(strings.Compare(x.MemoryType, y.MemoryType), strings.Compare(x.Name, y.Name), strings.Compare(x.ID, y.ID))
	})
	all := make([]Belief, len(core))
	judge := q.Judge
	for i, m := range core {
		near, err := evidence(ctx, b, m)
		if err != nil {
			return nil, err
		}
		if judge == nil || len(near) == 0 {
			all[i] = byWords(m, near)
			continue
		}
		found, over, err := judge.Weigh(ctx, m, near)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			q.Warn(fmt.Errorf("cannot ask the model about %q, so the rules judge it: %w", m.Name, err))
			all[i] = byWords(m, near)
		default:
			all[i] = byModel(m, near, found)
		}
		if over {
			judge = nil
		}
	}
	return all, nil
}

// evidence returns other memories that share words with a belief, best first.
func evidence(ctx context.Context, b *services.Services, m brain.Memory) ([]brain.Memory, error) {
	asked := words.Content(m.Name+"\n"+m.Content, 0)
	if len(asked) == 0 {
		return nil, nil
	}
	near, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Memory, error) {
		hits, err := r.Search(brain.SearchQuery{Words: words.Query{Terms: asked}, NoSections: true, Limit: evidenceHits})
		if err != nil {
			return nil, err
		}
		return r.Memories(brain.Map(hits, func(h brain.Hit) string { return h.ID })...)
	})
	return slices.DeleteFunc(near, func(n brain.Memory) bool { return n.ID == m.ID || !n.Current() }), brain.Wrap(err, "look for evidence about %s", m.ID)
}

// newBelief returns a belief without evidence.
func newBelief(m brain.Memory, judge string) Belief {
	return Belief{ID: m.ID, Name: m.Name, MemoryType: m.MemoryType, Text: m.Content, Supports: []Quote{}, Contradicts: []Quote{}, JudgedBy: judge}
}

func (b *Belief) add(m brain.Memory, supports bool, quote string) {
	q := Quote{m.ID, m.Name, quote}
	if supports {
		b.Supports = append(b.Supports, q)
	} else {
		b.Contradicts = append(b.Contradicts, q)
	}
}

// byModel judges by the answers of a model whose quotes are in the memory: by the first that
// supports the belief and the first that contradicts it.
func byModel(m brain.Memory, near []brain.Memory, found []Verdict) Belief {
	b := newBelief(m, judgedByModel)
	seen := map[Verdict]bool{} // without their quotes
	for _, w := range found {
		quote := strings.TrimSpace(w.Quote)
		at := slices.IndexFunc(near, func(n brain.Memory) bool { return n.ID == w.ID })
		if at < 0 || len(quote) < minQuote || !strings.Contains(near[at].Content, quote) {
			b.Dropped++
			continue
		}
		if w.Quote = ""; !seen[w] {
			seen[w] = true
			b.add(near[at], w.Supports, quote)
		}
	}
	return b
}

// byWords judges by the passage of each memory that shares most words.
func byWords(m brain.Memory, near []brain.Memory) Belief {
	b := newBelief(m, judgedByRules)
	asked, belief := words.Content(m.Content, 0), similar.Prepare(m.Content)
	for _, n := range near {
		if quote := quotedPassage(n.Content, asked); quote != "" {
			b.add(n, !contradicts(belief, similar.Prepare(quote)), quote)
		}
	}
	return b
}

// contradicts reports whether a passage denies a belief: by a negation or an
// opposite word, or by another number, date or the like in nearly the same text.
func contradicts(belief, passage similar.Text) bool {
	bothDiffer := similar.Invented(passage, belief) & similar.Invented(belief, passage)
	return similar.Opposed(belief, passage) || belief.Similarity(passage) >= sameText && bothDiffer != 0
}

// quotedPassage returns the sentence that shares most words with a belief, "" if too few.
func quotedPassage(text string, asked []string) string {
	best, most := "", max(minShared, int(sharedPart*float64(len(asked))+0.5))-1
	for _, s := range sentences(text) {
		n := 0
		for _, w := range words.Content(s, 0) {
			if slices.Contains(asked, w) {
				n++
			}
		}
		if n > most {
			best, most = s, n
		}
	}
	return best
}

// sentences returns the sentences of a text, verbatim.
func sentences(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		for s := range plaintext.Sentences(line) {
			if s = strings.TrimSpace(s); s != "" {
				all = append(all, s)
			}
		}
	}
	return all
}
