package memorymd

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
)

// Plan works out what MEMORY.md should be: text is the file as it stands, st
// what was remembered of the last writing, entries the memories that may stand
// in it, strongest first. It writes nothing. Planning again on what it gave
// changes nothing.
//
// A block that cannot be told safely is [brain.ErrInvalid], and so is a text
// that is not UTF-8. It is a [LostError] when more than a quarter of the
// written entries would go because their memories do not exist any more, unless
// Options.Force is set.
func Plan(text []byte, st State, entries []Entry, o Options) (Result, error) {
	p := &planning{
		o: o.settled(), st: st, text: string(text), form: st.Form,
		byRoot: map[string]Entry{}, barred: map[string]bool{},
	}
	if !utf8.ValidString(p.text) {
		return Result{}, brain.Errorf(brain.ErrInvalid, "save it as UTF-8",
			"%s is not UTF-8 text; nothing was written", p.o.File)
	}
	var err error
	if p.block, err = find(p.o.File, p.text); err != nil {
		return Result{}, err
	}
	p.settle(entries)
	if err := p.read(); err != nil {
		return Result{}, err
	}
	if err := p.checkLost(); err != nil {
		return Result{}, err
	}
	p.bar()
	return p.write()
}

// LostError says that many entries would go because their memories do not
// exist any more. It is [brain.ErrInvalid].
type LostError struct {
	Lost, Of int
	detail   error
}

func (e *LostError) Error() string { return e.detail.Error() }

// Unwrap makes errors.As find the [brain.Error] with its hint.
func (e *LostError) Unwrap() error { return e.detail }

type planning struct {
	o       Options
	st      State
	entries []Entry
	text    string
	block   Block
	form    Form             // of the block as it stands
	byRoot  map[string]Entry // those that the state speaks of
	barred  map[string]bool  // roots
	marks   map[mark]int     // of older tools, outside the block
	unknown int              // adopted entries of the full form that no memory fits
	ed      edits
	moved   string
	out     Result
}

func (p *planning) warn(format string, args ...any) {
	p.out.Warnings = append(p.out.Warnings, fmt.Sprintf(format, args...))
}

// settle completes the entries and finds those that the state speaks of.
func (p *planning) settle(entries []Entry) {
	written := map[string]bool{}
	for _, list := range [][]Written{p.st.Entries, p.st.Aside} {
		for _, w := range list {
			written[w.Root] = true
		}
	}
	p.entries = make([]Entry, 0, len(entries))
	for _, e := range entries {
		e = e.settled()
		if e.ID == "" {
			continue
		}
		if written[e.Root] {
			p.byRoot[e.Root] = e
		}
		p.entries = append(p.entries, e)
	}
}

// read finds what the person did inside the block.
func (p *planning) read() error {
	p.ed = edits{kept: map[string]Written{}, units: map[string]string{}}
	if !p.block.Found {
		p.readNone()
		return nil
	}
	inner := p.text[p.block.innerStart:p.block.innerEnd]
	r := &reading{name: p.o.File, first: p.block.Line, page: scan(inner), st: p.st, entries: p.entries, out: p.ed}
	if p.st.empty() {
		p.adopt(r)
	}
	untouched := p.st.Words != "" && digest(inner) == p.st.Words
	var err error
	switch {
	case p.form == Full:
		if err = r.full(); err == nil && untouched && len(r.out.barred) > 0 {
			err = invalid(p.o.File, p.block.Line, "undo that change, or delete the block with both markers",
				"the lines of the managed block were joined, so that its entries cannot be told apart")
		}
	case untouched:
		r.found = make([]bool, len(r.st.Entries))
		for i := range r.found {
			r.found[i] = true
		}
		r.finish()
	default:
		err = r.curated()
	}
	if err != nil {
		return err
	}
	p.ed = r.out
	p.moved, p.out.Moved = r.moved(p.block.EOL)
	p.release()
	p.carryAside()
	return nil
}

