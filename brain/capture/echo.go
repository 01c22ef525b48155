package capture

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/brain/words"
)

// An agent may capture again, as if it were new, what it was just told. The test
// for such an echo is strict, since nothing new may be lost: the capture is
// nothing but a text (no relation, tag or importance). Either a recall returned a
// memory with that text in the same session, or every line of the text is a line
// of a context, with the id of its memory.

// echo returns the memory that a capture repeats, "" for none.
func echo(r brain.Reader, c brain.Capture) (string, error) {
	if !bareNote(c) {
		return "", nil
	}
	if id, err := contextEcho(r, c.Memory); err != nil || id != "" {
		return id, err
	}
	return recallEcho(r, c)
}

// bareNote reports whether a capture is nothing but a text.
func bareNote(c brain.Capture) bool {
	m := c.Memory
	return m != nil && c.Source == nil && c.Gate == nil && len(c.Relate) == 0 && !m.Entity && m.GivenName() == "" &&
		m.MemoryType == "note" && len(m.Tags)+len(m.AppliesTo) == 0 && m.Importance == brain.Reference &&
		m.Severity+m.Origin+m.Retention == "" && m.LastDecay.IsZero()
}

// maxRecalled is the number of memories last recalled in a session that a capture
// is compared with.
const maxRecalled = 200

// recallEcho returns the memory of the same text that a recall returned in the
// session of the capture.
func recallEcho(r brain.Reader, c brain.Capture) (string, error) {
	ids, err := recalled(r, c)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	held, err := r.Memories(ids...)
	if err != nil {
		return "", err
	}
	same := slices.DeleteFunc(held, func(m brain.Memory) bool {
		return sameText(m.Content) != sameText(c.Memory.Content)
	})
	if len(same) == 0 {
		return "", nil
	}
	verbatim := slices.IndexFunc(same, func(m brain.Memory) bool { return m.Content == c.Memory.Content })
	found, err := lifecycle.Resolve(r, same[max(0, verbatim)].ID)
	if err != nil || sameText(found.Memory.Content) != sameText(c.Memory.Content) {
		return "", err // corrected since
	}
	return found.Memory.ID, nil
}

// recalled returns the memories that recalls of the session returned within a
// day, the latest first.
func recalled(r brain.Reader, c brain.Capture) ([]string, error) {
	recs, err := r.RecordsByKey(brain.TouchRecord, c.Memory.SessionID)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, rec := range slices.Backward(recs) {
		e, err := brain.Body[brain.UseEvent](rec)
		if err != nil {
			return nil, err
		}
		if e.Kind == lifecycle.EventRecall && c.At.Sub(rec.At) < lifecycle.TouchInterval && len(ids) < maxRecalled {
			ids = append(ids, e.Memory)
		}
	}
	return ids, nil
}

// sameText returns a text without differences of case, blanks and punctuation at
// its end.
func sameText(text string) string { return strings.TrimRight(words.Key(text), ".!?… ") }

// contextEcho returns the first memory of a text that consists of lines of a
// context.
func contextEcho(r brain.Reader, m *brain.Memory) (string, error) {
	first := ""
	for line := range strings.Lines(m.Content) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasSuffix(line, statement.ContextHead) || statement.IsContextHeading(line) {
			continue
		}
		id, err := contextLineEcho(r, line)
		if err != nil || id == "" {
			return "", err
		}
		if first == "" {
			first = id
		}
	}
	return first, nil
}

// contextLineEcho returns the id of the memory that a line of a context shows, ""
// if the line is not as the context wrote it.
func contextLineEcho(r brain.Reader, line string) (string, error) {
	kind, said, short, ok := statement.ParseContextLine(line)
	if !ok || short == "" {
		return "", nil
	}
	ids, err := r.Matching(2, short)
	if err != nil || len(ids) != 1 {
		return "", err
	}
	ms, err := r.Memories(ids...)
	if err != nil || len(ms) == 0 || ms[0].MemoryType != kind {
		return "", err
	}
	if s := statement.Of(&ms[0]); said != s.Title && said != s.String() {
		return "", nil
	}
	found, err := lifecycle.Resolve(r, ids[0])
	return found.Memory.ID, err
}

// countEcho counts an echo as an access of the memory that it repeats, which it
// returns.
func (b *Service) countEcho(tx brain.Tx, c brain.Capture, id string) (brain.Memory, error) {
	j := brain.Judgement{Reasons: []string{"a recall returned it"}, DuplicateOf: id}
	isNew, err := putRejection(tx, c, j, RejectedEcho)
	if err == nil && isNew {
		err = lifecycle.AddTally(tx, lifecycle.TallyEchoes, 1, c.At)
	}
	if err != nil {
		return brain.Memory{}, err
	}
	found, err := lifecycle.Resolve(tx, id)
	if err != nil {
		return brain.Memory{}, err
	}
	ms, err := b.base.TouchIn(tx, []brain.Memory{found.Memory}, c.At, lifecycle.AccessTouch())
	if err != nil {
		return brain.Memory{}, err
	}
	return ms[0], nil
}
