package transcripts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// page has the lines to add to one page of knowledge/.
type page struct {
	rel   string // in the notes directory
	name  string
	lines []string
}

// maxFileName is the longest name of a page, in bytes without the extension.
const maxFileName = 60

// pages returns the pages that items belong to.
func pages(day string, items []extract.Item) []page {
	var all []page
	for _, i := range items {
		folder, name := subject(i)
		file := plaintext.Slug(name, maxFileName)
		if folder == "" || file == "" {
			continue
		}
		rel := "knowledge/" + folder + "/" + file + ".md"
		n := slices.IndexFunc(all, func(p page) bool { return p.rel == rel })
		if n < 0 {
			n = len(all)
			all = append(all, page{rel: rel, name: name})
		}
		all[n].lines = append(all[n].lines, fmt.Sprintf("- %s: %s (%s)", day, plaintext.OneLine(i.Quote), location(day, i)))
	}
	return all
}

// writePages adds items to the pages of people, projects and resources, and
// ingests those. A page that cannot be written is a problem and stops
// nothing.
func (r *run) writePages(ctx context.Context, items []extract.Item, report *Day) error {
	var written []string
	for _, p := range pages(report.Date, items) {
		changed, err := r.writePage(p)
		if err != nil {
			report.Problems = append(report.Problems, Problem{File: r.path(p.rel), Message: err.Error()})
			continue
		}
		if changed {
			written = append(written, p.rel)
		}
	}
	if len(written) == 0 {
		return nil
	}
	return r.o.Notes.Take(ctx, written)
}

// writePage reports whether there was something to add.
func (r *run) writePage(p page) (bool, error) {
	path := r.path(p.rel)
	if err := r.makeDir(path); err != nil {
		return false, err
	}
	changed := false
	busy := errors.New("another program saved it each time that it was to be written; run `brainbridge transcript extract` again")
	err := durable.RetryChanged(busy, func() error {
		seen, err := durable.ReadSnapshot(path)
		if err != nil {
			return fmt.Errorf("read it: %w", durable.Cause(err))
		}
		text, err := p.added(seen.Text)
		if err != nil || bytes.Equal(text, seen.Text) {
			return err
		}
		err = seen.Replace(text, durable.Options{KeepMode: true}, nil)
		changed = err == nil || errors.Is(err, durable.ErrUnsynced)
		return err
	})
	if changed {
		return true, nil
	}
	return false, err
}

// added returns a page with those lines in its block that it does not hold yet,
// by date.
func (p page) added(old []byte) ([]byte, error) {
	begins, ends := bytes.Count(old, []byte(markdown.BlockBegin)), bytes.Count(old, []byte(markdown.BlockEnd))
	from, until := bytes.Index(old, []byte(markdown.BlockBegin)), bytes.Index(old, []byte(markdown.BlockEnd))
	switch {
	case begins == 0 && ends == 0:
		return append(p.head(old), p.block(nil)...), nil
	case begins != 1 || ends != 1 || until < from:
		return nil, fmt.Errorf("it has half a block, or several: leave one line %s and one line %s below it", markdown.BlockBegin, markdown.BlockEnd)
	}
	var held []string
	for line := range strings.Lines(string(old[from+len(markdown.BlockBegin) : until])) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			held = append(held, line)
		}
	}
	if !slices.ContainsFunc(p.lines, func(l string) bool { return !slices.Contains(held, l) }) {
		return old, nil
	}
	block := strings.TrimSuffix(p.block(held), "\n")
	return slices.Concat(old[:from], []byte(block), old[until+len(markdown.BlockEnd):]), nil
}

// head returns the text above a new block.
func (p page) head(old []byte) []byte {
	if len(bytes.TrimSpace(old)) == 0 {
		return []byte("# " + p.name + "\n\n")
	}
	return append(slices.Clone(old), markdown.Gap(string(old), "\n")...)
}

// block returns the whole block. A line that a person put between ours stays
// behind the line before it.
func (p page) block(held []string) string {
	for _, line := range p.lines {
		if slices.Contains(held, line) {
			continue
		}
		at := len(held)
		for at > 0 && isEntry(held[at-1]) && held[at-1][:entryDate] > line[:entryDate] {
			at--
		}
		held = slices.Insert(held, at, line)
	}
	return markdown.BlockBegin + "\n" + strings.Join(held, "\n") + "\n" + markdown.BlockEnd + "\n"
}

// entryDate is the length of "- 2026-02-05".
const entryDate = 12

func isEntry(line string) bool { return len(line) >= entryDate && strings.HasPrefix(line, "- 2") }
