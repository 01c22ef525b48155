package health

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
)

// AttentionSession is the attention of a session, as session-context.json shows it.
type AttentionSession struct {
	Session string             `json:"session"`
	Focus   *FocusView         `json:"focus"` // nil if there is none
	Weights map[string]float64 `json:"weights"`
	Recent  []FocusChange      `json:"recentEntries"`
	// Applications are the newest uses of memories, newest first.
	Applications []MemoryUse `json:"applicationLog"`
}

// FocusView is the focus and what happened since it was set.
type FocusView struct {
	Topic     string    `json:"topic"`
	Since     time.Time `json:"since"`
	Files     []string  `json:"relatedFiles"`    // notes with the decisions
	Decisions []string  `json:"decisions"`       // titles, newest first
	Applied   []string  `json:"memoriesApplied"` // ids, newest first
}

// MemoryUse is one use of a memory.
type MemoryUse struct {
	Memory  string    `json:"memory"`
	Kind    string    `json:"kind"` // access, boost or a verdict
	Session string    `json:"session"`
	At      time.Time `json:"at"`
}

const readLimit = 50 // of the newest uses and outcomes are read

// ReadSession returns the session that belongs to a current state. It reads only the
// newest uses and outcomes, and writes nothing.
func ReadSession(ctx context.Context, b *services.Services, s Attention) (AttentionSession, error) {
	v := AttentionSession{Session: s.Session, Weights: s.RoundedWeights(), Recent: append([]FocusChange{}, s.Recent...)}
	err := b.Base.Store.View(ctx, func(r brain.Reader) error {
		uses, err := r.ListRecords(brain.UseEventRecord, brain.RecordFilter{Limit: readLimit})
		uses, events, err := brain.WithBodies[brain.UseEvent](uses, err)
		v.Applications = make([]MemoryUse, len(events))
		for i, e := range events {
			v.Applications[i] = MemoryUse{e.Memory, e.Kind, e.Session, uses[i].At}
		}
		if err != nil || s.Focus == nil {
			return err
		}
		outcomes, err := r.ListSources(brain.SourceFilter{Kind: brain.Outcome, Limit: readLimit})
		v.Focus = s.Focus.since(v.Applications, outcomes)
		return err
	})
	return v, brain.Wrap(err, "read the attention of the session")
}

// RoundedWeights returns the weights rounded for display.
func (s Attention) RoundedWeights() map[string]float64 {
	const precision = 1e6 // six decimals
	rounded := make(map[string]float64, len(s.Weights))
	for topic, w := range s.Weights {
		rounded[topic] = math.Round(w.Value*precision) / precision
	}
	return rounded
}

// Ranked returns the topics by weight, heaviest first, then by name.
func (s Attention) Ranked() []string {
	weights := s.RoundedWeights()
	return slices.SortedFunc(maps.Keys(weights), func(x, y string) int {
		return cmp.Or(cmp.Compare(weights[y], weights[x]), strings.Compare(x, y))
	})
}

// since returns the focus with what happened since it was set.
func (f *Focus) since(uses []MemoryUse, outcomes []brain.Source) *FocusView {
	v := &FocusView{Topic: f.Topic, Since: f.Since, Files: []string{}, Decisions: []string{}, Applied: []string{}}
	for _, u := range uses {
		if !u.At.Before(f.Since) {
			v.Applied = appendNew(v.Applied, u.Memory)
		}
	}
	for i := range outcomes {
		o := &outcomes[i]
		if o.Created.Before(f.Since) || !strings.EqualFold(o.Type, "decision") || !o.Removed.IsZero() {
			continue
		}
		v.Decisions = appendNew(v.Decisions, o.Title)
		v.Files = appendNew(v.Files, o.File)
	}
	return v
}

// appendNew appends text unless it is empty or already there.
func appendNew(all []string, text string) []string {
	if text == "" || slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}
