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
	Type string // "": note
	// Written is the word for the type in a note, if it is another. Older tools hashed it.
	Written string
	Date    string // YYYY-MM-DD
	Time    string // HH:MM, may be empty
	// A line has the Statement, or the Title if that is "", or the Text if both are.
	Statement, Title, Text string

	Body       string // the whole context, for the full form
	Importance string
	Was        string // what held before it, for the curated form; may be empty
	Other      Other  // the other statement of an open pair, for the curated form
	Due        string // what follows the statement of a reminder, as in ", due 2026-02-05"
	// Pointer is the place of the full text, as in "memory/2026-02-05.md:12", relative to
	// the folder of MEMORY.md; "" if it is not in a file.
	Pointer string
	Bullet  bool // a list item of a note, for the full form
}

// Other names the other statement of an open pair. The zero value names none.
type Other struct {
	ID, Date string
	Newer    bool // the other one is the newer one
}

// Options of a plan.
type Options struct {
	File  string // as messages name it
	Form  Form
	Chars int       // budget of the curated form for the whole file in characters
	Lines int       // and in lines
	More  int       // number of memories beyond the given entries, which the last line counts
	Now   time.Time // in the zone in which Added is written
	Run   string    // short id of the run that writes; "" keeps the one in the file
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
	Run     string    `json:"run,omitempty"`     // short id of the run that wrote the block
	Entries []Written `json:"entries,omitempty"` // those in the block
	Barred  []Ref     `json:"barred,omitempty"`  // deleted by the person
	Frame   []string  `json:"frame,omitempty"`   // our other lines
}

// Written is an entry as it was written.
type Written struct {
	ID   string `json:"id"`
	Ref  string `json:"ref,omitempty"`  // the id in its line
	Text string `json:"text,omitempty"` // the line, or the heading in full form, with LF
	Said string `json:"said,omitempty"` // title or text within it
	Date string `json:"date,omitempty"`
	Due  string `json:"due,omitempty"`
	Kept bool   `json:"kept,omitempty"` // worded by the person

	// For the full form.
	OfTitle bool   `json:"ofTitle,omitempty"` // Said is the entry's title, not its text
	Time    string `json:"time,omitempty"`
	Hash    string `json:"hash,omitempty"`  // MD5 in the comment
	Added   string `json:"added,omitempty"` // when
	Words   string `json:"words,omitempty"` // hash of its words in the file
	Body    string `json:"body,omitempty"`  // hash of the words of its body
}

// Ref names an entry in a result.
type Ref struct {
	ID   string `json:"id"`
	Text string `json:"text,omitempty"` // its line
}

// Correction is the person's new text of an entry.
type Correction struct {
	ID      string
	Text    string // without date and pointer
	Was     string // what it replaces, as far as it was shown
	OfTitle bool   // the title was changed; the text below it was not shown
	Whole   bool   // all of the text was shown
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

// without returns the state without some entries: they count as never written.
func (s State) without(refs []Ref) State {
	s.Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(w Written) bool {
		return slices.ContainsFunc(refs, func(r Ref) bool { return r.ID == w.ID })
	})
	return s
}

func (w Written) name() Ref { return Ref{ID: w.ID, Text: w.Said} }

func (e Entry) withDefaults() Entry {
	e.Type = cmp.Or(strings.ToLower(plaintext.OneLine(e.Type)), "note")
	return e
}
