package memorymd

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// edits are the person's changes inside the block.
type edits struct {
	kept        map[string]Written // by id: entries that the person worded
	units       map[string]string  // by id: entries of the full form as they are in the file, with LF
	corrections []Correction
	barred      []Written
	foreign     []lineRange // lines that the program did not write
	moved       string      // their text, which goes below the block
}

type lineRange struct{ from, to int }

// unit is the lines of an entry, or a line that is in no entry.
type unit struct {
	lineRange
	entry int // index in the state, or one of the values below

	// For an entry of the full form.
	mark   mark
	header string
	text   string // with LF
}

const (
	frame   = -1 // our other lines
	unknown = -2
)

// reading compares the inside of a block with the last writing.
type reading struct {
	name  string
	first int // line of the file before the first line of page
	page  *markdown.Document
	st    State
	found []bool // entries of the state that are in the block, as written or reworded
	out   edits
}

func newReading(page *markdown.Document, st State) *reading {
	return &reading{
		page: page, st: st, found: make([]bool, len(st.Entries)),
		out: edits{kept: map[string]Written{}, units: map[string]string{}},
	}
}

// finish lists the units that the program did not write, bars the entries that were deleted
// and keeps those that were reworded before.
func (r *reading) finish(units []unit) {
	for _, u := range units {
		if u.entry == unknown {
			r.out.foreign = append(r.out.foreign, u.lineRange)
		}
	}
	for i, w := range r.st.Entries {
		switch {
		case !r.found[i]:
			r.out.barred = append(r.out.barred, w)
		case w.Kept:
			if _, reworded := r.out.kept[w.ID]; !reworded {
				r.out.kept[w.ID] = w
			}
		}
	}
}

// moved returns all foreign lines as they are, runs separated by a blank line.
func (r *reading) moved(eol string) string {
	var out strings.Builder
	last := -1
	for _, s := range r.out.foreign {
		switch {
		case last >= 0 && markdown.IsBlank(r.page.Slice(last, s.from)):
			out.WriteString(r.page.Slice(last, s.from))
		case last >= 0:
			out.WriteString(eol)
		}
		last = s.to
		out.WriteString(r.page.Slice(s.from, s.to))
	}
	return out.String()
}

// words returns the form in which texts of the block are compared. Changes that
// an editor or a formatter makes on its own (line ends, blanks, wrapping, the
// sign of a list, the sign of emphasis, escapes) make no difference to it.
func words(s string) string {
	fields := strings.Fields(s)
	for i, field := range fields {
		if field == "*" || field == "+" {
			fields[i] = "-"
		}
	}
	text := strings.ReplaceAll(strings.Join(fields, " "), "*", "_")
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if text[i] != '\\' || i+1 == len(text) || strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", text[i+1]) < 0 {
			out = append(out, text[i])
		}
	}
	return string(out)
}

func digest(s string) string { return sum([]byte(words(s)))[:32] }

func sum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func withLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
