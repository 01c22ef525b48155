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

// Plan works out what MEMORY.md should be: text is the file as it is, st the state
// after the last writing, entries the memories that may be shown, strongest
// first. It writes nothing. Planning again on its result changes nothing.
//
// A block that cannot be identified is [brain.ErrInvalid], and so is a text that
// is not UTF-8. So it is when more than a quarter of the written entries would go
// because their memories do not exist any more and were not forgotten, unless Options.Force
// is set.
func Plan(text []byte, st State, entries []Entry, o Options) (Result, error) {
	p := &planning{o: o, st: st, text: string(text), byID: map[string]Entry{}}
	if !utf8.Valid(text) {
		return Result{}, brain.Errorf(brain.ErrInvalid, "save it as UTF-8", "%s is not UTF-8 text; nothing was written", o.File)
	}
	var err error
	if p.block, err = find(p.o.File, p.text); err != nil {
		return Result{}, err
	}
	for _, e := range entries {
		if e.ID != "" {
			e = e.withDefaults()
			p.entries = append(p.entries, e)
			p.byID[e.ID] = e
		}
	}
	if p.block.Found && st.empty() {
		if err := p.adopt(); err != nil {
			return Result{}, err
		}
	}
	ed, err := p.readEdits()
	if err != nil {
		return Result{}, err
	}
	if err := p.checkLost(ed); err != nil {
		return Result{}, err
	}
	return p.write(ed)
}

type planning struct {
	o        Options
	st       State
	text     string
	block    Block
	entries  []Entry
	byID     map[string]Entry // the same entries
	warnings []string
}

// run returns the short id for the marker of a block that changes.
func (p *planning) run() string { return cmp.Or(p.o.Run, p.st.Run) }

func (p *planning) warn(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
}

func (p *planning) page() *markdown.Document {
	return markdown.Parse(p.block.inner(p.text))
}

// adopt takes the block of a file whose state is missing as it is. One in full form is
// refused: nobody knows which of its entries the person changed.
func (p *planning) adopt() error {
	page := p.page()
	if len(dailynote.LegacyHashes(page)) > 0 {
		return invalid(p.o.File, p.block.Line, "delete its two markers; the entries stay as your own text and are not added again",
			"this brain has no state of this block in full form: another brain or machine wrote it")
	}
	p.st = adopted(page, p.entries)
	if n := len(p.st.Entries); n > 0 {
		p.warn("the state of the managed block of %s is missing, so its %d entries were taken as they are", p.o.File, n)
	}
	return nil
}

func (p *planning) readEdits() (edits, error) {
	ours := p.block.Found && p.block.Run == p.st.Run
	if !p.block.Found && !p.st.empty() {
		p.warn("the managed block was not in %s any more and is written again; to be rid of it, stop curating", p.o.File)
	}
	if p.block.Found && !ours {
		p.warn("the managed block of %s is not the one that was written last, so it is replaced and nothing in it counts as an edit", p.o.File)
	}
	r := newReading(p.page(), p.st)
	r.name, r.first = p.o.File, p.block.Line
	untouched := !ours || p.st.Words != "" && digest(r.page.Text) == p.st.Words
	var err error
	switch {
	case p.st.Form == Full && ours:
		if err = r.full(); err == nil && untouched && len(r.out.barred) > 0 {
			err = invalid(p.o.File, p.block.Line, "undo that change, or delete the block with both markers",
				"the lines of the managed block were joined, so its entries cannot be told apart")
		}
	case untouched:
		r.found = slices.Repeat([]bool{true}, len(r.st.Entries))
		r.finish(nil)
	default:
		err = r.curated()
	}
	if err != nil {
		return edits{}, err
	}
	r.out.moved = r.moved(p.block.EOL)
	if p.st.Form == Full && p.o.Form != Full && ours {
		p.release(&r.out)
	}
	return r.out, nil
}

// release moves whole entries that the person worded below the block, for a form that
// cannot hold them. The comment at their end still identifies them.
func (p *planning) release(ed *edits) {
	for _, w := range p.st.Entries {
		if _, worded := ed.kept[w.ID]; !worded {
			continue
		}
		if ed.moved != "" {
			ed.moved += p.block.EOL
		}
		ed.moved += strings.ReplaceAll(ed.units[w.ID], "\n", p.block.EOL)
	}
}

// gone reports whether the memory of an entry does not exist any more.
func (p *planning) gone(w Written) bool {
	_, given := p.byID[w.ID]
	return !given && !p.o.Exists(w.ID)
}