// release moves whole entries that the person worded below the block when the
// form becomes one that cannot hold them. The comment at their end still says
// which they are, so that they come back as no second entry.
func (p *planning) release() {
	if p.form != Full || p.o.Form == Full {
		return
	}
	for _, w := range p.ed.keptInOrder {
		text := p.ed.units[w.Root]
		if p.moved != "" {
			p.moved += p.block.EOL
		}
		p.moved += strings.ReplaceAll(text, "\n", p.block.EOL)
		p.out.Moved = append(p.out.Moved, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...)
	}
}

// readNone is for a file without a block: what the person worded and what was
// written before is written again.
func (p *planning) readNone() {
	if !p.st.empty() {
		p.warn("the managed block was not in %s any more and is written again; to be rid of it, stop curating", p.o.File)
	}
	for _, w := range p.st.Entries {
		if w.Kept && p.form == Curated {
			p.ed.kept[w.Root] = w
			p.ed.keptInOrder = append(p.ed.keptInOrder, w)
		}
	}
	p.carryAside()
}

func (p *planning) carryAside() {
	if p.form != Curated {
		return
	}
	for _, w := range p.st.Aside {
		if _, shown := p.ed.kept[w.Root]; !shown {
			p.ed.kept[w.Root] = w
			p.ed.keptInOrder = append(p.ed.keptInOrder, w)
		}
	}
}

// gone tells whether the memory of an entry does not exist any more.
func (p *planning) gone(w Written) bool {
	if _, given := p.byRoot[w.Root]; given || p.o.Exists == nil {
		return false
	}
	return !p.o.Exists(w.ID)
}

func (p *planning) checkLost() error {
	lost, deleted := 0, map[string]bool{}
	for _, w := range p.ed.barred {
		deleted[w.Root] = true
	}
	for _, w := range p.st.Entries {
		if !deleted[w.Root] && p.gone(w) {
			lost++
		}
	}
	lost += p.unknown
	of := len(p.st.Entries) + p.unknown
	if p.o.Force || 4*lost <= of {
		return nil
	}
	return &LostError{Lost: lost, Of: of, detail: brain.Errorf(brain.ErrInvalid,
		"check that this is the right brain and store; if so, `brainbridge curate --force` writes it",
		"%d of %d entries of %s would go because their memories do not exist any more; nothing was written",
		lost, of, p.o.File)}
}

// bar keeps out what the person deleted, now and before, with the entries that
// stood back behind a deleted one because they say the same.
func (p *planning) bar() {
	for _, ref := range p.st.Barred {
		p.barred[ref.Root] = true
	}
	var now []Ref
	for _, w := range p.ed.barred {
		now = append(now, w.name())
		p.barred[w.Root] = true
	}
	p.out.Barred = now
	if len(now) > 0 && p.form == Curated {
		now = append(now, p.doubles(now)...)
	}
	p.out.State.Barred = append(append([]Ref(nil), p.st.Barred...), now...)
	if n := len(p.ed.barred); n > 1 && n == len(p.st.Entries) {
		p.warn("all %d entries of %s were deleted by hand, so that none of them will come back; undo this run if that was not meant", n, p.o.File)
	}
	left := p.entries[:0]
	for _, e := range p.entries {
		if !p.barred[e.Root] {
			left = append(left, e)
		}
	}
	p.entries = left
}

func (p *planning) doubles(deleted []Ref) []Ref {
	var out []Ref
	for _, e := range p.entries {
		text, _ := e.said()
		for _, d := range deleted {
			if !p.barred[e.Root] && p.alike(text, d.Text) {
				p.barred[e.Root] = true
				out = append(out, Ref{ID: e.ID, Root: e.Root, Text: text})
			}
		}
	}
	return out
}

// present tells whether an older tool wrote the entry outside the block. One
// comment stands for one entry.
func (p *planning) present(e Entry) bool {
	if len(p.marks) == 0 {
		return false
	}
	m := e.mark()
	if p.marks[m] == 0 {
		return false
	}
	p.marks[m]--
	return true
}

