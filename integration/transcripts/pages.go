package transcripts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
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

// pages returns the pages of named people and of links. No page is better than one with a
// wrong name.
func pages(items []said) (all []page) {
	for _, s := range items {
		folder, name := "resources", ""
		switch s.item.Kind {
		case extract.Person:
			folder, name = "people", extract.NameIn(s.item.Quote)
		case extract.Fact:
			name = link(s.item.Quote)
		}
		file := plaintext.Slug(name, maxFileName)
		if file == "" {
			continue
		}
		rel := "knowledge/" + folder + "/" + file + ".md"
		n := slices.IndexFunc(all, func(p page) bool { return p.rel == rel })
		if n < 0 {
			n = len(all)
			all = append(all, page{rel: rel, name: name})
		}
		all[n].lines = append(all[n].lines, fmt.Sprintf("- %s: %s (%s)", s.day, plaintext.OneLine(s.item.Quote), location(s.day, s.item)))
	}
	return all
}

// writePages adds items to the pages of people, projects and resources, and ingests those. A
// page that cannot be written is a problem.
func (r *run) writePages(ctx context.Context, items []said, report *Day) error {
	var written []string
	for _, p := range pages(items) {
		busy := errors.New("it kept changing while it was being written; run `brainbridge transcript extract` again")
		err := durable.RetryChanged(busy, func() error { return r.writePage(p) })
		if err == nil || errors.Is(err, durable.ErrUnsynced) {
			written = append(written, p.rel)
		} else {
			report.Problems = append(report.Problems, Problem{File: r.path(p.rel), Message: err.Error()})
		}
	}
	if len(written) == 0 {
		return nil
	}
	return r.o.Notes.Take(ctx, written)
}

func (r *run) writePage(p page) error {
	if err := r.makeDir(p.rel); err != nil {
		return err
	}
	seen, err := durable.ReadSnapshot(r.path(p.rel))
	if err != nil {
		return fmt.Errorf("read it: %w", durable.Cause(err))
	}
	text, err := p.added(seen.Text)
	if err != nil || bytes.Equal(text, seen.Text) {
		return err
	}
	return seen.Replace(text, durable.Options{KeepMode: true}, nil)
}

// added returns a page with those lines at the end of its block that it does not hold yet.
func (p page) added(old []byte) ([]byte, error) {
	text := string(old)
	if strings.TrimSpace(text) == "" {
		text = "# " + p.name + "\n\n"
	}
	if !strings.Contains(text, markdown.BlockBegin) && !strings.Contains(text, markdown.BlockEnd) {
		text += markdown.Gap(text, "\n") + markdown.BlockBegin + markdown.BlockEnd + "\n"
	}
	before, rest, _ := strings.Cut(text, markdown.BlockBegin)
	inside, after, ends := strings.Cut(rest, markdown.BlockEnd)
	if !ends || strings.Contains(inside+after, markdown.BlockBegin) || strings.Contains(after, markdown.BlockEnd) {
		return nil, fmt.Errorf("it has half a block, or several: leave one line %s and one line %s below it", markdown.BlockBegin, markdown.BlockEnd)
	}
	held := strings.FieldsFunc(inside, func(r rune) bool { return r == '\r' || r == '\n' })
	lines := brain.Union(slices.Clip(held), p.lines)
	if len(lines) == len(held) {
		return old, nil
	}
	return []byte(before + markdown.BlockBegin + "\n" + strings.Join(lines, "\n") + "\n" + markdown.BlockEnd + after), nil
}

// link returns the host of the first link in a sentence, and of a repository its owner and name.
func link(sentence string) string {
	for _, word := range strings.Fields(sentence) {
		at := max(strings.Index(word, "https://"), strings.Index(word, "http://"))
		if at < 0 {
			continue
		}
		u, err := url.Parse(strings.TrimRight(word[at:], ".,;:!?)]}>'\"`*"))
		if err != nil || u.Hostname() == "" {
			continue
		}
		host := strings.TrimPrefix(u.Hostname(), "www.")
		parts := strings.Split(strings.Trim(u.Path, "/"), "/")
		if len(parts) >= 2 && slices.Contains([]string{"github.com", "gitlab.com", "codeberg.org", "bitbucket.org"}, host) {
			host += "/" + parts[0] + "/" + parts[1]
		}
		return host
	}
	return ""
}
