package capture

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Similarities of the relevance filter, in [0, 1].
const (
	gateDuplicate = 0.85 // above it a text is a duplicate of a stored memory
	gateSimilar   = 0.6  // above it a text loses points
)

// GateFacts are the inputs of the relevance filter.
type GateFacts struct {
	NearestID, NearestName string  // of the most similar stored memory, "" for none
	Similarity             float64 // to that memory
	// Contradicts is set if the two differ in a number, a negation or the like. Then the
	// text is not a duplicate.
	Contradicts bool

	AppliesTo []string // contexts
	Severity  string
	Origin    string // mistake, failure or feedback
	Keyword   string // a keyword that it shares with core memory, "" for none
	Common    bool   // the caller says that the topic comes up again and again
	// Kind is decision, preference, lesson or fact if the text states one; "" otherwise.
	Kind extract.Kind
}

// Duplicate reports whether the text says the same as a stored memory.
func (f GateFacts) Duplicate() bool { return f.Similarity > gateDuplicate && !f.Contradicts }

// Judge returns the relevance score of a text, with a reason for each fact that counts.
// Unknown values cause warnings. A duplicate scores 0.
func (f GateFacts) Judge(threshold float64) brain.Judgement {
	j := brain.Judgement{Threshold: threshold}
	severities := map[string]float64{"critical": 5, "high": 3, "medium": 2, "low": 1, "": 0}
	origins := map[string]float64{"mistake": 2, "failure": 2, "feedback": 3}
	severity := strings.ToLower(strings.TrimSpace(f.Severity))
	if _, known := severities[severity]; !known {
		j.Warnings = append(j.Warnings, fmt.Sprintf("the severity %.40q is not known and counts 0; use critical, high, medium or low", f.Severity))
	}
	if f.Duplicate() {
		j.DuplicateOf = f.NearestID
		j.Reasons = []string{fmt.Sprintf("0: says the same as %s (similarity %.2f)", f.nearest(), f.Similarity)}
		return j
	}
	add := func(points float64, format string, args ...any) {
		if points != 0 {
			j.Score += points
			j.Reasons = append(j.Reasons, fmt.Sprintf("%+g: ", points)+fmt.Sprintf(format, args...))
		}
	}
	if f.Similarity > gateSimilar {
		but := ""
		if f.Contradicts {
			but = ", but they contradict each other"
		}
		add(-2, "is similar to %s (similarity %.2f%s)", f.nearest(), f.Similarity, but)
	}
	if f.Kind != "" {
		add(5, "states a %s", f.Kind)
	}
	contexts := brain.Unique(brain.Map(f.AppliesTo, func(c string) string { return strings.ToLower(plaintext.OneLine(c)) }))
	n := len(slices.DeleteFunc(contexts, func(c string) bool { return c == "" }))
	add([...]float64{0, 0, 2, 3}[min(n, 3)], "applies to %d contexts", n)
	add(severities[severity], "severity %s", severity)
	add(origins[f.Origin], "came from a %s", f.Origin)
	if f.Keyword != "" {
		add(1, "shares %q with core memory", f.Keyword)
	}
	if f.Common {
		add(2, "comes up again and again")
	}
	if j.Reasons == nil {
		j.Reasons = []string{"0: nothing counts for or against it"}
	}
	return j
}

// nearest returns the id and name of the most similar memory.
func (f GateFacts) nearest() string {
	return fmt.Sprintf("%s %q", f.NearestID, plaintext.Clip(plaintext.OneLine(f.NearestName), 40))
}

// Causes of a rejection.
const (
	RejectedDuplicate = "duplicate" // it says the same as a stored memory
	RejectedScore     = "score"     // below the threshold
)

// reject counts a capture that is not stored.
func (s *Service) reject(ctx context.Context, c brain.Capture, j brain.Judgement) error {
	cause, counts := RejectedScore, []lifecycle.Tally{lifecycle.TallyGated, lifecycle.TallyRejected}
	if j.DuplicateOf != "" {
		cause, counts = RejectedDuplicate, append(counts, lifecycle.TallyDuplicates)
	}
	err := s.base.Store.Update(ctx, func(tx brain.Tx) error {
		isNew, err := putRejection(tx, c, j, cause)
		if err != nil || !isNew {
			return err
		}
		if j.DuplicateOf != "" {
			var held lifecycle.Resolved
			if held, err = lifecycle.Resolve(tx, j.DuplicateOf); err == nil {
				_, err = s.confirm(tx, held.Memory, c.At)
			}
		}
		for _, t := range counts {
			if err == nil {
				err = lifecycle.AddTally(tx, t, 1, c.At)
			}
		}
		return err
	})
	return brain.Wrap(err, "reject a capture")
}

// confirm counts a repeated capture as an access to the memory, which revives it.
func (s *Service) confirm(tx brain.Tx, m brain.Memory, now time.Time) (brain.Memory, error) {
	confirmation := lifecycle.Touch{
		Kind: lifecycle.EventConfirm, ID: s.base.NewID(),
		Count: func(m *brain.Memory, _ time.Time) { m.Confirmations++ },
	}
	return brain.First(s.base.TouchIn(tx, []brain.Memory{m}, now, confirmation, lifecycle.AccessTouch()))
}

// putRejection stores a rejection, drops the oldest ones above the limit, and reports
// whether it is new.
func putRejection(tx brain.Tx, c brain.Capture, j brain.Judgement, cause string) (bool, error) {
	old, err := tx.Records(brain.RejectionRecord, c.Memory.ID)
	if err != nil || len(old) > 0 {
		return false, err
	}
	rejection := brain.Rejection{ID: c.Memory.ID, At: c.At, Name: plaintext.Clip(c.Memory.Name, brain.DerivedName), Cause: cause, Judgement: j}
	rec, err := brain.NewRecord(brain.RejectionRecord, c.Memory.ID, string(lifecycle.TallyRejected), cause, c.At, rejection)
	if err != nil {
		return false, err
	}
	latest, err := tx.ListRecords(brain.RejectionRecord, brain.RecordFilter{Limit: brain.RejectionsKept + 1})
	lifecycle.Put(&err, lifecycle.DeleteRecords(tx), latest[min(len(latest), brain.RejectionsKept-1):]...)
	lifecycle.Put(&err, tx.PutRecords, rec)
	return err == nil, err
}