// write renders the block and puts the new file together.
func (p *planning) write() (Result, error) {
	barred := p.out.State.Barred
	sep, tail, at := p.around()
	before, after := p.text[:p.block.Start], p.text[p.block.End:]
	own := sizeOf(before + sep + tail + after)
	p.marks = marksIn(before, after[:at]+tail+after[at:])
	if !strings.HasSuffix(tail+after, "\n") {
		own.lines++
	}
	var content string
	if p.o.Form == Full {
		content = p.full()
	} else {
		content = p.curated(own)
	}
	p.out.State.Barred = barred
	p.out.Form = p.o.Form
	if !p.block.Found && p.out.Entries == 0 && p.out.PointedTo == 0 {
		return p.nothing(), nil
	}
	p.out.before, p.out.sep, p.out.tail = p.block, sep, splice{At: at, New: tail}
	whole := before + sep + p.block.render(content) + after[:at] + tail + after[at:]
	p.count(whole)
	p.compare()
	return p.out, p.checkOut(whole, content)
}

// nothing is the result where there is nothing to write and no block.
func (p *planning) nothing() Result {
	p.out.State = p.st
	p.count(p.text)
	return p.out
}

// around is what a new block needs at its sides, or what moves below one that
// is there, and at which place behind it.
func (p *planning) around() (sep, tail string, at int) {
	sep, tail = p.block.surround(p.text)
	if p.moved == "" {
		return sep, tail, 0
	}
	after := p.text[p.block.End:]
	eol := p.block.EOL
	at = strings.IndexByte(after, '\n') + 1
	tail = eol + p.moved
	switch {
	case at == 0:
		at, tail = len(after), eol+tail
	case at < len(after) && !strings.HasPrefix(strings.TrimPrefix(after[at:], "\r"), "\n"):
		tail += eol
	}
	return sep, tail, at
}

func (p *planning) count(whole string) {
	p.out.Text = []byte(whole)
	p.out.Changed = whole != p.text
	n := sizeOf(whole)
	if whole != "" && !strings.HasSuffix(whole, "\n") {
		n.lines++
	}
	p.out.Chars, p.out.Lines = n.chars, n.lines
	p.out.Corrections = p.ed.corrections
}

// compare lists what came into the block and what left it.
func (p *planning) compare() {
	before, now := map[string]bool{}, map[string]bool{}
	for _, w := range p.st.Entries {
		before[w.Root] = true
	}
	for _, w := range p.out.State.Entries {
		now[w.Root] = true
		if before[w.Root] {
			p.out.Kept++
		} else {
			p.out.Added = append(p.out.Added, w.name())
		}
	}
	for _, w := range p.st.Entries {
		if !now[w.Root] && !p.barred[w.Root] {
			p.out.Removed = append(p.out.Removed, w.name())
		}
	}
}

// checkOut reads the new file as the next planning would: what it could not
// find again must not be written.
func (p *planning) checkOut(whole, content string) error {
	b, err := find(p.o.File, whole)
	if err != nil || !b.Found || withLF(whole[b.innerStart:b.innerEnd]) != content {
		return p.openFence(p.text[:p.block.Start], 0,
			"a code fence of your own text would run into the managed block")
	}
	if p.o.Form != Full {
		return nil
	}
	r := &reading{page: scan(content), st: p.out.State, out: edits{kept: map[string]Written{}, units: map[string]string{}}}
	if err := r.full(); err != nil || len(r.out.barred)+len(r.out.foreign)+len(r.out.corrections) > 0 {
		return p.openFence(p.text[p.block.innerStart:p.block.innerEnd], p.block.Line,
			"a code fence in an entry that you changed would run into the next one")
	}
	return nil
}

func (p *planning) openFence(text string, above int, what string) error {
	line := above + 1
	if open := scan(text).unclosed; len(open) > 0 {
		line += open[0]
	}
	return invalid(p.o.File, line, "close the code fence that is open there", "%s", what)
}
