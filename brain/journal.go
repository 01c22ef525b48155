package brain

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// ActionKind is the kind of an action of a run.
type ActionKind string

// The kinds of actions.
const (
	ActPromote   ActionKind = "promote"
	ActExpire    ActionKind = "expire"
	ActRevive    ActionKind = "revive"
	ActForget    ActionKind = "forget"
	ActUnforget  ActionKind = "unforget"
	ActSupersede ActionKind = "supersede"
	ActReplace   ActionKind = "replace" // somebody said that one memory holds instead of others
	ActMerge     ActionKind = "merge"
	ActRelate    ActionKind = "relate"
	ActKeep      ActionKind = "keep"   // a person decided to leave memories unchanged
	ActCurate    ActionKind = "curate" // a file was written, see Action.File
)

// The kinds of runs that are not named after a command.
const (
	RunConsolidate = "consolidate"
	RunPromote     = "promote"
	RunDecay       = "decay"
	RunCorrect     = "correct"
	RunReplace     = "replace"
	RunForget      = "forget"
	RunUnforget    = "unforget"
	RunRelate      = "relate"
	RunCurate      = "curate"
	RunReview      = "review" // a person's decision about an item of the review queue
	RunSettle      = "settle" // what was due before a touch, or before MEMORY.md was written
)

// Who started a run.
const (
	ByPerson  = "person"  // a person, or an agent for one: by a command or a tool
	ByProgram = "program" // a schedule, a hook, a touch, or an edit that was found in a file
)

// Run is one entry of the journal.
type Run struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Started time.Time `json:"started"`
	// Order is Started, or just after the order of the previous run if the clock has not
	// advanced. It keeps runs in the order in which they ran.
	Order    time.Time `json:"order"`
	Finished time.Time `json:"finished,omitzero"`
	Actions  int       `json:"actions"`
	Decayed  int       `json:"decayed,omitempty"`
	Undone   time.Time `json:"undone,omitzero"`
	// StartedBy is [ByPerson] or [ByProgram]; "" in a run of a version that did not record it.
	StartedBy string `json:"startedBy,omitempty"`
	// Report is stored by the package that ran the run, in addition to the actions.
	Report json.RawMessage `json:"report,omitempty"`
}

// Change is one memory before and after an action; nil if it did not exist. The journal
// omits a text that did not change.
type Change struct {
	Before *Memory `json:"before,omitempty"`
	After  *Memory `json:"after,omitempty"`
}

// Action is one step of a run, with everything needed to undo it.
type Action struct {
	ID     string     `json:"id"` // of the run and a number, in order
	RunID  string     `json:"runId"`
	Kind   ActionKind `json:"kind"`
	IDs    []string   `json:"ids"` // subjects, the main one first
	Reason string     `json:"reason"`
	At     time.Time  `json:"at"` // the instant as of which it applies
	// Similarity of the two memories of a merge that are least alike; 0: not known.
	Similarity float64    `json:"similarity,omitempty"`
	Changes    []Change   `json:"changes,omitempty"`
	Linked     []Relation `json:"linked,omitempty"`   // relations that it added
	Unlinked   []Relation `json:"unlinked,omitempty"` // relations that it removed
	// Sources that it removed or changed, in their earlier state, and that it restored;
	// records that it removed or added.
	Sources  []Source `json:"sources,omitempty"`
	Restored []Source `json:"restored,omitempty"`
	Removed  []Record `json:"removed,omitempty"`
	Made     []Record `json:"made,omitempty"`
	Sections []string `json:"sections,omitempty"` // ids of those that it added
	Archive  string   `json:"archive,omitempty"`  // file with the forgotten memories
	// File is the data that the package that wrote a file needs to undo it.
	File   json.RawMessage `json:"file,omitempty"`
	Undone time.Time       `json:"undone,omitzero"`
}

// InBackground reports whether nobody asked for the run. Without StartedBy it does so for
// the kinds that the program may have started.
func (r Run) InBackground() bool {
	if r.StartedBy != "" {
		return r.StartedBy == ByProgram
	}
	return slices.Contains([]string{RunConsolidate, RunCurate, RunDecay, RunSettle}, r.Kind)
}

// Record returns the run as a record.
func (r Run) Record() (Record, error) {
	return NewRecord(RunRecord, r.ID, r.Kind, "", r.Order, r)
}

// Record returns the action as a record, ordered as in its run.
func (a Action) Record() (Record, error) {
	body, err := a.stored()
	if err != nil {
		return Record{}, err
	}
	subject := ""
	if a.Kind != ActCurate && len(a.IDs) > 0 { // which is not a change of memories
		subject = a.IDs[0]
	}
	return NewRecord(ActionRecord, a.ID, a.RunID, subject, a.At, body)
}

// WithoutStoredTexts returns the change without texts that stay in the store: those of a memory whose
// text did not change, and of what a memory was.
func (c Change) WithoutStoredTexts() Change {
	switch {
	case c.KeepsText():
		return Change{Before: withoutText(c.Before), After: withoutText(c.After)}
	case c.Before == nil && c.After != nil && !c.After.Current() && c.After.Tier != "":
		return Change{After: withoutText(c.After)}
	}
	return c
}

// KeepsText reports whether a memory has the same text before and after. It also works for
// a change from the journal, which omits such a text.
func (c Change) KeepsText() bool {
	return c.Before != nil && c.After != nil && c.Before.ContentHash == c.After.ContentHash &&
		slices.Equal(c.Before.Observations, c.After.Observations) && bytes.Equal(c.Before.Extra, c.After.Extra)
}

func withoutText(m *Memory) *Memory {
	s := *m
	s.Content, s.Observations, s.Extra = "", nil, nil
	return &s
}

// ID returns the id of the memory that changed.
func (c Change) ID() string {
	if c.Before != nil {
		return c.Before.ID
	}
	return c.After.ID
}
