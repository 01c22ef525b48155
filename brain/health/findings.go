package health

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

const lastJob = "reflection" // the checkpoint of the last deep reflection

// lastReflection is the last deep reflection.
type lastReflection struct {
	Report  Reflection `json:"report"`            // its time is zero if there was none
	Written string     `json:"written,omitempty"` // mark of the last text written by then
}

func readLast(ctx context.Context, b *services.Services) (l lastReflection, err error) {
	err = b.Base.Checkpoint(ctx, lastJob, &l)
	return l, err
}

// SaveReflection stores a deep reflection. The next one begins at its mark.
func SaveReflection(ctx context.Context, b *services.Services, rep Reflection, mark string) error {
	return b.Base.PutCheckpoint(ctx, lastJob, lastReflection{rep, mark})
}

// LastReport returns the last deep reflection, with a zero time if there was none.
func LastReport(ctx context.Context, b *services.Services) (Reflection, error) {
	l, err := readLast(ctx, b)
	return l.Report, err
}

// NewFindings returns the findings of the last deep reflection if it was made since a time,
// and since the last session ended; otherwise nil.
func NewFindings(ctx context.Context, b *services.Services, since time.Time) (*Findings, error) {
	last, err := LastReport(ctx, b)
	if err != nil || last.At.IsZero() || last.At.Before(since) {
		return nil, err
	}
	ended, err := b.Base.JobFinished(ctx, lifecycle.SessionJob)
	if err != nil || last.At.Before(ended) {
		return nil, err
	}
	return new(last.Findings()), nil
}

const maxSources = 1000 // of the newest activities are read

const dueAfter = 10 // sessions after which a reflection is due

// ReflectionDue reports whether enough sessions have ended since the last deep reflection.
func ReflectionDue(ctx context.Context, b *services.Services) (bool, error) {
	last, err := readLast(ctx, b)
	if err != nil {
		return false, err
	}
	all, err := b.Recall.Sources(ctx, brain.SourceFilter{Kind: brain.Activity, Limit: maxSources})
	n := 0
	for i := range all {
		if all[i].Type == SessionActivity && all[i].Created.After(last.Report.At) {
			n++
		}
	}
	return n >= dueAfter, brain.Wrap(err, "count the sessions since the last reflection")
}

// SessionActivity is the type of activities that record a session.
const SessionActivity = "session"

// Findings sum up a deep reflection.
type Findings struct {
	At           time.Time `json:"at"`
	Unsaved      int       `json:"unsaved"`
	LowValue     int       `json:"lowValue"`
	Core         int       `json:"core"`         // candidates for core memory
	Contradicted int       `json:"contradicted"` // core memories that a memory contradicts
}

// Findings sums up a report.
func (r Reflection) Findings() Findings {
	f := Findings{At: r.At, Unsaved: len(r.Unsaved), LowValue: len(r.LowValue)}
	for _, ranked := range r.HighValue {
		if ranked.Core {
			f.Core++
		}
	}
	for _, belief := range r.Beliefs {
		if len(belief.Contradicts) > 0 {
			f.Contradicted++
		}
	}
	return f
}

// Summary returns the counts above zero as one line, "" if there are none.
func (f Findings) Summary() string {
	var found []string
	for _, c := range []struct {
		n    int
		what string
	}{{f.Unsaved, "unsaved"}, {f.LowValue, "of low value"}, {f.Core, "for core"}, {f.Contradicted, "contradicted in core"}} {
		if c.n > 0 {
			found = append(found, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(found, ", ")
}
