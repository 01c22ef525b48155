package memorymd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// planning is what the parts of [Plan] read; warnings are added to.
type planning struct {
	o        Options
	st       State
	entries  []Entry
	byID     map[string]Entry // the same entries
	warnings []string
}

func (p *planning) warn(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
}

// Plan works out what MEMORY.md should be: text is the file as it is, st the state
// after the last writing, entries the memories that may be shown, strongest
// first. It writes nothing. Planning again on its result changes nothing.
//
// A block that cannot be identified is [brain.ErrInvalid], and so is a text that
// is not UTF-8. So it is when more than a quarter of the written entries would go
// because their memories do not exist any more and were not forgotten, unless Options.Force
// is set.
func Plan(text []byte, st State, entries []Entry, o Options) (Result, error) {
	if !utf8.Valid(text) {
		return Result{}, brain.Errorf(brain.ErrInvalid, "save it as UTF-8", "%s is not UTF-8 text; nothing was written", o.File)
	}
	old := string(text)
	block, err := find(o.File, old)
	if err != nil {
		return Result{}, err
	}
	p := &planning{o: o, st: st, byID: map[string]Entry{}}
	for _, e := range entries {
		if e.ID != "" {
			e = e.withDefaults()
			p.entries = append(p.entries, e)
			p.byID[e.ID] = e
		}
	}
	ed, err := p.readEdits(old, block)
	if err != nil {
		return Result{}, err
	}
	if err := p.checkLost(ed.barred); err != nil {
		return Result{}, err
	}

	res := Result{Form: o.Form, Corrections: ed.corrections, Moved: ed.moved, Barred: brain.Map(ed.barred, Written.name)}
	if n := len(res.Barred); n > 1 && n == len(p.st.Entries) {
		p.warn("all %d entries of %s were deleted by hand, so none of them will come back; undo this run if that was not meant", n, o.File)
	}
	all := slices.Concat(p.st.Barred, res.Barred)
	barred := map[string]bool{} // ids, and what the lines say: no other memory says it there again
	for _, ref := range all {
		barred[ref.ID], barred[keyOf(ref.Text)] = true, true
	}
	before, sep, after := block.around(old, ed.moved)
	run := cmp.Or(o.Run, p.st.Run) // for the marker of a block that changes
	var inner string
	if o.Form == Full {
		inner, res.State = p.full(ed, barred, marksIn(before, after))
		res.PointedTo = o.More
	} else {
		size := func(inner string) size { return sizeOf(block.render(inner, run)) }
		inner, res.State, res.PointedTo = p.curated(ed, barred, marksIn(before, after), sizeOf(before+sep+after), size)
	}
	res.State.Barred, res.State.Run, res.Entries, res.Warnings = all, p.st.Run, len(res.State.Entries), p.warnings
	whole := before + sep + block.render(inner, p.st.Run) + after
	switch {
	case !block.Found && res.Entries == 0 && res.PointedTo == 0:
		whole, res.State = old, p.st
	case whole != old:
		whole, res.State.Run = before+sep+block.render(inner, run)+after, run
	}
	n := sizeOf(whole)
	res.Text, res.Changed, res.Chars, res.Lines = []byte(whole), whole != old, n.chars, n.lines
	res.Added = missing(res.State.Entries, p.st.Entries, nil)
	res.Removed = missing(p.st.Entries, res.State.Entries, barred)
	if !res.Changed {
		return res, nil
	}
	return res, p.checkOut(old, block, whole, inner, res.State)
}

// missing returns those entries that are not in others and not barred.
func missing(entries, others []Written, barred map[string]bool) (out []Ref) {
	ids := map[string]bool{}
	for _, w := range others {
		ids[w.ID] = true
	}
	for _, w := range entries {
		if !ids[w.ID] && !barred[w.ID] {
			out = append(out, w.name())
		}
	}
	return out
}

// readEdits reads the person's edits in the block. Only in the one that was written last are
// differences edits.
func (p *planning) readEdits(old string, block Block) (edits, error) {
	page := markdown.Parse(block.inner(old))
	known, ours := p.st.Form != "", strings.Contains(page.Text, headLine)
	switch {
	case !block.Found && known:
		p.warn("the managed block was not in %s any more and is written again; to be rid of it, stop curating", p.o.File)
	case !block.Found:
	case !known && (len(dailynote.LegacyHashes(page)) > 0 || len(p.entries) == 0 && ours):
		// Nobody knows which of its full entries the person changed, or this is the wrong store.
		return edits{}, invalid(p.o.File, block.Line, "delete its two markers; the entries stay as your own text, and those of the full form are not added again",
			"this brain has no state of this block: another brain or machine wrote it")
	case block.Run == p.st.Run && (known || !ours):
		ed, err := findEdits(p.o.File, block.Line, page, p.st, block.EOL)
		if p.st.Form == Full && p.o.Form != Full {
			ed.release(p.st, block.EOL)
		}
		return ed, err
	default:
		p.warn("the managed block of %s is not the one that was written last, so it is replaced and nothing in it counts as an edit", p.o.File)
	}
	ed := edits{kept: map[string]Written{}}
	for _, w := range p.st.Entries {
		if w.Kept {
			ed.kept[w.ID] = w
		}
	}
	return ed, nil
}

// release moves whole entries that the person worded below the block, for a form that
// cannot hold them. The comment at their end still identifies them.
func (ed *edits) release(st State, eol string) {
	for _, w := range st.Entries {
		if _, worded := ed.kept[w.ID]; worded {
			if ed.moved != "" {
				ed.moved += eol
			}
			ed.moved += strings.ReplaceAll(ed.units[w.ID], "\n", eol)
		}
	}
}

// gone reports whether the memory of an entry does not exist any more.
func (p *planning) gone(w Written) bool {
	_, given := p.byID[w.ID]
	return !given && !p.o.Exists(w.ID)
}

func (p *planning) checkLost(barred []Written) error {
	lost, of := 0, len(p.st.Entries)
	for _, w := range p.st.Entries {
		if p.gone(w) && !p.o.Forgotten[w.ID] && !slices.ContainsFunc(barred, func(b Written) bool { return b.ID == w.ID }) {
			lost++
		}
	}
	if p.o.Force || 4*lost <= of {
		return nil
	}
	return brain.Errorf(brain.ErrInvalid,
		"check that this is the right brain and store; if so, `brainbridge curate --force` writes it",
		"%d of %d entries of %s would go because their memories do not exist any more; nothing was written",
		lost, of, p.o.File)
}

// checkOut reads the new file as the next planning would. A file in which it
// could not find the entries again must not be written.
func (p *planning) checkOut(old string, block Block, whole, inner string, st State) error {
	openFence := func(text string, line int, what string) error {
		if open := markdown.Parse(text).Unclosed; len(open) > 0 {
			line += open[0]
		}
		return invalid(p.o.File, line+1, "close the code fence that is open there", "%s", what)
	}
	b, err := find(p.o.File, whole)
	if err != nil || !b.Found || withLF(b.inner(whole)) != inner {
		return openFence(old[:block.Start], 0, "a code fence of your own text would run into the managed block")
	}
	if p.o.Form != Full {
		return nil
	}
	if ed, err := findEdits("", 0, markdown.Parse(inner), st, "\n"); err != nil || len(ed.barred)+len(ed.moved)+len(ed.corrections) > 0 {
		return openFence(block.inner(old), block.Line, "a code fence in an entry that you changed would run into the next one")
	}
	return nil
}
