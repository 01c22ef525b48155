package capture

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/brain/words"
)

// An echo is a capture of text that brainbridge just gave to the agent. The test for it is
// strict, so that nothing new is lost. The capture must be only a text, without relations,
// tags or importance. Either a recall in the same session returned a memory with that text,
// or every line of the text is a line of a context, with the id of its memory.

// echo returns the id of the memory that a capture repeats, "" if it repeats none.
func echo(r brain.Reader, c brain.Capture) (string, error) {
	if !isOnlyText(c) {
		return "", nil
	}
	id, err := contextEcho(r, c.Memory)
	if err == nil && id == "" {
		id, err = recallEcho(r, c)
	}
	return id, err
}

// isOnlyText reports whether a capture is a note with no field set but its text.
func isOnlyText(c brain.Capture) bool {
	m := c.Memory
	return m != nil && c.Source == nil && c.Gate == nil && len(c.Relate) == 0 && !m.Entity && m.GivenName() == "" &&
		m.MemoryType == "note" && len(m.Tags)+len(m.AppliesTo) == 0 && m.Importance == brain.Reference &&
		m.Severity+m.Origin+m.Retention == "" && m.LastDecay.IsZero()
}

// recallEcho returns the id of a memory with the text of the capture that a recall
// returned in the same session, "" if there is none.
func recallEcho(r brain.Reader, c brain.Capture) (string, error) {
	ids, err := recalled(r, c)
	same := slices.DeleteFunc(lifecycle.Get(&err, r.Memories, ids...), func(m brain.Memory) bool {
		return comparableText(m.Content) != comparableText(c.Memory.Content)
	})
	if err != nil || len(same) == 0 {
		return "", err
	}
	verbatim := slices.IndexFunc(same, func(m brain.Memory) bool { return m.Content == c.Memory.Content })
	newest, err := lifecycle.Newest(r, same[max(0, verbatim)].ID)
	if err != nil || comparableText(newest.Content) != comparableText(c.Memory.Content) {
		return "", err // corrected since
	}
	return newest.ID, nil
}

// recalled returns the ids of the memories that recalls of the session returned within
// [lifecycle.TouchInterval], the latest first.
func recalled(r brain.Reader, c brain.Capture) ([]string, error) {
	const most = 200
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
		if e.Kind == lifecycle.EventRecall && c.At.Sub(rec.At) < lifecycle.TouchInterval && len(ids) < most {
			ids = append(ids, e.Memory)
		}
	}
	return ids, nil
}

// comparableText returns a text without case, blanks and punctuation at its end.
func comparableText(text string) string { return strings.TrimRight(words.Key(text), ".!?… ") }

// contextEcho returns the id of the first memory in a text of context lines, else "".
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

// contextLineEcho returns the id of the memory on an exact line of a context, else "".
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
	newest, err := lifecycle.Newest(r, ids[0])
	return newest.ID, err
}

// countEcho counts an echo as an access of the memory that it repeats.
func (s *Service) countEcho(tx brain.Tx, c brain.Capture, id string) (brain.Captured, error) {
	j := brain.Judgement{Reasons: []string{"a recall returned it"}, DuplicateOf: id}
	isNew, err := putRejection(tx, c, j, RejectedEcho)
	if err == nil && isNew {
		err = lifecycle.AddTally(tx, lifecycle.TallyEchoes, 1, c.At)
	}
	if err != nil {
		return brain.Captured{}, err
	}
	m, err := s.touchIn(tx, id, c.At, lifecycle.AccessTouch())
	if err != nil {
		return brain.Captured{}, err
	}
	tl, err := lifecycle.Timeline(tx)
	if err != nil {
		return brain.Captured{}, err
	}
	done := unstoredAnswer(c)
	done.MemoryID, done.EchoOf = m.ID, m.ID
	done.Tier, done.Energy = m.Tier, tl.Energy(m.State, c.At)
	return done, nil
}
