package memorymd

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Form is the way in which the block shows its entries.
type Form string

// The two forms.
const (
	Curated Form = "curated" // one line an entry, under a budget
	Full    Form = "full"    // one entry per outcome, with all of its text
)

// Entry is a memory that may be shown in the block.
type Entry struct {
	ID   string // the newest of its chain
	Root string // the first id of its chain; "": ID. The person's changes to an entry are kept under it.
	Type string // "": note
	Date string // YYYY-MM-DD
	Time string // HH:MM, may be empty
	// Statement is the text of a line; if it is "", Title is used, or Text if that is ""
	// too.
	Statement string
	Title     string
	Text      string
	// Body is the whole context, for the full form.
	Body       string
	Importance string
	Was        string // what held before it, for the curated form; may be empty
	Due        string // what follows the statement of a reminder, as in ", due 2026-02-05"
	// Pointer is the place of the full text, as in "memory/2026-02-05.md:12", relative to
	// the folder of MEMORY.md; "" if it is not in a file.
	Pointer string
	// Bullet renders a list item of a note instead of an outcome, in full form.
	Bullet bool
}

// Options of a plan.
type Options struct {
	File  string // as messages name it
	Form  Form
	Chars int // budget of the curated form for the whole file in characters
	Lines int // and in lines
	// More is the number of memories beyond the given entries, none of which
	// could be in the block. The last line counts them.
	More int
	Now  time.Time // in the zone in which Added is written
	// Exists reports whether the memory of an id that was written once still
	// exists, in any tier. It is not asked about given entries.
	Exists func(id string) bool
	// Forgotten has the ids that were written once and whose memories somebody forgot. That
	// these do not exist is no loss.
	Forgotten map[string]bool
	Force     bool // drop any number of entries whose memories no longer exist
}

// State describes the last writing, from which the next plan finds the edits of the person.
// The zero value is for a file that was never written.
type State struct {
	Form    Form      `json:"form,omitempty"`
	Entries []Written `json:"entries,omitempty"` // those in the block
	Barred  []Ref     `json:"barred,omitempty"`  // deleted by the person
	Frame   []string  `json:"frame,omitempty"`   // our other lines
	Words   string    `json:"words,omitempty"`   // hash of the block's words
}

// Written is an entry as it was written.
type Written struct {
	ID   string `json:"id"`
	Root string `json:"root"`
	Ref  string `json:"ref,omitempty"`  // the id in its line
	Text string `json:"text,omitempty"` // the line, or the heading in full form, with LF
	Said string `json:"said,omitempty"` // title or text within it
	Date string `json:"date,omitempty"`
	// OfTitle says that Said is the entry's title, not its text.
	OfTitle bool   `json:"ofTitle,omitempty"`
	Due     string `json:"due,omitempty"`
	Kept    bool   `json:"kept,omitempty"` // worded by the person

	// The other fields are for the full form: the time and MD5 of the entry, when
	// it was added, and hashes of its words: as they are in the file, as they were
	// rendered, and of its body.
	Time  string `json:"time,omitempty"`
	Hash  string `json:"hash,omitempty"`
	Added string `json:"added,omitempty"`
	Words string `json:"words,omitempty"`
	Made  string `json:"made,omitempty"`
	Body  string `json:"body,omitempty"`
}

// Ref names an entry in a result.
type Ref struct {
	ID   string `json:"id"`
	Root string `json:"root"`
	Text string `json:"text,omitempty"` // its line
}

// Correction is the person's new text of an entry. Once it is applied, and a new
// memory has replaced the old one, call [State.Moved].
type Correction struct {
	ID, Root string
	Text     string // without date and pointer
	Was      string // what it replaces, as far as it was shown
	OfTitle  bool   // the title was changed; the text below it was not shown
	Whole    bool   // all of the text was shown
}

// Result is a plan.
type Result struct {
	Text    []byte `json:"-"` // the whole new file
	Changed bool   `json:"-"` // it differs from the given file
	State   State  `json:"-"` // to be stored once Text is written
	Form    Form   `json:"form"`

	Entries     int          `json:"entries"`   // in the block
	PointedTo   int          `json:"pointedTo"` // did not fit
	Added       []Ref        `json:"-"`
	Removed     []Ref        `json:"-"`     // no longer in the block, without barred ones
	Chars       int          `json:"chars"` // of the whole file
	Lines       int          `json:"lines"`
	Moved       string       `json:"-"` // lines that are now below the block
	Corrections []Correction `json:"-"` // edits of entries by a person
	Barred      []Ref        `json:"-"` // entries that a person deleted
	Warnings    []string     `json:"-"`
}

// Moved records that another memory replaced one, as after a correction: the
// person's changes to the old one count for the new one.
func (s *State) Moved(root, newID, newRoot string) {
	for i := range s.Entries {
		if s.Entries[i].Root == root {
			s.Entries[i].ID, s.Entries[i].Root = newID, newRoot
		}
	}
	for i := range s.Barred {
		if s.Barred[i].Root == root {
			s.Barred[i].ID, s.Barred[i].Root = newID, newRoot
		}
	}
}

// without returns the state without some entries: they count as never written.
func (s State) without(refs []Ref) State {
	s.Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(w Written) bool {
		return slices.ContainsFunc(refs, func(r Ref) bool { return r.Root == w.Root })
	})
	return s
}

func (w Written) name() Ref { return Ref{ID: w.ID, Root: w.Root, Text: w.Said} }

func (s State) empty() bool { return len(s.Entries) == 0 && s.Words == "" }

func (e Entry) withDefaults() Entry {
	e.Root = cmp.Or(e.Root, e.ID)
	e.Type = cmp.Or(strings.ToLower(plaintext.OneLine(e.Type)), "note")
	return e
}