func (p *planning) checkLost(ed edits) error {
	lost, of := 0, len(p.st.Entries)
	for _, w := range p.st.Entries {
		if p.gone(w) && !p.o.Forgotten[w.ID] && !slices.ContainsFunc(ed.barred, func(b Written) bool { return b.ID == w.ID }) {
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

// bar keeps out the entries that the person deleted, and in the curated form those that say
// the same. It returns the ids that are barred, and all of them for the state.
func (p *planning) bar(deleted []Ref) (ids map[string]bool, all []Ref) {
	ids = map[string]bool{}
	all = slices.Concat(p.st.Barred, deleted)
	for _, ref := range all {
		ids[ref.ID] = true
	}
	if len(deleted) == 0 || p.st.Form != Curated {
		return ids, all
	}
	for _, e := range p.entries {
		said := e.lineText()
		if !ids[e.ID] && slices.ContainsFunc(deleted, func(d Ref) bool { return keyOf(said) == keyOf(d.Text) }) {
			ids[e.ID] = true
			all = append(all, Ref{ID: e.ID, Text: said})
		}
	}
	return ids, all
}

func (p *planning) write(ed edits) (Result, error) {
	res := Result{Form: p.o.Form, Corrections: ed.corrections, Moved: ed.moved, Barred: brain.Map(ed.barred, Written.name)}
	if n := len(res.Barred); n > 1 && n == len(p.st.Entries) {
		p.warn("all %d entries of %s were deleted by hand, so none of them will come back; undo this run if that was not meant", n, p.o.File)
	}
	ids, barred := p.bar(res.Barred)
	before, sep, after := p.around(ed.moved)
	foreign := marksIn(before, after)
	var text string // of the block
	if p.o.Form == Full {
		text, res.State, res.PointedTo = p.full(ed, ids, foreign)
	} else {
		text, res.State, res.PointedTo = p.curated(ed, ids, foreign, sizeOf(before+sep+after))
	}
	res.State.Barred = barred
	res.Entries, res.Warnings = len(res.State.Entries), p.warnings
	if !p.block.Found && res.Entries == 0 && res.PointedTo == 0 {
		res.State = p.st
		res.setText(p.text, p.text)
		return res, nil
	}
	res.State.Run = p.st.Run
	whole := before + sep + p.block.render(text, p.st.Run) + after
	if whole != p.text {
		res.State.Run = p.run()
		whole = before + sep + p.block.render(text, p.run()) + after
	}
	res.setText(whole, p.text)
	res.compare(p.st, ids)
	return res, p.checkOut(whole, text, res.State)
}

// around returns what is before the block, a separator for a new one, and what is after it.
func (p *planning) around(moved string) (before, sep, after string) {
	before, after = p.text[:p.block.Start], p.text[p.block.End:]
	eol := p.block.EOL
	if !p.block.Found {
		return before, markdown.Gap(strings.TrimPrefix(p.text, bom), eol), eol + after
	}
	if moved == "" {
		return before, "", after
	}
	rest, below, hasEnd := strings.Cut(after, "\n")
	if !hasEnd {
		return before, "", after + eol + eol + moved
	}
	if below != "" && !strings.HasPrefix(strings.TrimPrefix(below, "\r"), "\n") {
		moved += eol
	}
	return before, "", rest + "\n" + eol + moved + below
}

func (res *Result) setText(whole, before string) {
	res.Text, res.Changed = []byte(whole), whole != before
	n := sizeOf(whole)
	res.Chars, res.Lines = n.chars, n.lines
}

func (res *Result) compare(st State, barred map[string]bool) {
	has := func(list []Written, id string) bool {
		return slices.ContainsFunc(list, func(w Written) bool { return w.ID == id })
	}
	for _, w := range res.State.Entries {
		if !has(st.Entries, w.ID) {
			res.Added = append(res.Added, w.name())
		}
	}
	for _, w := range st.Entries {
		if !has(res.State.Entries, w.ID) && !barred[w.ID] {
			res.Removed = append(res.Removed, w.name())
		}
	}
}

// checkOut reads the new file as the next planning would. A file in which it
// could not find the entries again must not be written.
func (p *planning) checkOut(whole, text string, st State) error {
	b, err := find(p.o.File, whole)
	if err != nil || !b.Found || withLF(b.inner(whole)) != text {
		return p.openFence(p.text[:p.block.Start], 0, "a code fence of your own text would run into the managed block")
	}
	if p.o.Form != Full {
		return nil
	}
	r := newReading(markdown.Parse(text), st)
	if err := r.full(); err != nil || len(r.out.barred)+len(r.out.foreign)+len(r.out.corrections) > 0 {
		return p.openFence(p.block.inner(p.text), p.block.Line,
			"a code fence in an entry that you changed would run into the next one")
	}
	return nil
}

func (p *planning) openFence(text string, above int, what string) error {
	line := above + 1
	if open := markdown.Parse(text).Unclosed; len(open) > 0 {
		line += open[0]
	}
	return invalid(p.o.File, line, "close the code fence that is open there", "%s", what)
}
