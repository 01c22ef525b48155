package memorymd

import (
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
)

// Change is one writing of the file, small enough for the journal: a single
// replacement, which covers the block and what was inserted next to it.
type Change struct {
	Path   string `json:"path"`
	Made   bool   `json:"made,omitempty"` // there was no file before
	Before string `json:"before"`         // SHA-256 of the file before, "" for none
	// State is restored by an undo: the state before, in the journal without the
	// entries that the person had deleted by then, so that they come back.
	State State `json:"state"`

	Hash string `json:"hash"` // SHA-256 of the block as written, "" if nothing was written
	// New took the place of Old, At bytes after the start of the block that was
	// written; a separator before a new block makes it negative.
	At  int    `json:"at"`
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// newChange describes what a plan does to a file.
func newChange(path string, before []byte, exists bool, st State, res Result) Change {
	a, b := string(before), string(res.Text)
	head := commonPrefix(a, b)
	tail := commonSuffix(a[head:], b[head:])
	block, _ := find(path, b) // the plan has found it
	c := Change{
		Path: path, Made: !exists, State: st, Hash: sum(res.Text[block.Start:block.End]),
		At: head - block.Start, Old: a[head : len(a)-tail], New: b[head : len(b)-tail],
	}
	if exists {
		c.Before = sum(before)
	}
	return c
}

// commonPrefix and commonSuffix count bytes and do not cut a character.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	return n
}

// Revert undoes a change. The person's own text may have changed since; if the block
// did, or what moved below it, that is [brain.ErrConflict]. remove says that there
// was no file before and nothing is left in it.
func Revert(text []byte, c Change) (before []byte, remove bool, err error) {
	s := string(text)
	b, err := find(c.Path, s)
	at := b.Start + c.At
	if err != nil || !b.Found || sum(text[b.Start:b.End]) != c.Hash || at < 0 || at > len(s) || !strings.HasPrefix(s[at:], c.New) {
		return nil, false, brain.Errorf(brain.ErrConflict, "undo the change by hand, or curate again",
			"the managed block of %s changed since it was written, so this cannot be undone; nothing was written", c.Path)
	}
	out := s[:at] + c.Old + s[at+len(c.New):]
	return []byte(out), c.Made && out == "", nil
}
